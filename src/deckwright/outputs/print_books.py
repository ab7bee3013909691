"""Print books, the overview and the rulebook: load and check, prepare images, set, write."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from deckwright.base.findings import Code, Location, Report, Severity, has_errors
from deckwright.base.output import write_file
from deckwright.book.shape import load_rulebook
from deckwright.checks.loading import load_readable
from deckwright.faces.images import prepare_images
from deckwright.game.folder import GameFolder
from deckwright.outputs.printed import Print

if TYPE_CHECKING:
    from deckwright.book.model import Book
    from deckwright.faces.factory import FaceFactory

L005 = Code("L005", Severity.ERROR, "a book with something larger than a page")


def print_book(book: Book, factory: FaceFactory, target: Path | None, report: Report) -> int | None:
    """Print a book as a PDF, or only lay it out if there is no `target`.

    Returns:
        the number of pages; None after reporting what keeps it from being printed.
    """
    images = factory.pictures.store
    if has_errors(report) or not prepare_images(book.faces, images, report):
        return None

    from deckwright.paint.pdf.book import TooLargeError, write_book  # noqa: PLC0415
    from deckwright.paint.pdf.info import info_of  # noqa: PLC0415
    from deckwright.paint.pdf.press import Tools  # noqa: PLC0415

    info = info_of(book.title, factory.game.setup, factory.folder)
    studio = factory.studio
    tools = Tools(
        studio.metrics, studio.hyphens, book.fonts, factory.fonts, images, studio.symbols, {}
    )
    pages = 0

    def write(stream: IO[bytes] | None) -> None:
        nonlocal pages
        pages = write_book(stream, book, info, tools)

    try:
        if target is None:
            write(None)
        elif not write_file(target, write, report):
            return None
    except TooLargeError as error:
        place = Location(book.source.path) if book.source else None
        message = f"what follows page {error.page} of the book is larger than a page"
        report.append(L005.at(place, message, "shorten it, split it, or choose larger paper"))
        return None
    return pages


def print_overview(
    folder: GameFolder,
    faction_ids: Sequence[str],
    target: Path,
    style: str | None,
    report: Report,
) -> Print | None:
    """Print the overview of factions, of all if none is named, as a PDF to `target`.

    Returns:
        what was printed; None after reporting what keeps it from being printed.
    """

    def planned(factory: FaceFactory | None) -> Book | None:
        factions = factory.game.factions if factory else {}
        wanted = [name for name in faction_ids or factions if name in factions]
        if factory is None or not wanted:
            return None
        from deckwright.outputs.books import overview_book  # noqa: PLC0415

        return overview_book(wanted, factory, report)

    return _printed(folder, target, style, report, planned)


def print_rulebook(
    folder: GameFolder, target: Path, style: str | None, report: Report
) -> Print | None:
    """Print a game's rulebook as a PDF to `target`.

    Returns:
        what was printed; None after reporting what keeps it from being printed.
    """

    def planned(factory: FaceFactory | None) -> Book | None:
        root = load_rulebook(folder, report)
        if factory is None or root is None:
            return None
        from deckwright.outputs.books import rulebook  # noqa: PLC0415

        return rulebook(root, factory, report)

    return _printed(folder, target, style, report, planned)


def _printed(
    folder: GameFolder,
    target: Path,
    style: str | None,
    report: Report,
    planned: Callable[[FaceFactory | None], Book | None],
) -> Print | None:
    """Print a book of what can be read of a game, in which all that is faulty is marked.

    Args:
        planned: makes the book, with what composes faces if anything does.
    """
    faults: Report = []
    game = load_readable(folder, report, faults)
    factory = None
    if game is not None:
        from deckwright.faces.factory import FaceFactory  # noqa: PLC0415

        factory = FaceFactory(game, folder, report, style, faults)
    book = planned(factory if factory and factory.usable else None)
    pages = print_book(book, factory, target, report) if book and factory else None
    report.extend(faults)
    return None if pages is None else Print((target,), pages)


def print_rulebook_booklet(
    folder: GameFolder, target: Path, style: str | None, report: Report
) -> Print | None:
    """Print a game's rulebook on sheets to fold and staple, as a PDF to `target`.

    Returns:
        what was printed; None after reporting what keeps it from being printed.
    """
    from deckwright.outputs.booklets import BookletOptions, print_booklet  # noqa: PLC0415

    root = load_rulebook(folder, [])
    options = BookletOptions(back_cover=root is not None and root.get("back") is not None)
    with tempfile.TemporaryDirectory(prefix="deckwright-") as place:
        pages = Path(place) / target.name
        if print_rulebook(folder, pages, style, report) is None:
            return None
        return print_booklet(pages, target, options, report, tuple(folder.inputs()))
