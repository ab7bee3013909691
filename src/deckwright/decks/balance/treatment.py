"""Whether limits treat a card no worse than another.

A limit treats card A no worse than card B if a copy of B in a deck that keeps it can be replaced
by a copy of A and the deck still keeps it, as long as there is room for another copy of A. How
much room there is counts, too: a limit on the copies of A alone must allow as many as there can be
of B. Where that cannot be told for sure, the limit is taken to treat A worse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from deckwright.checks.counting import Held
from deckwright.checks.matching import Values, holds, value_of, values_of
from deckwright.game.conditions import Where, references_in
from deckwright.game.deck_rules import RESTRICTION, Limit
from deckwright.game.formulas import CARDS, DECK
from deckwright.game.kinds import Scalar
from deckwright.game.model import Card
from deckwright.game.values import parts_of


class _Share(NamedTuple):
    """What a limit counts of one copy of a card.

    Attributes:
        number: 1, or the value of the field that is added up; 0 if it does not count the card.
        groups: the values of `per` that it is counted for, () without `per`.
    """

    number: float
    groups: tuple[Scalar, ...] = ()


class Treatment:
    """Compares how the limits of a zone treat the cards that can be there."""

    def __init__(
        self,
        held: Held,
        zone: str,
        pool: Sequence[Card],
        values_in: Callable[[Card, str], Values] = values_of,
    ) -> None:
        """Take what decks are held to, and all cards that they can have in the zone.

        Args:
            values_in: returns the values of a card in a field, as the limits see them.
        """
        self._zones = {zone, DECK}
        self._limits = [
            limit for limit in held.limits if limit.zone in self._zones and not limit.warning
        ]
        self._values_in = values_in
        self._sharing = {
            per: Counter(part for card in pool for part in parts_of(value_of(card, per)))
            for per in {limit.per for limit in self._limits}
            if per
        }

    def no_worse(self, one: Card, other: Card) -> bool:
        """Return whether all limits treat `one` no worse than `other`."""
        return all(self._no_worse(limit, one, other) for limit in self._limits)

    def _no_worse(self, limit: Limit, one: Card, other: Card) -> bool:
        if limit.own_faction and one.faction_id != other.faction_id:
            return False
        told = self._fields_told(limit)
        if any(self._values_in(one, field) != self._values_in(other, field) for field in told):
            return False
        mine, theirs = _share(limit, one), _share(limit, other)
        if limit.exemptions or limit.distinct is not None:
            return mine == theirs
        most = limit.max is not None or limit.exactly is not None
        least = limit.min is not None or limit.exactly is not None
        if mine.groups in {theirs.groups, ()} and not (theirs.groups and least):
            worse = mine.number > theirs.number if most else False
            return not worse and not (least and mine.number < theirs.number)
        if mine.groups == theirs.groups:
            return mine.number == theirs.number
        return not least and self._has_room(limit, one, other)

    def _fields_told(self, limit: Limit) -> Iterator[str]:
        """Yield the fields in which cards must be alike, for the limit depends on the deck."""
        for reference in limit.references():
            if reference.zone in self._zones and reference.field != CARDS:
                yield reference.field
        if _depends(limit.where):
            yield from _asked(limit.where)
        if limit.distinct is not None:
            yield limit.distinct
        for each in limit.exemptions:
            yield from ("name", *_asked(each.where), *_asked(each.others))
            yield from filter(None, [each.same])

    def _has_room(self, limit: Limit, one: Card, other: Card) -> bool:
        """Return whether a limit is on copies of `one` alone, and allows as many as of `other`."""
        sharing = self._sharing[limit.per or ""]
        alone = all(sharing[group] == 1 for group in _share(limit, one).groups)
        theirs = [most for each in self._limits if (most := _most(each, other)) is not None]
        mine = _most(limit, one)
        return alone and mine is not None and bool(theirs) and mine >= min(theirs)


def asked_by(held: Held) -> frozenset[str]:
    """Return the fields that limits ask for; what their values are worth is said by the limits."""
    names: set[str | None] = set()
    for limit in held.limits:
        names |= {limit.per, limit.distinct, *_asked(limit.conditions)}
    return frozenset(name for name in names if name)


def _share(limit: Limit, card: Card) -> _Share:
    """Return what a limit counts of a card; conditions that depend on the deck may hold."""
    if not _depends(limit.where) and not holds(limit.where, card):
        return _Share(0)
    value = 1 if limit.sum is None else value_of(card, limit.sum)
    number = value if isinstance(value, (int, float)) else 0
    return _Share(number, parts_of(value_of(card, limit.per)) if limit.per and number else ())


def _most(limit: Limit, card: Card) -> int | None:
    """Return how many copies of a card a limit allows at most, None if it does not say."""
    number = _share(limit, card).number
    most = limit.max if limit.exactly is None else limit.exactly
    plain = limit.fixed and limit.distinct is None and not limit.exemptions
    return int(most // number) if plain and isinstance(most, int) and number > 0 else None


def _depends(where: Where) -> bool:
    return next(references_in(where), None) is not None or RESTRICTION in _asked(where)


def _asked(where: Where) -> set[str]:
    return {each.field for group in where for each in group}
