"""The stages in order: load, validate, read, check, compose, impose, paint.

A deck reads only the files that it needs, so that a mistake in another faction's file does not
stop it. Everything that is wrong goes into the report; nothing is written while it holds an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from deckwright import checks
from deckwright.checks.limits import check_limits, limits_of
from deckwright.diagnostics import Code, Location, Report, Severity, has_errors
from deckwright.fonts import load_fonts
from deckwright.game import load
from deckwright.game.decklist import tokens_of
from deckwright.game.folder import PACKAGE, GameFolder
from deckwright.game.model import Deck, Game
from deckwright.game.setup import Limit
from deckwright.stamps import Stamp

if TYPE_CHECKING:
    from deckwright.exporters.deck_pdf import Summary
    from deckwright.exporters.workshop import Workshop
    from deckwright.face.ops import Face
    from deckwright.images import ImageStore
    from deckwright.pdf.document import Info
    from deckwright.sheet.format import SheetFormat
    from deckwright.sheet.pages import Page

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


class Printed(NamedTuple):
    """A deck that was printed."""

    deck: Deck
    path: Path
    pages: int
    sheets: int
    summary: Summary


def check(
    folder: GameFolder, paths: Iterable[Path], rules: Rules, report: Report, *, everything: bool
) -> int:
    """Check files of a game, or the whole game; return how many cards and decks were checked.

    Args:
        paths: the files to check, if not `everything`.
    """
    setup = load.load_setup(folder, report)
    if setup is None:
        return 0
    wanted = {path.resolve() for path in paths}
    mine: Report = []
    game = load.load_game(folder, setup, mine)
    if game is None:
        report.extend(mine)
        return 0
    checks.check_game(game, mine)
    count = len(game.cards)
    decks, strays = folder.deck_files(), list[Path]()
    if not everything:
        strays = sorted(path for path in wanted if not folder.holds(path))
        decks = [path for path in strays if not path.name.endswith("_cards.xml")]
        decks += [path for path in folder.deck_files() if path.resolve() in wanted]
    for path in strays:
        if path not in decks:
            cards = load.load_cards(path, setup, mine) or []
            count += len(cards)
            checks.check_cards(game, cards, mine)
    for path in decks:
        deck = load.load_deck(path, folder, setup, mine)
        count += 1
        if deck is not None:
            _check_deck(game, deck, rules, mine)
    if not has_errors(mine):
        _check_faces(game, folder, mine)
    report.extend(
        finding
        for finding in mine
        if everything or finding.location is None or finding.location.path.resolve() in wanted
    )
    return count


def print_deck(
    folder: GameFolder, deck_path: Path, target: Path, rules: Rules, report: Report
) -> Printed | None:
    """Print a deck as a PDF to `target`; None after reporting what keeps it from being printed."""
    loaded = load_deck(folder, deck_path, rules, report)
    if loaded is None:
        return None
    game, deck, limits = loaded

    from deckwright.exporters.deck_pdf import deck_pages, summarize  # noqa: PLC0415
    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415
    from deckwright.images import ImageStore  # noqa: PLC0415

    workshop = Workshop(game, folder, report)
    images = ImageStore()
    sheet = load_sheet(game, folder, report)
    pages = deck_pages(game, deck, sheet, workshop, report) if sheet else None
    if pages is None or not prepare_images(pages.faces, images, report):
        return None
    if not _write(target, pages.pages, _info(game, deck), workshop, images, report):
        return None
    summary = summarize(game, deck, limits)
    return Printed(deck, target, len(pages.pages), pages.sheets, summary)


def load_sheet(game: Game, folder: GameFolder, report: Report) -> SheetFormat | None:
    """Return the sheet format that the game names, if all kinds of cards fit it."""
    from deckwright.sheet.format import check_fit, load_format  # noqa: PLC0415

    sheet = load_format(game.setup.sheet, folder.xml, game.setup.sheet_source, report)
    if sheet is not None:
        check_fit(sheet, game.setup.kinds.values(), report)
    return None if has_errors(report) else sheet


def prepare_images(faces: Iterable[Face], images: ImageStore, report: Report) -> bool:
    """Prepare the images of faces; return whether there are no errors."""
    from deckwright.face.ops import DrawImage, walk  # noqa: PLC0415 - not before the first face

    ops = (op for face in faces for op in walk(face.ops))
    images.prepare((op for op in ops if isinstance(op, DrawImage)), report)
    return not has_errors(report)


def _info(game: Game, deck: Deck) -> Info:
    from deckwright.pdf.document import Info  # noqa: PLC0415 - not before something is printed

    return Info(
        title=f"{deck.name} – {game.factions[deck.faction_id].name}",
        author=game.setup.author,
        subject=game.setup.name,
        language=game.setup.language,
    )


def _write(
    target: Path,
    pages: Sequence[Page],
    info: Info,
    workshop: Workshop,
    images: ImageStore,
    report: Report,
) -> bool:
    """Write a PDF; return whether it could be written."""
    from deckwright.files import NotARegularFileError, write_atomically  # noqa: PLC0415
    from deckwright.pdf.document import write_pdf  # noqa: PLC0415

    try:
        with write_atomically(target) as stream:
            write_pdf(stream, pages, info, workshop.fonts, images)
    except NotARegularFileError as error:
        hint = "name another file with `--out`"
        report.append(E001.at(Location(target), f"cannot write the PDF: {error}", hint))
    except OSError as error:
        reason = error.strerror or str(error)
        hint = "name another place with `--out`, or make room"
        report.append(E002.at(Location(target), f"cannot write the PDF: {reason}", hint))
    return not has_errors(report)


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
    incomplete = deck.faction_id not in game.factions or any(
        game.card_of(entry) is None for entry in deck.entries
    )
    if rules.ignore or incomplete:
        return ()
    limits = limits_of(game.setup, deck, rules.format, rules.changes)
    check_limits(game, deck, limits, report)
    return limits


def _check_faces(game: Game, folder: GameFolder, report: Report) -> None:
    """Lay out every card and token, and open every image, unless that went well before."""
    stamp = _layout_stamp(game, folder)
    if stamp.found:
        return

    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415
    from deckwright.images import ImageStore  # noqa: PLC0415

    before = len(report)
    workshop = Workshop(game, folder, report)
    faces = [workshop.card_face(card, card.faction_id, report) for card in game.cards.values()]
    for rule in game.rules.values():
        for token in rule.tokens:
            faction = next(iter(_users(game, rule.id)), None)
            if faction is not None:
                faces.append(workshop.card_face(token, faction, report))
    if game.setup.reference is not None:
        workshop.template(game.setup.reference, game.setup.sheet_source, "reference", report)
    prepare_images((face for face in faces if face), ImageStore(), report)
    load_sheet(game, folder, report)
    if len(report) == before:
        stamp.set()


def _layout_stamp(game: Game, folder: GameFolder) -> Stamp:
    """Return the stamp of all that the layout of a game's faces depends on."""
    sources = [game.setup.source, *(card.source for card in game.cards.values())]
    sources += [faction.source for faction in game.factions.values()]
    sources += [rule.source for rule in game.rules.values()]
    documents = {source.path: source.document for source in sources}
    places = (folder.images, folder.xml / "sheets", *folder.template_folders, PACKAGE)
    files = {path for place in places for path in place.rglob("*") if path.is_file()}
    files |= {font.path for font in load_fonts(game.setup, folder, []).values()}
    texts = (document.text for document in documents.values())
    return Stamp(texts, (path for path in files if path.suffix != ".pyc"))


def _users(game: Game, rule_id: str) -> Iterable[str]:
    """Yield the factions whose cards have a rule."""
    return (card.faction_id for card in game.cards.values() if rule_id in card.rule_ids())
