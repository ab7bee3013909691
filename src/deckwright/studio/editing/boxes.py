"""Where the pictures of a card are on its faces, for those who choose what is seen of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

from deckwright.api import Face
from deckwright.base.crops import Crop, read_focus, read_zoom
from deckwright.base.geometry import Box
from deckwright.base.names import found
from deckwright.base.units import PER_UNIT
from deckwright.game.model import Card
from deckwright.images.decode import upright_size


class BoxData(TypedDict):
    """The box of a picture on a face, in mm from the top left corner of the trim box.

    Attributes:
        cover: whether the picture covers it, so that it can be cropped.
        dpi: how many pixels to the inch it is printed with, None for a drawing.
    """

    field: str
    side: str
    part: int
    x: float
    y: float
    width: float
    height: float
    cover: bool
    dpi: float | None


def boxes_of(face: Face, card: Card, folder: Path, side: str, part: int) -> Iterator[BoxData]:
    """Yield the boxes of the pictures that a card names and a face shows."""
    for field in card.kind.fields:
        name = card.fields.get(field.name)
        if field.type != "image" or not isinstance(name, str):
            continue
        for box, cover in face.boxes_of(name):
            yield {
                "field": field.name,
                "side": side,
                "part": part,
                "x": box.x,
                "y": box.y,
                "width": box.width,
                "height": box.height,
                "cover": cover,
                "dpi": _dpi(found(folder / name), box, _crop(card, field.name) if cover else None),
            }


def _crop(card: Card, name: str) -> Crop:
    focus, zoom = card.fields.get(f"{name}-focus"), card.fields.get(f"{name}-zoom")
    x, y = read_focus(str(focus)) if focus else (0.5, 0.5)
    return Crop(x, y, read_zoom(str(zoom)) if zoom else 1)


def _dpi(path: Path, box: Box, crop: Crop | None) -> float | None:
    size = None if path.suffix.lower() == ".svg" else upright_size(path)
    if size is None or not box.width or not box.height:
        return None
    if crop is None:
        return max(size[0] / box.width, size[1] / box.height) * PER_UNIT["in"]
    _, _, across, _ = crop.window(size, (box.width, box.height))
    return across / box.width * PER_UNIT["in"]
