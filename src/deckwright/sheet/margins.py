"""Margins: how near to the edges of the paper a sheet is printed, and how near printers reach."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from deckwright.base.units import Mm, parse_length

WIDEST: Mm = 60
"""No printer leaves a wider edge white; more is a wrong unit."""


class Margins(NamedTuple):
    """The edges of a sheet of paper that stay white, as it stands upright."""

    top: Mm = 0
    right: Mm = 0
    bottom: Mm = 0
    left: Mm = 0

    def lying(self) -> Margins:
        """Return the margins of the same paper when it lies, whichever way it was turned."""
        level, upright = max(self.top, self.bottom), max(self.left, self.right)
        return Margins(upright, level, upright, level)

    def at_least(self, least: Mm) -> Margins:
        """Return margins, none of which is narrower than `least`."""
        return Margins(*(max(least, side) for side in self))

    def __str__(self) -> str:
        """Return them as `parse_margins` reads them: "4.2mm", or all four with commas."""
        sides = self[:1] if len(set(self)) == 1 else self
        return ",".join(f"{side:g}mm" for side in sides)


def parse_margins(text: str) -> Margins:
    """Return margins such as "4.2mm", or "3mm,3mm,12.7mm,3mm": top, right, bottom, left.

    Raises:
        ValueError: if they are none.
    """
    sides = [parse_length(part) for part in text.split(",")]
    if len(sides) not in {1, 4}:
        raise ValueError(f"`{text}` is neither one margin nor four, such as 3mm,3mm,12.7mm,3mm")
    for side in sides:
        if not 0 <= side <= WIDEST:
            raise ValueError(f"`{text}` is not between 0 and {WIDEST:g} mm")
    return Margins(*(sides * 4 if len(sides) == 1 else sides))


def widest(several: Iterable[Margins]) -> Margins:
    """Return the widest of several margins, side by side."""
    return Margins(*(max(sides) for sides in zip(*several, Margins(), strict=False)))
