"""Posters: large prints over several sheets of paper, which are cut and glued together.

Each sheet has a tile of the poster. At its right and its bottom a tile continues in a strip, onto
which the next sheet is glued; at its left and its top it is cut, and so are the poster's edges.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from deckwright.base.files import to_letters
from deckwright.base.geometry import Box
from deckwright.base.units import MM_PER_UNIT, TOLERANCE, Mm
from deckwright.ops import outlines
from deckwright.ops.model import FillPath, Op, StrokePath
from deckwright.sheet.flow import GRAY, INK, TextRun, TextSetter, place_strip
from deckwright.sheet.grid import Margins
from deckwright.sheet.pages import MIN_EDGE, SLUG_HEIGHT, Slug, slug_at_foot

CUT_BLEED: Mm = 1
"""The bleed of tiles beyond their cuts, so that no white shows."""
MARK_LENGTH: Mm = 3
MARK_DISTANCE: Mm = CUT_BLEED + 0.5
_MARK_MARGIN = MARK_DISTANCE + MARK_LENGTH
"""The space around a tile for its marks."""


class Tile(NamedTuple):
    """The part of a poster on one sheet.

    Attributes:
        row, column: its position, from 0.
        part: its box on the poster, whose top left corner is at 0, 0.
        box: its box on the sheet.
    """

    row: int
    column: int
    part: Box
    box: Box

    @property
    def label(self) -> str:
        """The label of the sheet, such as "B2" for the second one of the second row."""
        return sheet_label(self.row, self.column)


class Tiling(NamedTuple):
    """The division of a poster into tiles of one size.

    Attributes:
        width, height: the size of the poster.
        paper: the width and height of a sheet in its orientation.
        edges: the margins of a sheet that stay white.
        overlap: the width of the strips that are glued.
    """

    width: Mm
    height: Mm
    paper: tuple[Mm, Mm]
    edges: Margins
    columns: int
    rows: int
    overlap: Mm

    @property
    def sheets(self) -> int:
        """The number of sheets."""
        return self.columns * self.rows

    @property
    def step(self) -> tuple[Mm, Mm]:
        """The distance from a tile to the next one, right and down."""
        across, down = self._overlap_size
        return (self.width - across) / self.columns, (self.height - down) / self.rows

    @property
    def _overlap_size(self) -> tuple[Mm, Mm]:
        """The amount by which a tile is wider and higher than the step."""
        return self.overlap * (self.columns > 1), self.overlap * (self.rows > 1)

    def tiles(self) -> Iterator[Tile]:
        """Yield the tiles row by row, each centered in the usable area."""
        across, down = self.step
        width, height = across + self._overlap_size[0], down + self._overlap_size[1]
        room = tile_area(self.paper, self.edges)
        x, y = room.x + (room.width - width) / 2, room.y + (room.height - height) / 2
        for row, column in product(range(self.rows), range(self.columns)):
            part = Box(column * across, row * down, width, height)
            yield Tile(row, column, part, Box(x, y, width, height))

    def slug(self) -> Slug | None:
        """Return the slug of a sheet, None if it is too narrow for one."""
        return slug_at_foot(self.paper, self.edges)


def sheet_label(row: int, column: int) -> str:
    """Return the label of a sheet: a letter for its row, and the number of its column.

    Z is followed by AA, AB, and so on.
    """
    return f"{to_letters(row + 1)}{column + 1}"


def tile_area(paper: tuple[Mm, Mm], edges: Margins) -> Box:
    """Return the usable area of a sheet for a tile, without room for marks and footer."""
    left, top, right, bottom = (
        side + _MARK_MARGIN
        for side in (edges.left, edges.top, edges.right, edges.bottom + SLUG_HEIGHT + 1)
    )
    return Box(left, top, paper[0] - left - right, paper[1] - top - bottom)


def plan_tiling(
    width: Mm, height: Mm, paper: tuple[Mm, Mm], margins: Margins, overlap: Mm
) -> Tiling | None:
    """Return the tiling of a poster with the fewest sheets, in portrait or landscape.

    None if the overlap is too wide.

    Args:
        paper: the width and height of a sheet in portrait.
        margins: the margins that the printer leaves white.
    """
    edges = margins.at_least(MIN_EDGE)
    tilings = []
    for size, around in ((paper, edges), (paper[::-1], edges.landscape())):
        room = tile_area(size, around)
        if min(room.width, room.height) >= 2 * overlap:
            columns = _count_tiles(width, room.width, overlap)
            rows = _count_tiles(height, room.height, overlap)
            tilings.append(Tiling(width, height, size, around, columns, rows, overlap))
    return min(tilings, key=lambda tiling: tiling.sheets, default=None)


def _count_tiles(length: Mm, room: Mm, overlap: Mm) -> int:
    """Return the number of tiles along a side of a poster."""
    if length <= room + TOLERANCE:
        return 1
    return math.ceil((length - overlap - TOLERANCE) / (room - overlap))


_WHITE = "#ffffff"
_LINE: Mm = 0.15
_LABEL: Mm = 3.2
_ARROW: Mm = 3
_MAX_ARROW_DISTANCE: Mm = 45
_ARROW_INSET: Mm = 4
"""The distance of the outer arrows from the ends of a strip, besides its width."""


def draw_sheet_marks(tiling: Tiling, tile: Tile, setter: TextSetter) -> Iterator[Op]:
    """Yield the marks of a sheet: cut marks, its label, and its strips for glue."""
    box, overlap = tile.box, tiling.overlap
    goes_on = tile.column + 1 < tiling.columns, tile.row + 1 < tiling.rows
    for x in (box.x, *(() if goes_on[0] else (box.right,))):
        yield _line(x, box.y - MARK_DISTANCE - MARK_LENGTH, x, box.y - MARK_DISTANCE)
        yield _line(x, box.bottom + MARK_DISTANCE, x, box.bottom + MARK_DISTANCE + MARK_LENGTH)
    for y in (box.y, *(() if goes_on[1] else (box.bottom,))):
        yield _line(box.x - MARK_DISTANCE - MARK_LENGTH, y, box.x - MARK_DISTANCE, y)
        yield _line(box.right + MARK_DISTANCE, y, box.right + MARK_DISTANCE + MARK_LENGTH, y)
    number = tile.row * tiling.columns + tile.column + 1
    runs = [TextRun(tile.label, bold=True), TextRun(f"{number}/{tiling.sheets}", color=GRAY)]
    strip = setter.set_text(runs, box.width, _LABEL / MM_PER_UNIT["pt"])
    left = box.x + setter.left_of(2, box.width, box.width)
    yield place_strip(strip, left, box.y - MARK_DISTANCE - strip.height + 0.6)
    if goes_on[0]:
        right = box._replace(x=box.right - overlap, width=overlap)
        label = sheet_label(tile.row, tile.column + 1)
        yield from _draw_strip(right, label, setter, upright=True)
    if goes_on[1]:
        below = box._replace(y=box.bottom - overlap, height=overlap)
        label = sheet_label(tile.row + 1, tile.column)
        yield from _draw_strip(below, label, setter, upright=False)


def _draw_strip(box: Box, following: str, setter: TextSetter, *, upright: bool) -> Iterator[Op]:
    """Yield the marks of a strip, which the next sheet covers: its arrows and its label."""
    length, wide = (box.height, box.width) if upright else (box.width, box.height)
    reach = min(_ARROW, wide * 0.6)
    first = min(wide + _ARROW_INSET, length / 4)
    # An odd number of gaps, since the label is in the middle.
    gaps = max(1, 2 * round((length - 2 * first) / _MAX_ARROW_DISTANCE / 2) + 1)
    for number in range(gaps + 1):
        at = first + (length - 2 * first) * number / gaps
        points = [(0.0, at), (reach, at - reach / 2), (reach, at + reach / 2)]
        shape = outlines.polygon(
            [(box.x + a, box.y + b) if upright else (box.x + b, box.y + a) for a, b in points]
        )
        yield FillPath(shape, _WHITE)
        yield StrokePath(shape, INK, _LINE, join=1)
    yield from _draw_plate(following, box.x + box.width / 2, box.y + box.height / 2, _LABEL, setter)


def draw_overview(tiling: Tiling, picture: Box, setter: TextSetter) -> Iterator[Op]:
    """Yield the seams and labels of all sheets on a small picture of the poster."""
    scale = picture.width / tiling.width
    across, down = (step * scale for step in tiling.step)
    xs = [picture.x + number * across for number in range(1, tiling.columns)]
    ys = [picture.y + number * down for number in range(1, tiling.rows)]
    seams = [(x, picture.y, x, picture.bottom) for x in xs]
    seams += [(picture.x, y, picture.right, y) for y in ys]
    for color, width in ((_WHITE, 0.9), (INK, 0.3)):
        for seam in seams:
            yield StrokePath(outlines.line(*seam), color, width)
    yield StrokePath(outlines.rectangle(*picture), INK, 0.3)
    size = min(6.0, down / 3, across / 4)
    for tile in tiling.tiles():
        # The last tile of a row or column is wider by the overlap.
        x, y = picture.x + tile.part.x * scale, picture.y + tile.part.y * scale
        right = picture.right if tile.column + 1 == tiling.columns else x + across
        bottom = picture.bottom if tile.row + 1 == tiling.rows else y + down
        yield from _draw_plate(tile.label, (x + right) / 2, (y + bottom) / 2, size, setter)


def _draw_plate(text: str, x: Mm, y: Mm, size: Mm, setter: TextSetter) -> Iterator[Op]:
    """Yield a label on a white plate, centered at x, y."""
    width, runs = size * (0.5 + 0.6 * len(text)), [TextRun(text, bold=True)]
    strip = setter.set_text(runs, width, size / MM_PER_UNIT["pt"], anchor="middle")
    box = Box(x - width / 2, y - strip.height / 2, width, strip.height)
    yield FillPath(outlines.rectangle(*box, size / 4), _WHITE)
    yield StrokePath(outlines.rectangle(*box, size / 4), INK, _LINE)
    yield place_strip(strip, box.x, box.y)


def _line(x1: Mm, y1: Mm, x2: Mm, y2: Mm) -> Op:
    return StrokePath(outlines.line(x1, y1, x2, y2), INK, _LINE)
