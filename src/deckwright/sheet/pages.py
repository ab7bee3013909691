"""Pages to paint: placed faces, cut marks, and the slug with ruler and footer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.geometry import Box, Matrix
from deckwright.base.units import TOLERANCE, Mm
from deckwright.game.model import FaceKey
from deckwright.ops import outlines
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Group, Op, Segment, StrokePath, Tag
from deckwright.sheet.cutters import CutPlan, Registration
from deckwright.sheet.grid import Fold, Margins, Marks, SheetFormat
from deckwright.text.paragraphs import TextStyle
from deckwright.text.placing import label_ops, lay_out_label

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics

_INK = "#000000"
_DASH: Mm = 3
_MIN_MARK: Mm = 0.9
"""Marks clipped to less than this are dropped."""
_ALIGNMENT_TOLERANCE: Mm = 1e-3
"""Edges closer than this are in one line."""

LineCoords = tuple[Mm, Mm, Mm, Mm]
"""A line x1, y1, x2, y2, to the right or down."""
CutLine = tuple[Mm, Mm, Mm]
"""The position of a cut, with its start and end."""


def cut_marks(
    sheet: SheetFormat, slots: Sequence[Box] | None = None
) -> tuple[FillPath | StrokePath, ...]:
    """Return the cut marks of a sheet, and its fold line.

    They are never on a card or its bleed, nor in the margins that stay empty, except for cut lines,
    and for corner ticks of cards without gutters, which run along the edges of their neighbors.

    Args:
        slots: the slots with cards, the first ones of the sheet; by default all. Cuts through empty
            paper are not marked.
    """
    if sheet.registration is not None:
        return sheet.registration.ops()
    lines: list[LineCoords] = []
    if sheet.is_folded:
        # Dashes along the fold, symmetric to its middle.
        standing = sheet.fold is Fold.VERTICAL
        across, length = (sheet.page_width, sheet.page_height)[:: 1 if standing else -1]
        count = int(length / (2 * _DASH))
        first = (length - (2 * count - 1) * _DASH) / 2
        for number in range(count):
            start, end = first + 2 * number * _DASH, first + (2 * number + 1) * _DASH
            lines.append(_line_along(across / 2, start, end, standing=standing))
    if sheet.mark_length > 0 or sheet.marks is Marks.LINES:
        filled = sheet.slots() if slots is None else slots
        lines += _slot_marks(sheet, filled)
        if sheet.is_folded:
            lines += _slot_marks(sheet, tuple(map(sheet.mirrored, filled)))
    clipped = (_clip_to_edges(sheet, *line) for line in dict.fromkeys(lines))
    return tuple(
        StrokePath(outlines.line(*line), _INK, sheet.mark_width) for line in filter(None, clipped)
    )


def _clip_to_edges(sheet: SheetFormat, x1: Mm, y1: Mm, x2: Mm, y2: Mm) -> LineCoords | None:
    """Return a vertical or horizontal line clipped to the margins, None if too little is left."""
    edges = Margins(*(edge - TOLERANCE for edge in sheet.clear_edges))
    right, bottom = sheet.page_width - edges.right, sheet.page_height - edges.bottom
    line = (max(x1, edges.left), max(y1, edges.top), min(x2, right), min(y2, bottom))
    unclipped = line == (x1, y1, x2, y2)
    long = max(line[2] - line[0], line[3] - line[1]) >= _MIN_MARK
    return line if unclipped or (long and line[0] <= line[2] and line[1] <= line[3]) else None


def _slot_marks(sheet: SheetFormat, slots: Sequence[Box]) -> Iterator[LineCoords]:
    """Yield the marks of slots."""
    cuts: Iterable[tuple[CutLine, bool]] = ()
    if sheet.marks is Marks.CORNERS:
        cuts = [
            (edge, standing)
            for slot in slots
            for standing in (True, False)
            for edge in _slot_edges(slot, standing=standing)
        ]
    elif sheet.marks is not Marks.NONE:
        cuts = _find_cuts(slots, uninterrupted=not sheet.blocks)
    near = max(sheet.mark_distance, sheet.bleed)
    far = near + sheet.mark_length
    for (place, start, end), standing in cuts:
        lying = partial(_line_along, place, standing=standing)
        parts = []
        for at, direction in ((start, -1), (end, 1)):
            # A mark is outside the cards, `near` to `far` from the cut. If some cards are rotated,
            # and another card or the end of the paper is in the way, it is on the cut itself.
            low, high = sorted((at + direction * near, at + direction * far))
            line = lying(low, high)
            if sheet.blocks and (
                _clip_to_edges(sheet, *line) is None
                or any(_is_crossing(line, slot.expand(sheet.bleed)) for slot in slots)
            ):
                low, high = sorted((at, at - direction * sheet.mark_length))
            parts.append((low, high))
        if sheet.marks is Marks.LINES:
            reached = [at for part in parts for at in part]
            parts = [(min(start, *reached), max(end, *reached))]
        yield from (lying(*part) for part in parts)


def _line_along(place: Mm, start: Mm, end: Mm, *, standing: bool) -> LineCoords:
    """Return a vertical or horizontal line from start to end."""
    return (place, start, place, end) if standing else (start, place, end, place)


def _is_crossing(line: LineCoords, box: Box) -> bool:
    """Return whether a vertical or horizontal line crosses a box."""
    x1, y1, x2, y2 = line
    box = box.expand(-_ALIGNMENT_TOLERANCE)
    return x1 < box.right and x2 > box.x and y1 < box.bottom and y2 > box.y


def _slot_edges(slot: Box, *, standing: bool) -> tuple[CutLine, CutLine]:
    """Return the vertical or the horizontal edges of a slot."""
    if standing:
        return (slot.x, slot.y, slot.bottom), (slot.right, slot.y, slot.bottom)
    return (slot.y, slot.x, slot.right), (slot.bottom, slot.x, slot.right)


def _find_cuts(slots: Sequence[Box], *, uninterrupted: bool) -> Iterator[tuple[CutLine, bool]]:
    """Yield the vertical cuts and then the horizontal cuts, with whether each is vertical.

    An uninterrupted cut may run from edge to edge without meeting other cards.
    """
    for standing in (True, False):
        edges = [edge for slot in slots for edge in _slot_edges(slot, standing=standing)]
        # Edges in one line are merged; positions that differ only by rounding errors are equal.
        merged: dict[float, CutLine] = {}
        for place, start, end in edges:
            key = round(place, 4)
            first, low, high = merged.get(key, (place, start, end))
            merged[key] = first, min(low, start), max(high, end)
        for place, low, high in sorted(merged.values()):
            if uninterrupted:
                yield (place, low, high), standing
                continue
            # Cuts are split where they would cut through cards.
            run: list[CutLine] = []
            aligned = (edge for edge in edges if abs(edge[0] - place) < _ALIGNMENT_TOLERANCE)
            for _, start, end in sorted(aligned):
                between = _line_along(place, run[-1][2] if run else start, start, standing=standing)
                if run and any(_is_crossing(between, slot) for slot in slots):
                    yield (place, run[0][1], max(edge[2] for edge in run)), standing
                    run = []
                run.append((place, start, end))
            last = max((edge[2] for edge in run), default=high)
            yield (place, run[0][1] if run else low, last), standing


RULER_LENGTH: Mm = 100
SLUG_HEIGHT: Mm = 2.6
"""The height of ruler and footer."""
MIN_EDGE: Mm = 5
"""The margin in which many printers cannot print; for lasers it is mostly 4.2 mm."""
_SLUG_INK = "#444444"
_LINE: Mm = 0.1
_TYPE: Mm = 2.0
_TICKS = {0: 2.2, 5: 1.6}
"""The lengths of a ruler's longer ticks, by the last digit of the millimetres."""
_TICK: Mm = 1.0


