"""Proofs: single faces as PNG files, and contact sheets of many."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from PIL import Image

from deckwright.base.files import write_bytes
from deckwright.base.parallel import spread
from deckwright.base.progress import steps
from deckwright.base.units import Mm, pixels
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import FaceFactory
from deckwright.outputs.face_files import painted_pictures
from deckwright.outputs.kept_pictures import kept_or_made
from deckwright.paint.raster import Encoding, Raster

_GROUND = "#dedbd5"
_GAP: Mm = 4
"""Distance between the faces of a contact sheet."""


def write_proofs(
    faces: Sequence[NamedFace], folder: Path, factory: FaceFactory, dpi: float
) -> list[Path]:
    """Write each face to `folder` as a PNG, and a contact sheet for each group of faces.

    Returns:
        the contact sheets.

    Raises:
        OSError: if a file cannot be written.
    """
    drawn = painted_pictures(faces, factory, Raster(dpi), Encoding("png"))
    return write_with_sheets(zip(steps(faces, "drawing"), drawn, strict=True), folder, dpi)


def write_with_sheets(
    files: Iterable[tuple[NamedFace, tuple[str, bytes]]], folder: Path, dpi: float
) -> list[Path]:
    """Write the PNG files of faces to `folder`, and a contact sheet for each group of them.

    Args:
        files: the faces, with the names of their files and what is in these.

    Returns:
        the contact sheets.

    Raises:
        OSError: if a file cannot be written.
    """
    groups: dict[str, list[bytes]] = {}
    for named, (name, data) in files:
        write_bytes(folder / name, data)
        groups.setdefault(named.group, []).append(data)
    paths = [folder / f"contact_{group}.png" for group in groups]
    sheets = spread(partial(_contact_file, dpi=dpi), list(groups.values()))
    for path, data in zip(paths, sheets, strict=True):
        write_bytes(path, data)
    return paths


def _contact_file(files: Sequence[bytes], dpi: float) -> bytes:
    """Return the file of a contact sheet of pictures, given by their files."""
    return kept_or_made(files, f"contact sheet {dpi}", partial(_made_contact_file, dpi=dpi))


def _made_contact_file(files: Sequence[bytes], dpi: float) -> bytes:
    pictures = [Image.open(io.BytesIO(data), formats=("PNG",)) for data in files]
    return Encoding("png").file(contact_sheet(pictures, dpi), dpi)


def contact_sheet(pictures: Sequence[Image.Image], dpi: float) -> Image.Image:
    """Return all pictures on one ground, in rows that make it about as wide as high."""
    gap = max(1, round(pixels(_GAP, dpi)))
    width = max(picture.width for picture in pictures)
    height = max(picture.height for picture in pictures)
    columns = min(len(pictures), math.ceil(math.sqrt(len(pictures) * height / width)))
    rows = math.ceil(len(pictures) / columns)
    size = columns * (width + gap) + gap, rows * (height + gap) + gap
    sheet = Image.new("RGB", size, _GROUND)
    for number, picture in enumerate(pictures):
        y, x = divmod(number, columns)
        sheet.paste(picture, (gap + x * (width + gap), gap + y * (height + gap)))
    return sheet
