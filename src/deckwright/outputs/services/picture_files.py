"""The pictures of an order: faces and backs apart, and the list of how many of each."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

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
from deckwright.outputs.services.profile import Order, Size, Spots
from deckwright.paint.raster import Encoding, Raster, draw

FRONTS, BACKS = "fronts", "backs"
"""The folders of pictures."""


def make_pictures(
    cards: list[OrderItem], size: Size, folder: Path, job: Job, findings: Report
) -> Made:
    """Return the pictures of cards of one size for `folder`, looked at, and the list of them."""
    service = job.service
    width, height = job.outer(size)
    size_px = round(pixels(width, service.dpi)), round(pixels(height, service.dpi))
    raster = Raster(service.dpi, size_px, service.bleed)
    sides = distinct(cards)
    files: dict[str, bytes] = {}
    edges = Edges(service)
    drawn = draw(
        (with_spots(side.face, job) for side in sides),
        job.factory.fonts,
        job.factory.pictures.store,
        raster,
    )
    for side, picture in zip(steps(sides, "drawing cards"), drawn, strict=True):
        edges.look(side, picture, width)
        files[_path(side)] = Encoding("png").file(picture, service.dpi)
    findings += edges.findings()
    lines = [
        lists.Line(
            card.front.card.name,
            _path(card.front),
            _path(card.back) if card.back is not None else None,
            card.copies,
        )
        for card in cards
    ]
    if service.order is Order.AUTOFILL:
        files["cards.xml"] = lists.autofill(lines, service).encode()
    elif service.order is Order.TABLE:
        # Spreadsheets take a file for UTF-8 only with this mark.
        files["cards.csv"] = lists.table(lines).encode("utf-8-sig")
    used = used_inks(side.face for side in sides) if job.spots is not Spots.NONE else []
    for ink_id in used:
        files |= _masks(sides, ink_id, raster, job)
    inks = job.factory.game.setup.inks
    part = part_of(cards, size, folder, _others(files, folder))._replace(
        inks=tuple(inks[ink_id].name for ink_id in used),
        masks=tuple(folder / ink_id for ink_id in used),
    )
    return Made(part, {folder / name: data for name, data in files.items()})


def _masks(sides: list[NamedFace], ink_id: str, raster: Raster, job: Job) -> dict[str, bytes]:
    """Return the pictures of what is printed with an ink, black on white, where there is any."""
    with tempfile.TemporaryDirectory(prefix="deckwright-") as folder:
        images = FlatImages(job.factory.pictures.store, Path(folder))
        masks = [side._replace(face=mask(side.face, ink_id, gray, images)) for side in sides]
        shown = [side for side in masks if side.face.ops]
        drawn = draw((side.face for side in shown), job.factory.fonts, images, raster)
        return {
            f"{ink_id}/{_path(side)}": Encoding("png").file(picture.convert("L"), raster.dpi)
            for side, picture in zip(shown, drawn, strict=True)
        }


def _path(side: NamedFace) -> str:
    return f"{BACKS if side.is_back else FRONTS}/{side.name}.png"


def _others(files: Mapping[str, bytes], folder: Path) -> int:
    """Return how many pictures lie in the folders that are not of this order."""
    there = [path for name in (FRONTS, BACKS) for path in (folder / name).glob("*.png")]
    return sum(path.relative_to(folder).as_posix() not in files for path in there)
