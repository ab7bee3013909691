"""Sheets for a cutting machine: what it reads and takes, and what it cuts and folds on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple

from deckwright.base.findings import Code, Report, Severity
from deckwright.base.geometry import Box
from deckwright.base.units import TOLERANCE, Mm
from deckwright.ops.model import Outline
from deckwright.ops.outlines import rectangle
from deckwright.sheet.grid import Marks, SheetFormat
from deckwright.sheet.registration import Mark, Medium, Registration

E090 = Code("E090", Severity.ERROR, "a sheet that a cutting machine does not take")


class Layer(Enum):
    """What a machine does along lines; the layers of cut files are called so."""

    CUT = "cut"
    """Through the sheet."""
    KISS_CUT = "kiss-cut"
    """Through a sticker, but not through the paper below it."""
    CREASE = "crease"
    """Pressed in, where it is folded."""
    PERFORATION = "perforation"
    """Cut in dashes, for machines that cannot crease."""


class CutPlan(NamedTuple):
    """What a machine does on a sheet.

    Attributes:
        width, height: of the sheet, as it lies.
        layers: the lines of each layer, closed where they go around something.
        marks: the outlines of the marks, which are printed, and never cut.
        arm: how long the lines of marks that are corners are, 0 if there are none.
    """

    width: Mm
    height: Mm
    layers: tuple[tuple[Layer, tuple[Outline, ...]], ...]
    marks: tuple[Outline, ...] = ()
    arm: Mm = 0


class Cutter(NamedTuple):
    """A machine, or a way to set one up.

    Attributes:
        id: what the command line calls it.
        media: the sheets that it takes, upright, by the names of their papers.
        thickness, shortest, longest, clear, boxed: of its marks, as in `Registration`; arms are
            between the `shortest` and the `longest`.
        gutter: the distance between cuts.
        bleed: how far beyond them is printed.
        pictured: whether its program wants pictures of what is cut out.
    """

    id: str
    name: str
    marks: tuple[Mark, ...]
    media: Mapping[str, Medium]
    thickness: Mm
    min_arm: Mm
    longest: Mm
    clear: Mm
    boxed: bool
    gutter: Mm
    bleed: Mm
    wants_pictures: bool = False

    def marks_on(self, width: Mm, height: Mm, called: str, report: Report) -> Registration | None:
        """Return its marks on paper of this size, None after reporting that it does not take that.

        Args:
            called: what has the paper, such as "the sheet `a5`".
        """
        size = sorted((width, height))
        for medium in self.media.values():
            sides = zip(size, sorted((medium.width, medium.height)), strict=True)
            if all(abs(one - other) < TOLERANCE for one, other in sides):
                return Registration(
                    self.marks,
                    medium,
                    self.thickness,
                    self.min_arm,
                    self.longest,
                    self.clear,
                    self.boxed,
                    self.gutter,
                    self.bleed,
                )
        paper = f"{width:g} × {height:g} mm" if width else "no paper of its own"
        message = f"`{self.id}` cannot cut {called}, which has {paper}"
        report.append(E090.at(None, message, f"choose one of {', '.join(self.media)}"))
        return None


def fit_to_cutter(sheet: SheetFormat, cutter: Cutter, report: Report) -> SheetFormat | None:
    """Return a sheet as a machine cuts it; None after reporting why it cannot.

    Of the format remain the paper, the size of the slots, and how it is turned over.
    """
    if sheet.folded:
        message = f"the sheet `{sheet.name}` is folded, and a machine cuts one layer"
        report.append(E090.at(None, message, "name a sheet that is not folded with `--sheet`"))
        return None
    called = f"the sheet `{sheet.name}`"
    marks = cutter.marks_on(sheet.page_width, sheet.page_height, called, report)
    if marks is None:
        return None
    return sheet._replace(
        columns=0,
        rows=0,
        left=None,
        top=None,
        gutter=cutter.gutter,
        bleed=cutter.bleed,
        margin=0,
        marks=Marks.NONE,
        mark_length=0,
        registration=marks,
    )


def make_cut_plan(
    marks: Registration | None, lines: Mapping[Layer, Iterable[Outline]]
) -> CutPlan | None:
    """Return what a machine does along lines on a sheet with its marks; None without a machine."""
    if marks is None:
        return None
    layers = tuple((layer, tuple(outlines)) for layer, outlines in lines.items())
    medium, outlines = marks.medium, tuple(marks.outlines())
    return CutPlan(medium.width, medium.height, layers, outlines, marks.arm)


def card_outline(box: Box, radius: Mm) -> Outline:
    """Return the line along which a card is cut out."""
    return rectangle(*box, radius)
