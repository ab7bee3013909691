"""Proofs: single faces as PNG files, and contact sheets of many.

The faces are painted as a PDF, one a page, and that is drawn by pdfium: a proof shows what will be
printed, not what another painter would make of it.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pypdfium2
from PIL import Image

from deckwright.face.ops import Face
from deckwright.files import write_atomically
from deckwright.fonts import Font
from deckwright.images import ImageStore
from deckwright.pdf.document import Info, write_pdf
from deckwright.sheet.pages import Page, Placed

_GROUND = "#dedbd5"
_GAP: float = 4
"""Distance between the faces of a contact sheet, in mm."""


class Proof(NamedTuple):
    """A face to be drawn.

    Attributes:
        name: the file's name without its ending.
        sheet: the contact sheet that it belongs to.
    """

    name: str
    sheet: str
    face: Face


def draw(
    proofs: Sequence[Proof], fonts: Mapping[str, Font], images: ImageStore, dpi: float
) -> Iterator[Image.Image]:
    """Yield the pictures of faces, `dpi` pixels to the inch, on a transparent ground."""
    pages = [
        Page(proof.face.width, proof.face.height, (Placed(proof.face, 0, 0),)) for proof in proofs
    ]
    stream = io.BytesIO()
    write_pdf(stream, pages, Info("proof", "", "", "en"), fonts, images)
    with pypdfium2.PdfDocument(stream.getvalue()) as pdf:
        for page in pdf:
            bitmap = page.render(scale=dpi / 72, fill_color=(255, 255, 255, 0))
            yield bitmap.to_pil().convert("RGBA")


def write_proofs(
    proofs: Sequence[Proof],
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
    for proof, picture in zip(proofs, draw(proofs, fonts, images, dpi), strict=True):
        _save(picture, folder / f"{proof.name}.png", dpi)
        sheets.setdefault(proof.sheet, []).append(picture)
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
        sheet.paste(picture, (gap + x * (width + gap), gap + y * (height + gap)), picture)
    return sheet


def _places(columns: int) -> Iterable[tuple[int, int]]:
    number = 0
    while True:
        yield number % columns, number // columns
        number += 1


def _save(picture: Image.Image, path: Path, dpi: float) -> None:
    with write_atomically(path) as stream:
        picture.save(stream, "PNG", dpi=(dpi, dpi), compress_level=6)
