"""A line of text along a path: each letter stands upright on it. Millimetres."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from deckwright.base.units import Mm
from deckwright.ops.model import DrawGlyphs, Group, Op, Outline
from deckwright.ops.outlines import straightened
from deckwright.text.breaking import Run
from deckwright.text.paragraphs import Line, Style
from deckwright.text.placing import ANCHORS, line_ops

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics

_STEPS = 24
"""Into how many straight parts a curve is cut, for its length."""


class Track:
    """A path that a text stands on.

    Attributes:
        length: how long it is.
    """

    def __init__(self, outline: Outline) -> None:
        """Measure the path."""
        self._points = [(x, y) for x, y, _ in straightened(outline, _STEPS)]
        self._places = [0.0]
        for one, other in zip(self._points, self._points[1:], strict=False):
            self._places.append(self._places[-1] + math.dist(one, other))
        self.length: Mm = self._places[-1]

    def at(self, place: Mm) -> tuple[Mm, Mm, float, float]:
        """Return a point, so far along the path, and the direction there, as cosine and sine."""
        index = min(bisect_right(self._places, place), len(self._points) - 1)
        while index > 1 and self._places[index] == self._places[index - 1]:
            index -= 1
        (x1, y1), (x2, y2) = self._points[index - 1], self._points[index]
        long = math.dist((x1, y1), (x2, y2)) or 1.0
        cos, sin = (x2 - x1) / long, (y2 - y1) / long
        beyond = place - self._places[index - 1]
        return x1 + cos * beyond, y1 + sin * beyond, cos, sin


def along(
    line: Line, track: Track, size: Mm, style: Style, metrics: Metrics, anchor: str, spacing: float
) -> Iterator[Op]:
    """Yield the ops of a line of text along a path: a group that says the whole of it.

    Args:
        size: the em.
        spacing: how far letters are set apart, in ems: the last one has it as well.
    """
    room = track.length - (line.width - spacing) * size
    place = room * ANCHORS.get(anchor, 0)
    ops: list[Op] = []
    for run in line.runs:
        for part in _letters(run, style, metrics):
            wide = part.width * size
            inked = wide - (0 if part.piece.drawn else spacing * size)
            x, y, cos, sin = track.at(place + inked / 2)
            drawn = tuple(line_ops(Line((part,), part.width, first=False), -inked / 2, 0, 0, size,
                                   style, "start"))  # fmt: skip
            if drawn:
                turned = (round(cos, 6), round(sin, 6), round(-sin, 6), round(cos, 6))
                ops.append(Group(drawn, (*turned, round(x, 4), round(y, 4))))
            place += wide
    text = "".join(run.piece.text for run in line.runs)
    if ops:
        yield Group(tuple(ops), alt=text if any(_is_letter(op) for op in ops) else "")


def _is_letter(op: Op) -> bool:
    return isinstance(op, Group) and isinstance(op.ops[0], DrawGlyphs)


def _letters(run: Run, style: Style, metrics: Metrics) -> Iterator[Run]:
    """Yield the letters of a run, each with its own width."""
    piece = run.piece
    if piece.drawn:
        yield run
        return
    font = piece.font(style.family)
    for index, character in enumerate(piece.text):
        kern = run.kerns[index] if index < len(run.kerns) else 0
        width = (metrics.shape(font, character).width + kern / 1000) * piece.em
        yield Run(piece._replace(text=character), width)
