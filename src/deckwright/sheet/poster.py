"""Posters: something large over several sheets of paper, which are cut and glued together.

Each sheet has a tile of the poster. A tile goes on at its right and at its bottom, where the next
sheet is glued onto that strip; so at its left and its top it is cut, as are the poster's edges.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from deckwright.base.geometry import Box
from deckwright.base.units import HAIR, Mm
from deckwright.sheet.margins import Margins
from deckwright.sheet.slug import HEIGHT, LEAST_EDGE, RULER, Slug

REACH: Mm = 1
"""How far tiles are printed beyond where they are cut, so that no cut shows white."""
TICK: Mm = 3
"""How long cut marks are."""
NEAR: Mm = REACH + 0.5
"""How far they are from what is cut."""
_AROUND = NEAR + TICK
"""What a tile keeps free around it for its marks."""
_LETTERS = 26


class Tile(NamedTuple):
    """What of a poster is on one sheet.

    Attributes:
        row, column: from 0.
        part: what it shows of the poster, which has its top left corner at 0, 0.
        box: where that is on the sheet.
    """

    row: int
    column: int
    part: Box
    box: Box

    @property
    def label(self) -> str:
        """What the sheet is called, such as "B2": the second one of the second row."""
        return label(self.row, self.column)


class Tiling(NamedTuple):
    """How a poster is laid over sheets: in tiles of one size.

    Attributes:
        width, height: of the poster.
        paper: width and height of a sheet, as it lies.
        edges: what of it stays white, as it lies.
        overlap: how far tiles go on where another one is glued onto them.
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
        """How many sheets it takes."""
        return self.columns * self.rows

    @property
    def step(self) -> tuple[Mm, Mm]:
        """How far it is from a tile to the next one, to the right and down."""
        across, down = self._beyond
        return (self.width - across) / self.columns, (self.height - down) / self.rows

    @property
    def _beyond(self) -> tuple[Mm, Mm]:
        """By how much a tile is wider and higher than that."""
        return self.overlap * (self.columns > 1), self.overlap * (self.rows > 1)

    def tiles(self) -> Iterator[Tile]:
        """Yield the tiles, row by row; each is in the middle of where it can be."""
        across, down = self.step
        width, height = across + self._beyond[0], down + self._beyond[1]
        room = area(self.paper, self.edges)
        box = Box(
            *(room.x + (room.width - width) / 2, room.y + (room.height - height) / 2),
            *(width, height),
        )
        for row in range(self.rows):
            for column in range(self.columns):
                yield Tile(row, column, Box(column * across, row * down, width, height), box)

    def slug(self) -> Slug | None:
        """Return where a sheet has its ruler and footer, None if it is too narrow for them."""
        width, height = self.paper
        left, right, bottom = self.edges.left, self.edges.right, self.edges.bottom
        box = Box(left, height - bottom - HEIGHT, width - left - right, HEIGHT)
        return Slug(box, upward=False, paper_height=height) if box.width >= RULER else None


def label(row: int, column: int) -> str:
    """Return what a sheet is called: a letter for its row, and the number of its column.

    After Z there are AA, AB, and so on.
    """
    letters, left = "", row + 1
    while left:
        left, letter = divmod(left - 1, _LETTERS)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{column + 1}"


def area(paper: tuple[Mm, Mm], edges: Margins) -> Box:
    """Return where a tile can be on a sheet; marks are around it, and a footer is below."""
    left, top, right, bottom = (
        side + _AROUND for side in (edges.left, edges.top, edges.right, edges.bottom + HEIGHT + 1)
    )
    return Box(left, top, paper[0] - left - right, paper[1] - top - bottom)


def tiling(
    width: Mm, height: Mm, paper: tuple[Mm, Mm], margins: Margins, overlap: Mm
) -> Tiling | None:
    """Return how a poster is laid over as few sheets as can be, upright or lying.

    None if the overlap is too wide for them.

    Args:
        paper: the width and height of a sheet that stands upright.
        margins: what of it the printer leaves white.
    """
    edges = margins.at_least(LEAST_EDGE)
    found = []
    for size, around in ((paper, edges), (paper[::-1], edges.lying())):
        room = area(size, around)
        if min(room.width, room.height) >= 2 * overlap:
            columns, rows = _count(width, room.width, overlap), _count(height, room.height, overlap)
            found.append(Tiling(width, height, size, around, columns, rows, overlap))
    return min(found, key=lambda tiling: tiling.sheets, default=None)


def _count(length: Mm, room: Mm, overlap: Mm) -> int:
    """Return how many tiles a side of a poster takes."""
    return 1 if length <= room + HAIR else math.ceil((length - overlap - HAIR) / (room - overlap))
