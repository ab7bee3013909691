"""Files of pictures: made on all cores, and kept by what they show."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from PIL import Image

import deckwright
from deckwright.base.cache import Cache, code_of
from deckwright.base.parallel import cores, spread
from deckwright.diff.manifests.digest import Digests
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.paint.raster import MADE_BY, Encoding, Raster, draw
from deckwright.text.fonts import Font

_AT_ONCE, _FEW = 16, 12
"""How many faces a worker is handed at a time, and how many are made without one."""


class Maker(NamedTuple):
    """Makes the files of faces' pictures."""

    fonts: Mapping[str, Font]
    images: ImageStore
    raster: Raster
    encoding: Encoding

    def files(self, faces: Sequence[Face]) -> list[bytes]:
        """Return a file for each face."""
        pictures = draw(faces, self.fonts, self.images, self.raster)
        return [
            self.encoding.file(picture, self.raster.dpi_of(face))
            for face, picture in zip(faces, pictures, strict=True)
        ]


class Pictures:
    """The files of pictures of one game's faces."""

    def __init__(
        self, fonts: Mapping[str, Font], images: ImageStore, raster: Raster, encoding: Encoding
    ) -> None:
        """Take what pictures are made with."""
        self._maker = Maker(fonts, images, raster, encoding)
        self._digests = Digests(fonts, images)
        self._cache = Cache("pictures")
        self._how = f"{_made_by()} {raster} {encoding}"

    def files(self, faces: Sequence[Face]) -> Iterator[bytes]:
        """Yield a file for each face, in order."""
        keys = [self.key(face) for face in faces]
        kept = [self._cache.has(key) for key in keys]
        new = [face for face, known in zip(faces, kept, strict=True) if not known]
        made = self._made(new)
        for face, key, known in zip(faces, keys, kept, strict=True):
            data = self._cache.read_decoded(key, _picture) if known else None
            if data is None:
                [data] = self._maker.files([face]) if known else [next(made)]
                self._cache.write(key, data)
            yield data

    def key(self, face: Face) -> str:
        """Return what the picture of a face is kept under: equal where it is the same file."""
        return blake2b(f"{self._how} {self._digests.of(face)}".encode(), digest_size=20).hexdigest()

    def _made(self, faces: Sequence[Face]) -> Iterator[bytes]:
        """Yield files that are made anew; a few are not worth a worker."""
        number = min(_AT_ONCE, math.ceil(len(faces) / cores())) if len(faces) > _FEW else _FEW
        batches = [faces[start : start + number] for start in range(0, len(faces), number)]
        for files in spread(self._maker.files, batches):
            yield from files


def kept_or_made(
    files: Sequence[bytes], how: str, make: Callable[[Sequence[bytes]], bytes]
) -> bytes:
    """Return what is made of files of pictures, as it was made before if it was.

    Args:
        how: with what else it is made.
    """
    digest = blake2b(f"{_made_by()} {how}".encode(), digest_size=20)
    for data in files:
        digest.update(blake2b(data, digest_size=20).digest())
    entries, key = Cache("pictures"), digest.hexdigest()
    made = entries.read_decoded(key, _picture)
    if made is None:
        made = make(files)
        entries.write(key, made)
    return made


def _picture(content: bytes) -> bytes:
    """Return the content of a file of a picture.

    Raises:
        OSError, SyntaxError, ValueError: if it is none.
    """
    with Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP")) as picture:
        picture.verify()
    return content


@cache
def _made_by() -> str:
    """Return what makes pictures: libraries, and this package as its files are."""
    code = code_of(Path(deckwright.__path__[0]))
    return f"{deckwright.__version__} {code} {MADE_BY}"
