"""Which limits are in the way of one more copy of a card in a deck as it is.

What a card adds to a limit is reckoned without counting the whole deck again; only where it
changes what a limit counts is the deck counted with it.
"""

from __future__ import annotations

import math
from functools import cached_property

from deckwright.base.numbers import exact
from deckwright.checks.counting import Bounds, Tally, total_of
from deckwright.checks.matching import value_of
from deckwright.game.deck_rules import Limit, Zone
from deckwright.game.formulas import CARDS, DECK, Formula, Number, Reference
from deckwright.game.kinds import FieldValue
from deckwright.game.model import Card, Deck, DeckEntry, Game
from deckwright.game.values import parts_of

_OWN_FACTION = Reference(DECK, "faction_id")


class _Counted:
    """A limit, and what it counts in a deck."""

    def __init__(self, limit: Limit, tally: Tally, faction_id: str) -> None:
        self.limit = limit
        self.bounds = tally.bounds(limit)
        self.judged = tally.judges(limit)
        groups = tally.counted(limit)
        self.totals = {value: total_of(limit, lines) for value, lines in groups.items()}
        field = limit.distinct
        self.had = {
            value: {part for line in lines for part in parts_of(value_of(line.card, field))}
            for value, lines in groups.items()
            if field is not None
        }
        self.strangers = sum(
            line.entry.copies
            for lines in groups.values()
            for line in lines
            if limit.own_faction and line.card.faction_id != faction_id
        )
        self.matches = tally.matching(limit.where)
        self.references = tuple(limit.references())

    @cached_property
    def upper(self) -> float:
        """The most that it allows."""
        return _upper(self.bounds)

    @cached_property
    def excess(self) -> dict[FieldValue, float]:
        """By how much it is exceeded, by the value of `per`."""
        return _excess(self.totals, self.bounds)

    def groups_of(self, card: Card) -> tuple[FieldValue, ...]:
        """Return the values of `per` that a card counts for."""
        limit = self.limit
        return (*dict.fromkeys(parts_of(value_of(card, limit.per) if limit.per else None)),)

    def added(self, card: Card, group: FieldValue) -> float:
        """Return how much a copy of a card adds to the total of a group."""
        limit = self.limit
        if limit.distinct is not None:
            return len({*parts_of(value_of(card, limit.distinct))} - self.had.get(group, set()))
        value = 1 if limit.sum is None else value_of(card, limit.sum)
        return value if isinstance(value, (int, float)) else 0


class Adding:
    """A deck to which copies may be added."""

    def __init__(self, game: Game, deck: Deck, tally: Tally) -> None:
        """Take a deck and how it is counted; limits that are warnings only are in nobody's way."""
        self._game, self._deck, self._held = game, deck, tally.held
        self._whole = DECK not in {zone.id for zone in game.setup.zones}
        self._tally = tally
        enforced = (limit for limit in tally.held.limits if not limit.warning)
        self._limits = [_Counted(limit, tally, deck.faction_id) for limit in enforced]

    def in_the_way(self, card: Card, zone: Zone) -> list[str]:
        """Return the ids of the limits that one more copy in a zone would break, or break more."""
        again: list[dict[str, _Counted]] = []

        def exactly(counted: _Counted) -> bool:
            if not again:
                again.append(self._with(card, zone))
            after = again[0][counted.limit.id]
            if not after.judged:
                return False
            before, strangers = counted.excess, counted.strangers
            if not counted.judged:
                before, strangers = {}, 0
            return after.strangers > strangers or _grows(before, after.excess)

        return [
            each.limit.id
            for each in self._limits
            if (exactly(each) if self._must_count(each, zone) else self._breaks(each, card, zone))
        ]

    def room(self, card: Card, zone: Zone) -> int | None:
        """Return how many more copies limits allow; None if none limits them, or it depends."""
        rooms = []
        for each in self._limits:
            if each.upper == math.inf or each.references or each.limit.exemptions:
                continue
            if not each.judged or not self._counts(each, card, zone):
                continue
            for group in each.groups_of(card):
                more = each.added(card, group)
                left = max(0, each.upper - each.totals.get(group, 0))
                if more > 0 and each.limit.distinct is None:
                    rooms.append(int(exact(left / more)))
                elif more > left:
                    rooms.append(0)
        return min(rooms, default=None)

    def _counts(self, each: _Counted, card: Card, zone: Zone) -> bool:
        return self._in(each.limit.zone, zone) and each.matches(card)

    def _in(self, where: str, zone: Zone) -> bool:
        """Return whether what a limit or a reference names holds a zone."""
        return where == zone.id or (self._whole and where == DECK)

    def _must_count(self, each: _Counted, zone: Zone) -> bool:
        """Return whether a card in a zone changes what a limit counts, and not only how much."""
        others = (r for r in each.references if r != _OWN_FACTION or not self._whole)
        if any(self._in(other.zone, zone) and other.field != CARDS for other in others):
            return True
        return bool(each.limit.exemptions) and self._in(each.limit.zone, zone)

    def _breaks(self, each: _Counted, card: Card, zone: Zone) -> bool:
        if not each.judged:
            return False
        totals = {}
        groups = each.groups_of(card) if self._counts(each, card, zone) else ()
        if groups and each.limit.own_faction and card.faction_id != self._deck.faction_id:
            return True
        for group in groups:
            totals[group] = exact(each.totals.get(group, 0) + each.added(card, group))
        bounds = self._bounds_with(each, zone) if each.references else each.bounds
        if bounds != each.bounds:
            totals = {**each.totals, **totals}
        return bool(totals) and _grows(each.excess, _excess(totals, bounds))

    def _bounds_with(self, each: _Counted, zone: Zone) -> Bounds:
        """Return the numbers of a limit for the deck with one more copy."""

        def number(reference: Reference) -> int:
            more = reference.field == CARDS and self._in(reference.zone, zone)
            return self._tally.number(reference) + more

        def value(own: Number | None, now: int | None) -> int | None:
            return own.value(number) if isinstance(own, Formula) else now

        limit, now = each.limit, each.bounds
        return Bounds(
            value(limit.min, now.min), value(limit.max, now.max), value(limit.exactly, now.exactly)
        )

    def _with(self, card: Card, zone: Zone) -> dict[str, _Counted]:
        """Return the limits as they count the deck with one more copy."""
        entry = DeckEntry(card.faction_id, card.id, 1, self._deck.source, zone.id)
        deck = self._deck._replace(entries=(*self._deck.entries, entry))
        tally = Tally(self._game, deck, self._held)
        limits = (each.limit for each in self._limits)
        return {limit.id: _Counted(limit, tally, deck.faction_id) for limit in limits}


def _upper(bounds: Bounds) -> float:
    return min((b for b in (bounds.max, bounds.exactly) if b is not None), default=math.inf)


def _excess(totals: dict[FieldValue, float], bounds: Bounds) -> dict[FieldValue, float]:
    upper = _upper(bounds)
    return {value: total - upper for value, total in totals.items() if total > upper}


def _grows(before: dict[FieldValue, float], after: dict[FieldValue, float]) -> bool:
    return any(more > before.get(value, 0) for value, more in after.items())
