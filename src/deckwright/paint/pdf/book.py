"""Set a book with platypus: once dry, to find page numbers, then on paper."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import IO, Any

from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate
from reportlab.platypus.doctemplate import LayoutError

from deckwright.base.geometry import Box
from deckwright.base.units import POINTS
from deckwright.book.model import Book
from deckwright.book.theme import FAINT
from deckwright.ops import outlines
from deckwright.ops.model import Face, Op, StrokePath
from deckwright.ops.readable import said_by
from deckwright.ops.tags import Tag
from deckwright.paint.pdf.document import prepare_reportlab
from deckwright.paint.pdf.fonts import embedding, first_font
from deckwright.paint.pdf.info import Info
from deckwright.paint.pdf.metadata import set_metadata
from deckwright.paint.pdf.press import Press, Tools
from deckwright.paint.pdf.srgb import set_srgb
from deckwright.paint.pdf.story import Story, headings_of
from deckwright.paint.pdf.texts import label_ops

_PASSES = 5
"""Page numbers settle in two passes; more are needed where their width moves a line."""


class TooLargeError(Exception):
    """Something in a book needs more room than a page has. `page` is the last page before it."""

    def __init__(self, page: int) -> None:
        """Keep the page."""
        super().__init__(page)
        self.page = page


def write_book(stream: IO[bytes] | None, book: Book, info: Info, tools: Tools) -> int:
    """Write a book to `stream`; without one, only see whether it can be laid out.

    Returns:
        its number of pages.

    Raises:
        TooLargeError: if something in it does not fit on a page.
    """
    if stream is None:
        press = Press(book.theme, book.color, tools, None, dry=True)
        return _build(io.BytesIO(), book, press, info)
    known = _known_pages(book, info, tools)
    return _build(stream, book, Press(book.theme, book.color, tools, known, dry=False), info)


def pages_of(book: Book, info: Info, tools: Tools) -> list[Face]:
    """Return the pages of a book as faces.

    Raises:
        TooLargeError: if something in it does not fit on a page.
    """
    known = _known_pages(book, info, tools)
    press = Press(book.theme, book.color, tools, known, dry=True)
    press.drawn = {}
    number, theme = _build(io.BytesIO(), book, press, info), book.theme
    return [
        Face(theme.width, theme.height, tuple(press.drawn.get(page, ())), subject=f"page {page}")
        for page in range(1, number + 1)
    ]


def _known_pages(book: Book, info: Info, tools: Tools) -> dict[str, int]:
    """Return the pages of a book's anchors."""
    known: dict[str, int] | None = None
    for _ in range(_PASSES):
        press = Press(book.theme, book.color, tools, known, dry=True)
        _build(io.BytesIO(), book, press, info)
        if press.pages == known:
            break
        known = press.pages
    return known or {}


def _build(stream: IO[bytes], book: Book, press: Press, info: Info) -> int:
    prepare_reportlab()
    first = first_font(press.tools.fonts)
    document = _Document(stream, book, press, info, first.fontName)
    story = Story(book, press, headings_of(book.blocks))
    try:
        with embedding():
            document.build(list(story.flowables()))
    except LayoutError as error:
        raise TooLargeError(int(document.page)) from error
    return int(document.page)


class _Document(BaseDocTemplate):  # type: ignore[misc]
    """A document with covers and pages of text."""

    def __init__(self, stream: IO[bytes], book: Book, press: Press, info: Info, font: str) -> None:
        theme = press.theme
        size = (theme.width * POINTS, theme.height * POINTS)
        super().__init__(
            stream,
            pagesize=size,
            invariant=1,
            pageCompression=1,
            initialFontName=font,
            lang=info.language,
        )
        self.info = info
        self.book = book
        self.press = press
        body = (theme.margin_x, theme.margin_bottom, theme.column, theme.body)
        whole = (0, 0, theme.width, theme.height)
        covers = {"cover": book.cover, "back": book.back}
        front, *others = [
            PageTemplate(name, [_frame(*whole)], self._whole(face)) if face else None
            for name, face in covers.items()
        ]
        text = PageTemplate("text", [_frame(*body)], self._ground, onPageEnd=self._edges)
        self.addPageTemplates([each for each in (front, text, *others) if each])

    def _whole(self, face: Face) -> Callable[[Any, Any], None]:
        """Return what draws a face over a whole page."""
        said = said_by(face) or self.book.title
        tag = self.press.tag("Figure", alt=said)
        return lambda canvas, _: self._paint(canvas, face, tag)

    def _ground(self, canvas: Any, _: Any) -> None:  # noqa: ANN401 - ReportLab's
        """Draw what lies beneath the text of a page."""
        sides = self.book.pages
        if sides is not None:
            self._paint(canvas, sides[canvas.getPageNumber() % 2])

    def _paint(self, canvas: Any, face: Face, tag: Tag | None = None) -> None:  # noqa: ANN401
        self.press.paint(canvas, face.ops, 0, self.press.theme.height * POINTS, tag)

    def _edges(self, canvas: Any, _: Any) -> None:  # noqa: ANN401 - ReportLab's
        """Draw the page number, and what the page begins in unless that begins there."""
        theme, press = self.press.theme, self.press
        number = canvas.getPageNumber()
        outer = "start" if number % 2 == 0 else "end"
        inner = "end" if number % 2 == 0 else "start"
        style = press.style(theme.size * 0.86, color=FAINT)
        line = theme.height - theme.margin_bottom + 6
        foot = Box(theme.margin_x, line, theme.column, 5)
        ops: list[Op] = list(label_ops(press, str(number), style, foot, outer))
        ops += label_ops(press, self.book.title, style, foot, inner)
        title = getattr(canvas, "page_title", "")
        if title and getattr(canvas, "opened", 0) != number:
            head = Box(theme.margin_x, theme.margin_top - 9, theme.column, 5)
            ops += label_ops(press, title, style, head, outer)
            y = theme.margin_top - 4
            right = theme.margin_x + theme.column
            ops.append(StrokePath(outlines.line(theme.margin_x, y, right, y), press.color, 0.3))
        press.paint(canvas, ops, 0, theme.height * POINTS)

    def beforePage(self) -> None:  # noqa: N802 - platypus' name
        """Keep the title of what the page begins in."""
        self.canv.page_title = getattr(self.canv, "running_title", "")

    def beforeDocument(self) -> None:  # noqa: N802 - platypus' name
        """Say what it is, label pages with their numbers, and show the outline beside them."""
        set_metadata(self.canv, self.info, tagged=True)
        set_srgb(self.canv)
        self.press.begin(self.canv)
        self.canv.showOutline()
        self.canv.addPageLabel(0, style="ARABIC", start=1)

    def _endBuild(self) -> None:  # noqa: N802 - platypus' name
        """End the last page, enter the structure, and write it all."""
        self._doSave = 0
        super()._endBuild()
        self.press.finish()
        self.canv.save()


def _frame(x: float, y: float, width: float, height: float) -> Frame:
    """Return a frame, given in mm from the lower left corner of the page."""
    box = (x * POINTS, y * POINTS, width * POINTS, height * POINTS)
    return Frame(*box, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)
