"""The readable text of ops, for screen readers."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator

from deckwright.base.geometry import IDENTITY, Matrix
from deckwright.base.units import Mm
from deckwright.ops import outlines
from deckwright.ops.model import DrawGlyphs, Face, Group, Op

_LETTERS = frozenset("LMNPSZ")
"""First letters of Unicode categories of text; private use and controls are excluded."""


def alt_text(face: Face) -> str:
    """Return a face's alternative text; "" for a picture without words."""
    return face.alt or extract_text(face.ops)


def extract_text(ops: Iterable[Op]) -> str:
    """Return the text of ops; runs on one baseline and the symbols among them share a line."""
    lines: list[list[str]] = []
    around, top, bottom = IDENTITY, math.inf, -math.inf
    for text, matrix, high, low in _phrases(ops, IDENTITY):
        if matrix == around and high <= bottom and low >= top:
            lines[-1].append(text)
            top, bottom = max(top, high), min(bottom, low)
        else:
            lines.append([text])
            around, top, bottom = matrix, high, low
    return "\n".join(" ".join(line) for line in lines)


def _phrases(ops: Iterable[Op], around: Matrix) -> Iterator[tuple[str, Matrix, Mm, Mm]]:
    """Yield the texts of ops; a group with an alternative text yields that.

    With each text come the matrix of the enclosing groups, and its top and bottom: both are the
    baseline, but for groups.
    """
    for op in ops:
        if isinstance(op, Group) and op.alt:
            box = outlines.extent((op,))
            top, bottom = (box.y, box.bottom) if box else (math.inf, -math.inf)
            yield op.alt, around, top, bottom
        elif isinstance(op, Group):
            yield from _phrases(op.ops, op.inner_matrix(around))
        elif isinstance(op, DrawGlyphs):
            text = "".join(c for c in op.text if unicodedata.category(c)[0] in _LETTERS).strip()
            if text:
                yield text, around, op.y, op.y
