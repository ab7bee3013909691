"""The net of a tuck box: four walls in a row, a lid that is tucked in, a bottom that is glued.

    seam │ left │ front │ right │ back
                                  lid with its tuck, above
                  bottom with its glue flap, below

The net is seen from its printed side. The seam is glued behind the back, the bottom's flap, too;
dust flaps on both sides close the corners, but for thin boxes. All lengths are mm, and those
between folds are from the middle of one fold to the middle of the next.
"""

from __future__ import annotations

from typing import NamedTuple

from deckwright.base.geometry import Box
from deckwright.base.units import HAIR, Mm
from deckwright.sheet.net import Corner, Net, Piece
from deckwright.sheet.registration import Registration

BOARD: Mm = 0.4
"""The thickness of the board that boxes are computed for: about 300 g/m²."""
MARGIN: Mm = 5
"""The edge of the paper that stays empty, as printers need it."""
FOOT: Mm = 15
"""The strip at the lower edge of the paper for a legend, a ruler and a footer."""
BLEED: Mm = 2.5

DUSTY: Mm = 5
"""The depth from which on a box has dust flaps; narrower ones would not fold."""

SLEEVE = (3.0, 4.0, 0.2)
"""By how much a sleeve makes a card wider, higher and thicker (two films of 0.1 mm)."""

WALLS = ("front", "back", "left", "right", "top", "bottom")
"""The pieces that are seen when the box is closed; all others are flaps."""
GLUED = ("seam", "hold")
"""The flaps that get glue on their printed side."""


class Room(NamedTuple):
    """The inside of a box."""

    width: Mm
    height: Mm
    depth: Mm


def room_for(
    card: tuple[Mm, Mm], copies: int, thickness: Mm, clearance: Mm, *, sleeved: bool = False
) -> Room:
    """Return the inside that a pile of cards needs.

    Args:
        card: width and height of the cards.
        thickness: of one card.
        clearance: how much larger the inside is than the pile, in each direction.
        sleeved: whether the cards are in sleeves.
    """
    width, height, film = SLEEVE if sleeved else (0.0, 0.0, 0.0)
    return Room(
        card[0] + width + clearance,
        card[1] + height + clearance,
        copies * (thickness + film) + clearance,
    )


def tuck_box(room: Room) -> Net:
    """Return the net of a box with this room inside, its top left corner at 0, 0.

    Board takes up room: half of it on each side of a fold, the tuck and the flaps behind the back
    in the depth, the dust flaps in the height.
    """
    width = room.width + BOARD
    depth = room.depth + 3 * BOARD
    height = room.height + 3 * BOARD
    lid = depth - BOARD  # its tuck goes behind the front, the bottom's flap behind the back
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
    top = _hung(Box(back.x + ease, above - lid, width - 2 * ease, lid), "below")
    bottom = _hung(Box(front.x + ease, below, width - 2 * ease, lid), "above")
    pieces = [
        Piece("front", _around(front), None, _notch(front, tuck)),
        Piece("right", _hung(sides[1], "left"), "front"),
        Piece("back", _hung(back, "left"), "right"),
        Piece("left", _hung(sides[0], "right"), "front"),
        Piece("top", top, "back"),
        Piece("tuck", _tuck(Box.of(corner.point for corner in top), tuck), "top"),
        Piece("bottom", bottom, "front"),
        Piece("hold", _hold(Box.of(corner.point for corner in bottom), hold), "bottom"),
        Piece("seam", _seam(sides[0], seam), "left"),
    ]
    if depth >= DUSTY:
        for name, side in zip(("left", "right"), sides, strict=True):
            pieces += [
                Piece(f"dust-top-{name}", _dust(side, dust, upwards=True), name),
                Piece(f"dust-bottom-{name}", _dust(side, dust, upwards=False), name),
            ]
    return Net(tuple(pieces))


