"""Flowables of books other than texts: faces, galleries, lists, boxes and tables.

Platypus works in points with the y axis upwards; the content of every part is in mm.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, pairwise, takewhile
from typing import Any

from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, Table, TableStyle

from deckwright.base.colors import mix
from deckwright.base.geometry import Box
from deckwright.base.units import POINTS_PER_MM, Mm
from deckwright.book import model
from deckwright.book.covers import panel_ops
from deckwright.book.model import GalleryPicture, Theme
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath, Group, Op, StrokePath, Tag
from deckwright.ops.readable import alt_text
from deckwright.paint.pdf.texts import (
    BookPart,
    BookTypesetter,
    HeadingPart,
    TextPart,
    align_label,
    draw_at,
)
from deckwright.text.paragraphs import lay_out


class FacePart(BookPart):
    """A face, shrunk to fit the column."""

    def __init__(self, setter: BookTypesetter, face: Face, title: str, **more: Any) -> None:
        """Show `face` in the middle of the column; `title` is its default alternative text."""
        super().__init__(setter, **more)
        self.face, self.title = face, title

    def wrap(self, width: float, _: float) -> tuple[float, float]:
        """Use the full width and the height of the scaled face."""
        self.scale = model.figure_scale(self.face, width / POINTS_PER_MM, self.setter.theme)
        self.width, self.height = width, self.face.height * self.scale * POINTS_PER_MM
        return self.width, self.height

    def ops(self) -> Sequence[Op]:
        """Return the centered face."""
        x = (self.width / POINTS_PER_MM - self.face.width * self.scale) / 2
        alt = alt_text(self.face) or self.title
        tag = Tag("Figure", alt) if alt else None
        return [Group(self.face.ops, (self.scale, 0.0, 0.0, self.scale, x, 0.0), tag=tag)]


_MAX_TALLER = 1.02
"""How much taller than cards smaller ones may be that are enlarged."""


class GalleryRow(BookPart):
    """A row of a gallery: faces side by side, with captions if there are any."""

    CAPTION: Mm = 5.2

    def __init__(
        self,
        setter: BookTypesetter,
        pictures: Sequence[GalleryPicture],
        columns: int,
        cell: tuple[Mm, Mm],
        lead: Panel | None = None,
        shrink: float = 1,
        taken: Collection[int] = (),
        **more: Any,
    ) -> None:
        """Lay out the row for a number of columns; `more` is as for `BookPart`.

        Args:
            cell: the width and height of the largest card of all rows in usual size.
            shrink: how much smaller than usual cards are.
            lead: what stands in place of the first picture, as large as the next one.
            taken: the cells that a picture of the row above takes.
        """
        super().__init__(setter, anchors=[picture.anchor for picture in pictures], **more)
        self.pictures, self.columns, self.lead, self.shrink = pictures, columns, lead, shrink
        self.cell, self.tallest = (length * shrink for length in cell)
        self.cells = (lead is not None) + len(taken) + sum(picture.span for picture in pictures)
        self.taken = taken

    def draw(self) -> None:
        """Draw the row, and open the sections that begin in it."""
        if self.lead is not None:
            left = (self._left(0) + self.cell / 2) * POINTS_PER_MM - self.lead.width / 2
            self.lead.drawOn(self.canv, left, self.height - self.lead.height)
        super().draw()
        titles: list[str] = []
        for picture in self.pictures:
            for heading in picture.headings:
                self.setter.mark(self.canv, heading.anchor, self.height)
                self.setter.open_section(heading.title, heading.anchor, heading.level)
            # Sections without cards of their own share those that follow.
            titles = [*titles, picture.headings[-1].title] if picture.headings else []
            if titles:
                first = picture is self.pictures[0]
                self.set_running_title(" · ".join(titles), first=first)

    def wrap(self, width: float, _: float) -> tuple[float, float]:
        """Divide the width among the columns."""
        column = model.column_width(self.columns, self.setter.theme)
        # Smaller ones, such as tokens, are enlarged to its size.
        self.scales = [
            max(
                self.shrink * model.gallery_scale(each, column),
                min(self.cell / each.cell, _MAX_TALLER * self.tallest / each.height),
            )
            for each in self.pictures
        ]
        pictures = zip(self.pictures, self.scales, strict=True)
        self.face_height = max(picture.height * scale for picture, scale in pictures)
        if self.lead is not None:
            across = self.pictures[0].cell * self.scales[0]
            _, lead = self.lead.wrap(across * POINTS_PER_MM, self.face_height * POINTS_PER_MM)
            self.face_height = max(self.face_height, lead / POINTS_PER_MM)
        below = self.CAPTION if any(picture.caption for picture in self.pictures) else 0
        self.width, self.height = width, (self.face_height + below) * POINTS_PER_MM
        return self.width, self.height

    def ops(self) -> Sequence[Op]:
        """Return the faces and their captions."""
        ops: list[Op] = []
        style = self.setter.style(self.setter.theme.size * 0.9, leading=1.2)
        number = int(self.lead is not None)
        for picture, scale in zip(self.pictures, self.scales, strict=True):
            while number in self.taken:
                number += 1
            face, left = picture.face, self._left(number, picture.span)
            number += picture.span
            # Gaps between its cells do not shrink with what is as wide as several of them.
            more = (picture.span - 1) * (self.cell + model.GALLERY_GAP)
            across = picture.cell * scale + more
            x = left + (self.cell + more - across) / 2
            down = picture.height * scale * picture.rows + (picture.rows - 1) * model.GALLERY_GAP
            trim = outlines.rectangle(0, 0, face.width, face.height)
            alt = alt_text(face) or picture.caption or picture.anchor
            figure = None if picture.headings else Tag("Figure", alt)
            matrix = (across / face.width, 0.0, 0.0, down / face.height, x, 0.0)
            ops.append(Group(face.ops, matrix, trim, tag=figure))
            if picture.caption:
                below = Box(left, self.face_height + 0.6, self.cell, 4)
                caption = align_label(self.setter, picture.caption, style, below, "middle")
                ops.append(Group(tuple(caption), tag=Tag("Caption")))
        return ops

    def _left(self, number: int, span: int = 1) -> Mm:
        """Return where some cells begin; all of them are in the middle of the page."""
        across = self.cell + model.GALLERY_GAP
        place = self.columns - span - number if self.setter.rtl else number
        width = self.width / POINTS_PER_MM
        return (width - self.columns * across + model.GALLERY_GAP) / 2 + place * across


class IndentedFlowable(Flowable):  # type: ignore[misc]
    """An indented flowable with an optional mark before it, such as a bullet or a rule's name."""

    def __init__(self, mark: BookPart | None, inner: Flowable, indent: Mm) -> None:
        """Indent `inner`; the mark stands in the indent, beside the first line."""
        super().__init__()
        self.mark, self.inner, self.indent = mark, inner, indent * POINTS_PER_MM

    def getSpaceBefore(self) -> float:  # noqa: N802 - platypus' name
        """Return the distance of the inner flowable."""
        return float(self.inner.getSpaceBefore())

    def getSpaceAfter(self) -> float:  # noqa: N802 - platypus' name
        """Return the distance of the inner flowable."""
        return float(self.inner.getSpaceAfter())

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Wrap the inner flowable to the width beside the indent."""
        self.width = width
        _, self.height = self.inner.wrap(width - self.indent, height)
        if self.mark is not None:
            _, mark = self.mark.wrap(self.indent - 1.5 * POINTS_PER_MM, height)
            self.height = max(self.height, mark)
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split the inner flowable; the mark stays with the first part."""
        self.wrap(width, height)
        parts = self.inner.split(width - self.indent, height)
        fits = self.mark is None or self.mark.height <= height
        if len(parts) < 2 or not fits:  # before and behind the break
            return []
        mm = self.indent / POINTS_PER_MM
        rest = _wrap_parts(parts[1:], lambda part: IndentedFlowable(None, part, mm))
        return [IndentedFlowable(self.mark, parts[0], mm), *rest]

    def draw(self) -> None:
        """Draw the mark and the inner flowable, aligned at the top."""
        if self.mark is not None:
            draw_at(self.mark, self.canv, 0, self.height - self.mark.height, self.width)
        left = 0 if self.canv.rtl else self.indent
        self.inner.drawOn(self.canv, left, self.height - self.inner.height)


