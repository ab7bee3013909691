"""Which cards conditions hold for."""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress

from deckwright.game.conditions import Condition, Operator, Where
from deckwright.game.kinds import FieldValue
from deckwright.game.model import Card

Values = tuple[str, ...]
"""What conditions compare: one value, which may be empty; of a list none, one or several."""


def value_of(card: Card, field: str) -> FieldValue:
    """Return a field of a card, or its name, id, faction or kind."""
    if field == "kind":
        return card.kind.tag
    if field in {"name", "id", "faction_id"}:
        return str(getattr(card, field))
    return card.fields.get(field)


def values_of(card: Card, field: str) -> Values:
    """Return the values that a card has in a field, or those of its children, by their plural."""
    for spec in card.kind.children:
        if spec.plural == field:
            return tuple(str(child.value) for child in card.children[spec.tag])
    value = value_of(card, field)
    if isinstance(value, tuple):
        return tuple(map(_text, value))
    return (_text(value),)


def _text(value: FieldValue) -> str:
    """Return a value as files write it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def holds(where: Where, card: Card) -> bool:
    """Return whether a condition that takes nothing from a deck holds for a card."""
    return not where or matcher(where)(card)


def matcher(
    where: Where,
    left: Callable[[Card, str], Values] = values_of,
    right: Callable[[Condition], Values] = lambda condition: condition.values,
) -> Callable[[Card], bool]:
    """Return what tells whether a condition holds for a card.

    Args:
        left: returns the values of a card in a field.
        right: returns those that they are compared with, which are the same for all cards.
    """
    groups = [[(each.field, TESTS[each.operator], right(each)) for each in group]
              for group in where]  # fmt: skip

    def matches(card: Card) -> bool:
        return not groups or any(
            all(test(left(card, field), values) for field, test, values in group)
            for group in groups
        )

    return matches


def _compares(sign: Callable[[float, float], bool]) -> Callable[[Values, Values], bool]:
    """Return what compares numbers; values that are none are never above or below others."""
    return lambda left, right: any(
        sign(one, other) for one in _numbers(left) for other in _numbers(right)
    )


def _numbers(values: Values) -> list[float]:
    numbers = []
    for value in values:
        with suppress(ValueError):
            numbers.append(float(value))
    return numbers


def _share(left: Values, right: Values) -> bool:
    if len(left) == 1:
        return left[0] in right
    return not set(left).isdisjoint(right)


TESTS: dict[Operator, Callable[[Values, Values], bool]] = {
    "=": _share,
    "!=": lambda left, right: not _share(left, right),
    "in": lambda left, right: all(value in right for value in left),
    "not in": lambda left, right: not all(value in right for value in left),
    "<": _compares(operator.lt),
    "<=": _compares(operator.le),
    ">": _compares(operator.gt),
    ">=": _compares(operator.ge),
}
"""By what conditions compare the values of a card with others."""
