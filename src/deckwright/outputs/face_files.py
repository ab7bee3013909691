"""Faces as files of their own: pictures of any size, or SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from deckwright.base.names import unused
from deckwright.base.units import Mm
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import FaceFactory
from deckwright.outputs.kept_pictures import Pictures
from deckwright.paint.raster import Encoding, Raster
from deckwright.paint.svg.glyphs import Glyphs
from deckwright.paint.svg.painter import Look, face_svg


def painted_pictures(
    faces: Sequence[NamedFace], factory: FaceFactory, raster: Raster, encoding: Encoding
) -> Iterator[tuple[str, bytes]]:
    """Yield for each face the name of its file, and what is in it."""
    pictures = Pictures(factory.fonts, factory.pictures.store, raster, encoding)
    files = pictures.files([named.face for named in faces])
    for name, data in zip(file_names(faces), files, strict=True):
        yield f"{name}.{encoding.ending}", data


def file_names(faces: Iterable[NamedFace]) -> list[str]:
    """Return a name for each face that no other has, also where case does not count.

    That is its own name where it can be; cards of two factions may have the same id.
    """
    faces = list(faces)
    counts = Counter(named.name.casefold() for named in faces)
    taken = set(counts)
    return [
        named.name
        if counts[named.name.casefold()] == 1
        else unused(f"{named.group}_{named.name}", taken)
        for named in faces
    ]


def painted_vectors(
    faces: Sequence[NamedFace], factory: FaceFactory, bleed: Mm
) -> Iterator[tuple[str, bytes]]:
    """Yield for each face the name of its file, and what is in it."""
    glyphs, images = Glyphs(factory.fonts), factory.pictures.store
    for name, named in zip(file_names(faces), faces, strict=True):
        title = f"back of {named.card.kind.name}" if named.back else named.card.name
        look = Look(title, factory.game.setup.language, bleed)
        yield f"{name}.svg", face_svg(named.face, glyphs, images, look).encode()