def _wrap_parts(
    parts: Sequence[Flowable], wrap: Callable[[Flowable], Flowable]
) -> Iterator[Flowable]:
    """Yield the parts of a flowable that was split, each within a new one; page breaks stay."""
    return (part if isinstance(part, CondPageBreak) else wrap(part) for part in parts)


class BoxedFlowable(Flowable):  # type: ignore[misc]
    """A flowable on a colored ground with a bar before it; adjacent ones look like one box."""

    PAD: Mm = 3.2
    BAR: Mm = 1.1
    MARGIN: Mm = 2 * PAD + BAR

    def __init__(
        self, setter: BookTypesetter, inner: Flowable, ground: str, bar: str, top: Mm, bottom: Mm
    ) -> None:
        """Pad the ground by `top` and `bottom`."""
        super().__init__()
        self.setter, self.inner, self.colors = setter, inner, (ground, bar)
        self.top, self.bottom = top, bottom
        self.left = (self.PAD + (0 if setter.rtl else self.BAR)) * POINTS_PER_MM
        self.margin = self.MARGIN * POINTS_PER_MM

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Wrap the inner flowable to the width inside the padding."""
        self.width = width
        _, inner = self.inner.wrap(width - self.margin, height)
        self.height = inner + (self.top + self.bottom) * POINTS_PER_MM
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split the inner flowable; each part gets the ground."""
        parts = self.inner.split(width - self.margin, height - (self.top + 1) * POINTS_PER_MM)
        if len(parts) < 2:  # before and behind the break
            return []
        first = BoxedFlowable(self.setter, parts[0], *self.colors, self.top, 1)
        box = partial(BoxedFlowable, self.setter)
        rest = _wrap_parts(parts[1:], lambda part: box(part, *self.colors, 1, self.bottom))
        return [first, *rest]

    def draw(self) -> None:
        """Draw the ground, the bar and the inner flowable."""
        ground, bar = self.colors
        height, width = self.height / POINTS_PER_MM, self.width / POINTS_PER_MM
        edge = width - self.BAR if self.setter.rtl else 0.0
        ops = [
            FillPath(outlines.rectangle(0, -0.02, width, height + 0.04), ground),
            FillPath(outlines.rectangle(edge, -0.02, self.BAR, height + 0.04), bar),
        ]
        self.setter.paint(self.canv, ops, 0, self.height)
        self.inner.drawOn(self.canv, self.left, self.bottom * POINTS_PER_MM)


