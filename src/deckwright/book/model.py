"""What a book consists of: chapters, paragraphs, lists, tables, figures; not what it looks like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from deckwright.book.theme import Theme
from deckwright.ops.model import Face
from deckwright.xmlio.node import Source


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


class Item(NamedTuple):
    """Something with a mark before it: an item of a list, or a line of a legend."""

    mark: Text
    blocks: tuple[Block, ...]
    indent: Literal["list", "rule"] = "list"


class Box(NamedTuple):
    """Blocks set apart: an example, a note or a definition."""

    kind: Literal["example", "note", "definition"]
    title: str
    blocks: tuple[Block, ...]
    anchor: str | None = None


class Table(NamedTuple):
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
    legend: tuple[Item, ...] = ()
    anchors: tuple[str, ...] = ()


class Picture(NamedTuple):
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

    pictures: tuple[Picture, ...]


class Contents(NamedTuple):
    """The table of contents.

    Attributes:
        levels: how deep it goes.
        face: what is drawn in place of its heading.
    """

    title: str
    levels: int
    face: Face | None = None


class Entry(NamedTuple):
    """An entry of an index: what it is, what more to say, and where it is."""

    term: str
    note: str
    anchors: tuple[str, ...]


class Index(NamedTuple):
    """An index, in columns, on pages of its own."""

    entries: tuple[Entry, ...]
    columns: int


Block = Heading | Paragraph | Item | Box | Table | Figure | Gallery | Contents | Index


class Anchor(NamedTuple):
    """What a cross reference prints."""

    number: str
    title: str


class Sides(NamedTuple):
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
    pages: Sides | None = None
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
