"""Run work on files of strangers in a child process, which is ended if it takes too much.

Templates, drawings, pictures and fonts are programs and data that somebody else has written, and
the libraries that read them can be made to run for ever or to fill the memory. The child sends what
it finds through a pipe, and writes down what it is working on, so that there is something to say if
it does not come back.

Where a process cannot be copied, or not safely, the work is done in this one, without limits.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from typing import IO, Literal, NamedTuple

from deckwright.base import progress
from deckwright.base.findings import Report
from deckwright.base.work import Work
from deckwright.checking import ward
from deckwright.checking.ward import Budget, End, Fault, R, Told

CAN_GUARD = hasattr(os, "fork") and sys.platform != "darwin"
"""Whether work is guarded. Libraries of macOS do not outlive the copying of a process."""

_PATIENCE = 2.0
"""Seconds that a child has to tidy up after an interrupt."""


class Ended(NamedTuple):
    """Why a child was ended, and what it was working on, the inmost last."""

    reason: Literal["time", "memory", "crash"]
    doing: tuple[Work, ...]


def guarded(work: Callable[[R], None], report: R, budget: Budget | None) -> Ended | None:
    """Do work that appends what it finds to a report, in a child.

    Args:
        budget: what the child may take, None for as much as it likes.

    Returns:
        why it was ended before its time; None if it was not. What it had found until then is in
        the report all the same.

    Raises:
        Exception: what the work raises.
    """
    if not CAN_GUARD:
        work(report)
        return None

    import mmap  # noqa: PLC0415 - only where something is laid out

    with mmap.mmap(-1, ward.BOARD) as board:
        held = ward.HeldInterrupts()
        receiving, sending = os.pipe()
        try:
            child = _fork()
        except OSError:  # there may be no room for another process
            os.close(receiving)
            os.close(sending)
            held.release()
            work(report)
            return None
        if child == 0:
            os.close(receiving)
            ward.live(work, report, budget, ward.Line(sending, memoryview(board), held))
        os.close(sending)
        with os.fdopen(receiving, "rb") as pipe:
            try:
                held.release()
                end = _listen(pipe, report)
                status = os.waitpid(child, 0)[1]
            except BaseException:
                _stop(child)
                raise
        if end == "done":
            return None
        if isinstance(end, Fault):
            raise _exception(end)
        doing: tuple[Work, ...] = ()
        with suppress(Exception):  # it may have been ended while it wrote
            doing = pickle.loads(board[:])  # noqa: S301 - from our own child
    return Ended("memory" if end == "starved" else _reason(status), doing)


def _fork() -> int:
    import warnings  # noqa: PLC0415 - as above

    with warnings.catch_warnings():
        # Python warns where there are threads: another one may hold a lock, for ever in the child.
        # Deckwright has none here.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _listen(pipe: IO[bytes], report: Report) -> End:
    """Take what a child sends until it ends; return how it has ended, "" if it does not say."""
    end: End = ""
    with suppress(EOFError, pickle.UnpicklingError):
        while True:
            told: Told = pickle.load(pipe)  # noqa: S301 - from our own child
            report.extend(told.findings)
            end = told.end
            if told.progress is not None:
                progress.tell(*told.progress)
    return end


def _stop(child: int) -> None:
    """End a child, which may have something to tidy up, and wait for its end."""
    until = monotonic() + _PATIENCE
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGTERM)
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            if monotonic() > until:
                os.kill(child, signal.SIGKILL)
            sleep(0.01)


def _reason(status: int) -> Literal["time", "crash"]:
    """Return why a child has ended that does not say so."""
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
    return "time" if late else "crash"


def _exception(fault: Fault) -> BaseException:
    """Return the exception that has ended a child, with the child's traceback."""
    error: BaseException = type(fault.name, (RuntimeError,), {})(fault.text)
    if fault.pickled is not None:
        with suppress(Exception):
            error = pickle.loads(fault.pickled)  # noqa: S301 - from our own child
    error.add_note(fault.traceback)
    return error
