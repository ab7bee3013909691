"""Long-running work: progress, the current item, and worker processes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from deckwright.base.interrupts import defer_interrupts, raise_if_interrupted

T = TypeVar("T")

Listener = Callable[[str, int, int], None]
"""Receives what is being done, the step reached, and the total (0 if unknown)."""

_listeners: list[Listener] = []


def set_listener(listener: Listener | None) -> None:
    """Report progress to `listener` from now on; None turns reporting off."""
    _listeners[:] = [listener] if listener else []


def has_listener() -> bool:
    """Return whether progress is reported to anyone."""
    return bool(_listeners)


def report_progress(what: str, number: int, total: int) -> None:
    """Report to the listener how far the work has come."""
    for listener in _listeners:
        listener(what, number, total)


def track_progress(items: Iterable[T], what: str) -> Iterator[T]:
    """Yield items, and report progress after each."""
    total = len(items) if isinstance(items, Sized) else 0
    number = 0
    for number, item in enumerate(items, 1):
        yield item
        report_progress(what, number, total)
    if not total:
        report_progress(what, number, number)


_MAX_NAME_LENGTH, _MAX_PATH_LENGTH = 200, 1000


class WorkItem(NamedTuple):
    """The thing being worked on.

    Attributes:
        name: for messages, for example "card `HK3`".
        path: the file it is defined in, "" if there is no single one.
        ordinal: the number of its element in that file, None for the whole file.
    """

    name: str
    path: str = ""
    ordinal: int | None = None


WorkListener = Callable[[WorkItem], AbstractContextManager[None]]
"""Receives the current item; the context lasts as long as the work on it."""

_work_listeners: list[WorkListener] = []


def set_work_listener(listener: WorkListener | None) -> None:
    """Report the current item to `listener` from now on; None turns that off."""
    _work_listeners[:] = [listener] if listener else []


@contextmanager
def track_work(name: str, path: Path | None = None, ordinal: int | None = None) -> Iterator[None]:
    """Report an item as the current one within the block.

    Args:
        name: for messages, for example "card `HK3`".
        path: the file it is defined in.
        ordinal: the number of its element in that file.
    """
    if not _work_listeners:
        yield
        return
    place = os.fspath(path or "")[:_MAX_PATH_LENGTH]
    with _work_listeners[0](WorkItem(name[:_MAX_NAME_LENGTH], place, ordinal)):
        yield


class _CleanSpawnProcess(SpawnProcess):
    """A process that does not import the parent's main script."""

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:  # noqa: ANN401, N802 - as in multiprocessing
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process_obj)  # noqa: SLF001 - that is how they begin
        finally:
            sys.modules["__main__"] = script


class CleanSpawnContext(SpawnContext):
    """A multiprocessing context of `_CleanSpawnProcess`."""

    Process = _CleanSpawnProcess


R = TypeVar("R")

_function: Callable[..., Any] | None = None
"""The function that this worker calls."""


def count_cores() -> int:
    """Return the number of processors."""
    return os.cpu_count() or 1


def map_parallel(function: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """Yield the results of `function` for all items in order, computed by several processes.

    Args:
        function: runs in other processes; it, the items and the results must be picklable.

    Raises:
        Exception: whatever `function` raises.
    """
    number = min(count_cores(), len(items))
    if number < 2:  # noqa: PLR2004
        yield from map(function, items)
        return

    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415 - only where there is much to do

    # A fork starts with all modules loaded, but can deadlock if there are other threads.
    forks = sys.platform == "linux" and threading.active_count() == 1
    context = get_context("fork") if forks else CleanSpawnContext()
    pool = ProcessPoolExecutor(number, context, initializer=_init_worker, initargs=(function,))
    waiting: deque[tuple[T, Future[R] | None]] = deque()

    def first() -> R:
        item, future = waiting.popleft()
        if future is not None:
            try:
                return future.result()
            except BrokenProcessPool:
                pass
        return function(item)  # the workers have died

    try:
        for item in items:
            try:
                # A pool interrupted while its workers start would wait for them forever.
                with defer_interrupts():
                    waiting.append((item, pool.submit(_call, item)))
            except BrokenProcessPool:
                waiting.append((item, None))
            raise_if_interrupted()
            if len(waiting) > 2 * number:
                yield first()
        while waiting:
            yield first()
    finally:
        pool.shutdown(cancel_futures=True)


def _init_worker(function: Callable[..., Any]) -> None:
    """Set up a worker: its parent reports progress, and ends it on an interrupt."""
    global _function  # noqa: PLW0603 - a worker has one
    _function = function
    set_listener(None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _call(item: Any) -> Any:  # noqa: ANN401 - as the function says
    assert _function is not None
    return _function(item)
