"""One at a time: a run's folder is held by the process that prints it, until that ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deckwright.base.choices import ChoiceError


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder as long as the block lasts; the system lets go of it if the process is killed.

    Raises:
        ChoiceError: if another process holds it.
    """
    descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _locked(descriptor):
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
