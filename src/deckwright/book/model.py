"""What a book consists of, independent of paper, and the sizes of its parts in mm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.base.geometry import IDENTITY, determinant
from deckwright.base.units import MM_PER_UNIT, PAPER_SIZES, TOLERANCE, Mm
from deckwright.ops.model import DrawGlyphs, Face, Group, Op
from deckwright.xmlio.node import Source

_PT = MM_PER_UNIT["pt"]
_MIN_DESK_WIDTH: Mm = 170
"""Paper narrower than this is for the hand, wider for the desk."""

INK = "#1d1a16"
FAINT = "#595249"


class Theme(NamedTuple):
    """The measures of a book.

    Attributes:
        size: of the text, as an em.
        leading: distance of baselines in ems.
        headings: sizes of headings by level, from 0, the small ones.
        rule_indent: width of the column for names of rules.
        gallery: cards side by side.
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

    @property
    def column(self) -> Mm:
        """The width of text."""
        return self.width - 2 * self.margin_x

    @property
    def body(self) -> Mm:
        """The height of text."""
        return self.height - self.margin_top - self.margin_bottom


def theme_of(paper: str) -> Theme:
    """Return the measures for a paper of `units.PAPERS`."""
    width, height = PAPER_SIZES[paper]
    if width < _MIN_DESK_WIDTH:
        sizes = (9.5, 21, 14, 11.5, 10)
        return Theme(width, height, 16, 19, 17, 9.2 * _PT, 1.34,
                     tuple(size * _PT for size in sizes), 36, 3)  # fmt: skip
    sizes = (11, 26, 18, 13.5, 11)
    return Theme(width, height, 20, 22, 20, 10 * _PT, 1.36,
                 tuple(size * _PT for size in sizes), 50, 4)  # fmt: skip


class Span(NamedTuple):
    """A stretch of text in one style.

    Attributes:
        caps: whether it is set in small capitals.
        code: whether it is program text, in which braces mean nothing.
        icon: the name of an icon that stands in its place.
        link: the anchor that it leads to.
        page_of: the anchor whose page number stands in its place.
        anchors: the anchors that stand here.
        line_break: whether a new line begins behind it.
        underlined, struck: whether a line is drawn below it, or through it.
        color: `#rrggbb`, where it is not the text's.
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
        level: 1 for chapters; 0 for a small heading that is in no contents.
        number: its number, "" for none.
        color: of its band or line, None for the book's.
        face: what is drawn in place of all this, as wide as the text; it may reach beyond.
    """

    level: int
    number: str
    title: str
    anchor: str
    color: str | None = None
    new_page: bool = False
    face: Face | None = None


class Paragraph(NamedTuple):
    """A paragraph. `source` is where its text stands."""

    text: Text
    source: Source | None = None


class ListItem(NamedTuple):
    """Something with a mark before it: an item of a list, or a line of a legend."""

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
        rows: cells, row by row, all rows of the same length.
        heads: how many of the first rows are headings.
        columns: for each column "l", "c" or "r".
        caption: its number and title.
    """

    rows: tuple[tuple[Text, ...], ...]
    heads: int
    columns: tuple[str, ...]
    caption: Text
    anchor: str | None = None


class Figure(NamedTuple):
    """Drawings below each other with a caption, and a legend below.

    Attributes:
        faces: as wide as they should be printed, or wider than the column: then they are made
            smaller.
        anchors: all that one can refer to in it.
    """

    faces: tuple[Face, ...]
    caption: Text
    legend: tuple[ListItem, ...] = ()
    anchors: tuple[str, ...] = ()


class GalleryPicture(NamedTuple):
    """A face in a gallery.

    Attributes:
        caption: what stands below it, "" for nothing.
        least: the scale at which its smallest text is just large enough.
    """

    face: Face
    caption: str
    anchor: str
    least: float


class Gallery(NamedTuple):
    """Cards side by side, in rows."""

    pictures: tuple[GalleryPicture, ...]


class Contents(NamedTuple):
    """The table of contents.

    Attributes:
        levels: how deep it goes.
        face: what is drawn in place of its heading.
    """

    title: str
    levels: int
    face: Face | None = None


class IndexEntry(NamedTuple):
    """An entry of an index: what it is, what more to say, and where it is."""

    term: str
    note: str
    anchors: tuple[str, ...]


class Index(NamedTuple):
    """An index, in columns, on pages of its own."""

    entries: tuple[IndexEntry, ...]
    columns: int


Block = Heading | Paragraph | ListItem | Aside | BookTable | Figure | Gallery | Contents | Index


class Anchor(NamedTuple):
    """What a cross reference prints."""

    number: str
    title: str


class PageBackgrounds(NamedTuple):
    """What left pages and right ones have."""

    left: Face
    right: Face


class Book(NamedTuple):
    """A book, ready to be set.

    Attributes:
        theme: the measures to set it by.
        color: of headings and lines.
        cover: drawn over the whole first page; None for no cover.
        fonts: the ids of the font families for "text" and "title".
        back: drawn over a whole page at the end.
        pages: drawn beneath the texts of all others.
        source: where it was read from, None if it was not.
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

    @property
    def faces(self) -> Iterator[Face]:
        """All faces that it shows."""
        yield from filter(None, (self.cover, *(self.pages or ()), self.back))
        for block in self.blocks:
            if isinstance(block, Heading | Contents) and block.face is not None:
                yield block.face
            elif isinstance(block, Figure):
                yield from block.faces
            elif isinstance(block, Gallery):
                yield from (picture.face for picture in block.pictures)


