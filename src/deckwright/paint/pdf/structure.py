"""The structure of a PDF: what is on its pages, for those who do not see them.

Tagged PDF is ISO 32000-1, 14.7 and 14.8; what is asked of it besides by PDF/UA-1 is in ISO 14289-1,
clause 7. All that is painted is the content of an element, or an artifact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby

from reportlab.pdfbase.pdfdoc import PDFObject
from reportlab.pdfgen.canvas import Canvas

from deckwright.base.geometry import Box, Matrix, times
from deckwright.ops import outlines
from deckwright.ops.model import Group, Op, is_tagged
from deckwright.ops.readable import said_by
from deckwright.ops.tags import Tag
from deckwright.paint.pdf.elements import (
    Content,
    Element,
    Enter,
    Link,
    enter_elements,
    write_elements,
)
from deckwright.paint.pdf.painter import Painter
from deckwright.sheet.pages import Placed

_VERSION = 1, 7
"""The version of PDF that PDF/A-2 and PDF/UA-1 are made of."""
_GROUPING = frozenset(("Document", "Sect", "Div", "L", "LI", "TOC", "TOCI", "Table", "TR"))
"""The roles of what has no content but that of its parts."""


class Structure:
    """Gathers the elements of a document while it is painted."""

    def __init__(self, canvas: Canvas, painter: Painter) -> None:
        """Begin with an empty document."""
        canvas._doc._pdfVersion = _VERSION  # noqa: SLF001 - templates of documents cannot say it
        self._canvas, self._painter = canvas, painter
        self._root = Element(Tag("Document"), None)
        self._pages: dict[int, list[Element]] = {}
        """The elements of each page, from 1, by the numbers of their contents."""

    def element(self, tag: Tag, around: Element | None = None) -> Element:
        """Return the element of a tag; one that is new is the last in what it is in.

        Args:
            around: what it is in, or what its tag says it is in.
        """
        around = around or self._root
        if tag.parent is not None and tag.parent != around.tag:
            around = self.element(tag.parent, around)
        known = around.known.get(tag) if tag.number else None
        return known or Element(tag, around)

    @contextmanager
    def content(self, element: Element | None) -> Iterator[None]:
        """Make what is painted within the block the content of an element, or an artifact."""
        if element is None:
            self._canvas.addLiteral("/Artifact BMC")
        else:
            page = self._canvas.getPageNumber()
            there = self._pages.setdefault(page, [])
            element.kids.append(Content(page, len(there)))
            self._canvas.addLiteral(f"/{element.role} <</MCID {len(there)}>> BDC")
            there.append(element)
        yield
        self._canvas.addLiteral("EMC")

    @contextmanager
    def figure(self, placed: Placed, matrix: Matrix) -> Iterator[None]:
        """Make what is painted within the block the figure of a face.

        A face that says nothing is an artifact.

        Args:
            matrix: from mm on the page to points from its bottom left.
        """
        said = said_by(placed.face)
        element = self.element(Tag("Figure", said)) if said else None
        if element is not None:
            element.box = placed.box.moved(matrix)
        with self.content(element):
            yield

    def paint(self, ops: Iterable[Op], matrix: Matrix, around: Element | None = None) -> None:
        """Paint ops with what they are by their tags; what has none is what is around it.

        Args:
            matrix: from the coordinates of the ops to points from the bottom left of the page.
        """
        self._paint(ops, 1, matrix, around)

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
                self._group(group, opacity, matrix, around)

    def _group(self, group: Group, opacity: float, matrix: Matrix, around: Element | None) -> None:
        """Paint a group that says what it is, or in which something does."""
        element = self.element(group.tag, around) if group.tag else around
        if element is not None and element.role == "Figure":
            extent = outlines.extent((group,))
            element.box = extent and extent.moved(matrix)
        inner = times(matrix, group.matrix) if group.matrix else matrix
        self._painter.group(
            group, opacity, lambda ops, opacity: self._paint(ops, opacity, inner, element)
        )

    def link(self, tag: Tag, anchor: str, said: str, box: Box) -> None:
        """Make a box on the page a link to an anchor.

        Args:
            tag: that of what is linked.
            said: what it is called.
            box: in points from the bottom left of the page.
        """
        canvas = self._canvas
        target = canvas._bookmarkReference(anchor)  # noqa: SLF001 - no other way
        link = Link(box, target, said, canvas.getPageNumber())
        canvas._addAnnotation(link)  # noqa: SLF001
        self.element(tag).kids.append(link)

    def finish(self) -> None:
        """Enter the structure in the document."""
        write_elements(self._canvas._doc, self._root, self._pages)  # noqa: SLF001 - no other way

    def enter(self, enter: Enter, pages: Sequence[PDFObject]) -> PDFObject:
        """Enter the structure in another file, in which these are the pages; return its tree."""
        return enter_elements(enter, self._root, self._pages, pages)
