"""What is done to the ops of each element in the end: their opacities, and `transform`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from deckwright.base.geometry import Matrix
from deckwright.ops.model import DrawGlyphs, FillPath, Gradient, Group, Op, StrokePath, map_ops
from deckwright.templates.attributes import Values

_TRANSLUCENT = re.compile("#[0-9a-f]{8}")
_PLAIN = len("#rrggbb")


def finished(values: Values, ops: Iterable[Op]) -> tuple[Op, ...]:
    """Return the ops of an element with these values as they are on the face."""
    made = seen(values, ops)
    matrix: Matrix | None = values.get("transform")
    return (Group(made, matrix),) if made and matrix else made


def seen(values: Values, ops: Iterable[Op]) -> tuple[Op, ...]:
    """Return ops in which translucent colors, `#rrggbbaa`, have become groups with an opacity.

    They are looked for only where the element's values have any.
    """
    if any(isinstance(value, str) and _TRANSLUCENT.search(value) for value in values.values()):
        return map_ops(ops, _seen)
    return tuple(ops)


def _seen(op: Op) -> Op:
    if isinstance(op, FillPath) and isinstance(op.color, Gradient):
        # It is of a drawing whose black is replaced, and is as opaque as that was.
        stops = tuple((at, stop[:_PLAIN]) for at, stop in op.color.stops)
        return op._replace(color=op.color._replace(stops=stops))
    if not isinstance(op, FillPath | StrokePath | DrawGlyphs):
        return op
    color = op.color
    assert isinstance(color, str)
    if not _TRANSLUCENT.fullmatch(color):
        return op
    opacity = int(color[_PLAIN:], 16) / 255
    return Group((op._replace(color=color[:_PLAIN]),), opacity=round(opacity, 3))
