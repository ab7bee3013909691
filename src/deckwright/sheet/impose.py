"""Imposition: place copies in the slots of sheets, and their backs behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, groupby, islice, product
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

from deckwright.base.geometry import Box
from deckwright.base.units import TOLERANCE, Mm
from deckwright.ops import outlines
from deckwright.ops.model import Face, Op, StrokePath
from deckwright.sheet.grid import Margins, SheetFormat
from deckwright.sheet.pages import MIN_EDGE, SLUG_HEIGHT, PlacedFace, Slug, slug_at_foot

T = TypeVar("T")


class Placement(NamedTuple, Generic[T]):
    """A copy in a slot."""

    item: T
    slot: Box


def impose(copies: Iterable[T], sheet: SheetFormat) -> Iterator[tuple[Placement[T], ...]]:
    """Yield sheets with the copies in order, slot by slot."""
    waiting, slots = iter(copies), sheet.slots()
    while batch := tuple(islice(waiting, len(slots))):
        yield tuple(Placement(item, slot) for item, slot in zip(batch, slots, strict=False))


def place_face(face: Face, slot: Box, sheet: SheetFormat) -> PlacedFace:
    """Return a face centered in its slot, scaled to it if necessary, with its bleed."""
    scale, turn = scale_of(face, sheet), int(sheet.is_rotated(slot))
    width, height = (face.height, face.width) if turn else (face.width, face.height)
    x = slot.x + (slot.width - width * scale) / 2
    y = slot.y + (slot.height - height * scale) / 2
    # A face is visible to the end of its slot, plus bleed.
    across = (sheet.slot_width / scale - face.width) / 2
    down = (sheet.slot_height / scale - face.height) / 2
    bleed = sheet.bleed / scale
    reach = (
        (0 if abs(across) < TOLERANCE else across) + bleed,
        (0 if abs(down) < TOLERANCE else down) + bleed,
    )
    return PlacedFace(face, x, y, scale, turn, reach)


def scale_of(face: Face, sheet: SheetFormat) -> float:
    """Return the scale of a face that fits the slots of a sheet.

    On labels it keeps its size unless scaling is requested.
    """
    if sheet.labels and not sheet.scaled:
        return 1.0
    scale = min(sheet.slot_width / face.width, sheet.slot_height / face.height)
    return 1.0 if abs(scale - 1) < _SCALE_TOLERANCE else scale


def place_back(
    back: Face, slot: Box, sheet: SheetFormat, offset: tuple[Mm, Mm] = (0, 0)
) -> PlacedFace:
    """Return a back placed to lie behind `slot` when the sheet is flipped or folded.

    Its top lies behind that of its face: about a horizontal axis a back is upside down, and about a
    vertical one the back of a face with its top at the right has its own at the left.

    Args:
        offset: the correction of the printer's second side, right and down.
    """
    mirrored = sheet.mirrored(slot)
    moved = mirrored._replace(x=mirrored.x + offset[0], y=mirrored.y + offset[1])
    there = place_face(back, moved, sheet)
    return there._replace(turn=((0 if sheet.has_vertical_axis else 2) - there.turn) % 4)


_SCALE_TOLERANCE = 1e-9
_CUT_OVERSHOOT: Mm = 3
"""How far cut lines extend beyond the pieces, unless the paper's margin is closer."""
FOOT_HEIGHT: Mm = SLUG_HEIGHT + _CUT_OVERSHOOT + 1
"""The height of ruler and footer below pieces with cut lines."""
_LINE: Mm = 0.1
_INK = "#000000"
_TICK: Mm = 2
_HOLE_WEIGHT = 5
"""How much holes in a block matter, compared with its size."""
_MIN_OVERSHOOT: Mm = 0.9
"""Less of a line beyond the pieces does not show where to cut."""


class Paper(NamedTuple):
    """A sheet of paper.

    Attributes:
        margin: the margin that stays white.
        foot: additional space at the bottom for a ruler and a footer.
        gutter: the distance between pieces, for a machine that cuts each out.
        area: the usable area, if not everything within the margins.
    """

    width: Mm
    height: Mm
    margin: Mm
    foot: Mm = 0
    gutter: Mm = 0
    area: Box | None = None

    @property
    def usable(self) -> Box:
        """The usable area."""
        width, height = self.width - 2 * self.margin, self.height - 2 * self.margin - self.foot
        return self.area or Box(self.margin, self.margin, width, height)

    @property
    def room(self) -> tuple[Mm, Mm]:
        """The width and height available for pieces, including their gutters."""
        free = self.usable.expand(self.gutter / 2)
        return free.width, free.height

    def fits(self, width: Mm, height: Mm) -> bool:
        """Return whether a piece of this size fits on it."""
        across, down = self.room
        gutter = self.gutter - TOLERANCE
        return width + gutter <= across and height + gutter <= down


def foot_slug(paper: Paper) -> Slug | None:
    """Return the slug in the foot of a sheet of paper, None if there is no room."""
    edge = max(paper.margin, MIN_EDGE)
    edges = Margins(edge, edge, edge, edge)
    return slug_at_foot((paper.width, paper.height), edges) if paper.foot else None


