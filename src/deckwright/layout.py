"""Lay out every face of a game, to check what only the layout shows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.diagnostics import Code, Location, Report, Severity, has_errors
from deckwright.files import inside
from deckwright.fonts import load_fonts
from deckwright.game.decklist import UsedRule
from deckwright.game.folder import PACKAGE, GameFolder
from deckwright.game.model import Deck, DeckEntry, Game
from deckwright.stamps import Stamp
from deckwright.xmlio.node import Node

if TYPE_CHECKING:
    from deckwright.exporters.workshop import Workshop
    from deckwright.face.ops import Face
    from deckwright.images import ImageStore
    from deckwright.sheet.grid import SheetFormat


L006 = Code("L006", Severity.WARNING, "a game too large to lay out all of it in a check")

MAX_FACES = 4_000
"""The most faces that a check lays out, in all styles together: that takes some seconds."""
MAX_BOOK = 400_000
"""The longest rulebook that a check lays out, in characters; books of 500 pages are shorter."""


def check_layout(game: Game, folder: GameFolder, book: Node | None, report: Report) -> None:
    """Lay out all that can be printed, in every style, and open every image.

    What went well before is not done again.

    Args:
        book: the root element of the rulebook, if there is one.
    """
    stamp = _stamp(game, folder, book)
    if stamp.found:
        return

    from deckwright.exporters.books import overview_cover, rulebook  # noqa: PLC0415
    from deckwright.exporters.faces import faces_of  # noqa: PLC0415
    from deckwright.exporters.markers import marker_sides  # noqa: PLC0415
    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415
    from deckwright.images import ImageStore  # noqa: PLC0415
    from deckwright.printing.books import print_book  # noqa: PLC0415

    before = len(report)
    images, room = ImageStore(), MAX_FACES
    for style in (None, *folder.styles()):
        workshop = Workshop(game, folder, report, style)
        if not workshop.usable:
            return
        fronts = islice(faces_of(game, workshop, report), room)
        backs = islice(faces_of(game, workshop, report, backs=True), room)
        faces = [*fronts, *backs]
        room -= len(faces)
        for named in faces:
            report.extend(workshop.lints(named.card, named.face))
        prepare_images((named.face for named in faces), images, workshop, report)
        if room <= 0:
            message = f"only the first {MAX_FACES:,} faces were laid out"
            hint = "those of a deck are laid out when it is printed"
            report.append(L006.at(Location(folder.cards_folder), message, hint))
            break
        for marker in game.setup.markers:
            marker_sides(marker, workshop, report)
        _check_reference(game, workshop, report)
        _check_deck_sheet(game, workshop, report)
        overview_cover(game, workshop, report)
    load_sheet(game, folder, report)
    if book is not None and not has_errors(report):
        workshop = Workshop(game, folder, report)
        plan = rulebook(book, game, workshop, report)
        if len(book.source.document.text) <= MAX_BOOK:
            print_book(plan, game.setup, workshop, None, report)
        else:
            message = f"a book of more than {MAX_BOOK:,} characters was not laid out"
            report.append(L006.at(book.source.at(), message, "print it to see whether all fits"))
    if len(report) == before:
        stamp.set()


def _check_reference(game: Game, workshop: Workshop, report: Report) -> None:
    """Lay out the reference of all rules, as if one deck had them all."""
    faction_id = next(iter(game.factions), None)
    if faction_id is None or not game.rules:
        return
    race = game.factions[faction_id].race
    used = [UsedRule(rule, (rule.any_label(race),)) for rule in game.rules.values()]
    workshop.reference_pages(game.setup.name, faction_id, used, report)


def _check_deck_sheet(game: Game, workshop: Workshop, report: Report) -> None:
    """Lay out the first page of a deck that has each card once."""
    from deckwright.exporters.deck_stats import deck_stats  # noqa: PLC0415

    cards = [card for card in game.cards.values() if card.faction_id in game.factions]
    if not cards:
        return
    entries = tuple(DeckEntry(card.faction_id, card.id, 1, card.source) for card in cards)
    first = cards[0]
    deck = Deck("", game.setup.name, first.faction_id, None, entries, first.source)
    workshop.deck_sheet(deck_stats(game, deck, game.setup.limits), report)


def load_sheet(game: Game, folder: GameFolder, report: Report) -> SheetFormat | None:
    """Return the sheet format that the game names, if all kinds of cards fit it."""
    from deckwright.sheet.format import check_fit, load_format  # noqa: PLC0415

    sheet = load_format(game.setup.sheet, folder.xml, game.setup.sheet_source, report)
    if sheet is not None:
        check_fit(sheet, game.setup.kinds.values(), report)
    return None if has_errors(report) else sheet


def prepare_images(
    faces: Iterable[Face], images: ImageStore, workshop: Workshop, report: Report
) -> bool:
    """Prepare the images of faces; return whether there are no errors.

    A finding of an image names the first card that shows it.
    """
    from deckwright.face.ops import DrawImage, walk  # noqa: PLC0415

    drawings, users = [], dict[Path, str]()
    for face in faces:
        for op in walk(face.ops):
            if isinstance(op, DrawImage):
                drawings.append(op)
                users.setdefault(op.path, workshop.subjects.get(id(face), ""))
    findings: Report = []
    images.prepare(drawings, findings)
    for finding in findings:
        user = users.get(finding.location.path) if finding.location else None
        message = f"{finding.message} (for {user})" if user else finding.message
        report.append(finding._replace(message=message))
    return not has_errors(report)


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, without following links to other folders."""
    for parent, _, names in os.walk(folder):
        yield from (Path(parent) / name for name in names)


def _stamp(game: Game, folder: GameFolder, book: Node | None) -> Stamp:
    """Return the stamp of all that the layout of a game's faces depends on."""
    sources = [game.setup.source, *(card.source for card in game.cards.values())]
    sources += [faction.source for faction in game.factions.values()]
    sources += [rule.source for rule in game.rules.values()]
    sources += [book.source] if book else []
    documents = {source.path: source.document for source in sources}
    places = (folder.images, folder.xml / "sheets", *folder.template_folders, PACKAGE)
    files = {path for place in places if inside(place, place.parent) for path in _below(place)}
    files |= {font.path for font in load_fonts(game.setup, folder, []).values()}
    texts = (document.text for document in documents.values())
    return Stamp(texts, (path for path in files if path.suffix != ".pyc"))
