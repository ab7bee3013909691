"""Remember what was found to be sound, so that it need not be checked again.

Laying out every face is most of the work of `deckwright check`. A stamp is a file in the user's
cache folder with what was measured; its name is a hash of all that the layout depends on: the
game's files, the templates, the fonts and Deckwright's own code. Images count by name, size and
time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from deckwright import __version__
from deckwright.files import cache_folder

_MAX_AGE_SECONDS = 30 * 24 * 3600


class Stamp:
    """The stamp of one state of files."""

    def __init__(self, texts: Iterable[str], files: Iterable[Path]) -> None:
        """Make the stamp of `texts`, and of `files` by their names, sizes and times."""
        digest = blake2b(__version__.encode(), digest_size=20)
        for text in texts:
            digest.update(text.encode())
            digest.update(b"\0")
        for path in sorted(files):
            try:
                status = path.stat()
            except OSError:
                continue  # it has just gone
            digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
        self._path = cache_folder() / "checked" / digest.hexdigest()

    def read(self) -> str | None:
        """Return what was measured of this state; None if it was not set before."""
        try:
            return self._path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def set(self, measured: str) -> None:
        """Remember this state; forget those of long ago. A cache that cannot be kept is none."""
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(measured, encoding="utf-8")
            limit = time.time() - _MAX_AGE_SECONDS
            for other in self._path.parent.iterdir():
                if other.stat().st_mtime < limit:
                    other.unlink()
