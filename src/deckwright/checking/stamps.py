"""Remember what was found to be sound, so that it need not be checked again.

Laying out every face is most of the work of `deckwright check`. A stamp is an entry of the user's
cache with what was measured; its key is a hash of all that the layout depends on: the game's files,
the templates, the fonts and Deckwright's own code. Images count by name, size and time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import TypeVar

from deckwright import __version__
from deckwright.base.cache import Cache

T = TypeVar("T")


class Stamp:
    """The stamp of one state of files."""

    def __init__(self, texts: Iterable[str], files: Iterable[str]) -> None:
        """Make the stamp of `texts`, and of `files` by their paths, sizes and times."""
        digest = blake2b(__version__.encode(), digest_size=20)
        for text in texts:
            digest.update(text.encode())
            digest.update(b"\0")
        for path in sorted(files):
            try:
                status = os.stat(path)  # noqa: PTH116 - of hundreds of files
            except OSError:
                continue  # it has just gone
            digest.update(os.fsencode(path))
            digest.update(f"\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
        self._key = digest.hexdigest()
        self._cache = Cache("checked")

    def read(self, decode: Callable[[bytes], T]) -> T | None:
        """Return what was measured of this state, decoded; None if it was not set before."""
        return self._cache.read_decoded(self._key, decode)

    def set(self, measured: str) -> None:
        """Remember this state."""
        self._cache.write(self._key, measured.encode())
