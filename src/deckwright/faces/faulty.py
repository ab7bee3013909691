"""Faces with faults: a stand-in where a face cannot be drawn, a frame or a mark where it can.

They are for proofs, overviews and drafts, and nobody can take one for a finished card.
"""

from __future__ import annotations

import math

from deckwright.base.geometry import Box
from deckwright.base.units import PER_UNIT, Mm
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath, Group, Op, StrokePath
from deckwright.text import paragraphs, placing
from deckwright.text.hyphens import Hyphens
from deckwright.text.shaping import Metrics
from deckwright.text.words import Piece, Rich

_RED, _PAPER = "#c8102e", "#ffffff"
_LINE: Mm = 1.2
_TEXT = 9 * PER_UNIT["pt"]
_SMALLEST = 4 * PER_UNIT["pt"]
_MARK = 0.22
"""How wide the mark across a face is, as a share of its shorter side."""
_OPACITY = 0.55
_LONGEST = 24
"""The longest word of a name that is shown, in characters."""


def stand_in(name: str, size: tuple[Mm, Mm], bleed: Mm, font: str, metrics: Metrics) -> Face:
    """Return what is shown in place of a face that cannot be drawn: a crossed frame, and a name.

    Args:
        name: what to call the card.
        font: the family that the name is set in.
    """
    width, height = size
    ground = outlines.rectangle(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed)
    cross = (("M", 0.0, 0.0), ("L", width, height), ("M", width, 0.0), ("L", 0.0, height))
    lines = StrokePath(cross, _RED, _LINE / 3)
    face = Face(width, height, (FillPath(ground, _PAPER), lines), bleed, name)
    return framed(face, name, font, metrics, middle=True)


def framed(face: Face, name: str, font: str, metrics: Metrics, *, middle: bool = False) -> Face:
    """Return a face in a frame with a name on it: at the top, or in the middle."""
    inset = _LINE / 2
    frame = outlines.rectangle(inset, inset, face.width - _LINE, face.height - _LINE)
    ops: list[Op] = [StrokePath(frame, _RED, _LINE)]
    style = paragraphs.Style(font, _TEXT, _PAPER, 1.15)
    room = face.width - 4 * _LINE
    block = paragraphs.fit(
        _shown(name, font, metrics),
        style,
        metrics,
        width=room,
        height=face.height / 3,
        smallest=_SMALLEST,
        hyphens=Hyphens(""),
    )
    if block is not None:
        top = (face.height - block.height) / 2 if middle else 2 * _LINE
        label = outlines.rectangle(
            _LINE, top - _LINE, face.width - 2 * _LINE, block.height + 2 * _LINE
        )
        ops.append(FillPath(label, _RED))
        ops += placing.place(block, Box(2 * _LINE, top, room, block.height), style)
    return face._replace(ops=(*face.ops, *ops))


def marked(face: Face) -> Face:
    """Return a face with a mark across it, from corner to corner."""
    width = min(face.width, face.height) * _MARK
    length = math.hypot(face.width, face.height)
    bar = outlines.rectangle(-length / 2, -width / 2, length, width)
    turn = math.atan2(face.height, face.width)
    cos, sin = math.cos(turn), math.sin(turn)
    across = Group(
        (FillPath(bar, _RED),),
        (cos, -sin, sin, cos, face.width / 2, face.height / 2),
        opacity=_OPACITY,
    )
    trim = outlines.rectangle(0, 0, face.width, face.height)
    frame = outlines.rectangle(_LINE / 2, _LINE / 2, face.width - _LINE, face.height - _LINE)
    mark = Group((across,), clip=trim)
    return face._replace(ops=(*face.ops, mark, StrokePath(frame, _RED, _LINE)))


def _shown(name: str, font: str, metrics: Metrics) -> Rich:
    """Return a name as a text: what is markup in it, too, but not what the font lacks."""
    rich = _as_it_is(name)
    lacking = set(paragraphs.missing_characters(rich, font, metrics))
    return _as_it_is("".join("?" if letter in lacking else letter for letter in name))


def _as_it_is(text: str) -> Rich:
    return ((tuple((Piece(word[:_LONGEST]),) for word in text.split()),),)
