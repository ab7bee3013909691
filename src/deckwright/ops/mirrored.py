"""Bleed of pages: what reaches an edge goes on beyond it as in a mirror, as printers do it by hand.

So no cut shows an edge, whatever is drawn there. What a template draws beyond the edge by itself
comes on top of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.units import Mm
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, Group, Op, StrokePath
from deckwright.ops.outlines import bounds_of, rectangle

_REACH: Mm = 0.3
"""How far from the edge something may end and still be meant to reach it."""


def with_mirrored_bleed(face: Face, bleed: Mm) -> Face:
    """Return a face that is drawn `bleed` mm beyond its trim box, wherever it reaches that.

    Letters are not mirrored: none are meant to be cut.
    """
    if bleed <= face.bleed:
        return face
    wide, high = face.width, face.height
    across = ((1, 0, 0, wide), (-1, 0, 0, bleed), (-1, 2 * wide, wide - bleed, bleed))
    down = ((1, 0, 0, high), (-1, 0, 0, bleed), (-1, 2 * high, high - bleed, bleed))
    beyond: list[Op] = []
    for sx, dx, x, width in across:
        for sy, dy, y, height in down:
            if sx == sy == 1:
                continue
            strip = Box(x, y, width, height)
            seen = tuple(_seen(face.ops, strip, IDENTITY))
            if any(_reaches(op, face, strip) for op in seen):
                beyond.append(Group(seen, (sx, 0, 0, sy, dx, dy), rectangle(*strip)))
    return face._replace(ops=(*beyond, *face.ops), bleed=bleed)


def _seen(ops: Iterable[Op], box: Box, matrix: Matrix) -> Iterator[Op]:
    """Yield what may be seen of ops in a box, but for letters."""
    for op in ops:
        if isinstance(op, Group):
            inner = op.within(matrix)
            if op.clip is None or bounds_of(op.clip, inner).touches(box):
                parts = tuple(_seen(op.ops, box, inner))
                if parts:
                    yield op._replace(ops=parts, alt="", tag=None)
        elif not isinstance(op, DrawGlyphs) and _bounds(op, matrix).touches(box):
            yield op


def _reaches(op: Op, face: Face, strip: Box, matrix: Matrix = IDENTITY) -> bool:
    """Return whether an op reaches the edge of a face that a strip lies along."""
    if isinstance(op, Group):
        inner = op.within(matrix)
        if op.clip is not None and not _at_edge(bounds_of(op.clip, inner), face, strip):
            return False
        return any(_reaches(each, face, strip, inner) for each in op.ops)
    return _at_edge(_bounds(op, matrix), face, strip)


def _at_edge(box: Box, face: Face, strip: Box) -> bool:
    """Return whether a box ends at the edge that a strip lies along, or beyond it."""
    left, upper = (
        strip.width < face.width and not strip.x,
        strip.height < face.height and not strip.y,
    )
    right, lower = (
        strip.width < face.width and strip.x > 0,
        strip.height < face.height and strip.y > 0,
    )
    return not (
        (left and box.x > _REACH)
        or (right and box.right < face.width - _REACH)
        or (upper and box.y > _REACH)
        or (lower and box.bottom < face.height - _REACH)
    )


def _bounds(op: Op, matrix: Matrix) -> Box:
    """Return the box around what an op draws that is neither a group nor letters."""
    if isinstance(op, DrawImage):
        return op.box.moved(matrix)
    assert not isinstance(op, Group | DrawGlyphs)
    box = bounds_of(op.outline)
    return (box.grown(op.width / 2) if isinstance(op, StrokePath) else box).moved(matrix)
