"""The pictures of a game that cards may show, and how one is looked at."""

from __future__ import annotations

import io
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, TypedDict

from deckwright.base.files import belongs, files_below, is_file
from deckwright.base.names import composed
from deckwright.game.pictures import ENDINGS
from deckwright.images.decode import decode, upright_size

MOST_PICTURES = 2000
"""How many pictures are listed."""
_SIDE = 1000
"""How many pixels a picture that is looked at has at most on a side."""
_LARGEST_DRAWING = 2_000_000


class PictureData(TypedDict):
    """A picture: its name in `img`, what it is asked for by, its size in pixels if it has one."""

    name: str
    hash: str
    width: int | None
    height: int | None
    drawing: bool


class Thumb(NamedTuple):
    """A picture as it is sent."""

    content: bytes
    media_type: str


def listed(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield the names, hashes and files of the pictures in a folder."""
    paths = (p for p in sorted(files_below(folder)) if p.suffix.lower()[1:] in ENDINGS)
    number = 0
    for path in paths:
        inner = path.relative_to(folder)
        if any(part.startswith(".") for part in inner.parts) or not belongs(path, folder):
            continue
        number += 1
        if number > MOST_PICTURES:
            return
        status = path.stat()
        name = composed(inner.as_posix())
        said = f"{name}\0{status.st_size}\0{status.st_mtime_ns}"
        sum_ = blake2b(said.encode(errors="surrogatepass"), digest_size=16).hexdigest()
        yield name, sum_, path


def picture_data(name: str, sum_: str, path: Path) -> PictureData:
    """Return what is told of a picture."""
    drawing = path.suffix.lower() == ".svg"
    width, height = (None if drawing else upright_size(path)) or (None, None)
    return {"name": name, "hash": sum_, "width": width, "height": height, "drawing": drawing}


def thumb(folder: Path, sum_: str) -> Thumb | None:
    """Return a picture of a hash for an `<img>`; None if there is none, or it cannot be opened."""
    path = next((path for _, known, path in listed(folder) if known == sum_), None)
    if path is None or not is_file(path):
        return None
    if path.suffix.lower() == ".svg":
        drawn = path.read_bytes() if path.stat().st_size <= _LARGEST_DRAWING else None
        return None if drawn is None else Thumb(drawn, "image/svg+xml")
    decoded = decode(path, (_SIDE, _SIDE), None, findings=[])
    if decoded is None:
        return None
    image, lossless = decoded
    buffer = io.BytesIO()
    if lossless:
        image.save(buffer, "PNG", compress_level=3)
        return Thumb(buffer.getvalue(), "image/png")
    image.save(buffer, "JPEG", quality=85)
    return Thumb(buffer.getvalue(), "image/jpeg")
