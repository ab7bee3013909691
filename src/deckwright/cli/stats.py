"""`deckwright stats` and `compare`: statistics of one deck, or of several side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from deckwright.api.decks import load_game_and_stats
from deckwright.api.options import Limits
from deckwright.base.findings import Report
from deckwright.base.output import report_failure
from deckwright.base.strings import sanitize_line
from deckwright.base.units import (
    format_fixed,
    format_measure,
    format_number,
    format_percent,
    round_number,
)
from deckwright.cli import common
from deckwright.cli.report_text import (
    card_lines,
    fit_columns,
    label,
    shorten_titles,
    truncate,
    words_for,
)
from deckwright.cli.terminal import can_show, command, echo
from deckwright.decks.comparison import DeckComparison, ZoneColumns
from deckwright.decks.stats import Chart, DeckStats, LimitState
from deckwright.game.model import Card
from deckwright.game.words import WORDS, describe_bounds

if TYPE_CHECKING:
    from deckwright.decks.comparison import DeckComparison


_MAX_BAR_WIDTH = 40
"""The length of the longest bar in characters."""


@command("stats army_HK_1", "stats army_HK_1 --limits casual")
@click.argument("decks", nargs=-1, metavar="DECK…", required=True)
@common.game_option
@common.limit_options
def stats(
    decks: tuple[str, ...],
    game: Path,
    **limits: Unpack[Limits],
) -> None:
    """Show decks in numbers: cards, curves and limits.

    An exclamation mark marks limits that a deck breaks.
    """
    folder = common.open_folder(game)
    all_findings: Report = []
    for number, name in enumerate(decks):
        report: Report = []
        statistics = None
        with report_failure(report):
            _, statistics = load_game_and_stats(folder, folder.deck_file(name), limits, report)
        common.show(common.new_findings(report, all_findings))
        all_findings += report
        if statistics is not None:
            echo(*[""] * (number > 0), *stats_lines(statistics))
    common.exit_with_findings(all_findings)


def stats_lines(stats: DeckStats) -> Iterator[str]:
    """Yield the statistics of a deck as lines."""
    words = words_for(stats.language, stats.words)
    yield from common.format_table(stats.deck.name, common.stats_rows(stats))
    for zone in stats.zones:
        yield ""
        cards = f"{zone.cards} {words['cards']}" if words else common.counted(zone.cards, "card")
        yield f"{zone.name}: {cards}"
        yield from card_lines(zone.lines, zone.charts, stats.language)
        for chart in zone.charts:
            if chart.numeric and chart.total:
                yield ""
                yield from _chart_lines(chart, stats.language, words)
    if stats.limits:
        yield ""
        listed = stats.restrictions
        in_force = f" ({listed.name}, {listed.since})" if listed else ""
        yield f"{label(words, 'limits')}{in_force}"
        width = max(len(f"{state.zone}: {state.name}") for state in stats.limits)
        for state in stats.limits:
            mark = " " if state.keeps else "!"
            name = f"{state.zone}: {state.name}"
            bound = describe_bounds(words or WORDS, state.limit)
            yield (
                f"{mark} {name:<{width}}  {format_number(state.number, stats.language):>4}  {bound}"
            )


def _chart_lines(chart: Chart, language: str, words: Mapping[str, str] | None) -> Iterator[str]:
    """Yield a curve as horizontal bars, of block characters if the terminal can show them."""
    number = format_measure(chart.total, chart.unit, language)
    total = f"{words['total']} {number}" if words else f"{number} in total"
    yield f"  {chart.name}, {total}"
    block = "█" if can_show("█") else "#"
    width = max(len(bar.name) for bar in chart.bars)
    scale = min(1.0, _MAX_BAR_WIDTH / chart.max_copies)
    for bar in chart.bars:
        length = max(round(bar.copies * scale), min(bar.copies, 1))
        yield f"  {bar.name:>{width}} {block * length} {bar.copies or ''}".rstrip()


def comparison_lines(comparison: DeckComparison) -> Iterator[str]:
    """Yield a comparison of decks as lines."""
    yield from _ComparisonText(comparison).lines()


class _ComparisonText:
    """Formats a comparison for a terminal."""

    def __init__(self, comparison: DeckComparison) -> None:
        self._comparison = comparison
        first = comparison.decks[0]
        self._language = first.language
        self._words = words_for(first.language, first.words)
        self._titles = comparison.titles
        self._columns = fit_columns(self._labels(), self._titles)

    def lines(self) -> Iterator[str]:
        """Yield the lines."""
        yield from self._heads()
        for zone in self._comparison.zones:
            yield ""
            yield from self._zone(zone)
        yield from self._odds()
        yield from self._limits()
        if len(self._titles) == 2:  # noqa: PLR2004 - from one to the other
            yield from self._changes()

    def _labels(self) -> Iterator[str]:
        """Yield the labels that determine the width."""
        for zone in self._comparison.zones:
            yield zone.name
            yield from (_format_card(line.card) for line in zone.lines)
        for states in self._comparison.limits:
            yield from (_limit_name(state) for state in states if state)
        yield from (worth.measure.text for worth in self._comparison.measures)

    def _heads(self) -> Iterator[str]:
        table, decks = self._columns, self._comparison.decks
        yield table.row("", shorten_titles(self._titles, table.width))
        yield table.row(label(self._words, "faction"), self._comparison.factions)
        yield table.row(label(self._words, "cards"), (str(deck.cards) for deck in decks))
        for worth in self._comparison.measures:
            yield table.row(worth.measure.text, map(self._number, map(float, worth.values)))

    def _zone(self, zone: ZoneColumns) -> Iterator[str]:
        table, nothing = self._columns, "–" if can_show("–") else "-"
        yield table.row(self._name(zone), map(str, zone.cards))
        for line in zone.lines:
            differ = len({*line.copies}) > 1
            mark = "*" if differ and 0 in line.copies else "~" if differ else ""
            title = _format_card(line.card, table.labels)
            yield table.row(title, (str(n or nothing) for n in line.copies), mark)
        for charts in zone.charts:
            yield ""
            yield from self._chart(zone, charts)

    def _chart(self, zone: ZoneColumns, charts: tuple[Chart, ...]) -> Iterator[str]:
        table, first = self._columns, charts[0]
        yield f"  {self._name(zone)}, {first.name}"
        if first.numeric:
            total, mean = label(self._words, "total"), label(self._words, "average")
            yield table.row(total, (self._number(chart.total, chart.unit) for chart in charts))
            means = (round(chart.average, 2) for chart in charts)
            yield table.row(mean, (self._number(each, first.unit) for each in means))
        most = max(chart.max_copies for chart in charts)
        for bars in zip(*(chart.bars for chart in charts), strict=True):
            yield table.row(f"  {bars[0].name}", table.bars([bar.copies for bar in bars], most))

    def _odds(self) -> Iterator[str]:
        if self._comparison.odds:
            yield ""
            some = "≥ 1, ⌀" if can_show("≥⌀") else ">= 1"
            yield f"  {label(self._words, 'hand')}: {some}"
        for odds in self._comparison.odds:
            cells = (
                f"{format_percent(each.some, self._language)}, "
                f"{format_fixed(float(each.average), 2, self._language)}"
                for each in odds.chances
            )
            yield self._columns.row(odds.term, cells)

    def _limits(self) -> Iterator[str]:
        if self._comparison.limits:
            yield ""
            yield f"  {label(self._words, 'limits')}"
        for states in self._comparison.limits:
            name = next(_limit_name(state) for state in states if state)
            mark = "" if all(state is None or state.keeps for state in states) else "!"
            yield self._columns.row(name, map(self._state, states), mark)

    def _state(self, state: LimitState | None) -> str:
        """Format a limit for one deck: its number and the allowed ones."""
        if state is None:
            return ""
        least, most, same = ("≥", "≤", "=") if can_show("≤≥") else (">=", "<=", "=")
        limit = state.limit
        bounds = ((least, limit.min), (most, limit.max), (same, limit.exactly))
        parts = [f"{sign} {bound}" for sign, bound in bounds if bound is not None]
        broken = "" if state.keeps else " !"
        allowed = f" ({', '.join(parts)})" if parts else ""
        return f"{self._number(state.number)}{allowed}{broken}"

    def _changes(self) -> Iterator[str]:
        changes = self._comparison.changes()
        less = "−" if can_show("−") else "-"
        out, into = (sum(max(0, sign * change.copies) for change in changes) for sign in (-1, 1))
        yield ""
        yield f"  {label(self._words, 'changes')}: {less}{out} +{into}"

    def _name(self, zone: ZoneColumns) -> str:
        return zone.name or label(self._words, "none")

    def _number(self, number: float, unit: str = "") -> str:
        return format_measure(round_number(number), unit, self._language)


def _format_card(card: Card, width: int = 999) -> str:
    """Return a card's name and id, with the name truncated to fit a width."""
    return f"{truncate(card.name, max(width - len(card.id) - 3, 1))} ({card.id})"


