"""Work spread over all cores, in processes of their own."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from deckwright.base.interrupts import end_if_interrupted, hold_interrupts
from deckwright.base.progress import listen

T = TypeVar("T")
R = TypeVar("R")

_function: Callable[..., Any] | None = None
"""What a worker calls."""


def cores() -> int:
    """Return how many processors there are."""
    return os.cpu_count() or 1


def spread(function: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """Yield what `function` returns for each item, in order; several are made at a time.

    Args:
        function: is called in other processes, so that it, items and results must go there and
            back by pickle.

    Raises:
        Exception: what `function` raises.
    """
    number = min(cores(), len(items))
    if number < 2:  # noqa: PLR2004
        yield from map(function, items)
        return

    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415 - only where there is much to do

    from deckwright.base.spawning import Spawning  # noqa: PLC0415

    # A fork has all that is loaded; beside other threads it could stand still.
    forks = sys.platform == "linux" and threading.active_count() == 1
    context = get_context("fork") if forks else Spawning()
    pool = ProcessPoolExecutor(number, context, initializer=_begin, initargs=(function,))
    waiting: deque[tuple[T, Future[R] | None]] = deque()

    def first() -> R:
        item, future = waiting.popleft()
        if future is not None:
            try:
                return future.result()
            except BrokenProcessPool:
                pass
        return function(item)  # the workers are gone

    try:
        for item in items:
            try:
                # A pool that is interrupted while its workers start waits for them for ever.
                with hold_interrupts():
                    waiting.append((item, pool.submit(_call, item)))
            except BrokenProcessPool:
                waiting.append((item, None))
            end_if_interrupted()
            if len(waiting) > 2 * number:
                yield first()
        while waiting:
            yield first()
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(function: Callable[..., Any]) -> None:
    """Set a worker up: whoever started it tells of progress, and ends it when interrupted."""
    global _function  # noqa: PLW0603 - a worker has one
    _function = function
    listen(None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _call(item: Any) -> Any:  # noqa: ANN401 - as the function says
    assert _function is not None
    return _function(item)
