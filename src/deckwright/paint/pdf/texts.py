"""Texts of books as flowables of ReportLab's platypus.

Platypus works in points with the y axis upwards; the content of every part is in mm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from deckwright.base.colors import darken_for_paper
from deckwright.base.geometry import Box, translation
from deckwright.base.units import POINTS_PER_MM, TOLERANCE, Mm
from deckwright.book.model import INK, Text, Theme
from deckwright.book.text import make_rich_text
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops.model import (
    Face,
    FillPath,
    Group,
    Op,
    StrokePath,
    Tag,
    is_tagged,
    untag,
)
from deckwright.paint.pdf.document import Link, Navigation, OutlineEntry
from deckwright.text import placing, richtext
from deckwright.text.bidi import language_direction
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.breaking import TextRun
from deckwright.text.fonts import Font
from deckwright.text.paragraphs import TextLine, TextStyle, lay_out
from deckwright.text.shaping import Metrics
from deckwright.text.symbols import SymbolArt
from deckwright.text.words import RichText

_OUTLINE_LEVELS = 4
_MIN_TEXT_CONTRAST = 4.5
"""The minimum contrast of small letters with paper: WCAG 2.2, level AA."""


class BookResources(NamedTuple):
    """The fonts, images and symbols that all books of a game share.

    Attributes:
        families: the ids of the font families for "text" and "title".
        fonts: all fonts by id.
        symbols: the symbols of the game by id.
    """

    metrics: Metrics
    hyphens: Hyphenator
    families: Mapping[str, str]
    fonts: Mapping[str, Font]
    images: ImageStore
    symbols: Mapping[str, SymbolArt]
    layouts: dict[tuple[RichText, TextStyle, Mm], tuple[TextLine, ...]]
    """The lines of texts that an earlier pass has broken."""
    scales: list[float]
    """The scale of cards that an earlier pass has chosen, if any."""


class BookTypesetter:
    """Typesets one pass of a book, with page numbers from the previous pass.

    Attributes:
        color: the book's color, darkened until it is readable on paper.
        pages: the page numbers of anchors, as found in this pass.
        dry: whether the pass only finds page numbers.
        rtl: whether it is read from right to left, with all that stands in a row.
        drawn: the ops of each page by number, in mm from its top left.
        navigation: what leads to places on the pages.
    """

    def __init__(
        self,
        theme: Theme,
        color: str,
        tools: BookResources,
        known: Mapping[str, int] | None,
        *,
        dry: bool,
    ) -> None:
        """Start a pass; `known` has the page numbers of anchors, if there was a pass before."""
        self.theme, self.tools, self.metrics, self.dry = theme, tools, tools.metrics, dry
        self.drawn: dict[int, list[Op]] = {}
        self.navigation = Navigation({}, [], [])
        self.color = darken_for_paper(color, _MIN_TEXT_CONTRAST)
        self.rtl = language_direction(tools.hyphens.language) == "rtl"
        self.pages: dict[str, int] = {}
        self._known_pages = known or {}
        self._numbers = count(1)

    def style(self, size: Mm, *, color: str = INK, family: str = "text", leading: float = 0,
              hyphenate: bool = True) -> TextStyle:  # fmt: skip
        """Return a style; `leading` defaults to that of the body text."""
        line_height = leading or self.theme.leading
        name = self.tools.families[family]
        return TextStyle(name, size, color, line_height, hyphenate=hyphenate, rtl=self.rtl)

    def rich(self, text: Text, *, plain_links: bool = False) -> RichText:
        """Return a text as words with known page numbers; its links may look like plain text."""
        color, tools = None if plain_links else self.color, self.tools
        language = tools.hyphens.language
        return make_rich_text(text, self._known_pages, color, tools.symbols, language)

    def lines(self, rich: RichText, style: TextStyle, width: Mm) -> tuple[TextLine, ...]:
        """Return the lines of a text for a width, from the cache if possible."""
        key = rich, style, round(width, 4)
        known = self.tools.layouts.get(key)
        if known is None:
            block = lay_out(rich, style, self.metrics, width=width, hyphens=self.tools.hyphens)
            known = self.tools.layouts[key] = block.lines
        return known

    def page_of(self, anchor: str) -> int:
        """Return the page number of an anchor; 0 if it is unknown."""
        return self._known_pages.get(anchor, 0)

    def mark(self, canvas: Canvas, anchor: str, height: float) -> None:
        """Set an anchor `height` points above the origin, unless it is set already."""
        if anchor not in self.pages:
            page = self.pages[anchor] = canvas.getPageNumber()
            if not self.dry:
                _, top = canvas.absolutePosition(0, height + 4)
                self.navigation.anchors[anchor] = page - 1, top

    def open_section(self, title: str, anchor: str, level: int) -> None:
        """Add a section to the outline; level 1 is the highest."""
        if not self.dry:
            entry = OutlineEntry(title, anchor, min(level, _OUTLINE_LEVELS) - 1)
            self.navigation.outline.append(entry)

    def tag(self, role: str, parent: Tag | None = None, alt: str = "", **more: Any) -> Tag:
        """Return a new tag with a number of its own."""
        return Tag(role, alt, next(self._numbers), parent, **more)

    def paint(
        self, canvas: Canvas, ops: Sequence[Op], x: float, top: float, tag: Tag | None = None
    ) -> None:
        """Paint ops whose origin lies at `x`, `top` in points; without a tag as an artifact."""
        if self.dry:
            return
        left, up = canvas.absolutePosition(x, top)
        matrix = translation(left / POINTS_PER_MM, self.theme.height - up / POINTS_PER_MM)
        if tag is None and any(map(is_tagged, ops)):
            ops = untag(ops)
        page = self.drawn.setdefault(canvas.getPageNumber(), [])
        page.append(Group(tuple(ops), matrix, tag=tag))

    def link(
        self, canvas: Canvas, anchor: str, tag: Tag, label: str, box: tuple[float, ...]
    ) -> None:
        """Link a box, given as left, bottom, right and top in points, to an anchor if it exists."""
        if not self.dry and anchor in self._known_pages:
            left, bottom, right, top = box
            x, y = canvas.absolutePosition(left, bottom)
            place = Box(x, y, right - left, top - bottom)
            page = canvas.getPageNumber() - 1
            self.navigation.links.append(Link(page, tag, anchor, label, place))


def draw_at(part: Flowable, canvas: Canvas, x: float, y: float, whole: float) -> None:
    """Draw a part `x` points from the side where lines start, in a place `whole` points wide."""
    part.drawOn(canvas, whole - x - part.width if canvas.rtl else x, y)


class BookPart(Flowable):  # type: ignore[misc]
    """A flowable with distances in mm and anchors at its top."""

    def __init__(
        self,
        setter: BookTypesetter,
        *,
        tag: Tag | None = None,
        before: Mm = 0,
        after: Mm = 0,
        anchors: Sequence[str] = (),
    ) -> None:
        """Keep distances `before` and `after` from neighbours; without a tag it is an artifact."""
        super().__init__()
        self.setter, self.tag, self.anchors = setter, tag, anchors
        self.spaceBefore, self.spaceAfter = before * POINTS_PER_MM, after * POINTS_PER_MM

    def draw(self) -> None:
        """Set the anchors and paint."""
        for anchor in self.anchors:
            self.setter.mark(self.canv, anchor, self.height)
        self.setter.paint(self.canv, self.ops(), 0, self.height, self.tag)

    def set_running_title(self, title: str, *, first: bool = True) -> None:
        """Set the title over the next pages, and none over this one if it begins here.

        Args:
            first: whether the title is that of the beginning of this part.
        """
        self.canv.running_title = title
        theme = self.setter.theme
        _, top = self.canv.absolutePosition(0, self.height)
        if first and top > (theme.height - theme.margin_top) * POINTS_PER_MM - 1:
            self.canv.opened = self.canv.getPageNumber()

    def ops(self) -> Sequence[Op]:
        """Return the ops to paint, with the origin at the top left; none by default."""
        return ()


class TextPart(BookPart):
    """A text that wraps and may be split between pages."""

    def __init__(
        self,
        setter: BookTypesetter,
        rich: RichText,
        style: TextStyle,
        *,
        anchor: str = "start",
        lines: Sequence[TextLine] | None = None,
        **distances: Any,  # those of BookPart
    ) -> None:
        """Typeset `rich` in `style`; `lines` are its lines if they are broken already."""
        super().__init__(setter, **distances)
        self.rich, self.style, self.anchor, self.lines = rich, style, anchor, lines
        self.leading = style.size * style.line_height
        self._broken_width: Mm = 0
        self._placed_runs: list[list[tuple[TextRun, Mm, Tag | None]]] = []
        """The runs of each line as last drawn."""

    def wrap(self, width: float, _: float) -> tuple[float, float]:
        """Break the text for a width in points."""
        mm = width / POINTS_PER_MM
        if self.lines is None or (self._broken_width and self._broken_width != mm):
            self.lines = self.setter.lines(self.rich, self.style, mm)
            self._broken_width = mm
        self.width, self.height = width, len(self.lines) * self.leading * POINTS_PER_MM
        return self.width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return the parts before and after the break, each with at least two lines."""
        self.wrap(width, height)
        assert self.lines is not None
        fitting = int(height / POINTS_PER_MM / self.leading + TOLERANCE)
        if len(self.lines) - fitting == 1:
            fitting -= 1
        # No word continues on the next page.
        while 2 < fitting < len(self.lines) and self.lines[fitting - 1].is_divided:
            fitting -= 1
        return [*self.split_lines(fitting)] if fitting < len(self.lines) else []

    def split_lines(self, number: int) -> tuple[TextPart, ...]:
        """Return the first `number` lines and the rest; nothing if one line would be left alone."""
        lines = self.lines or ()
        if number < 2 or len(lines) - number < 2:  # no orphans, no widows
            return ()
        return (
            TextPart(self.setter, self.rich, self.style, anchor=self.anchor, lines=lines[:number],
                     tag=self.tag, before=self.spaceBefore / POINTS_PER_MM, anchors=self.anchors),
            TextPart(self.setter, self.rich, self.style, anchor=self.anchor, lines=lines[number:],
                     tag=self.tag, after=self.spaceAfter / POINTS_PER_MM),
        )  # fmt: skip

    def draw(self) -> None:
        """Paint the lines, and set their anchors and links."""
        super().draw()
        for number, runs in enumerate(self._placed_runs):
            top = self.height - number * self.leading * POINTS_PER_MM
            bottom = top - self.leading * POINTS_PER_MM
            for run, x, link in runs:
                for anchor in run.piece.anchors:
                    self.setter.mark(self.canv, anchor, top)
                if run.piece.link and link:
                    right = (x + run.width * self.style.size) * POINTS_PER_MM
                    box = (x * POINTS_PER_MM, bottom, right, top)
                    self.setter.link(self.canv, run.piece.link, link, run.piece.text, box)

    def ops(self) -> Sequence[Op]:
        """Return the lines."""
        vertical = self.setter.metrics.vertical(f"{self.style.family}-regular")
        size, width = self.style.size, self.width / POINTS_PER_MM
        baseline = (self.leading - size) / 2 + vertical.ascent * size
        ops: list[Op] = []
        self._placed_runs = []
        before = link = None
        for number, line in enumerate(self.lines or ()):
            y, runs = number * self.leading + baseline, []
            for run, x in placing.place_runs(line, 0, width, self.style, self.anchor):
                if run.piece.link != before:
                    before, link = run.piece.link, None
                    if before and self.tag is not None and self.setter.page_of(before):
                        link = self.setter.tag("Link", self.tag)
                runs.append((run, x, link))
                drawn = placing.run_ops(run, x, y, size, self.style)
                ops += [Group(tuple(drawn), tag=link)] if link else drawn
            ops += placing.rule_ops([(run, x) for run, x, _ in runs], y, size, self.style.color)
            self._placed_runs.append(runs)
        return ops


