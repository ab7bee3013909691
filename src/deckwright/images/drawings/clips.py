"""Clips: one outline of what any of several shapes covers, by non-zero winding."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, pairwise

from deckwright.images.drawings.model import RefusedError
from deckwright.ops import outlines
from deckwright.ops.model import Outline, Segment

Point = tuple[float, float]


def united(shapes: list[Outline]) -> Outline:
    """Return the outline of what any of some shapes covers, by non-zero winding.

    Raises:
        RefusedError: if they overlap in a way that would leave holes.
    """
    shapes = [shape for shape in shapes if shape]
    if len(shapes) > _MOST_SHAPES:
        raise RefusedError(f"a `clipPath` has more than {_MOST_SHAPES} shapes")
    if len(shapes) > 1 and _touch(shapes):
        # Parts that run the same way never take from each other.
        if any(sum(step[0] == "M" for step in shape) > 1 for shape in shapes):
            hint = "draw one path that is all of them"
            raise RefusedError("a `clipPath` of shapes that overlap cannot be drawn", None, hint)
        shapes = [_clockwise(shape) for shape in shapes]
    return tuple(step for shape in shapes for step in shape)


@lru_cache(maxsize=64)
def by_winding(shape: Outline) -> Outline:
    """Return an outline that covers by non-zero winding what another covers by even-odd.

    Its parts run one way or the other, by how many parts each is in.

    Raises:
        RefusedError: if its lines cross each other, or are too many to tell.
    """
    parts = _parts(shape)
    rings = [[(x, y) for x, y, _ in outlines.straightened(part, _CURVE)] for part in parts]
    if _cross(rings):
        hint = "draw the outline of what is left"
        raise RefusedError("`clip-rule` is `evenodd` for lines that cross", "clip-rule", hint)
    turned: list[Outline] = []
    for index, (part, ring) in enumerate(zip(parts, rings, strict=True)):
        depth = sum(_is_in(ring[0], other) for n, other in enumerate(rings) if n != index)
        clockwise = _clockwise(part)
        turned.append(_reversed(clockwise) if depth % 2 else clockwise)
    return tuple(step for part in turned for step in part)


_MOST_SHAPES = 500
_CURVE = 8
_MOST_POINTS = 600


def _parts(shape: Outline) -> list[Outline]:
    starts = [index for index, step in enumerate(shape) if step[0] == "M"]
    parts = [shape[a:b] for a, b in pairwise([*starts, len(shape)])]
    return [part for part in parts if len(part) > 2]  # noqa: PLR2004 - anything with an area


def _cross(rings: list[list[Point]]) -> bool:
    """Return whether lines of rings cross; they may touch at their ends."""
    lines = [
        (ring[n - 1], point)
        for ring in rings
        for n, point in enumerate(ring)
        if ring[n - 1] != point
    ]
    if len(lines) > _MOST_POINTS:
        message = f"a clip by `evenodd` has more than {_MOST_POINTS} lines"
        raise RefusedError(message, "clip-rule")
    return any(
        _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0
        for (a, b), (c, d) in combinations(lines, 2)
    )


def _side(start: Point, end: Point, point: Point) -> float:
    """Return on which side of a line a point is: above or below 0."""
    (x1, y1), (x2, y2), (x, y) = start, end, point
    return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)


def _is_in(point: Point, ring: list[Point]) -> bool:
    x, y = point
    inside = False
    for n, (x2, y2) in enumerate(ring):
        x1, y1 = ring[n - 1]
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            inside = not inside
    return inside


def _touch(shapes: list[Outline]) -> bool:
    boxes = [outlines.bounds_of(shape) for shape in shapes]
    return any(one.touches(other) for one, other in combinations(boxes, 2))


def _clockwise(shape: Outline) -> Outline:
    """Return a part of an outline so that it runs clockwise."""
    points = [(x, y) for x, y, _ in outlines.straightened(shape, _CURVE)]
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
