"""Say what is being worked on, for the case that it takes too much."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

_LONGEST_NAME, _LONGEST_PATH = 200, 1000


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


Listener = Callable[[Work], AbstractContextManager[None]]
"""Is told what is being worked on within a block."""

_listeners: list[Listener] = []


def listen(listener: Listener | None) -> None:
    """Tell `listener` from now on; nobody for None."""
    _listeners[:] = [listener] if listener else []


@contextmanager
def doing(name: str, path: Path | None = None, ordinal: int | None = None) -> Iterator[None]:
    """Say what is being worked on within a block.

    Args:
        name: how to speak of it, for example "card `HK3`".
        path: the file that it stands in.
        ordinal: the number of its element in that file.
    """
    if not _listeners:
        yield
        return
    place = os.fspath(path or "")[:_LONGEST_PATH]
    with _listeners[0](Work(name[:_LONGEST_NAME], place, ordinal)):
        yield