@dataclass(slots=True)
class TileRow(Generic[T]):
    """Pieces of one size side by side; up to `columns` fit."""

    width: Mm
    height: Mm
    columns: int
    items: tuple[T, ...]

    @property
    def size(self) -> tuple[Mm, Mm]:
        """The width and height of the pieces."""
        return self.width, self.height


@dataclass(slots=True)
class TiledSheet(Generic[T]):
    """A sheet with rows of pieces, from the top; rows of one size are a block.

    Attributes:
        gap: the space between blocks.
        height: the total height of rows and gaps.
    """

    paper: Paper
    gap: Mm = 0
    rows: list[TileRow[T]] = field(default_factory=list)
    height: Mm = 0

    def add(self, row: TileRow[T]) -> bool:
        """Add a row, if there is room."""
        height = self.height + row.height
        if self.rows and self.rows[-1].size != row.size:
            height += self.gap
        if fits := height <= self.paper.room[1] + TOLERANCE:
            self.rows.append(row)
            self.height = height
        return fits

    def placements(self) -> Iterator[Placement[T]]:
        """Yield the pieces on the sheet, row by row; the blocks are centered."""
        for row, x, y in self._row_positions():
            for number, item in enumerate(row.items):
                place = Box(x + number * row.width, y, row.width, row.height)
                yield Placement(item, place.expand(-self.paper.gutter / 2))

    def cut_lines(self) -> tuple[Op, ...]:
        """Return the cut lines: as few as possible, each along the whole length of a cut."""
        return tuple(_stroke(*cut[:4]) for cut in self._cuts())

    def cut_ticks(self) -> tuple[Op, ...]:
        """Return ticks at the ends of cuts that do not reach beyond the pieces.

        They are for pieces that hide their cut lines.
        """
        ticks = list[Op]()
        for x1, y1, x2, y2, first, last in self._cuts():
            standing = x1 == x2
            start, end = (y1, y2) if standing else (x1, x2)
            parts = [(first, first + _TICK)] * (first - start < _MIN_OVERSHOOT)
            parts += [(last - _TICK, last)] * (end - last < _MIN_OVERSHOOT)
            ticks += (_stroke(*((x1, a, x1, b) if standing else (a, y1, b, y1))) for a, b in parts)
        return tuple(ticks)

    def _cuts(self) -> Iterator[tuple[Mm, Mm, Mm, Mm, Mm, Mm]]:
        """Yield the cuts: the line, and the range along it that has pieces."""
        low, right = self.paper.margin, self.paper.width - self.paper.margin
        foot = self.paper.height - self.paper.margin
        places = list(self._row_positions())
        for (width, _), group in groupby(places, key=lambda place: place[0].size):
            block = list(group)
            x = block[0][1]
            used = [len(row.items) for row, _, _ in block]
            edges = [block[0][2], *(y + row.height for row, _, y in block)]
            for y, above, below in zip(edges, [0, *used], [*used, 0], strict=True):
                end = x + max(above, below) * width
                left = max(min(x, low), x - _CUT_OVERSHOOT)
                yield left, y, min(max(end, right), end + _CUT_OVERSHOOT), y, x, end
            beyond = _CUT_OVERSHOOT if self.gap or block[0] is places[0] else 0
            top = max(min(edges[0], low), edges[0] - beyond)
            for number in range(max(used) + 1):
                last = max(index for index, count in enumerate(used) if count >= number)
                # Pieces of another size may follow the block, and must not be cut.
                free = self.gap or last < len(block) - 1 or block[-1] is places[-1]
                beyond = _CUT_OVERSHOOT if free else 0
                over = min(max(edges[last + 1], foot), edges[last + 1] + beyond)
                at = x + number * width
                yield at, top, at, over, edges[0], edges[last + 1]

    def _row_positions(self) -> Iterator[tuple[TileRow[T], Mm, Mm]]:
        """Yield each row with the position of its top left corner."""
        free = self.paper.usable
        y = free.y + (free.height - self.height) / 2
        for number, row in enumerate(self.rows):
            if number and self.rows[number - 1].size != row.size:
                y += self.gap
            yield row, (self.paper.width - row.columns * row.width) / 2, y
            y += row.height


def _stroke(x1: Mm, y1: Mm, x2: Mm, y2: Mm) -> Op:
    return StrokePath(outlines.line(x1, y1, x2, y2), _INK, _LINE)


