"""What a face draws, one thing after another: each with all that surrounds it, and its bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.units import Mm
from deckwright.ops import outlines
from deckwright.ops.model import FillPath, Group, Op, Outline
from deckwright.ops.spots import is_spot
from deckwright.text.shaping import Metrics, box_of


class Leaf(NamedTuple):
    """An op that is no group.

    Attributes:
        around: the groups that it is in, the outermost first, without what is in them.
        opacity: that of all of these.
        box: the bounds of what is seen of it on the face.
    """

    op: Op
    around: tuple[Group, ...]
    opacity: float
    box: Box

    def as_op(self) -> Op:
        """Return an op that draws this leaf alone, opaque."""
        drawn = self.op
        for group in reversed(self.around):
            drawn = group._replace(ops=(drawn,), opacity=1)
        return drawn

    def covers(self, box: Box) -> bool:
        """Return whether it is sure to fill a box, so that nothing below is seen: with no spot ink.

        Its shape and clips have no dents. Curves are taken as straight, so that a little too much
        counts as not covered.
        """
        if self.opacity < 1 or not isinstance(self.op, FillPath):
            return False
        if any(map(is_spot, self.op.colors)):
            return False
        matrix, shapes = IDENTITY, list[Outline]()
        for group in self.around:
            matrix = group.within(matrix)
            if group.clip:
                shapes.append(outlines.transformed(group.clip, matrix))
        shapes.append(outlines.transformed(self.op.outline, matrix))
        corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
        return all(_surrounds(shape, corner) for shape in shapes for corner in corners)


def leaves(ops: Iterable[Op], metrics: Metrics) -> Iterator[Leaf]:
    """Yield what ops draw, in order."""
    return _leaves(ops, metrics, (), 1, IDENTITY, None)


def _leaves(
    ops: Iterable[Op],
    metrics: Metrics,
    around: tuple[Group, ...],
    opacity: float,
    matrix: Matrix,
    clip: Box | None,
) -> Iterator[Leaf]:
    for op in ops:
        if isinstance(op, Group):
            inner = op.within(matrix)
            bounds = outlines.bounds_of(op.clip, inner) if op.clip else clip
            if op.clip and bounds and clip:
                bounds = bounds.common(clip)
            shell = op._replace(ops=())
            groups = (*around, shell) if _does_something(shell) else around
            yield from _leaves(op.ops, metrics, groups, opacity * op.opacity, inner, bounds)
            continue
        box = box_of(op, matrix, metrics)
        yield Leaf(op, around, opacity, box.common(clip) if clip else box)


def _does_something(group: Group) -> bool:
    return group.matrix is not None or group.clip is not None


def _surrounds(outline: Outline, point: tuple[Mm, Mm]) -> bool:
    """Return whether a point is in an outline of one part without dents; False for any other."""
    if sum(step[0] == "M" for step in outline) != 1:
        return False
    ends = [(float(step[-2]), float(step[-1])) for step in outline if len(step) > 1]
    left = right = False
    for (x0, y0), (x1, y1), (x2, y2) in zip(
        ends, ends[1:] + ends[:1], ends[2:] + ends[:2], strict=True
    ):
        bend = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)
        side = (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0)
        left |= bend > _HAIR or side > _HAIR
        right |= bend < -_HAIR or side < -_HAIR
    return left != right


_HAIR = 1e-3
"""The tolerance for rounding errors, too small to show in print."""
