"""Which files have changed: by size and time first, and where these differ by what is in them."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import is_file

_SETTLED_NS = 2_000_000_000
"""After so long a file that is written again has another time, on any file system."""


class _State(NamedTuple):
    """A file as it was found.

    Attributes:
        settled: whether it was old enough for its time to tell it from a later state.
    """

    size: int
    time_ns: int
    settled: bool
    digest: bytes


class Snapshot:
    """The state of files at one moment. Paths where there is no regular file count as such."""

    def __init__(self, paths: Iterable[Path], before: Snapshot | None = None) -> None:
        """Look at files; those that are as `before` by size and time are not read."""
        known = before.states if before else {}
        now = time.time_ns()
        self.states: Mapping[Path, _State | None] = {
            path: _state(path, known.get(path), now) for path in paths
        }

    def changed(self, before: Snapshot) -> tuple[Path, ...]:
        """Return the files that hold something else than before, are new, or are gone."""
        paths = {**before.states, **self.states}
        differing = (path for path in paths if self.digest(path) != before.digest(path))
        return tuple(sorted(differing))

    def digest(self, path: Path) -> bytes | None:
        """Return the hash of a file; None if there is none."""
        state = self.states.get(path)
        return state.digest if state else None


def _state(path: Path, before: _State | None, now: int) -> _State | None:
    """Return the state of a file, None if there is none that can be read."""
    if not is_file(path):
        return None
    try:
        status = path.stat()
        stamp = status.st_size, status.st_mtime_ns
        if before is not None and before.settled and before[:2] == stamp:
            return before
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "blake2b").digest()
    except OSError:
        return None
    return _State(*stamp, now - status.st_mtime_ns > _SETTLED_NS, digest)