class Space(Flowable):  # type: ignore[misc]
    """Empty room, which makes platypus start a page even if it takes none."""

    def __init__(self, height: float) -> None:
        """Take `height` points."""
        super().__init__()
        self.height = height

    def wrap(self, width: float, _: float) -> tuple[float, float]:
        """Take the room."""
        return width, self.height

    def draw(self) -> None:
        """Draw nothing."""


UNLIMITED_HEIGHT = 1e6
"""Higher than any page, in points."""
_MIN_ROWS_TOGETHER = 2
"""The minimum number of rows on each side of a page break in a table."""
MAX_UNDIVIDED_SHARE = 0.35
"""The share of a page up to which a table or a box is kept in one piece if possible."""
_HEIGHT_TOLERANCE = 1e-3
_MANY_COLUMNS = 5
"""Tables of so many columns have them closer together."""


class _TableCallback:
    """A callback of platypus while a table is drawn; `setter` paints the table's decoration."""

    def __init__(self, setter: BookTypesetter) -> None:
        self.setter, self._drawn_parts = setter, set[int]()

    def __call__(self, _: Table, event: str, *about: Any) -> None:  # platypus'
        if event == "startCell":
            cell = about[2]
            for part in cell if isinstance(cell, list | tuple) else (cell,):
                # Headings that are repeated on the next page are artifacts.
                if id(part) in self._drawn_parts:
                    part.tag = None
                self._drawn_parts.add(id(part))


