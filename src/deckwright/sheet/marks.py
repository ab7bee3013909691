"""Cut marks: crop marks, cut lines, corner ticks, and the line where a sheet is folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deckwright.base.geometry import Box
from deckwright.base.units import HAIR, Mm
from deckwright.ops import outlines
from deckwright.ops.model import StrokePath
from deckwright.sheet.grid import Fold, Marks, SheetFormat
from deckwright.sheet.margins import Margins

_INK = "#000000"
_DASH: Mm = 3
_LEAST: Mm = 0.9
"""A mark of which less is left is none."""

Line = tuple[Mm, Mm, Mm, Mm]
"""A line from x, y to x, y, to the right or down."""

Cut = tuple[Mm, Mm, Mm]
"""Where a cut is, and where it begins and ends."""


def cut_marks(sheet: SheetFormat, slots: Sequence[Box] | None = None) -> tuple[StrokePath, ...]:
    """Return the marks of a sheet, and its fold line.

    They never lie upon a card or its bleed, nor on the edges of the paper that stay empty.

    Only cut lines do, and corner ticks where cards have no gutter: there they run along the edges
    of the cards beside.

    Args:
        slots: those that have a card, the first ones of the sheet; all if not given. What would
            only cut empty paper is not marked.
    """
    lines = [*_fold(sheet)]
    if sheet.mark_length > 0 or sheet.marks is Marks.LINES:
        filled = sheet.slots() if slots is None else slots
        lines += _marks(sheet, filled)
        if sheet.folded:
            lines += _marks(sheet, tuple(map(sheet.behind, filled)))
    return tuple(
        StrokePath(outlines.line(*line), _INK, sheet.mark_width)
        for line in filter(None, (_within(sheet, *line) for line in dict.fromkeys(lines)))
    )


def _within(sheet: SheetFormat, x1: Mm, y1: Mm, x2: Mm, y2: Mm) -> Line | None:
    """Return what of an upright or level line is not on the edges that stay empty."""
    edges = Margins(*(edge - HAIR for edge in sheet.edges))
    right, bottom = sheet.page_width - edges.right, sheet.page_height - edges.bottom
    line = (max(x1, edges.left), max(y1, edges.top), min(x2, right), min(y2, bottom))
    whole = line == (x1, y1, x2, y2)
    long = max(line[2] - line[0], line[3] - line[1]) >= _LEAST
    return line if whole or (long and line[0] <= line[2] and line[1] <= line[3]) else None


def _marks(sheet: SheetFormat, slots: Sequence[Box]) -> Iterator[Line]:
    """Yield the marks of slots; `near` and `far` are how far from cards one begins and ends."""
    near = max(sheet.mark_distance, sheet.bleed)
    far = near + sheet.mark_length
    upright, level = _cuts(slots)
    if sheet.marks is Marks.CROP:
        for x, top, bottom in upright:
            yield x, top - far, x, top - near
            yield x, bottom + near, x, bottom + far
        for y, left, right in level:
            yield left - far, y, left - near, y
            yield right + near, y, right + far, y
    elif sheet.marks is Marks.LINES:
        yield from ((x, top - far, x, bottom + far) for x, top, bottom in upright)
        yield from ((left - far, y, right + far, y) for y, left, right in level)
    for slot in slots if sheet.marks is Marks.CORNERS else ():
        for x, out_x in ((slot.x, -1), (slot.right, 1)):
            for y, out_y in ((slot.y, -1), (slot.bottom, 1)):
                left, right = sorted((x + out_x * near, x + out_x * far))
                top, bottom = sorted((y + out_y * near, y + out_y * far))
                yield left, y, right, y
                yield x, top, x, bottom


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


def _cuts(slots: Iterable[Box]) -> tuple[list[Cut], list[Cut]]:
    """Return upright cuts, with their upper and lower ends, and level ones, left and right."""
    boxes = list(slots)
    return (
        _merged((x, slot.y, slot.bottom) for slot in boxes for x in (slot.x, slot.right)),
        _merged((y, slot.x, slot.right) for slot in boxes for y in (slot.y, slot.bottom)),
    )


def _merged(edges: Iterable[Cut]) -> list[Cut]:
    """Return edges in order, those in one line as one from end to end.

    Those whose places differ by no more than rounding errors are in one line.
    """
    found: dict[float, Cut] = {}
    for place, start, end in edges:
        key = round(place, 4)
        first, low, high = found.get(key, (place, start, end))
        found[key] = first, min(low, start), max(high, end)
    return sorted(found.values())
