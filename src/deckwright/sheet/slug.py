"""The slug of a sheet: a ruler and a footer on the paper that is cut away.

The ruler shows whether a print has the right size; the footer says what a loose sheet belongs to.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.geometry import Box
from deckwright.base.units import HAIR, Mm
from deckwright.ops.model import DrawGlyphs, Group, Op, Segment, StrokePath
from deckwright.sheet.grid import Fold, Marks, SheetFormat
from deckwright.sheet.registration import Registration
from deckwright.text.scripts import without_shaped

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics

RULER: Mm = 100
HEIGHT: Mm = 2.6
"""How high ruler and footer are."""
LEAST_EDGE: Mm = 5
"""The edge of the paper on which many printers cannot print: lasers mostly 4.2 mm of it."""
_INK = "#444444"
_LINE: Mm = 0.1
_TYPE: Mm = 2.0
_TICKS = {0: 2.2, 5: 1.6}
"""How long the ticks of a ruler are, by the last digit of the millimetres."""
_TICK: Mm = 1.0


class Slug(NamedTuple):
    """A strip of paper outside of all cards.

    Attributes:
        box: the strip, as it is read.
        upward: whether it is read from the bottom up, along the left edge of the paper; its box is
            then what it would be if the paper were turned.
    """

    box: Box
    upward: bool
    paper_height: Mm

    @property
    def on_paper(self) -> Box:
        """The strip as it lies on the paper."""
        box = self.box
        if not self.upward:
            return box
        return Box(box.y, self.paper_height - box.right, box.height, box.width)

    def turned(self, ops: tuple[Op, ...]) -> tuple[Op, ...]:
        """Return ops that were drawn in the box, as they stand on the paper."""
        if not self.upward:
            return ops
        return (Group(ops, (0, -1, 1, 0, 0, self.paper_height)),)


def slug_of(sheet: SheetFormat) -> Slug | None:
    """Return the strip of a sheet for ruler and footer, None if it has no room for one.

    It is at the bottom, or else at the left edge or at the top, farther out than the marks, where
    most printers print.
    """
    grid = sheet.grid
    if sheet.fold is Fold.HORIZONTAL:
        grid = sheet.behind(grid)
    marks = max(sheet.mark_distance, sheet.bleed) + sheet.mark_length
    taken = sheet.bleed if sheet.marks is Marks.NONE or not sheet.mark_length else marks
    edges = sheet.edges.at_least(LEAST_EDGE)
    need = taken + HEIGHT - HAIR
    width = sheet.page_width - edges.left - edges.right
    height = sheet.page_height - edges.top - edges.bottom
    upward, box = False, None
    if width >= RULER and sheet.page_height - grid.bottom - edges.bottom >= need:
        box = Box(edges.left, sheet.page_height - edges.bottom - HEIGHT, width, HEIGHT)
    elif height >= RULER and sheet.grid.x - edges.left >= need:
        upward, box = True, Box(edges.bottom, edges.left, height, HEIGHT)
    elif width >= RULER and sheet.grid.y - edges.top >= need:
        box = Box(edges.left, edges.top, width, HEIGHT)
    slug = box and Slug(box, upward, sheet.page_height)
    return slug and (beside_marks(slug, sheet.registration) if sheet.registration else slug)


def beside_marks(slug: Slug, marks: Registration) -> Slug | None:
    """Return a slug, shorter where a machine's marks are in its way; None if too little is left."""
    on_paper, box = slug.on_paper, slug.box
    taken = [other for other in marks.taken() if other.touches(on_paper)]
    ends = [(other.x, other.right) for other in taken]
    if slug.upward:
        ends = [(slug.paper_height - o.bottom, slug.paper_height - o.y) for o in taken]
    left, right, middle = box.x, box.right, box.x + box.width / 2
    for start, end in ends:
        if start <= middle <= end:
            return None
        left, right = (max(left, end), right) if end < middle else (left, min(right, start))
    short = slug._replace(box=box._replace(x=left, width=right - left))
    return short if right - left >= RULER else None


def slug_ops(
    slug: Slug, text: str, family: str, metrics: Metrics, *, ruler: bool
) -> tuple[Op, ...]:
    """Return what is drawn in the slug: the ruler at its left, and a text at its right.

    Args:
        text: what the footer says; what does not fit beside the ruler is left out at its end.
        ruler: whether there is a ruler; backs have none.
    """
    box = slug.box
    ops: list[Op] = [*ruler_ops(box.x, box.y, family)] if ruler else []
    left = RULER + 8 if ruler else 0
    width = box.width - left
    # A name may hold signs for icons, which are no signs here: the text is drawn as it is.
    text = shown = without_shaped(text)
    font = f"{family}-regular"
    shaped = metrics.shape(font, shown)
    while shaped.width * _TYPE > width and text:
        text = text[:-1]
        shown = text.rstrip(" ·") + "…"
        shaped = metrics.shape(font, shown)
    if text:
        x = box.right - shaped.width * _TYPE
        y = box.y + (box.height + metrics.vertical(font).cap_height * _TYPE) / 2
        ops.append(DrawGlyphs(font, _TYPE, x, y, shaped.text, shaped.kerns, _INK))
    return slug.turned(tuple(ops))


@cache
def ruler_ops(x: Mm, y: Mm, family: str) -> tuple[Op, ...]:
    """Return a ruler of 100 mm with its left end at `x` and its ticks below `y`.

    All sheets share its ops, so that painters make them once.
    """
    lines: list[Segment] = [("M", x, y), ("L", x + RULER, y)]
    for mm in range(int(RULER) + 1):
        lines += [("M", x + mm, y), ("L", x + mm, y + _TICKS.get(mm % 10, _TICK))]
    font = f"{family}-regular"
    # Beside its tick, where there is nothing else as long.
    numbers = [
        DrawGlyphs(font, 1.5, x + mm + 0.25, y + 2.4, str(mm), (), _INK)
        for mm in range(10, int(RULER), 10)
    ]
    end = DrawGlyphs(font, 1.5, x + RULER + 0.6, y + 2.4, "100 mm", (), _INK)
    return (StrokePath(tuple(lines), _INK, _LINE), *numbers, end)