class BookTable(Table):  # type: ignore[misc]
    """A table whose remainder moves to the next page; platypus would retry the same page."""

    def _drawCell(  # noqa: N802 - platypus' name
        self, cell: object, style: object, at: tuple[float, float], size: tuple[float, float]
    ) -> None:
        """Draw a cell; columns begin at the side where lines start."""
        x = self._width - at[0] - size[0] if self.canv.rtl else at[0]
        super()._drawCell(cell, style, (x, at[1]), size)

    def _drawBkgrnd(self) -> None:  # noqa: N802 - platypus' name
        """Paint the grounds of rows."""
        ops, width = [], self._width / POINTS_PER_MM
        for _, (_, first), (_, last), color in self._bkgrndcmds:
            top, bottom = self._rows[first], self._rows[last % self._nrows + 1]
            ops.append(FillPath(outlines.rectangle(0, top, width, bottom - top), color))
        self._paint(ops)

    def _drawLines(self) -> None:  # noqa: N802 - platypus' name
        """Paint the lines above and below rows, on top of their grounds."""
        ops: list[Op] = []
        width = self._width / POINTS_PER_MM
        for kind, (_, first), (_, last), weight, color, *_ in self._linecmds:
            for row in range(first % self._nrows, last % self._nrows + 1):
                y = self._rows[row + (kind == "LINEBELOW")]
                ops.append(StrokePath(outlines.line(0, y, width, y), color, weight / POINTS_PER_MM))
        self._paint(ops)

    @property
    def _rows(self) -> list[Mm]:
        """The tops of the rows, and the bottom of the last one."""
        return [(self._height - y) / POINTS_PER_MM for y in self._rowpositions]

    def _paint(self, ops: Sequence[Op]) -> None:
        self._renderCB.setter.paint(self.canv, ops, 0, self._height)

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split the table without leaving a single row for the next page."""
        parts: list[Flowable] = super().split(width, height)
        if len(parts) < 2:  # before and behind the break
            return parts
        heads, rows = self.repeatRows, len(parts[0]._rowHeights)  # noqa: SLF001 - no other way
        left = len(parts[1]._rowHeights) - heads  # noqa: SLF001
        if left < _MIN_ROWS_TOGETHER < rows - heads:
            shorter = sum(parts[0]._rowHeights[:-1])  # noqa: SLF001
            parts = super().split(width, shorter + _HEIGHT_TOLERANCE)
        return [parts[0], CondPageBreak(UNLIMITED_HEIGHT), *parts[1:]]

    def min_height(self, page: float) -> float:
        """Return the height of the unbreakable beginning, in points.

        That is the whole of a table that is small for a page of this height, else the headings and
        two rows.
        """
        whole = float(sum(self._rowHeights))
        least: float = sum(self._rowHeights[: self.repeatRows + _MIN_ROWS_TOGETHER])
        return whole if whole <= page * MAX_UNDIVIDED_SHARE else least


def build_table(
    setter: BookTypesetter,
    cells: Sequence[Sequence[TextPart | None]],
    heads: int,
    width: Mm,
    middle: Iterable[int],
    groups: Iterable[int],
) -> Flowable:
    """Return a table of texts, `width` wide, with `heads` heading rows; texts extend over None.

    The cells of rows `middle` are centered vertically; rows `groups` have a line above.
    """
    pad: Mm = 1.5 if len(cells[0]) < _MANY_COLUMNS else 1.1
    widths = _column_widths(cells, width - 2 * pad * len(cells[0]))
    style: list[tuple[Any, ...]] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), pad * POINTS_PER_MM),
        ("RIGHTPADDING", (0, 0), (-1, -1), pad * POINTS_PER_MM),
        ("TOPPADDING", (0, 0), (-1, -1), 0.8 * POINTS_PER_MM),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.1 * POINTS_PER_MM),
        ("LINEABOVE", (0, 0), (-1, 0), 0.9, setter.color),
        ("LINEBELOW", (0, -1), (-1, -1), 0.9, setter.color),
        ("LINEBELOW", (0, 0), (-1, -2), 0.25, "#b9b2a6"),
    ]
    style += [("VALIGN", (0, row), (-1, row), "MIDDLE") for row in middle]
    style += [("LINEABOVE", (0, row), (-1, row), 0.6, setter.color) for row in groups if row]
    for row, line in enumerate(cells):
        for end in (place for place, cell in enumerate(line) if cell is None):
            start = max(place for place in range(end) if line[place] is not None)
            style.append(("SPAN", (start, row), (end, row)))
    if heads:
        style.append(("BACKGROUND", (0, 0), (-1, heads - 1), mix(setter.color, "#ffffff", 0.9)))
    return BookTable(
        cells,
        colWidths=[(width + 2 * pad) * POINTS_PER_MM for width in widths],
        repeatRows=heads,
        style=TableStyle(style),
        spaceBefore=1.4 * POINTS_PER_MM,
        spaceAfter=3.4 * POINTS_PER_MM,
        splitInRow=1,
        renderCB=_TableCallback(setter),
    )


def _column_widths(cells: Sequence[Sequence[TextPart | None]], room: Mm) -> list[Mm]:
    """Distribute `room` among the columns of a table.

    Each column gets the width of its longest word; the rest goes to columns with longer texts.
    """

    def widest(column: Sequence[TextPart], width: Mm | None) -> Mm:
        metrics, style = column[0].setter.metrics, column[0].style._replace(hyphenate=False)
        return max(lay_out(part.rich, style, metrics, width=width).width for part in column) + 0.1

    # What extends over several columns has room in them.
    rows = [[*zip(line, [*line[1:], line[0]], strict=True)] for line in cells]
    columns = [
        [cell for cell, after in column if cell and after] for column in zip(*rows, strict=True)
    ]
    needs, wants = ([widest(column, width) for column in columns] for width in (0.01, None))
    if sum(wants) <= room:
        extra = (room - sum(wants)) / len(wants)
        return [want + extra for want in wants]
    left = room - sum(needs)
    if left <= 0:
        return [room * need / sum(needs) for need in needs]
    greed = [max(want - need, 0.0) ** 0.75 for want, need in zip(wants, needs, strict=True)]
    total = sum(greed) or 1
    return [need + left * share / total for need, share in zip(needs, greed, strict=True)]


MIN_LINES_TOGETHER = 2
"""The minimum number of lines kept with the heading before a text, or the table after it."""


class BreakAtFoot(CondPageBreak):  # type: ignore[misc]
    """A page break before parts that do not fit, if the current page is at least half full."""

    def __init__(self, parts: Sequence[Flowable], theme: Theme) -> None:
        """Break before `parts`."""
        super().__init__(total_height(parts, theme))
        self._half = theme.body * POINTS_PER_MM / 2

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Break the page if needed; take no room."""
        return super().wrap(width, height) if height < self._half else (0.0, 0.0)


