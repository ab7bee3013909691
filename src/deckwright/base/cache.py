"""The user's cache on disk, and bounded caches in memory."""

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


def truncate_dict(kept: dict[Any, Any], first: int = 0) -> None:
    """Let go all that is kept but so many things that came first."""
    while len(kept) > first:
        kept.popitem()


_MAX_AGE_SECONDS = 30 * 24 * 3600
_PRUNES_PER_FILL = 8
"""How often a cache of bounded size is tidied while as much is written as it may hold."""
_CHECKSUM_BYTES = 16
_MAX_ENTRY_BYTES = 2**30
"""The largest entry that is read, in bytes."""
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_bytes_until_prune: dict[Path, int] = {}
"""How many bytes may still be written to each folder before it is tidied again."""

T = TypeVar("T")


class Cache:
    """One folder of the cache. What is damaged, or not the user's, counts as not there."""

    def __init__(self, name: str, most_bytes: int = 256 * 2**20) -> None:
        """Use the folder `name`.

        Args:
            most_bytes: how much it may hold, about, before the oldest entries are forgotten.
        """
        self._folder = cache_folder() / name
        self._most_bytes = most_bytes

    def has(self, key: str) -> bool:
        """Return whether there is something under a key, be it damaged."""
        return self._is_ours and (self._folder / key).is_file()

    def read(self, key: str) -> bytes | None:
        """Return what was written under a key; None if nothing was, or it is not whole."""
        if not self._is_ours:
            return None
        try:
            data = read_file(self._folder / key, _MAX_ENTRY_BYTES)
        except OSError:
            return None
        content = data[_CHECKSUM_BYTES:]
        return content if data[:_CHECKSUM_BYTES] == self._sum(key, content) else None

    def read_decoded(self, key: str, decode: Callable[[bytes], T | None]) -> T | None:
        """Return what `decode` makes of what was written under a key; None as `read` does.

        What it raises, or returns None for, is not what was written.
        """
        content = self.read(key)
        try:
            return None if content is None else decode(content)
        except Exception:  # noqa: BLE001 - whatever it meets in bytes that are not its own
            return None

    def write(self, key: str, content: bytes) -> None:
        """Keep `content` under a key; forget what is older than a month, or too much.

        A cache that cannot be written is none.
        """
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.__dict__.pop("_is_ours", None)
            if not self._is_ours:
                return
            # What is damaged is noticed, so nothing waits for the disk.
            with write_atomically(self._folder / key, sync=False) as stream:
                stream.write(self._sum(key, content) + content)
            share = self._most_bytes // _PRUNES_PER_FILL
            left = min(_bytes_until_prune.get(self._folder, 0), share) - len(content)
            if left < 0:
                self._tidy()
                left = share
            _bytes_until_prune[self._folder] = left

    def _sum(self, key: str, content: bytes) -> bytes:
        """Return the sum of an entry, in which its place counts: no other one can stand there."""
        place = f"{self._folder.name}/{key}\0".encode()
        return blake2b(place + content, digest_size=_CHECKSUM_BYTES).digest()

    def _tidy(self) -> None:
        """Forget what is too old, and the oldest of what is too much."""
        limit, room = time.time() - _MAX_AGE_SECONDS, self._most_bytes
        found = [(path.stat(), path) for path in self._folder.iterdir()]
        for status, path in sorted(found, key=lambda entry: -entry[0].st_mtime_ns):
            room -= status.st_size
            if status.st_mtime < limit or room < 0:
                path.unlink(missing_ok=True)

    @cached_property
    def _is_ours(self) -> bool:
        """Whether nobody but the user can have written to the folder."""
        try:
            found = self._folder.lstat()
        except OSError:
            return False
        if not stat.S_ISDIR(found.st_mode):
            return False
        # Where there are no users' numbers, the folder lies in the user's own profile.
        return not hasattr(os, "getuid") or (
            found.st_uid == os.getuid() and not found.st_mode & _WRITABLE_BY_OTHERS
        )


def fingerprint_code(*folders: Path) -> str:
    """Return what the modules below some folders are: sizes and times.

    With our version, it goes into the keys of what these modules make.
    """
    files = (path.stat() for folder in folders for path in sorted(folder.rglob("*.py")))
    return " ".join(f"{file.st_size}.{file.st_mtime_ns}" for file in files)
