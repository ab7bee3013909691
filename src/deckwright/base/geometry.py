"""Plane geometry in millimetres, origin at the top left, y downwards."""

from __future__ import annotations

from typing import NamedTuple

from deckwright.base.units import Mm

Matrix = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f of x' = a·x + c·y + e, y' = b·x + d·y + f."""

IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)
"""The matrix that moves nothing."""


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


def shifted(x: Mm, y: Mm) -> Matrix:
    """Return the matrix that moves everything right by `x` and down by `y`."""
    return 1, 0, 0, 1, x, y


def times(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that does `second`, then `first`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )
