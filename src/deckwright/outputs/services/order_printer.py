"""Make very many decks of one game ready for a print service.

The cards are those that `export_order` makes; what decks share is composed, looked over and made
ready once. A file depends on the game and its decks alone, whatever was made before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from PIL import Image

from deckwright.base.findings import Diagnostic, Report, has_errors
from deckwright.base.output import CannotMakeError
from deckwright.diff.manifests.model import Manifest
from deckwright.faces.copies import Copy, NamedFace
from deckwright.faces.images import prepare_images
from deckwright.game.decklist import Choice
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, FaceKey, Game
from deckwright.images.store import I007
from deckwright.ops.model import Face
from deckwright.outputs.deck_composer import DeckComposer
from deckwright.outputs.deck_pages import chosen
from deckwright.outputs.press.spots import in_own_colors
from deckwright.outputs.services.cards import fitted, fitted_cards, looked_over
from deckwright.outputs.services.edges import Edges
from deckwright.outputs.services.job import Job, OrderOptions
from deckwright.outputs.services.orders import OrderItem, distinct, items_of
from deckwright.outputs.services.preflight import check_backs, check_count
from deckwright.outputs.services.press import choose_profile
from deckwright.outputs.services.profile import Files, Service, Size, Spots

Slot = tuple[FaceKey, bool]
"""What is on a page or a picture: a face, or its back."""


class OrderedDeck(NamedTuple):
    """A deck made ready.

    Attributes:
        copies: all that is printed of it, in order.
        slots: what is on its pages or pictures, in the order of the files.
        manifest: of the whole deck, even if only some of it is printed.
    """

    copies: tuple[Copy, ...]
    slots: tuple[Slot, ...]
    manifest: Manifest


class OrderedDecks(NamedTuple):
    """Decks made ready.

    Attributes:
        files: what is in each, by its name: "" for a PDF of all cards, "poker.pdf" for those of one
            size if there are several, "foil.pdf" for a mask; or the names of pictures.
    """

    files: Mapping[str, bytes]
    decks: tuple[OrderedDeck, ...]
    findings: tuple[Diagnostic, ...] = ()


class SizedDeck(NamedTuple):
    """A deck on cards of the service.

    Attributes:
        cards: by size; their faces draw nothing.
        keys: what each card shows, by the name of its front.
    """

    deck: Deck
    cards: Mapping[Size, list[OrderItem]]
    keys: Mapping[str, FaceKey]

    def slot(self, card: OrderItem, side: NamedFace) -> Slot:
        """Return what a side of a card is."""
        return self.keys[card.front.name], side is not card.front


Made = tuple[Mapping[str, bytes], Sequence[tuple[Slot, ...]]]
"""Files, and for each deck what is on its pages or pictures."""


class OrderPrinter(ABC):
    """Makes the decks of a game that is open ready, with the same options.

    Attributes:
        usable: whether fonts and the ICC profile can be used; if not, nothing can be made.
        job: what the decks have in common.
        composer: composes them.
    """

    def __init__(
        self,
        game: Game,
        folder: GameFolder,
        report: Report,
        service: Service,
        options: OrderOptions,
    ) -> None:
        """Open fonts and the ICC profile; what is wrong with them is reported.

        Args:
            game: the whole of it.
        """
        plates = service.spots is not Spots.NONE
        self.composer = DeckComposer(
            game, folder, report, options.style, options.watermark, options.rules, plates=plates
        )
        profile = None
        if service.files is Files.PDF:
            profile = choose_profile(service, options.icc, report, none=options.rgb)
        self.job = Job(service, options, "", self.composer.factory, profile)
        self._fitted: dict[tuple[int, Size, bool], Face] = {}
        self._ways: dict[int, tuple[Face, Size, bool]] = {}
        self._whole: dict[int, Face] = {}
        self._found: dict[int, tuple[Diagnostic, ...]] = {}
        self.usable = self.composer.factory.usable and not has_errors(report)

    def print_many(
        self, decks: Sequence[Deck], report: Report, *, only: str | None = None
    ) -> OrderedDecks | None:
        """Return decks made ready, those of one size in one file; None after reporting why not.

        Args:
            only: the id or the name of a card whose copies alone are printed.
        """
        self._forget(self.composer.begin())
        found: Report = []
        try:
            made = self._many(decks, found, only)
        except CannotMakeError as error:
            found.append(error.finding)
            made = None
        finally:
            self.composer.end()
            self.rest()
        findings = tuple(dict.fromkeys(found))
        if made is None or has_errors(findings):
            report.extend(findings)
            return None
        return made._replace(findings=findings)

    @abstractmethod
    def make(self, decks: Sequence[SizedDeck], report: Report) -> Made:
        """Return the files of decks."""

    @abstractmethod
    def make_ready(self, side: NamedFace, whole: Face, size: Size, found: Report) -> Image.Image:
        """Make a side of a card ready that is new, and return how it is printed, with its bleed.

        Args:
            whole: its face with what draws it.
            found: takes what is wrong with it.
        """

    @abstractmethod
    def forget(self, face: Face) -> None:
        """Forget a face that only the decks before have."""

    def rest(self) -> None:
        """Let go what draws faces: decks have been made."""
        self._whole.clear()

    def whole(self, face: Face) -> Face:
        """Return the face of a card with what draws it."""
        if id(face) not in self._whole:
            lean, size, back = self._ways[id(face)]
            bleed = self.job.service.bleed
            self._whole[id(face)] = fitted(self.composer.drawn(lean), size, bleed, back=back)
        return self._whole[id(face)]

    def _forget(self, faces: Iterable[Face]) -> None:
        gone = {id(face) for face in faces}
        for key in [key for key in self._fitted if gone and key[0] in gone]:
            face = self._fitted.pop(key)
            self._ways.pop(id(face), None)
            self._found.pop(id(face), None)
            self.forget(face)

    def _many(self, decks: Sequence[Deck], report: Report, only: str | None) -> OrderedDecks | None:
        service, tokens = self.job.service, self.job.options.tokens
        sized, ready = list[SizedDeck](), list[tuple[tuple[Copy, ...], Manifest]]()
        for deck in decks:
            composed = self.composer.compose(deck, report, sheet=service.id, backs=service.backs)
            if composed is None:
                continue
            copies = [copy for copy in composed.copies if tokens or not copy.card.kind.token]
            if only is not None:
                copies = chosen(copies, Choice((only,)), report)
            sized.append(self._sized(deck, copies, report))
            ready.append(((*copies,), composed.manifest))
        if has_errors(report) or len(sized) < len(decks):
            return None
        files, slots = self.make(sized, report)
        if has_errors(report):
            return None
        made = (
            OrderedDeck(copies, of_deck, manifest)
            for (copies, manifest), of_deck in zip(ready, slots, strict=True)
        )
        return OrderedDecks(files, (*made,))

    def _sized(self, deck: Deck, copies: Sequence[Copy], report: Report) -> SizedDeck:
        """Return copies as cards of the service, looked over."""
        job, service = self.job, self.job.service
        items = items_of(copies, job.factory)
        known = {id(copy.face): copy.face_key for copy in reversed(copies)}
        keys = {item.front.name: known[id(item.front.face)] for item in items}
        findings: Report = []
        cards = fitted_cards(items, service, job.options, findings, self._fit)
        if service.backs:
            findings += check_backs(items, service)
        findings += check_count(items, service)
        for size, of_size in cards.items():
            for side in distinct(of_size):
                findings += self._looked_at(side, size)
        job.keep(findings, report)
        return SizedDeck(deck, cards, keys)

    def _fit(self, face: Face, size: Size, bleed: float, *, back: bool = False) -> Face:
        """Return a face on a card, without what draws it."""
        key = id(face), size, back
        if key not in self._fitted:
            made = self._fitted[key] = fitted(face, size, bleed, back=back)
            self._ways[id(made)] = face, size, back
        return self._fitted[key]

    def _looked_at(self, side: NamedFace, size: Size) -> tuple[Diagnostic, ...]:
        """Return what is wrong with a side of a card; it is looked at once."""
        face = side.face
        if id(face) not in self._found:
            service, factory = self.job.service, self.job.factory
            whole, found = self.whole(face), list[Diagnostic]()
            noted: Report = []
            prepare_images((whole,), factory.pictures.store, noted)
            # What is too coarse is told by what the service wants.
            found += (finding for finding in noted if finding.code is not I007)
            plain = side._replace(face=in_own_colors(whole, factory.game.setup.inks))
            found += looked_over([plain], service, factory, size.shape)
            picture = self.make_ready(side, whole, size, found)
            edges = Edges(service)
            edges.look(side._replace(face=whole), picture, self.job.outer(size)[0])
            found += edges.findings()
            self._found[id(face)] = (*found,)
        return self._found[id(face)]
