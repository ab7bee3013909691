"""Conditions on cards, as `where` of zones and limits states them.

`level>1 and costs<5 or class='Old Guard'` holds for cards that meet the first two conditions or the
third. Values with spaces stand in quotes, of either kind; what double braces enclose is taken from
the deck: `colors in {{ commander.colors }}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, cast

from deckwright.game.formulas import REFERENCE, Reference, read_reference

_FIELD = r"""[^\s!=<>"']+"""
_SIGN = r"!=|<=|>=|=|<|>"
_WORD = r"not\s+in|in"
_VALUE = rf"""\{{\{{\s*{REFERENCE}\s*\}}\}}|'[^']*'|"[^"]*"|[^\s!=<>"'\{{][^\s!=<>]*"""
_ONE = rf"{_FIELD}(?:\s*(?:{_SIGN})\s*|\s+(?:{_WORD})\s+)(?:{_VALUE})"
PATTERN = rf"\s*{_ONE}(?:\s+(?:and|or)\s+{_ONE})*\s*"
"""What `where` may hold, as a regular expression of XSD and Python alike."""

_CONDITION = re.compile(
    rf"(?:\s+(and|or)\s+)?({_FIELD})(?:\s*({_SIGN})\s*|\s+({_WORD})\s+)({_VALUE})"
)

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in"]


class Condition(NamedTuple):
    """A condition on one field of a card, for example `level=3`.

    A card may have several values in a list, and so may the other side: with `in`, values with
    commas between them. `=` holds if any two are equal, and `!=` if none are; `in` holds if each of
    the card's values is on the other side, and `not in` if one is not. A field that is left out has
    an empty value, an empty list has none.
    """

    field: str
    operator: Operator
    value: str | Reference

    @property
    def values(self) -> tuple[str, ...]:
        """What a fixed value means: with `in`, a list."""
        text = str(self.value)
        if self.operator not in {"in", "not in"}:
            return (text,)
        return tuple(part.strip() for part in text.split(",") if part.strip())


Where = tuple[tuple[Condition, ...], ...]
"""Holds for cards that meet all conditions of any of these groups; for every card if empty."""


def read_where(text: str) -> Where:
    """Return what a text that matches `PATTERN` states; nothing for an empty one."""
    groups: list[tuple[Condition, ...]] = []
    for link, field, sign, word, value in _CONDITION.findall(text.strip()):
        operator = cast("Operator", sign or " ".join(word.split()))
        condition = Condition(field, operator, _value(value))
        if link == "and":
            groups[-1] = (*groups[-1], condition)
        else:
            groups.append((condition,))
    return tuple(groups)


def unread_in(text: str) -> str:
    """Return where a text stops to be conditions: the rest of it; "" if it matches `PATTERN`."""
    text = text.strip()
    found = _CONDITION.match(text)
    at = found.end() if found and not found[1] else 0
    while at and (found := _CONDITION.match(text, at)) and found[1]:
        at = found.end()
    return text[at:].strip()


def _value(text: str) -> str | Reference:
    if text.startswith("{{"):
        return read_reference(text[2:-2])
    return text[1:-1] if text[0] in "'\"" else text


def references_in(where: Where) -> Iterator[Reference]:
    """Yield what a condition takes from the deck."""
    for group in where:
        for condition in group:
            if isinstance(condition.value, Reference):
                yield condition.value
