"""Make very many decks of one game ready for a print service.

The cards are those that `export_order` makes; what decks share is composed, looked over and made
ready once. A file depends on the game and its decks alone, whatever was made before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from deckwright.base.findings import Diagnostic, Report, has_errors
from deckwright.base.output import OutputError
from deckwright.diff.manifest import Manifest
from deckwright.faces.copies import Copy, NamedFace
from deckwright.faces.selection import prepare_images
from deckwright.faces.streaming import letters_by_font
from deckwright.game.decklist import CardSelection
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, FaceKey, Game
from deckwright.images.store import I007
from deckwright.ops.model import Face, Op
from deckwright.outputs.deck_pages import choose_copies
from deckwright.outputs.deck_printer import DeckComposer
from deckwright.outputs.press.flatten import FlatImages, outline_texts
from deckwright.outputs.press.pdfx import check_pdfx
from deckwright.outputs.press.plates import (
    black_ink,
    in_own_colors,
    make_mask,
    remove_inks,
    used_inks,
)
from deckwright.outputs.services.files import (
    EDGE_CHECK_DPI,
    card_page,
    draw_masks,
    make_intent,
    make_list_files,
    pdf_title,
    picture_path,
    raster_of,
    split_files,
)
from deckwright.outputs.services.job import Job, OrderOptions
from deckwright.outputs.services.orders import OrderItem, distinct_sides, group_copies
from deckwright.outputs.services.preflight import EdgeInspector, check_backs, check_count
from deckwright.outputs.services.press import (
    Prepress,
    choose_profile,
    fit_cards,
    fit_face,
    preflight_faces,
    with_spots,
)
from deckwright.outputs.services.profile import CardSize, FileKind, Service, SpotHandling
from deckwright.paint.pdf.info import info_of
from deckwright.paint.pdf.metadata import X4
from deckwright.paint.pdf.objects import DocumentPart
from deckwright.paint.pdf.stocked import PdfWriter
from deckwright.paint.raster import Encoding, Raster, draw
from deckwright.sheet.pages import Page, PlacedFace

SideKey = tuple[FaceKey, bool]
"""What is on a page or a picture: a face, or its back."""


class OrderedDeck(NamedTuple):
    """A deck made ready.

    Attributes:
        copies: all that is printed of it, in order.
        slots: what is on its pages or pictures, in the order of the files.
        manifest: of the whole deck, even if only some of it is printed.
    """

    copies: tuple[Copy, ...]
    slots: tuple[SideKey, ...]
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
    cards: Mapping[CardSize, list[OrderItem]]
    keys: Mapping[str, FaceKey]

    def slot(self, card: OrderItem, side: NamedFace) -> SideKey:
        """Return what a side of a card is."""
        return self.keys[card.front.name], side is not card.front


DeckFiles = tuple[Mapping[str, bytes], Sequence[tuple[SideKey, ...]]]
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
        plates = service.spots is not SpotHandling.NONE
        self.composer = DeckComposer(
            game, folder, report, options.style, options.watermark, options.rules, plates=plates
        )
        profile = None
        if service.files is FileKind.PDF:
            profile = choose_profile(service, options.icc, report, none=options.rgb)
        self.job = Job(service, options, "", self.composer.factory, profile)
        self._fitted: dict[tuple[int, CardSize, bool], Face] = {}
        self._ways: dict[int, tuple[Face, CardSize, bool]] = {}
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
        except OutputError as error:
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
    def make(self, decks: Sequence[SizedDeck], report: Report) -> DeckFiles:
        """Return the files of decks."""

    @abstractmethod
    def make_ready(
        self, side: NamedFace, whole: Face, size: CardSize, found: Report
    ) -> Image.Image:
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
            self._whole[id(face)] = fit_face(self.composer.drawn(lean), size, bleed, back=back)
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
                copies = choose_copies(copies, CardSelection((only,)), report)
            sized.append(self._size_deck(deck, copies, report))
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

    def _size_deck(self, deck: Deck, copies: Sequence[Copy], report: Report) -> SizedDeck:
        """Return copies as cards of the service, looked over."""
        job, service = self.job, self.job.service
        items = group_copies(copies, job.factory)
        known = {id(copy.face): copy.face_key for copy in reversed(copies)}
        keys = {item.front.name: known[id(item.front.face)] for item in items}
        findings: Report = []
        cards = fit_cards(items, service, job.options, findings, self._fit)
        if service.backs:
            findings += check_backs(items, service)
        findings += check_count(items, service)
        for size, of_size in cards.items():
            for side in distinct_sides(of_size):
                findings += self._check_side(side, size)
        job.keep(findings, report)
        return SizedDeck(deck, cards, keys)

    def _fit(self, face: Face, size: CardSize, bleed: float, *, back: bool = False) -> Face:
        """Return a face on a card, without what draws it."""
        key = id(face), size, back
        if key not in self._fitted:
            made = self._fitted[key] = fit_face(face, size, bleed, back=back)
            self._ways[id(made)] = face, size, back
        return self._fitted[key]

    def _check_side(self, side: NamedFace, size: CardSize) -> tuple[Diagnostic, ...]:
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
            found += preflight_faces([plain], service, factory, size.shape)
            picture = self.make_ready(side, whole, size, found)
            edges = EdgeInspector(service)
            edges.look(side._replace(face=whole), picture, self.job.outer(size)[0])
            found += edges.findings()
            self._found[id(face)] = (*found,)
        return self._found[id(face)]


_MAX_IMAGES = 300
"""How many images in inks are kept for the decks to come."""


class _PdfFile(NamedTuple):
    """The cards of one size in a file: its pages, and which of them are which deck's."""

    pages: list[Page]
    parts: list[DocumentPart]


