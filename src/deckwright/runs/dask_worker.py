"""What a Dask worker does for a run: it gets the game once, and gives files back as bytes.

It needs no folder in common with who prints the run. Its own folder, which Dask gives and removes,
has the game and what it is printing.
"""

from __future__ import annotations

import faulthandler
import shutil
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from threading import Lock

from distributed import Worker, WorkerPlugin

from deckwright import __version__
from deckwright.base.dates import dated
from deckwright.base.progress import listen
from deckwright.runs.archive import unpack
from deckwright.runs.printing import Printer

Printed = tuple[list[str], dict[str, bytes]]
"""Lines of the manifest, and the files that they name."""


class Game(WorkerPlugin):  # type: ignore[misc] # Dask has no types
    """A game, which the scheduler gives to each worker, and to those that come later."""

    def __init__(self, name: str, archive: bytes, options: str, date: int) -> None:
        """Prepare it.

        Args:
            name: what shards call it.
            archive: its files.
            options, date: those of the run.
        """
        self.name = name
        self._archive, self._options, self._date = archive, options, date

    def setup(self, worker: Worker) -> None:
        """Write the files into the worker's folder; they are read when the first shard comes."""
        folder = Path(worker.local_directory) / self.name
        unpack(BytesIO(self._archive), folder / "game")
        _desks[self.name] = _Desk(folder, self._options, self._date)

    def teardown(self, worker: Worker) -> None:
        """Remove them."""
        _desks.pop(self.name, None)
        shutil.rmtree(Path(worker.local_directory) / self.name, ignore_errors=True)


class _Desk:
    """Where the decks of a run are printed, one at a time."""

    def __init__(self, folder: Path, options: str, date: int) -> None:
        self._folder, self._options, self._date = folder, options, date
        self._printer: Printer | None = None

    def print(self, decks: Sequence[tuple[int, str, str]]) -> Printed | str:
        with dated(self._date):
            if self._printer is None:
                listen(None)
                self._printer = Printer(self._folder / "game", self._options, self._folder)
            if not self._printer.usable:
                return "\n".join(map(str, self._printer.findings))
            records = [self._printer.print(*deck) for deck in decks]
        files: dict[str, bytes] = {}
        for name, _, _ in (file for record in records for file in record.files):
            files[name] = (self._folder / name).read_bytes()
            (self._folder / name).unlink()
        return [record.written() for record in records], files


_desks: dict[str, _Desk] = {}
_one = Lock()
"""A worker may have several threads; decks are printed by one at a time."""


def print_shard(
    name: str, version: str, seconds: float, decks: Sequence[tuple[int, str, str]]
) -> Printed | str:
    """Print decks; return what is printed, or why this worker cannot print any.

    Args:
        name: that of the game.
        version: of Deckwright, which must be this one.
        seconds: how long it may take; then the process ends itself, and Dask replaces it.
        decks: each the number, the key and the line.

    Raises:
        OSError: if the worker's folder cannot be written.
    """
    if version != __version__:
        return f"a worker has Deckwright {__version__}, and the run needs {version}"
    desk = _desks.get(name)
    if desk is None:
        return "a worker has not got the game"
    with _one:
        # Not by Python's own means: what hangs may never let another thread go on.
        faulthandler.dump_traceback_later(seconds, exit=True)
        try:
            return desk.print(decks)
        finally:
            faulthandler.cancel_dump_traceback_later()
