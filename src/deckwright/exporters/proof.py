"""Proofs: single faces as PNG files, and contact sheets of many.

The faces are painted as a PDF, one a page, and that is drawn by pdfium: a proof shows what will be
printed, not what another painter would make of it.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pypdfium2
from PIL import Image

from deckwright.exporters.faces import NamedFace
from deckwright.files import write_atomically
from deckwright.fonts import Font
from deckwright.images import ImageStore
from deckwright.pdf.document import Info, write_pdf
from deckwright.sheet.pages import Page, Placed

_GROUND = "#dedbd5"
_GAP: float = 4
"""Distance between the faces of a contact sheet, in mm."""


def draw(
    faces: Sequence[NamedFace], fonts: Mapping[str, Font], images: ImageStore, dpi: float
) -> Iterator[Image.Image]:
    """Yield the pictures of faces, `dpi` pixels to the inch."""
    pages = [
        Page(named.face.width, named.face.height, (Placed(named.face, 0, 0),)) for named in faces
    ]
    stream = io.BytesIO()
    write_pdf(stream, pages, Info("proof", "", "", "en"), fonts, images)
    with pypdfium2.PdfDocument(stream.getvalue()) as pdf:
        for page in pdf:
            bitmap = page.render(scale=dpi / 72, fill_color=(255, 255, 255, 255))
            yield bitmap.to_pil().convert("RGB")


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
    for named, picture in zip(faces, draw(faces, fonts, images, dpi), strict=True):
        _save(picture, folder / f"{named.name}.png", dpi)
        sheets.setdefault(named.group, []).append(picture)
    paths = []
    for name, pictures in sheets.items():
        paths.append(folder / f"contact_{name}.png")
        _save(contact_sheet(pictures, dpi), paths[-1], dpi)
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
        picture.save(stream, "PNG", dpi=(dpi, dpi), compress_level=6)
