"""Writing files so that the old one or the new one is there, whole, whatever happens."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import IO

_interrupts: list[int] = []


def note_interrupts() -> None:
    """Have SIGINT (Ctrl-C) and SIGTERM noted, besides raising KeyboardInterrupt.

    Some libraries swallow that; what is noted keeps `write_atomically` from finishing.
    """

    def note(number: int, _frame: object) -> None:
        _interrupts.append(number)
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, note)


def _end_if_interrupted() -> None:
    if _interrupts:
        raise KeyboardInterrupt


class NotARegularFileError(OSError):
    """The target exists and is a folder, a device or the like."""


@contextmanager
def write_atomically(target: Path) -> Iterator[IO[bytes]]:
    """Open a new file that takes the place of `target` when the block ends well.

    The data is written to a file beside it and synced first. When the block fails or is
    interrupted, `target` is left as it was and the new file is removed.

    Raises:
        NotARegularFileError: if `target` exists and is not a regular file.
        OSError: if the file cannot be written.
    """
    import tempfile  # noqa: PLC0415 - not needed to check a game

    try:
        target = target.resolve()
    except RuntimeError as error:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from error
    if target.exists() and not target.is_file():
        message = "it exists and is not a regular file"
        raise NotARegularFileError(message)
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _end_if_interrupted()
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def inside(path: Path, folder: Path) -> bool:
    """Return whether `path` is in `folder`, also after following links."""
    return _resolved(path.absolute()).is_relative_to(_resolved(folder.absolute()))


@lru_cache(maxsize=4096)
def _resolved(path: Path) -> Path:
    """Return an absolute path with its links followed; links in a circle lead nowhere."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return Path("/dev/null/nowhere")


def is_file(path: Path) -> bool:
    """Return whether `path` is a regular file; a path that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Return whether `path` is a folder; a path that nothing can have is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def cache_folder() -> Path:
    """Return the user's folder for what can be made again, $XDG_CACHE_HOME/deckwright or such."""
    import platformdirs  # noqa: PLC0415 - not needed by every run

    return Path(platformdirs.user_cache_dir("deckwright"))


def _mode(target: Path) -> int:
    """Return the permissions for `target`: those that it has, or those of a usual new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
