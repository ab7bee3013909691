"""Print markers: load and check, compose, put on sheets, paint."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.findings import Report, has_errors
from deckwright.base.units import PAPERS
from deckwright.faces.factory import FaceFactory
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.markers import with_counts
from deckwright.game.model import Game
from deckwright.outputs.cutters.files import write_cuts
from deckwright.outputs.marker_sheets import Machined, marker_pages, paper_of
from deckwright.outputs.marker_slots import slotted_pages
from deckwright.outputs.pages import write_pages
from deckwright.outputs.printed import Item, Print
from deckwright.sheet.cutting import Cutter, Layer
from deckwright.sheet.margins import Margins
from deckwright.sheet.setting import SheetOptions

if TYPE_CHECKING:
    from deckwright.outputs.services.pages import ForPress


class MarkerOptions(NamedTuple):
    """How markers are printed, as `Game.print_markers` says.

    Attributes:
        counts: other counts than those of `game.xml`, by id, or by id and value as "damage/10".
        unreached: the edges that the printer leaves white.
        cutter: the machine that cuts them, None if people do.
        kiss_cut: whether it cuts through the stickers that they are, but not the paper below.
        press: how they are made ready for a press and its die; None if they are for people.
        slots: the sheet in whose slots they lie, such as labels; None for as few sheets as can be.
    """

    counts: Mapping[str, int] = MappingProxyType({})
    paper: str | None = None
    unreached: Margins = Margins()
    footer: bool = True
    style: str | None = None
    cutter: Cutter | None = None
    kiss_cut: bool = False
    press: ForPress | None = None
    slots: SheetOptions | None = None


def print_markers(
    folder: GameFolder, target: Path, options: MarkerOptions, report: Report
) -> Print | None:
    """Print a game's markers as a PDF to `target`.

    Returns:
        what was printed; None after reporting why none were.
    """
    setup = load.load_setup(folder, report)
    if setup is None or setup.marker_sheet is None or has_errors(report):
        return None
    # Markers show nothing of cards, so these need not be right, nor read.
    game = Game(folder.path, setup, {}, {}, {})
    chosen = with_counts(setup.markers, options.counts)

    press, slots = options.press, options.slots
    factory = FaceFactory(
        game, folder, report, options.style, plates=press is not None and press.plates
    )
    title = f"{setup.words['markers']} – {setup.name}"
    sheet, cutter, machined = setup.marker_sheet, options.cutter, None
    name, footer = options.paper or sheet.paper, options.footer
    if press is not None:
        from deckwright.outputs.services.pages import no_marks  # noqa: PLC0415 - only for a press

        bleed, footer = press.service.bleed, False
        machined = Machined(no_marks(*PAPERS[name], sheet.margin + bleed, bleed))
    if cutter is not None:
        marks = cutter.marks_on(*PAPERS[name], f"the paper `{name}`", report)
        if marks is None:
            return None
        machined = Machined(marks, Layer.KISS_CUT if options.kiss_cut else Layer.CUT)
    if slots is not None:
        pages = slotted_pages(chosen, slots, folder.xml, factory, report)
    else:
        edge, marks = max(options.unreached), machined.marks if machined else None
        on = paper_of(sheet, name, edge, footer=footer, marks=marks)
        pages = marker_pages(chosen, on, factory, report, machined)
    if has_errors(report):
        return None
    items = tuple(
        Item(m.id, f"{m.face.name} {m.value or ''}".strip(), m.copies) for m in chosen if m.copies
    )
    if press is not None:
        from deckwright.outputs.services.pages import die_page, print_for_press  # noqa: PLC0415

        dies = [die_page(page, f"sheet {number}") for number, page in enumerate(pages, 1)]
        made = print_for_press(dies, title, factory, press, target, report, die=True)
        return made and Print((target, *made.masks), len(pages), items=items, pressed=made)
    about = f"{setup.name} · {setup.words['markers']}"
    written = write_pages(pages, title, about, factory, target, report)
    cuts = write_cuts(pages, options.cutter, target, report) if written else None
    if cuts is None:
        return None
    return Print((target,), len(pages), items=items, cuts=cuts)
