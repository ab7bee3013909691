"""Sheets for cutting machines: media, registration marks, and lines to cut or crease."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple

from deckwright.base.findings import Code, Report, Severity
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError
from deckwright.base.units import TOLERANCE, Mm
from deckwright.ops.model import Outline
from deckwright.ops.outlines import rectangle
from deckwright.sheet.grid import Marks, SheetFormat
from deckwright.sheet.registration import Mark, Medium, Registration

E090 = Code("E090", Severity.ERROR, "a sheet that a cutting machine cannot cut")


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


class Cutter(NamedTuple):
    """A cutting machine, or a setup of one.

    Attributes:
        id: its id on the command line.
        media: the sheets that it takes, in portrait orientation, by the names of their papers.
        thickness, shortest, longest, clear, boxed: of its marks, as in `Registration`; arms are
            between the `shortest` and the `max_arm`.
        gutter: the distance between cuts.
        bleed: the bleed beyond them.
        pictured: whether its software needs pictures of the pieces.
    """

    id: str
    name: str
    marks: tuple[Mark, ...]
    media: Mapping[str, Medium]
    thickness: Mm
    min_arm: Mm
    max_arm: Mm
    clearance: Mm
    reserves_corners: bool
    gutter: Mm
    bleed: Mm
    wants_pictures: bool = False

    def marks_on(self, width: Mm, height: Mm, owner: str, report: Report) -> Registration | None:
        """Return its marks on paper of this size, None after reporting that it does not take it.

        Args:
            owner: the owner of the paper for the message, such as "the sheet `a5`".
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
                    self.max_arm,
                    self.clearance,
                    self.reserves_corners,
                    self.gutter,
                    self.bleed,
                )
        paper = f"{width:g} × {height:g} mm" if width else "no paper size of its own"
        message = f"`{self.id}` cannot cut {owner}, which has {paper}"
        report.append(E090.at(None, message, f"choose one of {', '.join(self.media)}"))
        return None


def fit_to_cutter(sheet: SheetFormat, cutter: Cutter, report: Report) -> SheetFormat:
    """Return a sheet format adapted to a machine.

    Only the paper, the size of the slots and the flip edge of the format are kept.

    Raises:
        OutputError: after reporting why it cannot be cut.
    """
    if sheet.is_folded:
        message = f"the sheet `{sheet.name}` is folded, but a machine cuts only one layer"
        hint = "choose a sheet that is not folded with `--sheet`"
        raise OutputError(E090.at(None, message, hint))
    owner = f"the sheet `{sheet.name}`"
    marks = cutter.marks_on(sheet.page_width, sheet.page_height, owner, report)
    if marks is None:
        raise OutputError
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
    """Return the cuts along lines, on a sheet with a machine's marks; None without a machine."""
    if marks is None:
        return None
    layers = tuple((layer, tuple(outlines)) for layer, outlines in lines.items())
    medium, outlines = marks.medium, tuple(marks.outlines())
    return CutPlan(medium.width, medium.height, layers, outlines, marks.arm)


def card_outline(box: Box, radius: Mm) -> Outline:
    """Return the outline of a card with rounded corners."""
    return rectangle(*box, radius)