class Slug(NamedTuple):
    """A strip of paper outside the cards, for ruler and footer.

    Attributes:
        box: the strip in reading direction.
        reads_upward: whether it is along the left edge of the paper; its box is then that on the
            rotated paper.
    """

    box: Box
    reads_upward: bool
    paper_height: Mm

    @property
    def on_paper(self) -> Box:
        """The strip in the coordinates of the paper."""
        box = self.box
        turned = Box(box.y, self.paper_height - box.right, box.height, box.width)
        return turned if self.reads_upward else box


def slug_at_foot(paper: tuple[Mm, Mm], edges: Margins) -> Slug | None:
    """Return the slug between the lower edges of a sheet of paper, None if it is too narrow."""
    width = paper[0] - edges.left - edges.right
    box = Box(edges.left, paper[1] - edges.bottom - SLUG_HEIGHT, width, SLUG_HEIGHT)
    return Slug(box, reads_upward=False, paper_height=paper[1]) if width >= RULER_LENGTH else None


def make_slug(sheet: SheetFormat) -> Slug | None:
    """Return the slug of a sheet, None if there is no room for one.

    It is at the bottom, or else at the left edge or the top: further out than the marks, but where
    most printers can print.
    """
    grid, edges = sheet.grid_box, sheet.clear_edges.at_least(MIN_EDGE)
    lowest = sheet.mirrored(grid) if sheet.fold is Fold.HORIZONTAL else grid
    marks = max(sheet.mark_distance, sheet.bleed) + sheet.mark_length
    taken = sheet.bleed if sheet.marks is Marks.NONE or not sheet.mark_length else marks
    need = taken + SLUG_HEIGHT - TOLERANCE
    width = sheet.page_width - edges.left - edges.right
    height = sheet.page_height - edges.top - edges.bottom
    upward, foot = False, sheet.page_height - edges.bottom
    if width >= RULER_LENGTH and sheet.page_height - lowest.bottom - edges.bottom >= need:
        box = Box(edges.left, foot - SLUG_HEIGHT, width, SLUG_HEIGHT)
    elif height >= RULER_LENGTH and grid.x - edges.left >= need:
        upward, box = True, Box(edges.bottom, edges.left, height, SLUG_HEIGHT)
    elif width >= RULER_LENGTH and grid.y - edges.top >= need:
        box = Box(edges.left, edges.top, width, SLUG_HEIGHT)
    else:
        return None
    slug = Slug(box, upward, sheet.page_height)
    return shorten_slug(slug, sheet.registration) if sheet.registration else slug


