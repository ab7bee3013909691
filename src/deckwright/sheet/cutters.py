"""Sheets for cutting machines: media, registration marks, and lines to cut or crease."""

import math
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple, Self

from deckwright.base.findings import Code, Report, Severity
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError
from deckwright.base.units import TOLERANCE, Mm
from deckwright.ops.model import Outline
from deckwright.ops.outlines import rectangle
from deckwright.sheet.grid import Marks, SheetFormat
from deckwright.sheet.registration import Mark, Medium, Registration
from deckwright.xmlio.binding import attr, bound, elements
from deckwright.xmlio.shape import NAME, one_of

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
    marks: tuple[Mark, ...] = elements("mark", maximum=8)
    media: Mapping[str, Medium] = elements("medium", 1, 40)

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
