"""One at a time: a run's folder is held by the process that prints it, until that ends."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deckwright.base.choices import ChoiceError

_LOOKS, _MOMENT = 5, 0.02
"""How often, and how many seconds apart, a folder that is held is tried again."""


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder as long as the block lasts; the system lets go of it if the process is killed.

    Raises:
        ChoiceError: if another process holds it.
    """
    descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        for look in range(_LOOKS):  # who only looks whether it is held holds it for a moment
            if _locked(descriptor):
                break
            time.sleep(_MOMENT * bool(look))
        else:
            raise ChoiceError(f"the run in `{folder}` is being printed by another process")
        yield
    finally:
        os.close(descriptor)


def is_held(folder: Path) -> bool:
    """Return whether a process holds a folder."""
    try:
        with held(folder):
            return False
    except ChoiceError:
        return True
    except OSError:
        return False


def _locked(descriptor: int) -> bool:
    try:
        import fcntl  # noqa: PLC0415 - not on every system
    except ImportError:
        import msvcrt  # noqa: PLC0415 - Windows

        lock, how = msvcrt.locking, msvcrt.LK_NBLCK  # type: ignore[attr-defined]
        try:
            lock(descriptor, how, 1)
        except OSError:
            return False
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