class PdfOrderPrinter(OrderPrinter):
    """Makes PDFs, as the service asks; those in PDF/X-4 say in document parts what is whose."""

    def __init__(
        self,
        game: Game,
        folder: GameFolder,
        report: Report,
        service: Service,
        options: OrderOptions,
        work: Path,
    ) -> None:
        """Open fonts and the ICC profile; what is wrong with them is reported.

        Args:
            game: the whole of it.
            work: a folder for images in inks, as long as decks are made.
        """
        super().__init__(game, folder, report, service, options)
        self._info = info_of("", game.setup, folder)
        self._ready: dict[int, Face] = {}
        self._inks: dict[int, tuple[str, ...]] = {}
        self._stocks: dict[str, PdfWriter] = {}
        self._new = False
        if self.usable:
            work.mkdir(parents=True, exist_ok=True)
            factory = self.composer.factory
            self._prepress = Prepress(self.job, work)
            self._masks = FlatImages(factory.pictures.store, work)
            letters = letters_by_font(factory.fonts, game, folder)
            self._stock = partial(PdfWriter, factory.fonts, letters=letters, tagged=False)

    @property
    def kept(self) -> int:
        """How many painted faces are kept for the decks to come, with masks."""
        return sum(stocks.kept for stocks in self._stocks.values())

    def make(self, decks: Sequence[SizedDeck], report: Report) -> DeckFiles:
        """Return the files of decks, one for each size of cards, or two with backs apart."""
        service, setup = self.job.service, self.composer.game.setup
        files_made: dict[tuple[CardSize, str], _PdfFile] = {}
        slots: list[tuple[SideKey, ...]] = []
        for sized in decks:
            of_deck: list[SideKey] = []
            for size, cards in sized.cards.items():
                for name, sides in split_files(cards, service, alone=len(decks) == 1).items():
                    file = files_made.setdefault((size, name), _PdfFile([], []))
                    of_deck += (sized.slot(card, side) for card, side in sides)
                    file.pages.extend(card_page(side.face, service.bleed) for _, side in sides)
                    file.parts.append(DocumentPart(len(sides), _deck_facts(sized.deck)))
            slots.append((*of_deck,))
        title = decks[0].deck.name if len(decks) == 1 else setup.name
        files: dict[str, bytes] = {}
        several = len({size for size, _ in files_made}) > 1
        for (size, part), file in files_made.items():
            name = "_".join(filter(None, (size.id if several else "", part)))
            name = f"{name}.pdf" if name else ""
            files |= self._files(name, file, pdf_title(title, size), report)
        return files, slots

    def make_ready(
        self,
        side: NamedFace,
        whole: Face,
        size: CardSize,  # noqa: ARG002 - its face has it
        found: Report,
    ) -> Image.Image:
        """Make a side of a card ready for the press."""
        job, self._new = self.job, True
        (self._ready[id(side.face)],) = self._prepress.pressed([side._replace(face=whole)], found)
        if job.spots is SpotHandling.PAGES:
            self._inks[id(side.face)] = (*used_inks([whole]),)
        raster, store = Raster(EDGE_CHECK_DPI, bleed=job.service.bleed), job.factory.pictures.store
        plain = job.spots is SpotHandling.NONE
        bare = in_own_colors(whole, self.composer.game.setup.inks) if plain else remove_inks(whole)
        return next(draw([bare], job.factory.fonts, store, raster))

    def forget(self, face: Face) -> None:
        """Forget a face that only the decks before have."""
        self._inks.pop(id(face), None)
        for stock in self._stocks.values():
            stock.forget([face])

    def rest(self) -> None:
        """Let go what draws faces: decks have been made."""
        super().rest()
        self._ready.clear()
        if self.usable:
            self._prepress.forget(_MAX_IMAGES)
            self._masks.forget(_MAX_IMAGES)

    def _draw_side(self, placed: PlacedFace) -> Iterable[Op]:
        """Return what draws a side of a card, ready for the press."""
        face = placed.face
        if id(face) not in self._ready:
            (self._ready[id(face)],) = self._prepress.pressed([_KnownSide(self.whole(face))], [])
        return self._ready[id(face)].ops

    def _draw_mask(self, placed: PlacedFace, ink_id: str) -> Iterable[Op]:
        """Return the mask of an ink on a side of a card."""
        made = make_mask(self.whole(placed.face), ink_id, black_ink, self._masks)
        if self.job.service.outlines:
            made = outline_texts(made, self.job.factory.metrics)
        return made.ops

    def _files(self, name: str, file: _PdfFile, title: str, report: Report) -> dict[str, bytes]:
        """Return the file of cards of one size, and those of the masks of inks."""
        job, pdfx = self.job, self.job.service.pdfx
        pages, info = file.pages, self._info._replace(title=title)
        parts = file.parts if pdfx == X4 and job.profile is not None else ()
        files = {name: self._writer_of("").pdf(pages, info, parts)}
        if job.spots is SpotHandling.PAGES:
            faces = (placed.face for page in pages for placed in page.faces)
            for ink_id in sorted({ink for face in faces for ink in self._inks[id(face)]}):
                masked = f"{name.removesuffix('.pdf')}_{ink_id}.pdf".removeprefix("_")
                files[masked] = self._writer_of(ink_id).pdf(pages, info, parts)
        if pdfx and job.profile is not None and self._new:
            # What files are made of is checked when some of it is new.
            self._new = False
            findings: Report = []
            for called, data in files.items():
                findings += check_pdfx(data, pdfx, called or "cards.pdf")
            job.keep(findings, report)
        return files

    def _writer_of(self, ink_id: str) -> PdfWriter:
        """Return the stocks of the print, or of the mask of an ink."""
        if ink_id not in self._stocks:
            drawn: Callable[[PlacedFace], Iterable[Op]] = self._draw_side
            images, intent = self._prepress.images, self.job.intent
            if ink_id:
                drawn, images = partial(self._draw_mask, ink_id=ink_id), self._masks
            elif self.job.spots is SpotHandling.SEPARATIONS:
                intent = make_intent(self.job, self.composer.game.setup.inks)
            self._stocks[ink_id] = self._stock(images=images, drawn=drawn, intent=intent)
        return self._stocks[ink_id]