L010 = Code("L010", Severity.WARNING, "a figure with text that is too small")
MIN_PT = 6.0
"""The smallest type that is read without effort."""
_MIN_TEXT: Mm = MIN_PT * MM_PER_UNIT["pt"]
_MAX_FIGURE_SHARE = 0.8
"""The share of a page that a face of a figure may be high."""
GALLERY_GAP: Mm = 3
"""Between cards side by side."""


def smallest_text(ops: Iterable[Op]) -> Mm | None:
    """Return the size of the smallest text in a drawing, None if it has no text."""
    return min(_text_sizes(ops, 1), default=None)


def _text_sizes(ops: Iterable[Op], scale: float) -> Iterator[Mm]:
    for op in ops:
        if isinstance(op, DrawGlyphs) and op.text.strip():
            yield op.size * scale
        elif isinstance(op, Group):
            larger = math.sqrt(abs(determinant(op.matrix or IDENTITY)))
            yield from _text_sizes(op.ops, scale * larger)


def min_legible_scale(face: Face) -> float:
    """Return the scale at which the smallest text of a face is just large enough; 0 without any."""
    smallest = smallest_text(face.ops)
    return _MIN_TEXT / smallest if smallest else 0


def count_columns(pictures: Iterable[GalleryPicture], theme: Theme) -> int:
    """Return how many faces stand side by side in a gallery, so that all texts are legible."""
    widest = max((picture.face.width * picture.least for picture in pictures), default=0)
    for columns in range(theme.gallery, 1, -1):
        if widest <= column_width(columns, theme) + TOLERANCE:
            return columns
    return 1


def column_width(columns: int, theme: Theme) -> Mm:
    """Return the width of each of the columns of a gallery."""
    return (theme.column - GALLERY_GAP * (columns - 1)) / columns


def figure_scale(face: Face, width: Mm, theme: Theme) -> float:
    """Return the scale of a face of a figure: smaller where it is too wide or high for the page."""
    return min(1, width / face.width, theme.body * _MAX_FIGURE_SHARE / face.height)


def check_figure(faces: Iterable[Face], source: Source, theme: Theme) -> Iterator[Diagnostic]:
    """Yield a finding if a text of a figure is printed too small."""
    sizes = [
        smallest * figure_scale(face, theme.column, theme)
        for face in faces
        if (smallest := smallest_text(face.ops)) is not None
    ]
    size = min(sizes, default=_MIN_TEXT)
    if size < _MIN_TEXT - TOLERANCE:
        points = math.floor(size / MM_PER_UNIT["pt"] * 10) / 10
        message = f"the figure's smallest text has {points:.1f} pt, {MIN_PT:.0f} pt is the minimum"
        yield L010.at(source.at(), message, "enlarge the text, or make the drawing narrower")


def gallery_scale(picture: GalleryPicture, column: Mm) -> float:
    """Return the scale of a face in a column: at most 1, unless its texts would be too small."""
    return min(column / picture.face.width, max(1, picture.least))
