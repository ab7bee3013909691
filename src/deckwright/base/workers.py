"""Worker processes. This module imports much, so only what starts workers imports it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from multiprocessing import get_context
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any, TypeVar

from deckwright.base.interrupts import defer_interrupts, raise_if_interrupted
from deckwright.base.processes import set_listener


class _CleanSpawnProcess(SpawnProcess):
    """A process that does not import the parent's main script."""

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:  # noqa: N802 - as in multiprocessing
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process_obj)  # noqa: SLF001 - multiprocessing starts them so
        finally:
            sys.modules["__main__"] = script


class CleanSpawnContext(SpawnContext):
    """A multiprocessing context of `_CleanSpawnProcess`."""

    Process = _CleanSpawnProcess


T = TypeVar("T")
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
    if number < 2:
        yield from map(function, items)
        return

    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    # A fork starts with all modules loaded, but can deadlock if there are other threads.
    forks = sys.platform == "linux" and threading.active_count() == 1
    context = get_context("fork") if forks else CleanSpawnContext()
    pool = ProcessPoolExecutor(number, context, initializer=init_worker, initargs=(function,))
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


def init_worker(function: Callable[..., Any] | None = None) -> None:
    """Set up a worker: its parent reports progress, and ends it on an interrupt.

    Args:
        function: what it calls for each item of `map_parallel`.
    """
    global _function  # noqa: PLW0603 - a worker has one
    _function = function
    set_listener(None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _call(item: Any) -> Any:  # what the function takes and returns
    assert _function is not None
    return _function(item)
