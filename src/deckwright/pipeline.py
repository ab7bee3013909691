"""The stages in order: load, validate, read, check, compose, impose, paint.

A deck reads only the files that it needs, so that a mistake in another faction's file does not
stop it. Everything that is wrong goes into the report; nothing is written while it holds an error.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, NamedTuple

from deckwright import checks
from deckwright.checks.limits import check_limits, limits_of
from deckwright.diagnostics import (
    Code,
    Diagnostic,
    Location,
    Report,
    Severity,
    has_errors,
    is_error,
    known_hint,
)
from deckwright.game import load
from deckwright.game.decklist import tokens_of
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, Game
from deckwright.game.setup import Limit, Setup
from deckwright.layout import check_layout, load_sheet, prepare_images

if TYPE_CHECKING:
    from deckwright.exporters.deck_pdf import Summary
    from deckwright.exporters.faces import NamedFace

R019 = Code("R019", Severity.ERROR, "a card that is asked for and does not exist")
E001 = Code("E001", Severity.ERROR, "an output that exists and is not a regular file")
E002 = Code("E002", Severity.ERROR, "an output that cannot be written")


class Rules(NamedTuple):
    """By which limits decks are checked.

    Attributes:
        ignore: by none.
        format: by those of this format, instead of the deck's own.
        changes: limits with other numbers; None switches one off.
    """

    ignore: bool = False
    format: str | None = None
    changes: Mapping[str, int | None] = MappingProxyType({})


class Checked(NamedTuple):
    """What a check looked at.

    Attributes:
        number: how many cards and decks.
        elsewhere: files with errors that it was not asked for, but that kept it from checking all.
    """

    number: int
    elsewhere: tuple[Path, ...]


class Printed(NamedTuple):
    """A deck that was printed."""

    deck: Deck
    path: Path
    pages: int
    sheets: int
    summary: Summary


def check(
    folder: GameFolder, paths: Iterable[Path], rules: Rules, report: Report, *, everything: bool
) -> Checked:
    """Check files of a game, or the whole game.

    Args:
        paths: the files to check, if not `everything`.
    """
    setup = load.load_setup(folder, report)
    if setup is None:
        return Checked(0, ())
    wanted = {path.resolve() for path in paths}
    mine: Report = []
    game = load.load_game(folder, setup, mine)
    if game is None:
        for path in folder.deck_files() if everything else ():
            load.load_deck(path, folder, setup, mine)
        report.extend(mine)
        return Checked(0, ())
    checks.check_game(game, mine)
    count = len(game.cards)
    decks = folder.deck_files()
    if not everything:
        strays = sorted(path for path in wanted if not folder.holds(path))
        cards = [path for path in strays if path.name.endswith("_cards.xml")]
        count += _check_stray_cards(game, cards, setup, mine)
        decks = [path for path in strays if path not in cards]
        decks += [path for path in folder.deck_files() if path.resolve() in wanted]
    for path in decks:
        deck = load.load_deck(path, folder, setup, mine)
        count += 1
        if deck is not None:
            _check_deck(game, deck, rules, mine)
    if not has_errors(mine):
        check_layout(game, folder, mine)
    if everything:
        report.extend(mine)
        return Checked(count, ())
    here = [f for f in mine if f.location is None or f.location.path.resolve() in wanted]
    report.extend(here)
    others = {f.location.path for f in mine if f.location and f not in here and is_error(f)}
    return Checked(count, tuple(sorted(others)))


def _check_stray_cards(game: Game, paths: Iterable[Path], setup: Setup, report: Report) -> int:
    """Check card files that are not in the game's folder, as if they were; return their cards."""
    count = 0
    for path in paths:
        cards = load.load_cards(path, setup, report) or []
        checks.check_cards(game, cards, report)
        count += len(cards)
    return count


