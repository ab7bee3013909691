"""Bleed of pages: what reaches an edge goes on beyond it as in a mirror, as printers do it by hand.

So no cut shows an edge, whatever is drawn there. What a template draws beyond the edge by itself
comes on top of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.units import Mm
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, Group, Op, StrokePath
from deckwright.ops.outlines import bounds_of, rectangle

_REACH: Mm = 0.3
"""How far from the edge something may end and still be meant to reach it."""
_LAP: Mm = 0.1
"""How far what is mirrored goes on below what is not, so that no seam is seen between them."""


def with_mirrored_bleed(face: Face, bleed: Mm) -> Face:
    """Return a face that is drawn `bleed` mm beyond its trim box, wherever it reaches that.

    Letters are not mirrored: none are meant to be cut.
    """
    if bleed <= face.bleed:
        return face
    beyond: list[Op] = []
    for across in _ways(face.width, bleed):
        for down in _ways(face.height, bleed):
            strip = Box(across.start, down.start, across.length, down.length)
            seen = tuple(_seen(face.ops, strip, IDENTITY))
            mirrored = across.sign < 0 or down.sign < 0
            if mirrored and any(_reaches(op, across.edge, down.edge, IDENTITY) for op in seen):
                matrix = (across.sign, 0, 0, down.sign, across.shift, down.shift)
                beyond.append(Group(seen, matrix, rectangle(*strip)))
    return face._replace(ops=(*beyond, *face.ops), bleed=bleed)


class _Way(NamedTuple):
    """What is drawn of a face along one axis: all of it as it is, or a strip as in a mirror.

    Attributes:
        sign, shift: x' = sign · x + shift.
        start, length: of the strip.
        edge: the edge that this lies along, None for all of it.
    """

    sign: int
    shift: Mm
    start: Mm
    length: Mm
    edge: Mm | None


def _ways(size: Mm, bleed: Mm) -> tuple[_Way, _Way, _Way]:
    wide = bleed + _LAP
    return (
        _Way(1, 0, 0, size, None),
        _Way(-1, 2 * _LAP, _LAP, wide, 0),
        _Way(-1, 2 * (size - _LAP), size - _LAP - wide, wide, size),
    )


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


def _reaches(op: Op, x: Mm | None, y: Mm | None, matrix: Matrix) -> bool:
    """Return whether an op reaches edges of a face.

    Args:
        x, y: where these are, None where it does not matter.
    """
    if isinstance(op, Group):
        inner = op.within(matrix)
        if op.clip is not None and not _is_at(bounds_of(op.clip, inner), x, y):
            return False
        return any(_reaches(each, x, y, inner) for each in op.ops)
    return _is_at(_bounds(op, matrix), x, y)


def _is_at(box: Box, x: Mm | None, y: Mm | None) -> bool:
    """Return whether a box ends at edges, or beyond them."""
    near = box.grown(_REACH)
    return (x is None or near.x <= x <= near.right) and (y is None or near.y <= y <= near.bottom)


def _bounds(op: Op, matrix: Matrix) -> Box:
    """Return the box around what an op draws that is neither a group nor letters."""
    if isinstance(op, DrawImage):
        return op.box.moved(matrix)
    assert not isinstance(op, Group | DrawGlyphs)
    box = bounds_of(op.outline)
    return (box.grown(op.width / 2) if isinstance(op, StrokePath) else box).moved(matrix)
