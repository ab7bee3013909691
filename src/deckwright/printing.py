"""Print decks, tokens, markers and proofs: load and check, compose, impose, paint.

Everything that is wrong goes into the report; nothing is written while it holds an error.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from deckwright import checks
from deckwright.bookprinting import print_book
from deckwright.diagnostics import Code, Report, Severity, has_errors, known_hint
from deckwright.files import is_file
from deckwright.game import load
from deckwright.game.counters import Marker
from deckwright.game.decklist import TokenCount, tokens_of, tokens_of_faction
from deckwright.game.folder import GameFolder
from deckwright.game.markers import with_counts
from deckwright.game.model import Game
from deckwright.game.setup import Setup
from deckwright.layout import load_sheet, prepare_images
from deckwright.output import unwritable, write_file
from deckwright.pipeline import Rules, load_deck
from deckwright.xmlio.load import X006

if TYPE_CHECKING:
    from deckwright.exporters.deck_stats import DeckStats
    from deckwright.exporters.faces import NamedFace
    from deckwright.exporters.workshop import Workshop
    from deckwright.sheet.pages import Page

R019 = Code("R019", Severity.ERROR, "a card that is asked for and does not exist")


class Printed(NamedTuple):
    """A deck that was printed.

    Attributes:
        pages, sheets: how many pages there are, and how many of them are card sheets.
    """

    stats: DeckStats
    path: Path
    pages: int
    sheets: int


def print_deck(
    folder: GameFolder,
    deck_path: Path,
    target: Path,
    rules: Rules,
    style: str | None,
    report: Report,
    *,
    backs: bool | None = None,
) -> Printed | None:
    """Print a deck as a PDF to `target`; None after reporting what keeps it from being printed.

    Args:
        backs: whether to print its backs, too; None for as `game.xml` says.
    """
    loaded = load_deck(folder, deck_path, rules, report)
    if loaded is None:
        return None
    game, deck, limits = loaded

    from deckwright.exporters.deck_pdf import deck_pages  # noqa: PLC0415
    from deckwright.exporters.deck_stats import deck_stats  # noqa: PLC0415
    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415

    workshop = Workshop(game, folder, report, style)
    sheet = load_sheet(game, folder, report)
    stats = deck_stats(game, deck, limits)
    if sheet is None:
        return None
    both = game.setup.backs if backs is None else backs
    pages = deck_pages(game, stats, sheet, workshop, report, backs=both)
    if pages is None:
        return None
    title = f"{deck.name} – {game.factions[deck.faction_id].name}"
    if not _print(pages.pages, title, game, workshop, target, report):
        return None
    return Printed(stats, target, len(pages.pages), pages.sheets)


def print_tokens(
    folder: GameFolder,
    name: str,
    copies: int | None,
    target: Path,
    style: str | None,
    report: Report,
) -> list[TokenCount] | None:
    """Print the tokens of a deck, or those that a faction can create, as a PDF to `target`.

    Args:
        name: the id of a faction, or the name of a deck.
        copies: how many of each; None for as many as the deck may need.

    Returns:
        what was printed, nothing if there are no tokens; None after reporting why it was not.
    """
    setup = load.load_setup(folder, report)
    found = _tokens_of(folder, name, setup, report) if setup else None
    if setup is None or found is None:
        return None
    game, faction_id, counts = found
    checks.check_cards(game, [count.token for count in counts], report)
    if has_errors(report):
        return None
    if copies is not None:
        counts = [count._replace(copies=copies) for count in counts]
    counts = [count for count in counts if count.copies]

    from deckwright.exporters.deck_pdf import card_sheets, token_copies, with_backs  # noqa: PLC0415
    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415

    workshop = Workshop(game, folder, report, style)
    sheet = load_sheet(game, folder, report)
    faces = token_copies(game, counts, faction_id, workshop, report)
    if setup.backs:
        faces = with_backs(faces, workshop, report)
    if sheet is None or has_errors(report):
        return None
    title = f"{setup.words['tokens']} – {game.factions[faction_id].name}"
    pages = list(card_sheets(faces, sheet, backs=setup.backs))
    if pages and not _print(pages, title, game, workshop, target, report):
        return None
    return counts


def _tokens_of(
    folder: GameFolder, name: str, setup: Setup, report: Report
) -> tuple[Game, str, list[TokenCount]] | None:
    """Return the tokens of a faction or a deck, with the game and the faction."""
    factions = load.load_factions(folder, setup, report) or {}
    deck_file = folder.deck_file(name)
    if is_file(deck_file):
        loaded = load_deck(folder, deck_file, Rules(ignore=True), report)
        if loaded is None:
            return None
        game, deck, _ = loaded
        return game, deck.faction_id, tokens_of(game, deck)
    if name in factions:
        whole = load.load_game(folder, setup, report, [name])
        return (whole, name, tokens_of_faction(whole, name)) if whole else None
    known = [*factions, *(path.stem for path in folder.deck_files())]
    message = f"there is neither a faction nor a deck `{name}`"
    report.append(X006.at(None, message, known_hint(name, known)))
    return None


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
    if has_errors(report) or not _print(pages, title, game, workshop, target, report):
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

    from deckwright.exporters.faces import faces_of  # noqa: PLC0415
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


def _print(
    pages: Sequence[Page],
    title: str,
    game: Game,
    workshop: Workshop,
    target: Path,
    report: Report,
) -> bool:
    """Paint pages to the file `target`; return whether that went well."""
    from deckwright.images import ImageStore  # noqa: PLC0415

    images = ImageStore()
    faces = {id(placed.face): placed.face for page in pages for placed in page.faces}.values()
    if not prepare_images(faces, images, workshop, report):
        return False

    from deckwright.pdf.document import Info, write_pdf  # noqa: PLC0415

    setup = game.setup
    info = Info(title, setup.author, setup.name, setup.language)

    def paint(stream: IO[bytes]) -> None:
        write_pdf(stream, pages, info, workshop.fonts, images)

    return write_file(target, paint, report)
