"""`deckwright generate`: decks that are all different, and boosters."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import click

from deckwright.api.reports import BoosterOptions
from deckwright.base.files import resolve_path
from deckwright.base.findings import has_errors
from deckwright.base.units import pluralize
from deckwright.cli import common
from deckwright.cli.options import OUTPUT_FILE, Parsed
from deckwright.cli.terminal import echo, echo_data
from deckwright.decks.generator.boosters import describe_run

_REPORT_SUFFIXES = (".txt", ".json", ".csv", ".pdf")


def parse_number(text: str) -> tuple[int, int]:
    """Return the numbers of a deck and of its attempt: "4711.2", or a full id."""
    match = re.search(r"(?:^|-)([0-9]{1,9})(?:\.([0-9]{1,3}))?$", text)
    number, attempt = (int(match[1]), int(match[2] or 1)) if match else (0, 0)
    if not number or not attempt:
        raise ValueError(f"`{text}` is not of the form 4711, 4711.2 or D-004711.2")
    return number, attempt


@common.command(
    "generate --seed winter --count 1000",
    "generate --seed winter --only 4711",
    "generate --seed winter --count 24 --booster standard --out boosters.jsonl",
    "generate --seed winter --count 1000 --report run.csv",
)
@common.game_option
@click.option("--seed", required=True, metavar="TEXT",
              help="The seed: the same seed gives the same decks.")  # fmt: skip
@click.option("--count", type=click.IntRange(1, 9_999_999), default=1, show_default=True,
              metavar="N", help="How many decks, boosters or drafts to make.")  # fmt: skip
@click.option("--only", type=Parsed(parse_number), metavar="NUMBER",
              help="Show only this deck: 4711, or 4711.2 if its id ends in that.")  # fmt: skip
@click.option("--booster", metavar="ID", help="Make boosters of this kind instead of decks.")
@click.option("--draft", "players", type=click.IntRange(1, 64), metavar="PLAYERS",
              help="With --booster: make drafts with this many players.")  # fmt: skip
@click.option("--rounds", type=click.IntRange(1, 20), default=3, show_default=True, metavar="N",
              help="How many boosters each player of a draft opens.")  # fmt: skip
@click.option("--out", "-o", metavar="FILE",
              help="The file to write, one deck a line. The default is out/run.jsonl.")  # fmt: skip
@click.option("--report", "report_file", type=OUTPUT_FILE,
              metavar="FILE",
              help="Write statistics to this file: .txt, .json, .csv or .pdf.")  # fmt: skip
@common.format_option
@common.quiet_option
def generate(
    game: Path,
    seed: str,
    count: int,
    only: tuple[int, int] | None,
    booster: str | None,
    players: int | None,
    rounds: int,
    out: str | None,
    report_file: Path | None,
    form: str,
    quiet: bool,
) -> None:
    """Make decks that are all different, or boosters.

    `generator` in game.xml says how to make decks. Each depends on the seed and its number alone,
    so that anyone with the game and the seed can make it again.
    """
    if players is not None and booster is None:
        raise click.UsageError("--draft needs --booster")
    if only is not None and (booster is not None or out is not None or report_file is not None):
        raise click.UsageError("--only shows one deck; it takes no --booster, --out or --report")
    if report_file is not None and report_file.suffix not in _REPORT_SUFFIXES:
        raise click.UsageError(f"--report takes names that end in {', '.join(_REPORT_SUFFIXES)}")
    opened = common.open_game(game)
    if only is not None:
        echo_data(opened.generate_one(seed, *only))
        return
    target = common.output_path("run.jsonl", opened.folder, out)
    if report_file is not None and resolve_path(report_file) == resolve_path(target):
        raise click.UsageError("--report and --out name the same file")
    packs = BoosterOptions(booster=booster, players=players, rounds=rounds)
    counted = not quiet or report_file is not None
    result = opened.generate(target, seed, count, statistics=counted, **packs)
    run, report = result.statistics, [*result.findings]
    if run is not None and report_file is not None and report_file.suffix == ".pdf":
        path = common.output_path("", opened.folder, str(report_file))
        report += common.run_catching(partial(opened.print_statistics, run, path))[1]
    elif run is not None and report_file is not None:
        kind = report_file.suffix.removeprefix(".").replace("txt", "text")
        common.write_answer(describe_run(run), report_file, report, kind)
    common.show(report)
    if run is not None and not quiet:
        is_text, has_report = form == "text", report_file is not None and not has_errors(report)
        more = [f"statistics in {report_file}"] if has_report else [""] * is_text
        echo(f"{pluralize(run.decks, 'deck')} in {target}", *more, err=not is_text)
        if not (has_report and is_text):
            common.write_answer(describe_run(run, complete=False), None, report, form)
    common.exit_with_findings(report)
