"""`deckwright generate`: decks that are all different, and boosters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deckwright.api.options import GameError
from deckwright.api.reports import BoosterOptions, GeneratedFile
from deckwright.base.files import resolve_path
from deckwright.base.findings import Report, has_errors
from deckwright.base.strings import sanitize_line
from deckwright.base.units import format_plain
from deckwright.cli import common
from deckwright.cli.common import counted, format_table
from deckwright.cli.report_text import truncate
from deckwright.cli.terminal import can_show, command, echo, echo_data
from deckwright.decks.generator.boosters import CardCount, RunStatistics

if TYPE_CHECKING:
    from deckwright.api import Game


_NAME_WIDTH, _BAR_WIDTH, _MAX_SUMMARY_ROWS = 34, 40, 5
"""The widths of names and bars, and the number of rows at each end of a short list."""


class StatisticsText:
    """Formats the statistics of a run."""

    def __init__(self, statistics: RunStatistics, *, complete: bool) -> None:
        """Set the statistics.

        Args:
            complete: whether to list every card and pair.
        """
        self._statistics, self._complete = statistics, complete

    def lines(self) -> Iterator[str]:
        """Yield the lines."""
        stats = self._statistics
        marks = ", ".join(
            counted(n, *_MARK_NOUNS[mark]) for mark, n in sorted(stats.marks.items()) if n
        )
        again = counted(stats.retries, "attempt")
        yield from map(sanitize_line, format_table(f"seed {stats.seed}", [
            ("decks", f"{stats.decks:,}"),
            ("regenerated", f"{again} more, too similar to others" if stats.retries else ""),
            ("by the solver", f"{stats.repaired:,} made legal" if stats.repaired else ""),
            ("factions", _format_shares(stats.houses.items(), stats.decks)),
            ("rarities", _format_shares(stats.rarities().items(), sum(stats.rarities().values()))),
            ("special", marks),
        ]))  # fmt: skip
        yield from self._cards()
        yield from self._pairs()
        yield from self._strength()

    def _cards(self) -> Iterator[str]:
        cards = self._statistics.cards()
        had = [each for each in cards if each.copies]
        never = [each.card.name for each in cards if not each.copies]
        few = not self._complete and len(had) > 2 * _MAX_SUMMARY_ROWS
        yield from ("", f"{'cards':<{_NAME_WIDTH}}  {'decks':>8} {'share':>7} {'copies':>8}")
        yield from map(self._card, had[:_MAX_SUMMARY_ROWS] if few else had)
        if few:
            yield "  …"
            yield from map(self._card, had[-_MAX_SUMMARY_ROWS:])
        if never:
            named = never if self._complete else never[:_MAX_SUMMARY_ROWS]
            more = f" and {len(never) - len(named)} more" if len(never) > len(named) else ""
            yield sanitize_line(f"in no deck: {', '.join(named)}{more}")

    def _card(self, each: CardCount) -> str:
        share = each.decks / max(1, self._statistics.decks)
        name = sanitize_line(
            truncate(f"{each.card.name} ({each.card.faction_id})", _NAME_WIDTH - 2)
        )
        return f"  {name:<{_NAME_WIDTH - 2}}  {each.decks:>8,} {share:>7.1%} {each.copies:>8,}"

    def _pairs(self) -> Iterator[str]:
        pairs = self._statistics.pairs()
        if pairs:
            yield from ("", "together more often than by chance")
        for each in pairs if self._complete else pairs[:_MAX_SUMMARY_ROWS]:
            names = sanitize_line(truncate(f"{each.one.name} + {each.other.name}", 2 * _NAME_WIDTH))
            yield f"  {each.lift:>6.1f} × {names}: {counted(each.decks, 'deck')}"

    def _strength(self) -> Iterator[str]:
        marks = self._statistics.strengths()
        if not marks:
            return
        said = ", ".join(f"{name} {format_plain(value)}" for name, value in marks.items())
        yield from ("", sanitize_line(f"worth ({self._statistics.measure}): {said}"))
        steps = self._statistics.histogram()
        most = max(number for _, _, number in steps)
        block = "█" if can_show("█") else "#"
        for low, _, number in steps:
            bar = block * max(round(number * _BAR_WIDTH / most), min(1, number))
            yield f"  {low:>8.1f}  {bar} {number:,}".rstrip()


_MARK_NOUNS = {"maverick": ("maverick", "mavericks"), "legacy": ("legacy", "legacies")}


def _format_shares(counts: Iterable[tuple[str, int]], total: int) -> str:
    return ", ".join(f"{name} {number / max(1, total):.1%}" for name, number in counts)


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
    if result is not None and report_file is not None:
        report += _write_report(opened, result, report_file)
    common.show(report)
    if result is not None and not quiet:
        echo(f"{common.counted(result.decks, 'deck')} in {target}")
        if report_file is not None and not has_errors(report):
            echo(f"statistics in {report_file}")
        else:
            echo("", *_statistics_lines(result))
    common.exit_with_findings(report)


def _write_report(opened: Game, generated: GeneratedFile, path: Path) -> Report:
    """Write the statistics of the decks; return the findings."""
    statistics = generated.statistics
    assert statistics is not None
    if path.suffix == ".pdf":
        target = common.output_path("", opened.folder, str(path))
        return common.run_catching(partial(opened.print_statistics, statistics, target))[1]
    forms = {".json": statistics.as_json, ".csv": statistics.as_csv}
    form = forms.get(path.suffix, lambda: "\n".join(_statistics_lines(generated, complete=True)))
    report: Report = []
    common.write_answer(form(), path, report)
    return report


def _statistics_lines(generated: GeneratedFile, *, complete: bool = False) -> list[str]:

    assert generated.statistics is not None
    return [*StatisticsText(generated.statistics, complete=complete).lines()]
