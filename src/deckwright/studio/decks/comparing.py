"""Drafts beside each other, as plain data."""

from __future__ import annotations

from collections.abc import Sequence

from deckwright.base.choices import ChoiceError
from deckwright.base.numbers import exact
from deckwright.decks.comparison import DeckComparison, ZoneColumns, compare_decks
from deckwright.decks.stats import Chart, LimitState
from deckwright.game.model import Deck, Game
from deckwright.studio.decks.drafts import key_of
from deckwright.studio.decks.playing import stats_of

Json = dict[str, object]
_MOST = 8
"""So many decks are compared at once."""


def compared(game: Game, decks: Sequence[Deck]) -> Json:
    """Return drafts side by side.

    Raises:
        ChoiceError: if there is one alone, or there are too many.
    """
    if not 1 < len(decks) <= _MOST:
        raise ChoiceError(f"from 2 to {_MOST} decks can be compared")
    found = compare_decks([(game, stats_of(game, deck)) for deck in decks])
    return {
        "decks": [
            {
                "name": stats.deck.name,
                "faction": stats.deck.faction_id,
                "factionName": faction,
                "cards": stats.cards,
            }
            for stats, faction in zip(found.decks, found.factions, strict=True)
        ],
        "zones": [_zone(zone) for zone in found.zones],
        "measures": [
            {"name": str(worth.measure), "values": [exact(float(each)) for each in worth.values]}
            for worth in found.measures
        ],
        "odds": [
            {
                "field": odds.field,
                "term": odds.term,
                "some": [float(each.some) for each in odds.chances],
                "average": [float(each.average) for each in odds.chances],
            }
            for odds in found.odds
        ],
        "limits": [_limit(states) for states in found.limits],
        "changes": [_changes(found, new) for new in range(1, len(decks))],
    }


def _zone(zone: ZoneColumns) -> Json:
    return {
        "id": zone.id,
        "name": zone.name,
        "cards": zone.cards,
        "lines": [
            {"card": key_of((line.card.faction_id, line.card.id)), "copies": line.copies}
            for line in zone.lines
        ],
        "charts": [_charts(charts) for charts in zone.charts],
    }


def _charts(charts: Sequence[Chart]) -> Json:
    return {
        "id": charts[0].id,
        "name": charts[0].name,
        "numeric": charts[0].numeric,
        "unit": charts[0].unit,
        "totals": [chart.total for chart in charts],
        "averages": [chart.average for chart in charts],
        "bars": [
            {"name": bars[0].name, "copies": [bar.copies for bar in bars]}
            for bars in zip(*(chart.bars for chart in charts), strict=True)
        ],
    }


def _limit(states: Sequence[LimitState | None]) -> Json:
    one = next(state for state in states if state is not None)
    return {
        "id": one.id,
        "name": one.name,
        "zoneName": one.zone,
        "states": [
            state and {"number": state.number, "bound": state.bound, "keeps": state.keeps}
            for state in states
        ],
    }


def _changes(found: DeckComparison, new: int) -> list[Json]:
    return [
        {
            "zone": change.zone,
            "card": key_of((change.card.faction_id, change.card.id)),
            "copies": change.copies,
        }
        for change in found.changes(0, new)
    ]