def shorten_slug(slug: Slug, marks: Registration) -> Slug | None:
    """Return a slug, shortened to avoid a machine's marks; None if too little is left."""
    on_paper, box = slug.on_paper, slug.box
    taken = [other for other in marks.reserved_boxes() if other.touches(on_paper)]
    ends = [(other.x, other.right) for other in taken]
    if slug.reads_upward:
        ends = [(slug.paper_height - o.bottom, slug.paper_height - o.y) for o in taken]
    left, right, middle = box.x, box.right, box.x + box.width / 2
    for start, end in ends:
        if start <= middle <= end:
            return None
        left, right = (max(left, end), right) if end < middle else (left, min(right, start))
    short = slug._replace(box=box._replace(x=left, width=right - left))
    return short if right - left >= RULER_LENGTH else None


def draw_slug(
    slug: Slug, text: str, family: str, metrics: Metrics, *, ruler: bool
) -> tuple[Op, ...]:
    """Return the ops of a slug: a ruler at its left, and a text at its right.

    Args:
        text: the text of the footer, truncated if it does not fit beside the ruler.
        ruler: whether to draw a ruler; backs have none.
    """
    box = slug.box
    ops: list[Op] = [*draw_ruler(box.x, box.y, family)] if ruler else []
    left = RULER_LENGTH + 8 if ruler else 0
    width = box.width - left
    # Names may contain markup for icons, but the footer is drawn as plain text.
    line = lay_out_label(text, family, metrics)
    while line.width * _TYPE > width and text:
        text = text[:-1]
        line = lay_out_label(text.rstrip(" ·") + "…", family, metrics)
    if text:
        y = box.y + (box.height + metrics.vertical(f"{family}-regular").cap_height * _TYPE) / 2
        style = TextStyle(family, _TYPE, _SLUG_INK)
        ops += label_ops(line, box.right - line.width * _TYPE, y, style)
    if slug.reads_upward:
        return (Group(tuple(ops), (0, -1, 1, 0, 0, slug.paper_height)),)
    return tuple(ops)


