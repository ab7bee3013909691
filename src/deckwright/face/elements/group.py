"""`g`: elements moved, or turned, as one."""

from __future__ import annotations

import math
from collections.abc import Iterator

from deckwright.face.attributes import Values, length, number
from deckwright.face.elements import container
from deckwright.face.ops import Group, Op


@container("g", x=length("0"), y=length("0"), rotate=number("0"), cx=length("0"), cy=length("0"))
def group(values: Values, ops: tuple[Op, ...]) -> Iterator[Op]:
    """Elements moved by `x` and `y`, and turned clockwise by `rotate` degrees about `cx`, `cy`."""
    x, y, angle = values["x"], values["y"], math.radians(values["rotate"])
    if not (x or y or angle):
        yield from ops
        return
    cos, sin = round(math.cos(angle), 9), round(math.sin(angle), 9)
    cx, cy = values["cx"], values["cy"]
    right = x + cx - cos * cx + sin * cy
    down = y + cy - sin * cx - cos * cy
    yield Group(ops, (cos, sin, -sin, cos, right, down))
