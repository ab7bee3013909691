"""Cut marks: crop marks, cut lines, corner ticks, and the line where a sheet is folded.

A sheet that a machine cuts has the marks which that reads instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from deckwright.base.geometry import Box
from deckwright.base.units import HAIR, Mm
from deckwright.ops import outlines
from deckwright.ops.model import FillPath, StrokePath
from deckwright.sheet.grid import Fold, Marks, SheetFormat
from deckwright.sheet.margins import Margins

_INK = "#000000"
_DASH: Mm = 3
_LEAST: Mm = 0.9
"""A mark of which less is left is none."""
_SLACK: Mm = 1e-3
"""Edges that are nearer to each other are in one line."""

Line = tuple[Mm, Mm, Mm, Mm]
"""A line from x, y to x, y, to the right or down."""

Cut = tuple[Mm, Mm, Mm]
"""Where a cut is, and where it begins and ends."""


def cut_marks(
    sheet: SheetFormat, slots: Sequence[Box] | None = None
) -> tuple[FillPath | StrokePath, ...]:
    """Return the marks of a sheet, and its fold line.

    They never lie upon a card or its bleed, nor on the edges of the paper that stay empty.

    Only cut lines do, and corner ticks where cards have no gutter: there they run along the edges
    of the cards beside.

    Args:
        slots: those that have a card, the first ones of the sheet; all if not given. What would
            only cut empty paper is not marked.
    """
    if sheet.registration is not None:
        return sheet.registration.ops()
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
    """Yield the marks of slots."""
    upright, level = _cuts(slots, whole=not sheet.blocks)
    cuts = [(cut, True) for cut in upright] + [(cut, False) for cut in level]
    if sheet.marks is Marks.CORNERS:
        cuts = [
            (edge, standing)
            for slot in slots
            for standing in (True, False)
            for edge in _edges(slot, standing=standing)
        ]
    elif sheet.marks is Marks.NONE:
        cuts = []
    for (place, start, end), standing in cuts:
        lying = partial(_lying, place, standing=standing)
        parts = [_mark_at(start, -1, sheet, lying, slots), _mark_at(end, 1, sheet, lying, slots)]
        if sheet.marks is Marks.LINES:
            ends = [at for part in parts for at in part]
            parts = [(min(start, *ends), max(end, *ends))]
        yield from (lying(*part) for part in parts)


def _lying(place: Mm, start: Mm, end: Mm, *, standing: bool) -> Line:
    """Return a line from start to end, upright or level."""
    return (place, start, place, end) if standing else (start, place, end, place)


def _mark_at(
    end: Mm,
    direction: int,
    sheet: SheetFormat,
    lying: Callable[[Mm, Mm], Line],
    slots: Sequence[Box],
) -> tuple[Mm, Mm]:
    """Return from where to where there is a mark at the end of a cut.

    It is outside of all cards, `near` to `far` from what is cut. Where some cards are turned, and
    another card is in the way or the paper ends, it is on the cut itself.
    """
    near = max(sheet.mark_distance, sheet.bleed)
    far = near + sheet.mark_length
    start, stop = sorted((end + direction * near, end + direction * far))
    line = lying(start, stop)
    free = not sheet.blocks or (
        _within(sheet, *line) is not None
        and not any(_crosses(line, slot.grown(sheet.bleed)) for slot in slots)
    )
    if not free:
        start, stop = sorted((end, end - direction * sheet.mark_length))
    return start, stop


def _crosses(line: Line, box: Box) -> bool:
    """Return whether an upright or level line is inside of a box somewhere."""
    x1, y1, x2, y2 = line
    box = box.grown(-_SLACK)
    return x1 < box.right and x2 > box.x and y1 < box.bottom and y2 > box.y


def _edges(slot: Box, *, standing: bool) -> tuple[Cut, Cut]:
    """Return the upright or the level edges of a slot."""
    if standing:
        return (slot.x, slot.y, slot.bottom), (slot.right, slot.y, slot.bottom)
    return (slot.y, slot.x, slot.right), (slot.bottom, slot.x, slot.right)


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


def _cuts(slots: Sequence[Box], *, whole: bool) -> tuple[list[Cut], list[Cut]]:
    """Return upright cuts, with their upper and lower ends, and level ones, left and right.

    Args:
        whole: whether no cut meets a card that it does not cut free.
    """
    cuts = []
    for standing in (True, False):
        edges = [edge for slot in slots for edge in _edges(slot, standing=standing)]
        merged = _merged(edges)
        cuts.append(merged if whole else list(_divided(merged, edges, slots, standing=standing)))
    return cuts[0], cuts[1]


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


def _divided(
    cuts: Iterable[Cut], edges: Sequence[Cut], slots: Sequence[Box], *, standing: bool
) -> Iterator[Cut]:
    """Yield cuts without the stretches where they would cut through cards."""
    for place, low, high in cuts:
        run: list[Cut] = []
        for _, start, end in sorted(edge for edge in edges if abs(edge[0] - place) < _SLACK):
            between = _lying(place, run[-1][2] if run else start, start, standing=standing)
            if run and any(_crosses(between, slot) for slot in slots):
                yield place, run[0][1], max(edge[2] for edge in run)
                run = []
            run.append((place, start, end))
        yield place, run[0][1] if run else low, max((edge[2] for edge in run), default=high)
