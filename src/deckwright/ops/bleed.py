"""Bleed: extend a face beyond its trim box."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.units import TOLERANCE, Mm
from deckwright.ops import outlines
from deckwright.ops.model import (
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Group,
    Op,
    Outline,
    StrokePath,
)
from deckwright.ops.outlines import bounds_of

_GROUND_TOLERANCE: Mm = 0.3
"""How far from the trim box a background may end and still count as reaching it."""
_MIN_FILL, _MIN_ROUND_FILL = 0.74, 0.49
"""The least share of its bounding box that a background fills: with straight edges, and curved."""


def add_bleed(face: Face, bleed: Mm) -> Face:
    """Return a face drawn `bleed` mm beyond its trim box, if it has a background."""
    return square_corners(face, bleed, bleed) if bleed > face.bleed + TOLERANCE else face


def scale_face(face: Face, width: Mm, height: Mm) -> Face:
    """Return a face scaled to fit a trim box of another size, centered in it."""
    scale = min(width / face.width, height / face.height)
    x, y = (width - face.width * scale) / 2, (height - face.height * scale) / 2
    wide = add_bleed(face, max(x, y) / scale)
    ops = (Group(wide.ops, (scale, 0, 0, scale, x, y)),)
    bleed = max(0, wide.bleed * scale - max(x, y))
    return wide._replace(width=width, height=height, ops=ops, bleed=bleed)


def square_corners(face: Face, across: Mm, down: Mm) -> Face:
    """Return a face whose background has square corners and extends beyond the trim box.

    Round corners drawn on top stay; the background shows in the corners. A face that its template
    already draws that far is returned unchanged, and so is one without a background.

    Args:
        across, down: how far it extends, at the left and right, and at the top and bottom.
    """
    far = max(across, down)
    if 0 < face.bleed >= far - TOLERANCE:
        return face
    box = Box(-across, -down, face.width + 2 * across, face.height + 2 * down)
    ground, covered, square = next(_grounds(face.ops, face, IDENTITY), (None, box, False))
    if ground is None or (square and _contains(covered, box, TOLERANCE)):
        return face
    if isinstance(ground, FillPath):
        wide: Op = FillPath(outlines.rectangle(*box), ground.color)
    else:
        wide = ground._replace(box=box)
    ops = (wide, *face.ops)
    if isinstance(ground, DrawImage) and square and any(op is ground for op in face.ops):
        # A second, larger copy of the picture would show a seam along the cut.
        larger = ground._replace(box=Box.around([box, covered]))
        ops = tuple(larger if op is ground else op for op in face.ops)
    return face._replace(ops=ops, bleed=max(face.bleed, min(across, down)))


def _contains(box: Box, other: Box, tolerance: Mm) -> bool:
    """Return whether a box contains another one."""
    return (
        box.x <= other.x + tolerance
        and box.y <= other.y + tolerance
        and box.right >= other.right - tolerance
        and box.bottom >= other.bottom - tolerance
    )


def _grounds(
    ops: Iterable[Op], face: Face, matrix: Matrix, *, clipped: bool = False
) -> Iterator[tuple[FillPath | DrawImage, Box, bool]]:
    """Yield the ops that cover the trim box, their area, and whether they cover the corners too.

    Gradients only count if they are drawn in the face's own coordinates.
    """
    trim = Box(0, 0, face.width, face.height)
    for op in ops:
        if isinstance(op, Group):
            if op.opacity == 1 and not op.ink:
                inner = op.inner_matrix(matrix)
                yield from _grounds(op.ops, face, inner, clipped=clipped or op.clip is not None)
        elif isinstance(op, FillPath):
            plain = isinstance(op.color, str) or matrix == IDENTITY
            outline = outlines.transform_outline(op.outline, matrix)
            box = Box.of(_points(outline))
            if plain and _contains(box, trim, _GROUND_TOLERANCE) and _is_solid(op.outline):
                # An upright rectangle has two places along each axis.
                sides = (
                    {round(n, 4) for n in axis} for axis in zip(*_points(outline), strict=True)
                )
                square = all(step[0] != "C" for step in outline) and all(len(s) == 2 for s in sides)
                yield op, box, square and not clipped
        elif isinstance(op, DrawImage) and op.cover:
            box = op.box.transform(matrix)
            if matrix[1] == matrix[2] == 0 and _contains(box, trim, _GROUND_TOLERANCE):
                yield op, box, not clipped


def _is_solid(outline: Outline) -> bool:
    """Return whether an outline has neither holes nor a waist, as frames and stars do.

    A circle fills over three quarters of its bounding box; the polygon of its four arcs' end
    points, which is measured here, fills half of it.
    """
    if sum(step[0] == "M" for step in outline) != 1:
        return False
    points, box = _points(outline), Box.of(_points(outline))
    area = abs(outlines.double_area(points)) / 2
    curved = any(step[0] == "C" for step in outline)
    return area >= box.width * box.height * (_MIN_ROUND_FILL if curved else _MIN_FILL)


def _points(outline: Outline) -> list[tuple[float, float]]:
    """Return the end points of an outline's segments."""
    return [(step[-2], step[-1]) for step in outline if len(step) > 2]


_MIRROR_TOLERANCE: Mm = 0.3
"""How far from the edge an op may end and still count as reaching it."""
_OVERLAP: Mm = 0.1
"""How far the mirrored strip extends below the original, to hide the seam."""


