"""The net of a tuck box: four walls in a row, a lid with a tuck, a glued bottom.

    seam │ left │ front │ right │ back
                                  lid with its tuck, above
                  bottom with its glue flap, below

The net is seen from its printed side. The seam and the bottom's flap are glued behind the back;
except for thin boxes, dust flaps on both sides close the corners. Lengths are mm, measured between
the middles of folds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from deckwright.base.geometry import Box
from deckwright.base.units import TOLERANCE, Mm
from deckwright.ops.model import Outline, Segment
from deckwright.sheet.registration import Registration

Point = tuple[Mm, Mm]


class Corner(NamedTuple):
    """A corner of a piece, with the radius of its rounding; 0 for a sharp one."""

    x: Mm
    y: Mm
    radius: Mm = 0

    @property
    def point(self) -> Point:
        """Its position without rounding."""
        return self.x, self.y


class Piece(NamedTuple):
    """A piece of a net.

    Attributes:
        corners: its corners; if it has a parent, from the start of its fold to the end.
        parent: the name of the piece that it is attached to, None for the first of a net.
        notch: the corners of the notch in its first edge.
    """

    name: str
    corners: tuple[Corner, ...]
    parent: str | None = None
    notch: tuple[Corner, ...] = ()

    @property
    def box(self) -> Box:
        """Its bounding box."""
        return Box.of(corner.point for corner in self.corners)

    @property
    def fold(self) -> tuple[Point, Point] | None:
        """The fold to its parent, None for the first of a net."""
        return (self.corners[0].point, self.corners[-1].point) if self.parent else None

    def edges(self) -> Iterator[tuple[Corner, Corner]]:
        """Yield its edges; the last one is its fold, if it has one."""
        return pairwise((*self.corners, self.corners[0]))

    def translate(self, x: Mm, y: Mm) -> Piece:
        """Return the piece moved by x, y."""

        def move(corners: tuple[Corner, ...]) -> tuple[Corner, ...]:
            return tuple(Corner(c.x + x, c.y + y, c.radius) for c in corners)

        return self._replace(corners=move(self.corners), notch=move(self.notch))


class Net(NamedTuple):
    """Pieces that are cut out as one; the others are attached to the first."""

    pieces: tuple[Piece, ...]

    def piece(self, name: str) -> Piece:
        """Return the piece with this name."""
        return next(piece for piece in self.pieces if piece.name == name)

    @property
    def box(self) -> Box:
        """The bounding box of all pieces."""
        return Box.around(piece.box for piece in self.pieces)

    def translate(self, x: Mm, y: Mm) -> Net:
        """Return the net moved by x, y."""
        return Net(tuple(piece.translate(x, y) for piece in self.pieces))

    def outline(self) -> Outline:
        """Return the closed outline of the net."""
        segments = [segment for _, run in self.cuts() for segment in run]
        first, *others = segments
        return (first, *(segment for segment in others if segment[0] != "M"), ("Z",))

    def cuts(self) -> Iterator[tuple[str, Outline]]:
        """Yield the outline in runs, each with the name of the piece whose edge it is."""
        steps = _drop_duplicates(self._walk_corners(self.pieces[0]))
        corners = [corner for corner, _ in steps]
        rounded = [
            _round_corner(corners[i - 1].point, corner, corners[(i + 1) % len(corners)].point)
            for i, corner in enumerate(corners)
        ]
        run: list[Segment] = []
        name = steps[0][1]
        for number, (_, owner) in enumerate(steps):
            arc, following = rounded[number], rounded[(number + 1) % len(rounded)]
            if owner != name or not run:
                if run:
                    yield name, tuple(run)
                name, run = owner, [("M", *_end_point(arc[-1]))]
            run += following
        yield name, tuple(run)

    def folds(self) -> Iterator[tuple[Piece, tuple[Point, Point]]]:
        """Yield the pieces attached to others, with their folds."""
        for piece in self.pieces:
            if piece.fold:
                yield piece, piece.fold

    def grow_piece(self, piece: Piece, by: Mm) -> Outline:
        """Return the outline of a piece, extended at its free edges but not over other pieces.

        Folds are not moved.
        """
        edges = list(piece.edges())
        reaches = [self._free_distance(piece, start, end, by) for start, end in edges]
        lines = [
            _offset_line(a.point, b.point, reach)
            for (a, b), reach in zip(edges, reaches, strict=True)
        ]
        corners = [
            Corner(*_intersect_lines(lines[i - 1], lines[i]), corner.radius and corner.radius + by)
            for i, corner in enumerate(piece.corners)
        ]
        segments = [
            segment
            for i, corner in enumerate(corners)
            for segment in _round_corner(
                corners[i - 1].point, corner, corners[(i + 1) % len(corners)].point
            )
        ]
        return (("M", *segments[0][1:]), *segments[1:], ("Z",))

    def _free_distance(self, piece: Piece, start: Corner, end: Corner, maximum: Mm) -> Mm:
        """Return the distance by which an edge of a piece can be moved outwards."""
        kin = {piece.parent, *self._attached_pieces(piece, start, end)}
        fold = piece.parent and start == piece.corners[-1] and end == piece.corners[0]
        if fold or len(kin) > 1:
            return 0
        length = math.dist(start.point, end.point)
        along = ((end.x - start.x) / length, (end.y - start.y) / length)
        room = maximum
        for other in self.pieces:
            if other.name in kin or other is piece:
                continue
            steps = [(c.x - start.x, c.y - start.y) for c in other.corners]
            places = [x * along[0] + y * along[1] for x, y in steps]
            distance = min(x * along[1] - y * along[0] for x, y in steps)
            beside = max(places) > TOLERANCE and min(places) < length - TOLERANCE
            if beside and distance > -TOLERANCE:
                room = min(room, max(0, distance))
        return room

    def _attached_pieces(self, piece: Piece, start: Corner, end: Corner) -> list[str]:
        """Return the names of the pieces attached to an edge, in order."""
        attached = []
        for other in self.pieces:
            if other.parent == piece.name and other.fold:
                first, last = other.fold
                length = math.dist(start.point, end.point)
                ways = [math.dist(start.point, p) + math.dist(p, end.point) for p in (first, last)]
                if max(ways) < length + TOLERANCE:
                    attached.append((math.dist(start.point, first), other.name))
        return [name for _, name in sorted(attached)]

    def _walk_corners(self, piece: Piece) -> Iterator[tuple[Corner, str]]:
        """Yield the corners around a piece and all pieces attached to it.

        Each comes with the name of the piece whose edge leads to the next corner.
        """
        edges = list(piece.edges())
        for number, (start, end) in enumerate(edges[:-1] if piece.parent else edges):
            yield start, piece.name
            if not number:
                yield from ((corner, piece.name) for corner in piece.notch)
            for name in self._attached_pieces(piece, start, end):
                yield from self._walk_corners(self.piece(name))
        if piece.parent:
            yield piece.corners[-1], piece.parent


def _drop_duplicates(steps: Iterator[tuple[Corner, str]]) -> list[tuple[Corner, str]]:
    """Return the corners without repeated ones."""
    result: list[tuple[Corner, str]] = []
    for step in steps:
        if result and math.dist(result[-1][0].point, step[0].point) < TOLERANCE:
            result.pop()
        result.append(step)
    while len(result) > 1 and math.dist(result[0][0].point, result[-1][0].point) < TOLERANCE:
        result.pop()
    return result


def _round_corner(before: Point, corner: Corner, after: Point) -> list[Segment]:
    """Return the path to a corner and, if it is rounded, around it."""
    x, y, radius = corner
    to_before = _unit_vector(corner.point, before)
    to_after = _unit_vector(corner.point, after)
    cosine = to_before[0] * to_after[0] + to_before[1] * to_after[1]
    angle = math.acos(max(-1.0, min(1.0, cosine)))
    if radius <= 0 or angle > math.pi - TOLERANCE:
        return [("L", x, y)]
    reach = radius / math.tan(angle / 2)
    # A cubic's handles for an arc: 4/3·tan(a/4) of the radius (https://pomax.github.io/bezierinfo).
    handle = reach - 4 / 3 * math.tan((math.pi - angle) / 4) * radius

    def towards(unit: Point, distance: Mm) -> Point:
        return x + unit[0] * distance, y + unit[1] * distance

    start, end = towards(to_before, reach), towards(to_after, reach)
    handles = (*towards(to_before, handle), *towards(to_after, handle))
    return [("L", *start), ("C", *handles, *end)]


def _end_point(segment: Segment) -> Point:
    """Return the end point of a segment."""
    *_, x, y = segment[1:]
    return x, y


def _unit_vector(start: Point, end: Point) -> Point:
    length = math.dist(start, end) or 1
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _offset_line(start: Point, end: Point, distance: Mm) -> tuple[Point, Point]:
    """Return the line through two points, shifted to the left of its direction."""
    x, y = _unit_vector(start, end)
    move = y * distance, -x * distance
    return (start[0] + move[0], start[1] + move[1]), (end[0] + move[0], end[1] + move[1])


def _intersect_lines(one: tuple[Point, Point], other: tuple[Point, Point]) -> Point:
    """Return the intersection of two lines; for parallel ones, the start of the second."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if abs(across) < TOLERANCE:
        return cx, cy
    share = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / across
    return ax + share * (bx - ax), ay + share * (by - ay)


