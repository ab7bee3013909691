"""Write output files atomically; report those that cannot be written."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import IO

from deckwright.base.files import (
    NotARegularFileError,
    OutwardLinkError,
    remove_stale,
    write_atomically,
)
from deckwright.base.findings import Code, Diagnostic, Location, Report, Severity

E001 = Code("E001", Severity.ERROR, "an output that exists and is not a regular file")
E002 = Code("E002", Severity.ERROR, "an output that cannot be written")
E075 = Code("E075", Severity.ERROR, "an output that a link would put outside the game")


class OutputError(Exception):
    """The output cannot be made; `finding` says why."""

    def __init__(self, finding: Diagnostic) -> None:
        """Keep the finding."""
        super().__init__(finding.message)
        self.finding = finding


def write_file(target: Path, paint: Callable[[IO[bytes]], object], report: Report) -> bool:
    """Write a file with `paint`; return whether that succeeded.

    Args:
        paint: may raise `OutputError` with a finding.
    """
    remove_stale(target)
    try:
        with write_atomically(target) as stream:
            paint(stream)
    except NotARegularFileError as error:
        hint = "name another file with `--out`"
        report.append(E001.at(Location(target), f"cannot write the file: {error}", hint))
    except OSError as error:
        report.append(write_failure(target, error))
    except OutputError as error:
        report.append(error.finding)
    else:
        return True
    return False


def write_data(target: Path, data: bytes, report: Report) -> bool:
    """Write bytes to a file; return whether that succeeded."""
    return write_file(target, lambda stream: stream.write(data), report)


def write_failure(target: Path, error: OSError) -> Diagnostic:
    """Return the finding for a file that could not be written."""
    if isinstance(error, OutwardLinkError):
        hint = "remove the link, or name the place itself with `--out`"
        return E075.at(Location(target), f"cannot write the file: {error}", hint)
    reason = error.strerror or str(error)
    hint = "name another place with `--out`"
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        reason = "a folder in its path is a file"
    elif error.errno == errno.ENOSPC:
        hint = "free some disk space, or name another place with `--out`"
    return E002.at(Location(target), f"cannot write the file: {reason}", hint)
