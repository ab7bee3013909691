"""The structure tree of a PDF, for screen readers.

Tagged PDF is ISO 32000-1, 14.7 and 14.8; PDF/UA-1 adds ISO 14289-1, clause 7. Everything painted is
either the content of an element or an artifact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import NamedTuple

from deckwright.base.geometry import Box, Matrix
from deckwright.base.units import format_decimal
from deckwright.ops import outlines
from deckwright.ops.model import Group, Op, Tag, is_tagged
from deckwright.ops.readable import alt_text
from deckwright.paint.pdf.objects import PdfFile, encode_text
from deckwright.paint.pdf.painter import Painter
from deckwright.sheet.pages import PlacedFace

_MAX_ALT_LENGTH = 16_000
"""The maximum length of an alternative text: a string has at most 32,767 bytes."""
_MAX_HEADING_LEVEL = 6
_CELL_ROLES = ("TD", "TH")


class MarkedContent(NamedTuple):
    """Marked content, by the index of its page and its number (MCID) there."""

    page: int
    number: int


class LinkedBox(NamedTuple):
    """A link annotation: the index of its page, and the reserved number of its object.

    Attributes:
        box: in points from the bottom left of the page.
        target: the destination, as an array.
        label: what that is called.
    """

    page: int
    number: int
    box: Box
    target: bytes
    label: str

    def encode(self, parent: int) -> bytes:
        """Return it as an object; `parent` is its key in the tree of parents."""
        # The flag Print marks the link as visible.
        entries = b"<</Type/Annot/Subtype/Link/F 4/Border[0 0 0]/Rect[%s]/Contents%s"
        entries %= _corners(self.box), encode_text(self.label)
        return entries + b"/Dest%s/StructParent %d>>" % (self.target, parent)


def _corners(box: Box) -> bytes:
    return " ".join(map(format_decimal, (box.x, box.y, box.right, box.bottom))).encode()


class Element:
    """A structure element; `box` bounds a figure on its page, in points from the bottom left."""

    def __init__(self, tag: Tag, parent: Element | None) -> None:
        """Append the element to `parent`."""
        self.tag, self.parent = tag, parent
        self.role, self.alt, self.numbering = tag.role, tag.alt[:_MAX_ALT_LENGTH], tag.numbering
        self.kids: list[Element | MarkedContent | LinkedBox] = []
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
            rows = [row for row in element.elements() if row.role == "TR"]
            widths = [sum(cell.tag.across for cell in row.elements()) for row in rows]
            for row, width in zip(rows, widths, strict=True):
                for _ in range(max(widths) - width):
                    Element(Tag("TD"), row)


def _encode_element(element: Element, top: int, pages: Sequence[int], alt: bytes) -> bytes:
    """Return the dictionary of an element, given the object numbers of the tree and of the pages.

    Args:
        alt: its alternative text or the reference to that; empty if it has none.
    """
    page = next((kid.page for kid in element.kids if not isinstance(kid, Element)), None)
    kids = []
    for kid in element.kids:
        if isinstance(kid, Element):
            kids.append(b"%d 0 R" % kid.number)
        elif isinstance(kid, LinkedBox):
            kids.append(b"<</Type/OBJR/Pg %d 0 R/Obj %d 0 R>>" % (pages[kid.page], kid.number))
        elif kid.page == page:
            kids.append(b"%d" % kid.number)
        else:
            kids.append(b"<</Type/MCR/Pg %d 0 R/MCID %d>>" % (pages[kid.page], kid.number))
    parent = element.parent.number if element.parent else top
    parts = [b"<</S/%s/P %d 0 R" % (element.role.encode(), parent)]
    if page is not None:
        parts.append(b"/Pg %d 0 R" % pages[page])
    if alt:
        parts.append((b"/Alt%s" if element.role == "Figure" else b"/ActualText%s") % alt)
    # The standard attributes (ISO 32000-1, 14.8.5).
    if element.box:
        parts.append(b"/A<</O/Layout/BBox[%s]>>" % _corners(element.box))
    elif element.numbering:
        parts.append(b"/A<</O/List/ListNumbering/%s>>" % element.numbering.encode())
    elif element.role in {"TH", "TD"}:
        row = element.parent.elements() if element.parent else []
        heads = all(cell.role == "TH" for cell in row)
        scope = b"/Scope/%s" % (b"Column" if heads else b"Row") if element.role == "TH" else b""
        across = element.tag.across
        span = b"/ColSpan %d" % across if across > 1 else b""
        if scope or span:
            parts.append(b"/A<</O/Table%s%s>>" % (scope, span))
    if kids:
        parts.append(b"/K[%s]" % b" ".join(kids))
    return b"".join([*parts, b">>"])


_GROUPING = frozenset(("Document", "Sect", "Div", "L", "LI", "TOC", "TOCI", "Table", "TR"))
"""The roles of elements that only group others."""


class Structure:
    """Builds the structure tree of a document while it is painted."""

    def __init__(self, painter: Painter) -> None:
        """Start with an empty document."""
        self._painter = painter
        self._root = Element(Tag("Document"), None)
        self._pages: list[list[Element]] = []
        """The elements of each page, by the numbers of their contents."""

    def start_page(self) -> None:
        """Start a page."""
        self._pages.append([])

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
        content = self._painter.content
        if element is None:
            content.add("/Artifact BMC")
        else:
            of_page = self._pages[-1]
            element.kids.append(MarkedContent(len(self._pages) - 1, len(of_page)))
            content.add(f"/{element.role} <</MCID {len(of_page)}>> BDC")
            of_page.append(element)
        yield
        content.add("EMC")

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

    def paint(
        self,
        ops: Iterable[Op],
        opacity: float = 1,
        *,
        matrix: Matrix,
        parent: Element | None = None,
    ) -> None:
        """Paint ops and tag them; ops without a tag belong to the enclosing element.

        Args:
            opacity: the combined opacity of the enclosing groups, which is set already.
            matrix: from the coordinates of the ops to points from the bottom left of the page.
        """
        whole = parent is not None and parent.alt
        for tagged, some in groupby(ops, lambda op: not whole and is_tagged(op)):
            if not tagged:
                speaks = parent is not None and parent.role not in _GROUPING
                with self.content(parent if speaks else None):
                    self._painter.paint(some, opacity)
                continue
            for group in some:
                assert isinstance(group, Group)
                element = self.element(group.tag, parent) if group.tag else parent
                if element is not None and element.role == "Figure":
                    extent = outlines.extent((group,))
                    element.box = extent and extent.transform(matrix)
                inner = group.inner_matrix(matrix)
                paint = partial(self.paint, matrix=inner, parent=element)
                self._painter.paint_group(group, opacity, paint)

    def link(self, tag: Tag, target: bytes, label: str, box: Box, number: int) -> None:
        """Link a box on the latest page to a destination; the attributes are those of LinkedBox."""
        link = LinkedBox(len(self._pages) - 1, number, box, target, label)
        self.element(tag).kids.append(link)

    def finish(self, file: PdfFile, pages: Sequence[int]) -> int:
        """Write the structure tree, given the object numbers of the pages; return that of its root.

        The `StructParents` of each page must be its index, from 0.
        """
        _prune(self._root)
        _repair(self._root)
        elements = list(self._root.walk())
        top = file.reserve()
        for element in elements:
            element.number = file.reserve()
        counts = Counter(element.alt for element in elements if element.alt)
        shared: dict[str, bytes] = {}
        """The references to alternative texts that several elements have."""
        links = list[bytes]()
        for element in elements:
            for kid in element.kids:
                if isinstance(kid, LinkedBox):
                    parent = len(pages) + len(links)
                    file.add(kid.encode(parent), kid.number)
                    links.append(b"%d %d 0 R" % (parent, element.number))
            alt = encode_text(element.alt) if element.alt else b""
            if counts[element.alt] > 1:
                if element.alt not in shared:
                    shared[element.alt] = b" %d 0 R" % file.add(alt)
                alt = shared[element.alt]
            file.add(_encode_element(element, top, pages, alt), element.number)
        lists = [
            b"%d[%s]" % (at, b" ".join(b"%d 0 R" % each.number for each in of_page))
            for at, of_page in enumerate(self._pages)
        ]
        parents = file.add(b"<</Nums[%s]>>" % b"\n".join([*lists, *links]))
        return file.add(
            b"<</Type/StructTreeRoot/K %d 0 R/ParentTree %d 0 R/ParentTreeNextKey %d>>"
            % (self._root.number, parents, len(pages) + len(links)),
            top,
        )
