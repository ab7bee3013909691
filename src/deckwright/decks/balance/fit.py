"""A straight line through points, by least squares, and the points that lie far from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

FAR = 2
"""A point lies far from a line if it is more standard deviations away than this."""
_FEWEST = 3
"""Two points always lie on a line, so that they say nothing."""

Point = tuple[Fraction, Fraction]


class Line(NamedTuple):
    """A line that was fitted: `y = base + slope * x`.

    Sums are exact, so that every machine finds the same line and the same outliers.

    Attributes:
        r2: which part of the spread of `y` it explains, from 0 to 1.
        spread: the standard deviation of the points about it, with two degrees of freedom less
            than there are points.
    """

    base: Fraction
    slope: Fraction
    r2: float
    spread: float
    points: int

    def at(self, x: Fraction) -> Fraction:
        """Return the height of the line."""
        return self.base + self.slope * x

    def above(self, point: Point) -> Fraction:
        """Return how far a point lies above the line; less than 0 if it lies below."""
        return point[1] - self.at(point[0])

    def far(self, point: Point) -> bool:
        """Return whether a point lies far from the line."""
        return abs(self.above(point)) > FAR * self.spread > 0


def fitted(points: Sequence[Point]) -> Line | None:
    """Return the line for which the squares of the distances in `y` have the least sum.

    None if there are fewer than three points, or all have the same `x`.
    """
    n = len(points)
    if n < _FEWEST:
        return None
    mean_x = sum((x for x, _ in points), Fraction(0)) / n
    mean_y = sum((y for _, y in points), Fraction(0)) / n
    xx = sum(((x - mean_x) ** 2 for x, _ in points), Fraction(0))
    xy = sum(((x - mean_x) * (y - mean_y) for x, y in points), Fraction(0))
    yy = sum(((y - mean_y) ** 2 for _, y in points), Fraction(0))
    if not xx:
        return None
    slope = xy / xx
    left = yy - slope * xy
    r2 = float(1 - left / yy) if yy else 1.0
    return Line(mean_y - slope * mean_x, slope, r2, math.sqrt(left / (n - 2)), n)
