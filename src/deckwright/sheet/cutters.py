"""Cutting machines: their media, the registration marks that they read, and what they cut.

A machine cuts only in a part of the sheet, and print near its marks confuses it. The grid is still
centered on the paper, so that backs lie behind their faces.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from itertools import takewhile
from types import MappingProxyType
from typing import NamedTuple, Self

from deckwright.base.findings import Code, Report, Severity
from deckwright.base.geometry import Box
from deckwright.base.units import TOLERANCE, Mm
from deckwright.ops.model import FillPath, Outline
from deckwright.ops.outlines import ellipse, polygon, rectangle
from deckwright.xmlio.binding import Choice, attr, bound, elements
from deckwright.xmlio.shape import NAME, POSITIVE_LENGTH, Value, one_of

E090 = Code("E090", Severity.ERROR, "a sheet that a cutting machine cannot cut")

_INK = "#000000"
_ARM_STEP: Mm = 0.5
"""Lengths of arms are multiples of this, because users type them in."""


class MarkShape(Choice):
    """The shape of a mark; corners and frames are lines along the frame of all marks."""

    SQUARE = "square", "filled"
    DISC = "disc", "filled"
    CORNER = "corner", "two lines, as an L"
    FRAME = "frame", "lines all around"


class FrameCorner(Choice):
    """The corner of the frame with a mark, in the orientation of the sheet."""

    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM_RIGHT = "bottom-right"

    @property
    def left(self) -> bool:
        """True for the left corners."""
        return self in {FrameCorner.TOP_LEFT, FrameCorner.BOTTOM_LEFT}

    @property
    def top(self) -> bool:
        """True for the top corners."""
        return self in {FrameCorner.TOP_LEFT, FrameCorner.TOP_RIGHT}


@bound
class Mark(NamedTuple):
    """A mark that the machine reads.

    Attributes:
        size: the width of a square or disc, whose outer edges are on the frame.
    """

    shape: MarkShape = attr("its shape")
    corner: FrameCorner = attr(
        "its position; not needed for a frame (default: `top-left`)",
        name="at",
        default=FrameCorner.TOP_LEFT,
    )
    size: Mm = attr("width of a square or disc in mm", POSITIVE_LENGTH, default=0)


_PAPER = Value(pattern=r"[A-Za-z0-9_-]{1,40}", words="a name of letters, digits, - and _")


@bound
class Medium(NamedTuple):
    """A sheet that it takes, in portrait; marks turn with it and keep their corners.

    Attributes:
        inset_x, inset_y: -1 for that of the machine.
        area_width, area_height: 0 for the size of the marks' frame.
    """

    paper: str = attr("the sheet format with this paper", _PAPER, unique=True)
    width: Mm = attr("width of the paper in mm", POSITIVE_LENGTH)
    height: Mm = attr("height of the paper in mm", POSITIVE_LENGTH)
    inset_x: Mm = attr(
        "distance of the marks from the left and right (default: `inset`)", default=-1
    )
    inset_y: Mm = attr(
        "distance of the marks from the top and bottom (default: `inset`)", default=-1
    )
    area_width: Mm = attr(
        "width of the cutting area, centered (default: all between the marks)",
        POSITIVE_LENGTH,
        default=0,
    )
    area_height: Mm = attr("height of the cutting area", POSITIVE_LENGTH, default=0)

    def rotate(self) -> Self:
        """Return the sheet rotated by a quarter."""
        paper, width, height, inset_x, inset_y, area_width, area_height = self
        return type(self)(paper, height, width, inset_y, inset_x, area_height, area_width)

    @property
    def frame(self) -> Box:
        """The box with the marks in its corners."""
        x, y = self.inset_x, self.inset_y
        return Box(x, y, self.width - 2 * x, self.height - 2 * y)

    @property
    def area(self) -> Box:
        """The box in which the machine cuts."""
        frame = self.frame
        width, height = self.area_width or frame.width, self.area_height or frame.height
        return Box((self.width - width) / 2, (self.height - height) / 2, width, height)


@bound
class Cutter(NamedTuple):
    """A cutting machine: its marks and sheets.

    Attributes:
        id: its id on the command line.
        media: its sheets, by the names of their papers.
    """

    id: str
    name: str = attr("the name of the machine", NAME)
    inset: Mm = attr("distance from the edges of the paper to the marks (default: 0 mm)", default=0)
    thickness: Mm = attr("width of the lines of marks (default: 0 mm)", default=0)
    min_arm: Mm = attr(
        "shortest lines of marks that are corners (default: 0 mm)", name="arm", default=0
    )
    max_arm: Mm = attr(
        "longest lines, where there is room (default: the shortest)", name="longest-arm", default=0
    )
    clearance: Mm = attr(
        "distance of print from the marks (default: 0 mm)", name="clear", default=0
    )
    reserves_corners: bool = attr(
        "what may be printed inside marks that are corners (default: `empty`)",
        one_of(
            ("empty", "nothing is printed in the squares that they span"),
            ("free", "print may come as close as `clear` to their lines"),
        ),
        "corners",
        default=True,
        convert="empty".__eq__,
    )
    gutter: Mm = attr("distance between cuts (default: 2 mm)", default=2)
    bleed: Mm = attr(
        "how far print extends beyond cuts (default: half the gutter)", default=math.inf
    )
    wants_pictures: bool = attr(
        "`true` for pictures of the sheets too, which show only what is cut out (default: `false`)",
        name="pictures",
        default=False,
    )
    marks: tuple[Mark, ...] = elements("mark", maximum=8, default=())
    media: Mapping[str, Medium] = elements("medium", 1, 40, default=MappingProxyType({}))

    def complete(self) -> Self:
        """Return the machine with the defaults that depend on other values."""
        media = {
            paper: medium._replace(
                inset_x=self.inset if medium.inset_x < 0 else medium.inset_x,
                inset_y=self.inset if medium.inset_y < 0 else medium.inset_y,
            )
            for paper, medium in self.media.items()
        }
        longest, bleed = max(self.min_arm, self.max_arm), min(self.bleed, self.gutter / 2)
        return self._replace(media=media, max_arm=longest, bleed=bleed)

    def marks_on(self, width: Mm, height: Mm, owner: str, report: Report) -> "Registration | None":
        """Return its marks on paper of this size, None after reporting that it does not take it.

        Args:
            owner: the owner of the paper for the message, such as "the sheet `a5`".
        """
        size = sorted((width, height))
        for medium in self.media.values():
            sides = zip(size, sorted((medium.width, medium.height)), strict=True)
            if all(abs(one - other) < TOLERANCE for one, other in sides):
                return Registration(self, medium, self.min_arm)
        paper = f"{width:g} × {height:g} mm" if width else "no paper size of its own"
        message = f"`{self.id}` cannot cut {owner}, which has {paper}"
        report.append(E090.at(None, message, f"choose one of {', '.join(self.media)}"))
        return None


class Registration(NamedTuple):
    """The marks of a machine on one kind of paper.

    Squares have an outline as wide as its lines, half of it outside.

    Attributes:
        medium: the paper in its orientation.
        arm: the length of the arms of corners; longer if there is room once a sheet is fitted.
    """

    cutter: Cutter
    medium: Medium
    arm: Mm

    def outlines(self) -> Iterator[Outline]:
        """Yield the outlines of the marks, to be filled."""
        frame, half = self.medium.frame, self.cutter.thickness / 2
        for mark in self.cutter.marks:
            if mark.shape is MarkShape.FRAME:
                outer, inner = frame.expand(half), frame.expand(-half)
                # The inner one has the opposite direction, which makes it a hole.
                left, top, right, bottom = inner.x, inner.y, inner.right, inner.bottom
                hole = polygon([(left, top), (left, bottom), (right, bottom), (right, top)])
                yield (*rectangle(*outer), *hole)
            elif mark.shape is MarkShape.CORNER:
                # An L, from its outer corner.
                box, place, arm = self._corner_box(mark.corner, self.arm, 0), mark.corner, self.arm
                steps = [(-half, -half), (arm, -half), (arm, half)]
                steps += [(half, half), (half, arm), (-half, arm)]
                xs = [box.x + x if place.left else box.right - x for x, _ in steps]
                ys = [box.y + y if place.top else box.bottom - y for _, y in steps]
                yield polygon(list(zip(xs, ys, strict=True)))
            else:
                box = self._corner_box(mark.corner, mark.size, half)
                radius = box.width / 2
                disc = mark.shape is MarkShape.DISC
                x, y = box.x + radius, box.y + radius
                yield ellipse(x, y, radius, radius) if disc else rectangle(*box)

    def ops(self) -> tuple[FillPath, ...]:
        """Return the ops of the marks."""
        return tuple(FillPath(outline, _INK) for outline in self.outlines())

    def reserved_boxes(self) -> list[Box]:
        """Return the boxes reserved for marks, including the clearance around them."""
        frame, cutter, boxes = self.medium.frame, self.cutter, list[Box]()
        clear = cutter.clearance + cutter.thickness / 2
        # A square reserves as much as a corner.
        reach = self.arm if any(mark.shape is MarkShape.CORNER for mark in cutter.marks) else 0
        for mark in cutter.marks:
            place = mark.corner
            if mark.shape is MarkShape.FRAME:
                level, upright = frame._replace(height=0), frame._replace(width=0)
                sides = level, upright, upright._replace(x=frame.right)
                boxes += [s.expand(clear) for s in (*sides, level._replace(y=frame.bottom))]
            elif mark.shape is not MarkShape.CORNER or cutter.reserves_corners:
                inner = self._corner_box(place, max(mark.size, reach), clear)
                boxes.append(self._extend_outwards(inner, place))
            else:
                arm = self._corner_box(place, self.arm, 0)
                level = arm._replace(height=0, y=arm.y if place.top else arm.bottom)
                upright = arm._replace(width=0, x=arm.x if place.left else arm.right)
                boxes += [self._extend_outwards(b.expand(clear), place) for b in (level, upright)]
        return boxes

    def is_free(self, boxes: Iterable[Box]) -> bool:
        """Return whether boxes can be printed without being near a mark."""
        taken = [box.expand(-TOLERANCE) for box in self.reserved_boxes()]
        return not any(box.touches(other) for box in boxes for other in taken)

    def clear_box(self) -> Box:
        """Return the largest centered box in which everything can be printed and cut."""
        area, choices = self.medium.area, []
        taken = self.reserved_boxes()
        inner = [box for box in taken if box.touches(area.expand(-TOLERANCE))]
        across = max((min(b.right - area.x, area.right - b.x) for b in inner), default=0)
        down = max((min(b.bottom - area.y, area.bottom - b.y) for b in inner), default=0)
        for x, y in ((across, 0.0), (0.0, down), (across, down)):
            box = Box(area.x + x, area.y + y, area.width - 2 * x, area.height - 2 * y)
            if box.width > 0 and box.height > 0 and self.is_free([box]):
                choices.append(box)
        return max(choices, key=lambda box: box.width * box.height, default=Box(0, 0, 0, 0))

    def extend_arms(self, boxes: Iterable[Box]) -> Self:
        """Return the marks with arms as long as these printed boxes allow."""
        boxes = list(boxes)
        steps = int((self.cutter.max_arm - self.arm) / _ARM_STEP + TOLERANCE)
        longer = (self._replace(arm=self.arm + n * _ARM_STEP) for n in range(1, steps + 1))
        return [self, *takewhile(lambda marks: marks.is_free(boxes), longer)][-1]

    def rotate(self) -> Self:
        """Return the marks on the paper rotated by a quarter; they keep their corners."""
        return self._replace(medium=self.medium.rotate())

    def _corner_box(self, place: FrameCorner, size: Mm, beyond: Mm) -> Box:
        """Return the box of this size in a corner of the frame, grown on all sides by `beyond`."""
        frame = self.medium.frame
        x = frame.x if place.left else frame.right - size
        y = frame.y if place.top else frame.bottom - size
        return Box(x, y, size, size).expand(beyond)

    def _extend_outwards(self, box: Box, place: FrameCorner) -> Box:
        """Return a box in a corner, extended to the edges of the paper."""
        medium = self.medium
        left = 0 if place.left else box.x
        top = 0 if place.top else box.y
        right = box.right if place.left else medium.width
        bottom = box.bottom if place.top else medium.height
        return Box(left, top, right - left, bottom - top)


class Layer(Enum):
    """The layers of a cut file: what a machine does along the lines."""

    CUT = "cut"
    """Cut through the sheet."""
    KISS_CUT = "kiss-cut"
    """Cut through a sticker but not through its backing paper."""
    CREASE = "crease"
    """Scored, for folding."""
    PERFORATION = "perforation"
    """Cut in dashes, for folding on machines that cannot crease."""


class CutPlan(NamedTuple):
    """The cuts of a machine on a sheet.

    Attributes:
        width, height: the size of the sheet in its orientation.
        layers: the lines of each layer, closed ones around pieces.
        marks: the outlines of the marks, which are printed but never cut.
        arm: the length of the arms of corner marks, 0 for none.
    """

    width: Mm
    height: Mm
    layers: tuple[tuple[Layer, tuple[Outline, ...]], ...]
    marks: tuple[Outline, ...] = ()
    arm: Mm = 0


def make_cut_plan(
    marks: Registration | None, lines: Mapping[Layer, Iterable[Outline]]
) -> CutPlan | None:
    """Return the cuts along lines, on a sheet with a machine's marks; None without a machine."""
    if marks is None:
        return None
    layers = tuple((layer, tuple(outlines)) for layer, outlines in lines.items())
    medium, outlines = marks.medium, tuple(marks.outlines())
    return CutPlan(medium.width, medium.height, layers, outlines, marks.arm)


def card_outline(box: Box, radius: Mm) -> Outline:
    """Return the outline of a card with rounded corners."""
    return rectangle(*box, radius)