def align_label(
    setter: BookTypesetter, text: str, style: TextStyle, box: Box, anchor: str
) -> list[Op]:
    """Return one line of text with its top at the top of a box."""
    y = box.y + setter.metrics.vertical(f"{style.family}-regular").ascent * style.size
    line = placing.lay_out_label(text, style.family, setter.metrics)
    return [*placing.line_ops(line, box.x, y, box.width, style.size, style, anchor)]


_MAX_NUMBERS_SHARE = 0.4
"""The maximum share of a line for page numbers; longer ones go below the text."""
_NUMBERS_GAP: Mm = 3
_DOT_DISTANCE: Mm = 1.8


class ContentsLine(BookPart):
    """A line of a table of contents or index: text, leader dots, and linked page numbers."""

    def __init__(
        self,
        setter: BookTypesetter,
        text: TextPart,
        numbers: TextPart,
        target: str | None,
        *,
        dots: bool,
        before: Mm,
    ) -> None:
        """Typeset `numbers` at the end of `text`, or below it if there are many.

        The whole line leads to `target`; None if its numbers are links of their own.
        """
        super().__init__(setter, before=before)
        self.text, self.numbers, self.target, self.dots = text, numbers, target, dots
        self.link = setter.tag("Link", text.tag) if target else text.tag

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Wrap the text to the width beside the numbers."""
        style = self.numbers.style
        natural = lay_out(self.numbers.rich, style, self.setter.metrics, width=None)
        self.room = natural.width + 0.1
        text = lay_out(self.text.rich, self.text.style, self.setter.metrics, width=None)
        whole = text.width + self.room + _NUMBERS_GAP
        share = self.room * POINTS_PER_MM / width
        self.below = share > _MAX_NUMBERS_SHARE and whole > width / POINTS_PER_MM
        beside = 0 if self.below else (self.room + _NUMBERS_GAP) * POINTS_PER_MM
        self.text.wrap(width - beside, height)
        _, more = self.numbers.wrap(width if self.below else self.room * POINTS_PER_MM, height)
        self.width = width
        self.height = self.text.height + (more if self.below else 0)
        return width, self.height

    def ops(self) -> Sequence[Op]:
        """Return the dots."""
        style, leading = self.text.style, self.text.leading
        lines, width = self.text.lines or (), self.width / POINTS_PER_MM
        start = width - self.room - 1
        end = lines[-1].width * style.size + 1.2 if lines and not self.below else 0
        if not self.dots or start - end <= _DOT_DISTANCE:
            return ()
        height = self.height if self.below else self.text.height
        y = height / POINTS_PER_MM - leading * 0.28
        places = range(int(end / _DOT_DISTANCE) + 1, int(start / _DOT_DISTANCE) + 1)
        dots = [place * _DOT_DISTANCE for place in places]
        dots = [width - dot for dot in dots] if self.setter.rtl else dots
        return [FillPath(outlines.ellipse(x, y, 0.16, 0.16), style.color) for x in dots]

    def draw(self) -> None:
        """Paint the line and make it a link."""
        self.text.tag = self.numbers.tag = self.link
        draw_at(self.text, self.canv, 0, self.height - self.text.height, self.width)
        super().draw()
        draw_at(self.numbers, self.canv, self.width - self.numbers.width, 0, self.width)
        if self.target is not None and self.link is not None:
            label, box = richtext.plain_text(self.text.rich), (0, 0, self.width, self.height)
            self.setter.link(self.canv, self.target, self.link, label, box)


class HeadingPart(TextPart):
    """A heading with an outline entry, and a line below or a band behind it."""

    def __init__(
        self,
        setter: BookTypesetter,
        rich: RichText,
        style: TextStyle,
        *,
        outline: tuple[str, int] | None,
        rule: str | None,
        band: str | None,
        title: str | None,
        **distances: Any,  # those of BookPart
    ) -> None:
        """Create a heading; `outline` is the title and level of its outline entry.

        Args:
            rule: the color of a line below it.
            band: the color of a band behind it.
            title: the running title from here on.
        """
        super().__init__(setter, rich, style, **distances)
        self.outline, self.rule, self.band, self.title = outline, rule, band, title
        self.face: Face | None = None
        """The face drawn in place of the text."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Wrap the text, with room for the line or band."""
        if self.face is not None:
            self.scale = width / POINTS_PER_MM / self.setter.theme.column
            self.width, self.height = width, self.face.height * self.scale * POINTS_PER_MM
            return self.width, self.height
        pad = 6 * POINTS_PER_MM if self.band else 0
        super().wrap(width - pad, height)
        self.width = width
        self.height += (2.4 if self.rule else 3.4 if self.band else 0) * POINTS_PER_MM
        return width, self.height

    def split(self, _width: float, _height: float) -> list[Flowable]:
        """Headings are never split."""
        return []

    def draw(self) -> None:
        """Draw the heading, and set the running title and outline entry."""
        super().draw()
        if self.title is not None:
            self.set_running_title(self.title)
        if self.outline is not None:
            self.setter.open_section(self.outline[0], self.anchors[0], self.outline[1])

    def ops(self) -> Sequence[Op]:
        """Return the text with its band or line, or the face in their place."""
        if self.face is not None:
            return [Group(self.face.ops, (self.scale, 0.0, 0.0, self.scale, 0.0, 0.0))]
        width, height = self.width / POINTS_PER_MM, self.height / POINTS_PER_MM
        text = super().ops()
        if self.band:
            ground = FillPath(outlines.rectangle(0, 0, width, height, 1.2), self.band)
            return [
                ground,
                Group(tuple(text), translation(3 if self.anchor == "start" else 0, 1.7)),
            ]
        if self.rule:
            y = height - 0.9
            return [*text, StrokePath(outlines.line(0, y, width, y), self.rule, 0.5)]
        return text
