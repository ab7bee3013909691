"""Writing folders so that the old one or the new one is there, whole, whatever happens."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deckwright.base.files import STALE_SECONDS, followed

_NEW, _OLD = ".tmp", ".old"


@contextmanager
def staged(target: Path) -> Iterator[Path]:
    """Give an empty folder beside `target`, which `replace_folder` may put in its place.

    What is left of it when the block ends is removed, and so is what runs have left that were
    killed long ago. If one was killed just while it put a folder in its place, the old folder is
    put back first.

    Raises:
        LinkedAwayError: if a link on the way to it leads out of where may be written.
        OSError: if the folder cannot be made.
    """
    target = followed(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    _tidy(target)
    folder = target.with_name(f".{target.name}.{os.urandom(6).hex()}{_NEW}")
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def replace_folder(folder: Path, target: Path) -> None:
    """Put a folder that `staged` gave in its place; what was there before is gone then.

    Raises:
        OSError: if it cannot be put there; then the old one is there.
    """
    target = followed(target)
    for path in folder.rglob("*"):
        _sync(path)
    _sync(folder)
    old = folder.with_suffix(_OLD)
    try:
        if target.exists():
            target.rename(old)
        folder.rename(target)
    except BaseException:
        if old.exists() and not target.exists():
            old.rename(target)
        raise
    _sync(target.parent)
    shutil.rmtree(old, ignore_errors=True)


def _tidy(target: Path) -> None:
    """Put back what was moved out of the way, and remove what nobody works on any more."""
    with suppress(OSError):
        for path in sorted(target.parent.glob(f".{_escaped(target.name)}.*")):
            if path.suffix == _OLD and not target.exists():
                path.rename(target)
            elif path.suffix in {_NEW, _OLD} and _is_stale(path):
                shutil.rmtree(path, ignore_errors=True)


def _is_stale(path: Path) -> bool:
    return path.stat().st_mtime < time.time() - STALE_SECONDS


def _escaped(name: str) -> str:
    """Return a name as a pattern that matches it alone."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


def _sync(path: Path) -> None:
    """Have a file or a folder on the disk, where the system can say so."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
