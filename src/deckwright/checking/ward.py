"""The child of `guard`: works within limits, and reports the outcome to its parent."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import IO, Any, Literal, NamedTuple, NoReturn, TypeVar

from deckwright.base import progress
from deckwright.base.findings import Report
from deckwright.base.work import Work, listen

R = TypeVar("R", bound=Report)

BOARD = 4096
"""How many bytes there are to write down what is being worked on."""
_LEAST, _RESERVE = 100, 16
"""How many megabytes a child may take in any case, and how many more to tell of its end."""
_PAUSE = 0.05
"""Seconds after which a child reports its progress again."""


class Budget(NamedTuple):
    """What a child may take.

    Attributes:
        seconds: of CPU time, of all its threads together.
        megabytes: of memory, with what it has from its parent.
    """

    seconds: int
    megabytes: int


STRANGERS = Budget(40, 512)
"""What the layout of a stranger's game may take unless told otherwise: ten times as long as the
largest of the games that come with Deckwright, and four times as much memory."""


class Fault(NamedTuple):
    """An exception that has ended a child.

    Attributes:
        pickled: the exception itself, where it can be sent.
        name, text: its type and what it says.
    """

    pickled: bytes | None
    name: str
    text: str
    traceback: str


End = Literal["", "done", "starved"] | Fault
"""How a child has ended, "" if it has not."""


class Told(NamedTuple):
    """What a child sends: findings that are new, how it has ended, and how far it has come."""

    findings: Report
    end: End = ""
    progress: tuple[str, int, int] | None = None


class Child:
    """What this process reports to its parent: through a pipe, and on a board that both see.

    The board costs nothing to write on, and can be read when the child is gone.
    """

    def __init__(self, pipe: IO[bytes], board: memoryview, report: Report) -> None:
        """Tell what comes to `report` from now on."""
        self._pipe = pipe
        self._board = board
        self._report = report
        self._sent = len(report)
        self._sending = Lock()
        self._shown = 0.0
        self._parent = os.getppid()
        self._doing: dict[object, Work] = {}
        self._starving = False

    @contextmanager
    def doing(self, work: Work) -> Iterator[None]:
        """Write down what is being worked on within a block."""
        key = object()
        self._starving = False  # if memory was short before, that was dealt with
        self._doing[key] = work
        self._write()
        if len(self._report) > self._sent:
            self.send()
        if os.getppid() != self._parent:
            os._exit(1)
        try:
            yield
        except MemoryError:
            self._starving = True
            raise
        finally:
            del self._doing[key]
            if not self._starving:  # then what the block was about stays on the board
                self._write()

    def _write(self) -> None:
        """Write down what is being worked on; where there is no room for all, the inmost."""
        doing = tuple(self._doing.values())
        while len(data := pickle.dumps(doing)) > BOARD:
            doing = doing[1:]
        self._board[: len(data)] = data

    def send(self, end: End = "", progress: tuple[str, int, int] | None = None) -> None:
        """Send the findings that are new, how the work has ended, or how far it has come."""
        with self._sending:
            pickle.dump(Told(self._report[self._sent :], end, progress), self._pipe)
            self._pipe.flush()
            self._sent = len(self._report)

    def show(self, what: str, number: int, total: int) -> None:
        """Send how far the work has come, unless that was sent just now."""
        now = monotonic()
        if number == total or now - self._shown > _PAUSE:
            self._shown = now
            self.send(progress=(what, number, total))


class HeldInterrupts:
    """Interrupts that wait until they are released: none may come between a child and its end.

    To mask signals would not do, for another thread may take them.
    """

    def __init__(self) -> None:
        """Hold them from now on; in a thread that gets none there is nothing to hold."""
        self._noted: list[int] = []
        self._handlers: dict[int, Any] = {}
        with suppress(ValueError):
            for number in (signal.SIGINT, signal.SIGTERM):
                self._handlers[number] = signal.signal(number, lambda n, _: self._noted.append(n))

    def release(self) -> None:
        """Let them through again, also those that have come in the meantime."""
        for number, handler in self._handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for number in self._noted:
            signal.raise_signal(number)


class Line(NamedTuple):
    """What a child has from its parent: a pipe, a board, and interrupts to let through."""

    sending: int
    board: memoryview
    held: HeldInterrupts


def live(work: Callable[[R], None], report: R, budget: Budget | None, line: Line) -> NoReturn:
    """Work, within limits if there are any, send what comes of it, and end."""
    try:
        import gc  # noqa: PLC0415 - not needed by every run

        gc.freeze()  # what the parent has made stays
        if budget is not None:
            _limit(budget)
        if not _done(work, report, line):
            gc.collect()  # what removes its files when it is no longer used
    finally:
        # Nothing of what the parent does at its end may be done twice.
        os._exit(0)


def _done(work: Callable[[R], None], report: R, line: Line) -> bool:
    """Work, and send what comes of it; return whether it came to its end."""
    child = Child(os.fdopen(line.sending, "wb"), line.board, report)
    if progress.is_heard():
        progress.listen(child.show)
        listen(child.doing)
    end: End = "starved"
    try:
        line.held.release()
        work(report)
        end = "done"
    except MemoryError:
        _relieve()
    except KeyboardInterrupt:
        return False  # the parent knows
    except BaseException as error:  # noqa: BLE001 - raised again in the parent
        _relieve()
        end = _fault(error)
    child.send(end)
    return end == "done"


def _limit(budget: Budget) -> None:
    """Set the limits of this process."""
    import resource  # noqa: PLC0415 - not on every system

    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    _lower(resource.RLIMIT_CPU, budget.seconds, budget.seconds + 1)
    _lower(resource.RLIMIT_CORE, 0, 0)
    with suppress(OSError, IndexError, ValueError):  # only Linux counts all memory, and tells
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
        least = pages * resource.getpagesize() + (_LEAST << 20)
        most = max(least, budget.megabytes << 20)
        _lower(resource.RLIMIT_DATA, most, most + (_RESERVE << 20))


def _relieve() -> None:
    """Take the memory that is left for telling how the work has ended."""
    import resource  # noqa: PLC0415 - not on every system

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def _lower(what: int, soft: int, hard: int) -> None:
    """Lower a limit, unless it is as low already."""
    import resource  # noqa: PLC0415 - not on every system

    def lower(new: int, old: int) -> int:
        return new if old == resource.RLIM_INFINITY else min(new, old)

    old_soft, old_hard = resource.getrlimit(what)
    resource.setrlimit(what, (lower(soft, old_soft), lower(hard, old_hard)))


def _fault(error: BaseException) -> Fault:
    import traceback  # noqa: PLC0415 - only for our own faults

    pickled = None
    with suppress(Exception):
        pickled = pickle.dumps(error)
        pickle.loads(pickled)  # noqa: S301 - some cannot be read back
    text = "".join(traceback.format_exception(error))
    return Fault(pickled, type(error).__name__, str(error), text)
