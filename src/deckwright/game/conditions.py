"""Conditions on cards, as `where` of zones and limits states them.

`level>1 and costs<5 or class='Old Guard'` holds for cards that meet the first two conditions or the
third. Values with spaces stand in quotes, of either kind.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, cast

_FIELD = r"""[^\s!=<>"']+"""
_OPERATOR = r"!=|<=|>=|=|<|>"
_VALUE = r"""'[^']*'|"[^"]*"|[^\s!=<>"'][^\s!=<>]*"""
_ONE = rf"{_FIELD}\s*(?:{_OPERATOR})\s*(?:{_VALUE})"
PATTERN = rf"\s*{_ONE}(?:\s+(?:and|or)\s+{_ONE})*\s*"
"""What `where` may hold, as a regular expression of XSD and Python alike."""

_CONDITION = re.compile(rf"(?:\s+(and|or)\s+)?({_FIELD})\s*({_OPERATOR})\s*({_VALUE})")

Operator = Literal["=", "!=", "<", "<=", ">", ">="]


class Condition(NamedTuple):
    """A condition on one field of a card, for example `level=3`."""

    field: str
    operator: Operator
    value: str


Where = tuple[tuple[Condition, ...], ...]
"""Holds for cards that meet all conditions of any of these groups; for every card if empty."""


def read_where(text: str) -> Where:
    """Return what a text that matches `PATTERN` states; nothing for an empty one."""
    groups: list[tuple[Condition, ...]] = []
    for link, field, operator, value in _CONDITION.findall(text.strip()):
        plain = value[1:-1] if value[0] in "'\"" else value
        condition = Condition(field, cast("Operator", operator), plain)
        if link == "and":
            groups[-1] = (*groups[-1], condition)
        else:
            groups.append((condition,))
    return tuple(groups)
