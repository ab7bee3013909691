"""Workers on this machine: processes that are replaced when they die or hang.

Each worker is a pool of one process: a pool of several is broken for good by the death of one of
them, and does not tell which shard it was printing.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Self

from deckwright.base.processes import Spawning, listen
from deckwright.runs.engine import Beginning, Done, EngineError, Lost, Shard

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


_IN_FLIGHT = 2
"""How many shards a worker has at a time: the one that it prints, and the next."""
_MOMENT = 0.2
"""How long `results` waits, in seconds."""
_OPENING = 120.0
"""How many seconds a worker may take at least to open the game."""
_BEGINNINGS = 3
"""How often workers may fail to begin, one after the other."""


class LocalEngine:
    """So many processes, each with at most two shards."""

    def __init__(self, number: int, begin: Beginning, seconds: float) -> None:
        """Prepare workers; each begins when it is first needed.

        Args:
            number: how many.
            begin: what `workers.begin` takes.
            seconds: how long a shard may take before it comes back in halves, and at last a deck.
        """
        self._slots = [_Slot(begin, seconds) for _ in range(number)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for slot in self._slots:
            slot.end()

    def room(self) -> bool:
        """Return whether a worker has room for a shard."""
        return any(len(slot.shards) < _IN_FLIGHT for slot in self._slots)

    def give(self, shard: Shard) -> None:
        """Give a shard to the worker with the fewest."""
        min(self._slots, key=lambda slot: len(slot.shards)).give(shard)

    def results(self) -> Iterator[Done | Lost]:
        """Wait a moment, and yield what has come back.

        Raises:
            EngineError: if workers cannot begin, or a file cannot be written.
        """
        first: list[Future[Any]] = [f for slot in self._slots if (f := slot.first) is not None]
        if first:
            wait(first, _MOMENT, FIRST_COMPLETED)
        for slot in self._slots:
            yield from slot.results()


class _Slot:
    """A worker, with the shards that it has, the one that it prints first."""

    def __init__(self, begin: Beginning, seconds: float) -> None:
        self._begin, self._seconds = begin, seconds
        self.shards: deque[tuple[Shard, Future[list[str]]]] = deque()
        self._pool: ProcessPoolExecutor | None = None
        self._beginning: Future[tuple[int, list[str]]] | None = None
        self._failed = 0
        self._since = self._called = 0.0

    @property
    def first(self) -> Future[Any] | None:
        """What is to be waited for, None if there is nothing."""
        if self._beginning is not None:
            return self._beginning
        return self.shards[0][1] if self.shards else None

    def give(self, shard: Shard) -> None:
        """Take a shard."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, Spawning(), initializer=set_up)
            self._beginning = self._pool.submit(begin, *self._begin)
            self._called = time.monotonic()
        if not self.shards:
            self._since = time.monotonic()
        try:
            future = self._pool.submit(print_shard, shard.decks)
        except BrokenProcessPool as error:
            future = Future()
            future.set_exception(error)
        self.shards.append((shard, future))

    def results(self) -> Iterator[Done | Lost]:
        """Yield what has come back."""
        if self._beginning is not None and not self._begun():
            return
        while self.shards and self.shards[0][1].done():
            shard, future = self.shards[0]
            try:
                lines = future.result()
            except BrokenProcessPool:
                yield self._lost("its worker died")
                return
            except MemoryError:
                yield self._lost("its worker ran out of memory")
                return
            except OSError as error:
                raise EngineError(f"decks cannot be written: {error.strerror or error}") from error
            self.shards.popleft()
            self._since = time.monotonic()
            yield Done(shard, lines)
        # As long for many decks as for one: a shard that takes longer comes back in halves.
        if self.shards and time.monotonic() - self._since > self._seconds:
            yield self._lost(f"it took more than {self._seconds:g} seconds")

    def _begun(self) -> bool:
        """Return whether the worker has begun."""
        beginning = self._beginning
        assert beginning is not None
        if not beginning.done():
            seconds = max(self._seconds, _OPENING)
            if time.monotonic() - self._called > seconds:
                raise EngineError(f"a worker has not opened the game after {seconds:g} seconds")
            return False
        self._beginning = None
        try:
            _, reasons = beginning.result()
        except BrokenProcessPool:
            self._failed += 1
            if self._failed == _BEGINNINGS:
                raise EngineError("workers die as soon as they begin") from None
            self._again()
            return False
        if reasons:
            raise EngineError("\n".join(reasons))
        self._failed = 0
        self._since = time.monotonic()
        return True

    def _lost(self, why: str) -> Lost:
        """End the worker; what it was printing is lost, the rest is for the next one."""
        shard, _ = self.shards.popleft()
        self._again()
        return Lost(shard, why)

    def _again(self) -> None:
        """Begin again with the shards that are left."""
        self.end()
        left = [shard for shard, _ in self.shards]
        self.shards.clear()
        for shard in left:
            self.give(shard)

    def end(self) -> None:
        """End the worker, whatever it is doing."""
        pool, self._pool, self._beginning = self._pool, None, None
        if pool is None:
            return
        for process in [*(pool._processes or {}).values()]:  # noqa: SLF001 - public from 3.14 on
            with suppress(OSError, ValueError):
                process.kill()
        pool.shutdown(wait=True, cancel_futures=True)
