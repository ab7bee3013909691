"""Prepare many decks of one game for a print service.

The cards are the same as with `export_order`; what decks share is composed, checked and prepared
once. A file depends only on the game and its decks, not on what was made before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from deckwright.base.findings import Diagnostic, Report, has_errors
from deckwright.base.output import OutputError, report_failure, stop_on_errors
from deckwright.diff.manifest import Manifest
from deckwright.faces.copies import Copy, NamedFace
from deckwright.game.decklist import CardSelection
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, FaceKey, Game
from deckwright.ops.model import Face, Op
from deckwright.outputs.deck_pages import choose_copies
from deckwright.outputs.deck_printer import DeckComposer
from deckwright.outputs.press.flatten import FlatImages
from deckwright.outputs.press.pdfx import check_pdfx
from deckwright.outputs.press.plates import in_own_colors, remove_inks, used_inks
from deckwright.outputs.services.files import (
    EDGE_CHECK_DPI,
    card_page,
    draw_masks,
    make_black_mask,
    make_intent,
    make_list_files,
    pdf_title,
    picture_path,
    raster_of,
    split_files,
)
from deckwright.outputs.services.preflight import (
    EdgeInspector,
    OrderItem,
    distinct_sides,
    group_copies,
)
from deckwright.outputs.services.press import (
    Job,
    OrderOptions,
    Prepress,
    PressPage,
    choose_profile,
    fit_cards,
    fit_face,
    preflight_faces,
    prepare_faces,
    suit_service,
)
from deckwright.outputs.services.profile import CardSize, FileKind, Service, SpotHandling
from deckwright.paint.pdf.document import PdfWriter
from deckwright.paint.pdf.metadata import X4, info_of
from deckwright.paint.pdf.objects import DocumentPart
from deckwright.paint.raster import Encoding, Raster, draw
from deckwright.sheet.pages import Page, PlacedFace

SideKey = tuple[FaceKey, bool]
"""The content of a page or picture: a face key, and whether it is the back."""


class OrderedDeck(NamedTuple):
    """A prepared deck.

    Attributes:
        copies: all printed copies in order.
        slots: the sides on its pages or pictures, in the order of the files.
        manifest: the manifest of the whole deck, even if only a selection is printed.
    """

    copies: tuple[Copy, ...]
    slots: tuple[SideKey, ...]
    manifest: Manifest


class OrderedDecks(NamedTuple):
    """Prepared decks.

    Attributes:
        files: the contents by name: "" for a PDF of all cards, "poker.pdf" for one of several
            sizes, "foil.pdf" for a mask, or the names of pictures.
    """

    files: Mapping[str, bytes]
    decks: tuple[OrderedDeck, ...]


class SizedDeck(NamedTuple):
    """A deck with its cards by size, without ops, and its face keys by the names of fronts."""

    deck: Deck
    cards: Mapping[CardSize, list[OrderItem]]
    keys: Mapping[str, FaceKey]

    def side_key(self, card: OrderItem, side: NamedFace) -> SideKey:
        """Return the key of a card's side."""
        return self.keys[card.front.name], side is not card.front


DeckFiles = tuple[Mapping[str, bytes], Sequence[tuple[SideKey, ...]]]
"""The files, and for each deck the sides on its pages or pictures."""


def open_printer(
    game: Game,
    folder: GameFolder,
    report: Report,
    service: Service,
    options: OrderOptions,
    work: Path,
) -> OrderPrinter:
    """Return the printer of a game's decks for a service.

    Args:
        game: the complete game.
        work: a folder for temporary pictures and images in inks.

    Raises:
        OutputError: after reporting errors in the fonts or the ICC profile.
    """
    plates = service.spots is not SpotHandling.NONE
    game = game.with_token_size(service.choose_token_size(options.token_size))
    composer = DeckComposer(
        game, folder, report, options.style, options.watermark, options.rules, plates=plates
    )
    profile = None
    if service.files is FileKind.PDF:
        profile = choose_profile(service, options.icc, report, rgb=options.rgb)
    if not composer.factory.usable or has_errors(report):
        raise OutputError
    work.mkdir(parents=True, exist_ok=True)
    kind = PdfOrderPrinter if service.files is FileKind.PDF else PictureOrderPrinter
    return kind(composer, Job(service, options, "", composer.factory, profile), work)