def placed_on(net: Net, paper: tuple[Mm, Mm]) -> tuple[Net, tuple[Mm, Mm]] | None:
    """Return a net on a sheet of paper with the sheet's width and height; None if it is too large.

    The paper stands upright if it can, else it lies.

    Args:
        paper: its width and height, upright.
    """
    width, height = needed(net)
    for across, down in (paper, paper[::-1]):
        if width <= across and height <= down:
            box = net.box
            x, y = (across - box.width) / 2, (down - FOOT + MARGIN - box.height) / 2
            return net.moved(x - box.x, y - box.y), (across, down)
    return None


def placed_within(net: Net, marks: Registration) -> tuple[Net, Registration] | None:
    """Return a net in the middle of what a machine cuts, with the machine's marks as they lie.

    None if it is too large, or its print would be too near to the marks. The paper stands upright
    if it can, else it lies.

    Args:
        marks: on upright paper.
    """
    for each in (marks, marks.lying()):
        area, box = each.medium.area, net.box
        x, y = area.x + (area.width - box.width) / 2, area.y + (area.height - box.height) / 2
        moved = net.moved(x - box.x, y - box.y)
        printed = [piece.box.grown(BLEED) for piece in moved.pieces]
        if min(x - area.x, y - area.y) >= -HAIR and each.free(printed):
            return moved, each.longest_for(printed)
    return None


def needed(net: Net) -> tuple[Mm, Mm]:
    """Return width and height of the smallest paper that a net can be printed on."""
    edge = 2 * BLEED + MARGIN
    return net.box.width + edge + MARGIN, net.box.height + edge + FOOT


def turned(name: str) -> bool:
    """Return whether what is printed on a piece stands on its head.

    The lid hangs on the back and is read from the front.
    """
    return name in {"top", "tuck"}


def _around(box: Box) -> tuple[Corner, ...]:
    """Return the corners of a box, clockwise from the top left."""
    return (
        Corner(box.x, box.y),
        Corner(box.right, box.y),
        Corner(box.right, box.bottom),
        Corner(box.x, box.bottom),
    )


def _hung(box: Box, beside: str) -> tuple[Corner, ...]:
    """Return the corners of a box that hangs on what is to its left or right, above or below."""
    first = ("left", "above", "right", "below").index(beside)
    corners = _around(box)
    return corners[first:] + corners[:first]


def _tuck(lid: Box, length: Mm) -> tuple[Corner, ...]:
    """Return the tuck of a lid: a little narrower, with round corners, to slide in."""
    ease = min(0.5, 0.05 * lid.width)
    base = _hung(Box(lid.x + ease, lid.y - length, lid.width - 2 * ease, length), "below")
    radius = min(7, 0.5 * length, 0.3 * lid.width)
    return (base[0], *(c._replace(radius=radius) for c in base[1:3]), base[3])


def _hold(bottom: Box, length: Mm) -> tuple[Corner, ...]:
    """Return the flap of the bottom that is glued behind the back."""
    ease, taper = min(0.5, 0.05 * bottom.width), min(0.5 * length, 0.2 * bottom.width)
    left, right, y = bottom.x + ease, bottom.right - ease, bottom.bottom
    return (
        Corner(right, y),
        Corner(right - taper, y + length),
        Corner(left + taper, y + length),
        Corner(left, y),
    )


def _seam(side: Box, length: Mm) -> tuple[Corner, ...]:
    """Return the flap that is glued behind the back."""
    ease, taper = min(0.8, 0.05 * side.height), min(0.5 * length, 0.2 * side.height)
    top, bottom, x = side.y + ease, side.bottom - ease, side.x
    return (
        Corner(x, bottom),
        Corner(x - length, bottom - taper),
        Corner(x - length, top + taper),
        Corner(x, top),
    )


def _dust(side: Box, length: Mm, *, upwards: bool) -> tuple[Corner, ...]:
    """Return a dust flap, which goes in below the lid or the bottom."""
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


def _notch(front: Box, tuck: Mm) -> tuple[Corner, ...]:
    """Return the place for a thumb in the upper edge of the front, where the tuck shows."""
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
