"""Imposition: put copies into the slots of sheets, and their backs behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

from deckwright.base.geometry import Box
from deckwright.base.units import HAIR, Mm
from deckwright.ops.model import Face
from deckwright.sheet.grid import SheetFormat
from deckwright.sheet.pages import Placed

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


def placed(face: Face, slot: Box, sheet: SheetFormat) -> Placed:
    """Return a face in its slot: in the middle, as large as the slot allows, with its bleed."""
    scale, turn = scale_of(face, sheet), int(sheet.lies(slot))
    width, height = (face.height, face.width) if turn else (face.width, face.height)
    x = slot.x + (slot.width - width * scale) / 2
    y = slot.y + (slot.height - height * scale) / 2
    return Placed(face, x, y, scale, turn, reach=reach_of(face, sheet))


def reach_of(face: Face, sheet: SheetFormat) -> tuple[Mm, Mm]:
    """Return how far a face is shown beyond its trim box: to the end of its slot, and its bleed.

    At its left and right, and at its top and bottom, in the face's own mm.
    """
    scale = scale_of(face, sheet)
    across = (sheet.slot_width / scale - face.width) / 2
    down = (sheet.slot_height / scale - face.height) / 2
    bleed = sheet.bleed / scale
    return _no_hair(across) + bleed, _no_hair(down) + bleed


def _no_hair(length: Mm) -> Mm:
    """Return a length, 0 for one that is only a rounding error."""
    return 0 if abs(length) < HAIR else length


def scale_of(face: Face, sheet: SheetFormat) -> float:
    """Return by how much a face is scaled to be as large as the slots of a sheet allow.

    On labels it keeps its size, unless it is to be scaled.
    """
    if sheet.labels and not sheet.scaled:
        return 1.0
    scale = min(sheet.slot_width / face.width, sheet.slot_height / face.height)
    return 1.0 if abs(scale - 1) < _SAME else scale


def placed_behind(
    back: Face, slot: Box, sheet: SheetFormat, offset: tuple[Mm, Mm] = (0, 0)
) -> Placed:
    """Return a back where it lies behind `slot` when the sheet is turned over or folded.

    Its top lies behind that of its face: where the axis is level, a back stands on its head, and
    where it is upright, one whose face's top is at the right has it at the left.

    Args:
        offset: by how much the printer's second side is to be moved, right and down.
    """
    behind = sheet.behind(slot)
    moved = behind._replace(x=behind.x + offset[0], y=behind.y + offset[1])
    there = placed(back, moved, sheet)
    return there._replace(turn=((0 if sheet.turns_upright else 2) - there.turn) % 4)


_SAME = 1e-9
"""Scales that differ by less are the same."""
