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
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from deckwright.base.geometry import Box
from deckwright.base.units import TOLERANCE, Mm
from deckwright.ops.model import Outline, Segment
from deckwright.sheet.cutters import Registration

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
        steps: list[tuple[Corner, str]] = []
        for step in self._walk_corners(self.pieces[0]):
            if steps and math.dist(steps[-1][0].point, step[0].point) < TOLERANCE:
                steps.pop()
            steps.append(step)
        while len(steps) > 1 and math.dist(steps[0][0].point, steps[-1][0].point) < TOLERANCE:
            steps.pop()
        paths = _round_corners([corner for corner, _ in steps])
        owners = [owner for _, owner in steps]
        edges = zip(owners, paths, [*paths[1:], paths[0]], strict=True)
        for owner, run in groupby(edges, key=itemgetter(0)):
            (_, before, first), *others = run
            *_, x, y = before[-1][1:]
            yield owner, (("M", x, y), *chain(first, *(path for *_, path in others)))

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
        lines: list[tuple[Point, Point]] = []
        for (a, b), reach in zip(edges, reaches, strict=True):
            # An edge runs clockwise, so that its outer side is to the left.
            x, y = _unit_vector(a.point, b.point)
            x, y = y * reach, -x * reach
            lines.append(((a.x + x, a.y + y), (b.x + x, b.y + y)))
        corners = [
            Corner(*_intersect_lines(lines[i - 1], lines[i]), corner.radius and corner.radius + by)
            for i, corner in enumerate(piece.corners)
        ]
        segments = [segment for path in _round_corners(corners) for segment in path]
        return (("M", *segments[0][1:]), *segments[1:], ("Z",))

    def _free_distance(self, piece: Piece, start: Corner, end: Corner, maximum: Mm) -> Mm:
        """Return the distance by which an edge of a piece can be moved outwards."""
        kin = {piece.parent, *self._attached_pieces(piece, start, end)}
        fold = piece.parent and start == piece.corners[-1] and end == piece.corners[0]
        if fold or len(kin) > 1:
            return 0
        length, along = math.dist(start.point, end.point), _unit_vector(start.point, end.point)
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


def _round_corners(corners: Sequence[Corner]) -> list[list[Segment]]:
    """Return the path to each corner of a closed outline and, if it is rounded, around it."""
    paths: list[list[Segment]] = []
    for i, corner in enumerate(corners):
        x, y, radius = corner
        before = _unit_vector(corner.point, corners[i - 1].point)
        after = _unit_vector(corner.point, corners[(i + 1) % len(corners)].point)
        cosine = before[0] * after[0] + before[1] * after[1]
        angle = math.acos(max(-1.0, min(1.0, cosine)))
        if radius <= 0 or angle > math.pi - TOLERANCE:
            paths.append([("L", x, y)])
            continue
        reach = radius / math.tan(angle / 2)
        # A cubic's handles for an arc: 4/3·tan(a/4) of the radius
        # (https://pomax.github.io/bezierinfo).
        handle = reach - 4 / 3 * math.tan((math.pi - angle) / 4) * radius
        steps = ((before, reach), (before, handle), (after, handle), (after, reach))
        start, *curve = [(x + unit[0] * by, y + unit[1] * by) for unit, by in steps]
        paths.append([("L", *start), ("C", *chain.from_iterable(curve))])
    return paths


def _unit_vector(start: Point, end: Point) -> Point:
    length = math.dist(start, end) or 1
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


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
    depth = copies * (thickness + film) + clearance
    return BoxInterior(card[0] + width + clearance, card[1] + height + clearance, depth)


