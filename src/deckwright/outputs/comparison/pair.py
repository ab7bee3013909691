"""An old and a new face side by side, with what has changed beneath."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deckwright.base.geometry import Box
from deckwright.base.units import Mm
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath, Group, Op, StrokePath
from deckwright.ops.readable import said_by
from deckwright.ops.tags import Tag
from deckwright.sheet.setter import GRAY, Run, Setter, Strip, moved

HALF: Mm = 86
"""The width of a half."""
GUTTER: Mm = 8
"""The distance of the halves."""
WIDTH: Mm = 2 * HALF + GUTTER

OLD, NEW = "#a03028", "#2b6a3d"
"""The colors of what was and of what is."""

_MARKS = ("#d9281e", "#12a047")
"""The colors of marks on old and on new faces, brighter than any text may be."""

_HIGHEST: Mm = 100
"""How high a face may be, so that two pairs stand on a page."""
_EDGE, _GROUND = "#9a9fa6", "#f2f3f5"
_TITLE_PT, _WORDS_PT, _SMALL_PT = 11, 9, 8
_LONGEST: Mm = 220
"""How high a pair may be with its words; the list of changes has them all."""


class Faces(NamedTuple):
    """The old and the new face of a card.

    Attributes:
        old, new: None for what is not there, or cannot be drawn.
        marks: where they differ.
    """

    old: Face | None
    new: Face | None
    marks: tuple[Sequence[Box], Sequence[Box]] = ((), ())


class Pair(NamedTuple):
    """What is shown of a card.

    Attributes:
        kind: whose card it is, and what has become of it.
        there: whether there was one, and whether there is one.
        words: what has changed.
    """

    title: str
    kind: str
    faces: Faces
    there: tuple[bool, bool]
    words: Sequence[str]


def pair_strip(pair: Pair, setter: Setter) -> Strip:
    """Return a pair with its title and what has changed."""
    title = setter.text([Run(pair.title, bold=True)], WIDTH * 0.62, _TITLE_PT, role="H2")
    kind = setter.text(pair.kind, WIDTH * 0.36, _SMALL_PT, color=GRAY, anchor="end")
    ops: list[Op] = [moved(title, 0, 0), moved(kind, WIDTH * 0.64, 0.9)]
    y = max(title.height, kind.height) + 1.5
    faces, marks = pair.faces[:2], pair.faces.marks
    drawn = [face for face in faces if face is not None]
    if drawn:
        scale = min(1, *(min(HALF / face.width, _HIGHEST / face.height) for face in drawn))
        widest, highest = drawn[0].width * scale, drawn[0].height * scale
        for number, face in enumerate(faces):
            x = number * (HALF + GUTTER)
            if face is not None:
                shown = _shown(face, marks[number], _MARKS[number], (x, y, scale))
                said = f"{('old', 'new')[number]}: {said_by(face)}"
                ops.append(shown._replace(tag=Tag("Figure", said)))
                highest = max(highest, face.height * scale)
                if not pair.there[1]:
                    ops.append(_crossed(x, y, face.width * scale, face.height * scale))
            else:
                what = "cannot be drawn" if pair.there[number] else ("not there", "gone")[number]
                ops += _empty(setter, what, x, y, (widest, highest))
        y += highest + 2
    for number, words in enumerate(pair.words):
        line = setter.text(words, WIDTH - 3.5, _WORDS_PT)
        if y + line.height > _LONGEST:
            line = setter.text(f"and {len(pair.words) - number} more", WIDTH - 3.5, _WORDS_PT)
        mark = setter.text("•", 3, _WORDS_PT, role=None)
        ops += [moved(mark, 0.5, y), moved(line, 3.5, y)]
        y += line.height
        if y > _LONGEST:
            break
    return Strip(y, tuple(ops))


def caption(setter: Setter, which: str, label: str, *, new: bool) -> Strip:
    """Return what stands above a column of old or of new faces."""
    runs = [Run(which, bold=True, color=NEW if new else OLD), Run(label)]
    return setter.text(runs, HALF, _WORDS_PT)


def _shown(face: Face, marks: Sequence[Box], color: str, place: tuple[Mm, Mm, float]) -> Group:
    """Return a face, cut to its trim box, with a thin edge, and marks where it differs.

    Args:
        place: where its corner is, and how much larger it is.
    """
    x, y, scale = place
    trim = outlines.rectangle(0, 0, face.width, face.height)
    ops: list[Op] = [Group(face.ops, clip=trim), StrokePath(trim, _EDGE, 0.12 / scale)]
    for mark in marks:
        outline = outlines.rectangle(*mark, rx=1)
        ops += [StrokePath(outline, "#ffffff", 0.9), StrokePath(outline, color, 0.5)]
    return Group(tuple(ops), (scale, 0.0, 0.0, scale, round(x, 4), round(y, 4)))


def _crossed(x: Mm, y: Mm, width: Mm, height: Mm) -> Group:
    """Return a light cross over a face that is no longer there."""
    cross = (("M", x, y), ("L", x + width, y + height), ("M", x + width, y), ("L", x, y + height))
    box = outlines.rectangle(x, y, width, height)
    return Group((FillPath(box, "#ffffff"), StrokePath(cross, OLD, 0.7, 1)), opacity=0.45)


def _empty(setter: Setter, what: str, x: Mm, y: Mm, size: tuple[Mm, Mm]) -> list[Op]:
    """Return a place without a face."""
    box = outlines.rectangle(x, y, *size)
    text = setter.text(what, size[0], _WORDS_PT, color=GRAY, anchor="middle")
    middle = y + (size[1] - text.height) / 2
    return [FillPath(box, _GROUND), StrokePath(box, "#d9dce0", 0.15), moved(text, x, middle)]
