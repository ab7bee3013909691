"""The geometry of tuck boxes: their nets, and what they fold to."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckwright.base.geometry import Box
from deckwright.base.units import PAPER_SIZES
from deckwright.ops.model import Outline, Segment
from deckwright.outputs.tuckbox import BOX_PAPERS
from deckwright.sheet.tuckbox import (
    BOARD_THICKNESS,
    FOOT_HEIGHT,
    MIN_DUST_DEPTH,
    NET_BLEED,
    PAPER_MARGIN,
    WALLS,
    BoxInterior,
    Net,
    Piece,
    interior_for,
    is_upside_down,
    make_tuck_box,
    place_on_paper,
    required_paper,
)

HAIR = 1e-6

sides = st.floats(10, 200)
rooms = st.builds(BoxInterior, sides, sides, st.floats(0.3, 120))
nets = rooms.map(make_tuck_box)


def end_of(segment: Segment) -> tuple[float, float]:
    *_, x, y = (float(number) for number in segment[1:])
    return x, y


def steps(outline: Outline) -> list[tuple[float, float]]:
    """Return an outline as a polygon of many sides."""
    points: list[tuple[float, float]] = []
    for segment in outline:
        numbers = [float(number) for number in segment[1:]]
        if segment[0] in {"M", "L"}:
            points.append((numbers[0], numbers[1]))
        elif segment[0] == "C":
            (x0, y0), (x1, y1, x2, y2, x3, y3) = points[-1], numbers
            for part in range(1, 33):
                t = part / 32
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                points.append(
                    (a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3)
                )
    return points


def area(outline: Outline) -> float:
    points = steps(outline)
    pairs = itertools.pairwise([*points, points[0]])
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs) / 2


def holds(polygon: list[tuple[float, float]], x: float, y: float) -> bool:
    inside = False
    for (x1, y1), (x2, y2) in itertools.pairwise([*polygon, polygon[0]]):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


def bounds(outline: Outline) -> Box:
    xs, ys = zip(*steps(outline), strict=True)
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


@given(st.floats(10, 200), st.floats(10, 200), st.integers(1, 500), st.floats(0.05, 5), sides)
def test_the_inside_is_the_pile_and_the_clearance(
    width: float, height: float, copies: int, thickness: float, clearance: float
) -> None:
    room = interior_for((width, height), copies, thickness, clearance)
    assert room == (width + clearance, height + clearance, copies * thickness + clearance)
    sleeved = interior_for((width, height), copies, thickness, clearance, sleeved=True)
    assert all(wide > bare for wide, bare in zip(sleeved, room, strict=True))


@given(rooms)
def test_walls_hold_the_room_and_the_board_that_lies_in_it(room: BoxInterior) -> None:
    net = make_tuck_box(room)
    boxes = {name: net.piece(name).box for name in WALLS}
    for name in ("front", "back"):
        assert boxes[name].width == pytest.approx(room.width + BOARD_THICKNESS)
        assert boxes[name].height == pytest.approx(room.height + 3 * BOARD_THICKNESS)
    for name in ("left", "right"):
        assert boxes[name].width == pytest.approx(room.depth + 3 * BOARD_THICKNESS)
        assert boxes[name].height == pytest.approx(boxes["front"].height)
    for name in ("top", "bottom"):
        assert boxes[name].height == pytest.approx(boxes["left"].width - BOARD_THICKNESS)
        assert room.width - 0.05 * room.width < boxes[name].width < boxes["front"].width
    row = sum(boxes[name].width for name in ("left", "front", "right", "back"))
    assert row == pytest.approx(2 * (room.width + room.depth) + 8 * BOARD_THICKNESS)
    assert net.box.width == pytest.approx(row + net.piece("seam").box.width)


@given(rooms)
def test_flaps_are_no_longer_than_the_box_allows(room: BoxInterior) -> None:
    net = make_tuck_box(room)
    front, tuck = net.piece("front"), net.piece("tuck").box
    assert 0 < tuck.height < room.height / 2 + BOARD_THICKNESS
    assert tuck.width < net.piece("top").box.width
    assert 0 < net.piece("hold").box.height < room.height / 2
    assert 0 < net.piece("seam").box.width < room.width / 2
    notch = [corner.y - front.box.y for corner in front.notch]
    assert 0 < max(notch) < tuck.height
    dust = [piece for piece in net.pieces if piece.name.startswith("dust")]
    assert len(dust) == (4 if room.depth + 3 * BOARD_THICKNESS >= MIN_DUST_DEPTH else 0)
    for piece in dust:
        assert piece.box.height < front.box.width / 2
        assert piece.box.height < front.box.height / 2


@pytest.mark.parametrize(
    ("room", "tuck", "hold", "dust", "seam"),
    [
        (BoxInterior(66, 91, 4), 13, 11, 10, 11),
        (BoxInterior(66, 91, 21), 16.65, 11, 17.76, 11),
        (BoxInterior(66, 91, 60), 18, 11, 18, 11),
        (BoxInterior(66, 18, 60), 7.68, 5.76, 7.68, 11),
        (BoxInterior(19, 91, 60), 18, 11, 8.73, 5.82),
    ],
)
def test_flaps_are_as_long_as_they_hold_best(
    room: BoxInterior, tuck: float, hold: float, dust: float, seam: float
) -> None:
    """A shallow box has flaps of a least length, a deep one those of a greatest."""
    net = make_tuck_box(room)
    boxes = {piece.name: piece.box for piece in net.pieces}
    seen = boxes["tuck"].height, boxes["hold"].height, boxes["seam"].width
    assert seen == pytest.approx((tuck, hold, seam))
    dusty = [boxes[name].height for name in boxes if name.startswith("dust")]
    assert dusty == pytest.approx([dust] * len(dusty))


@given(nets)
def test_pieces_do_not_overlap(net: Net) -> None:
    for one, other in itertools.combinations([piece.box for piece in net.pieces], 2):
        across = min(one.right, other.right) - max(one.x, other.x)
        down = min(one.bottom, other.bottom) - max(one.y, other.y)
        assert min(across, down) < HAIR


@given(nets)
def test_the_cut_is_one_closed_line_around_all_pieces(net: Net) -> None:
    outline = net.outline()
    assert [segment[0] for segment in outline].count("M") == 1
    assert (outline[0][0], outline[-1]) == ("M", ("Z",))
    assert math.dist(end_of(outline[0]), end_of(outline[-2])) < HAIR
    left, depth = net.piece("front").notch[:2]
    shoulder, radius = left.radius, depth.radius
    notch = 2 * radius * shoulder + math.pi / 2 * radius**2 + (2 - math.pi / 2) * shoulder**2
    pieces = sum(area(net.grow_piece(piece, 0)) for piece in net.pieces)
    assert area(outline) == pytest.approx(pieces - notch, rel=1e-3)
    polygon = steps(outline)
    for piece in net.pieces:
        box = piece.box
        assert holds(polygon, box.x + box.width / 2, box.y + box.height / 2)
    low = net.piece("front").box
    for x, y in ((low.x, low.y), (low.right, low.y), (low.x, low.bottom), (low.right, low.bottom)):
        middle = low.x + low.width / 2, low.y + low.height / 2
        assert holds(polygon, x + (middle[0] - x) / 20, y + (middle[1] - y) / 20)


@given(nets)
def test_the_runs_of_the_cut_follow_each_other_along_their_pieces(net: Net) -> None:
    runs = list(net.cuts())
    for (_, one), (_, other) in itertools.pairwise([*runs, runs[0]]):
        assert math.dist(end_of(one[-1]), end_of(other[0])) < HAIR
    for name, run in runs:
        box, reach = net.piece(name).box, HAIR
        for x, y in steps(run):
            assert box.x - reach <= x <= box.right + reach
            assert box.y - reach <= y <= box.bottom + reach
    assert {name for name, _ in runs} == {piece.name for piece in net.pieces}


def on_an_edge(piece: Piece, x: float, y: float) -> bool:
    return any(
        math.dist(a.point, (x, y)) + math.dist((x, y), b.point) < math.dist(a.point, b.point) + HAIR
        for a, b in piece.edges()
    )


@given(nets)
def test_folds_lie_on_the_edges_of_both_pieces(net: Net) -> None:
    folds = list(net.folds())
    assert len(folds) == len(net.pieces) - 1
    for piece, ends in folds:
        parent = net.piece(piece.parent or "")
        for x, y in ends:
            assert on_an_edge(piece, x, y)
            assert on_an_edge(parent, x, y)


class Frame(NamedTuple):
    """Where the plane of a piece is in space: an origin, its x and y, and its printed side."""

    origin: tuple[float, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    normal: tuple[float, ...]

    def at(self, point: tuple[float, float]) -> tuple[float, ...]:
        x, y = point
        return tuple(o + x * a + y * b for o, a, b in zip(self.origin, self.x, self.y, strict=True))


def folded(net: Net) -> dict[str, Frame]:
    """Fold every piece backwards by a right angle."""
    frames = {net.pieces[0].name: Frame((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))}
    for piece, (start, end) in net.folds():
        frame = frames[piece.parent or ""]
        length = math.dist(start, end)
        kx, ky = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        outward = (ky, -kx)

        def turned_axis(x: float, y: float, frame: Frame = frame, k: tuple[float, float] = (kx, ky),
                        o: tuple[float, float] = outward) -> tuple[float, ...]:  # fmt: skip
            along, out = x * k[0] + y * k[1], x * o[0] + y * o[1]
            k3 = [k[0] * a + k[1] * b for a, b in zip(frame.x, frame.y, strict=True)]
            return tuple(along * a - out * n for a, n in zip(k3, frame.normal, strict=True))

        x, y = turned_axis(1, 0), turned_axis(0, 1)
        hinge = frame.at(start)
        origin = tuple(h - start[0] * a - start[1] * b for h, a, b in zip(hinge, x, y, strict=True))
        normal = tuple(
            outward[0] * a + outward[1] * b for a, b in zip(frame.x, frame.y, strict=True)
        )
        frames[piece.name] = Frame(origin, x, y, normal)
    return frames


@given(nets)
def test_folded_it_is_a_box_with_its_print_outside(net: Net) -> None:
    """The back meets the seam, the lid reaches the front, and the bottom reaches the back."""
    space = folded(net)
    front, depth = net.piece("front").box, net.piece("left").box.width
    back = net.piece("back").box
    seam = net.piece("left").box
    for y in (front.y, front.bottom):
        met = space["back"].at((back.right, y)), space["left"].at((seam.x, y))
        assert math.dist(*met) < HAIR
        assert met[0] == pytest.approx((front.x, y, -depth))
    x, y, z = space["top"].at(net.piece("tuck").corners[0].point)
    assert front.x < x < front.right
    assert (y, z) == pytest.approx((front.y, -BOARD_THICKNESS))
    x, y, z = space["bottom"].at(net.piece("hold").corners[0].point)
    assert front.x < x < front.right
    assert (y, z) == pytest.approx((front.bottom, BOARD_THICKNESS - depth))
    normals = {name: frame.normal for name, frame in space.items()}
    assert normals["back"] == pytest.approx((0, 0, -1))
    assert normals["left"] == pytest.approx((-1, 0, 0))
    assert normals["top"] == pytest.approx((0, -1, 0))
    assert normals["bottom"] == pytest.approx((0, 1, 0))
    # The lid hangs on the back: from the front it is read the right way only if it is turned.
    assert is_upside_down("top")
    assert space["top"].x == pytest.approx((-1, 0, 0))
    assert not is_upside_down("bottom")
    assert space["bottom"].x == pytest.approx((1, 0, 0))


@given(rooms, st.sampled_from(BOX_PAPERS))
def test_what_is_placed_is_within_the_margins(room: BoxInterior, paper: str) -> None:
    net = make_tuck_box(room)
    placed = place_on_paper(net, PAPER_SIZES[paper])
    short, long = sorted(required_paper(net))
    assert (placed is not None) == any(
        required_paper(net)[0] <= width and required_paper(net)[1] <= height
        for width, height in (PAPER_SIZES[paper], PAPER_SIZES[paper][::-1])
    )
    if placed is None:
        return
    moved, (width, height) = placed
    assert sorted((width, height)) == sorted(PAPER_SIZES[paper])
    assert short <= min(width, height)
    assert long <= max(width, height)
    for piece in moved.pieces:
        box = bounds(moved.grow_piece(piece, NET_BLEED))
        assert box.x >= PAPER_MARGIN - HAIR
        assert box.y >= PAPER_MARGIN - HAIR
        assert box.right <= width - PAPER_MARGIN + HAIR
        assert box.bottom <= height - FOOT_HEIGHT + HAIR


@given(nets)
def test_bleed_goes_beyond_every_cut_but_onto_no_other_wall(net: Net) -> None:
    for piece in net.pieces:
        box, grown = piece.box, bounds(net.grow_piece(piece, NET_BLEED))
        assert grown.x <= box.x + HAIR
        assert grown.right >= box.right - HAIR
        for other in net.pieces:
            if other.name in WALLS and other is not piece:
                wall = other.box
                across = min(grown.right, wall.right) - max(grown.x, wall.x)
                down = min(grown.bottom, wall.bottom) - max(grown.y, wall.y)
                assert min(across, down) < HAIR
    back, tuck = net.piece("back"), net.piece("tuck")
    assert bounds(net.grow_piece(back, NET_BLEED)).right == pytest.approx(
        back.box.right + NET_BLEED
    )
    assert bounds(net.grow_piece(back, NET_BLEED)).bottom == pytest.approx(
        back.box.bottom + NET_BLEED
    )
    assert bounds(net.grow_piece(tuck, NET_BLEED)).y == pytest.approx(tuck.box.y - NET_BLEED)


@pytest.mark.parametrize("cards", [28, 41, 60])
def test_the_boxes_of_the_shipped_game_fit_on_a4(cards: int) -> None:
    placed = place_on_paper(make_tuck_box(interior_for((65, 90), cards, 0.3, 1)), PAPER_SIZES["a4"])
    assert placed is not None
    assert placed[1] == (210, 297)


def test_the_paper_lies_where_it_must() -> None:
    placed = place_on_paper(make_tuck_box(interior_for((65, 90), 90, 0.3, 1)), PAPER_SIZES["a4"])
    assert placed is not None
    assert placed[1] == (297, 210)


def test_a_fillet_is_a_part_of_a_circle() -> None:
    tuck = make_tuck_box(BoxInterior(66, 91, 10)).piece("tuck")
    start, corner = tuck.corners[0], tuck.corners[1]
    middle = corner.x + corner.radius, corner.y + corner.radius
    arc = [
        (x, y)
        for x, y in steps(make_tuck_box(BoxInterior(66, 91, 10)).grow_piece(tuck, 0))
        if x < middle[0] - HAIR and y < middle[1] - HAIR
    ]
    assert len(arc) > 20
    assert all(math.dist(point, middle) == pytest.approx(corner.radius, rel=1e-3) for point in arc)
    assert start.radius == 0