@cache
def draw_ruler(x: Mm, y: Mm, family: str) -> tuple[Op, ...]:
    """Return a ruler of 100 mm with its left end at `x` and its ticks below `y`.

    All sheets share its ops, so that painters paint them once.
    """
    lines: list[Segment] = [("M", x, y), ("L", x + RULER_LENGTH, y)]
    for mm in range(int(RULER_LENGTH) + 1):
        lines += [("M", x + mm, y), ("L", x + mm, y + _TICKS.get(mm % 10, _TICK))]
    font = f"{family}-regular"
    # A number is beside its tick, where no other tick is as long.
    numbers = [
        DrawGlyphs(font, 1.5, x + mm + 0.25, y + 2.4, str(mm), (), _SLUG_INK)
        for mm in range(10, int(RULER_LENGTH), 10)
    ]
    end = DrawGlyphs(font, 1.5, x + RULER_LENGTH + 0.6, y + 2.4, "100 mm", (), _SLUG_INK)
    return (StrokePath(tuple(lines), _SLUG_INK, _LINE), *numbers, end)


class PlacedFace(NamedTuple):
    """A face on a page, with the top left corner of its trim box at x, y.

    Attributes:
        scale: its scale.
        turn: its rotation in quarters clockwise, in the same place.
        reach: how far it is visible beyond its trim box, horizontally and vertically, in its own
            mm; anything beyond is clipped.
        face_key: the key of the card's face, None for other faces.
        is_back: whether it is the back of that face.
    """

    face: Face
    x: Mm
    y: Mm
    scale: float = 1
    turn: int = 0
    reach: tuple[Mm, Mm] = (0, 0)
    face_key: FaceKey | None = None
    is_back: bool = False

    @property
    def box(self) -> Box:
        """The trim box on the page."""
        width, height = self.face.width * self.scale, self.face.height * self.scale
        return Box(self.x, self.y, *((height, width) if self.turn % 2 else (width, height)))

    @property
    def matrix(self) -> Matrix:
        """The transform that scales, rotates and moves the face to its place."""
        box, scale = self.box, self.scale
        turned = (
            (scale, 0, 0, scale, box.x, box.y),
            (0, scale, -scale, 0, box.right, box.y),
            (-scale, 0, 0, -scale, box.right, box.bottom),
            (0, -scale, scale, 0, box.x, box.bottom),
        )
        return turned[self.turn]


class Page(NamedTuple):
    """A page.

    Attributes:
        faces: the faces on it.
        ops: the ops above them, in the page's coordinates.
        bookmark: its title in the PDF's outline, None for no bookmark.
        trim: the trim box of a page with a single card.
        bleed: the bleed beyond that.
        slug: the strip for a ruler and a footer.
        is_back: whether it is the reverse of the previous page.
        footer_note: a note for the footer besides the title, such as one of several decks.
        cut_plan: the cuts of a machine, None for cutting by hand.
        tag: the structure tag of its ops.
        lines_below: the ops below the faces: cut lines that color hides.
    """

    width: Mm
    height: Mm
    faces: tuple[PlacedFace, ...] = ()
    ops: tuple[Op, ...] = ()
    bookmark: str | None = None
    trim: Box | None = None
    bleed: Mm = 0
    slug: Slug | None = None
    is_back: bool = False
    footer_note: str = ""
    cut_plan: CutPlan | None = None
    tag: Tag | None = None
    lines_below: tuple[Op, ...] = ()
