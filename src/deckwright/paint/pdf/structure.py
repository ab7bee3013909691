"""The structure tree of a PDF, for screen readers.

Tagged PDF is ISO 32000-1, 14.7 and 14.8; PDF/UA-1 adds ISO 14289-1, clause 7. Everything painted is
either the content of an element or an artifact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import NamedTuple

from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFDocument, PDFName, PDFObject
from reportlab.pdfgen.canvas import Canvas

from deckwright.base.geometry import Box, Matrix, multiply
from deckwright.base.units import format_decimal
from deckwright.ops import outlines
from deckwright.ops.model import Group, Op, Tag, is_tagged
from deckwright.ops.readable import alt_text
from deckwright.paint.pdf.objects import RawObject, encode_text, object_number
from deckwright.paint.pdf.painter import Painter
from deckwright.sheet.pages import PlacedFace

_MAX_ALT_LENGTH = 16_000
"""The maximum length of an alternative text: a string has at most 32,767 bytes."""
_MAX_HEADING_LEVEL = 6
"""The number of heading levels."""
_CELL_ROLES = ("TD", "TH")


class MarkedContent(NamedTuple):
    """Marked content, by its page and its number (MCID) there."""

    page: int
    number: int


class Link(PDFObject):  # type: ignore[misc]
    """A link annotation."""

    def __init__(self, box: Box, target: PDFObject, label: str, page: int) -> None:
        """Link a box on a page to `target`.

        Args:
            label: what that is called.
        """
        self.box, self.target, self.label, self.page = box, target, label, page
        self.number = self.parent = 0
        """Its object number, and its key in the parent tree."""

    def format(self, document: PDFDocument) -> bytes:
        """Return the dictionary; the flag Print marks the link as visible."""
        return b"".join(
            [
                b"<</Type/Annot/Subtype/Link/F 4/Border[0 0 0]/Rect[%s]" % _corners(self.box),
                b"/Contents%s/Dest%s" % (encode_text(self.label), self.target.format(document)),
                b"/StructParent %d>>" % self.parent,
            ]
        )


class Element:
    """A structure element.

    Attributes:
        box: the bounds of a figure on its page, in points from the bottom left.
        number: its object number.
    """

    def __init__(self, tag: Tag, parent: Element | None) -> None:
        """Append the element to `parent`."""
        self.tag, self.parent = tag, parent
        self.role, self.alt, self.numbering = tag.role, tag.alt[:_MAX_ALT_LENGTH], tag.numbering
        self.kids: list[Element | MarkedContent | Link] = []
        self.box: Box | None = None
        self.number = 0
        self.open_children: dict[Tag, Element] = {}
        """Child elements that may get more content, by tag."""
        if parent is not None:
            parent.kids.append(self)
            if tag.number:
                parent.open_children[tag] = self

    def elements(self) -> list[Element]:
        """Return the child elements."""
        return [kid for kid in self.kids if isinstance(kid, Element)]

    def walk(self) -> Iterator[Element]:
        """Yield the element and its descendants in reading order."""
        yield self
        for kid in self.elements():
            yield from kid.walk()


Enter = Callable[[PDFObject], int]
"""Enters an object in a file if it is new, and returns its number."""


def write_elements(
    document: PDFDocument, root: Element, pages: Mapping[int, Sequence[Element]]
) -> None:
    """Enter a structure tree in a document whose pages are complete.

    Args:
        pages: the elements of each page, counted from 1, in the order of their MCIDs.
    """
    page_objects = document.Pages.pages
    tree = enter_elements(partial(object_number, document), root, pages, page_objects)
    document.Catalog.StructTreeRoot = tree
    document.Catalog.MarkInfo = PDFDictionary({"Marked": "true"})
    for at, page in enumerate(page_objects):
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = at, PDFName("S")


def enter_elements(
    enter: Enter,
    root: Element,
    pages: Mapping[int, Sequence[Element]],
    page_objects: Sequence[PDFObject],
) -> PDFObject:
    """Enter a structure tree in a file; return its root.

    The `StructParents` of each page must be its index, from 0.

    Args:
        pages: the elements of each page, counted from 1, in the order of their MCIDs.
        page_objects: the pages of the file, in order.
    """
    _prune(root)
    _repair(root)
    elements = list(root.walk())
    objects = [RawObject(b"") for _ in elements]
    tree, parents = RawObject(b""), RawObject(b"")
    top = enter(tree)
    for element, written in zip(elements, objects, strict=True):
        element.number = enter(written)
    numbers = [enter(page) for page in page_objects]
    alt_texts = _AltTexts(enter, elements)
    links = list[bytes]()
    for element, written in zip(elements, objects, strict=True):
        for kid in element.kids:
            if isinstance(kid, Link):
                kid.number = enter(kid)
                kid.parent = len(numbers) + len(links)
                links.append(b"%d %d 0 R" % (kid.parent, element.number))
        written.text = _encode_element(element, top, numbers, alt_texts)
    lists = [
        b"%d[%s]" % (at, b" ".join(b"%d 0 R" % each.number for each in pages.get(at + 1, ())))
        for at in range(len(numbers))
    ]
    parents.text = b"<</Nums[%s]>>" % b"\n".join([*lists, *links])
    tree.text = b"<</Type/StructTreeRoot/K %d 0 R/ParentTree %d 0 R/ParentTreeNextKey %d>>" % (
        root.number,
        enter(parents),
        len(numbers) + len(links),
    )
    return tree


def _prune(element: Element) -> None:
    """Remove empty elements, except for table cells."""
    for kid in element.elements():
        _prune(kid)
    element.kids = [
        kid
        for kid in element.kids
        if not isinstance(kid, Element) or kid.kids or kid.role in _CELL_ROLES
    ]


def _repair(root: Element) -> None:
    """Pad table rows to equal length, and close gaps between heading levels.

    ISO 14289-1, 7.4.2 and 7.5, require this, whatever templates and rulebooks contain.
    """
    open_levels: list[int] = []
    for element in root.walk():
        if element.role[0] == "H" and element.role[1:].isdigit():
            level = int(element.role[1:])
            open_levels = [*(each for each in open_levels if each < level), level]
            element.role = f"H{min(len(open_levels), _MAX_HEADING_LEVEL)}"
        if element.role == "Table":
            rows = element.elements()
            longest = max((len(row.kids) for row in rows if row.role == "TR"), default=0)
            for row in rows:
                for _ in range(longest - len(row.kids) if row.role == "TR" else 0):
                    Element(Tag("TD"), row)


class _AltTexts:
    """The alternative texts of elements; repeated ones become shared objects."""

    def __init__(self, enter: Enter, elements: Sequence[Element]) -> None:
        self._enter = enter
        self._counts = Counter(element.alt for element in elements if element.alt)
        self._objects: dict[str, int] = {}

    def encode(self, alt: str) -> bytes:
        """Return a text as a string, or a reference to a shared one."""
        if self._counts[alt] == 1:
            return encode_text(alt)
        if alt not in self._objects:
            self._objects[alt] = self._enter(RawObject(encode_text(alt)))
        return b" %d 0 R" % self._objects[alt]


def _encode_element(
    element: Element, top: int, pages: Sequence[int], alt_texts: _AltTexts
) -> bytes:
    """Return the dictionary of an element.

    Args:
        top: the object number of the tree root.
        pages: the object numbers of the pages.
    """
    page = next((kid.page for kid in element.kids if not isinstance(kid, Element)), None)
    kids = [_encode_kid(kid, page, pages) for kid in element.kids]
    parent = element.parent.number if element.parent else top
    parts = [b"<</S/%s/P %d 0 R" % (element.role.encode(), parent)]
    if page is not None:
        parts.append(b"/Pg %d 0 R" % pages[page - 1])
    if element.alt:
        parts.append(b"/Alt" if element.role == "Figure" else b"/ActualText")
        parts.append(alt_texts.encode(element.alt))
    attributes = _encode_attributes(element)
    if attributes:
        parts.append(b"/A<<%s>>" % attributes)
    if kids:
        parts.append(b"/K[%s]" % b" ".join(kids))
    return b"".join([*parts, b">>"])


def _encode_kid(
    kid: Element | MarkedContent | Link, page: int | None, pages: Sequence[int]
) -> bytes:
    """Return the entry of a child in an element whose page is `page`."""
    if isinstance(kid, Element):
        return b"%d 0 R" % kid.number
    if isinstance(kid, Link):
        return b"<</Type/OBJR/Pg %d 0 R/Obj %d 0 R>>" % (pages[kid.page - 1], kid.number)
    if kid.page == page:
        return b"%d" % kid.number
    return b"<</Type/MCR/Pg %d 0 R/MCID %d>>" % (pages[kid.page - 1], kid.number)


def _encode_attributes(element: Element) -> bytes:
    """Return the standard attributes of an element (ISO 32000-1, 14.8.5)."""
    if element.box:
        return b"/O/Layout/BBox[%s]" % _corners(element.box)
    if element.numbering:
        return b"/O/List/ListNumbering/%s" % element.numbering.encode()
    if element.role == "TH":
        row = element.parent.elements() if element.parent else []
        heads = all(cell.role == "TH" for cell in row)
        return b"/O/Table/Scope/%s" % (b"Column" if heads else b"Row")
    return b""


def _corners(box: Box) -> bytes:
    return " ".join(map(format_decimal, (box.x, box.y, box.right, box.bottom))).encode()


_VERSION = 1, 7
"""The PDF version of PDF/A-2 and PDF/UA-1."""
_GROUPING = frozenset(("Document", "Sect", "Div", "L", "LI", "TOC", "TOCI", "Table", "TR"))
"""The roles of elements that only group others."""


class Structure:
    """Builds the structure tree of a document while it is painted."""

    def __init__(self, canvas: Canvas, painter: Painter) -> None:
        """Start with an empty document."""
        canvas._doc._pdfVersion = _VERSION  # noqa: SLF001 - templates of documents cannot say it
        self._canvas, self._painter = canvas, painter
        self._root = Element(Tag("Document"), None)
        self._pages: dict[int, list[Element]] = {}
        """The elements of each page, from 1, by the numbers of their contents."""

    def element(self, tag: Tag, parent: Element | None = None) -> Element:
        """Return the element of a tag; a new one is appended to its parent.

        Args:
            parent: the enclosing element; the tag may name a parent below it.
        """
        parent = parent or self._root
        if tag.parent is not None and tag.parent != parent.tag:
            parent = self.element(tag.parent, parent)
        known = parent.open_children.get(tag) if tag.number else None
        return known or Element(tag, parent)

    @contextmanager
    def content(self, element: Element | None) -> Iterator[None]:
        """Mark what is painted within the context as content of an element, or as an artifact."""
        if element is None:
            self._canvas.addLiteral("/Artifact BMC")
        else:
            page = self._canvas.getPageNumber()
            there = self._pages.setdefault(page, [])
            element.kids.append(MarkedContent(page, len(there)))
            self._canvas.addLiteral(f"/{element.role} <</MCID {len(there)}>> BDC")
            there.append(element)
        yield
        self._canvas.addLiteral("EMC")

    @contextmanager
    def figure(self, placed: PlacedFace, matrix: Matrix) -> Iterator[None]:
        """Mark what is painted within the context as the figure of a face.

        A face without an alternative text is an artifact.

        Args:
            matrix: from mm on the page to points from its bottom left.
        """
        alt = alt_text(placed.face)
        element = self.element(Tag("Figure", alt)) if alt else None
        if element is not None:
            element.box = placed.box.transform(matrix)
        with self.content(element):
            yield

    def paint(self, ops: Iterable[Op], matrix: Matrix, parent: Element | None = None) -> None:
        """Paint ops and tag them; ops without a tag belong to the enclosing element.

        Args:
            matrix: from the coordinates of the ops to points from the bottom left of the page.
        """
        self._paint(ops, 1, matrix, parent)

    def _paint(
        self, ops: Iterable[Op], opacity: float, matrix: Matrix, around: Element | None
    ) -> None:
        whole = around is not None and around.alt
        for tagged, some in groupby(ops, lambda op: not whole and is_tagged(op)):
            if not tagged:
                speaks = around is not None and around.role not in _GROUPING
                with self.content(around if speaks else None):
                    self._painter.paint(some, opacity)
                continue
            for group in some:
                assert isinstance(group, Group)
                self._paint_group(group, opacity, matrix, around)

    def _paint_group(
        self, group: Group, opacity: float, matrix: Matrix, around: Element | None
    ) -> None:
        """Paint a group that is tagged or contains tagged groups."""
        element = self.element(group.tag, around) if group.tag else around
        if element is not None and element.role == "Figure":
            extent = outlines.extent((group,))
            element.box = extent and extent.transform(matrix)
        inner = multiply(matrix, group.matrix) if group.matrix else matrix
        self._painter.paint_group(
            group, opacity, lambda ops, opacity: self._paint(ops, opacity, inner, element)
        )

    def link(self, tag: Tag, anchor: str, label: str, box: Box) -> None:
        """Link a box on the page to an anchor.

        Args:
            tag: the tag of the link element.
            label: what it is called.
            box: in points from the bottom left of the page.
        """
        canvas = self._canvas
        target = canvas._bookmarkReference(anchor)  # noqa: SLF001 - no other way
        link = Link(box, target, label, canvas.getPageNumber())
        canvas._addAnnotation(link)  # noqa: SLF001
        self.element(tag).kids.append(link)

    def finish(self) -> None:
        """Enter the structure in the document."""
        write_elements(self._canvas._doc, self._root, self._pages)  # noqa: SLF001 - no other way

    def enter(self, enter: Enter, pages: Sequence[PDFObject]) -> PDFObject:
        """Enter the structure in another file with these page objects; return its tree."""
        return enter_elements(enter, self._root, self._pages, pages)
