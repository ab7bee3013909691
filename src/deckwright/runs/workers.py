"""What a worker process does: it opens the game once, then prints shards of decks.

All that comes and goes is text and numbers, so that a worker can be anywhere.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path

from deckwright.base.progress import listen

_printer: object = None
"""What prints in this process; it has one."""


def begin(game: str, options: str, target: str, date: int) -> tuple[int, list[str]]:
    """Open a game in this process; return the process's id, and why it cannot print.

    Args:
        game, target: the folders of the game and of the run.
        options, date: those of the run.
    """
    global _printer  # noqa: PLW0603 - a worker has one
    from deckwright.runs.printing import Printer  # noqa: PLC0415 - heavy, and only in workers

    os.environ["SOURCE_DATE_EPOCH"] = str(date)
    printer = _printer = Printer(Path(game), options, Path(target))
    return os.getpid(), [] if printer.usable else [str(each) for each in printer.findings]


def print_shard(decks: Sequence[tuple[int, str, str]]) -> list[str]:
    """Print decks, each given by its number, key and line; return their lines of the manifest.

    Raises:
        OSError: if a file cannot be written.
    """
    from deckwright.runs.printing import Printer  # noqa: PLC0415 - as above

    assert isinstance(_printer, Printer)
    return [_printer.print(*deck).written() for deck in decks]


def set_up() -> None:
    """Prepare a process: who started it tells of progress, and may be gone at any moment."""
    listen(None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(parent_process(),), daemon=True).start()


def _end_with(parent: BaseProcess | None) -> None:
    if parent is not None:
        parent.join()
        os._exit(1)
