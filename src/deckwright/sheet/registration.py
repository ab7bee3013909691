"""Registration marks, by which cutting machines find the print on the mat.

A machine cuts only in a part of the sheet, and print near its marks confuses it. The grid is still
centered on the paper, so that backs lie behind their faces.
"""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple, Self

from deckwright.base.geometry import Box
from deckwright.base.units import TOLERANCE, Mm
from deckwright.ops.model import FillPath, Outline
from deckwright.ops.outlines import ellipse, polygon, rectangle
from deckwright.xmlio.binding import Choice, attr, bound
from deckwright.xmlio.shape import POSITIVE_LENGTH, Value

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
        return self._replace(
            width=self.height,
            height=self.width,
            inset_x=self.inset_y,
            inset_y=self.inset_x,
            area_width=self.area_height,
            area_height=self.area_width,
        )

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


class Registration(NamedTuple):
    """The marks of a machine on one kind of paper.

    Attributes:
        medium: the paper in its orientation.
        thickness: the width of lines; squares have an outline of this width, half of it outside.
        arm: the length of the arms of corners; extended if there is room, up to `max_arm`, once
            a sheet is fitted.
        clearance: the distance of everything else from marks.
        reserves_corners: whether the squares spanned by the arms of corners must stay empty.
        gutter: the distance between cuts.
        bleed: the bleed beyond them.
    """

    marks: tuple[Mark, ...]
    medium: Medium
    thickness: Mm
    arm: Mm
    max_arm: Mm
    clearance: Mm
    reserves_corners: bool
    gutter: Mm
    bleed: Mm

    def outlines(self) -> Iterator[Outline]:
        """Yield the outlines of the marks, to be filled."""
        frame, half = self.medium.frame, self.thickness / 2
        for mark in self.marks:
            if mark.shape is MarkShape.FRAME:
                outer, inner = frame.expand(half), frame.expand(-half)
                # The inner one has the opposite direction, which makes it a hole.
                left, right = [(inner.x, y) for y in (inner.y, inner.bottom)], inner.right
                hole = [*left, (right, inner.bottom), (right, inner.y)]
                yield (*rectangle(*outer), *polygon(hole))
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
                if mark.shape is MarkShape.DISC:
                    x, y = box.x + box.width / 2, box.y + box.height / 2
                    yield ellipse(x, y, box.width / 2, box.width / 2)
                else:
                    yield rectangle(*box)

    def ops(self) -> tuple[FillPath, ...]:
        """Return the ops of the marks."""
        return tuple(FillPath(outline, _INK) for outline in self.outlines())

    def reserved_boxes(self) -> list[Box]:
        """Return the boxes reserved for marks, including the clearance around them."""
        frame, clear = self.medium.frame, self.clearance + self.thickness / 2
        # A square reserves as much as a corner.
        reach = self.arm if any(mark.shape is MarkShape.CORNER for mark in self.marks) else 0
        boxes: list[Box] = []
        for mark in self.marks:
            place = mark.corner
            if mark.shape is MarkShape.FRAME:
                sides = (
                    frame._replace(height=0),
                    frame._replace(width=0),
                    frame._replace(x=frame.right, width=0),
                    frame._replace(y=frame.bottom, height=0),
                )
                boxes += [side.expand(clear) for side in sides]
            elif mark.shape is not MarkShape.CORNER or self.reserves_corners:
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
        steps = int((self.max_arm - self.arm) / _ARM_STEP + TOLERANCE)
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
