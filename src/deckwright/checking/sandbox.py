"""Process untrusted files in a child process, within limits of time and memory.

Templates, drawings, pictures and fonts of strangers can make libraries run forever or exhaust the
memory. The child sends its findings and its current work through a pipe, so that there is something
to report if the system kills it at its limits.

Where forking is impossible or unsafe, the work runs in this process, within a time limit only.
"""

from __future__ import annotations

import _thread
import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, process_time, sleep
from typing import IO, Any, Literal, NamedTuple, NoReturn, TypeVar

from deckwright.base import processes
from deckwright.base.findings import Report
from deckwright.base.interrupts import clear_interrupts
from deckwright.base.processes import WorkItem, set_work_listener

R = TypeVar("R", bound=Report)

CAN_FORK = hasattr(os, "fork") and sys.platform != "darwin"
"""Whether work runs in a child process. Libraries of macOS do not survive a fork."""

_MIN_MEGABYTES, _RESERVE_MEGABYTES = 100, 16
"""The minimum memory of a child, and the reserve for reporting its end, in megabytes."""
_GRACE_SECONDS = 2.0
"""The time for a child to clean up after an interrupt, in seconds."""
_POLL_SECONDS = 0.05
"""The interval for checking the time and reporting progress, in seconds."""


class Limits(NamedTuple):
    """The resource limits of work.

    Attributes:
        seconds: the CPU time of all threads together.
        megabytes: the memory, including that inherited from the parent.
    """

    seconds: int
    megabytes: int


UNTRUSTED_LIMITS = Limits(20, 512)
"""The default limits for untrusted games: five times the time and four times the memory of the
largest bundled game."""


class EarlyEnd(NamedTuple):
    """The reason why work ended early, and the work in progress, innermost last."""

    reason: Literal["time", "memory", "crash"]
    works: tuple[WorkItem, ...]


class _Message(NamedTuple):
    """A message of a child.

    Attributes:
        findings: the new findings.
        doing: the work in progress.
        progress: the progress, if it is time to report it.
        end: how the work ended, if it has; an exception is one that it raised.
    """

    findings: Report = []  # noqa: RUF012 - never changed
    doing: tuple[WorkItem, ...] = ()
    progress: tuple[str, int, int] | None = None
    end: Literal["done", "memory"] | BaseException | None = None


def run_sandboxed(work: Callable[[R], None], report: R, limits: Limits | None) -> EarlyEnd | None:
    """Run work that appends findings to a report in a child process.

    Args:
        limits: the limits of the work; None for no limits.

    Returns:
        why the work ended early; None if it did not. Earlier findings are in the report in any
        case.

    Raises:
        Exception: as raised by the work.
    """
    if not CAN_FORK:
        return _run_here(work, report, limits)
    interrupts = _DeferredInterrupts()
    receiving, sending = os.pipe()
    try:
        with warnings.catch_warnings():
            # Python warns where there are threads: another one may hold a lock, for ever in the
            # child. Deckwright has none here.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
    except OSError:  # there may be no memory for another process
        os.close(receiving)
        os.close(sending)
        interrupts.release()
        return _run_here(work, report, limits)
    if child == 0:
        os.close(receiving)
        _run_child(work, report, limits, os.fdopen(sending, "wb"), interrupts)
    os.close(sending)
    last = _Message()
    with os.fdopen(receiving, "rb") as pipe:
        try:
            interrupts.release()
            with suppress(EOFError, pickle.UnpicklingError):
                while True:
                    last = pickle.load(pipe)  # noqa: S301 - from our own child
                    report.extend(last.findings)
                    if last.progress is not None:
                        processes.report_progress(*last.progress)
            status = os.waitpid(child, 0)[1]
        except BaseException:
            _stop(child)
            raise
    if isinstance(last.end, BaseException):
        raise last.end
    if last.end == "memory":
        return EarlyEnd("memory", last.doing)
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
    return None if last.end == "done" else EarlyEnd("time" if late else "crash", last.doing)


def _run_here(work: Callable[[R], None], report: R, limits: Limits | None) -> EarlyEnd | None:
    """Run work in this process, and interrupt it when its time is over."""
    if limits is None or threading.current_thread() is not threading.main_thread():
        work(report)
        return None
    end = process_time() + limits.seconds
    done, late = threading.Event(), threading.Event()

    def watch() -> None:
        while not done.wait(_POLL_SECONDS):
            if process_time() > end:
                late.set()
                _thread.interrupt_main()
                return

    notes = _WorkLog(KeyboardInterrupt)
    set_work_listener(notes.log)
    threading.Thread(target=watch, daemon=True).start()
    try:
        work(report)
    except KeyboardInterrupt:
        if not late.is_set():
            raise
        clear_interrupts()
        return EarlyEnd("time", notes.unfinished)
    finally:
        done.set()
        set_work_listener(None)
    return None


def _stop(child: int) -> None:
    """Terminate a child, give it time to clean up, and wait for it."""
    until = monotonic() + _GRACE_SECONDS
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGTERM)
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            if monotonic() > until:
                os.kill(child, signal.SIGKILL)
            sleep(0.01)


