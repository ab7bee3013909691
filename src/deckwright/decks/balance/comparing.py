"""In which fields cards can be compared, and which of two cards has more of what is good.

Numbers: more is better, less of what costs. Children and lists, such as rows: one that has all the
other has, and more, is better. All else must be alike, if anything could ask for it: a text that no
two cards share says nothing that rules could ask for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from deckwright.base.numbers import exact
from deckwright.game.deck_rules import Limit
from deckwright.game.kinds import CROPS, Field, FieldValue, Kind
from deckwright.game.measures import Measure
from deckwright.game.model import Card

_LOOKS = {"image", "color", *CROPS}
"""Types of fields that say how a card looks."""


class Gain(NamedTuple):
    """What a card has more of than another, or less of what costs.

    Attributes:
        field: the name of a field, or the plural of children.
        by: how much more of a number; less than 0 of what costs. None for children and lists.
        more: the values that only the better card has.
    """

    field: str
    by: float | None = None
    more: tuple[str, ...] = ()


class Comparing:
    """Compares the cards of a game.

    Attributes:
        better: for each field with a number 1 if more of it is better, -1 if less is, 0 if that
            cannot be told; those alone that are compared.
    """

    def __init__(
        self,
        cards: Sequence[Card],
        limits: Sequence[Limit],
        asked: frozenset[str],
        worth: Measure | None,
        cost: Measure | None,
    ) -> None:
        """Take all cards of the game.

        Args:
            limits: those that decks are held to: what they add up and bound from above costs.
            asked: fields that need not be alike, for limits say what their values are worth.
        """
        kinds: dict[str, Kind] = {card.kind.tag: card.kind for card in cards}
        self._asked = asked
        signs: dict[str, set[int]] = {}
        for measure, sign in ((worth, 1), (cost, -1)):
            for part in measure.parts if measure else ():
                signs.setdefault(part.field, set()).add(sign if part.factor > 0 else -sign)
        for limit in limits:
            if limit.sum is not None and limit.sum not in signs:
                signs[limit.sum] = {-1 if limit.min is None else 1}
        numbers = dict.fromkeys(f.name for k in kinds.values() for f in _fields(k) if f.numeric)
        self.better = {
            name: sum(signs.get(name, {1}))
            for name in numbers
            if name in signs or name not in asked
        }
        self._shared = {tag: _shared(kind, cards) for tag, kind in kinds.items()}

    def gains(self, one: Card, other: Card) -> tuple[Gain, ...] | None:
        """Return in what `one` is better than `other`, None if it is worse in anything.

        Cards of two kinds cannot be compared; rules count as children.
        """
        if one.kind.tag != other.kind.tag:
            return None
        gains: list[Gain] = []
        for field in _fields(one.kind):
            mine, theirs = one.fields.get(field.name), other.fields.get(field.name)
            if mine == theirs or not self._compares(one.kind, field):
                continue
            gain = _gain(field.name, mine, theirs, self.better.get(field.name, 0))
            if gain is None:
                return None
            gains += [gain] if gain.by or gain.more else []
        for spec in one.kind.children:
            have, need = (
                Counter(tuple(child.values.values()) for child in card.children.get(spec.tag, ()))
                for card in (one, other)
            )
            if need - have:
                return None
            if more := tuple(str(values[0]) for values in (have - need).elements()):
                gains.append(Gain(spec.plural, None, more))
        return tuple(gains)

    def _compares(self, kind: Kind, field: Field) -> bool:
        """Return whether cards that differ in a field cannot be alike otherwise."""
        if field.numeric:
            return field.name in self.better
        return field.name in self._shared[kind.tag] and field.name not in self._asked


def _gain(name: str, mine: FieldValue, theirs: FieldValue, better: int) -> Gain | None:
    """Return in what a value is better than another one, None if it is not."""
    if isinstance(mine, tuple) and isinstance(theirs, tuple):
        have, need = Counter(mine), Counter(theirs)
        lacks = need - have
        return None if lacks else Gain(name, None, tuple(map(str, (have - need).elements())))
    if isinstance(mine, (int, float)) and isinstance(theirs, (int, float)):
        by = exact(mine - theirs)
        return Gain(name, by) if by * better > 0 else None
    return None


def _fields(kind: Kind) -> list[Field]:
    """Return the fields of a kind that say what its cards are in play."""
    return [f for f in kind.fields if not (f.ignored or f.picture or f.type in _LOOKS)]


def _shared(kind: Kind, cards: Sequence[Card]) -> frozenset[str]:
    """Return the fields whose values something could ask for: all but texts of single cards."""
    of_kind = [card for card in cards if card.kind.tag == kind.tag]
    shared = set()
    for field in _fields(kind):
        values = Counter(value for card in of_kind if (value := card.fields.get(field.name)))
        if field.type != "text" or max(values.values(), default=0) > 1:
            shared.add(field.name)
    return frozenset(shared)
