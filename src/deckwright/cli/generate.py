"""`deckwright generate`: decks that are all different, and boosters."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deckwright.api.options import GameError
from deckwright.api.reports import BoosterOptions
from deckwright.base.files import resolve_path
from deckwright.base.findings import Report, has_errors
from deckwright.cli import common
from deckwright.cli.terminal import command, echo, echo_data
from deckwright.decks.generator.boosters import RunStatistics, describe_run

if TYPE_CHECKING:
    from deckwright.api import Game


_REPORT_SUFFIXES = (".txt", ".json", ".csv", ".pdf")


class _DeckNumber(click.ParamType[tuple[int, int]]):
    """The number of a deck, optionally with a full stop and the number of an attempt."""

    name = "number"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Return both numbers; a full id is accepted as well."""
        match = re.search(r"(?:^|-)([0-9]{1,9})(?:\.([0-9]{1,3}))?$", str(value))
        number, attempt = (int(match[1]), int(match[2] or 1)) if match else (0, 0)
        if not number or not attempt:
            self.fail(f"`{value}` is not of the form 4711, 4711.2 or D-004711.2", param, ctx)
        return number, attempt


@command(
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
@click.option("--only", type=_DeckNumber(), metavar="NUMBER",
              help="Show only this deck: 4711, or 4711.2 if its id ends in that.")  # fmt: skip
@click.option("--booster", metavar="ID", help="Make boosters of this kind instead of decks.")
@click.option("--draft", "players", type=click.IntRange(1, 64), metavar="PLAYERS",
              help="With --booster: make drafts with this many players.")  # fmt: skip
@click.option("--rounds", type=click.IntRange(1, 20), default=3, show_default=True, metavar="N",
              help="How many boosters each player of a draft opens.")  # fmt: skip
@click.option("--out", "-o", metavar="FILE",
              help="The file to write, one deck a line. The default is out/run.jsonl.")  # fmt: skip
@click.option("--report", "report_file", type=click.Path(dir_okay=False, path_type=Path),
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
        try:
            echo_data(opened.generate_one(seed, *only))
        except GameError as error:
            common.show([*error.findings])
            common.exit_with_findings([*error.findings])
        return
    target = common.output_path("run.jsonl", opened.folder, out)
    if report_file is not None and resolve_path(report_file) == resolve_path(target):
        raise click.UsageError("--report and --out name the same file")
    packs = BoosterOptions(booster=booster, players=players, rounds=rounds)
    counted = not quiet or report_file is not None
    make = partial(opened.generate, target, seed, count, statistics=counted, **packs)
    result, report = common.run_catching(make)
    run = None if result is None else result.statistics
    if run is not None and report_file is not None:
        report += _write_report(opened, run, report_file)
    common.show(report)
    if run is not None and not quiet:
        is_text, has_report = form == "text", report_file is not None and not has_errors(report)
        more = [f"statistics in {report_file}"] if has_report else [""] * is_text
        echo(f"{common.counted(run.decks, 'deck')} in {target}", *more, err=not is_text)
        if not (has_report and is_text):
            common.write_answer(describe_run(run, complete=False), None, report, form)
    common.exit_with_findings(report)


def _write_report(opened: Game, run: RunStatistics, path: Path) -> Report:
    """Write the statistics of the decks; return the findings."""
    if path.suffix == ".pdf":
        target = common.output_path("", opened.folder, str(path))
        return common.run_catching(partial(opened.print_statistics, run, target))[1]
    report: Report = []
    form = path.suffix.removeprefix(".").replace("txt", "text")
    common.write_answer(describe_run(run), path, report, form)
    return report