def add_mirrored_bleed(face: Face, bleed: Mm) -> Face:
    """Return a face that is mirrored at the edge of its own bleed, up to `bleed` mm.

    Letters are not mirrored, since none are meant to be cut.
    """
    if bleed <= face.bleed:
        return face
    beyond: list[Op] = []
    for across, down, matrix, strip in _pair_strips(_mirror_strips, face, bleed):
        seen = tuple(visible_ops(face.ops, strip, IDENTITY))
        if any(_reaches(op, across.edge, down.edge, IDENTITY) for op in seen):
            beyond.append(Group(seen, matrix, outlines.rectangle(*strip)))
    return face._replace(ops=(*beyond, *face.ops), bleed=bleed)


class _Strip(NamedTuple):
    """The part of a face to draw along one axis: all of it, or a strip beside an edge.

    Attributes:
        scale, shift: x' = scale · x + shift.
        start, length: the strip's position before that.
        edge: the edge beside the strip, None for the whole face.
    """

    scale: float
    shift: Mm
    start: Mm
    length: Mm
    edge: Mm | None

    def move(self, by: Mm) -> _Strip:
        """Return the strip of a face that is moved by `by`."""
        shift, edge = self.shift + (1 - self.scale) * by, self.edge
        return _Strip(
            self.scale, shift, self.start + by, self.length, None if edge is None else edge + by
        )


def _pair_strips(
    divide: Callable[[Mm, Mm], Sequence[_Strip]], face: Face, bleed: Mm
) -> Iterator[tuple[_Strip, _Strip, Matrix, Box]]:
    """Yield the strips around a face and its bleed: across and down, their matrix and box."""
    own = face.bleed

    def place(size: Mm) -> list[_Strip]:
        strips = divide(size + 2 * own, bleed - own)
        return [strip.move(-own) for strip in strips]

    pairs = product(place(face.width), place(face.height))
    for across, down in islice(pairs, 1, None):  # the first pair is the face itself
        matrix = across.scale, 0, 0, down.scale, across.shift, down.shift
        yield across, down, matrix, Box(across.start, down.start, across.length, down.length)


def _mirror_strips(size: Mm, bleed: Mm) -> tuple[_Strip, _Strip, _Strip]:
    wide = bleed + _OVERLAP
    return (
        _Strip(1, 0, 0, size, None),
        _Strip(-1, 2 * _OVERLAP, _OVERLAP, wide, 0),
        _Strip(-1, 2 * (size - _OVERLAP), size - _OVERLAP - wide, wide, size),
    )


def visible_ops(ops: Iterable[Op], box: Box, matrix: Matrix = IDENTITY) -> Iterator[Op]:
    """Yield the ops that may be visible in a box, except letters."""
    for op in ops:
        if isinstance(op, Group):
            inner = op.inner_matrix(matrix)
            if op.clip is None or bounds_of(op.clip, inner).touches(box):
                parts = tuple(visible_ops(op.ops, box, inner))
                if parts:
                    yield op._replace(ops=parts, alt="", tag=None)
        elif not isinstance(op, DrawGlyphs) and _bounds(op, matrix).touches(box):
            yield op


def _reaches(op: Op, x: Mm | None, y: Mm | None, matrix: Matrix) -> bool:
    """Return whether an op reaches edges of a face at x and y; None ignores one."""
    if isinstance(op, Group):
        inner = op.inner_matrix(matrix)
        if op.clip is not None and not _is_at(bounds_of(op.clip, inner), x, y):
            return False
        return any(_reaches(each, x, y, inner) for each in op.ops)
    return _is_at(_bounds(op, matrix), x, y)


def _is_at(box: Box, x: Mm | None, y: Mm | None) -> bool:
    """Return whether a box reaches the edges."""
    near = box.expand(_MIRROR_TOLERANCE)
    return (x is None or near.x <= x <= near.right) and (y is None or near.y <= y <= near.bottom)


def _bounds(op: Op, matrix: Matrix) -> Box:
    """Return the bounding box of an op that is neither a group nor letters."""
    if isinstance(op, DrawImage):
        return op.box.transform(matrix)
    assert not isinstance(op, Group | DrawGlyphs)
    box = bounds_of(op.outline)
    return (box.expand(op.width / 2) if isinstance(op, StrokePath) else box).transform(matrix)


_STRIP_WIDTH: Mm = 0.2
"""The width of the strip that is stretched. It extends as far below the face, to hide the seam."""


def add_stretched_bleed(face: Face, bleed: Mm) -> Face:
    """Return a face whose own bleed is stretched outwards to `bleed` mm, keeping its colors."""
    if bleed <= face.bleed:
        return face
    beyond = (
        Group(face.ops, matrix, outlines.rectangle(*strip))
        for _, _, matrix, strip in _pair_strips(_stretch_strips, face, bleed)
    )
    return face._replace(ops=(*beyond, *face.ops), bleed=bleed)


def _stretch_strips(size: Mm, bleed: Mm) -> tuple[_Strip, _Strip, _Strip]:
    scale = (bleed + _STRIP_WIDTH) / _STRIP_WIDTH
    far = size - _STRIP_WIDTH
    return (
        _Strip(1, 0, 0, size, None),
        _Strip(scale, -bleed, 0, _STRIP_WIDTH, 0),
        _Strip(scale, far - scale * far, far, _STRIP_WIDTH, size),
    )