def _limit_name(state: LimitState) -> str:
    return f"{state.zone}: {state.name}"


@command("compare army_HK_1 army_EW_1", "compare army_HK_1 army_HH_1 army_EH_1 --format csv")
@click.argument("decks", nargs=-1, metavar="DECK DECK…", required=True)
@common.game_option
@common.answer_options
@common.limit_options
def compare(
    decks: tuple[str, ...],
    game: Path,
    form: str,
    out: Path | None,
    **limits: Unpack[Limits],
) -> None:
    """Show decks side by side: cards, sums, curves, odds, limits.

    A star marks cards that some decks lack, a tilde cards in different numbers, and an exclamation
    mark limits that a deck breaks. For two decks, the cards that leave the first and those that
    come to the second are counted, too.
    """
    opened = common.open_game(game)
    comparison, report = common.run_catching(partial(opened.compare, decks, **limits))
    if comparison is not None:
        common.write_answer(_format_answer(comparison, form), out, report, form)
    common.show(report)
    common.exit_with_findings(report)


def _format_answer(comparison: DeckComparison, form: str) -> str:
    if form == "text":
        return "\n".join(map(sanitize_line, comparison_lines(comparison)))

    from deckwright.decks.comparison import as_csv, as_json  # noqa: PLC0415 - only if asked for

    return as_json(comparison) if form == "json" else as_csv(comparison)
