"""Print markers, books and proofs: load and check, compose, impose, paint.

Everything that is wrong goes into the report; nothing is written while it holds an error.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deckwright import checks
from deckwright.bookprinting import print_book
from deckwright.diagnostics import Report, has_errors, known_hint
from deckwright.game import load
from deckwright.game.counters import Marker
from deckwright.game.folder import GameFolder
from deckwright.game.markers import with_counts
from deckwright.game.model import Game
from deckwright.layout import prepare_images
from deckwright.output import unwritable
from deckwright.writing import write_pages

if TYPE_CHECKING:
    from deckwright.exporters.faces import NamedFace


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
    game = _load_whole(folder, report)
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
    game = _load_whole(folder, report)
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
    game = _load_whole(folder, report)
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


def print_proofs(
    folder: GameFolder,
    wanted: Collection[str],
    target: Path,
    style: str | None,
    report: Report,
    *,
    dpi: float,
    backs: bool,
) -> tuple[int, list[Path]] | None:
    """Draw faces as PNG files in the folder `target`.

    Args:
        wanted: which cards, as for `faces_of`.

    Returns:
        how many faces were drawn, and the contact sheets; None after reporting why there are none.
    """
    game = _load_whole(folder, report)
    if game is None:
        return None

    from deckwright.exporters.faces import R019, faces_of  # noqa: PLC0415
    from deckwright.exporters.proof import write_proofs  # noqa: PLC0415
    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415
    from deckwright.images import ImageStore  # noqa: PLC0415

    workshop, images = Workshop(game, folder, report, style), ImageStore()
    faces = list(faces_of(game, workshop, report, wanted, backs=backs))
    unknown = [w for w in wanted if not any(_is(named, w) for named in faces)]
    if unknown and not has_errors(report):
        known = [name for card in game.cards.values() for name in (card.id, card.name)]
        for word in unknown:
            report.append(R019.at(None, f"there is no card `{word}`", known_hint(word, known)))
    if not prepare_images((named.face for named in faces), images, workshop, report) or not faces:
        return None
    try:
        return len(faces), write_proofs(faces, target, workshop.fonts, images, dpi)
    except OSError as error:
        report.append(unwritable(target, error))
        return None


def _is(named: NamedFace, word: str) -> bool:
    names = {named.name, named.group, named.card.id, named.card.name, named.card.faction_id}
    return word in names or named.name.startswith(f"{word}_")


def _load_whole(folder: GameFolder, report: Report) -> Game | None:
    """Return the whole game, checked; None if there are errors."""
    setup = load.load_setup(folder, report)
    game = load.load_game(folder, setup, report) if setup else None
    if game is not None:
        checks.check_game(game, report)
    return None if has_errors(report) else game
