"""Mark faulty faces: a stand-in for one that cannot be drawn, else a frame or a mark across it.

They are for proofs, overviews and drafts; nobody can mistake them for finished cards.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable

from deckwright.base.findings import Diagnostic
from deckwright.base.geometry import Box
from deckwright.base.units import MM_PER_UNIT, Mm
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath, Group, Op, StrokePath
from deckwright.text import paragraphs, placing
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.placing import FAULT_COLOR
from deckwright.text.shaping import Metrics
from deckwright.text.words import Piece, itemize

_PAPER = "#ffffff"
_LINE: Mm = 1.2
_TEXT_SIZE = 9 * MM_PER_UNIT["pt"]
_NOTE_SIZE = 6 * MM_PER_UNIT["pt"]
_MIN_SIZE = 4 * MM_PER_UNIT["pt"]
_MARK_SHARE = 0.22
"""The width of the mark across a face, as a share of its shorter side."""
_OPACITY = 0.55
_MAX_WORD = 24
"""Longer words of a name are truncated, in characters."""


def make_stand_in(name: str, size: tuple[Mm, Mm], bleed: Mm, font: str, metrics: Metrics) -> Face:
    """Return the stand-in for a face that cannot be drawn: a crossed frame with a name.

    Args:
        name: the name of the card.
        font: the font family of the name.
    """
    width, height = size
    ground = outlines.rectangle(*Box(0, 0, width, height).expand(bleed))
    cross = (("M", 0.0, 0.0), ("L", width, height), ("M", width, 0.0), ("L", 0.0, height))
    lines = StrokePath(cross, FAULT_COLOR, _LINE / 3)
    face = Face(width, height, (FillPath(ground, _PAPER), lines), bleed, name)
    return add_frame(face, name, font, metrics, middle=True)


def add_faults(face: Face, faults: Iterable[Diagnostic], font: str, metrics: Metrics) -> Face:
    """Return a face in a frame, with a list of its faults in a strip at the top.

    Overlong texts may run over its edge, so it is clipped at its bleed.
    """
    bleed_box = outlines.rectangle(*Box(0, 0, face.width, face.height).expand(face.bleed))
    titles = dict.fromkeys(f"{fault.code.id}: {fault.code.title}" for fault in faults)
    cut = face._replace(ops=(Group(face.ops, clip=bleed_box),))
    return add_frame(cut, "; ".join(titles), font, metrics, size=_NOTE_SIZE)


def add_frame(
    face: Face,
    name: str,
    font: str,
    metrics: Metrics,
    *,
    middle: bool = False,
    size: Mm = _TEXT_SIZE,
) -> Face:
    """Return a face in a frame with a label at the top or in the middle."""
    ops: list[Op] = [_draw_frame(face)]
    style = paragraphs.TextStyle(font, size, _PAPER, 1.15)
    room = face.width - 4 * _LINE
    plain = replace_missing_letters(name, font, metrics)
    rich = itemize(((tuple((Piece(word[:_MAX_WORD]),) for word in plain.split()),),))
    block = paragraphs.fit_text(
        rich,
        style,
        metrics,
        width=room,
        height=face.height / 3,
        min_size=_MIN_SIZE,
        hyphens=Hyphenator(""),
    )
    if block is not None:
        pad = min(_LINE, size / 3)
        top = (face.height - block.height) / 2 if middle else _LINE + pad
        label = outlines.rectangle(_LINE, top - pad, face.width - 2 * _LINE, block.height + 2 * pad)
        ops.append(FillPath(label, FAULT_COLOR))
        ops += placing.place_text(block, Box(2 * _LINE, top, room, block.height), style)
    return face._replace(ops=(*face.ops, *ops))


def add_mark(face: Face) -> Face:
    """Return a face with a mark across it, from corner to corner."""
    width = min(face.width, face.height) * _MARK_SHARE
    length = math.hypot(face.width, face.height)
    bar = outlines.rectangle(-length / 2, -width / 2, length, width)
    turn = math.atan2(face.height, face.width)
    cos, sin = math.cos(turn), math.sin(turn)
    across = Group(
        (FillPath(bar, FAULT_COLOR),),
        (cos, -sin, sin, cos, face.width / 2, face.height / 2),
        opacity=_OPACITY,
    )
    mark = Group((across,), clip=outlines.rectangle(0, 0, face.width, face.height))
    return face._replace(ops=(*face.ops, mark, _draw_frame(face)))


def _draw_frame(face: Face) -> StrokePath:
    """Return a line along the inside of the trim box."""
    box = Box(0, 0, face.width, face.height).expand(-_LINE / 2)
    return StrokePath(outlines.rectangle(*box), FAULT_COLOR, _LINE)


def replace_missing_letters(name: str, font: str, metrics: Metrics) -> str:
    """Return a name with code points in place of characters that the font lacks."""
    letters = []
    for letter in unicodedata.normalize("NFC", name):
        rich = ((((Piece(letter),),),),)
        lacking = paragraphs.missing_characters(rich, font, metrics)
        if not lacking and not paragraphs.find_unsupported(rich):
            letters.append(letter)
        elif unicodedata.category(letter)[0] != "M":  # a combining mark
            letters.append(f"U+{ord(letter):04X}")
    return "".join(letters)
