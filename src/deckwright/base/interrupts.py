"""Handle Ctrl-C and SIGTERM at any moment but during an import.

This module imports next to nothing, so that programs can install the handlers first.
"""

from __future__ import annotations

import _thread
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_RETRY_SECONDS = 0.01
"""The delay before a deferred interrupt is sent again."""

_pending: list[int] = []
_holds: list[object] = []


def record_interrupts() -> None:
    """Record SIGINT (Ctrl-C) and SIGTERM, and raise KeyboardInterrupt for them.

    Within `defer_interrupts` they are only recorded. During an import they wait for its end: a C
    library interrupted during its initialization raises ImportError, SystemError or nothing, and
    stays broken. A recorded interrupt keeps `write_atomically` from finishing even if a library
    swallows the exception.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _record)


def ignore_interrupts() -> None:
    """Ignore SIGINT and SIGTERM: the program is already ending."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def clear_interrupts() -> None:
    """Forget recorded interrupts that were not meant to end the program."""
    _pending.clear()


def raise_if_interrupted() -> None:
    """Raise KeyboardInterrupt if an interrupt was recorded."""
    if _pending:
        raise KeyboardInterrupt


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Only record interrupts until the block ends."""
    _holds.append(None)
    try:
        yield
    finally:
        _holds.pop()


def _record(number: int, frame: FrameType | None) -> None:
    _pending.append(number)
    if _holds:
        return
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            _thread.start_new_thread(_send_again, (number,))
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def _send_again(number: int) -> None:
    time.sleep(_RETRY_SECONDS)
    _thread.interrupt_main(signal.Signals(number))
