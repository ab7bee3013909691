"""What cards are worth or cost: sums of their fields, such as `strength + 2*actions`.

A measure of a deck is the sum over all its copies, so it is linear in how many there are of each
card, and solvers take it as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import NamedTuple

from deckwright.game.formulas import CARDS

_NAME = r"[^\W\d][\w.]*"
_FACTOR = r"[0-9]{1,6}(?:\.[0-9]{1,6})?"
_TERM = re.compile(
    rf"\s*(?P<sign>[-+])?\s*(?:(?:(?P<before>{_FACTOR})\s*\*\s*)?(?P<name>{_NAME})"
    rf"(?:\s*\*\s*(?P<behind>{_FACTOR}))?)\s*"
)
_LONGEST = 200


class MeasureError(ValueError):
    """A measure cannot be read; the message says why."""


class Measured(NamedTuple):
    """One part of a measure.

    Attributes:
        field: a field with numbers, or `cards`, which is 1 for each copy.
        zone: the id of the only zone whose cards count, None for the whole deck.
    """

    factor: Decimal
    field: str
    zone: str | None = None


class Measure(NamedTuple):
    """A sum of fields with factors.

    Attributes:
        text: as it was written.
    """

    text: str
    parts: tuple[Measured, ...]

    def __str__(self) -> str:
        """Return it as it was written."""
        return self.text

    def of(self, fields: Mapping[str, object], zone: str | None = None) -> Decimal:
        """Return what a copy of a card adds to it.

        Args:
            fields: those of the card.
            zone: the id of the zone that the copy is in; None for parts of every zone.
        """
        total = Decimal(0)
        for part in self.parts:
            if part.zone is None or zone is None or part.zone == zone:
                value = 1 if part.field == CARDS else fields.get(part.field)
                if isinstance(value, (int, float)):
                    total += part.factor * Decimal(str(value))
        return total


def read_measure(text: str, fields: Collection[str], zones: Collection[str] = ()) -> Measure:
    """Return the measure that a text states.

    Args:
        text: fields with signs between them, each with a factor if it is not 1; `zone.field` for
            the cards of one zone.
        fields: those that there are, with numbers.
        zones: the ids of the zones that there are.

    Raises:
        MeasureError: if it cannot be read, or names what there is not.
    """
    if len(text) > _LONGEST:
        raise MeasureError(f"it has more than {_LONGEST} characters")
    parts: list[Measured] = []
    at = 0
    while at < len(text.rstrip()):
        found = _TERM.match(text, at)
        if found is None or (parts and found["sign"] is None):
            raise MeasureError(f"`{text[at:].strip()}` cannot stand there")
        if found["before"] and found["behind"]:
            raise MeasureError(f"`{found[0].strip()}` has two factors")
        factor = Decimal(found["before"] or found["behind"] or 1)
        zone, dot, field = found["name"].rpartition(".")
        if dot and zone not in zones:
            raise MeasureError(f"there is no zone `{zone}`")
        if field not in fields and field != CARDS:
            raise MeasureError(f"no kind of card has a field `{field}` with numbers")
        sign = -1 if found["sign"] == "-" else 1
        parts.append(Measured(sign * factor, field, zone or None))
        at = found.end()
    if not parts:
        raise MeasureError("it is empty")
    return Measure(" ".join(text.split()), tuple(parts))
