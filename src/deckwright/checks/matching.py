"""Which cards conditions hold for."""

from __future__ import annotations

import operator
from collections.abc import Callable

from deckwright.game.conditions import Condition, Where
from deckwright.game.model import Card
from deckwright.game.setup import FieldValue

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

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
    return matches(where, card, values_of, lambda condition: condition.values)


def matches(
    where: Where,
    card: Card,
    left: Callable[[Card, str], Values],
    right: Callable[[Condition], Values],
) -> bool:
    """Return whether a condition holds for a card.

    Args:
        left: returns the values of a card in a field.
        right: returns those that they are compared with.
    """
    return not where or any(
        all(_meets(each.operator, left(card, each.field), right(each)) for each in group)
        for group in where
    )


def _meets(sign: str, left: Values, right: Values) -> bool:
    if sign in {"in", "not in"}:
        return (set(left) <= set(right)) == (sign == "in")
    if sign in {"=", "!="}:
        return set(left).isdisjoint(right) == (sign == "!=")
    try:
        return any(_OPERATORS[sign](float(one), float(other)) for one in left for other in right)
    except ValueError:
        return False