class _DeferredInterrupts:
    """Defers interrupts until they are released, so that none gets between a child and its end.

    Masking signals would not suffice, since another thread may receive them.
    """

    def __init__(self) -> None:
        """Start deferring; threads other than the main one receive no signals."""
        self._pending: list[int] = []
        self._handlers: dict[int, Any] = {}
        with suppress(ValueError):
            for number in (signal.SIGINT, signal.SIGTERM):
                self._handlers[number] = signal.signal(number, lambda n, _: self._pending.append(n))

    def release(self) -> None:
        """Restore the handlers, and raise the deferred interrupts."""
        for number, handler in self._handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for number in self._pending:
            signal.raise_signal(number)


class _WorkLog:
    """Tracks the work in progress; work that failed stays recorded."""

    def __init__(
        self, end: type[BaseException], changed: Callable[[], object] = lambda: None
    ) -> None:
        """Record work left by an exception of the type `end`; call `changed` on every change."""
        self._end = end
        self._changed = changed
        self._items: dict[object, WorkItem] = {}
        self._failed: tuple[WorkItem, ...] = ()

    @property
    def unfinished(self) -> tuple[WorkItem, ...]:
        """The work in progress, or that which failed, innermost last."""
        return self._failed or tuple(self._items.values())

    @contextmanager
    def log(self, work: WorkItem) -> Iterator[None]:
        """Record work for the duration of the context."""
        key = object()
        self._failed = ()  # an earlier failure was handled
        self._items[key] = work
        try:
            self._changed()
            yield
        except self._end:
            self._failed = self.unfinished
            raise
        finally:
            del self._items[key]
            if not self._failed:
                self._changed()


def _run_child(
    work: Callable[[R], None],
    report: R,
    limits: Limits | None,
    pipe: IO[bytes],
    interrupts: _DeferredInterrupts,
) -> NoReturn:
    """Run work as the child process, send the results, and exit."""
    try:
        import gc  # not needed by every run

        gc.freeze()  # objects of the parent are never collected
        if limits is not None:
            import resource  # not on every system

            signal.signal(signal.SIGXCPU, signal.SIG_DFL)
            _lower_limit(resource.RLIMIT_CPU, limits.seconds, limits.seconds + 1)
            _lower_limit(resource.RLIMIT_CORE, 0, 0)
            with suppress(OSError, IndexError, ValueError):  # only Linux counts all memory
                pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
                least = pages * resource.getpagesize() + (_MIN_MEGABYTES << 20)
                most = max(least, limits.megabytes << 20)
                _lower_limit(resource.RLIMIT_DATA, most, most + (_RESERVE_MEGABYTES << 20))
        if not _run_and_send(work, report, pipe, interrupts):
            gc.collect()  # objects that remove their files when collected
    finally:
        # Exit handlers of the parent must not run twice.
        os._exit(0)


def _run_and_send(
    work: Callable[[R], None], report: R, pipe: IO[bytes], interrupts: _DeferredInterrupts
) -> bool:
    """Run work and send the results; return whether it completed."""
    parent, sending = os.getppid(), threading.Lock()
    sent, shown = len(report), 0.0

    def send(**more: Any) -> None:  # fields of `_Message`
        nonlocal sent
        if os.getppid() != parent:
            os._exit(1)
        with sending:
            pickle.dump(_Message(report[sent:], notes.unfinished, **more), pipe)
            pipe.flush()
            sent = len(report)

    def show(what: str, number: int, total: int) -> None:
        nonlocal shown
        now = monotonic()
        if number == total or now - shown > _POLL_SECONDS:
            shown = now
            send(progress=(what, number, total))

    notes = _WorkLog(MemoryError, send)
    set_work_listener(notes.log)
    if processes.has_listener():
        processes.set_listener(show)
    end: Literal["done", "memory"] | BaseException = "memory"
    try:
        interrupts.release()
        work(report)
        end = "done"
    except MemoryError:
        _use_reserve()
    except KeyboardInterrupt:
        return False  # the parent knows
    except BaseException as error:  # noqa: BLE001 - raised again in the parent
        _use_reserve()
        end = _make_picklable(error)
    send(end=end)
    return end == "done"


def _use_reserve() -> None:
    """Release the memory reserve for reporting the end."""
    import resource  # not on every system

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def _lower_limit(what: int, soft: int, hard: int) -> None:
    """Lower a limit, unless it is low enough already."""
    import resource  # not on every system

    olds = resource.getrlimit(what)
    news = (
        new if old == resource.RLIM_INFINITY else min(new, old)
        for new, old in zip((soft, hard), olds, strict=True)
    )
    resource.setrlimit(what, tuple(news))  # type: ignore[arg-type]


def _make_picklable(error: BaseException) -> BaseException:
    """Return a picklable exception with its traceback as a note."""
    import traceback  # only for our own faults

    note = "".join(traceback.format_exception(error))
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - some cannot be unpickled
    except Exception:  # noqa: BLE001 - pickling can raise anything
        error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(note)
    return error