class OrderPrinter(ABC):
    """Prepares decks of an open game with the same options."""

    def __init__(self, composer: DeckComposer, job: Job) -> None:
        """Start with nothing fitted."""
        self.composer, self.job = composer, job
        self._fitted_faces: dict[tuple[int, CardSize, bool], Face] = {}
        self._fits: dict[int, tuple[Face, CardSize, bool]] = {}
        self._drawn_faces: dict[int, Face] = {}
        self._findings: dict[int, tuple[Diagnostic, ...]] = {}

    def print_many(self, decks: Sequence[Deck], *, only: str | None = None) -> OrderedDecks:
        """Prepare decks, or only the card with an id or name, with one file per size."""
        old_ids = {id(face) for face in self.composer.start_batch()}
        for key in [key for key in self._fitted_faces if key[0] in old_ids]:
            face = self._fitted_faces.pop(key)
            self._fits.pop(id(face), None)
            self._findings.pop(id(face), None)
            self.forget(face)
        service, job = self.job.service, self.job
        report: Report = []
        sized, ordered = list[SizedDeck](), list[OrderedDeck]()
        try:
            for deck in decks:
                with report_failure(report):
                    part, manifest = self.composer.compose(
                        deck, report, sheet=service.id, backs=service.backs
                    )
                    copies = [
                        copy
                        for copy in part.copies
                        if job.options.tokens or not copy.card.kind.token
                    ]
                    if only is not None:
                        copies = choose_copies(copies, CardSelection((only,)), report)
                    items = group_copies(copies, job.factory)
                    known = {id(copy.face): copy.face_key for copy in reversed(copies)}
                    keys = {item.front.name: known[id(item.front.face)] for item in items}
                    findings: Report = []
                    cards = fit_cards(items, job, findings, self._fit)
                    for size, of_size in cards.items():
                        for side in distinct_sides(of_size):
                            findings += self._check_side(side, size)
                    job.report_findings(findings, report)
                    sized.append(SizedDeck(deck, cards, keys))
                    ordered.append(OrderedDeck((*copies,), (), manifest))
            stop_on_errors(report)
            files, slots = self.make(sized, report)
            stop_on_errors(report)
        except OutputError as error:
            raise OutputError(*dict.fromkeys((*report, *error.findings))) from error
        finally:
            self.composer.finish_batch()
            self.release()
        whole = (deck._replace(slots=own) for deck, own in zip(ordered, slots, strict=True))
        return OrderedDecks(files, (*whole,))

    @abstractmethod
    def make(self, decks: Sequence[SizedDeck], report: Report) -> DeckFiles:
        """Make the files of decks."""

    @abstractmethod
    def make_ready(
        self, side: NamedFace, face: Face, size: CardSize, findings: Report
    ) -> Image.Image:
        """Prepare a new side of a card from its face with ops; return a picture with its bleed."""

    @abstractmethod
    def forget(self, face: Face) -> None:
        """Drop a face that only previous decks used."""

    def release(self) -> None:
        """Release the ops of faces after decks are made."""
        self._drawn_faces.clear()

    def with_ops(self, face: Face) -> Face:
        """Return the face of a card with its ops."""
        if id(face) not in self._drawn_faces:
            lean, size, back = self._fits[id(face)]
            bleed = self.job.service.bleed
            self._drawn_faces[id(face)] = fit_face(
                self.composer.with_ops(lean), size, bleed, back=back
            )
        return self._drawn_faces[id(face)]

    def _fit(self, face: Face, size: CardSize, bleed: float, *, back: bool = False) -> Face:
        """Return a face fitted to a card, without ops."""
        key = id(face), size, back
        if key not in self._fitted_faces:
            fitted = self._fitted_faces[key] = fit_face(face, size, bleed, back=back)
            self._fits[id(fitted)] = face, size, back
        return self._fitted_faces[key]

    def _check_side(self, side: NamedFace, size: CardSize) -> tuple[Diagnostic, ...]:
        """Return the findings of a side of a card, which is checked once."""
        face = side.face
        if id(face) not in self._findings:
            service, factory = self.job.service, self.job.factory
            whole, findings = self.with_ops(face), list[Diagnostic]()
            prepare_faces((whole,), factory.pictures.store, findings)
            drawn = side._replace(face=whole)
            findings += preflight_faces([drawn], service, factory, size.shape)
            picture = self.make_ready(side, whole, size, findings)
            edges = EdgeInspector(service)
            edges.inspect(drawn, picture, self.job.bleed_size(size)[0])
            findings += edges.findings()
            self._findings[id(face)] = (*findings,)
        return self._findings[id(face)]


