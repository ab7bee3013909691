"""Plane geometry in millimetres, origin at the top left, y downwards."""

from __future__ import annotations

from collections.abc import Iterable
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

    @classmethod
    def around(cls, boxes: Iterable[Box]) -> Box:
        """Return the smallest box that holds some boxes, of which there must be one."""
        corners = [((box.x, box.y), (box.right, box.bottom)) for box in boxes]
        return cls.of([point for pair in corners for point in pair])

    @classmethod
    def of(cls, points: Iterable[tuple[Mm, Mm]]) -> Box:
        """Return the smallest box that holds some points; without any, an empty one at 0, 0."""
        xs, ys = zip(*points, strict=True) if (points := list(points)) else ((0,), (0,))
        left, top = min(xs), min(ys)
        return cls(left, top, max(xs) - left, max(ys) - top)

    def grown(self, by: Mm) -> Box:
        """Return the box larger on each side."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def common(self, other: Box) -> Box:
        """Return what it has in common with another; without area where that is nothing."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Box(x, y, max(0, right - x), max(0, bottom - y))

    def touches(self, other: Box) -> bool:
        """Return whether it has points in common with another."""
        return (
            self.x <= other.right
            and other.x <= self.right
            and self.y <= other.bottom
            and other.y <= self.bottom
        )

    def moved(self, matrix: Matrix) -> Box:
        """Return the box around its corners, moved by a matrix."""
        corners = ((x, y) for x in (self.x, self.right) for y in (self.y, self.bottom))
        return Box.of([moved_point(matrix, *corner) for corner in corners])


def shifted(x: Mm, y: Mm) -> Matrix:
    """Return the matrix that moves everything right by `x` and down by `y`."""
    return 1, 0, 0, 1, x, y


def scaled(by: float, x: Mm = 0, y: Mm = 0) -> Matrix:
    """Return the matrix that enlarges everything, then moves it right by `x` and down by `y`."""
    return by, 0, 0, by, x, y


def moved_point(matrix: Matrix, x: Mm, y: Mm) -> tuple[Mm, Mm]:
    """Return where a matrix moves a point."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def determinant(matrix: Matrix) -> float:
    """Return how much larger a matrix makes areas; below 0 where it mirrors them."""
    a, b, c, d, _, _ = matrix
    return a * d - b * c


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
