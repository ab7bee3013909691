"""Cut marks: crop marks, cut lines, corner ticks, and the line where a sheet is folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckwright.face.ops import Op, StrokePath
from deckwright.geometry import Box
from deckwright.sheet.grid import Fold, Marks, SheetFormat
from deckwright.units import Mm

_INK = "#000000"
_DASH: Mm = 3

Line = tuple[Mm, Mm, Mm, Mm]
"""A line from x, y to x, y."""


def cut_marks(sheet: SheetFormat) -> tuple[Op, ...]:
    """Return the marks of a sheet, and its fold line. They never lie upon a card or its bleed.

    Only cut lines do, and corner ticks where cards have no gutter: there they run along the edges
    of the cards beside.
    """
    lines = [*_fold(sheet)]
    if sheet.mark_length > 0 or sheet.marks is Marks.LINES:
        draw = {
            Marks.CROP: _crop,
            Marks.LINES: _lines,
            Marks.CORNERS: _corners,
            Marks.NONE: _none,
        }[sheet.marks]
        slots = sheet.slots()
        lines += draw(sheet, sheet.grid, slots)
        if sheet.folded:
            behind = tuple(map(sheet.behind, slots))
            lines += draw(sheet, sheet.behind(sheet.grid), behind)
    return tuple(
        StrokePath((("M", x1, y1), ("L", x2, y2)), _INK, sheet.mark_width)
        for x1, y1, x2, y2 in dict.fromkeys(lines)
    )


def _ends(sheet: SheetFormat) -> tuple[Mm, Mm]:
    """Return how far from the cards a mark begins and ends."""
    near = max(sheet.mark_distance, sheet.bleed)
    return near, near + sheet.mark_length


def _crop(sheet: SheetFormat, grid: Box, slots: Iterable[Box]) -> Iterator[Line]:
    near, far = _ends(sheet)
    xs, ys = _cuts(slots)
    for x in xs:
        yield x, grid.y - far, x, grid.y - near
        yield x, grid.bottom + near, x, grid.bottom + far
    for y in ys:
        yield grid.x - far, y, grid.x - near, y
        yield grid.right + near, y, grid.right + far, y


def _lines(sheet: SheetFormat, grid: Box, slots: Iterable[Box]) -> Iterator[Line]:
    far = _ends(sheet)[1]
    xs, ys = _cuts(slots)
    for x in xs:
        yield x, grid.y - far, x, grid.bottom + far
    for y in ys:
        yield grid.x - far, y, grid.right + far, y


def _corners(sheet: SheetFormat, grid: Box, slots: Iterable[Box]) -> Iterator[Line]:  # noqa: ARG001
    near, far = _ends(sheet)
    for slot in slots:
        for x, out_x in ((slot.x, -1), (slot.right, 1)):
            for y, out_y in ((slot.y, -1), (slot.bottom, 1)):
                yield x + out_x * near, y, x + out_x * far, y
                yield x, y + out_y * near, x, y + out_y * far


def _none(sheet: SheetFormat, grid: Box, slots: Iterable[Box]) -> Iterator[Line]:  # noqa: ARG001
    yield from ()


def _fold(sheet: SheetFormat) -> Iterator[Line]:
    """Yield the dashes of the fold line."""
    if sheet.fold is Fold.VERTICAL:
        x = sheet.page_width / 2
        yield from ((x, start, x, end) for start, end in _dashes(sheet.page_height))
    elif sheet.fold is Fold.HORIZONTAL:
        y = sheet.page_height / 2
        yield from ((start, y, end, y) for start, end in _dashes(sheet.page_width))


def _dashes(length: Mm) -> Iterator[tuple[Mm, Mm]]:
    """Yield beginnings and ends of dashes, the same from both ends."""
    count = int(length / (2 * _DASH))
    start = (length - (2 * count - 1) * _DASH) / 2
    for number in range(count):
        yield start + 2 * number * _DASH, start + (2 * number + 1) * _DASH


def _cuts(slots: Iterable[Box]) -> tuple[list[Mm], list[Mm]]:
    """Return where upright and level cuts are."""
    boxes = list(slots)
    return (
        _distinct(x for slot in boxes for x in (slot.x, slot.right)),
        _distinct(y for slot in boxes for y in (slot.y, slot.bottom)),
    )


def _distinct(places: Iterable[Mm]) -> list[Mm]:
    """Return the places in order; those that differ by what reckoning may be off by are one."""
    found: dict[float, Mm] = {}
    for place in places:
        found.setdefault(round(place, 4), place)
    return sorted(found.values())
