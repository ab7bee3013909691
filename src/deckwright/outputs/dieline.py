"""The lines of a net: where to cut, to fold and to glue, and a legend of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from deckwright.base.geometry import Box, shifted
from deckwright.base.units import Mm
from deckwright.faces.factory import FaceFactory
from deckwright.ops.model import DrawGlyphs, FillPath, Group, Op, StrokePath
from deckwright.ops.outlines import line, rectangle
from deckwright.sheet.cutting import Cut, Layer, cut_of
from deckwright.sheet.net import Net, Point
from deckwright.sheet.registration import Registration

_CUT: Mm = 0.2
_FOLD: Mm = 0.15
_DASH: Mm = 1.6
_HATCH, _HATCH_STEP = "#9a9a9a", 2.4
_BLACK, _WHITE, _INK = "#000000", "#ffffff", "#333333"
_TYPE: Mm = 2.6
_SAMPLE: Mm = 9


class Lines(NamedTuple):
    """The colors of cut lines and fold lines on a piece."""

    cut: str
    fold: str


def cut_lines(net: Net, lines: Mapping[str, Lines]) -> Iterator[Op]:
    """Yield the outline of a net, solid.

    Args:
        lines: colors by the names of the pieces.
    """
    for name, run in net.cuts():
        yield StrokePath(run, lines[name].cut, _CUT, join=1)


def fold_lines(net: Net, lines: Mapping[str, Lines]) -> Iterator[Op]:
    """Yield the folds of a net, dashed, in the colors of the pieces that the folded ones hang on.

    Args:
        lines: colors by the names of the pieces.
    """
    for piece, (start, end) in net.folds():
        yield from _dashes(start, end, lines[piece.parent or ""].fold)


def net_cut(net: Net, marks: Registration) -> Cut | None:
    """Return what a machine does with a net: cut it out, and crease or perforate its folds."""
    folds = [ends for _, ends in net.folds()]
    return cut_of(
        marks,
        {
            Layer.CUT: [net.outline()],
            Layer.CREASE: [line(*start, *end) for start, end in folds],
            Layer.PERFORATION: [
                line(*one, *other) for ends in folds for one, other in _parts(*ends)
            ],
        },
    )


def _dashes(start: Point, end: Point, color: str) -> Iterator[Op]:
    """Yield the dashes of a line."""
    return (_line(one, other, color, _FOLD) for one, other in _parts(start, end))


def _parts(start: Point, end: Point) -> Iterator[tuple[Point, Point]]:
    """Yield the ends of the dashes of a line; one begins at its start, and one ends at its end."""
    (x1, y1), (x2, y2) = start, end
    parts = 2 * max(1, round(math.dist(start, end) / _DASH / 2)) - 1

    def at(part: int) -> Point:
        return x1 + (x2 - x1) * part / parts, y1 + (y2 - y1) * part / parts

    for part in range(0, parts, 2):
        yield at(part), at(part + 1)


def glue_ops(net: Net, name: str, factory: FaceFactory) -> Iterator[Op]:
    """Yield the hatching of a piece that is glued, with a word on it where there is room."""
    piece = net.piece(name)
    box = piece.box
    yield Group(tuple(_hatching(box)), clip=net.grown(piece, 0))
    glyphs, width = _text(factory.game.setup.words["glue"], factory)
    if max(box.width, box.height) < width + 2 or min(box.width, box.height) < 2 * _TYPE:
        return
    plate = FillPath(rectangle(-1, -0.8 * _TYPE, width + 2, 1.6 * _TYPE), _WHITE)
    x, y = box.x + box.width / 2, box.y + box.height / 2
    if box.height > box.width:
        yield Group((plate, glyphs), (0, -1, 1, 0, x, y + width / 2))
    else:
        yield Group((plate, glyphs), shifted(x - width / 2, y))


def _hatching(box: Box) -> Iterator[Op]:
    """Yield slanted lines all over a box, and beyond."""
    for step in range(1, int((box.width + box.height) / _HATCH_STEP) + 1):
        x = box.x + step * _HATCH_STEP
        yield _line((x, box.y), (x - box.height, box.bottom), _HATCH, _FOLD)


def legend(box: Box, text: str, factory: FaceFactory) -> Iterator[Op]:
    """Yield what the lines mean at the left of a box, and a text at its right."""
    x, y = box.x, box.y + box.height / 2
    for name in ("cut", "fold", "glue"):
        start, end = (x, y), (x + _SAMPLE, y)
        if name == "cut":
            yield _line(start, end, _BLACK, _CUT)
        elif name == "fold":
            yield from _dashes(start, end, _BLACK)
        else:
            area = Box(x, y - 1.5, _SAMPLE, 3)
            yield Group(tuple(_hatching(area)), clip=rectangle(*area))
        x += _SAMPLE + 1.5
        glyphs, width = _text(factory.game.setup.words[name], factory)
        yield Group((glyphs,), shifted(x, y))
        x += width + 6
    glyphs, width = _text(text, factory)
    yield Group((glyphs,), shifted(box.right - width, y))


def _text(text: str, factory: FaceFactory) -> tuple[Op, Mm]:
    """Return a line of text that begins at 0, 0 and has its middle there, and its width."""
    font, metrics = f"{factory.text_font}-regular", factory.metrics
    shaped = metrics.shape(font, text)
    baseline = metrics.vertical(font).cap_height * _TYPE / 2
    glyphs = DrawGlyphs(font, _TYPE, 0, baseline, shaped.text, shaped.kerns, _INK)
    return glyphs, shaped.width * _TYPE


def _line(start: Point, end: Point, color: str, width: Mm) -> Op:
    return StrokePath(line(*start, *end), color, width)
