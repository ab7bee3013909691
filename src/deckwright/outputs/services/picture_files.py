"""The pictures of an order: faces and backs apart, and the list of how many of each."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from PIL import Image

from deckwright.base.findings import Report
from deckwright.base.progress import steps
from deckwright.base.units import pixels
from deckwright.faces.copies import NamedFace
from deckwright.outputs.press.flatten import FlatImages
from deckwright.outputs.press.spots import gray, mask, used_inks
from deckwright.outputs.services import lists
from deckwright.outputs.services.edges import Edges
from deckwright.outputs.services.job import Job, Made, part_of
from deckwright.outputs.services.orders import OrderItem, distinct
from deckwright.outputs.services.press import with_spots
from deckwright.outputs.services.profile import Order, Service, Size, Spots
from deckwright.paint.raster import Encoding, Raster, draw

FRONTS, BACKS = "fronts", "backs"
"""The folders of pictures."""


def make_pictures(
    cards: list[OrderItem], size: Size, folder: Path, job: Job, findings: Report
) -> Made:
    """Return the pictures of cards of one size for `folder`, looked at, and the list of them."""
    raster = raster_of(size, job)
    width, _ = job.outer(size)
    sides = distinct(cards)
    files: dict[str, bytes] = {}
    edges = Edges(job.service)
    drawn = draw(
        (with_spots(side.face, job) for side in sides),
        job.factory.fonts,
        job.factory.pictures.store,
        raster,
    )
    for side, picture in zip(steps(sides, "drawing cards"), drawn, strict=True):
        edges.look(side, picture, width)
        files[picture_path(side)] = Encoding("png").file(picture, job.service.dpi)
    findings += edges.findings()
    files |= list_files(cards, job.service)
    used = used_inks(side.face for side in sides) if job.spots is not Spots.NONE else []
    for ink_id in used:
        for side, picture in drawn_masks(sides, ink_id, raster, job):
            name = f"{ink_id}/{picture_path(side)}"
            files[name] = Encoding("png").file(picture, job.service.dpi)
    inks = job.factory.game.setup.inks
    part = part_of(cards, size, folder, _others(files, folder))._replace(
        inks=tuple(inks[ink_id].name for ink_id in used),
        masks=tuple(folder / ink_id for ink_id in used),
    )
    return Made(part, {folder / name: data for name, data in files.items()})


def raster_of(size: Size, job: Job) -> Raster:
    """Return how fine cards of a size are drawn."""
    width, height = job.outer(size)
    dpi = job.service.dpi
    return Raster(dpi, (round(pixels(width, dpi)), round(pixels(height, dpi))), job.service.bleed)


def list_files(cards: Iterable[OrderItem], service: Service) -> dict[str, bytes]:
    """Return the list of cards as a service takes it, by the name of its file."""
    lines = [
        lists.Line(
            card.front.card.name,
            picture_path(card.front),
            picture_path(card.back) if card.back is not None else None,
            card.copies,
        )
        for card in cards
    ]
    if service.order is Order.AUTOFILL:
        return {"cards.xml": lists.autofill(lines, service).encode()}
    if service.order is Order.TABLE:
        # Spreadsheets take a file for UTF-8 only with this mark.
        return {"cards.csv": lists.table(lines).encode("utf-8-sig")}
    return {}


def drawn_masks(
    sides: Iterable[NamedFace], ink_id: str, raster: Raster, job: Job
) -> Iterator[tuple[NamedFace, Image.Image]]:
    """Yield the sides that an ink is printed on, and pictures of where: black on white."""
    with tempfile.TemporaryDirectory(prefix="deckwright-") as folder:
        images = FlatImages(job.factory.pictures.store, Path(folder))
        masks = [side._replace(face=mask(side.face, ink_id, gray, images)) for side in sides]
        shown = [side for side in masks if side.face.ops]
        drawn = draw((side.face for side in shown), job.factory.fonts, images, raster)
        for side, picture in zip(shown, drawn, strict=True):
            yield side, picture.convert("L")


def picture_path(side: NamedFace) -> str:
    """Return where the picture of a side of a card lies in the folder of an order."""
    return f"{BACKS if side.is_back else FRONTS}/{side.name}.png"


def _others(files: Mapping[str, bytes], folder: Path) -> int:
    """Return how many pictures lie in the folders that are not of this order."""
    there = [path for name in (FRONTS, BACKS) for path in (folder / name).glob("*.png")]
    return sum(path.relative_to(folder).as_posix() not in files for path in there)
