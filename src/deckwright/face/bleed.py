"""Bleed: what a face shows beyond its trim box, so that no cut leaves a white edge.

Templates may draw beyond the trim box, as far as their kind's `bleed` says. For those that do not,
the ground of the face is made larger: the first thing drawn that covers the whole trim box.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckwright.face.ops import DrawImage, Face, FillPath, Group, Op, Outline
from deckwright.geometry import Box
from deckwright.units import Mm

Matrix = tuple[float, float, float, float, float, float]

_REACH: Mm = 0.3
"""How far from the trim box a ground may end and still be meant to reach it."""
_HAIR: Mm = 1e-6


def with_bleed(face: Face, bleed: Mm) -> Face:
    """Return a face that is drawn `bleed` mm beyond its trim box, if it has a ground."""
    if bleed <= face.bleed + _HAIR:
        return face
    ground = next(_grounds(face.ops, face, (1, 0, 0, 1, 0, 0)), None)
    if ground is None:
        return face
    box = Box(-bleed, -bleed, face.width + 2 * bleed, face.height + 2 * bleed)
    if isinstance(ground, FillPath):
        wide: Op = FillPath(rectangle(box), ground.color)
    else:
        wide = DrawImage(ground.path, box, cover=True)
    return face._replace(ops=(wide, *face.ops), bleed=bleed)


def rectangle(box: Box) -> Outline:
    """Return the outline of a box."""
    return (
        ("M", box.x, box.y),
        ("L", box.right, box.y),
        ("L", box.right, box.bottom),
        ("L", box.x, box.bottom),
        ("Z",),
    )


def _grounds(ops: Iterable[Op], face: Face, matrix: Matrix) -> Iterator[FillPath | DrawImage]:
    """Yield what covers the trim box, in the order in which it is drawn.

    A gradient counts only where it is drawn in the face's own coordinates.
    """
    for op in ops:
        if isinstance(op, Group):
            if op.opacity == 1:
                yield from _grounds(op.ops, face, _times(matrix, op.matrix))
        elif isinstance(op, FillPath):
            plain = isinstance(op.color, str) or matrix == (1, 0, 0, 1, 0, 0)
            if plain and _covers(_points(op.outline), face, matrix):
                yield op
        elif isinstance(op, DrawImage) and op.cover:
            box = op.box
            corners = [(box.x, box.y), (box.right, box.bottom)]
            if matrix[1] == matrix[2] == 0 and _covers(corners, face, matrix):
                yield op


def _covers(points: Iterable[tuple[float, float]], face: Face, matrix: Matrix) -> bool:
    """Return whether the bounds of points reach all edges of the trim box."""
    a, b, c, d, e, f = matrix
    moved = [(a * x + c * y + e, b * x + d * y + f) for x, y in points]
    if not moved:
        return False
    xs, ys = zip(*moved, strict=True)
    return bool(
        min(xs) <= _REACH
        and min(ys) <= _REACH
        and max(xs) >= face.width - _REACH
        and max(ys) >= face.height - _REACH
    )


def _points(outline: Outline) -> list[tuple[float, float]]:
    """Return the ends of an outline's steps."""
    return [(step[-2], step[-1]) for step in outline if len(step) > 2]  # noqa: PLR2004


def _times(outer: Matrix, inner: Matrix | None) -> Matrix:
    """Return the matrix that applies `inner` first."""
    if inner is None:
        return outer
    a, b, c, d, e, f = outer
    p, q, r, s, t, u = inner
    return (
        a * p + c * q,
        b * p + d * q,
        a * r + c * s,
        b * r + d * s,
        a * t + c * u + e,
        b * t + d * u + f,
    )
