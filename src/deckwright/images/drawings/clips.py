"""Clips of several shapes: one outline of what any of them covers."""

from __future__ import annotations

from itertools import combinations

from deckwright.images.drawings.model import RefusedError
from deckwright.ops import outlines
from deckwright.ops.model import Outline, Segment


def united(shapes: list[Outline]) -> Outline:
    """Return the outline of what any of some shapes covers, by non-zero winding.

    Raises:
        RefusedError: if they overlap in a way that would leave holes.
    """
    shapes = [shape for shape in shapes if shape]
    if len(shapes) > 1 and _touch(shapes):
        # Parts that run the same way never take from each other.
        if any(sum(step[0] == "M" for step in shape) > 1 for shape in shapes):
            hint = "draw one path that is all of them"
            raise RefusedError("a `clipPath` of shapes that overlap cannot be drawn", None, hint)
        shapes = [_clockwise(shape) for shape in shapes]
    return tuple(step for shape in shapes for step in shape)


def _touch(shapes: list[Outline]) -> bool:
    boxes = [outlines.bounds_of(shape) for shape in shapes]
    return any(one.touches(other) for one, other in combinations(boxes, 2))


def _clockwise(shape: Outline) -> Outline:
    """Return a part of an outline so that it runs clockwise."""
    points = [(x, y) for x, y, _ in outlines.straightened(shape, 8)]
    ends = zip(points, [*points[1:], points[0]], strict=True)
    area = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in ends)
    return shape if area >= 0 else _reversed(shape)


def _reversed(shape: Outline) -> Outline:
    """Return a part of an outline that runs the other way."""
    steps = [(step[0], step[1:]) for step in shape if step[0] != "Z"]
    _, (*_, x, y) = steps[-1]
    turned: list[Segment] = [("M", x, y)]
    for (_, before), (kind, numbers) in zip(reversed(steps[:-1]), reversed(steps[1:]), strict=True):
        x, y = before[-2:]
        if kind == "C":
            turned.append(("C", *numbers[2:4], *numbers[:2], x, y))
        else:
            turned.append(("L", x, y))
    return (*turned, ("Z",))
