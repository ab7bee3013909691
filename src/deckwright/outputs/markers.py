"""Print markers: load and check, compose, put on sheets, paint."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright.base.findings import Report, has_errors
from deckwright.base.units import PAPERS
from deckwright.faces.factory import FaceFactory
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.markers import with_counts
from deckwright.game.model import Game
from deckwright.outputs.cutters.files import write_cuts
from deckwright.outputs.marker_sheets import Machined, marker_pages, paper_of
from deckwright.outputs.pages import write_pages
from deckwright.outputs.printed import Item, Print
from deckwright.sheet.cutting import Cutter, Layer
from deckwright.sheet.margins import Margins


class MarkerOptions(NamedTuple):
    """How markers are printed, as `Game.print_markers` says.

    Attributes:
        counts: other counts than those of `game.xml`, by id, or by id and value as "damage/10".
        unreached: the edges that the printer leaves white.
        cutter: the machine that cuts them, None if people do.
        kiss_cut: whether it cuts through the stickers that they are, but not the paper below.
    """

    counts: Mapping[str, int] = MappingProxyType({})
    paper: str | None = None
    unreached: Margins = Margins()
    footer: bool = True
    style: str | None = None
    cutter: Cutter | None = None
    kiss_cut: bool = False


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

    factory = FaceFactory(game, folder, report, options.style)
    sheet, cutter, machined = setup.marker_sheet, options.cutter, None
    name = options.paper or sheet.paper
    if cutter is not None:
        marks = cutter.marks_on(*PAPERS[name], f"the paper `{name}`", report)
        if marks is None:
            return None
        machined = Machined(marks, Layer.KISS_CUT if options.kiss_cut else Layer.CUT)
    edge, marks = max(options.unreached), machined.marks if machined else None
    on = paper_of(sheet, name, edge, footer=options.footer, marks=marks)
    pages = marker_pages(chosen, on, factory, report, machined)
    title = f"{setup.words['markers']} – {setup.name}"
    if has_errors(report):
        return None
    footer = f"{setup.name} · {setup.words['markers']}"
    written = write_pages(pages, title, footer, factory, target, report)
    cuts = write_cuts(pages, options.cutter, target, report) if written else None
    if cuts is None:
        return None
    items = tuple(
        Item(m.id, f"{m.face.name} {m.value or ''}".strip(), m.copies) for m in chosen if m.copies
    )
    return Print((target,), len(pages), items=items, cuts=cuts)
