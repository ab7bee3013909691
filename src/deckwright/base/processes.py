"""Long-running work: its progress, and the current item."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

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
    """Report an item, with the fields of `WorkItem`, as the current one within the block."""
    if not _work_listeners:
        yield
        return
    place = os.fspath(path or "")[:_MAX_PATH_LENGTH]
    with _work_listeners[0](WorkItem(name[:_MAX_NAME_LENGTH], place, ordinal)):
        yield
