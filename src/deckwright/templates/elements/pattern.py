"""`pattern`: elements repeated over a box, as tiles."""

from __future__ import annotations

import math
from collections.abc import Iterator

from deckwright.base.geometry import shifted
from deckwright.base.units import Mm
from deckwright.ops import outlines
from deckwright.ops.failing import ElementError
from deckwright.ops.model import Group, Op, walk
from deckwright.templates.attributes import Values, length, size
from deckwright.templates.elements import Studio, container

_MAX_TILES = 10_000
_MAX_OPS = 100_000
"""How much a pattern may draw, with the patterns in it."""


@container(
    "pattern",
    x=length("0"),
    y=length("0"),
    width=size(),
    height=size(),
    rx=size("0"),
    step_x=size(above_zero=True),
    step_y=size(above_zero=True),
)
def pattern(values: Values, ops: tuple[Op, ...], _: Studio) -> Iterator[Op]:
    """Elements repeated at intervals of `step-x` and `step-y` to fill the box.

    What reaches over the edge of a tile goes on in the next one, also along the edges of the box.
    """
    step_x, step_y = values["step-x"], values["step-y"]
    columns = math.ceil(round(values["width"] / step_x, 6))
    rows = math.ceil(round(values["height"] / step_y, 6))
    box = outlines.extent(ops)
    left, right = _beyond(box.x, box.right, step_x) if box else (0, 0)
    above, below = _beyond(box.y, box.bottom, step_y) if box else (0, 0)
    tiles_in_all = (columns + left + right) * (rows + above + below)
    if tiles_in_all > _MAX_TILES:
        message = f"the pattern has {tiles_in_all} tiles, more than {_MAX_TILES}"
        raise ElementError("value", message, "make the steps larger")
    drawn = tiles_in_all * sum(1 for _ in walk(ops))
    if drawn > _MAX_OPS:
        message = f"the pattern draws {drawn:,} things, more than {_MAX_OPS:,}"
        raise ElementError("value", message, "make the steps larger, or put less into a tile")
    x, y = values["x"], values["y"]
    tiles = tuple(
        Group(ops, shifted(round(x + column * step_x, 4), round(y + row * step_y, 4)))
        for row in range(-above, rows + below)
        for column in range(-left, columns + right)
    )
    clip = outlines.rectangle(x, y, values["width"], values["height"], values["rx"])
    yield Group(tiles, clip=clip)


def _beyond(start: Mm, end: Mm, step: Mm) -> tuple[int, int]:
    """Return how many tiles before and behind a box reach into it, along one axis."""
    before = math.ceil(round(max(end - step, 0) / step, 6))
    return before, math.ceil(round(max(-start, 0) / step, 6))
