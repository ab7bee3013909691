"""Watermarks across faces, such as PLAYTEST, so that nobody takes them for finished cards.

They are outlines of letters from corner to corner: a gray line with a white halo, visible on any
background but not hiding what is below. They use neither transparency nor fonts, so they look the
same for all painters and print services.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from deckwright.base.findings import Report
from deckwright.base.units import Mm
from deckwright.faces.copies import Copy
from deckwright.faces.factory import FaceFactory
from deckwright.game.words import WatermarkText, watermark_text
from deckwright.ops import outlines
from deckwright.ops.model import Face, Group, Op, StrokePath
from deckwright.templates.compose import L002, L013
from deckwright.text import paragraphs
from deckwright.text.shaping import Metrics
from deckwright.text.words import find_complex_characters

_LINE, _HALO = "#6e6e6e", "#ffffff"
_LINE_WIDTHS: tuple[Mm, Mm] = (0.25, 0.45)
"""The widths of the line and its halo."""
_MARGIN = 0.07
"""The margin at the edges, as a share of the shorter side."""
_MAX_HEIGHT = 0.22
"""The largest height of letters, as a share of the shorter side."""
_SPACING = 0.06
_ROUND_JOIN = 1


class Watermark:
    """Puts a text across faces; equal faces stay identical."""

    def __init__(self, text: str, font: str, metrics: Metrics) -> None:
        """Use `text` as the watermark; an empty one leaves faces unchanged."""
        self._text = text
        self._font = font
        self._metrics = metrics
        self._marks: dict[tuple[Mm, Mm], Op] = {}
        self._faces: dict[int, tuple[Face, Face]] = {}

    def apply(self, face: Face) -> Face:
        """Return a face with the text across it."""
        if not self._text:
            return face
        if id(face) not in self._faces:
            size = face.width, face.height
            if size not in self._marks:
                self._marks[size] = self._draw(*size)
            marked = face._replace(ops=(*face.ops, self._marks[size]))
            self._faces[id(face)] = face, marked
        return self._faces[id(face)][1]

    def forget(self) -> None:
        """Drop the cache of marked faces."""
        self._faces.clear()

    def apply_to_copies(self, copies: Iterable[Copy]) -> list[Copy]:
        """Return copies with the text across their faces and backs."""
        return [
            copy._replace(face=self.apply(copy.face), back=copy.back and self.apply(copy.back))
            for copy in copies
        ]

    def _draw(self, width: Mm, height: Mm) -> Op:
        """Return the text across a box, from its lower left to its upper right."""
        shaped = self._metrics.shape(self._font, self._text).add_spacing(_SPACING)
        letters = self._metrics.outline(self._font, shaped.text, shaped.kerns)
        box = outlines.bounds_of(letters)
        short = min(width, height)
        turn = math.atan2(height, width)
        cos, sin = math.cos(turn), math.sin(turn)
        free = short * _MARGIN * 2
        size = min(
            (width - free) / (box.width * cos + box.height * sin),
            (height - free) / (box.width * sin + box.height * cos),
            short * _MAX_HEIGHT / box.height,
        )
        x, y = -(box.x + box.width / 2) * size, -(box.y + box.height / 2) * size
        middle = outlines.scale_and_move(letters, x, y, size)
        thin, wide = _LINE_WIDTHS
        halo = StrokePath(middle, _HALO, wide, join=_ROUND_JOIN)
        line = StrokePath(middle, _LINE, thin, join=_ROUND_JOIN)
        return Group((halo, line), (cos, -sin, sin, cos, width / 2, height / 2), alt=self._text)


def make_watermark(factory: FaceFactory, text: WatermarkText, report: Report) -> Watermark:
    """Return the watermark for a game; report letters that its font lacks."""
    words, font = watermark_text(factory.game.setup, text), f"{factory.text_font}-bold"
    if not words or not factory.usable:
        return Watermark("", font, factory.metrics)
    place = factory.game.setup.source.at("watermark") if text is None else None
    missing = factory.metrics.shape(font, words).missing
    if unset := find_complex_characters(words):
        report.append(L013.at(place, *paragraphs.describe_unsupported(unset)))
        words = ""
    elif missing:
        message = f"the watermark `{words}` has `{missing[0]}`, which the font `{font}` lacks"
        report.append(L002.at(place, message, "use other characters, or another font"))
        words = ""
    return Watermark(words, font, factory.metrics)
