"""What is printed on the sheets of a poster besides it: marks, strips for glue, and the plan."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.geometry import Box
from deckwright.base.units import PER_UNIT, Mm
from deckwright.ops import outlines
from deckwright.ops.model import FillPath, Op, StrokePath
from deckwright.sheet.poster import NEAR, TICK, Tile, Tiling, label
from deckwright.sheet.setter import GRAY, INK, Run, Setter, moved

_WHITE = "#ffffff"
_LINE: Mm = 0.15
_LABEL: Mm = 3.2
_ARROW: Mm = 3
_EVERY: Mm = 45
"""Arrows are no farther from each other."""
_FROM_END: Mm = 4
"""How far the outer arrows are from the ends of a strip, besides the overlap there."""


def sheet_marks(tiling: Tiling, tile: Tile, setter: Setter) -> Iterator[Op]:
    """Yield the marks of a sheet: where it is cut, its label, and its strips for glue."""
    box, overlap = tile.box, tiling.overlap
    goes_on = tile.column + 1 < tiling.columns, tile.row + 1 < tiling.rows
    for x in (box.x, *(() if goes_on[0] else (box.right,))):
        yield _line(x, box.y - NEAR - TICK, x, box.y - NEAR)
        yield _line(x, box.bottom + NEAR, x, box.bottom + NEAR + TICK)
    for y in (box.y, *(() if goes_on[1] else (box.bottom,))):
        yield _line(box.x - NEAR - TICK, y, box.x - NEAR, y)
        yield _line(box.right + NEAR, y, box.right + NEAR + TICK, y)
    number = tile.row * tiling.columns + tile.column + 1
    runs = [Run(tile.label, bold=True), Run(f"{number}/{tiling.sheets}", color=GRAY)]
    strip = setter.text(runs, box.width, _LABEL / PER_UNIT["pt"])
    yield moved(strip, box.x + 2, box.y - NEAR - strip.height + 0.6)
    if goes_on[0]:
        strip_box = Box(box.right - overlap, box.y, overlap, box.height)
        yield from _strip(strip_box, label(tile.row, tile.column + 1), setter, upright=True)
    if goes_on[1]:
        strip_box = Box(box.x, box.bottom - overlap, box.width, overlap)
        yield from _strip(strip_box, label(tile.row + 1, tile.column), setter, upright=False)


def _strip(box: Box, following: str, setter: Setter, *, upright: bool) -> Iterator[Op]:
    """Yield the marks of a strip, all of which the sheet that follows covers.

    Args:
        following: the label of that sheet.
    """
    length, wide = (box.height, box.width) if upright else (box.width, box.height)
    reach = min(_ARROW, wide * 0.6)
    first = min(wide + _FROM_END, length / 4)
    gaps = max(1, 2 * round((length - 2 * first) / _EVERY / 2) + 1)  # the label is in the middle
    for number in range(gaps + 1):
        at = first + (length - 2 * first) * number / gaps
        points = [(0.0, at), (reach, at - reach / 2), (reach, at + reach / 2)]
        shape = outlines.polygon(
            [(box.x + a, box.y + b) if upright else (box.x + b, box.y + a) for a, b in points]
        )
        yield FillPath(shape, _WHITE)
        yield StrokePath(shape, INK, _LINE, join=1)
    yield from _plate(following, box.x + box.width / 2, box.y + box.height / 2, _LABEL, setter)


def plan(tiling: Tiling, picture: Box, setter: Setter) -> Iterator[Op]:
    """Yield the edges and labels of all sheets on a small picture of the poster."""
    scale = picture.width / tiling.width
    across, down = (step * scale for step in tiling.step)
    seams = [
        *((x, picture.y, x, picture.bottom) for x in _seams(picture.x, across, tiling.columns)),
        *((picture.x, y, picture.right, y) for y in _seams(picture.y, down, tiling.rows)),
    ]
    for color, width in ((_WHITE, 0.9), (INK, 0.3)):
        for seam in seams:
            yield StrokePath(outlines.line(*seam), color, width)
    yield StrokePath(outlines.rectangle(*picture), INK, 0.3)
    size = min(6.0, down / 3, across / 4)
    for tile in tiling.tiles():
        # The last tiles of rows and columns show their strip's width more than the others.
        x, y = picture.x + tile.part.x * scale, picture.y + tile.part.y * scale
        right = picture.right if tile.column + 1 == tiling.columns else x + across
        bottom = picture.bottom if tile.row + 1 == tiling.rows else y + down
        yield from _plate(tile.label, (x + right) / 2, (y + bottom) / 2, size, setter)


def _seams(start: Mm, step: Mm, count: int) -> list[Mm]:
    """Return where the edges between `count` sheets are."""
    return [start + number * step for number in range(1, count)]


def _plate(text: str, x: Mm, y: Mm, size: Mm, setter: Setter) -> Iterator[Op]:
    """Yield a label on white, with its middle at x, y."""
    width = size * (0.5 + 0.6 * len(text))
    strip = setter.text([Run(text, bold=True)], width, size / PER_UNIT["pt"], anchor="middle")
    box = Box(x - width / 2, y - strip.height / 2, width, strip.height)
    yield FillPath(outlines.rectangle(*box, size / 4), _WHITE)
    yield StrokePath(outlines.rectangle(*box, size / 4), INK, _LINE)
    yield moved(strip, box.x, box.y)


def _line(x1: Mm, y1: Mm, x2: Mm, y2: Mm) -> Op:
    return StrokePath(outlines.line(x1, y1, x2, y2), INK, _LINE)
