"""The game of a run as a folder, as long as somebody prints."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deckwright.runs.archive import unpack
from deckwright.runs.plan import WORK, Plan


@contextmanager
def unpacked(plan: Plan, archive: bytes) -> Iterator[Path]:
    """Have the files of a game's archive in a folder of the run's as long as the block lasts.

    Raises:
        OSError: if they cannot be written.
    """
    game = plan.folder / WORK / f"{os.getpid()}"
    shutil.rmtree(game.parent, ignore_errors=True)
    try:
        unpack(archive, game)
        yield game
    finally:
        shutil.rmtree(game.parent, ignore_errors=True)
