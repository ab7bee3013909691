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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import IO, Literal, NamedTuple, NoReturn, TypeVar

from deckwright import progress
from deckwright.diagnostics import Report

R = TypeVar("R", bound=Report)

CAN_GUARD = hasattr(os, "fork") and sys.platform != "darwin"
"""Whether work is guarded. Libraries of macOS do not outlive the copying of a process."""

_BOARD = 4096
"""How many bytes there are to write down what is being worked on."""
_PATIENCE = 2.0
"""Seconds that a child has to tidy up after an interrupt."""
_PAUSE = 0.05
"""Seconds after which a child tells again how far it has come."""


class Budget(NamedTuple):
    """What a child may take.

    Attributes:
        seconds: of CPU time, of all its threads together.
        megabytes: of memory, besides what it has from its parent.
    """

    seconds: int
    megabytes: int


class Work(NamedTuple):
    """Something that is being worked on.

    Attributes:
        name: how to speak of it, for example "card `HK3`".
        path: the file that it stands in, "" if it stands in no one file.
        ordinal: the number of its element in that file, None for the file as a whole.
    """

    name: str
    path: str = ""
    ordinal: int | None = None


class Ended(NamedTuple):
    """Why a child was ended, and what it was working on, the inmost last."""

    reason: Literal["time", "memory", "crash"]
    doing: tuple[Work, ...]


class _Fault(NamedTuple):
    """An exception that has ended a child.

    Attributes:
        pickled: the exception itself, where it can be sent.
        name, text: its type and what it says.
    """

    pickled: bytes | None
    name: str
    text: str
    traceback: str


_End = Literal["", "done", "starved"] | _Fault
"""How a child has ended, "" if it has not."""


class _Told(NamedTuple):
    """What a child sends: findings that are new, how it has ended, and how far it has come."""

    findings: Report
    end: _End = ""
    progress: tuple[str, int, int] | None = None


class _Child:
    """The side of the child: what it sends and writes down."""

    def __init__(self, pipe: IO[bytes], board: memoryview, report: Report) -> None:
        self._pipe = pipe
        self._board = board
        self._report = report
        self._sent = len(report)
        self._sending = Lock()
        self._shown = 0.0
        self._parent = os.getppid()
        self._doing: dict[object, Work] = {}
        self._starving: MemoryError | None = None

    @contextmanager
    def doing(self, work: Work) -> Iterator[None]:
        """Write down what is being worked on within a block."""
        key = object()
        self._starving = None  # if anything has, it was dealt with
        self._doing[key] = work
        self._write()
        self._send_new()
        try:
            yield
        except MemoryError as error:
            # What the block was about stays on the board.
            self._starving = self._starving or error
            raise
        finally:
            del self._doing[key]
            if self._starving is None:
                self._write()

    def _write(self) -> None:
        """Write down what is being worked on; where there is no room for all, the inmost."""
        doing = tuple(self._doing.values())
        while len(data := pickle.dumps(doing)) > _BOARD:
            doing = doing[1:]
        self._board[: len(data)] = data

    def _send_new(self) -> None:
        """Send findings, if there are new ones; without a parent, end."""
        if len(self._report) > self._sent:
            self.send()
        if os.getppid() != self._parent:
            os._exit(1)

    def send(self, end: _End = "", progress: tuple[str, int, int] | None = None) -> None:
        """Send the findings that are new, how the work has ended, or how far it has come."""
        with self._sending:
            pickle.dump(_Told(self._report[self._sent :], end, progress), self._pipe)
            self._pipe.flush()
            self._sent = len(self._report)

    def show(self, what: str, number: int, total: int) -> None:
        """Send how far the work has come, unless that was sent just now."""
        now = monotonic()
        if number == total or now - self._shown > _PAUSE:
            self._shown = now
            self.send(progress=(what, number, total))


_child: _Child | None = None
"""What this process tells its parent, if it is a child."""


