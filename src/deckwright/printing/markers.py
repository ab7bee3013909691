"""Print markers: load and check, compose, put on sheets, paint."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from deckwright.diagnostics import Report, has_errors
from deckwright.game.counters import Marker
from deckwright.game.folder import GameFolder
from deckwright.game.markers import with_counts
from deckwright.pipeline import load_whole
from deckwright.printing.pages import write_pages


def print_markers(
    folder: GameFolder,
    counts: Mapping[str, int],
    paper: str | None,
    target: Path,
    style: str | None,
    report: Report,
) -> tuple[list[Marker], int] | None:
    """Print a game's markers as a PDF to `target`.

    Args:
        counts: other counts than those of `game.xml`, by id, or by id and value as "damage/10".
        paper: the name of another paper.

    Returns:
        the markers that were printed and the number of pages; None after reporting why none were.
    """
    game = load_whole(folder, report)
    if game is None or game.setup.marker_sheet is None:
        return None
    chosen = with_counts(game.setup.markers, counts)

    from deckwright.exporters.markers import marker_pages, paper_of  # noqa: PLC0415
    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415

    workshop = Workshop(game, folder, report, style)
    pages = marker_pages(chosen, paper_of(game.setup.marker_sheet, paper), workshop, report)
    title = f"{game.setup.words['markers']} – {game.setup.name}"
    if has_errors(report) or not write_pages(pages, title, workshop, target, report):
        return None
    return [marker for marker in chosen if marker.copies], len(pages)
