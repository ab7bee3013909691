"""Names beside points, none above another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from deckwright.base.geometry import Box
from deckwright.base.units import Mm

_NEAR: Mm = 14
"""A name that need not be there is no farther from its point."""
_FAR: Mm = 60
_LED: Mm = 2.2
"""A name that is farther from its point has a line to it."""
_TURNS = (0, 180, 270, 90, 315, 45, 225, 135)
"""Where names are tried, in degrees from the right, downwards."""
_AIR: Mm = 0.35


class Wanted(NamedTuple):
    """A name and its point.

    Attributes:
        radius: that of the dot.
        width, height: those of the name.
        needed: whether it must be there, if far from its point.
    """

    text: str
    x: Mm
    y: Mm
    radius: Mm
    width: Mm
    height: Mm
    needed: bool = False


class Label(NamedTuple):
    """A name where it has room.

    Attributes:
        box: the name's.
        led: where a line from the point to the name ends, None if it is near enough.
    """

    wanted: Wanted
    box: Box
    led: tuple[Mm, Mm] | None


def labels(wanted: Sequence[Wanted], area: Box, taken: Iterable[Box] = ()) -> Iterator[Label]:
    """Yield names at the first place in an area that has room; one after another.

    Args:
        wanted: those that come first have the choice.
        taken: what no name may lie on.
    """
    boxes = [*taken]
    for each in wanted:
        box = _place(each, area, boxes)
        if box is not None:
            boxes.append(box)
            yield Label(each, box, _led(each, box))


def _place(wanted: Wanted, area: Box, taken: Sequence[Box]) -> Box | None:
    for box in _places(wanted):
        inside = area.x <= box.x and area.y <= box.y
        inside = inside and box.right <= area.right and box.bottom <= area.bottom
        if inside and not any(_overlap(box, other) for other in taken):
            return box
    return None


def _places(wanted: Wanted) -> Iterator[Box]:
    """Yield boxes around a point, the nearest first."""
    width, height = wanted.width, wanted.height
    away = 0.7
    while away <= (_FAR if wanted.needed else _NEAR):
        for turn in _TURNS:
            across, down = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            x = wanted.x + across * (wanted.radius + away)
            y = wanted.y + down * (wanted.radius + away)
            left = x - width * (0 if across > 0.1 else 1 if across < -0.1 else 0.5)  # noqa: PLR2004
            top = y - height * (0.5 + 0.5 * (-1 if down > 0.1 else 1 if down < -0.1 else 0))  # noqa: PLR2004
            yield Box(round(left, 3), round(top, 3), width, height)
        away += 1.1


def _overlap(one: Box, other: Box) -> bool:
    common = one.grown(_AIR).common(other)
    return common.width > 0 and common.height > 0


def _led(wanted: Wanted, box: Box) -> tuple[Mm, Mm] | None:
    """Return the point of a box that is nearest to its point, if that is not near."""
    x = min(max(wanted.x, box.x), box.right)
    y = min(max(wanted.y, box.y), box.bottom)
    far = math.hypot(x - wanted.x, y - wanted.y) - wanted.radius > _LED
    return (x, y) if far else None
