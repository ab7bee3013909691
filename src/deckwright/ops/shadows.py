"""Soft shadows: shapes grown by steps, all of them translucent. Millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from deckwright.base.geometry import IDENTITY, Matrix
from deckwright.base.units import Mm
from deckwright.ops import outlines
from deckwright.ops.model import (
    DrawImage,
    FillPath,
    Group,
    Op,
    Outline,
    Segment,
)

Point = tuple[Mm, Mm]

_STEP: Mm = 0.16
"""How wide a step of a shadow is at most, as far as there may be so many."""
_LEAST_STEPS, _MOST_STEPS = 3, 8
_CURVE = 6
"""Into how many straight parts a curve is cut."""
_ARC = math.radians(35)
"""How far a corner turns at a time."""
_HAIR: Mm = 1e-3


def shadow(ops: Iterable[Op], blur: Mm, color: str, opacity: float, move: Point) -> Iterator[Op]:
    """Yield what the shapes of ops throw on what is behind them: a group, if there are any.

    Letters and lines throw none.

    Args:
        blur: how far the shadow fades out around the shapes.
        move: how far it lies to the right and below.
    """
    shapes = list(_shapes(ops, (1, 0, 0, 1, *move)))
    if not shapes or opacity <= 0:
        return
    steps = min(max(math.ceil(blur / _STEP), _LEAST_STEPS), _MOST_STEPS) if blur else 1
    each = 1 - (1 - min(opacity, 0.99)) ** (1 / steps)
    layers: list[Op] = []
    for step in range(steps):
        # Light comes back slowly at first: the middle of a step lies on a parabola.
        distance = blur * (1 - math.sqrt((step + 0.5) / steps)) if blur else 0
        grown = tuple(segment for shape in shapes for segment in _grown(shape, distance))
        layers.append(FillPath(grown, color))
    yield Group(tuple(layers), opacity=round(each, 4))


def size_of(ops: Iterable[Op]) -> int:
    """Return how many points the shapes of ops have."""
    return sum(map(len, _shapes(ops, IDENTITY)))


def _shapes(ops: Iterable[Op], around: Matrix) -> Iterator[list[Point]]:
    """Yield the outlines of shapes, as points that go clockwise; holes are filled."""
    for op in ops:
        if isinstance(op, Group):
            matrix = op.within(around)
            if op.clip is not None:
                yield from _rings(op.clip, matrix)
            else:
                yield from _shapes(op.ops, matrix)
        elif isinstance(op, FillPath):
            yield from _rings(op.outline, around)
        elif isinstance(op, DrawImage):
            yield from _rings(outlines.rectangle(*op.box), around)


def _rings(outline: Outline, matrix: Matrix) -> Iterator[list[Point]]:
    """Yield the closed parts of an outline."""
    ring: list[Point] = []
    for x, y, begins in outlines.straightened(outlines.transformed(outline, matrix), _CURVE):
        if begins and ring:
            yield from _turned(ring)
            ring = []
        if not ring or math.dist(ring[-1], (x, y)) > _HAIR:
            ring.append((x, y))
    yield from _turned(ring)


def _turned(ring: list[Point]) -> Iterator[list[Point]]:
    """Yield a ring as it goes clockwise, unless it has no area."""
    while len(ring) > 1 and math.dist(ring[0], ring[-1]) <= _HAIR:
        ring = ring[:-1]
    area = sum(
        x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], *ring[:1]], strict=True)
    )
    if abs(area) > _HAIR:
        yield ring if area > 0 else ring[::-1]


def _grown(ring: list[Point], distance: Mm) -> Iterator[Segment]:
    """Yield a ring all points of which are a distance farther out; corners become round.

    Where it turns inwards, the line goes by way of the old corner: the loops that this makes lie
    inside, and count as filled by non-zero winding.
    """
    made: list[Point] = []
    count = len(ring)
    for index, (x, y) in enumerate(ring):
        before, after = ring[index - 1], ring[(index + 1) % count]
        start = math.atan2(-(x - before[0]), y - before[1])
        turn = math.atan2(-(after[0] - x), after[1] - y) - start
        turn = (turn + math.pi) % (2 * math.pi) - math.pi
        if not distance:
            made.append((x, y))
            continue
        if turn < -_HAIR:
            made += [_off(x, y, distance, start), (x, y), _off(x, y, distance, start + turn)]
            continue
        arcs = math.ceil(turn / _ARC)
        if arcs <= 1:
            made.append(_off(x, y, distance, start + turn / 2))
            continue
        made += [_off(x, y, distance, start + turn * arc / arcs) for arc in range(arcs + 1)]
    for index, (x, y) in enumerate(made):
        yield ("L" if index else "M", round(x, 3), round(y, 3))
    yield ("Z",)


def _off(x: Mm, y: Mm, distance: Mm, angle: float) -> Point:
    return x + distance * math.cos(angle), y + distance * math.sin(angle)