def make_tuck_box(room: BoxInterior) -> Net:
    """Return the net of a box with these inner dimensions, its top left corner at 0, 0.

    The thickness of the board is added: half of it at each fold, the tuck and the flaps behind the
    back to the depth, the dust flaps to the height.
    """
    width = room.width + BOARD_THICKNESS
    depth = room.depth + 3 * BOARD_THICKNESS
    height = room.height + 3 * BOARD_THICKNESS
    # Its tuck goes behind the front, the bottom's flap behind the back.
    lid = depth - BOARD_THICKNESS
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

    # The thumb notch in the upper edge of the front, where the tuck shows.
    radius = min(9, width / 6, 0.6 * tuck)
    shoulder, middle = 0.15 * radius, front.x + width / 2
    left, right, bottom = middle - radius, middle + radius, above + radius + shoulder
    notch = (
        Corner(left, above, shoulder),
        Corner(left, bottom, radius),
        Corner(right, bottom, radius),
        Corner(right, above, shoulder),
    )

    ease = min(0.3, 0.05 * width)
    lid_width = width - 2 * ease
    lid_top = _flap_corners((back.x, above), (back.right, above), lid, ease)
    lid_bottom = _flap_corners((front.right, below), (front.x, below), lid, ease)
    # The tuck has round corners, to slide in.
    inset = min(0.5, 0.05 * lid_width)
    tuck_radius = min(7, 0.5 * tuck, 0.3 * lid_width)
    slide = _flap_corners(lid_top[1].point, lid_top[2].point, tuck, inset, 0, tuck_radius)
    hold_taper, seam_taper = min(0.5 * hold, 0.2 * lid_width), min(0.5 * seam, 0.2 * height)
    under = _flap_corners(lid_bottom[1].point, lid_bottom[2].point, hold, inset, hold_taper)
    start, end = (seam, below), (seam, above)
    seam_corners = _flap_corners(start, end, seam, min(0.8, 0.05 * height), seam_taper)
    pieces = [
        Piece("front", _box_corners(front), None, notch),
        Piece("right", _box_corners(sides[1]), "front"),
        Piece("back", _box_corners(back), "right"),
        Piece("left", (*_box_corners(sides[0])[2:], *_box_corners(sides[0])[:2]), "front"),
        Piece("top", lid_top, "back"),
        Piece("tuck", slide, "top"),
        Piece("bottom", lid_bottom, "front"),
        Piece("hold", under, "bottom"),
        Piece("seam", seam_corners, "left"),
    ]
    if depth >= MIN_DUST_DEPTH:
        shape = min(1.2, 0.1 * depth), min(0.2 * dust, 0.2 * depth), min(2.0, 0.2 * depth)
        for name, side in zip(("left", "right"), sides, strict=True):
            upper = _flap_corners((side.x, above), (side.right, above), dust, *shape)
            lower = _flap_corners((side.right, below), (side.x, below), dust, *shape)
            pieces.append(Piece(f"dust-top-{name}", upper, name))
            pieces.append(Piece(f"dust-bottom-{name}", lower, name))
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
    """Return whether the print on a piece is upside down: the lid hangs on the back."""
    return name in {"top", "tuck"}


def _box_corners(box: Box) -> tuple[Corner, ...]:
    """Return the corners of a box, clockwise from the top left."""
    left, top, right, bottom = box.x, box.y, box.right, box.bottom
    return Corner(left, top), Corner(right, top), Corner(right, bottom), Corner(left, bottom)


def _flap_corners(
    start: Point, end: Point, length: Mm, ease: Mm, taper: Mm = 0, radius: Mm = 0
) -> tuple[Corner, ...]:
    """Return the corners of a flap at an edge, whose outer side is to its left.

    Args:
        length: how far the flap reaches.
        ease: how far its fold stays clear of the ends of the edge.
        taper: how much further its outer corners do.
        radius: that of its outer corners.
    """
    x, y = _unit_vector(start, end)
    (x1, y1), (x2, y2) = start, end
    inset = ease + taper
    return (
        Corner(x1 + x * ease, y1 + y * ease),
        Corner(x1 + x * inset + y * length, y1 + y * inset - x * length, radius),
        Corner(x2 - x * inset + y * length, y2 - y * inset - x * length, radius),
        Corner(x2 - x * ease, y2 - y * ease),
    )
