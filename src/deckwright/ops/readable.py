"""What ops say, for those who do not see them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deckwright.base.geometry import IDENTITY, Matrix
from deckwright.base.units import Mm
from deckwright.ops import outlines
from deckwright.ops.model import DrawGlyphs, Face, Group, Op

_LETTERS = frozenset("LMNPSZ")
"""First letters of the Unicode categories that are text; private use and controls are not."""


def alt_text(face: Face) -> str:
    """Return what a face says; "" if it is a picture without a word."""
    return face.alt or extract_text(face.ops)


def extract_text(ops: Iterable[Op]) -> str:
    """Return what ops say: runs on one baseline and the symbols between them as a line."""
    lines: list[list[str]] = []
    around, top, bottom = IDENTITY, math.inf, -math.inf
    for said in _phrases(ops, IDENTITY):
        if said.around == around and said.top <= bottom and said.bottom >= top:
            lines[-1].append(said.text)
            top, bottom = max(top, said.top), min(bottom, said.bottom)
        else:
            lines.append([said.text])
            _, around, top, bottom = said
    return "\n".join(" ".join(line) for line in lines)


class _Phrase(NamedTuple):
    """Something that is said.

    Attributes:
        around: the matrix of the groups that it is in.
        top, bottom: within these; of a text both are its baseline.
    """

    text: str
    around: Matrix
    top: Mm
    bottom: Mm


def _phrases(ops: Iterable[Op], around: Matrix) -> Iterator[_Phrase]:
    """Yield what ops say, a group with a text for all of it by that."""
    for op in ops:
        if isinstance(op, Group) and op.alt:
            box = outlines.extent((op,))
            top, bottom = (box.y, box.bottom) if box else (math.inf, -math.inf)
            yield _Phrase(op.alt, around, top, bottom)
        elif isinstance(op, Group):
            yield from _phrases(op.ops, op.within(around))
        elif isinstance(op, DrawGlyphs):
            text = "".join(c for c in op.text if unicodedata.category(c)[0] in _LETTERS).strip()
            if text:
                yield _Phrase(text, around, op.y, op.y)
