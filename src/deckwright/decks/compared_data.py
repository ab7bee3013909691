"""Decks side by side as JSON and CSV, for other programs."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.visible import visible_json
from deckwright.decks.comparison import DeckComparison, ZoneColumns
from deckwright.decks.stats import LimitState
from deckwright.grids.csv import csv_text

VERSION = 1
"""Of the JSON; it grows when a name changes its meaning."""
Row = tuple[str | float, ...]


def as_json(comparison: DeckComparison) -> str:
    """Return a comparison as a JSON object; lists of numbers have one for each deck."""
    return visible_json(as_data(comparison))


def as_data(comparison: DeckComparison) -> dict[str, object]:
    """Return a comparison as plain data."""
    changes = comparison.changes() if len(comparison.decks) == 2 else None  # noqa: PLR2004
    return {
        "version": VERSION,
        "decks": [
            {
                "file": stats.deck.stem,
                "name": stats.deck.name,
                "faction": stats.deck.faction_id,
                "cards": stats.cards,
            }
            for stats in comparison.decks
        ],
        "zones": [*map(_zone, comparison.zones)],
        "measures": [
            {"measure": worth.measure.text, "values": [*map(float, worth.values)]}
            for worth in comparison.measures
        ],
        "odds": [
            {
                "field": odds.field,
                "term": odds.term,
                "some": [float(each.some) for each in odds.chances],
                "average": [float(each.average) for each in odds.chances],
            }
            for odds in comparison.odds
        ],
        "limits": [[state and _state(state) for state in states] for states in comparison.limits],
        "changes": changes
        and [
            {
                "zone": change.zone,
                "faction": change.card.faction_id,
                "id": change.card.id,
                "name": change.card.name,
                "copies": change.copies,
            }
            for change in changes
        ],
    }


def _zone(zone: ZoneColumns) -> dict[str, object]:
    return {
        "id": zone.id,
        "name": zone.name,
        "cards": zone.cards,
        "lines": [
            {
                "faction": line.card.faction_id,
                "id": line.card.id,
                "name": line.card.name,
                "copies": line.copies,
            }
            for line in zone.lines
        ],
        "charts": [
            {
                "id": charts[0].id,
                "name": charts[0].name,
                "totals": [chart.total for chart in charts] if charts[0].numeric else None,
                "averages": [chart.average for chart in charts] if charts[0].numeric else None,
                "bars": [
                    {"name": bars[0].name, "copies": [bar.copies for bar in bars]}
                    for bars in zip(*(chart.bars for chart in charts), strict=True)
                ],
            }
            for charts in zone.charts
        ],
    }


def _state(state: LimitState) -> dict[str, object]:
    return {
        "id": state.id,
        "zone": state.limit.zone,
        "name": state.name,
        "number": state.number,
        "min": state.limit.min,
        "max": state.limit.max,
        "exactly": state.limit.exactly,
        "keeps": state.keeps,
    }


def as_csv(comparison: DeckComparison) -> str:
    """Return a comparison as one table with a column for each deck, called by its file.

    The first four columns say what a line counts: `what` of which `zone`, and its `id` and `name`.
    """
    stems = (stats.deck.stem for stats in comparison.decks)
    head: Row = ("what", "zone", "faction", "id", "name", *stems)
    return csv_text([head, *_rows(comparison)]).rstrip("\r\n").replace("\r\n", "\n")


def _rows(comparison: DeckComparison) -> Iterator[Row]:
    yield ("cards", "", "", "", "", *(stats.cards for stats in comparison.decks))
    for zone in comparison.zones:
        yield ("cards", zone.id, "", "", zone.name, *zone.cards)
        for line in zone.lines:
            card = line.card
            yield ("card", zone.id, card.faction_id, card.id, card.name, *line.copies)
        for charts in zone.charts:
            chart = charts[0]
            if chart.numeric:
                totals = (each.total for each in charts)
                yield ("sum", zone.id, "", chart.id, chart.name, *totals)
            for bars in zip(*(each.bars for each in charts), strict=True):
                copies = (bar.copies for bar in bars)
                yield ("copies", zone.id, "", chart.id, bars[0].name, *copies)
    for worth in comparison.measures:
        yield ("measure", "", "", "", worth.measure.text, *map(float, worth.values))
    for odds in comparison.odds:
        some_of = (float(each.some) for each in odds.chances)
        yield ("chance", "", "", odds.field, odds.term, *some_of)
    for states in comparison.limits:
        some = next(state for state in states if state)
        numbers = (state.number if state else "" for state in states)
        yield ("limit", some.limit.zone, "", some.id, some.name, *numbers)
