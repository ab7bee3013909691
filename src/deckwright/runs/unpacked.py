"""The game of a run as a folder, as long as somebody prints."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir, mkdtemp

from deckwright.api.errors import GameError
from deckwright.base.findings import Location
from deckwright.base.output import E002
from deckwright.runs.archive import unpack


@contextmanager
def unpacked(archive: Path, work: Path | None = None) -> Iterator[Path]:
    """Have the files of a game's archive in a folder as long as the block lasts.

    Args:
        archive: one that `demand_sound` has nothing against.
        work: a folder that this process alone uses, which is removed before and after; a new one
            among the system's temporary folders if it is left out.

    Raises:
        GameError: if they cannot be written.
    """
    folder = work
    try:
        try:
            if folder is None:
                folder = Path(mkdtemp(prefix="deckwright-"))
            else:
                shutil.rmtree(folder, ignore_errors=True)  # a process that was killed has left it
            with archive.open("rb") as stream:
                unpack(stream, folder / "game")
        except OSError as error:
            message = f"the game of the run cannot be unpacked: {error.strerror or error}"
            hint = "make room on that disk, and see to it that the folder can be written"
            if work is None:
                hint += ", or name another for temporary files by TMPDIR"
            place = Location(folder or Path(gettempdir()))
            raise GameError([E002.at(place, message, hint)]) from None
        yield folder / "game"
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
