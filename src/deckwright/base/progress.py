"""Report how far long work has come. Work reports here; whoever shows it listens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from typing import TypeVar

T = TypeVar("T")

Listener = Callable[[str, int, int], None]
"""Is told what is done, how many steps have been taken, and of how many (0 if nobody knows)."""

_listeners: list[Listener] = []


def listen(listener: Listener | None) -> None:
    """Report to `listener` from now on; None reports to nobody."""
    _listeners[:] = [listener] if listener else []


def is_heard() -> bool:
    """Return whether anybody listens."""
    return bool(_listeners)


def tell(what: str, number: int, total: int) -> None:
    """Tell who listens how far work has come."""
    for listener in _listeners:
        listener(what, number, total)


def steps(items: Iterable[T], what: str) -> Iterator[T]:
    """Yield items, reporting after each how many there were."""
    total = len(items) if isinstance(items, Sized) else 0
    number = 0
    for number, item in enumerate(items, 1):
        yield item
        tell(what, number, total)
    if not total:
        tell(what, number, number)
