"""What is done to the ops of each element in the end: opacities, `transform` and `ink`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from deckwright.base.findings import known_hint
from deckwright.base.geometry import Matrix
from deckwright.ops.failing import ElementError
from deckwright.ops.model import DrawGlyphs, FillPath, Gradient, Group, Op, StrokePath, map_ops
from deckwright.templates.attributes import Values
from deckwright.templates.elements import Studio

_TRANSLUCENT = re.compile("#[0-9a-f]{8}")
_PLAIN = len("#rrggbb")


def finished(values: Values, ops: Iterable[Op], studio: Studio) -> tuple[Op, ...]:
    """Return the ops of an element with these values as they are on the face.

    Raises:
        ElementError: if the game has no such ink.
    """
    made = seen(values, ops)
    matrix: Matrix | None = values.get("transform")
    if made and matrix:
        made = (Group(made, matrix),)
    return _printed_with(values["ink"], made, studio) if values.get("ink") else made


def _printed_with(ink_id: str, ops: tuple[Op, ...], studio: Studio) -> tuple[Op, ...]:
    """Return the ops of an element that is printed with an ink of its own.

    Where there is no such ink, its own colors stand in for it, or it is left out.
    """
    ink = studio.inks.get(ink_id)
    if ink is None:
        hint = known_hint(ink_id, studio.inks) or "declare it in `inks` of game.xml"
        raise ElementError("value", f"the game has no ink `{ink_id}`", hint, "ink")
    if studio.plates:
        return (Group(ops, ink=ink_id),) if ops else ()
    return ops if ink.seen else ()


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