BOARD_THICKNESS: Mm = 0.4
"""The thickness of the assumed board, about 300 g/m²."""
PAPER_MARGIN: Mm = 5
"""The margin of the paper that stays empty, as printers need it."""
FOOT_HEIGHT: Mm = 15
"""The strip at the lower edge of the paper for a legend, a ruler and a footer."""
NET_BLEED: Mm = 2.5

MIN_DUST_DEPTH: Mm = 5
"""The smallest depth of a box with dust flaps; narrower ones would not fold."""

SLEEVE_ALLOWANCE = (3.0, 4.0, 0.2)
"""The width, height and thickness added by a sleeve (two films of 0.1 mm)."""

WALLS = ("front", "back", "left", "right", "top", "bottom")
"""The pieces visible when the box is closed; all others are flaps."""
GLUED_PIECES = ("seam", "hold")
"""The flaps with glue on their printed side."""


class BoxInterior(NamedTuple):
    """The inner dimensions of a box."""

    width: Mm
    height: Mm
    depth: Mm


def interior_for(
    card: tuple[Mm, Mm], copies: int, thickness: Mm, clearance: Mm, *, sleeved: bool = False
) -> BoxInterior:
    """Return the inner dimensions for a pile of cards.

    Args:
        card: the width and height of the cards.
        thickness: the thickness of a card.
        clearance: the amount by which the inside is larger than the pile, in each direction.
        sleeved: whether the cards are in sleeves.
    """
    width, height, film = SLEEVE_ALLOWANCE if sleeved else (0.0, 0.0, 0.0)
    return BoxInterior(
        card[0] + width + clearance,
        card[1] + height + clearance,
        copies * (thickness + film) + clearance,
    )