class _KnownSide(NamedTuple):
    """A face that was looked over before."""

    face: Face
    subject: str = ""
    place: None = None
    alike: tuple[str, bool] = ("", False)


def _deck_facts(deck: Deck) -> dict[str, str]:
    """Return what a press is told of a deck."""
    return {"Deck": deck.stem, "Name": deck.name, **dict(deck.printed)}


class PictureOrderPrinter(OrderPrinter):
    """Makes pictures, and the list of how many of each; for one deck at a time."""

    def __init__(
        self,
        game: Game,
        folder: GameFolder,
        report: Report,
        service: Service,
        options: OrderOptions,
        work: Path,
    ) -> None:
        """Open fonts; what is wrong with them is reported.

        Args:
            game: the whole of it.
            work: a folder for pictures, as long as decks are made.
        """
        super().__init__(game, folder, report, service, options)
        self._work = work
        self._pictures: dict[int, dict[str, Path]] = {}
        self._number = 0
        if self.usable:
            work.mkdir(parents=True, exist_ok=True)

    def make(self, decks: Sequence[SizedDeck], report: Report) -> DeckFiles:  # noqa: ARG002 - none is wrong
        """Return the files of a deck; with several sizes, each in a folder."""
        (sized,) = decks
        files: dict[str, bytes] = {}
        slots: list[SideKey] = []
        for size, cards in sized.cards.items():
            start = f"{size.id}/" if len(sized.cards) > 1 else ""
            of_side = {id(side.face): card for card in reversed(cards) for side in card.sides()}
            for side in distinct_sides(cards):
                slots.append(sized.slot(of_side[id(side.face)], side))
                for ink_id, path in self._pictures[id(side.face)].items():
                    name = f"{ink_id}/{picture_path(side)}" if ink_id else picture_path(side)
                    files[start + name] = path.read_bytes()
            listed = make_list_files(cards, self.job.service)
            files |= {start + name: data for name, data in listed.items()}
        return files, [(*slots,)]

    def make_ready(
        self,
        side: NamedFace,
        whole: Face,
        size: CardSize,
        found: Report,  # noqa: ARG002 - pictures need no more
    ) -> Image.Image:
        """Draw a side of a card, and the masks of its inks."""
        job, raster = self.job, raster_of(size, self.job)
        store = job.factory.pictures.store
        picture = next(draw([with_spots(whole, job)], job.factory.fonts, store, raster))
        kept = self._pictures[id(side.face)] = {"": self._kept(picture)}
        for ink_id in used_inks([whole]) if job.spots is not SpotHandling.NONE else ():
            for _, shown in draw_masks([side._replace(face=whole)], ink_id, raster, job):
                kept[ink_id] = self._kept(shown)
        return picture

    def _kept(self, picture: Image.Image) -> Path:
        self._number += 1
        path = self._work / f"{self._number}.png"
        path.write_bytes(Encoding("png").file(picture, self.job.service.dpi))
        return path

    def forget(self, face: Face) -> None:
        """Forget a face that only the decks before have."""
        for path in self._pictures.pop(id(face), {}).values():
            path.unlink(missing_ok=True)
