"""Nets: pieces of board that hang on each other by folds, cut out of one sheet. Millimetres.

Pieces are convex. The corners of each run clockwise as it is seen (y downwards), so that its inside
lies to the right of every edge. The net is a tree: a piece hangs on an edge of another one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from deckwright.base.geometry import Box
from deckwright.base.units import HAIR, Mm
from deckwright.ops.model import Outline, Segment

Point = tuple[Mm, Mm]


class Corner(NamedTuple):
    """A corner of a piece, rounded with a radius; 0 for a sharp one."""

    x: Mm
    y: Mm
    radius: Mm = 0

    @property
    def point(self) -> Point:
        """Where it is, as if it were not rounded."""
        return self.x, self.y


class Piece(NamedTuple):
    """A piece of a net.

    Attributes:
        corners: of one that hangs on another, from the beginning of its fold to the end of it.
        parent: the name of the piece that it hangs on, None for the first of a net.
        notch: corners of what is cut out of its first edge.
    """

    name: str
    corners: tuple[Corner, ...]
    parent: str | None = None
    notch: tuple[Corner, ...] = ()

    @property
    def box(self) -> Box:
        """The box that encloses it."""
        return Box.of(corner.point for corner in self.corners)

    @property
    def fold(self) -> tuple[Point, Point] | None:
        """The line that it hangs on, None for the first of a net."""
        return (self.corners[0].point, self.corners[-1].point) if self.parent else None

    def edges(self) -> Iterator[tuple[Corner, Corner]]:
        """Yield its edges; the last one is its fold, if it has one."""
        return pairwise((*self.corners, self.corners[0]))

    def moved(self, x: Mm, y: Mm) -> Piece:
        """Return the piece at another place."""

        def move(corners: tuple[Corner, ...]) -> tuple[Corner, ...]:
            return tuple(Corner(c.x + x, c.y + y, c.radius) for c in corners)

        return self._replace(corners=move(self.corners), notch=move(self.notch))


class Net(NamedTuple):
    """Pieces that are cut out as one; the first is the one on which the others hang."""

    pieces: tuple[Piece, ...]

    def piece(self, name: str) -> Piece:
        """Return a piece by its name."""
        return next(piece for piece in self.pieces if piece.name == name)

    @property
    def box(self) -> Box:
        """The box that encloses all pieces."""
        return Box.around(piece.box for piece in self.pieces)

    def moved(self, x: Mm, y: Mm) -> Net:
        """Return the net at another place."""
        return Net(tuple(piece.moved(x, y) for piece in self.pieces))

    def outline(self) -> Outline:
        """Return the line along which the net is cut out, closed."""
        segments = [segment for _, run in self.cuts() for segment in run]
        first, *others = segments
        return (first, *(segment for segment in others if segment[0] != "M"), ("Z",))

    def cuts(self) -> Iterator[tuple[str, Outline]]:
        """Yield the cut in runs, each with the name of the piece that it is the edge of."""
        steps = _distinct(self._around(self.pieces[0]))
        corners = [corner for corner, _ in steps]
        rounded = [
            _rounded(corners[i - 1].point, corner, corners[(i + 1) % len(corners)].point)
            for i, corner in enumerate(corners)
        ]
        run: list[Segment] = []
        name = steps[0][1]
        for number, (_, owner) in enumerate(steps):
            arc, following = rounded[number], rounded[(number + 1) % len(rounded)]
            if owner != name or not run:
                if run:
                    yield name, tuple(run)
                name, run = owner, [("M", *_end(arc[-1]))]
            run += following
        yield name, tuple(run)

    def folds(self) -> Iterator[tuple[Piece, tuple[Point, Point]]]:
        """Yield the pieces that hang on others, with the lines that they hang on."""
        for piece in self.pieces:
            if piece.fold:
                yield piece, piece.fold

    def grown(self, piece: Piece, by: Mm) -> Outline:
        """Return the outline of a piece, larger on its free edges, but upon no piece beside it.

        Folds stay where they are.
        """
        edges = list(piece.edges())
        reaches = [self._room(piece, start, end, by) for start, end in edges]
        lines = [
            _beside(a.point, b.point, reach) for (a, b), reach in zip(edges, reaches, strict=True)
        ]
        corners = [
            Corner(*_crossing(lines[i - 1], lines[i]), corner.radius and corner.radius + by)
            for i, corner in enumerate(piece.corners)
        ]
        segments = [
            segment
            for i, corner in enumerate(corners)
            for segment in _rounded(
                corners[i - 1].point, corner, corners[(i + 1) % len(corners)].point
            )
        ]
        return (("M", *segments[0][1:]), *segments[1:], ("Z",))

    def _room(self, piece: Piece, start: Corner, end: Corner, most: Mm) -> Mm:
        """Return how much an edge of a piece can be moved outwards."""
        kin = {piece.parent, *self._on(piece, start, end)}
        fold = piece.parent and start == piece.corners[-1] and end == piece.corners[0]
        if fold or len(kin) > 1:
            return 0
        length = math.dist(start.point, end.point)
        along = ((end.x - start.x) / length, (end.y - start.y) / length)
        room = most
        for other in self.pieces:
            if other.name in kin or other is piece:
                continue
            steps = [(c.x - start.x, c.y - start.y) for c in other.corners]
            places = [x * along[0] + y * along[1] for x, y in steps]
            distance = min(x * along[1] - y * along[0] for x, y in steps)
            beside = max(places) > HAIR and min(places) < length - HAIR
            if beside and distance > -HAIR:
                room = min(room, max(0, distance))
        return room

    def _on(self, piece: Piece, start: Corner, end: Corner) -> list[str]:
        """Return the names of the pieces that hang on an edge, from its start to its end."""
        found = []
        for other in self.pieces:
            if other.parent == piece.name and other.fold:
                first, last = other.fold
                whole = math.dist(start.point, end.point)
                ways = [math.dist(start.point, p) + math.dist(p, end.point) for p in (first, last)]
                if max(ways) < whole + HAIR:
                    found.append((math.dist(start.point, first), other.name))
        return [name for _, name in sorted(found)]

    def _around(self, piece: Piece) -> Iterator[tuple[Corner, str]]:
        """Yield the corners around a piece and all that hangs on it.

        Each comes with the name of the piece that the cut from it to the next one is an edge of.
        """
        edges = list(piece.edges())
        for number, (start, end) in enumerate(edges[:-1] if piece.parent else edges):
            yield start, piece.name
            if not number:
                yield from ((corner, piece.name) for corner in piece.notch)
            for name in self._on(piece, start, end):
                yield from self._around(self.piece(name))
        if piece.parent:
            yield piece.corners[-1], piece.parent


def _distinct(steps: Iterator[tuple[Corner, str]]) -> list[tuple[Corner, str]]:
    """Return steps without those of no length."""
    result: list[tuple[Corner, str]] = []
    for step in steps:
        if result and math.dist(result[-1][0].point, step[0].point) < HAIR:
            result.pop()
        result.append(step)
    while len(result) > 1 and math.dist(result[0][0].point, result[-1][0].point) < HAIR:
        result.pop()
    return result


def _rounded(before: Point, corner: Corner, after: Point) -> list[Segment]:
    """Return the way to a corner and, if it is rounded, around it."""
    x, y, radius = corner
    to_before = _unit(corner.point, before)
    to_after = _unit(corner.point, after)
    cosine = to_before[0] * to_after[0] + to_before[1] * to_after[1]
    angle = math.acos(max(-1.0, min(1.0, cosine)))
    if radius <= 0 or angle > math.pi - HAIR:
        return [("L", x, y)]
    reach = radius / math.tan(angle / 2)
    # A cubic's handles for an arc: 4/3·tan(a/4) of the radius (https://pomax.github.io/bezierinfo).
    handle = reach - 4 / 3 * math.tan((math.pi - angle) / 4) * radius

    def towards(unit: Point, distance: Mm) -> Point:
        return x + unit[0] * distance, y + unit[1] * distance

    start, end = towards(to_before, reach), towards(to_after, reach)
    handles = (*towards(to_before, handle), *towards(to_after, handle))
    return [("L", *start), ("C", *handles, *end)]


def _end(segment: Segment) -> Point:
    """Return the point that a segment ends at."""
    *_, x, y = segment[1:]
    return x, y


def _unit(start: Point, end: Point) -> Point:
    length = math.dist(start, end) or 1
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _beside(start: Point, end: Point, distance: Mm) -> tuple[Point, Point]:
    """Return a line through two points, moved to the left of the way from one to the other."""
    x, y = _unit(start, end)
    move = y * distance, -x * distance
    return (start[0] + move[0], start[1] + move[1]), (end[0] + move[0], end[1] + move[1])


def _crossing(one: tuple[Point, Point], other: tuple[Point, Point]) -> Point:
    """Return where two lines cross; where the second begins, if they do not."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if abs(across) < HAIR:
        return cx, cy
    share = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / across
    return ax + share * (bx - ax), ay + share * (by - ay)