def make_tuck_box(room: BoxInterior) -> Net:
    """Return the net of a box with these inner dimensions, its top left corner at 0, 0.

    The thickness of the board is added: half of it at each fold, the tuck and the flaps behind the
    back to the depth, the dust flaps to the height.
    """
    width = room.width + BOARD_THICKNESS
    depth = room.depth + 3 * BOARD_THICKNESS
    height = room.height + 3 * BOARD_THICKNESS
    lid = (
        depth - BOARD_THICKNESS
    )  # its tuck goes behind the front, the bottom's flap behind the back
    tuck = min(max(0.75 * depth, 13), 18, 0.4 * height)
    hold = min(11, 0.3 * height)
    dust = min(max(0.8 * depth, 10), 18, 0.45 * width, 0.4 * height)
    seam = min(11, 0.3 * width)

    xs = {"left": seam, "front": seam + depth, "right": seam + depth + width}
    xs["back"] = xs["right"] + depth
    above = max(lid + tuck, dust)
    below = above + height
    front = Box(xs["front"], above, width, height)
    back = front._replace(x=xs["back"])
    sides = [Box(xs[name], above, depth, height) for name in ("left", "right")]

    ease = min(0.3, 0.05 * width)
    top = _hinged_corners(Box(back.x + ease, above - lid, width - 2 * ease, lid), "below")
    bottom = _hinged_corners(Box(front.x + ease, below, width - 2 * ease, lid), "above")
    pieces = [
        Piece("front", _box_corners(front), None, _notch_corners(front, tuck)),
        Piece("right", _hinged_corners(sides[1], "left"), "front"),
        Piece("back", _hinged_corners(back, "left"), "right"),
        Piece("left", _hinged_corners(sides[0], "right"), "front"),
        Piece("top", top, "back"),
        Piece("tuck", _tuck_corners(Box.of(corner.point for corner in top), tuck), "top"),
        Piece("bottom", bottom, "front"),
        Piece("hold", _hold_corners(Box.of(corner.point for corner in bottom), hold), "bottom"),
        Piece("seam", _seam_corners(sides[0], seam), "left"),
    ]
    if depth >= MIN_DUST_DEPTH:
        for name, side in zip(("left", "right"), sides, strict=True):
            pieces += [
                Piece(f"dust-top-{name}", _dust_corners(side, dust, upwards=True), name),
                Piece(f"dust-bottom-{name}", _dust_corners(side, dust, upwards=False), name),
            ]
    return Net(tuple(pieces))


def place_on_paper(net: Net, paper: tuple[Mm, Mm]) -> tuple[Net, tuple[Mm, Mm]] | None:
    """Return a net centered on paper, with the size of the oriented paper; None if too large.

    Portrait is preferred to landscape.

    Args:
        paper: its width and height in portrait.
    """
    width, height = required_paper(net)
    for across, down in (paper, paper[::-1]):
        if width <= across and height <= down:
            box = net.box
            x, y = (across - box.width) / 2, (down - FOOT_HEIGHT + PAPER_MARGIN - box.height) / 2
            return net.translate(x - box.x, y - box.y), (across, down)
    return None


