"""The pictures of an order: faces and backs apart, and the list of how many of each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from deckwright.base.findings import Report
from deckwright.base.progress import steps
from deckwright.base.units import pixels
from deckwright.faces.copies import NamedFace
from deckwright.outputs.services import lists
from deckwright.outputs.services.edges import Edges
from deckwright.outputs.services.job import Job, Made, part_of
from deckwright.outputs.services.orders import OrderItem, distinct
from deckwright.outputs.services.profile import Order, Size
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
        (side.face for side in sides), job.factory.fonts, job.factory.pictures.store, raster
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
    part = part_of(cards, size, folder, _others(files, folder))
    return Made(part, {folder / name: data for name, data in files.items()})


def _path(side: NamedFace) -> str:
    return f"{BACKS if side.is_back else FRONTS}/{side.name}.png"


def _others(files: Mapping[str, bytes], folder: Path) -> int:
    """Return how many pictures lie in the folders that are not of this order."""
    there = [path for name in (FRONTS, BACKS) for path in (folder / name).glob("*.png")]
    return sum(path.relative_to(folder).as_posix() not in files for path in there)
