"""Validation of drafts: limits, curves and problems, and the limits that block a card."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from deckwright.base.findings import find_nearest
from deckwright.base.units import round_number
from deckwright.checks.counting import (
    Bounds,
    DeckLine,
    DeckRules,
    LimitCounter,
    count_total,
    value_of,
    zone_of,
    zones_of,
)
from deckwright.checks.limits import resolve_deck_rules
from deckwright.decks.comparison import sum_measure
from deckwright.decks.solver.building import source_factions
from deckwright.decks.stats import make_charts
from deckwright.game.deck_rules import CARDS, DECK, Formula, Limit, Number, Reference, Zone
from deckwright.game.decklist import count_tokens, format_of
from deckwright.game.kinds import FieldValue, parts_of
from deckwright.game.model import Card, CardKey, Deck, DeckEntry, Game
from deckwright.game.words import describe_bounds
from deckwright.studio.answers import Json, pick
from deckwright.studio.drafts import format_card_key

_OWN_FACTION = Reference(DECK, "faction_id")


class _LimitCount:
    """A limit with its totals in a deck."""

    def __init__(self, limit: Limit, tally: LimitCounter, faction_id: str) -> None:
        self.limit = limit
        self.bounds = tally.resolve_bounds(limit)
        self.applies = tally.applies(limit)
        groups = tally.group_lines(limit)
        self.totals = {value: count_total(limit, lines) for value, lines in groups.items()}
        field = limit.distinct
        self.present_values = {
            value: {part for line in lines for part in parts_of(value_of(line.card, field))}
            for value, lines in groups.items()
            if field is not None
        }
        self.foreign_copies = sum(
            line.entry.copies
            for lines in groups.values()
            for line in lines
            if limit.own_faction and line.card.faction_id != faction_id
        )
        self.matches = tally.matcher_for(limit.where)
        self.references = tuple(limit.references())

    @cached_property
    def upper(self) -> float:
        """The maximum that it allows."""
        return _upper_bound(self.bounds)

    @cached_property
    def excess(self) -> dict[FieldValue, float]:
        """The amount by which it is exceeded, for each value of `per`."""
        return _excess_by_group(self.totals, self.bounds)

    def groups_of(self, card: Card) -> tuple[FieldValue, ...]:
        """Return the values of `per` to which a card counts."""
        limit = self.limit
        return (*dict.fromkeys(parts_of(value_of(card, limit.per) if limit.per else None)),)

    def amount_added(self, card: Card, group: FieldValue) -> float:
        """Return the amount that a copy of a card adds to a group's total."""
        limit = self.limit
        if limit.distinct is not None:
            return len(
                {*parts_of(value_of(card, limit.distinct))} - self.present_values.get(group, set())
            )
        value = 1 if limit.sum is None else value_of(card, limit.sum)
        return value if isinstance(value, (int, float)) else 0


