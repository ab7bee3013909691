"""Headings, and the lines of contents and indexes.

Platypus works in points with the y axis upwards; the inside of every part is in mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.platypus import Flowable

from deckwright.base.geometry import shifted
from deckwright.base.units import POINTS, Mm
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath, Group, Op, StrokePath
from deckwright.paint.pdf.press import Press
from deckwright.paint.pdf.texts import Part, TextPart
from deckwright.text import paragraphs, richtext
from deckwright.text.words import Rich

_SHARE = 0.4
"""The largest share of a line that page numbers take up before they go below the text."""
_GAP: Mm = 3
_STEP: Mm = 1.8
"""The distance of dots."""


class ContentsLine(Part):
    """A line of contents or index: what, dots, and page numbers that are links."""

    def __init__(
        self,
        press: Press,
        text: TextPart,
        numbers: TextPart,
        target: str | None,
        *,
        dots: bool,
        before: Mm,
    ) -> None:
        """Set `numbers` at the end of `text`, or below it where they are many.

        Args:
            target: the anchor that the line leads to, None where its numbers lead to several.
        """
        super().__init__(press, before=before)
        self.text = text
        self.numbers = numbers
        self.target = target
        self.link = press.tag("Link", text.tag) if target else text.tag
        self.dots = dots

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Wrap the text to what the numbers leave."""
        style = self.numbers.style
        natural = paragraphs.lay_out(self.numbers.rich, style, self.press.metrics, width=None)
        self.room = natural.width + 0.1
        self.below = self.room > width / POINTS * _SHARE
        self.text.wrap(width if self.below else width - (self.room + _GAP) * POINTS, height)
        _, more = self.numbers.wrap(width if self.below else self.room * POINTS, height)
        self.width = width
        self.height = self.text.height + (more if self.below else 0)
        return width, self.height

    def ops(self) -> Sequence[Op]:
        """Return the dots."""
        style, leading = self.text.style, self.text.leading
        ops: list[Op] = []
        lines = self.text.lines or ()
        start = self.width / POINTS - self.room - 1
        end = lines[-1].width * style.size + 1.2 if lines else 0
        if self.dots and not self.below and start - end > _STEP:
            y = self.text.height / POINTS - leading * 0.28
            places = range(int(end / _STEP) + 1, int(start / _STEP) + 1)
            ops += [FillPath(outlines.ellipse(p * _STEP, y, 0.16, 0.16), style.color)
                    for p in places]  # fmt: skip
        return ops

    def draw(self) -> None:
        """Paint, and make a link of the whole line."""
        self.text.tag = self.numbers.tag = self.link
        self.text.drawOn(self.canv, 0, self.height - self.text.height)
        super().draw()
        self.numbers.drawOn(self.canv, self.width - self.numbers.width, 0)
        if self.target is not None and self.link is not None:
            box = (0, 0, self.width, self.height)
            said = richtext.plain(self.text.rich)
            self.press.link(self.canv, self.target, self.link, said, box)


class HeadingPart(TextPart):
    """A heading: an entry of the outline, a line below it, or a band behind it."""

    def __init__(
        self,
        press: Press,
        rich: Rich,
        style: paragraphs.Style,
        *,
        outline: tuple[str, int] | None,
        rule: str | None,
        band: str | None,
        title: str | None = None,
        **distances: Any,  # noqa: ANN401 - those of Part
    ) -> None:
        """Enter the outline as `outline`, a title and a level.

        Args:
            rule: the color of a line below it.
            band: the color of a band behind it.
            title: what the running title is from here on.
        """
        super().__init__(press, rich, style, **distances)
        self.outline = outline
        self.rule = rule
        self.band = band
        self.title = title
        self.face: Face | None = None
        """What is drawn in place of its text."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Wrap the text, with room for line or band."""
        if self.face is not None:
            self.width, self.height = width, self.face.height * POINTS
            return self.width, self.height
        pad = 6 * POINTS if self.band else 0
        super().wrap(width - pad, height)
        self.width = width
        self.height += (2.4 if self.rule else 3.4 if self.band else 0) * POINTS
        return width, self.height

    def split(self, _width: float, _height: float) -> list[Flowable]:
        """Headings stay whole."""
        return []

    def draw(self) -> None:
        """Enter the outline, then draw."""
        super().draw()
        if self.title is not None:
            self.canv.running_title = self.title
            theme = self.press.theme
            _, top = self.canv.absolutePosition(0, self.height)
            if top > (theme.height - theme.margin_top) * POINTS - 1:
                self.canv.opened = self.canv.getPageNumber()
        if self.outline is not None and not self.press.dry:
            title, level = self.outline
            self.canv.addOutlineEntry(title, self.anchors[0], level, closed=level > 0)

    def ops(self) -> Sequence[Op]:
        """Return band or line, and the text; or what takes their place."""
        if self.face is not None:
            return self.face.ops
        width, height = self.width / POINTS, self.height / POINTS
        if self.band:
            ground: Op = FillPath(outlines.rectangle(0, 0, width, height, 1.2), self.band)
            text = Group(tuple(super().ops()), shifted(3.0, 1.7))
            return [ground, text]
        if self.rule:
            y = height - 0.9
            line = StrokePath(outlines.line(0, y, width, y), self.rule, 0.5)
            return [*super().ops(), line]
        return super().ops()
