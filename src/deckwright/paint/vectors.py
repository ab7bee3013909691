"""Faces as SVG files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import IO

from deckwright.base.units import Mm
from deckwright.faces.faces import NamedFace
from deckwright.images.store import ImageStore
from deckwright.paint.raster import Paint, file_names
from deckwright.paint.svg.glyphs import Glyphs
from deckwright.paint.svg.painter import Look, face_svg
from deckwright.text.fonts import Font


def painted_vectors(
    faces: Sequence[NamedFace],
    fonts: Mapping[str, Font],
    images: ImageStore,
    language: str,
    bleed: Mm,
) -> Iterator[tuple[str, Paint]]:
    """Yield for each face the name of its file, and what writes the file.

    Args:
        images: has prepared all images that the faces draw.
        language: a code such as "de".
    """
    glyphs = Glyphs(fonts)
    for name, named in zip(file_names(faces), faces, strict=True):
        title = f"back of {named.card.kind.name}" if named.group == "backs" else named.card.name
        look = Look(title, language, bleed)

        def paint(stream: IO[bytes], named: NamedFace = named, look: Look = look) -> None:
            stream.write(face_svg(named.face, glyphs, images, look).encode())

        yield f"{name}.svg", paint