class AdditionChecker:
    """Tells which cards can be added to a deck without breaking more limits."""

    def __init__(self, game: Game, deck: Deck, tally: LimitCounter) -> None:
        """Take a deck and its counts; limits that only warn block nothing."""
        self._game, self._deck, self._rules = game, deck, tally.deck_rules
        self._counts_whole_deck = DECK not in {zone.id for zone in game.setup.zones}
        self._tally = tally
        enforced = (limit for limit in tally.deck_rules.limits if not limit.warning)
        self._limits = [_LimitCount(limit, tally, deck.faction_id) for limit in enforced]

    def blocking_limits(self, card: Card, zone: Zone) -> list[str]:
        """Return the ids of the limits that one more copy in a zone would break, or worsen."""
        again: list[dict[str, _LimitCount]] = []

        def exactly(counted: _LimitCount) -> bool:
            if not again:
                again.append(self._recount(card, zone))
            after = again[0][counted.limit.id]
            if not after.applies:
                return False
            before, strangers = counted.excess, counted.foreign_copies
            if not counted.applies:
                before, strangers = {}, 0
            return after.foreign_copies > strangers or _grows(before, after.excess)

        return [
            each.limit.id
            for each in self._limits
            if (
                exactly(each) if self._needs_recount(each, zone) else self._breaks(each, card, zone)
            )
        ]

    def free_copies(self, card: Card, zone: Zone) -> int | None:
        """Return how many more copies are allowed; None if unlimited, or if it depends."""
        rooms = []
        for each in self._limits:
            if each.upper == math.inf or each.references or each.limit.exemptions:
                continue
            if not each.applies or not self._counts(each, card, zone):
                continue
            for group in each.groups_of(card):
                more = each.amount_added(card, group)
                left = max(0, each.upper - each.totals.get(group, 0))
                if more > 0 and each.limit.distinct is None:
                    rooms.append(int(round_number(left / more)))
                elif more > left:
                    rooms.append(0)
        return min(rooms, default=None)

    def _counts(self, each: _LimitCount, card: Card, zone: Zone) -> bool:
        return self._covers(each.limit.zone, zone) and each.matches(card)

    def _covers(self, where: str, zone: Zone) -> bool:
        """Return whether the zone of a limit or reference includes another zone."""
        return where == zone.id or (self._counts_whole_deck and where == DECK)

    def _needs_recount(self, each: _LimitCount, zone: Zone) -> bool:
        """Return whether a card in a zone changes which cards count, not only how many."""
        others = (r for r in each.references if r != _OWN_FACTION or not self._counts_whole_deck)
        if any(self._covers(other.zone, zone) and other.field != CARDS for other in others):
            return True
        return bool(each.limit.exemptions) and self._covers(each.limit.zone, zone)

    def _breaks(self, each: _LimitCount, card: Card, zone: Zone) -> bool:
        if not each.applies:
            return False
        totals = {}
        groups = each.groups_of(card) if self._counts(each, card, zone) else ()
        if groups and each.limit.own_faction and card.faction_id != self._deck.faction_id:
            return True
        for group in groups:
            totals[group] = round_number(each.totals.get(group, 0) + each.amount_added(card, group))
        bounds = self._bounds_with(each, zone) if each.references else each.bounds
        if bounds != each.bounds:
            totals = {**each.totals, **totals}
        return bool(totals) and _grows(each.excess, _excess_by_group(totals, bounds))

    def _bounds_with(self, each: _LimitCount, zone: Zone) -> Bounds:
        """Return the bounds of a limit for the deck with one more copy."""

        def number(reference: Reference) -> int:
            more = reference.field == CARDS and self._covers(reference.zone, zone)
            return self._tally.resolve_number(reference) + more

        def value(own: Number | None, now: int | None) -> int | None:
            return own.evaluate(number) if isinstance(own, Formula) else now

        limit, now = each.limit, each.bounds
        return Bounds(
            value(limit.min, now.min), value(limit.max, now.max), value(limit.exactly, now.exactly)
        )

    def _recount(self, card: Card, zone: Zone) -> dict[str, _LimitCount]:
        """Count all limits anew for the deck with one more copy."""
        entry = DeckEntry(card.faction_id, card.id, 1, self._deck.source, zone.id)
        deck = self._deck._replace(entries=(*self._deck.entries, entry))
        tally = LimitCounter(self._game, deck, self._rules)
        limits = (each.limit for each in self._limits)
        return {limit.id: _LimitCount(limit, tally, deck.faction_id) for limit in limits}


def _upper_bound(bounds: Bounds) -> float:
    return min((b for b in (bounds.max, bounds.exactly) if b is not None), default=math.inf)


def _excess_by_group(totals: dict[FieldValue, float], bounds: Bounds) -> dict[FieldValue, float]:
    upper = _upper_bound(bounds)
    return {value: total - upper for value, total in totals.items() if total > upper}


def _grows(before: dict[FieldValue, float], after: dict[FieldValue, float]) -> bool:
    return any(more > before.get(value, 0) for value, more in after.items())


class LimitGroup(NamedTuple):
    """A limit's total for one value of `per`, or overall.

    Attributes:
        by: 0 if the limit is met; positive for a deficit, negative for an excess.
    """

    value: FieldValue
    number: float
    by: float
    cards: list[str]


class ZoneOption(NamedTuple):
    """A zone that admits a card of a draft.

    Attributes:
        why: the ids of the limits that block one more copy.
        room: how many more copies are allowed; None if unlimited.
    """

    zone: str
    why: list[str]
    room: int | None


class PoolCard(NamedTuple):
    """A card that a draft may have, with the zones that admit it, default zone first."""

    card: str
    zones: list[ZoneOption]


class DraftProblem(NamedTuple):
    """A problem of a draft other than its limits.

    Attributes:
        kind: "empty" for a draft without cards; for a card: its "faction" is unknown, its file
            has an error ("faulty"), it does not exist ("unknown"), its "zone" does not admit it,
            or no zone does ("no-zone").
        card: the card concerned, None for the whole draft.
        name: the name of the card, faction or zone.
        near: the nearest known name, None if none is similar.
    """

    kind: str
    card: str | None
    name: str
    near: str | None


def resolve_rules(game: Game, deck: Deck) -> DeckRules:
    """Return the rules for a draft: the limits of its format."""
    return resolve_deck_rules(game, deck, None, {})


def validate_draft(game: Game, deck: Deck) -> Json:
    """Return all that the page shows while building: limits, zones, problems and the card pool."""
    tally = LimitCounter(game, deck, resolve_rules(game, deck))
    form, restrictions = format_of(game, deck), tally.deck_rules.restrictions
    return {
        "cards": sum(entry.copies for entry in deck.entries),
        "format": form.id if form else None,
        "restrictions": restrictions.name if restrictions else None,
        "zones": [*_serialize_zones(game, tally.lines)],
        "limits": [_serialize_limit(game, deck, limit, tally) for limit in tally.deck_rules.limits],
        "pool": [*_card_pool(game, deck, tally)],
        "findings": [*find_problems(game, deck)],
        "measures": [*_serialize_measures(game, tally.lines)],
        "tokens": [
            {"card": format_card_key((deck.faction_id, count.token.id)), "copies": count.copies}
            for count in count_tokens(game, deck)
        ],
    }