@contextmanager
def doing(name: str, path: Path | None = None, ordinal: int | None = None) -> Iterator[None]:
    """Say what is being worked on within a block, for the case that it takes too much.

    Args:
        name: how to speak of it, for example "card `HK3`".
        path: the file that it stands in.
        ordinal: the number of its element in that file.
    """
    if _child is None:
        yield
        return
    with _child.doing(Work(name[:200], os.fspath(path or "")[:1000], ordinal)):
        yield


def guarded(work: Callable[[R], None], report: R, budget: Budget) -> Ended | None:
    """Do work that appends what it finds to a report, in a child with limits.

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

    with mmap.mmap(-1, _BOARD) as board:
        receiving, sending = os.pipe()
        child = _fork()
        if child == 0:
            os.close(receiving)
            _be_child(work, report, budget, sending, board)
        os.close(sending)
        with os.fdopen(receiving, "rb") as pipe:
            try:
                end = _listen(pipe, report)
                status = os.waitpid(child, 0)[1]
            except BaseException:
                _stop(child)
                raise
        if end == "done":
            return None
        if isinstance(end, _Fault):
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


def _be_child(
    work: Callable[[R], None], report: R, budget: Budget, sending: int, board: object
) -> NoReturn:
    """Work within limits, send what comes of it, and end."""
    global _child  # noqa: PLW0603 - this process has this one purpose
    code = 1
    try:
        import gc  # noqa: PLC0415 - as above

        gc.freeze()  # what the parent has stays
        _limit(budget)
        pipe = os.fdopen(sending, "wb")
        _child = _Child(pipe, memoryview(board), report)  # type: ignore[arg-type]
        if progress.is_heard():
            progress.listen(_child.show)
        try:
            work(report)
        except MemoryError:
            _child.send("starved")
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - raised again in the parent
            _child.send(_fault(error))
        else:
            _child.send("done")
        code = 0
    finally:
        # Nothing of what the parent does at its end may be done twice.
        os._exit(code)


def _limit(budget: Budget) -> None:
    """Set the limits of this process."""
    import resource  # noqa: PLC0415 - not on every system

    _lower(resource.RLIMIT_CPU, budget.seconds, budget.seconds + 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, IndexError, ValueError):  # only Linux counts all memory, and tells
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
        most = pages * resource.getpagesize() + (budget.megabytes << 20)
        _lower(resource.RLIMIT_DATA, most, most)


def _lower(what: int, soft: int, hard: int) -> None:
    """Lower a limit, unless it is as low already."""
    import resource  # noqa: PLC0415 - not on every system

    def lower(new: int, old: int) -> int:
        return new if old == resource.RLIM_INFINITY else min(new, old)

    old_soft, old_hard = resource.getrlimit(what)
    resource.setrlimit(what, (lower(soft, old_soft), lower(hard, old_hard)))


def _listen(pipe: IO[bytes], report: Report) -> _End:
    """Take what a child sends until it ends; return how it has ended, "" if it does not say."""
    end: _End = ""
    with suppress(EOFError, pickle.UnpicklingError):
        while True:
            told: _Told = pickle.load(pipe)  # noqa: S301 - from our own child
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


def _reason(status: int) -> Literal["time", "memory", "crash"]:
    """Return why a child has ended that does not say so."""
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
    return "time" if late else "crash"


def _fault(error: BaseException) -> _Fault:
    import traceback  # noqa: PLC0415 - only for our own faults

    pickled = None
    with suppress(Exception):
        pickled = pickle.dumps(error)
        pickle.loads(pickled)  # noqa: S301 - some cannot be read back
    text = "".join(traceback.format_exception(error))
    return _Fault(pickled, type(error).__name__, str(error), text)


def _exception(fault: _Fault) -> BaseException:
    """Return the exception that has ended a child, with the child's traceback."""
    error: BaseException = type(fault.name, (RuntimeError,), {})(fault.text)
    if fault.pickled is not None:
        with suppress(Exception):
            error = pickle.loads(fault.pickled)  # noqa: S301 - from our own child
    error.add_note(fault.traceback)
    return error
