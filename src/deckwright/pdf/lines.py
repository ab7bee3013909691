"""Headings, and the lines of contents and indexes.

Platypus reckons in points with the y axis upwards; the inside of every part is in mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.platypus import Flowable

from deckwright.face import outlines, paragraphs
from deckwright.face.ops import FillPath, Group, Op, StrokePath
from deckwright.face.richtext import Rich
from deckwright.geometry import Box
from deckwright.pdf.press import POINTS, Press
from deckwright.pdf.texts import Part, TextPart, label_ops
from deckwright.units import Mm

_HAIR = 1e-6


class ContentsLine(Part):
    """A line of contents or index: what, dots, and page numbers that are links."""

    def __init__(
        self, press: Press, text: TextPart, targets: Sequence[tuple[str, int]], *, dots: bool,
        **distances: Any,  # noqa: ANN401 - those of Part
    ) -> None:  # fmt: skip
        """Lead to `targets`, anchors with their pages."""
        super().__init__(press, **distances)
        self.text = text
        self.targets = targets
        self.dots = dots

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Wrap the text to what the numbers leave."""
        style = self.text.style
        font = f"{style.family}-regular"
        shape = self.press.metrics.shape
        comma = shape(font, ", ").width * style.size
        sizes = [shape(font, str(page)).width * style.size for _, page in self.targets]
        self.sizes = sizes
        numbers = sum(sizes) + comma * (len(sizes) - 1)
        full = width / POINTS
        self.below = numbers > full * 0.4
        room = full if self.below else full - numbers - 3
        self.text.wrap(room * POINTS, height)
        self.width = width
        self.height = self.text.height + (self.text.leading * POINTS if self.below else 0)
        self.start = full - numbers
        self.comma = comma
        return width, self.height

    def ops(self) -> Sequence[Op]:
        """Return text, dots and numbers."""
        style = self.text.style
        y = self.height / POINTS - self.text.leading
        ops: list[Op] = list(self.text.ops())
        x = self.start
        baseline = (self.text.leading - style.size) / 2
        for number, ((_, page), size) in enumerate(zip(self.targets, self.sizes, strict=True)):
            last = number == len(self.targets) - 1
            ops += label_ops(self.press, f"{page}" if last else f"{page}, ", style,
                             Box(x, y + baseline, 0, 0), "start")  # fmt: skip
            x += size + self.comma
        end = self._text_end() + 1.2
        if self.dots and self.start - end > 2:  # noqa: PLR2004 - room for two dots
            line = y + self.text.leading * 0.72
            places = range(int(end / 1.8) + 1, int((self.start - 1) / 1.8))
            ops += [FillPath(outlines.ellipse(p * 1.8, line, 0.16, 0.16), style.color)
                    for p in places]  # fmt: skip
        return ops

    def _text_end(self) -> Mm:
        lines = self.text.lines or ()
        return 0 if self.below or not lines else lines[-1].width * self.text.style.size

    def draw(self) -> None:
        """Paint, and make links of the numbers; of the whole line, if there is one."""
        super().draw()
        if self.press.dry:
            return
        bottom = 0.0
        x = self.start
        for (anchor, _), size in zip(self.targets, self.sizes, strict=True):
            left = 0.0 if len(self.targets) == 1 else x * POINTS
            top = self.height if len(self.targets) == 1 else self.text.leading * POINTS
            if self.press.has(anchor):
                box = (left, bottom, (x + size) * POINTS, top)
                self.canv.linkRect("", anchor, box, relative=1, thickness=0)
            x += size + self.comma


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

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Wrap the text, with room for line or band."""
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
            self.canv.opened = self.canv.getPageNumber()
        if self.outline is not None and not self.press.dry:
            title, level = self.outline
            self.canv.addOutlineEntry(title, self.anchors[0], level, closed=level > 0)

    def ops(self) -> Sequence[Op]:
        """Return band or line, and the text."""
        width, height = self.width / POINTS, self.height / POINTS
        if self.band:
            ground: Op = FillPath(outlines.rectangle(0, 0, width, height, 1.2), self.band)
            text = Group(tuple(super().ops()), (1.0, 0.0, 0.0, 1.0, 3.0, 1.7))
            return [ground, text]
        if self.rule:
            y = height - 0.9
            line = StrokePath((("M", 0, y), ("L", width, y)), self.rule, 0.5)
            return [*super().ops(), line]
        return super().ops()