def total_height(parts: Sequence[Flowable], theme: Theme) -> float:
    """Return the height of parts in points, with the larger distance between each two of them."""
    height = after = 0.0
    for part in parts:
        _, own = part.wrap(theme.column * POINTS_PER_MM, UNLIMITED_HEIGHT)
        height += own + max(part.getSpaceBefore(), after)
        after = part.getSpaceAfter()
    return height + after


def required_height(parts: Sequence[Flowable], body: Sequence[Flowable], theme: Theme) -> float:
    """Return the height of parts and the beginning of their body in points, at most a page's."""
    width = theme.column * POINTS_PER_MM
    # Three lines are not split, since one of them would be left alone.
    short = (MIN_LINES_TOGETHER + 1.5) * theme.size * theme.leading * POINTS_PER_MM
    # Nor is an item of a line left alone.
    items = len(body) > 1 and all(map(_is_item, body[:2]))
    lead = int(items and body[0].wrap(width, UNLIMITED_HEIGHT)[1] < short / 2)
    kept = [*body[:lead], *takewhile(lambda part: part.getKeepWithNext(), body[lead:])]
    first = body[len(kept)]
    height = total_height((*parts, *kept), theme)
    _, least = first.wrap(width, UNLIMITED_HEIGHT)
    if isinstance(first, BookTable | Columns):
        least = first.min_height(theme.body * POINTS_PER_MM)
    elif least >= short and not (kept and kept[-1].getKeepWithNext()):
        least = MIN_LINES_TOGETHER * theme.size * theme.leading * POINTS_PER_MM
    mark = first.mark.height if isinstance(first, IndentedFlowable) and first.mark else 0
    return float(min(height + max(least, mark), theme.body * POINTS_PER_MM))


class Floating(KeepTogether):  # type: ignore[misc]
    """A figure that what follows precedes if only that still fits on the page."""

    def __init__(self, parts: Sequence[Flowable], theme: Theme) -> None:
        """Keep `parts` together."""
        super().__init__(parts)
        around = parts[0].getSpaceBefore() + parts[-1].getSpaceAfter()
        self.height = total_height(parts, theme) - around
        self.at_foot = False
        """Whether it has yet to be moved to the foot of its page."""

    def stand_at_foot(self) -> None:
        """Stand at the foot of the page, where nothing but the rest of the page is above it."""
        self.at_foot = True
        self._content[0].spaceBefore = 0


