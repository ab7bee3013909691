"""Print markers and books: load and check, compose, impose, paint.

Everything that is wrong goes into the report; nothing is written while it holds an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from deckwright.bookprinting import print_book
from deckwright.diagnostics import Report, has_errors
from deckwright.game import load
from deckwright.game.counters import Marker
from deckwright.game.folder import GameFolder
from deckwright.game.markers import with_counts
from deckwright.pipeline import load_whole
from deckwright.writing import write_pages


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


def print_overview(
    folder: GameFolder,
    faction_ids: Sequence[str],
    target: Path,
    style: str | None,
    report: Report,
) -> int | None:
    """Print the overview of factions, of all if none is named, as a PDF to `target`.

    Returns:
        the number of pages; None after reporting what keeps it from being printed.
    """
    game = load_whole(folder, report)
    if game is None:
        return None

    from deckwright.exporters.books import overview_book  # noqa: PLC0415
    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415

    workshop = Workshop(game, folder, report, style)
    if not workshop.usable:
        return None
    plan = overview_book(game, faction_ids or [*game.factions], workshop, report)
    return print_book(plan, game.setup, workshop, target, report)


def print_rulebook(
    folder: GameFolder, target: Path, style: str | None, report: Report
) -> int | None:
    """Print a game's rulebook as a PDF to `target`.

    Returns:
        the number of pages; None after reporting what keeps it from being printed.
    """
    game = load_whole(folder, report)
    root = load.load_rulebook(folder, report)
    if game is None or root is None:
        return None

    from deckwright.exporters.books import rulebook  # noqa: PLC0415
    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415

    workshop = Workshop(game, folder, report, style)
    if not workshop.usable:
        return None
    plan = rulebook(root, game, workshop, report)
    return print_book(plan, game.setup, workshop, target, report)
