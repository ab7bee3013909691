"""Opening the browser, so that nobody else on this machine sees the token.

What a program is started with, everybody can read in the list of processes: the browser is given
the name of a file that only its owner can read, and that leads on to the address.
"""

from __future__ import annotations

import html
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>Deckwright</title>
<a href="{address}">Deckwright</a>
"""
_READ = 5
"""After so many seconds a browser has read the file."""


class Opener:
    """What opens addresses in the browser."""

    def __init__(self, folder: Path) -> None:
        """Take a folder that only we can read."""
        self._file = folder / "studio.html"

    def __call__(self, address: str) -> None:
        """Open an address. Some browsers do not return until they are closed."""
        self._file.touch(mode=0o600)
        self._file.write_text(_PAGE.format(address=html.escape(address)), encoding="utf-8")
        Thread(target=webbrowser.open, args=(self._file.as_uri(),), daemon=True).start()

    def wait(self) -> None:
        """Give the browser time to read the file, for somebody who ends at once."""
        time.sleep(_READ)


@contextmanager
def opener() -> Iterator[Opener]:
    """Give what opens the browser; what it leads by is gone after the block."""
    with TemporaryDirectory(prefix="deckwright-") as folder:  # for its owner alone: mkdtemp
        yield Opener(Path(folder))
