"""Print markers: load and check, compose, put on sheets, paint."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright.base.findings import Report, has_errors
from deckwright.faces.factory import FaceFactory
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.markers import with_counts
from deckwright.game.model import Game
from deckwright.outputs.marker_sheets import marker_pages, paper_of
from deckwright.outputs.pages import write_pages
from deckwright.outputs.printed import Item, Print
from deckwright.sheet.margins import Margins


class MarkerOptions(NamedTuple):
    """How markers are printed, as `Game.print_markers` says.

    Attributes:
        counts: other counts than those of `game.xml`, by id, or by id and value as "damage/10".
        unreached: the edges that the printer leaves white.
    """

    counts: Mapping[str, int] = MappingProxyType({})
    paper: str | None = None
    unreached: Margins = Margins()
    footer: bool = True
    style: str | None = None


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
    on = paper_of(setup.marker_sheet, options.paper, max(options.unreached), footer=options.footer)
    pages = marker_pages(chosen, on, factory, report)
    title = f"{setup.words['markers']} – {setup.name}"
    if has_errors(report):
        return None
    footer = f"{setup.name} · {setup.words['markers']}"
    if not write_pages(pages, title, footer, factory, target, report):
        return None
    items = tuple(
        Item(m.id, f"{m.face.name} {m.value or ''}".strip(), m.copies) for m in chosen if m.copies
    )
    return Print((target,), len(pages), items=items)