def place_within_marks(net: Net, marks: Registration) -> tuple[Net, Registration] | None:
    """Return a net centered in a machine's cutting area, with the oriented marks.

    None if it is too large or too near to the marks. Portrait is preferred to landscape.

    Args:
        marks: the marks on paper in portrait.
    """
    for each in (marks, marks.rotate()):
        area, box = each.medium.area, net.box
        x, y = area.x + (area.width - box.width) / 2, area.y + (area.height - box.height) / 2
        moved = net.translate(x - box.x, y - box.y)
        printed = [piece.box.expand(NET_BLEED) for piece in moved.pieces]
        if min(x - area.x, y - area.y) >= -TOLERANCE and each.is_free(printed):
            return moved, each.extend_arms(printed)
    return None


def required_paper(net: Net) -> tuple[Mm, Mm]:
    """Return the width and height of the smallest paper for a net."""
    edge = 2 * NET_BLEED + PAPER_MARGIN
    return net.box.width + edge + PAPER_MARGIN, net.box.height + edge + FOOT_HEIGHT


def is_upside_down(name: str) -> bool:
    """Return whether the print on a piece is upside down.

    The lid is attached to the back but read from the front.
    """
    return name in {"top", "tuck"}


def _box_corners(box: Box) -> tuple[Corner, ...]:
    """Return the corners of a box, clockwise from the top left."""
    return (
        Corner(box.x, box.y),
        Corner(box.right, box.y),
        Corner(box.right, box.bottom),
        Corner(box.x, box.bottom),
    )


def _hinged_corners(box: Box, beside: str) -> tuple[Corner, ...]:
    """Return the corners of a box that is attached at the given side."""
    first = ("left", "above", "right", "below").index(beside)
    corners = _box_corners(box)
    return corners[first:] + corners[:first]


def _tuck_corners(lid: Box, length: Mm) -> tuple[Corner, ...]:
    """Return the tuck of a lid: slightly narrower, with round corners, to slide in."""
    ease = min(0.5, 0.05 * lid.width)
    base = _hinged_corners(Box(lid.x + ease, lid.y - length, lid.width - 2 * ease, length), "below")
    radius = min(7, 0.5 * length, 0.3 * lid.width)
    return (base[0], *(c._replace(radius=radius) for c in base[1:3]), base[3])


def _hold_corners(bottom: Box, length: Mm) -> tuple[Corner, ...]:
    """Return the flap of the bottom, which is glued behind the back."""
    ease, taper = min(0.5, 0.05 * bottom.width), min(0.5 * length, 0.2 * bottom.width)
    left, right, y = bottom.x + ease, bottom.right - ease, bottom.bottom
    return (
        Corner(right, y),
        Corner(right - taper, y + length),
        Corner(left + taper, y + length),
        Corner(left, y),
    )


def _seam_corners(side: Box, length: Mm) -> tuple[Corner, ...]:
    """Return the seam, a flap that is glued behind the back."""
    ease, taper = min(0.8, 0.05 * side.height), min(0.5 * length, 0.2 * side.height)
    top, bottom, x = side.y + ease, side.bottom - ease, side.x
    return (
        Corner(x, bottom),
        Corner(x - length, bottom - taper),
        Corner(x - length, top + taper),
        Corner(x, top),
    )


def _dust_corners(side: Box, length: Mm, *, upwards: bool) -> tuple[Corner, ...]:
    """Return a dust flap, which goes under the lid or the bottom."""
    ease, taper = min(1.2, 0.1 * side.width), min(0.2 * length, 0.2 * side.width)
    left, right = side.x + ease, side.right - ease
    radius = min(2.0, 0.2 * side.width)
    start, step = (side.y, -length) if upwards else (side.bottom, length)
    corners = (
        Corner(left, start),
        Corner(left + taper, start + step, radius),
        Corner(right - taper, start + step, radius),
        Corner(right, start),
    )
    return corners if upwards else corners[::-1]


def _notch_corners(front: Box, tuck: Mm) -> tuple[Corner, ...]:
    """Return the thumb notch in the upper edge of the front, where the tuck shows."""
    radius = min(9, front.width / 6, 0.6 * tuck)
    shoulder = 0.15 * radius
    middle, depth = front.x + front.width / 2, radius + shoulder
    left, right = middle - radius, middle + radius
    return (
        Corner(left, front.y, shoulder),
        Corner(left, front.y + depth, radius),
        Corner(right, front.y + depth, radius),
        Corner(right, front.y, shoulder),
    )
