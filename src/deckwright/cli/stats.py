"""`deckwright stats`: what a deck consists of, in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Unpack

import click

from deckwright.api.asked import Limits
from deckwright.api.decks import stats_of
from deckwright.base.findings import Report
from deckwright.base.numbers import measured, written
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.listing import card_lines
from deckwright.cli.speech import label, words_in
from deckwright.cli.terminal import can_show, echo
from deckwright.decks.stats import Chart, DeckStats
from deckwright.game.words import WORDS, bound_words

_WIDTH = 40
"""The longest bar, in characters."""


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

    A limit that a deck breaks is marked with an exclamation mark.
    """
    folder = common.open_folder(game)
    all_findings: Report = []
    for number, name in enumerate(decks):
        report: Report = []
        found = stats_of(folder, folder.deck_file(name), limits, report)
        common.show(common.new_in(report, all_findings))
        all_findings += report
        if found is not None:
            echo(*[""] * (number > 0), *lines_of(found))
    common.leave(all_findings)


def lines_of(stats: DeckStats) -> Iterator[str]:
    """Yield a deck in numbers, for the terminal."""
    words = words_in(stats.language, stats.words)
    yield from common.table(stats.deck.name, common.deck_rows(stats))
    for zone in stats.zones:
        yield ""
        cards = f"{zone.cards} {words['cards']}" if words else common.counted(zone.cards, "card")
        yield f"{zone.name}: {cards}"
        yield from card_lines(zone.lines, zone.charts, stats.language)
        for chart in zone.charts:
            if chart.numeric and chart.total:
                yield ""
                yield from _chart(chart, stats.language, words)
    if stats.limits:
        yield ""
        listed = stats.restrictions
        in_force = f" ({listed.name}, {listed.since})" if listed else ""
        yield f"{label(words, 'limits')}{in_force}"
        width = max(len(f"{state.zone}: {state.name}") for state in stats.limits)
        for state in stats.limits:
            mark = " " if state.keeps else "!"
            name = f"{state.zone}: {state.name}"
            bound = bound_words(words or WORDS, state.limit)
            yield f"{mark} {name:<{width}}  {written(state.number, stats.language):>4}  {bound}"


def _chart(chart: Chart, language: str, words: Mapping[str, str] | None) -> Iterator[str]:
    """Yield a curve as bars that lie on their side, of blocks if the terminal can show them."""
    number = measured(chart.total, chart.unit, language)
    total = f"{words['total']} {number}" if words else f"{number} in total"
    yield f"  {chart.name}, {total}"
    block = "█" if can_show("█") else "#"
    width = max(len(bar.name) for bar in chart.bars)
    scale = min(1.0, _WIDTH / chart.most)
    for bar in chart.bars:
        length = max(round(bar.copies * scale), min(bar.copies, 1))
        yield f"  {bar.name:>{width}} {block * length} {bar.copies or ''}".rstrip()