def print_deck(
    folder: GameFolder,
    deck_path: Path,
    target: Path,
    rules: Rules,
    style: str | None,
    report: Report,
) -> Printed | None:
    """Print a deck as a PDF to `target`; None after reporting what keeps it from being printed."""
    loaded = load_deck(folder, deck_path, rules, report)
    if loaded is None:
        return None
    game, deck, limits = loaded

    from deckwright.exporters.deck_pdf import deck_pages, summarize  # noqa: PLC0415
    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415
    from deckwright.images import ImageStore  # noqa: PLC0415

    workshop = Workshop(game, folder, report, style)
    images = ImageStore()
    sheet = load_sheet(game, folder, report)
    pages = deck_pages(game, deck, sheet, workshop, report) if sheet else None
    if pages is None or not prepare_images(pages.faces, images, workshop, report):
        return None

    from deckwright.pdf.document import Info, write_pdf  # noqa: PLC0415

    info = Info(
        title=f"{deck.name} – {game.factions[deck.faction_id].name}",
        author=game.setup.author,
        subject=game.setup.name,
        language=game.setup.language,
    )

    def paint(stream: IO[bytes]) -> None:
        write_pdf(stream, pages.pages, info, workshop.fonts, images)

    if not write_file(target, paint, report):
        return None
    summary = summarize(game, deck, limits)
    return Printed(deck, target, len(pages.pages), pages.sheets, summary)


def write_file(target: Path, paint: Callable[[IO[bytes]], None], report: Report) -> bool:
    """Write a file with what `paint` writes; return whether it could be written."""
    from deckwright.files import NotARegularFileError, write_atomically  # noqa: PLC0415

    try:
        with write_atomically(target) as stream:
            paint(stream)
    except NotARegularFileError as error:
        hint = "name another file with `--out`"
        report.append(E001.at(Location(target), f"cannot write the file: {error}", hint))
    except OSError as error:
        report.append(_unwritable(target, error))
    else:
        return True
    return False


def _unwritable(target: Path, error: OSError) -> Diagnostic:
    """Return the finding that a file could not be written."""
    reason = error.strerror or str(error)
    hint = "name another place with `--out`"
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        reason = "a folder of its path is a file"
    elif error.errno == errno.ENOSPC:
        hint = "make room on the disk, or name another place with `--out`"
    return E002.at(Location(target), f"cannot write the file: {reason}", hint)


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
    setup = load.load_setup(folder, report)
    game = load.load_game(folder, setup, report) if setup else None
    if game is None:
        return None
    checks.check_game(game, report)
    if has_errors(report):
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
        report.append(_unwritable(target, error))
        return None


def _is(named: NamedFace, word: str) -> bool:
    names = {named.name, named.group, named.card.id, named.card.name, named.card.faction_id}
    return word in names or named.name.startswith(f"{word}_")


def load_deck(
    folder: GameFolder, deck_path: Path, rules: Rules, report: Report
) -> tuple[Game, Deck, tuple[Limit, ...]] | None:
    """Load a deck with the part of the game that it needs, and check both.

    Returns the game, the deck and its limits, or None if there are errors.
    """
    setup = load.load_setup(folder, report)
    if setup is None:
        return None
    deck = load.load_deck(deck_path, folder, setup, report)
    needed = [deck.faction_id, *(entry.faction_id for entry in deck.entries)] if deck else []
    game = load.load_game(folder, setup, report, needed)
    if game is None or deck is None:
        return None
    limits = _check_deck(game, deck, rules, report)
    used = {id(card): card for e in deck.entries if (card := game.card_of(e)) is not None}
    tokens = [count.token for count in tokens_of(game, deck)]
    checks.check_cards(game, [*used.values(), *tokens], report)
    checks.check_rules(game, report)
    return None if has_errors(report) else (game, deck, limits)


def _check_deck(game: Game, deck: Deck, rules: Rules, report: Report) -> tuple[Limit, ...]:
    """Check a deck; return the limits that hold for it."""
    checks.check_deck(game, deck, report)
    incomplete = (
        deck.faction_id not in game.factions
        or not deck.entries
        or any(game.card_of(entry) is None for entry in deck.entries)
    )
    if rules.ignore or incomplete:
        return ()
    limits = limits_of(game.setup, deck, rules.format, rules.changes)
    check_limits(game, deck, limits, report)
    return limits
