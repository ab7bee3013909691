"""What is said of a draft while one builds: its limits, what fits, its curves, its mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypedDict

from deckwright.base.findings import nearest
from deckwright.base.numbers import exact
from deckwright.checks.counting import Bounds, Held, Tally, total_of
from deckwright.checks.limits import limits_of
from deckwright.checks.zoning import Line, zone_of, zones_of
from deckwright.decks.adding import Adding
from deckwright.decks.solver.building import lenders
from deckwright.decks.stats import Chart, charts_of
from deckwright.game.deck_rules import Limit
from deckwright.game.decklist import format_of, tokens_of
from deckwright.game.kinds import FieldValue
from deckwright.game.model import Card, CardKey, Deck, Game
from deckwright.game.words import bound_words
from deckwright.studio.decks.drafts import key_of

Json = dict[str, object]


class Group(TypedDict):
    """What a limit counts for one value of `per`, or in all.

    Attributes:
        by: 0 if it is kept; how much is missing, or as a number below 0, how much is too much.
    """

    value: FieldValue
    number: float
    by: float
    cards: list[str]


class Spot(TypedDict):
    """A zone that takes a card of a draft.

    Attributes:
        why: the ids of the limits in the way of one more copy there.
        room: how many more copies there may be; None if nothing limits them.
    """

    zone: str
    why: list[str]
    room: int | None


class Offer(TypedDict):
    """A card that a draft may have, and the zones that it may be in, the usual one first."""

    card: str
    zones: list[Spot]


class Problem(TypedDict):
    """What is wrong with a draft besides its limits.

    Attributes:
        kind: what it is: the draft is "empty", or a card's "faction" is not known, its file has a
            mistake ("faulty"), it is not there ("unknown"), or its "zone" does not take it, or
            "no-zone" does.
        card: whose matter it is, None if it is that of the whole draft.
        name: what the card, the faction or the zone is called.
        near: what may be meant instead, None if nothing is like it.
    """

    kind: str
    card: str | None
    name: str
    near: str | None


def held_of(game: Game, deck: Deck) -> Held:
    """Return what a draft is held to: the limits of its format."""
    return limits_of(game, deck, None, {})


def judged(game: Game, deck: Deck) -> Json:
    """Return all that is always in sight while one builds."""
    tally = Tally(game, deck, held_of(game, deck))
    form, listed = format_of(game, deck), tally.held.restrictions
    return {
        "cards": sum(entry.copies for entry in deck.entries),
        "format": form.id if form else None,
        "restrictions": listed.name if listed else None,
        "zones": [*_zones(game, tally.lines)],
        "limits": [_limit(game, deck, limit, tally) for limit in tally.held.limits],
        "pool": [*_pool(game, deck, tally)],
        "findings": [*problems(game, deck)],
        "measures": [*_measures(game, tally.lines)],
        "tokens": [
            {"card": key_of((deck.faction_id, count.token.id)), "copies": count.copies}
            for count in tokens_of(game, deck)
        ],
    }


def spots_of(game: Game, deck: Deck, key: CardKey) -> list[Spot]:
    """Return the zones that take a card, each with what is in the way of one more copy there."""
    adding = Adding(game, deck, Tally(game, deck, held_of(game, deck)))
    return _spots(game, game.cards[key], adding)


def problems(game: Game, deck: Deck) -> Iterator[Problem]:
    """Yield what is wrong with a draft besides its limits."""
    if not deck.entries:
        yield {"kind": "empty", "card": None, "name": "", "near": None}
    for entry in deck.entries:
        card, key = game.card_of(entry), (entry.faction_id, entry.card_id)
        kind, name, known = "", entry.card_id, list[str]()
        if entry.faction_id not in game.factions:
            kind, name, known = "faction", entry.faction_id, [*game.factions]
        elif card is None and game.may_have(*key):
            kind = "faulty"
        elif card is None:
            kind = "unknown"
            known = [card_id for faction, card_id in game.cards if faction == entry.faction_id]
        elif zone_of(game, card, entry.zone) is None:
            kind = "zone" if entry.zone else "no-zone"
            name = game.setup.zone_name(entry.zone) if entry.zone else card.name
        if kind:
            near = next(iter(nearest(name, known)), None)
            yield {"kind": kind, "card": key_of(key), "name": name, "near": near}


def _zones(game: Game, lines: Iterable[Line]) -> Iterator[Json]:
    all_lines = [*lines]
    for zone in game.setup.zones:
        own = [line for line in all_lines if line.zone is zone]
        yield {
            "id": zone.id,
            "name": zone.name,
            "cards": sum(line.entry.copies for line in own),
            "charts": [_chart(chart) for chart in charts_of(game.setup, own) if chart.telling],
        }


def _chart(chart: Chart) -> Json:
    return {
        "id": chart.id,
        "name": chart.name,
        "numeric": chart.numeric,
        "unit": chart.unit,
        "total": chart.total,
        "average": chart.average,
        "bars": [{"name": bar.name, "copies": bar.copies} for bar in chart.bars],
    }


def _limit(game: Game, deck: Deck, limit: Limit, tally: Tally) -> Json:
    is_judged, counted = tally.judges(limit), tally.counted(limit)
    bounds = tally.bounds(limit)
    groups = [
        _group(value, lines, limit, bounds if is_judged else Bounds(None, None, None))
        for value, lines in counted.items()
    ]
    groups.sort(key=lambda each: (not each["by"], -each["number"]))
    worst = max(groups, key=lambda each: abs(each["by"]), default=None)
    most = max(groups, key=lambda each: each["number"], default=None)
    shown = worst if worst is not None and worst["by"] else most
    number, by = (shown["number"], shown["by"]) if shown else (0, 0)
    if limit.own_faction:
        lines = (line for of_value in counted.values() for line in of_value)
        foreign = (line for line in lines if line.card.faction_id != deck.faction_id)
        strangers = sum(line.entry.copies for line in foreign)
        number = strangers if limit.bound is None else number
        by = by or (-strangers if is_judged else 0)
    settled = tally.settled(limit)
    return {
        "id": limit.id,
        "name": limit.name,
        "zone": limit.zone,
        "zoneName": game.setup.zone_name(limit.zone),
        "number": number,
        "min": bounds.min if is_judged else None,
        "max": bounds.max if is_judged else None,
        "exactly": bounds.exactly if is_judged else None,
        "bound": bound_words(game.setup.words, settled, game.setup),
        "sums": limit.sum,
        "distinct": limit.distinct,
        "per": limit.per,
        "own": limit.own_faction,
        "warning": limit.warning,
        "judged": is_judged,
        "keeps": not by,
        "by": by,
        "cards": [*dict.fromkeys(card for each in groups for card in each["cards"])],
        "groups": groups if limit.per else [],
    }


def _group(value: FieldValue, lines: list[Line], limit: Limit, bounds: Bounds) -> Group:
    total = total_of(limit, lines)
    lower = max((b for b in (bounds.min, bounds.exactly) if b is not None), default=total)
    upper = min((b for b in (bounds.max, bounds.exactly) if b is not None), default=total)
    by = lower - total if total < lower else upper - total if total > upper else 0
    cards = dict.fromkeys(key_of((line.card.faction_id, line.card.id)) for line in lines)
    return {"value": value, "number": total, "by": exact(by), "cards": [*cards]}


def _pool(game: Game, deck: Deck, tally: Tally) -> Iterator[Offer]:
    """Yield the cards that decks of this faction may have, and those that the draft has."""
    had = {(entry.faction_id, entry.card_id) for entry in deck.entries}
    lending, adding = lenders(game, deck.faction_id, tally.held), Adding(game, deck, tally)
    for key, card in game.cards.items():
        if card.faction_id in game.factions and (card.faction_id in lending or key in had):
            spots = _spots(game, card, adding)
            if spots or key in had:
                yield {"card": key_of(key), "zones": spots}
    for key in sorted(had - game.cards.keys()):
        yield {"card": key_of(key), "zones": []}


def _spots(game: Game, card: Card, adding: Adding) -> list[Spot]:
    return [
        {
            "zone": zone.id,
            "why": adding.in_the_way(card, zone),
            "room": adding.room(card, zone),
        }
        for zone in (zones_of(game, card) if card.faction_id in game.factions else ())
    ]


def _measures(game: Game, lines: Iterable[Line]) -> Iterator[Json]:
    """Yield what a draft is worth and costs, as `game.xml` says."""
    all_lines = [*lines]
    for measure in dict.fromkeys((game.setup.worth, game.setup.cost)):
        if measure is not None:
            value = sum(
                measure.of(line.card.fields, line.zone.id if line.zone else "") * line.entry.copies
                for line in all_lines
            )
            yield {"name": str(measure), "value": exact(float(value))}
