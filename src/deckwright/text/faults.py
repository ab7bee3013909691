"""Make faults of texts visible: boxes with the code points of missing characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from deckwright.ops import outlines
from deckwright.ops.model import DrawGlyphs, FillPath, StrokePath
from deckwright.text.fonts import CODE_FAMILY
from deckwright.text.symbols import SymbolArt
from deckwright.text.words import Piece, RichText, clusters, find_complex_characters, split_by_font

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics

FAULT_COLOR = "#c8102e"
"""The color of faults."""
_GROUND = "#ffffff"
_FONT = f"{CODE_FAMILY}-bold"
_SIZE, _BASELINE, _PADDING, _LINE = 0.5, 0.68, 0.12, 0.06
"""Dimensions of a label, as shares of its box's height."""


class LabeledSymbols(dict[str, SymbolArt]):
    """A game's symbols; an unknown one is shown as its name in a box."""

    def __init__(self, symbols: Mapping[str, SymbolArt], metrics: Metrics) -> None:
        """Take the game's symbols."""
        super().__init__(symbols)
        self._metrics = metrics

    def __contains__(self, name: object) -> bool:
        """Return True: any name can be drawn."""
        return True

    def __missing__(self, name: str) -> SymbolArt:
        """Return a symbol's name in a box."""
        return draw_label(name, self._metrics)


def draw_label(text: str, metrics: Metrics) -> SymbolArt:
    """Return a text in a box, as an inline symbol."""
    aspect = metrics.shape(_FONT, text).width * _SIZE + 2 * _PADDING
    frame = outlines.rectangle(_LINE / 2, _LINE / 2, aspect - _LINE, 1 - _LINE)
    letters = DrawGlyphs(_FONT, _SIZE, _PADDING, _BASELINE, text, (), FAULT_COLOR)
    return SymbolArt(
        "", aspect, (FillPath(frame, _GROUND), StrokePath(frame, FAULT_COLOR, _LINE), letters)
    )


def show_code_points(rich: RichText, family: str, metrics: Metrics) -> RichText:
    """Return a text with characters that cannot be printed replaced by boxed code points."""
    return tuple(
        tuple(
            tuple(
                tuple(part for piece in word for part in _printable(piece, family, metrics))
                for word in line
            )
            for line in paragraph
        )
        for paragraph in rich
    )


def _printable(piece: Piece, family: str, metrics: Metrics) -> Iterator[Piece]:
    """Yield the parts of a piece: printable texts and boxes."""
    if piece.drawn:
        yield piece
        return
    unset = {*find_complex_characters(piece.text)}
    for part in split_by_font(piece, family, metrics):
        font = part.font(family)
        if not metrics.shape(font, part.text).missing and unset.isdisjoint(part.text):
            yield part
            continue
        for cluster in clusters(part.text):
            if not metrics.shape(font, cluster).missing and unset.isdisjoint(cluster):
                yield part._replace(text=cluster)
                continue
            for one in cluster:
                if one in unset or metrics.shape(font, one).missing:
                    yield part._replace(text="", symbol=draw_label(f"{ord(one):04X}", metrics))
                else:
                    yield part._replace(text=one)