def list_zone_options(game: Game, deck: Deck, key: CardKey) -> list[ZoneOption]:
    """Return the zones that admit a card, each with the limits that block one more copy."""
    adding = AdditionChecker(game, deck, LimitCounter(game, deck, resolve_rules(game, deck)))
    return _zone_options(game, game.cards[key], adding)


def find_problems(game: Game, deck: Deck) -> Iterator[DraftProblem]:
    """Yield the problems of a draft other than its limits."""
    if not deck.entries:
        yield DraftProblem("empty", None, "", None)
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
            near = next(iter(find_nearest(name, known)), None)
            yield DraftProblem(kind, format_card_key(key), name, near)


def _serialize_zones(game: Game, lines: Iterable[DeckLine]) -> Iterator[Json]:
    all_lines = [*lines]
    for zone in game.setup.zones:
        own = [line for line in all_lines if line.zone is zone]
        yield {
            "id": zone.id,
            "name": zone.name,
            "cards": sum(line.entry.copies for line in own),
            "charts": [
                {
                    **pick(chart, "id", "name", "numeric", "unit", "total", "average"),
                    "bars": [pick(bar, "name", "copies") for bar in chart.bars],
                }
                for chart in make_charts(game.setup, own)
                if chart.is_informative
            ],
        }


def _serialize_limit(game: Game, deck: Deck, limit: Limit, tally: LimitCounter) -> Json:
    is_judged, counted = tally.applies(limit), tally.group_lines(limit)
    bounds = tally.resolve_bounds(limit) if is_judged else Bounds(None, None, None)
    groups = [_limit_group(value, lines, limit, bounds) for value, lines in counted.items()]
    groups.sort(key=lambda each: (not each.by, -each.number))
    worst = max(groups, key=lambda each: abs(each.by), default=None)
    most = max(groups, key=lambda each: each.number, default=None)
    decisive = worst if worst is not None and worst.by else most
    number, by = (decisive.number, decisive.by) if decisive else (0, 0)
    if limit.own_faction:
        lines = (line for of_value in counted.values() for line in of_value)
        foreign = (line for line in lines if line.card.faction_id != deck.faction_id)
        strangers = sum(line.entry.copies for line in foreign)
        number = strangers if limit.bound is None else number
        by = by or (-strangers if is_judged else 0)
    settled = tally.resolve_limit(limit)
    return {
        **pick(limit, "id", "name", "zone", "distinct", "per", "warning"),
        **pick(bounds, "min", "max", "exactly"),
        "zoneName": game.setup.zone_name(limit.zone),
        "number": number,
        "bound": describe_bounds(game.setup.words, settled, game.setup),
        "sums": limit.sum,
        "own": limit.own_faction,
        "judged": is_judged,
        "keeps": not by,
        "by": by,
        "cards": [*dict.fromkeys(card for each in groups for card in each.cards)],
        "groups": groups if limit.per else [],
    }


def _limit_group(
    value: FieldValue, lines: list[DeckLine], limit: Limit, bounds: Bounds
) -> LimitGroup:
    total = count_total(limit, lines)
    lower = max((b for b in (bounds.min, bounds.exactly) if b is not None), default=total)
    upper = min((b for b in (bounds.max, bounds.exactly) if b is not None), default=total)
    by = lower - total if total < lower else upper - total if total > upper else 0
    cards = dict.fromkeys(format_card_key((line.card.faction_id, line.card.id)) for line in lines)
    return LimitGroup(value, total, round_number(by), [*cards])


def _card_pool(game: Game, deck: Deck, tally: LimitCounter) -> Iterator[PoolCard]:
    """Yield the cards available to this faction's decks, and those already in the draft."""
    present = {(entry.faction_id, entry.card_id) for entry in deck.entries}
    sources, adding = (
        source_factions(game, deck.faction_id, tally.deck_rules),
        AdditionChecker(game, deck, tally),
    )
    for key, card in game.cards.items():
        if card.faction_id in game.factions and (card.faction_id in sources or key in present):
            spots = _zone_options(game, card, adding)
            if spots or key in present:
                yield PoolCard(format_card_key(key), spots)
    for key in sorted(present - game.cards.keys()):
        yield PoolCard(format_card_key(key), [])


def _zone_options(game: Game, card: Card, adding: AdditionChecker) -> list[ZoneOption]:
    return [
        ZoneOption(zone.id, adding.blocking_limits(card, zone), adding.free_copies(card, zone))
        for zone in (zones_of(game, card) if card.faction_id in game.factions else ())
    ]


def _serialize_measures(game: Game, lines: Iterable[DeckLine]) -> Iterator[Json]:
    """Yield a draft's worth and cost, as defined by `game.xml`."""
    all_lines = [*lines]
    for measure in dict.fromkeys((game.setup.worth, game.setup.cost)):
        if measure is not None:
            value = round_number(float(sum_measure(measure, all_lines)))
            yield {"name": str(measure), "value": value}
