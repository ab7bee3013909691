"""Proofs: single faces as PNG files, and contact sheets of many."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from PIL import Image

from deckwright.base.files import write_atomically
from deckwright.base.units import Mm
from deckwright.faces.faces import NamedFace
from deckwright.images.store import ImageStore
from deckwright.outputs.face_files import file_names
from deckwright.paint import raster as pictures
from deckwright.paint.raster import Encoding, Raster
from deckwright.text.fonts import Font

_GROUND = "#dedbd5"
_GAP: Mm = 4
"""Distance between the faces of a contact sheet."""


def draw(
    faces: Sequence[NamedFace],
    fonts: Mapping[str, Font],
    images: ImageStore,
    dpi: float,
    bleed: Mm = 0,
) -> Iterator[Image.Image]:
    """Yield the pictures of faces with `bleed` around them, `dpi` pixels to the inch."""
    only_faces = (named.face for named in faces)
    return pictures.draw(only_faces, fonts, images, Raster(dpi, bleed=bleed))


def write_proofs(
    faces: Sequence[NamedFace],
    folder: Path,
    fonts: Mapping[str, Font],
    images: ImageStore,
    dpi: float,
) -> list[Path]:
    """Write each face to `folder` as a PNG, and a contact sheet for each group of faces.

    Returns:
        the contact sheets.

    Raises:
        OSError: if a file cannot be written.
    """
    sheets: dict[str, list[Image.Image]] = {}
    drawn = draw(faces, fonts, images, dpi)
    for name, named, picture in zip(file_names(faces), faces, drawn, strict=True):
        _save(picture, folder / f"{name}.png", dpi)
        sheets.setdefault(named.group, []).append(picture)
    paths = []
    for group, of_group in sheets.items():
        paths.append(folder / f"contact_{group}.png")
        _save(contact_sheet(of_group, dpi), paths[-1], dpi)
    return paths


def contact_sheet(pictures: Sequence[Image.Image], dpi: float) -> Image.Image:
    """Return all pictures on one ground, in rows that make it about as wide as high."""
    gap = max(1, round(_GAP / 25.4 * dpi))
    width = max(picture.width for picture in pictures)
    height = max(picture.height for picture in pictures)
    columns = min(len(pictures), math.ceil(math.sqrt(len(pictures) * height / width)))
    rows = math.ceil(len(pictures) / columns)
    size = columns * (width + gap) + gap, rows * (height + gap) + gap
    sheet = Image.new("RGB", size, _GROUND)
    for picture, (x, y) in zip(pictures, _places(columns), strict=False):
        sheet.paste(picture, (gap + x * (width + gap), gap + y * (height + gap)))
    return sheet


def _places(columns: int) -> Iterable[tuple[int, int]]:
    number = 0
    while True:
        yield number % columns, number // columns
        number += 1


def _save(picture: Image.Image, path: Path, dpi: float) -> None:
    with write_atomically(path) as stream:
        Encoding("png").save(picture, stream, dpi)