def next_part(flowables: Sequence[Flowable], room: float, theme: Theme) -> Sequence[Flowable]:
    """Return the next text, with its headings, whose beginning fits in `room`; else nothing.

    A list is moved as a whole, and nothing of another chapter.
    """
    heads = [*takewhile(lambda each: isinstance(each, CondPageBreak | HeadingPart), flowables)]
    headings = [each for each in heads if isinstance(each, HeadingPart)]
    rest = flowables[len(heads) :]
    if any(each.outline and each.outline[1] == 1 for each in headings):
        return ()
    if any(isinstance(each, CondPageBreak) and each.height > room for each in heads):
        return ()
    if items := [*takewhile(_is_item, rest)]:
        fits = total_height([*headings, *items], theme) <= room
        return [*heads, *items] if fits else ()
    body = [*takewhile(lambda each: each.getKeepWithNext(), rest)]
    body += rest[len(body) : len(body) + 1]
    texts = (TextPart, IndentedFlowable, BoxedFlowable, BookTable)
    movable = body and all(isinstance(each, texts) for each in body)
    return [*heads, *body] if movable and required_height(headings, body, theme) <= room else ()


def _is_item(part: Flowable) -> bool:
    return isinstance(part, IndentedFlowable) and not isinstance(part.mark, HeadingPart)


_COLUMN_TOLERANCE = 1e-3
_BALANCE_STEP = 1.0
"""The precision of balancing columns, in points."""
_MAX_UNBALANCE = 1.15
"""How much higher columns may be that begin with headings."""
_MAX_LEVELING = 3 * POINTS_PER_MM
"""What the distance of two stacks may gain so that columns end level."""


class Stack(Flowable):  # type: ignore[misc]
    """Stacked flowables that are never split."""

    def __init__(self, parts: Sequence[Flowable]) -> None:
        """Stack `parts` from the top."""
        super().__init__()
        self.parts, self.spaceBefore = parts, parts[0].getSpaceBefore()
        self.width, self.height = -1.0, 0.0
        self.gap = 0.0
        """An additional distance between parts, below the height that they need."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Use the height of all parts and the distances between them."""
        if width == self.width:  # it is wrapped again for each page that it does not fit on
            return self.width, self.height
        self.width, self.height = width, -self.spaceBefore
        for part in self.parts:
            _, own = part.wrap(width, height)
            self.height += own + part.getSpaceBefore() + part.getSpaceAfter()
        return self.width, self.height

    def draw(self) -> None:
        """Draw all parts."""
        top = self.height + self.spaceBefore
        for part in self.parts:
            top -= part.height + part.getSpaceBefore()
            part.drawOn(self.canv, 0, top)
            top -= part.getSpaceAfter() + self.gap


