"""Plane geometry in millimetres, origin at the top left, y downwards."""

from __future__ import annotations

from typing import NamedTuple

from deckwright.units import Mm


class Box(NamedTuple):
    """An upright rectangle."""

    x: Mm
    y: Mm
    width: Mm
    height: Mm

    @property
    def right(self) -> Mm:
        """The x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> Mm:
        """The y of the lower edge."""
        return self.y + self.height
