"""Very many decks for a print service that takes pictures: each face is drawn once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from deckwright.base.findings import Report
from deckwright.faces.copies import NamedFace
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.ops.model import Face
from deckwright.outputs.press.spots import used_inks
from deckwright.outputs.services.job import OrderOptions
from deckwright.outputs.services.order_printer import Made, OrderPrinter, SizedDeck, Slot
from deckwright.outputs.services.orders import distinct
from deckwright.outputs.services.picture_files import (
    drawn_masks,
    list_files,
    picture_path,
    raster_of,
)
from deckwright.outputs.services.press import with_spots
from deckwright.outputs.services.profile import Service, Size, Spots
from deckwright.paint.raster import Encoding, draw


class OrderPictures(OrderPrinter):
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

    def make(self, decks: Sequence[SizedDeck], report: Report) -> Made:  # noqa: ARG002 - none is wrong
        """Return the files of a deck; with several sizes, each in a folder."""
        (sized,) = decks
        files: dict[str, bytes] = {}
        slots: list[Slot] = []
        for size, cards in sized.cards.items():
            start = f"{size.id}/" if len(sized.cards) > 1 else ""
            of_side = {id(side.face): card for card in reversed(cards) for side in card.sides()}
            for side in distinct(cards):
                slots.append(sized.slot(of_side[id(side.face)], side))
                for ink_id, path in self._pictures[id(side.face)].items():
                    name = f"{ink_id}/{picture_path(side)}" if ink_id else picture_path(side)
                    files[start + name] = path.read_bytes()
            listed = list_files(cards, self.job.service)
            files |= {start + name: data for name, data in listed.items()}
        return files, [(*slots,)]

    def make_ready(self, side: NamedFace, whole: Face, size: Size, found: Report) -> Image.Image:  # noqa: ARG002 - pictures need no more
        """Draw a side of a card, and the masks of its inks."""
        job, raster = self.job, raster_of(size, self.job)
        store = job.factory.pictures.store
        picture = next(draw([with_spots(whole, job)], job.factory.fonts, store, raster))
        kept = self._pictures[id(side.face)] = {"": self._kept(picture)}
        for ink_id in used_inks([whole]) if job.spots is not Spots.NONE else ():
            for _, shown in drawn_masks([side._replace(face=whole)], ink_id, raster, job):
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
