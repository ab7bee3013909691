"""Engines, which print shards of a run, and the one whose workers are processes on this machine."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

from deckwright.base.workers import CleanSpawnContext, init_worker
from deckwright.runs.plan import EngineError

WorkerSetup = tuple[str, str, str, int]
"""The setup of a worker: the game's folder, the options, the run's folder, and its date."""


class Shard(NamedTuple):
    """Decks that a worker prints together: number, key and line of each.

    Attributes:
        tries: how many workers were lost with it.
    """

    decks: tuple[tuple[int, str, str], ...]
    tries: int = 0


class PrintedShard(NamedTuple):
    """A printed shard with its lines of the manifest."""

    shard: Shard
    lines: list[str]


class LostShard(NamedTuple):
    """A shard whose worker died or was killed, with the reason."""

    shard: Shard
    reason: str


class Engine(Protocol):
    """A pool of workers. As a context manager, it ends them on exit."""

    def has_room(self) -> bool:
        """Return whether to submit another shard; the number in flight is limited."""

    def submit(self, shard: Shard) -> None:
        """Submit a shard, to be printed as soon as a worker is free."""

    def results(self) -> Iterator[PrintedShard | LostShard]:
        """Wait briefly, and yield finished shards."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


_printer: object = None
"""The printer of this worker process."""


def start_worker(game: str, options: str, target: str, date: int) -> list[str]:
    """Open a game in this process; return the errors that prevent printing.

    Args:
        game, target: the folders of the game and the run.
    """
    global _printer  # noqa: PLW0603 - a worker has one
    from deckwright.runs.worker import RunPrinter  # heavy, and only in workers

    os.environ["SOURCE_DATE_EPOCH"] = str(date)
    printer = _printer = RunPrinter(Path(game), options, Path(target))
    return [] if printer.usable else [str(each) for each in printer.findings]


def print_shard(decks: Sequence[tuple[int, str, str]]) -> list[str]:
    """Print decks, given by number, key and line; return their lines of the manifest."""
    from deckwright.runs.worker import RunPrinter

    assert isinstance(_printer, RunPrinter)
    return [_printer.print(*deck).to_json() for deck in decks]


def prepare_process() -> None:
    """Initialize a worker: the parent reports progress, and the worker ends with the parent."""
    init_worker()

    def exit_with_parent() -> None:
        if (parent := parent_process()) is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=exit_with_parent, daemon=True).start()


_SHARDS_PER_WORKER = 2
"""The shards per worker: the one being printed, and the next."""
_POLL_SECONDS = 0.2
"""How long `results` waits for a shard, in seconds."""
_MIN_OPEN_SECONDS = 120.0
"""A worker may take at least this many seconds to open the game."""
_MAX_FAILED_STARTS = 3
"""The number of failed starts in a row after which the run stops."""


class LocalEngine:
    """Processes on this machine, each with at most two shards, replaced if they die or hang.

    Each worker is a pool of one process. A larger pool is broken for good once one of its processes
    dies, and does not tell which shard that process was printing.
    """

    def __init__(self, number: int, setup: WorkerSetup, seconds: float) -> None:
        """Prepare a number of workers. Each starts when it is first needed.

        Args:
            seconds: the time limit of a shard, after which it is split in halves, down to one deck.
        """
        self._slots = [_WorkerSlot(setup, seconds) for _ in range(number)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for slot in self._slots:
            slot.end()

    def has_room(self) -> bool:
        """Return whether a worker can take a shard."""
        return any(len(slot.shards) < _SHARDS_PER_WORKER for slot in self._slots)

    def submit(self, shard: Shard) -> None:
        """Submit a shard to the worker with the fewest shards."""
        min(self._slots, key=lambda slot: len(slot.shards)).submit(shard)

    def results(self) -> Iterator[PrintedShard | LostShard]:
        """Wait briefly, and yield finished shards; raise an EngineError if workers cannot print."""
        first: list[Future[Any]] = [f for slot in self._slots if (f := slot.first) is not None]
        if first:
            wait(first, _POLL_SECONDS, FIRST_COMPLETED)
        for slot in self._slots:
            yield from slot.results()


class _WorkerSlot:
    """A worker and its queue of shards; the first one is being printed."""

    def __init__(self, setup: WorkerSetup, seconds: float) -> None:
        self._setup, self._seconds = setup, seconds
        self.shards: deque[tuple[Shard, Future[list[str]]]] = deque()
        self._pool: ProcessPoolExecutor | None = None
        self._startup: Future[list[str]] | None = None
        self._failed_starts = 0
        self._since = self._started_at = 0.0

    @property
    def first(self) -> Future[Any] | None:
        """The future to wait for, None if idle."""
        if self._startup is not None:
            return self._startup
        return self.shards[0][1] if self.shards else None

    def submit(self, shard: Shard) -> None:
        """Enqueue a shard, starting the worker if necessary."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, CleanSpawnContext(), initializer=prepare_process)
            self._startup = self._pool.submit(start_worker, *self._setup)
            self._started_at = time.monotonic()
        if not self.shards:
            self._since = time.monotonic()
        try:
            future = self._pool.submit(print_shard, shard.decks)
        except BrokenProcessPool as error:
            future = Future()
            future.set_exception(error)
        self.shards.append((shard, future))

    def results(self) -> Iterator[PrintedShard | LostShard]:
        """Yield finished and lost shards."""
        if self._startup is not None:
            if not self._startup.done():
                seconds = max(self._seconds, _MIN_OPEN_SECONDS)
                if time.monotonic() - self._started_at > seconds:
                    message = f"a worker has not opened the game after {seconds:g} seconds"
                    raise EngineError(message)
                return
            try:
                reasons = self._startup.result()
            except BrokenProcessPool:
                self._failed_starts += 1
                if self._failed_starts == _MAX_FAILED_STARTS:
                    raise EngineError("workers die as soon as they start") from None
                self._restart()
                return
            if reasons:
                raise EngineError("\n".join(reasons))
            self._startup, self._failed_starts, self._since = None, 0, time.monotonic()
        while self.shards and self.shards[0][1].done():
            shard, future = self.shards[0]
            try:
                lines = future.result()
            except BrokenProcessPool:
                yield self._lose_shard("its worker died")
                return
            except MemoryError:
                yield self._lose_shard("its worker ran out of memory")
                return
            except OSError as error:
                raise EngineError(f"decks cannot be written: {error.strerror or error}") from error
            self.shards.popleft()
            self._since = time.monotonic()
            yield PrintedShard(shard, lines)
        # The limit does not depend on the number of decks: a slow shard is split in halves.
        if self.shards and time.monotonic() - self._since > self._seconds:
            yield self._lose_shard(f"it took more than {self._seconds:g} seconds")

    def _lose_shard(self, why: str) -> LostShard:
        """Kill the worker and return its first shard as lost; a new worker takes the others."""
        shard, _ = self.shards.popleft()
        self._restart()
        return LostShard(shard, why)

    def _restart(self) -> None:
        """Restart the worker with the remaining shards."""
        self.end()
        remaining = [shard for shard, _ in self.shards]
        self.shards.clear()
        for shard in remaining:
            self.submit(shard)

    def end(self) -> None:
        """Kill the worker."""
        pool, self._pool, self._startup = self._pool, None, None
        if pool is None:
            return
        for process in [*(pool._processes or {}).values()]:  # noqa: SLF001 - public from 3.14 on
            with suppress(OSError, ValueError):
                process.kill()
        pool.shutdown(wait=True, cancel_futures=True)
