"""What prints the decks of a run: on sheets, or for a print service, with the same results."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from deckwright.base.findings import Report
from deckwright.diff.manifests.model import Manifest
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, FaceKey, Game
from deckwright.outputs.deck_printer import DeckPrinter
from deckwright.runs.options import box_paper, order, sheets
from deckwright.runs.plan import BACKS_APART, OF_BOXES
from deckwright.runs.separators import Separators, Typed
from deckwright.sheet.pages import Page

if TYPE_CHECKING:
    from deckwright.outputs.services.order_printer import OrderPrinter


class Printed(NamedTuple):
    """A deck as it is printed by itself.

    Attributes:
        files: what is in each, by its name; "" if there is one for the cards.
        pages: for each page, or picture, the cards in its slots, as the manifest of a run has them.
        faces: the digest of each face, by the same names.
        cards: the ids of its cards, one for each copy.
    """

    files: Mapping[str, bytes]
    pages: tuple[tuple[str, ...], ...]
    faces: Mapping[str, str]
    cards: tuple[str, ...]


class PrintedTogether(NamedTuple):
    """Decks in one file, or several for cards of several sizes: as `Printed` says."""

    files: Mapping[str, bytes]
    pages: int


class Prints(Protocol):
    """Prints decks of a game that is open."""

    @property
    def usable(self) -> bool:
        """Whether anything can be printed."""

    def one(self, deck: Deck, report: Report, only: str | None) -> Printed | None:
        """Return a deck as it is printed, None after reporting why it cannot be.

        Args:
            only: the id of a card whose copies alone are printed.
        """

    def many(
        self, decks: Sequence[Deck], separators: Separators | None, report: Report
    ) -> PrintedTogether | None:
        """Return decks in one file, None after reporting why they cannot be printed.

        Args:
            separators: the pages before each deck.
        """


def prints_of(game: Game, folder: GameFolder, options: str, report: Report) -> Prints:
    """Return what prints the decks of a run; what is wrong with the game is reported.

    Args:
        folder: of the game; images for a press are kept beside it.
        options: those of the run.
    """
    how = json.loads(options)
    if how.get("service") is None:
        return _OnSheets(DeckPrinter(game, folder, report, sheets(how, folder)), box_paper(how))
    from deckwright.outputs.services.order_pdfs import OrderPdfs  # noqa: PLC0415 - for services
    from deckwright.outputs.services.order_pictures import OrderPictures  # noqa: PLC0415
    from deckwright.outputs.services.profile import Files  # noqa: PLC0415

    service, ready = order(how, folder)
    kind = OrderPdfs if service.files is Files.PDF else OrderPictures
    work = folder.path.with_name(f"{folder.path.name}-{os.getpid()}")
    return _ForService(kind(game, folder, report, service, ready, work))


class _OnSheets:
    def __init__(self, printer: DeckPrinter, paper: str | None) -> None:
        """Take the paper of tuck boxes, if these are wanted."""
        self._printer, self._paper = printer, paper
        self.usable = printer.usable

    def one(self, deck: Deck, report: Report, only: str | None) -> Printed | None:
        made = self._printer.print(deck, report, only=only)
        if made is None:
            return None
        files = {"": made.pdf}
        if made.backs is not None:
            files[BACKS_APART] = made.backs
        if only is None and not self._boxed([deck], files, report):
            return None
        pages = tuple(map(_slots, (*made.pages, *made.back_pages)))
        return Printed(files, pages, _faces(made.manifest), (*(c.card.id for c in made.copies),))

    def many(
        self, decks: Sequence[Deck], separators: Separators | None, report: Report
    ) -> PrintedTogether | None:
        if separators is None:
            made = self._printer.print_many(decks, report)
        else:
            typed = Typed(*self._printer.typed)
            before = separators.before(typed, [deck.name for deck in decks])
            made = self._printer.print_many(decks, report, before=before)
        if made is None:
            return None
        files = {"": made.pdf}
        if made.backs is not None:
            files[BACKS_APART] = made.backs
        if not self._boxed(decks, files, report):
            return None
        extra = separators.pages if separators is not None else 0
        return PrintedTogether(files, sum(len(deck.pages) for deck in made.decks) + extra)

    def _boxed(self, decks: Sequence[Deck], files: dict[str, bytes], report: Report) -> bool:
        """Add the tuck boxes of decks to their files; return whether that went well."""
        if self._paper is None:
            return True
        boxes = self._printer.print_boxes(decks, self._paper, report)
        if boxes is not None:
            files[OF_BOXES] = boxes
        return boxes is not None


class _ForService:
    def __init__(self, printer: OrderPrinter) -> None:
        self._printer = printer
        self.usable = printer.usable

    def one(self, deck: Deck, report: Report, only: str | None) -> Printed | None:
        made = self._printer.print_many([deck], report, only=only)
        if made is None:
            return None
        (ready,) = made.decks
        pages = tuple((called(key, back=back),) for key, back in ready.slots)
        cards = (*(copy.card.id for copy in ready.copies),)
        return Printed(made.files, pages, _faces(ready.manifest), cards)

    def many(
        self, decks: Sequence[Deck], separators: Separators | None, report: Report
    ) -> PrintedTogether | None:
        assert separators is None, "a page between decks would be printed as a card"
        made = self._printer.print_many(decks, report)
        return made and PrintedTogether(made.files, sum(len(deck.slots) for deck in made.decks))


def _faces(manifest: Manifest) -> Mapping[str, str]:
    """Return the digests of the faces and backs of a deck."""
    found: dict[str, str] = {}
    for entry in manifest.entries:
        found.setdefault(called(entry.key, back=False), entry.face)
        if entry.back is not None:
            found.setdefault(called(entry.key, back=True), entry.back)
    return found


def _slots(page: Page) -> tuple[str, ...]:
    return tuple(
        called(placed.of, back=placed.back) for placed in page.faces if placed.of is not None
    )


def called(key: FaceKey, *, back: bool) -> str:
    """Return what a run's manifest calls a face or its back."""
    faction, card, number = key
    second = f" #{number}" if number > 1 else ""
    return f"{faction}:{card}{second}{' back' if back else ''}"
