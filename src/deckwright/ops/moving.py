"""Move, scale, outline and recolor ops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from deckwright.base.geometry import IDENTITY, Box, Matrix, scaling, transform_point
from deckwright.base.units import Mm
from deckwright.ops.model import (
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    StrokePath,
    map_ops,
)
from deckwright.ops.outlines import scale_and_move, transform_outline


def move_ops(ops: Iterable[Op], scale: float, x: Mm, y: Mm) -> Iterator[Op]:
    """Yield ops enlarged by `scale` and moved by `x` and `y`.

    The ops' own numbers change, instead of a matrix around them, so that images are prepared for
    their printed size and nothing is rounded twice.
    """
    outline: Outline = ()
    moved: Outline = ()
    matrix = scaling(scale, x, y)
    for op in ops:
        if scale == 1 and x == y == 0:
            yield op
            continue
        if isinstance(op, FillPath | StrokePath) and op.outline is not outline:
            # A shape's fill and stroke share their outline.
            outline, moved = op.outline, transform_outline(op.outline, matrix)
        if isinstance(op, Group):
            own, left, top = op.matrix, x, y
            if own is not None:  # the ops in it are only enlarged
                own, left, top = (*own[:4], own[4] * scale + x, own[5] * scale + y), 0, 0
            clip = op.clip and scale_and_move(op.clip, left, top, scale)
            inner = tuple(move_ops(op.ops, scale, left, top))
            yield op._replace(ops=inner, matrix=own, clip=clip)
        elif isinstance(op, FillPath):
            color = op.color
            if isinstance(color, Gradient):
                start, end = (transform_point(matrix, *p) for p in (color.start, color.end))
                color = color._replace(start=start, end=end)
            yield op._replace(outline=moved, color=color)
        elif isinstance(op, StrokePath):
            if op.dashes:
                dashes = tuple(dash * scale for dash in op.dashes)
                op = op._replace(dashes=dashes, offset=op.offset * scale)  # noqa: PLW2901
            yield op._replace(outline=moved, width=op.width * scale)
        elif isinstance(op, DrawGlyphs):
            yield op._replace(size=op.size * scale, x=op.x * scale + x, y=op.y * scale + y)
        else:
            assert isinstance(op, DrawImage)
            left, top, width, height = op.box
            corner = transform_point(matrix, left, top)
            yield op._replace(box=Box(*corner, width * scale, height * scale))


def widen_lines(face: Face, least: Mm) -> Face:
    """Return a face with lines at least `least` mm wide on paper."""

    def widen(ops: Iterable[Op], scale: float) -> Iterator[Op]:
        for op in ops:
            if isinstance(op, Group):
                yield op._replace(ops=tuple(widen(op.ops, scale * op.scale)))
            elif isinstance(op, StrokePath):
                yield op._replace(width=op.visible_width(scale, least))
            else:
                yield op

    return face._replace(ops=tuple(widen(face.ops, 1)))


def stroke_edges(
    ops: Iterable[Op],
    color: str,
    width: Mm,
    letters: Callable[[DrawGlyphs], Outline] | None = None,
    around: Matrix = IDENTITY,
) -> Iterator[Op]:
    """Yield strokes around all shapes of ops, of equal width whatever their groups' scales.

    Args:
        letters: returns the outline of a text, with round corners; None to skip texts.
        around: the matrix of the enclosing groups.
    """
    for op in ops:
        if isinstance(op, Group):
            matrix = op.inner_matrix(around)
            inner = tuple(stroke_edges(op.ops, color, width, letters, matrix))
            clip = op.clip and transform_outline(op.clip, matrix)
            yield from (Group(inner, clip=clip),) if clip and inner else inner
        elif isinstance(op, FillPath):
            outline = op.outline if around == IDENTITY else transform_outline(op.outline, around)
            yield StrokePath(outline, color, width, join=1 if letters else 0)
        elif isinstance(op, DrawGlyphs) and letters is not None:
            outline = transform_outline(letters(op), around)
            if outline:
                yield StrokePath(outline, color, width, join=1)
        elif isinstance(op, StrokePath) and letters is not None:  # underlines and strike-throughs
            outline = transform_outline(op.outline, around)
            yield StrokePath(outline, color, op.width + width, cap=2, join=1)


def recolor(ops: Iterable[Op], colors: Mapping[str, str]) -> tuple[Op, ...]:
    """Return ops with some colors of fills, gradients and strokes replaced."""

    def change(op: Op) -> Op:
        if isinstance(op, FillPath) and isinstance(op.color, Gradient):
            stops = tuple((at, colors.get(stop, stop)) for at, stop in op.color.stops)
            return op._replace(color=op.color._replace(stops=stops))
        if isinstance(op, FillPath | StrokePath) and (color := colors.get(str(op.color))):
            return op._replace(color=color)
        return op

    return map_ops(ops, change) if colors else tuple(ops)
