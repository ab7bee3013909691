"""The pictures of faces that the page can ask for, by hashes of what they show."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from hashlib import blake2b

from deckwright import __version__
from deckwright.api import Face

HASH = r"[0-9a-f]{32}"
"""A hash, as a regular expression."""
BLEED = 3
"""How much is shown around a face to look at its bleed, in mm: as much as print services want."""
_MOST = 64 * 2**20
"""How many bytes of pictures are kept."""


def hash_of(face: Face) -> str:
    """Return the hash of a face: equal where two faces look the same."""
    return blake2b(f"{__version__} {face.digest}".encode(), digest_size=16).hexdigest()


class Pictures:
    """Faces as SVG. They are painted when they are first asked for, and the last ones are kept.

    Of a face that has changed, the former picture is there as long as it is kept.
    """

    def __init__(self, most: int = _MOST) -> None:
        """Begin with nothing; `most` is how many bytes are kept."""
        self._faces: dict[str, Face] = {}
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._most, self._size = most, 0

    def add(self, face: Face) -> str:
        """Take a face, and return its hash."""
        name = hash_of(face)
        self._faces[name] = face
        return name

    def keep(self, names: Iterable[str | None]) -> None:
        """Forget all faces but these; what was painted of them stays."""
        wanted = set(names)
        self._faces = {name: face for name, face in self._faces.items() if name in wanted}

    def painted(self, name: str) -> bytes | None:
        """Return a face if it has been painted; any thread may ask."""
        return self._kept.get(name)

    def svg(self, name: str) -> bytes | None:
        """Return a face as SVG, None if there is none of this hash.

        Raises:
            GameError: if one of its pictures cannot be read.
        """
        painted = self._kept.get(name)
        if painted is not None:
            self._kept.move_to_end(name)
            return painted
        face = self._faces.get(name)
        return None if face is None else self._painted(name, face)

    def paint(self, face: Face) -> str:
        """Paint a face at once, for somebody who asks for it soon; return its hash.

        Raises:
            GameError: if one of its pictures cannot be read.
        """
        name = hash_of(face)
        if name not in self._kept:
            self._painted(name, face)
        return name

    def _painted(self, name: str, face: Face) -> bytes:
        painted = self._kept[name] = face.svg().encode()
        self._size += len(painted)
        while self._size > self._most and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])
        return painted

    def bled(self, name: str) -> bytes | None:
        """Return a face with its bleed as SVG, None if there is none of this hash.

        Raises:
            GameError: if one of its pictures cannot be read.
        """
        face = self._faces.get(name)
        return None if face is None else face.svg(bleed=BLEED).encode()