def tile(kinds: Iterable[tuple[T, Mm, Mm, int]], paper: Paper) -> list[TiledSheet[T]]:
    """Return pieces, given as kinds with width, height and count, on as few sheets as possible.

    Each size is a block, tall pieces first. If that takes no more sheets, each kind has rows or
    columns of its own, unless whole kinds share a row, and there are gaps between the blocks. Of
    all widths of the blocks, the one is chosen that leaves the most even margins and few holes.

    Raises:
        ValueError: if a piece is larger than the paper.
    """
    sizes: dict[tuple[Mm, Mm], list[tuple[T, ...]]] = {}
    for item, width, height, count in kinds:
        if not paper.fits(width, height):
            raise ValueError(f"{width:g} × {height:g} mm do not fit on the paper")
        size = width + paper.gutter, height + paper.gutter
        sizes.setdefault(size, []).append((item,) * count)
    order = sorted(sizes, key=lambda size: -size[1])
    across, down = paper.room

    @cache
    def block(size: tuple[Mm, Mm], columns: int, *, apart: bool) -> list[TileRow[T]]:
        """Return the pieces of a size in up to `columns`, and in no more than their rows need."""
        runs = sizes[size] if apart else [tuple(chain.from_iterable(sizes[size]))]
        rows = _wrap(runs, columns)
        if any(len(row) < columns for row in rows):
            if stripes := _stripe(runs, columns):
                rows = stripes
            else:
                while columns > 1 and len(narrower := _wrap(runs, columns - 1)) == len(rows):
                    rows, columns = narrower, columns - 1
        return [TileRow(*size, columns, row) for row in rows]

    def layouts() -> Iterator[tuple[tuple[int, bool, bool, float], list[TiledSheet[T]]]]:
        """Yield layouts; the best has the least key."""
        most = {
            size: min(int((across + TOLERANCE) / size[0]), _count(runs))
            for size, runs in sizes.items()
        }
        widths = {number * size[0] for size in sizes for number in range(1, most[size] + 1)}
        widest, fewest = max((width for width, _ in sizes), default=0), 0
        for limit in sorted(widths, reverse=True):
            if limit + TOLERANCE < widest:
                break
            fit = {size: min(int((limit + TOLERANCE) / size[0]), most[size]) for size in order}
            for apart, gap in product((True, False), (2 * _CUT_OVERSHOOT, 0)):
                blocks = [block(size, columns, apart=apart) for size, columns in fit.items()]
                sheets = _stack(blocks, paper, gap)
                rows = [row for sheet in sheets for row in sheet.rows]
                width = max(row.columns * row.width for row in rows) / across
                height = max(sheet.height for sheet in sheets) / down
                spread = sum(row.columns for row in rows) / _count(row.items for row in rows)
                extent = max(width, height) * spread**_HOLE_WEIGHT
                yield (len(sheets), not apart, not gap, extent), sheets
            # The last of these is the densest, and narrower blocks are no denser.
            fewest = fewest or len(sheets)
            if len(sheets) > fewest:
                break

    _, best = min(layouts(), key=itemgetter(0), default=(None, []))
    return best


def _count(runs: Iterable[tuple[T, ...]]) -> int:
    return sum(map(len, runs))


def _wrap(runs: Iterable[tuple[T, ...]], columns: int) -> list[tuple[T, ...]]:
    """Return runs of pieces in rows: a run that is longer than a row has rows of its own."""
    rows: list[tuple[T, ...]] = []
    shared = False
    for run in runs:
        if shared and len(rows[-1]) + len(run) <= columns:
            rows[-1] += run
        else:
            rows += (run[start : start + columns] for start in range(0, len(run), columns))
            shared = len(run) <= columns
    return rows


def _stripe(runs: list[tuple[T, ...]], columns: int) -> list[tuple[T, ...]]:
    """Return rows in which each run has columns of its own; none if there would be holes."""
    height, left = divmod(_count(runs), columns)
    if left or any(len(run) % height for run in runs):
        return []
    return [*zip(*_wrap(runs, height), strict=True)]


def _stack(blocks: Iterable[list[TileRow[T]]], paper: Paper, gap: Mm) -> list[TiledSheet[T]]:
    """Return sheets with these rows, each on the first sheet with room for it."""
    sheets: list[TiledSheet[T]] = []
    for rows in blocks:
        first = 0
        for row in rows:
            while first < len(sheets) and not sheets[first].add(row):
                first += 1
            if first == len(sheets):
                sheets.append(TiledSheet(paper, gap))
                sheets[first].add(row)
    return sheets


ZINE_PAGES = 8
"""The number of pages of a zine made of one folded sheet."""
ZINE_ROWS = ((5, 4, 3, 2), (6, 7, 8, 1))
"""Its pages on the sheet, in landscape; those of the upper row are upside down.

The two pages of a leaf touch at their heads: the sheet is cut between the middle four pages, and
folded along all other lines.
"""


class FoldedSheet(NamedTuple):
    """A sheet of a booklet: its page numbers from 1, left and right.

    Attributes:
        depth: the number of sheets around it.
    """

    front: tuple[int, int]
    back: tuple[int, int]
    depth: int


def impose_booklet(pages: int, signature: int = 0) -> Iterator[FoldedSheet]:
    """Yield the sheets of a booklet, four pages each, the outermost of each signature first.

    Numbers beyond the last page mean blank pages at the end.

    Args:
        pages: the number of pages.
        signature: the number of nested sheets in a signature; 0 for a single signature.
    """
    sheets = -(-pages // 4)
    size = min(signature or sheets, sheets)
    first = 1
    while sheets:
        count = min(size, sheets)
        last = first + 4 * count - 1
        for depth in range(count):
            low, high = first + 2 * depth, last - 2 * depth
            yield FoldedSheet((high, low), (low + 1, high - 1), depth)
        first, sheets = last + 1, sheets - count
