"""How large the texts of cards are in a book: none is printed smaller than one can read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.base.geometry import IDENTITY, determinant
from deckwright.base.units import HAIR, PER_UNIT, Mm
from deckwright.book.model import Picture
from deckwright.book.theme import Theme
from deckwright.ops.model import DrawGlyphs, Face, Group, Op
from deckwright.xmlio.node import Source

L010 = Code("L010", Severity.WARNING, "a figure with text that is too small")
LEAST_PT = 6.0
"""The smallest type that is read without effort."""
_LEAST: Mm = LEAST_PT * PER_UNIT["pt"]
_HIGHEST = 0.8
"""The share of a page that a face of a figure may be high."""
GAP: Mm = 3
"""Between cards side by side."""


def smallest_text(ops: Iterable[Op]) -> Mm | None:
    """Return the size of the smallest text in a drawing, None if it has no text."""
    return min(_sizes(ops, 1), default=None)


def _sizes(ops: Iterable[Op], scale: float) -> Iterator[Mm]:
    for op in ops:
        if isinstance(op, DrawGlyphs) and op.text.strip():
            yield op.size * scale
        elif isinstance(op, Group):
            larger = math.sqrt(abs(determinant(op.matrix or IDENTITY)))
            yield from _sizes(op.ops, scale * larger)


def least_scale(face: Face) -> float:
    """Return the scale at which the smallest text of a face is just large enough; 0 without any."""
    smallest = smallest_text(face.ops)
    return _LEAST / smallest if smallest else 0


def columns_of(pictures: Iterable[Picture], theme: Theme) -> int:
    """Return how many faces stand side by side in a gallery, so that all texts are legible."""
    widest = max((picture.face.width * picture.least for picture in pictures), default=0)
    for columns in range(theme.gallery, 1, -1):
        if widest <= column_width(columns, theme) + HAIR:
            return columns
    return 1


def column_width(columns: int, theme: Theme) -> Mm:
    """Return the width of each of the columns of a gallery."""
    return (theme.column - GAP * (columns - 1)) / columns


def figure_scale(face: Face, width: Mm, theme: Theme) -> float:
    """Return the scale of a face of a figure: smaller where it is too wide or high for the page."""
    return min(1, width / face.width, theme.body * _HIGHEST / face.height)


def check_figure(faces: Iterable[Face], source: Source, theme: Theme) -> Iterator[Diagnostic]:
    """Yield a finding if a text of a figure is printed too small."""
    sizes = [
        smallest * figure_scale(face, theme.column, theme)
        for face in faces
        if (smallest := smallest_text(face.ops)) is not None
    ]
    size = min(sizes, default=_LEAST)
    if size < _LEAST - HAIR:
        points = math.floor(size / PER_UNIT["pt"] * 10) / 10
        message = (
            f"the figure's smallest text has {points:.1f} pt, {LEAST_PT:.0f} pt is the minimum"
        )
        yield L010.at(source.at(), message, "enlarge the text, or make the drawing narrower")


def gallery_scale(picture: Picture, column: Mm) -> float:
    """Return the scale of a face in a column: at most 1, unless its texts would be too small."""
    return min(column / picture.face.width, max(1, picture.least))