_MAX_IMAGES = 300
"""The maximum number of cached images in inks."""


class PdfOrderPrinter(OrderPrinter):
    """Makes PDFs for a service; in PDF/X-4, document parts identify the decks."""

    def __init__(self, composer: DeckComposer, job: Job, work: Path) -> None:
        """Start with nothing painted; `work` is a folder for temporary images in inks."""
        super().__init__(composer, job)
        self._info = info_of("", composer.game.setup, job.factory.folder)
        self._ready: dict[int, Face] = {}
        self._inks: dict[int, tuple[str, ...]] = {}
        self._writers: dict[str, PdfWriter] = {}
        self._needs_check = False
        self._prepress = Prepress(job, work)
        self._masks = FlatImages(job.factory.pictures.store, work)

    @property
    def cached_faces(self) -> int:
        """The number of cached forms, including masks."""
        return sum(writer.cached_faces for writer in self._writers.values())

    def make(self, decks: Sequence[SizedDeck], report: Report) -> DeckFiles:
        """Make the files of decks: one per size of cards, or two with separate backs."""
        job, service, setup = self.job, self.job.service, self.composer.game.setup
        contents: dict[tuple[CardSize, str], tuple[list[Page], list[DocumentPart]]] = {}
        slots: list[tuple[SideKey, ...]] = []
        for sized in decks:
            of_deck: list[SideKey] = []
            deck = sized.deck
            facts = {"Deck": deck.stem, "Name": deck.name, **dict(deck.printed)}
            for size, cards in sized.cards.items():
                for name, sides in split_files(cards, service, alone=len(decks) == 1).items():
                    pages, parts = contents.setdefault((size, name), ([], []))
                    of_deck += (sized.side_key(card, side) for card, side in sides)
                    pages.extend(card_page(side.face, service.bleed) for _, side in sides)
                    parts.append(DocumentPart(len(sides), facts))
            slots.append((*of_deck,))
        title = decks[0].deck.name if len(decks) == 1 else setup.name
        files: dict[str, bytes] = {}
        several = len({size for size, _ in contents}) > 1
        pdfx = service.pdfx if job.profile is not None else None
        for (size, part), (pages, parts) in contents.items():
            name = "_".join(filter(None, (size.id if several else "", part)))
            info = self._info._replace(title=pdf_title(title, size))
            stated = parts if pdfx == X4 else ()
            written = {
                f"{name}.pdf" if name else "": self._writer_of("").make_pdf(pages, info, stated)
            }
            if job.spots is SpotHandling.PAGES:
                faces = (placed.face for page in pages for placed in page.faces)
                for ink_id in sorted({ink for face in faces for ink in self._inks[id(face)]}):
                    data = self._writer_of(ink_id).make_pdf(pages, info, stated)
                    written[f"{name}_{ink_id}.pdf".removeprefix("_")] = data
            if pdfx and self._needs_check:
                # PDF/X is checked only if a file contains new sides.
                self._needs_check = False
                findings: Report = []
                for called, data in written.items():
                    findings += check_pdfx(data, pdfx, called or "cards.pdf")
                job.report_findings(findings, report)
            files |= written
        return files, slots

    def make_ready(
        self,
        side: NamedFace,
        whole: Face,
        size: CardSize,  # noqa: ARG002 - its face has it
        found: Report,
    ) -> Image.Image:
        """Prepare a side of a card for the press."""
        job, self._needs_check = self.job, True
        (self._ready[id(side.face)],) = self._prepress.prepare([side._replace(face=whole)], found)
        if job.spots is SpotHandling.PAGES:
            self._inks[id(side.face)] = (*used_inks([whole]),)
        raster, store = Raster(EDGE_CHECK_DPI, bleed=job.service.bleed), job.factory.pictures.store
        plain = job.spots is SpotHandling.NONE
        bare = in_own_colors(whole, self.composer.game.setup.inks) if plain else remove_inks(whole)
        return next(draw([bare], job.factory.fonts, store, raster))

    def forget(self, face: Face) -> None:
        """Drop a face that only previous decks used."""
        self._inks.pop(id(face), None)
        for writer in self._writers.values():
            writer.forget([face])

    def release(self) -> None:
        """Release the ops of faces after decks are made."""
        super().release()
        self._ready.clear()
        self._prepress.forget(_MAX_IMAGES)
        self._masks.forget(_MAX_IMAGES)

    def _draw_side(self, placed: PlacedFace) -> Iterable[Op]:
        """Return the ops of a card's side, prepared for the press."""
        face = placed.face
        if id(face) not in self._ready:
            (self._ready[id(face)],) = self._prepress.prepare([PressPage(self.with_ops(face))], [])
        return self._ready[id(face)].ops

    def _draw_mask(self, placed: PlacedFace, ink_id: str) -> Iterable[Op]:
        """Return the ops of a spot ink's mask on a side of a card."""
        return make_black_mask(self.with_ops(placed.face), ink_id, self._masks, self.job).ops

    def _writer_of(self, ink_id: str) -> PdfWriter:
        """Return the writer of the print, or of a spot ink's mask."""
        if ink_id not in self._writers:
            drawn: Callable[[PlacedFace], Iterable[Op]] = self._draw_side
            images, intent = self._prepress.images, self.job.intent
            if ink_id:
                drawn, images = partial(self._draw_mask, ink_id=ink_id), self._masks
            elif self.job.spots is SpotHandling.SEPARATIONS:
                intent = make_intent(self.job, self.composer.game.setup.inks)
            fonts = self.composer.factory.fonts
            self._writers[ink_id] = PdfWriter(
                fonts, images, intent, draw=drawn, tagged=False, keep=True
            )
        return self._writers[ink_id]


