"""Work in several processes: in order, with what it raises, and done even if they die."""

from __future__ import annotations

import os
import threading
from functools import partial

import pytest

from deckwright.base import workers
from deckwright.base.workers import map_parallel


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)


def there(here: int, number: int) -> tuple[int, bool]:
    return number, os.getpid() != here


def die_there(here: int, number: int) -> int:
    if os.getpid() != here:
        os._exit(1)
    return number


def fail(number: int) -> int:
    message = f"no {number}"
    raise LookupError(message)


def test_results_come_in_order_from_other_processes() -> None:
    made = list(map_parallel(partial(there, os.getpid()), range(20)))
    assert made == [(number, True) for number in range(20)]


def test_beside_threads_new_processes_are_started() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert list(map_parallel(abs, [-1, -2])) == [1, 2]
    finally:
        done.set()
        thread.join()


def test_one_item_or_one_core_needs_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(map_parallel(partial(there, os.getpid()), [1])) == [(1, False)]
    monkeypatch.setattr(workers, "count_cores", lambda: 1)
    assert list(map_parallel(partial(there, os.getpid()), [1, 2])) == [(1, False), (2, False)]


def test_what_work_raises_is_raised() -> None:
    with pytest.raises(LookupError, match="no 1"):
        list(map_parallel(fail, [1, 2, 3]))


def test_what_dead_processes_leave_is_done_here() -> None:
    assert list(map_parallel(partial(die_there, os.getpid()), range(9))) == list(range(9))
