"""Plane geometry in millimetres, origin at the top left, y downwards."""

from __future__ import annotations

from dataclasses import dataclass

from deckwright.units import Mm


@dataclass(frozen=True, slots=True)
class Box:
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
