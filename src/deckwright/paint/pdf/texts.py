"""Texts of flowing documents, as ReportLab's platypus wants them.

Platypus works in points with the y axis upwards; the inside of every part is in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reportlab.platypus import Flowable

from deckwright.base.geometry import Box
from deckwright.base.units import HAIR, POINTS, Mm
from deckwright.ops.model import DrawGlyphs, Group, Op
from deckwright.ops.tags import Tag
from deckwright.paint.pdf.press import Press
from deckwright.text import paragraphs, placing
from deckwright.text.breaking import Run
from deckwright.text.words import Rich


class Part(Flowable):  # type: ignore[misc]
    """A flowable with distances around it, in mm, and anchors at its top."""

    def __init__(
        self,
        press: Press,
        *,
        tag: Tag | None = None,
        before: Mm = 0,
        after: Mm = 0,
        anchors: Sequence[str] = (),
    ) -> None:
        """Stand at least `before` and `after` from the neighbours.

        Args:
            tag: what it is; without one it is there for the eye alone.
        """
        super().__init__()
        self.press = press
        self.tag = tag
        self.spaceBefore = before * POINTS
        self.spaceAfter = after * POINTS
        self.anchors = anchors

    def draw(self) -> None:
        """Set the anchors, then paint."""
        for anchor in self.anchors:
            self.press.mark(self.canv, anchor, self.height)
        self.press.paint(self.canv, self.ops(), 0, self.height, self.tag)

    def ops(self) -> Sequence[Op]:
        """Return what is painted, with the origin at the top left: nothing, unless a kind says."""
        return ()


class TextPart(Part):
    """A text that wraps, and that may be split between pages."""

    def __init__(
        self,
        press: Press,
        rich: Rich,
        style: paragraphs.Style,
        *,
        anchor: str = "start",
        lines: Sequence[paragraphs.Line] | None = None,
        **distances: Any,  # noqa: ANN401 - those of Part
    ) -> None:
        """Set `rich` in `style`; `lines` are its lines, where they are broken already."""
        super().__init__(press, **distances)
        self.rich = rich
        self.style = style
        self.anchor = anchor
        self.lines = lines
        self.leading = style.size * style.line_height
        self._broken_to: Mm = 0
        self._placed: list[list[tuple[Run, Mm, Tag | None]]] = []
        """What was drawn of each line last."""

    def wrap(self, width: float, _: float) -> tuple[float, float]:
        """Break the text to a width in points."""
        mm = width / POINTS
        if self.lines is None or (self._broken_to and self._broken_to != mm):
            self.lines = self.press.lines(self.rich, self.style, mm)
            self._broken_to = mm
        self.width, self.height = width, len(self.lines) * self.leading * POINTS
        return self.width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return the parts before and behind the break; at least two lines stay on each side."""
        self.wrap(width, height)
        assert self.lines is not None
        fitting = int(height / POINTS / self.leading + HAIR)
        if len(self.lines) - fitting == 1:
            fitting -= 1
        return [*self.divided(fitting)] if fitting < len(self.lines) else []

    def divided(self, number: int) -> tuple[TextPart, ...]:
        """Return the first `number` of its lines and the rest; nothing if one would be alone."""
        lines = self.lines or ()
        if number < 2 or len(lines) - number < 2:  # noqa: PLR2004 - no orphans, no widows
            return ()
        return (
            TextPart(self.press, self.rich, self.style, anchor=self.anchor, lines=lines[:number],
                     tag=self.tag, before=self.spaceBefore / POINTS, anchors=self.anchors),
            TextPart(self.press, self.rich, self.style, anchor=self.anchor, lines=lines[number:],
                     tag=self.tag, after=self.spaceAfter / POINTS),
        )  # fmt: skip

    @property
    def widest(self) -> Mm:
        """The width of the longest line, once it is broken."""
        return max((line.width for line in self.lines or ()), default=0) * self.style.size

    def draw(self) -> None:
        """Paint the lines, set their anchors, and lay links over what leads somewhere."""
        super().draw()
        for number, runs in enumerate(self._placed):
            top = self.height - number * self.leading * POINTS
            bottom = top - self.leading * POINTS
            for run, x, link in runs:
                for anchor in run.piece.anchors:
                    self.press.mark(self.canv, anchor, top)
                if run.piece.link and link:
                    box = (x * POINTS, bottom, (x + run.width * self.style.size) * POINTS, top)
                    self.press.link(self.canv, run.piece.link, link, run.piece.text, box)

    def ops(self) -> Sequence[Op]:
        """Return the lines."""
        vertical = self.press.metrics.vertical(f"{self.style.family}-regular")
        size = self.style.size
        baseline = (self.leading - size) / 2 + vertical.ascent * size
        ops: list[Op] = []
        self._placed = list(self._runs())
        for number, runs in enumerate(self._placed):
            y = number * self.leading + baseline
            for run, x, link in runs:
                drawn = placing.run_ops(run, x, y, size, self.style)
                ops += [Group(tuple(drawn), tag=link)] if link else drawn
            ops += placing.rules([(run, x) for run, x, _ in runs], y, size, self.style.color)
        return ops

    def _runs(self) -> Iterator[list[tuple[Run, Mm, Tag | None]]]:
        """Yield the runs of each line with their places, and the tags of those that are links."""
        before, link = None, None
        for line in self.lines or ():
            runs = []
            width = self.width / POINTS
            for run, x in placing.placed_runs(line, 0, width, self.style.size, self.anchor):
                anchor = run.piece.link
                if anchor != before:
                    before, link = anchor, self._link(anchor)
                runs.append((run, x, link))
            yield runs

    def _link(self, anchor: str | None) -> Tag | None:
        """Return the tag of a link to an anchor, None if it leads nowhere."""
        if not anchor or self.tag is None or not self.press.page_of(anchor):
            return None
        return self.press.tag("Link", self.tag)


def label_ops(
    press: Press, text: str, style: paragraphs.Style, box: Box, anchor: str
) -> list[DrawGlyphs]:
    """Return one line of text with its top at the top of a box."""
    font = f"{style.family}-regular"
    shaped = press.metrics.shape(font, text)
    width = shaped.width * style.size
    x = box.x + {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * (box.width - width)
    y = box.y + press.metrics.vertical(font).ascent * style.size
    return [DrawGlyphs(font, round(style.size, 4), round(x, 4), round(y, 4), text,
                       shaped.kerns, style.color)]  # fmt: skip
