"""The blocks of a book, and the measures of its layout in mm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.base.units import MM_PER_UNIT, PAPER_SIZES, TOLERANCE, Mm
from deckwright.ops.model import DrawGlyphs, Face, Group, Op
from deckwright.text.placing import FAULT_COLOR
from deckwright.xmlio.node import Source

_PT = MM_PER_UNIT["pt"]
_MIN_DESK_WIDTH: Mm = 170
"""Narrower pages are read in the hand, wider ones on a desk."""

INK = "#1d1a16"
FAINT = "#595249"


class Theme(NamedTuple):
    """The layout measures of a book.

    Attributes:
        size: the font size of the text.
        leading: the distance of baselines in ems.
        headings: the font sizes of headings by level, from 0 for small ones.
        rule_indent: the width of the column for names of rules.
        gallery: the largest number of cards side by side.
        spacing: the distances around headings, as a share of the usual ones.
        run_in: the level from which on headings stand beside their text: the number before it, the
            title at its beginning; 0 for none.
    """

    width: Mm
    height: Mm
    margin_x: Mm
    margin_top: Mm
    margin_bottom: Mm
    size: Mm
    leading: float
    headings: tuple[Mm, ...]
    rule_indent: Mm
    gallery: int
    spacing: float = 1
    run_in: int = 0

    @property
    def column(self) -> Mm:
        """The width of the text area."""
        return self.width - 2 * self.margin_x

    @property
    def body(self) -> Mm:
        """The height of the text area."""
        return self.height - self.margin_top - self.margin_bottom


def theme_of(paper: str) -> Theme:
    """Return the layout measures for a paper of `units.PAPER_SIZES`."""
    width, height = PAPER_SIZES[paper]
    if width < _MIN_DESK_WIDTH:
        sizes = (9.5, 21, 14, 11.5, 10)
        return Theme(width, height, 16, 19, 17, 9.2 * _PT, 1.34,
                     tuple(size * _PT for size in sizes), 36, 3)  # fmt: skip
    sizes = (11, 26, 18, 13.5, 11)
    return Theme(width, height, 20, 22, 20, 10 * _PT, 1.36,
                 tuple(size * _PT for size in sizes), 50, 4)  # fmt: skip


def catalog_theme() -> Theme:
    """Return the layout measures of an overview: an A4 page has nine cards, nearly as they are."""
    sizes = (10.5, 16, 14, 12, 10.5)
    return theme_of("a4")._replace(
        margin_x=9, margin_top=14, margin_bottom=17, size=9 * _PT, leading=1.3, spacing=0.6,
        headings=tuple(size * _PT for size in sizes))  # fmt: skip


class Span(NamedTuple):
    """A stretch of text in one style.

    Attributes:
        caps: whether it is set in small capitals.
        code: whether it is program text, in which braces are literal.
        icon: the name of an icon printed in its place.
        link: the anchor that it links to.
        page_of: the anchor whose page number is printed in its place.
        anchors: the anchors at this place.
        line_break: whether it ends with a line break.
        underlined, struck: whether it is underlined or struck through.
        color: `#rrggbb`, None for the color of the text.
    """

    text: str = ""
    bold: bool = False
    italic: bool = False
    caps: bool = False
    code: bool = False
    icon: str | None = None
    link: str | None = None
    page_of: str | None = None
    anchors: tuple[str, ...] = ()
    line_break: bool = False
    underlined: bool = False
    struck: bool = False
    color: str | None = None


Text = tuple[Span, ...]


class Heading(NamedTuple):
    """The title of a part of a book.

    Attributes:
        level: 1 for chapters; 0 for a small heading that the contents omit.
        color: the color of its band or line, None for the book's.
        face: a drawing in its place, as wide as the text; it may extend beyond.
        minor: whether it is as small as a section's, and may stand below other text.
    """

    level: int
    number: str
    title: str
    anchor: str
    color: str | None = None
    new_page: bool = False
    face: Face | None = None
    minor: bool = False


class Paragraph(NamedTuple):
    """A paragraph; `source` is the element of its text."""

    text: Text
    source: Source | None = None


class ListItem(NamedTuple):
    """A block with a mark before it: an item of a list, or an entry of a legend."""

    mark: Text
    blocks: tuple[Block, ...]
    indent: Literal["list", "rule"] = "list"


class Aside(NamedTuple):
    """Blocks set apart: an example, a note or a definition."""

    kind: Literal["example", "note", "definition"]
    title: str
    blocks: tuple[Block, ...]
    anchor: str | None = None


class BookTable(NamedTuple):
    """A table.

    Attributes:
        rows: the cells by row; all rows have the same length. The cell before extends over None.
        heads: the number of heading rows at the top.
        columns: the alignment of each column: "l", "c" or "r".
        groups: the rows that begin a group.
    """

    rows: tuple[tuple[Text | None, ...], ...]
    heads: int
    columns: tuple[str, ...]
    caption: Text
    anchor: str | None = None
    groups: tuple[int, ...] = ()


class Figure(NamedTuple):
    """Drawings one below the other, with a caption, a legend and all anchors in it.

    Attributes:
        faces: the drawings in their size of print; what is wider than the column is scaled down.
        beside: whether caption and legend stand beside the last drawing.
    """

    faces: tuple[Face, ...]
    caption: Text
    legend: tuple[ListItem, ...] = ()
    anchors: tuple[str, ...] = ()
    beside: bool = False


class GalleryPicture(NamedTuple):
    """A face in a gallery, and the text below it.

    Attributes:
        min_scale: the scale at which its smallest text is just legible.
        headings: the headings that it shows if it is the opening of a section, not a card.
        span, rows: the numbers of cells that it is wide and high.
    """

    face: Face
    caption: str
    anchor: str
    min_scale: float
    headings: tuple[Heading, ...] = ()
    span: int = 1
    rows: int = 1

    @property
    def cell(self) -> Mm:
        """The width of one of its cells."""
        return (self.face.width + GALLERY_GAP) / self.span - GALLERY_GAP

    @property
    def height(self) -> Mm:
        """The height of one of its cells."""
        return (self.face.height + GALLERY_GAP) / self.rows - GALLERY_GAP


class Contents(NamedTuple):
    """The table of contents, in columns.

    Attributes:
        levels: the deepest level of headings.
        face: a drawing in place of its heading.
        color: the color of the ground below it, None for paper.
        key: a key to symbols below it.
    """

    title: str
    levels: int
    face: Face | None = None
    columns: int = 1
    color: str | None = None
    key: Face | None = None


class Gallery(NamedTuple):
    """Cards side by side, in rows.

    Attributes:
        texts: small texts in a panel: it fills the last row and the page below it.
        contents: the table of contents, in place of the first card.
        color: the color of the panel.
        art: pictures for what is left of the panel, or of the page.
    """

    pictures: tuple[GalleryPicture, ...]
    texts: tuple[Heading | ListItem, ...] = ()
    contents: Contents | None = None
    color: str = INK
    art: tuple[Face, ...] = ()


class IndexEntry(NamedTuple):
    """An entry of an index: a term, a note, and its anchors."""

    term: str
    note: str
    anchors: tuple[str, ...]


class Index(NamedTuple):
    """An index, in columns; initials may stand above entries if it is `lettered`.

    Attributes:
        art: pictures for what is left of its last page.
    """

    entries: tuple[IndexEntry, ...]
    columns: int
    lettered: bool = True
    art: tuple[Face, ...] = ()


Block = Heading | Paragraph | ListItem | Aside | BookTable | Figure | Gallery | Contents | Index


class PageBackgrounds(NamedTuple):
    """The backgrounds of left and right pages."""

    left: Face
    right: Face


class Book(NamedTuple):
    """A book, ready for typesetting.

    Attributes:
        color: the color of headings and lines.
        cover: the drawing of the first page; None for no cover.
        fonts: the ids of the font families for "text" and "title".
        back: the drawing of the last page; None for none.
        pages: the backgrounds of all other pages.
        source: its root element, None if it was not read from a file.
        catalog: whether each gallery fills pages of its own.
    """

    title: str
    theme: Theme
    color: str
    cover: Face | None
    blocks: Sequence[Block]
    fonts: Mapping[str, str]
    back: Face | None = None
    pages: PageBackgrounds | None = None
    source: Source | None = None
    catalog: bool = False

    @property
    def headings(self) -> Iterator[Heading]:
        """All headings that the contents list, in order."""
        for block in self.blocks:
            blocks: Iterable[Block] = (block,)
            if isinstance(block, Gallery):
                blocks = (each for picture in block.pictures for each in picture.headings)
            yield from (each for each in blocks if isinstance(each, Heading) and each.level)

    @property
    def faces(self) -> Iterator[Face]:
        """All faces in the book."""
        yield from filter(None, (self.cover, *(self.pages or ()), self.back))
        for block in self.blocks:
            if isinstance(block, Heading | Contents) and block.face is not None:
                yield block.face
            elif isinstance(block, Figure):
                yield from block.faces
            elif isinstance(block, Gallery):
                yield from (picture.face for picture in block.pictures)
                yield from block.art


L010 = Code("L010", Severity.WARNING, "a figure with text that is too small")
MIN_PT = 6.0
"""The smallest type that is easily legible, in points."""
_MIN_TEXT: Mm = MIN_PT * MM_PER_UNIT["pt"]
_MAX_FIGURE_SHARE = 0.8
"""The largest height of a face in a figure, as a share of the text area."""
_MAX_STRETCH = 1.05
"""The largest factor by which a figure is enlarged to the width of the text."""
_MIN_SHRINK = 0.9
GALLERY_GAP: Mm = 3
"""The gap between cards in a gallery."""


def _smallest_text(ops: Iterable[Op]) -> Mm | None:
    """Return the size of the smallest text in a drawing, None if it has no text.

    The names of pictures that are missing do not count.
    """
    return min(_text_sizes(ops, 1), default=None)


def _text_sizes(ops: Iterable[Op], scale: float) -> Iterator[Mm]:
    for op in ops:
        if isinstance(op, DrawGlyphs) and op.text.strip() and op.color != FAULT_COLOR:
            yield op.size * scale
        elif isinstance(op, Group):
            yield from _text_sizes(op.ops, scale * op.scale)


def min_legible_scale(face: Face) -> float:
    """Return the scale at which the smallest text of a face is just legible; 0 without text."""
    smallest = _smallest_text(face.ops)
    return _MIN_TEXT / smallest if smallest else 0


def count_columns(pictures: Iterable[GalleryPicture], theme: Theme) -> int:
    """Return the number of columns of a gallery in which all texts are legible."""
    widest = max((picture.face.width * picture.min_scale for picture in pictures), default=0)
    for columns in range(theme.gallery, 1, -1):
        if widest <= column_width(columns, theme) + TOLERANCE:
            return columns
    return 1


def shrink_to_rows(pictures: Iterable[GalleryPicture], columns: int, theme: Theme) -> float:
    """Return how much smaller cards must be for one more row on a page; 1 if that is too small."""
    column = column_width(columns, theme)
    scales = [(picture, gallery_scale(picture, column)) for picture in pictures]
    tallest = max((picture.height * scale for picture, scale in scales), default=theme.body)
    rows = int((theme.body + GALLERY_GAP) / (tallest + GALLERY_GAP)) + 1
    shrink = ((theme.body + GALLERY_GAP) / rows - GALLERY_GAP) / tallest
    legible = all(scale * shrink >= picture.min_scale for picture, scale in scales)
    return shrink if legible and shrink >= _MIN_SHRINK else 1


def page_capacity(pictures: Sequence[GalleryPicture], theme: Theme) -> int:
    """Return how many cards a page of a gallery has."""
    columns = count_columns(pictures, theme)
    shrink, column = shrink_to_rows(pictures, columns, theme), column_width(columns, theme)
    heights = (each.height * gallery_scale(each, column) * shrink for each in pictures)
    room = theme.body + GALLERY_GAP + TOLERANCE
    return columns * int(room / (max(heights, default=theme.body) + GALLERY_GAP))


def shrink_to_least(pictures: Iterable[GalleryPicture], columns: int, theme: Theme) -> float:
    """Return how much smaller cards can be."""
    column = column_width(columns, theme)
    least = (picture.min_scale / gallery_scale(picture, column) for picture in pictures)
    return min(1, max((_MIN_SHRINK, *least)))


def column_width(columns: int, theme: Theme) -> Mm:
    """Return the width of a column of a gallery."""
    return (theme.column - GALLERY_GAP * (columns - 1)) / columns


def figure_scale(face: Face, width: Mm, theme: Theme) -> float:
    """Return the scale of a face in a figure: below 1 if it is too large for the page.

    What is nearly as wide as the column is drawn as wide, since other blocks end there.
    """
    scale = min(width / face.width, theme.body * _MAX_FIGURE_SHARE / face.height)
    return scale if scale < _MAX_STRETCH else 1


def check_figure(faces: Iterable[Face], source: Source, theme: Theme) -> Iterator[Diagnostic]:
    """Yield a finding if a text of a figure is printed too small."""
    sizes = [
        smallest * figure_scale(face, theme.column, theme)
        for face in faces
        if (smallest := _smallest_text(face.ops)) is not None
    ]
    size = min(sizes, default=_MIN_TEXT)
    if size < _MIN_TEXT - TOLERANCE:
        points = math.floor(size / MM_PER_UNIT["pt"] * 10) / 10
        message = f"the figure's smallest text has {points:.1f} pt; the minimum is {MIN_PT:.0f} pt"
        yield L010.at(source.at(), message, "enlarge the text, or make the drawing narrower")


def gallery_scale(picture: GalleryPicture, column: Mm) -> float:
    """Return the scale of a face in a column: at most 1, unless its texts need more."""
    return min(column / picture.cell, max(1, picture.min_scale))
