"""Axes with round numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from deckwright.base.numbers import exact
from deckwright.base.units import Mm

_STEPS = (1, 2, 5, 10)


class Axis(NamedTuple):
    """Numbers along a line.

    Attributes:
        low, high: the numbers at its ends.
        ticks: the round numbers on it.
        start, end: where its ends lie; `end` is less than `start` where it goes up.
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    start: Mm
    end: Mm

    def at(self, number: float) -> Mm:
        """Return where a number lies."""
        share = (number - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 3)


def axis(values: Iterable[float], start: Mm, end: Mm, most: int = 10) -> Axis:
    """Return an axis that begins and ends with round numbers, 0 among them if it is near.

    Between whole numbers there are no others.

    Args:
        values: what lies on it; at least one.
        most: how many steps it has at most.
    """
    values = [*values]
    low, high = min(values), max(values)
    if 0 < low <= (high - low) or low == high > 0:
        low = 0
    if (high < 0 and -high <= high - low) or low == high < 0:
        high = 0
    least = (high - low) / most if high > low else 1
    whole = all(float(value).is_integer() for value in values)
    step = _round_step(max(least, 1) if whole else least)
    first, last = math.floor(low / step), math.ceil(high / step)
    last += first == last
    ticks = tuple(exact(step * number) for number in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], ticks, start, end)


def _round_step(least: float) -> float:
    """Return the smallest number of 1, 2, 5, 10, 20 and so on that is not less."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(
        (exact(step * power) for step in _STEPS if step * power >= least * (1 - 1e-9)), 10 * power
    )
