"""Ctrl-C and SIGTERM: heard at any moment, and never in the middle of an import.

It imports next to nothing, so that programs can listen from their first line on.
"""

from __future__ import annotations

import _thread
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_RETRY_SECONDS = 0.01
"""An interrupt that must wait comes again after so many seconds."""

_pending: list[int] = []
_holds: list[object] = []


def record_interrupts() -> None:
    """Have SIGINT (Ctrl-C) and SIGTERM noted, besides raising KeyboardInterrupt.

    In a block of `defer_interrupts` they are only noted. During an import they wait for its end: a
    library in C that is interrupted while it starts makes it an ImportError, a SystemError or
    nothing, and is broken from then on. What is noted keeps `write_atomically` from finishing, even
    where a library swallows the exception.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _record)


def ignore_interrupts() -> None:
    """Take no more SIGINT and SIGTERM: the program is ending anyway."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def clear_interrupts() -> None:
    """Forget what is noted, where an interrupt was no wish to end the whole program."""
    _pending.clear()


def raise_if_interrupted() -> None:
    """Raise KeyboardInterrupt if an interrupt is noted."""
    if _pending:
        raise KeyboardInterrupt


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Have interrupts noted only, until the block ends."""
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
