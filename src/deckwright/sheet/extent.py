"""The extent of a sheet: how near to the edges of the paper anything is printed."""

from __future__ import annotations

from collections.abc import Iterable

from deckwright.base.geometry import Box
from deckwright.base.units import Mm
from deckwright.game.folder import GameFolder
from deckwright.game.setup import Setup
from deckwright.ops.outlines import bounds_of
from deckwright.sheet.format import load_format
from deckwright.sheet.grid import SheetFormat
from deckwright.sheet.margins import Margins
from deckwright.sheet.marks import cut_marks
from deckwright.sheet.slug import slug_of


def margins_of(sheet: SheetFormat, *, footer: bool = True) -> Margins:
    """Return the edges that a full sheet leaves white, for a format that is fitted to its cards.

    Args:
        footer: whether it has a ruler and a footer, where there is room for them.
    """
    boxes = _cards(sheet)
    boxes += (bounds_of(mark.outline) for mark in cut_marks(sheet))
    slug = slug_of(sheet) if footer else None
    if slug is not None:
        boxes.append(slug.on_paper)
    return _around(boxes, sheet.page_width, sheet.page_height)


def least_margin(sheet: SheetFormat, sizes: Iterable[tuple[Mm, Mm]]) -> Mm | None:
    """Return how near to an edge of the paper a format prints cards of these sizes, and its marks.

    None if it has no paper of its own, as with one card a page.
    """
    if not sheet.page_width:
        return None
    fitted = (sheet.fitted(*size) for size in sizes)
    nearest = [min(margins_of(each)) for each in fitted if each.capacity]
    return min(nearest, default=None)


def card_margins(sheet: SheetFormat) -> Margins:
    """Return the edges that the cards of a sheet and their bleed leave white."""
    return _around(_cards(sheet), sheet.page_width, sheet.page_height)


def _cards(sheet: SheetFormat) -> list[Box]:
    """Return the boxes around all cards of a sheet and their bleed."""
    grid, bleed = sheet.grid, sheet.bleed
    box = Box(grid.x, grid.y, grid.width, grid.height).grown(bleed)
    return [box, sheet.behind(box)] if sheet.folded else [box]


def _around(boxes: Iterable[Box], width: Mm, height: Mm) -> Margins:
    """Return what boxes leave of a sheet of paper, to a thousandth of a millimetre."""
    around = Box.around(boxes)
    sides = (around.y, width - around.right, height - around.bottom, around.x)
    return Margins(*(round(side, 3) for side in sides))


def margin_line(setup: Setup, folder: GameFolder) -> str | None:
    """Return how near to the edges of the paper the game's sheet is printed, in words.

    None if it has no paper, or cannot be read.
    """
    sheet = load_format(setup.sheet, folder.xml, setup.sheet_source, [])
    kinds = setup.kinds.values()
    margin = sheet and least_margin(sheet, [(kind.width, kind.height) for kind in kinds])
    if sheet is None or margin is None:
        return None
    return f"the sheet `{sheet.name}` prints up to {margin:g} mm from the edges of the paper"