class PictureOrderPrinter(OrderPrinter):
    """Makes pictures with a list of quantities, for one deck at a time."""

    def __init__(self, composer: DeckComposer, job: Job, work: Path) -> None:
        """Start with nothing drawn; `work` is a folder for temporary pictures."""
        super().__init__(composer, job)
        self._work = work
        self._pictures: dict[int, dict[str, Path]] = {}
        self._number = 0

    def make(self, decks: Sequence[SizedDeck], report: Report) -> DeckFiles:  # noqa: ARG002 - none is wrong
        """Make the files of a deck; several sizes are in folders of their own."""
        (sized,) = decks
        files: dict[str, bytes] = {}
        slots: list[SideKey] = []
        for size, cards in sized.cards.items():
            start = f"{size.id}/" if len(sized.cards) > 1 else ""
            of_side = {id(side.face): card for card in reversed(cards) for side in card.sides()}
            for side in distinct_sides(cards):
                slots.append(sized.side_key(of_side[id(side.face)], side))
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
        """Draw a side of a card, and the masks of its spot inks."""
        job, raster = self.job, raster_of(size, self.job)
        store = job.factory.pictures.store
        picture = next(draw([suit_service(whole, job)], job.factory.fonts, store, raster))
        kept = self._pictures[id(side.face)] = {"": self._save_picture(picture)}
        for ink_id in used_inks([whole]) if job.spots is not SpotHandling.NONE else ():
            for _, shown in draw_masks([side._replace(face=whole)], ink_id, raster, job):
                kept[ink_id] = self._save_picture(shown)
        return picture

    def _save_picture(self, picture: Image.Image) -> Path:
        self._number += 1
        path = self._work / f"{self._number}.png"
        path.write_bytes(Encoding("png").encode(picture, self.job.service.dpi))
        return path

    def forget(self, face: Face) -> None:
        """Drop a face that only previous decks used."""
        for path in self._pictures.pop(id(face), {}).values():
            path.unlink(missing_ok=True)
