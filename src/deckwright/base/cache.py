"""Caches: bounded dictionaries in memory, and the user's cache folder on disk."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, TypeVar

from deckwright.base.files import cache_folder, read_file, write_atomically, write_bytes

K = TypeVar("K")
T = TypeVar("T")


class BoundedCache(Generic[K, T]):
    """Values in memory: those used last, up to a total weight."""

    def __init__(self, max_weight: int) -> None:
        """Start empty; a single value may exceed the weight."""
        self._entries = OrderedDict[K, tuple[T, int]]()
        self._max_weight, self._weight = max_weight, 0

    def __len__(self) -> int:
        """Return the number of values."""
        return len(self._entries)

    def __contains__(self, key: K) -> bool:
        """Return whether there is a value for a key."""
        return key in self._entries

    def peek(self, key: K) -> T | None:
        """Return a value without counting it as used; safe to call from any thread."""
        entry = self._entries.get(key)
        return None if entry is None else entry[0]

    def get(self, key: K) -> T | None:
        """Return a value, None if there is none."""
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def add(self, key: K, value: T, weight: int = 1) -> T:
        """Add a value and drop the oldest others beyond the weight; return the value."""
        self._weight += weight - self._entries.pop(key, (None, 0))[1]
        self._entries[key] = value, weight
        while self._weight > self._max_weight and len(self._entries) > 1:
            self._weight -= self._entries.popitem(last=False)[1][1]
        return value

    def drop(self, matches: Callable[[K], bool]) -> None:
        """Drop the values whose keys match."""
        for key in [key for key in self._entries if matches(key)]:
            self._weight -= self._entries.pop(key)[1]


def truncate_dict(entries: dict[Any, Any], max_entries: int) -> None:
    """Drop the newest entries of a dictionary until at most `max_entries` are left."""
    while len(entries) > max_entries:
        entries.popitem()


_MAX_AGE_SECONDS = 30 * 24 * 3600
_PRUNES_PER_FILL = 8
"""A cache is pruned this many times while its full capacity is written once."""
_CHECKSUM_BYTES = 16
_MAX_ENTRY_BYTES = 2**30
"""Larger entries are not read."""
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_bytes_until_prune: dict[Path, int] = {}
"""By folder, the number of bytes that may still be written before the next prune."""


class Cache:
    """A folder of the cache. Entries that are damaged or another user's count as missing."""

    def __init__(self, name: str, max_bytes: int = 256 * 2**20) -> None:
        """Use the folder `name`.

        Args:
            max_bytes: the approximate capacity; beyond it the oldest entries are deleted.
        """
        self._folder = cache_folder() / name
        self._max_bytes = max_bytes

    def has(self, key: str) -> bool:
        """Return whether an entry exists, intact or not."""
        return self._is_ours and (self._folder / key).is_file()

    def read(self, key: str) -> bytes | None:
        """Return the entry of a key, or None if it is missing or damaged."""
        if not self._is_ours:
            return None
        try:
            data = read_file(self._folder / key, _MAX_ENTRY_BYTES)
        except OSError:
            return None
        content = data[_CHECKSUM_BYTES:]
        return content if data[:_CHECKSUM_BYTES] == self._checksum(key, content) else None

    def read_decoded(self, key: str, decode: Callable[[bytes], T | None]) -> T | None:
        """Return the decoded entry of a key, or None if it is missing or damaged.

        An entry for which `decode` raises or returns None counts as damaged.
        """
        content = self.read(key)
        try:
            return None if content is None else decode(content)
        except Exception:  # noqa: BLE001 - whatever it meets in bytes that are not its own
            return None

    def write(self, key: str, *content: bytes) -> None:
        """Store `content` under a key.

        If it is due, entries that are too old are deleted, then the oldest until the rest fits. A
        cache that cannot be written is silently skipped.
        """
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.__dict__.pop("_is_ours", None)
            if not self._is_ours:
                return
            # Reading verifies the checksum, so a lost write does no harm and no fsync is needed.
            with write_atomically(self._folder / key, sync=False) as stream:
                stream.writelines([self._checksum(key, *content), *content])
            share = self._max_bytes // _PRUNES_PER_FILL
            size = sum(map(len, content))
            left = min(_bytes_until_prune.get(self._folder, 0), share) - size
            if left < 0:
                left, room, oldest = share, self._max_bytes, time.time() - _MAX_AGE_SECONDS
                entries = [(path.stat(), path) for path in self._folder.iterdir()]
                for status, path in sorted(entries, key=lambda entry: -entry[0].st_mtime_ns):
                    room -= status.st_size
                    if status.st_mtime < oldest or room < 0:
                        path.unlink(missing_ok=True)
            _bytes_until_prune[self._folder] = left

    def _checksum(self, key: str, *content: bytes) -> bytes:
        """Return an entry's checksum. It covers the key, so entries cannot be swapped."""
        digest = blake2b(f"{self._folder.name}/{key}\0".encode(), digest_size=_CHECKSUM_BYTES)
        for part in content:
            digest.update(part)
        return digest.digest()

    @cached_property
    def _is_ours(self) -> bool:
        """True if nobody but the user can write to the folder."""
        try:
            status = self._folder.lstat()
        except OSError:
            return False
        if not stat.S_ISDIR(status.st_mode):
            return False
        # Systems without user ids (Windows) keep the folder in the user's own profile.
        return not hasattr(os, "getuid") or (
            status.st_uid == os.getuid() and not status.st_mode & _WRITABLE_BY_OTHERS
        )


def fingerprint_code(*folders: Path) -> str:
    """Return a fingerprint of the modules in some folders: their sizes and times.

    Together with our version it is part of the cache keys of their results.
    """
    files = (path.stat() for folder in folders for path in sorted(folder.rglob("*.py")))
    return " ".join(f"{file.st_size}.{file.st_mtime_ns}" for file in files)


def checksum(data: bytes) -> str:
    """Return a short checksum that reveals damage."""
    return blake2b(data, digest_size=8).hexdigest()


def read_checked(path: Path) -> bytes | None:
    """Return the content of a file that matches the checksum in its name, None otherwise."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return data if path.stem.rpartition("-")[2] == checksum(data) else None


def is_intact(path: Path) -> bool:
    """Return whether a file matches the checksum in its name."""
    return read_checked(path) is not None


def find_checked(folder: Path, stem: str, ending: str) -> Path | None:
    """Return the intact file that `write_checked` wrote, None if there is none."""
    return next(filter(is_intact, folder.glob(f"{stem}-*{ending}")), None)


def write_checked(folder: Path, stem: str, ending: str, data: bytes) -> Path:
    """Write a file with a checksum in its name; return its path.

    If the folder cannot be written, it is in a temporary one for this run.
    """
    name = f"{stem}-{checksum(data)}{ending}"
    # Reading verifies the checksum, so a lost write does no harm and no fsync is needed.
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return write_bytes(folder / name, data, sync=False)
    except OSError:
        return write_bytes(_temporary_folder() / name, data, sync=False)


@cache
def _temporary_folder() -> Path:
    import atexit  # only where the usual folder cannot be written
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="deckwright-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
