"""Replace several files, all of them or none, as far as a file system permits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from deckwright.base.files import write_atomically, written


def replace_files(files: Mapping[Path, bytes]) -> None:
    """Write files so that all of them hold the new data, or all the old.

    First everything is written and synced beside its target, so that a full disk or a missing
    right shows before anything has changed; then each file takes the place of its target. Should
    that fail, those that have done so are put back.

    Raises:
        OSError: if a file cannot be written. `filename` says which.
    """
    old = {path: path.read_bytes() if path.exists() else None for path in files}
    at = None
    try:
        with ExitStack() as stack:
            for at, data in files.items():
                stream = stack.enter_context(write_atomically(at))
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
    except BaseException as error:
        for path, before in old.items():
            _put_back(path, before, files[path])
        if isinstance(error, OSError):
            # What it names may be a temporary file.
            error.filename = error.filename2 or str(at)
        raise


def _put_back(path: Path, data: bytes | None, new: bytes) -> None:
    """Give a file its old data again, if it has the new."""
    with suppress(OSError):
        if path.read_bytes() != new:
            return
        if data is None:
            path.unlink()
        else:
            # Not `write_atomically`, which writes nothing any more after an interrupt.
            temporary = path.with_name(f".{path.name}.old.tmp")
            temporary.write_bytes(data)
            temporary.chmod(path.stat().st_mode & 0o777)
            temporary.replace(path)
        if path.resolve() in written:
            written.remove(path.resolve())
