"""Limits as rows of a program: what `checks/limits.py` finds in a deck, they keep out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from deckwright.checks.counting import Held
from deckwright.checks.matching import value_of
from deckwright.decks.solver.contents import Contents, Slot, copies_of, exactly
from deckwright.decks.solver.logic import ALWAYS, NEVER, Statement
from deckwright.decks.solver.program import Linear, total_of
from deckwright.game.deck_rules import Exemption, Limit
from deckwright.game.formulas import Number
from deckwright.game.kinds import FieldValue
from deckwright.game.values import parts_of

Counted = list[tuple[Slot, Statement]]
"""Cards in a zone, and when they are counted."""


class Gap(NamedTuple):
    """By how much a limit gives way: what its numbers fall, and what they rise.

    Numbers that the deck says stay as they are.
    """

    under: Linear = Linear()
    over: Linear = Linear()


NO_GAP = Gap()


def add_limit(limit: Limit, contents: Contents, held: Held, gap: Gap = NO_GAP) -> None:
    """Add the rows of a limit.

    Args:
        gap: by how much it gives way.

    Raises:
        NotLinearError: if it cannot be said in rows; some of it may have been added.
    """
    judged = list(_judged(limit, contents, held))
    logic = contents.logic

    def bound_by(number: Number | None, *moves: tuple[int, Linear]) -> list[Linear]:
        linear = contents.number(number)
        if linear is None:
            return []
        return [total_of([(1, linear), *(moves if isinstance(number, int) else ())])]

    fixed = bound_by(limit.exactly, (-1, gap.under), (1, gap.over))
    low = [*bound_by(limit.min, (-1, gap.under)), *fixed]
    high = [*bound_by(limit.max, (1, gap.over)), *fixed]
    for group in _groups(limit, _counted(limit, contents)):
        if limit.own_faction:
            foreign = [each for each in group if each[0].card.faction_id != contents.faction_id]
            logic.keep(_copies(contents, foreign), None, 0, limit.id, judged)
        total = _total(limit, contents, group)
        for bound in low:
            when = [*judged, *_there(limit, contents, group, bound)]
            logic.keep(total.plus(bound, -1), 0, None, limit.id, when)
        for bound in high:
            when = [*judged, *_there(limit, contents, group, Linear().plus(bound, -1))]
            logic.keep(total.plus(bound, -1), None, 0, limit.id, when)


def _there(limit: Limit, contents: Contents, group: Counted, lacking: Linear) -> list[Statement]:
    """Return what must hold before a bound counts: a value of `per` that no card has is no group.

    Args:
        lacking: by how much a group without cards would break the bound.
    """
    if limit.per is None or contents.logic.program.reach(lacking)[1] <= 0:
        return []
    return [contents.logic.reaches(_copies(contents, group), 1)]


def _judged(limit: Limit, contents: Contents, held: Held) -> Iterator[Statement]:
    """Yield what must hold before a limit means anything: zones have as many cards as they must.

    What is not a warning only is kept anyway.
    """
    logic = contents.logic
    for other in held.limits:
        unsure = other.warning and other.counts_copies and other.fixed
        if unsure and other.zone in limit.zones_needed:
            copies = copies_of(contents.zone(other.zone))
            numbers = (other.min, other.max, other.exactly)
            least, most, exact = (n if isinstance(n, int) else None for n in numbers)
            for low in (least, exact):
                yield ALWAYS if low is None else logic.reaches(copies, low)
            for high in (most, exact):
                yield ALWAYS if high is None else ~logic.reaches(copies, high + 1)


def _counted(limit: Limit, contents: Contents) -> Counted:
    """Return the cards that a limit may count, and when it does."""
    slots = contents.zone(limit.zone)
    exemptions = [_Freed(each, contents, slots) for each in limit.exemptions]
    counted = []
    for slot in slots:
        free = [freed.frees(slot) for freed in exemptions]
        parts = [contents.holds(limit.where, slot.card), *(~each for each in free)]
        counted.append((slot, contents.logic.all_of(parts)))
    return counted


def _groups(limit: Limit, counted: Counted) -> Iterable[Counted]:
    """Return what is counted, by the value of `per`."""
    if limit.per is None:
        return [counted]
    groups: dict[FieldValue, Counted] = {}
    for each in counted:
        for value in parts_of(value_of(each[0].card, limit.per)):
            groups.setdefault(value, []).append(each)
    return groups.values()


def _total(limit: Limit, contents: Contents, counted: Counted) -> Linear:
    """Return what a limit counts: copies, the sum of its field, or its values."""
    if limit.distinct is not None:
        groups = _groups(limit._replace(per=limit.distinct), counted)
        copies = (_copies(contents, group) for group in groups)
        return total_of((1, contents.logic.reaches(each, 1).linear) for each in copies)
    return _copies(contents, counted, limit.sum)


def _copies(contents: Contents, counted: Counted, field: str | None = None) -> Linear:
    """Return how many copies are counted, or the sum of a field over them."""
    parts: dict[Statement, dict[int, int | Fraction]] = {}
    for slot, when in counted:
        factor = 1 if field is None else exactly(value_of(slot.card, field))
        if factor:
            parts.setdefault(when, {})[slot.number] = factor
    total = Linear()
    for when, terms in parts.items():
        scale = Linear(terms).scale
        whole = Linear({at: int(factor * scale) for at, factor in terms.items()})
        share = 1 if scale == 1 else Fraction(1, scale)
        total = total.plus(contents.logic.times(whole, when), share)
    return total


class _Freed:
    """When an exemption makes cards free: while there are enough others."""

    def __init__(self, exemption: Exemption, contents: Contents, slots: list[Slot]) -> None:
        self._exemption, self._contents = exemption, contents
        self._named: dict[tuple[FieldValue, str], Counted] = {}
        groups: dict[FieldValue, Counted] = {}
        for slot in slots:
            when = contents.holds(exemption.others, slot.card)
            alike = self._alike(slot)
            groups.setdefault(alike, []).append((slot, when))
            self._named.setdefault((alike, slot.card.name), []).append((slot, when))
        self._others = {
            alike: contents.logic.counted(_copies(contents, group))
            for alike, group in groups.items()
        }

    def _alike(self, slot: Slot) -> FieldValue:
        return value_of(slot.card, self._exemption.same) if self._exemption.same else None

    def frees(self, slot: Slot) -> Statement:
        """Return that a card is free."""
        contents, alike = self._contents, self._alike(slot)
        may_be = contents.holds(self._exemption.where, slot.card)
        if may_be == NEVER:
            return NEVER
        named = _copies(contents, self._named[alike, slot.card.name])
        enough = contents.logic.reaches(self._others[alike].plus(named, -1), self._exemption.min)
        return contents.logic.all_of([enough, may_be])
