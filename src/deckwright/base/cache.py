"""Caches: bounded dictionaries in memory, and the user's cache folder on disk."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from deckwright.base.files import cache_folder, read_file, write_atomically


def truncate_dict(entries: dict[Any, Any], max_entries: int = 0) -> None:
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

T = TypeVar("T")


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
