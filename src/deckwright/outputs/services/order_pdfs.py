"""Very many decks for a print service that takes PDFs: a face on each page, painted once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from deckwright.base.findings import Report
from deckwright.faces.copies import NamedFace
from deckwright.faces.letters import letters_by_font
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, Game
from deckwright.ops.model import Face, Op
from deckwright.outputs.press.flatten import FlatImages
from deckwright.outputs.press.lettering import outlined
from deckwright.outputs.press.pdfx import check_pdfx
from deckwright.outputs.press.spots import artwork, black_ink, in_own_colors, mask, used_inks
from deckwright.outputs.services.job import OrderOptions
from deckwright.outputs.services.order_printer import Made, OrderPrinter, SizedDeck, Slot
from deckwright.outputs.services.pdf_file import LOOK_DPI, files_of, intent_of, page_of, title_of
from deckwright.outputs.services.press import Prepress
from deckwright.outputs.services.profile import Service, Size, Spots
from deckwright.paint.pdf.cmyk import X4
from deckwright.paint.pdf.document_parts import DocumentPart
from deckwright.paint.pdf.info import info_of
from deckwright.paint.pdf.stocks import Stocks
from deckwright.paint.raster import Raster, draw
from deckwright.sheet.pages import Page, Placed

_MOST_IMAGES = 300
"""How many images in inks are kept for the decks to come."""


class _File(NamedTuple):
    """The cards of one size in a file: its pages, and which of them are which deck's."""

    pages: list[Page]
    parts: list[DocumentPart]


class OrderPdfs(OrderPrinter):
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
        self._stocks: dict[str, Stocks] = {}
        self._new = False
        if self.usable:
            work.mkdir(parents=True, exist_ok=True)
            factory = self.composer.factory
            self._prepress = Prepress(self.job, work)
            self._masks = FlatImages(factory.pictures.store, work)
            letters = letters_by_font(factory.fonts, game, folder)
            self._stock = partial(Stocks, factory.fonts, letters=letters, tagged=False)

    @property
    def kept(self) -> int:
        """How many painted faces are kept for the decks to come, with masks."""
        return sum(stocks.kept for stocks in self._stocks.values())

    def make(self, decks: Sequence[SizedDeck], report: Report) -> Made:
        """Return the files of decks, one for each size of cards, or two with backs apart."""
        service, setup = self.job.service, self.composer.game.setup
        files_made: dict[tuple[Size, str], _File] = {}
        slots: list[tuple[Slot, ...]] = []
        for sized in decks:
            of_deck: list[Slot] = []
            for size, cards in sized.cards.items():
                for name, sides in files_of(cards, service, alone=len(decks) == 1).items():
                    file = files_made.setdefault((size, name), _File([], []))
                    of_deck += (sized.slot(card, side) for card, side in sides)
                    file.pages.extend(page_of(side.face, service.bleed) for _, side in sides)
                    file.parts.append(DocumentPart(len(sides), _facts(sized.deck)))
            slots.append((*of_deck,))
        title = decks[0].deck.name if len(decks) == 1 else setup.name
        files: dict[str, bytes] = {}
        several = len({size for size, _ in files_made}) > 1
        for (size, part), file in files_made.items():
            name = "_".join(filter(None, (size.id if several else "", part)))
            name = f"{name}.pdf" if name else ""
            files |= self._files(name, file, title_of(title, size), report)
        return files, slots

    def make_ready(self, side: NamedFace, whole: Face, size: Size, found: Report) -> Image.Image:  # noqa: ARG002 - its face has it
        """Make a side of a card ready for the press."""
        job, self._new = self.job, True
        (self._ready[id(side.face)],) = self._prepress.pressed([side._replace(face=whole)], found)
        if job.spots is Spots.PAGES:
            self._inks[id(side.face)] = (*used_inks([whole]),)
        raster, store = Raster(LOOK_DPI, bleed=job.service.bleed), job.factory.pictures.store
        plain = job.spots is Spots.NONE
        bare = in_own_colors(whole, self.composer.game.setup.inks) if plain else artwork(whole)
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
            self._prepress.forget(_MOST_IMAGES)
            self._masks.forget(_MOST_IMAGES)

    def _pressed(self, placed: Placed) -> Iterable[Op]:
        """Return what draws a side of a card, ready for the press."""
        face = placed.face
        if id(face) not in self._ready:
            (self._ready[id(face)],) = self._prepress.pressed([_Known(self.whole(face))], [])
        return self._ready[id(face)].ops

    def _masked(self, placed: Placed, ink_id: str) -> Iterable[Op]:
        """Return the mask of an ink on a side of a card."""
        made = mask(self.whole(placed.face), ink_id, black_ink, self._masks)
        if self.job.service.outlines:
            made = outlined(made, self.job.factory.metrics)
        return made.ops

    def _files(self, name: str, file: _File, title: str, report: Report) -> dict[str, bytes]:
        """Return the file of cards of one size, and those of the masks of inks."""
        job, pdfx = self.job, self.job.service.pdfx
        pages, info = file.pages, self._info._replace(title=title)
        parts = file.parts if pdfx == X4 and job.profile is not None else ()
        files = {name: self._stocks_of("").pdf(pages, info, parts)}
        if job.spots is Spots.PAGES:
            faces = (placed.face for page in pages for placed in page.faces)
            for ink_id in sorted({ink for face in faces for ink in self._inks[id(face)]}):
                masked = f"{name.removesuffix('.pdf')}_{ink_id}.pdf".removeprefix("_")
                files[masked] = self._stocks_of(ink_id).pdf(pages, info, parts)
        if pdfx and job.profile is not None and self._new:
            # What files are made of is checked when some of it is new.
            self._new = False
            findings: Report = []
            for called, data in files.items():
                findings += check_pdfx(data, pdfx, called or "cards.pdf")
            job.keep(findings, report)
        return files

    def _stocks_of(self, ink_id: str) -> Stocks:
        """Return the stocks of the print, or of the mask of an ink."""
        if ink_id not in self._stocks:
            drawn: Callable[[Placed], Iterable[Op]] = self._pressed
            images, intent = self._prepress.images, self.job.intent
            if ink_id:
                drawn, images = partial(self._masked, ink_id=ink_id), self._masks
            elif self.job.spots is Spots.SEPARATIONS:
                intent = intent_of(self.job, self.composer.game.setup.inks)
            self._stocks[ink_id] = self._stock(images=images, drawn=drawn, intent=intent)
        return self._stocks[ink_id]


class _Known(NamedTuple):
    """A face that was looked over before."""

    face: Face
    subject: str = ""
    place: None = None
    alike: tuple[str, bool] = ("", False)


def _facts(deck: Deck) -> dict[str, str]:
    """Return what a press is told of a deck."""
    return {"Deck": deck.stem, "Name": deck.name, **dict(deck.printed)}
