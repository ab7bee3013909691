"""What flowing documents are set with: fonts, colors, page numbers, and painting of ops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from typing import NamedTuple

from reportlab.pdfgen.canvas import Canvas

from deckwright.base.colors import on_paper
from deckwright.base.geometry import Box, shifted
from deckwright.base.units import POINTS, Mm, decimal
from deckwright.book.model import Text
from deckwright.book.text import rich_of
from deckwright.book.theme import INK, Theme
from deckwright.images.store import ImageStore
from deckwright.ops.model import Group, Op
from deckwright.ops.tags import Tag
from deckwright.paint.pdf.fonts import PdfFonts
from deckwright.paint.pdf.painter import Painter
from deckwright.paint.pdf.structure import Structure
from deckwright.text.fonts import Font
from deckwright.text.hyphens import Hyphens
from deckwright.text.paragraphs import Line, Style, lay_out
from deckwright.text.shaping import Metrics
from deckwright.text.symbols import SymbolArt
from deckwright.text.words import Rich

_LEGIBLE = 4.5
"""The contrast with paper that small letters need: WCAG 2.2, level AA."""


class Tools(NamedTuple):
    """What any book of a game is set with.

    Attributes:
        families: the ids of the font families for "text" and "title".
        fonts: all fonts by id.
        symbols: the game's.
    """

    metrics: Metrics
    hyphens: Hyphens
    families: Mapping[str, str]
    fonts: Mapping[str, Font]
    images: ImageStore
    symbols: Mapping[str, SymbolArt]
    layouts: dict[tuple[Rich, Style, Mm], tuple[Line, ...]]
    """Texts that were broken in an earlier pass, by width."""


class Press:
    """Sets one pass of a book: pages are known from the pass before.

    Attributes:
        color: the book's, or a darker one that can be read on paper.
        pages: the pages of anchors, as this pass finds them.
        dry: whether nothing is painted, because only page numbers are wanted.
        drawn: what is on each page, in mm from its top left, by its number; None if nobody asks.
    """

    drawn: dict[int, list[Op]] | None = None

    def __init__(
        self, theme: Theme, color: str, tools: Tools, known: Mapping[str, int] | None, *, dry: bool
    ) -> None:
        """Set with these tools.

        Args:
            known: the pages of anchors; None in a first pass.
        """
        self.theme = theme
        self.color = on_paper(color, _LEGIBLE)
        self.tools = tools
        self.metrics = tools.metrics
        self.pages: dict[str, int] = {}
        self.dry = dry
        self._known = known or {}
        self._numbers = count(1)
        self._painter: Painter
        self._structure: Structure

    def style(self, size: Mm, *, color: str = INK, family: str = "text", leading: float = 0,
              hyphenate: bool = True) -> Style:  # fmt: skip
        """Return a style; without `leading` the lines stand as far apart as those of the text."""
        line_height = leading or self.theme.leading
        return Style(self.tools.families[family], size, color, line_height, 0, hyphenate)

    def rich(self, text: Text, *, plain_links: bool = False) -> Rich:
        """Return a text as words, with the page numbers that are known.

        Args:
            plain_links: whether links look like the text around them.
        """
        color = None if plain_links else self.color
        tools = self.tools
        return rich_of(text, self._known, color, tools.symbols, tools.hyphens.language)

    def lines(self, rich: Rich, style: Style, width: Mm) -> tuple[Line, ...]:
        """Return a text broken to a width; each is broken once."""
        key = rich, style, round(width, 4)
        known = self.tools.layouts.get(key)
        if known is None:
            block = lay_out(rich, style, self.metrics, width=width, hyphens=self.tools.hyphens)
            known = self.tools.layouts[key] = block.lines
        return known

    def page_of(self, anchor: str) -> int:
        """Return the page of an anchor; 0 while it is not known."""
        return self._known.get(anchor, 0)

    def mark(self, canvas: Canvas, anchor: str, height: float) -> None:
        """Make an anchor of the place `height` points above the origin, unless there is one."""
        if anchor not in self.pages:
            self.pages[anchor] = canvas.getPageNumber()
            if not self.dry:
                canvas.bookmarkHorizontal(anchor, 0, height + 4)

    def begin(self, canvas: Canvas) -> None:
        """Begin the document of a canvas."""
        if self.dry:
            return
        fonts = PdfFonts(self.tools.fonts, canvas._doc)  # noqa: SLF001 - no other way
        self._painter = Painter(canvas, fonts, self.tools.images)
        self._structure = Structure(canvas, self._painter)

    def tag(self, role: str, parent: Tag | None = None, alt: str = "", numbering: str = "") -> Tag:
        """Return the tag of an element of its own."""
        return Tag(role, alt, next(self._numbers), parent, numbering)

    def paint(
        self, canvas: Canvas, ops: Iterable[Op], x: float, top: float, tag: Tag | None = None
    ) -> None:
        """Paint ops whose origin lies at `x`, `top` in points.

        Args:
            tag: what they are; without one they are there for the eye alone.
        """
        if self.dry:
            if self.drawn is not None:
                left, up = canvas.absolutePosition(x, top)
                matrix = shifted(left / POINTS, self.theme.height - up / POINTS)
                page = self.drawn.setdefault(canvas.getPageNumber(), [])
                page.append(Group(tuple(ops), matrix))
            return
        canvas.saveState()
        canvas.addLiteral(f"{POINTS:.6f} 0 0 {-POINTS:.6f} {decimal(x)} {top:.4f} cm")
        if tag is None:
            with self.artifact():
                self._painter.paint(ops)
        else:
            left, up = canvas.absolutePosition(x, top)
            matrix = (POINTS, 0, 0, -POINTS, left, up)
            self._structure.paint(ops, matrix, self._structure.element(tag))
        canvas.restoreState()

    def artifact(self) -> AbstractContextManager[None]:
        """Return what makes that which is painted within its block an artifact."""
        return nullcontext() if self.dry else self._structure.content(None)

    def link(
        self, canvas: Canvas, anchor: str, tag: Tag, said: str, box: tuple[float, ...]
    ) -> None:
        """Make a box a link to an anchor, if there is a page with that.

        Args:
            said: what it is called.
            box: left, bottom, right and top in points.
        """
        if not self.dry and anchor in self._known:
            left, bottom, right, top = box
            x, y = canvas.absolutePosition(left, bottom)
            self._structure.link(tag, anchor, said, Box(x, y, right - left, top - bottom))

    def finish(self) -> None:
        """End the document: enter the structure that it has."""
        if not self.dry:
            self._structure.finish()
