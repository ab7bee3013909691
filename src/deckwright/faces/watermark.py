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
from deckwright.ops.model import DrawGlyphs, Face, Group, Op, StrokePath
from deckwright.templates.compose import L002, L013
from deckwright.text import paragraphs
from deckwright.text.paragraphs import TextStyle
from deckwright.text.placing import label_ops, lay_out_label
from deckwright.text.scripts import find_vertical
from deckwright.text.shaping import Metrics
from deckwright.text.words import Piece, find_missing

_LINE, _HALO = "#6e6e6e", "#ffffff"
_LINE_WIDTHS: tuple[Mm, Mm] = (0.25, 0.45)
"""The widths of the line and its halo."""
_MARGIN = 0.07
"""The margin at the edges, as a share of the shorter side."""
_MAX_HEIGHT = 0.22
"""The largest height of letters, as a share of the shorter side."""
_STYLE = Piece(bold=True, spacing=0.06)
_ROUND_JOIN = 1


class Watermark:
    """Puts a text across faces; equal faces stay identical."""

    def __init__(self, text: str, family: str, metrics: Metrics) -> None:
        """Use `text` in a font family as the watermark; an empty one leaves faces unchanged."""
        self._text = text
        self._family = family
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
            self._faces[id(face)] = face, face._replace(ops=(*face.ops, self._marks[size]))
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
        line = lay_out_label(self._text, self._family, self._metrics, _STYLE)
        letters = tuple(
            segment
            for run in label_ops(line, 0, 0, TextStyle(self._family, 1, _LINE))
            if isinstance(run, DrawGlyphs)
            for segment in outlines.scale_and_move(self._metrics.outline(run), run.x, run.y, 1)
        )
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
        edge = StrokePath(middle, _LINE, thin, join=_ROUND_JOIN)
        return Group((halo, edge), (cos, -sin, sin, cos, width / 2, height / 2), alt=self._text)


def make_watermark(factory: FaceFactory, text: WatermarkText, report: Report) -> Watermark:
    """Return the watermark for a game; report letters that cannot be printed and leave it empty."""
    words, family = watermark_text(factory.game.setup, text), factory.text_font
    if not words or not factory.usable:
        return Watermark("", family, factory.metrics)
    place = factory.game.setup.source.at("watermark") if text is None else None
    missing = find_missing(_STYLE._replace(text=words), family, factory.metrics)
    if unsupported := find_vertical(words):
        report.append(L013.at(place, *paragraphs.describe_unsupported(unsupported)))
        words = ""
    elif missing:
        message = f"the watermark `{words}` has `{missing[0]}`, which the font `{family}` lacks"
        report.append(L002.at(place, message, "use other characters, or another font"))
        words = ""
    return Watermark(words, family, factory.metrics)
