"""Imposition: put copies into the slots of sheets, and crop marks around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

from deckwright.face.ops import Op, StrokePath
from deckwright.geometry import Box
from deckwright.sheet.format import SheetFormat
from deckwright.units import Mm

T = TypeVar("T")


class Placement(NamedTuple, Generic[T]):
    """A copy in a slot."""

    item: T
    slot: Box


def impose(copies: Iterable[T], sheet: SheetFormat) -> Iterator[tuple[Placement[T], ...]]:
    """Yield sheets: the copies in order, slot by slot, until none is left."""
    waiting, slots = iter(copies), sheet.slots()
    while batch := tuple(islice(waiting, len(slots))):
        yield tuple(Placement(item, slot) for item, slot in zip(batch, slots, strict=False))


def crop_marks(sheet: SheetFormat) -> tuple[Op, ...]:
    """Return the crop marks of a sheet: outside the grid, at both ends of every cut."""
    if sheet.mark_length <= 0:
        return ()
    grid, near = sheet.grid, sheet.mark_distance
    far = near + sheet.mark_length
    marks: list[Op] = []

    def mark(x1: Mm, y1: Mm, x2: Mm, y2: Mm) -> None:
        marks.append(StrokePath((("M", x1, y1), ("L", x2, y2)), "#000000", sheet.mark_width))

    slots = sheet.slots()
    for x in _distinct(x for slot in slots for x in (slot.x, slot.right)):
        mark(x, grid.y - far, x, grid.y - near)
        mark(x, grid.bottom + near, x, grid.bottom + far)
    for y in _distinct(y for slot in slots for y in (slot.y, slot.bottom)):
        mark(grid.x - far, y, grid.x - near, y)
        mark(grid.right + near, y, grid.right + far, y)
    return tuple(marks)


def _distinct(places: Iterable[Mm]) -> list[Mm]:
    """Return the places in order; those that differ by what reckoning may be off by are one."""
    found: dict[float, Mm] = {}
    for place in places:
        found.setdefault(round(place, 4), place)
    return sorted(found.values())