class Panel(Flowable):  # type: ignore[misc]
    """Flowables on a framed ground, spread over its height."""

    MARGIN: tuple[Mm, Mm] = (6, 4)
    MAX_GAP: Mm = 3

    def __init__(self, setter: BookTypesetter, parts: Sequence[Flowable], ground: str) -> None:
        """Stack `parts` on a ground of a color."""
        super().__init__()
        self.setter, self.ground, self.stack = setter, ground, Stack(parts)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Use all of the height, or more if the parts need it."""
        across, down = (2 * margin * POINTS_PER_MM for margin in self.MARGIN)
        _, inner = self.stack.wrap(width - across, height)
        self.width, self.height = width, max(height, inner + down)
        spare = (self.height - inner - down) / len(self.stack.parts)
        self.stack.gap = min(spare, self.MAX_GAP * POINTS_PER_MM)
        return self.width, self.height

    def draw(self) -> None:
        """Draw the ground, its frame and the parts."""
        width, height = self.width / POINTS_PER_MM, self.height / POINTS_PER_MM
        self.setter.paint(self.canv, panel_ops(width, height, self.ground), 0, self.height)
        more = self.stack.gap * (len(self.stack.parts) - 1)
        bottom = (self.height - self.stack.height + more) / 2
        self.stack.drawOn(self.canv, (self.width - self.stack.width) / 2, bottom)


class Columns(Flowable):  # type: ignore[misc]
    """Stacks in columns of balanced height, filled from the side where lines start."""

    def __init__(
        self, stacks: Sequence[Stack], number: int, gap: Mm, *, by_heading: bool = False
    ) -> None:
        """Distribute stacks over columns.

        Args:
            by_heading: whether one begins with each heading, unless they are much higher then.
        """
        super().__init__()
        self.stacks, self.number, self.gap, self.by_heading = stacks, number, gap, by_heading
        heads = [
            place
            for place, stack in enumerate(stacks)
            if place and isinstance(stack.parts[0], HeadingPart)
        ]
        self.lists = [stacks]
        """The stacks that share no column with others."""
        if by_heading and len(heads) < number:
            self.lists = [stacks[start:end] for start, end in pairwise([0, *heads, len(stacks)])]
        self.level = False
        """Whether the distances of stacks in shorter columns are larger."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Balance the columns, unless they are much higher than the page."""
        self.width = width
        self.column = (width - self.gap * POINTS_PER_MM * (self.number - 1)) / self.number
        for stack in self.stacks:
            stack.wrap(self.column, height)
        total = sum(stack.height + stack.spaceBefore for stack in self.stacks)
        low, high = total / self.number - _BALANCE_STEP, total
        if low > 2 * height:
            self.height = low
            return width, self.height
        if len([*self._fill_columns(height)]) <= self.number:
            high = min(high, height)
        least = _balance([self.stacks], self.number, low, high)
        high = _balance(self.lists, self.number, low, total)
        if high > _MAX_UNBALANCE * least:
            self.lists, high = [self.stacks], least
        self.columns: list[list[Stack]] = []
        for stacks in self.lists:
            number = len([*_fill_columns(stacks, high)])
            self.columns += _fill_columns(stacks, _balance([stacks], number, 0, high))
        self.height = max(map(self._height, self.columns), default=0.0)
        return width, self.height

    def stretch(self, more: float) -> None:
        """Use more height, and let the columns end level unless one is much shorter."""
        self.height += more
        self.level = True

    def min_height(self, page: float) -> float:
        """Return the height of the beginning, in points: the whole if it is small for a page."""
        return float(min(self.height, page * MAX_UNDIVIDED_SHARE))

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return the columns that fill the page, and the rest."""
        self.wrap(width, height)
        full = [*islice(self._fill_columns(height), self.number)]
        taken = sum(map(len, full))
        highest = max(map(self._height, full), default=0)
        if not taken or highest > height + _COLUMN_TOLERANCE:
            return []
        headed = self.by_heading
        first = Columns(self.stacks[:taken], self.number, self.gap, by_heading=headed)
        first.spaceBefore = self.getSpaceBefore()
        rest = self.stacks[taken:]
        more = Columns(rest, self.number, self.gap, by_heading=headed) if rest else None
        return [first, *filter(None, [more])]

    def draw(self) -> None:
        """Draw the columns, aligned at the top."""
        for number, column in enumerate(self.columns):
            x, top = number * (self.column + self.gap * POINTS_PER_MM), self.height
            spare = (self.height - self._height(column)) / max(1, len(column) - 1)
            gap = min(spare, _MAX_LEVELING) if self.level else 0
            for place, stack in enumerate(column):
                top -= stack.height + (stack.spaceBefore + gap if place else 0)
                draw_at(stack, self.canv, x, top, self.width)

    def _fill_columns(self, height: float) -> Iterator[list[Stack]]:
        return chain.from_iterable(_fill_columns(stacks, height) for stacks in self.lists)

    @staticmethod
    def _height(column: Sequence[Stack]) -> float:
        if not column:
            return 0.0
        return float(
            sum(stack.height + stack.spaceBefore for stack in column) - column[0].spaceBefore
        )


def _fill_columns(stacks: Iterable[Stack], height: float) -> Iterator[list[Stack]]:
    """Yield columns no higher than `height`, except for single stacks that exceed it."""
    column: list[Stack] = []
    room = height
    for stack in stacks:
        needed = stack.height + (stack.spaceBefore if column else 0)
        if column and needed > room + _COLUMN_TOLERANCE:
            yield column
            column, needed, room = [], stack.height, height
        column.append(stack)
        room -= needed
    if column:
        yield column


def _balance(lists: Iterable[Sequence[Stack]], number: int, low: float, high: float) -> float:
    """Return the least height between two in which lists of stacks need so many columns."""
    while high - low > _BALANCE_STEP:
        middle = (low + high) / 2
        if sum(len([*_fill_columns(stacks, middle)]) for stacks in lists) <= number:
            high = middle
        else:
            low = middle
    return high
