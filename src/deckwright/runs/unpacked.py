"""The game of a run as a folder, as long as somebody prints."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from deckwright.runs.archive import unpack


@contextmanager
def unpacked(archive: bytes, work: Path | None = None) -> Iterator[Path]:
    """Have the files of a game's archive in a folder as long as the block lasts.

    Args:
        work: a folder that this process alone uses, which is removed before and after; a new one
            among the system's temporary folders if it is left out.

    Raises:
        OSError: if they cannot be written.
    """
    if work is None:
        work = Path(mkdtemp(prefix="deckwright-"))
    else:
        shutil.rmtree(work, ignore_errors=True)  # a process that was killed has left it
    try:
        unpack(archive, work / "game")
        yield work / "game"
    finally:
        shutil.rmtree(work, ignore_errors=True)
