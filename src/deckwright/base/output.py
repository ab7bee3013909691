"""Write output files atomically; report those that cannot be written."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from deckwright.base.files import (
    NotARegularFileError,
    OutwardLinkError,
    remove_stale,
    write_atomically,
)
from deckwright.base.findings import Code, Diagnostic, Location, Report, Severity, has_errors

E001 = Code("E001", Severity.ERROR, "an output that exists and is not a regular file")
E002 = Code("E002", Severity.ERROR, "an output that cannot be written")
E075 = Code("E075", Severity.ERROR, "an output that a link would put outside the game")


class OutputError(Exception):
    """Raised if an output cannot be made.

    Attributes:
        findings: why; empty if that is in the report already.
    """

    def __init__(self, *findings: Diagnostic) -> None:
        """Store the findings."""
        super().__init__("\n".join(map(str, findings)))
        self.findings = findings


@contextmanager
def report_failure(report: Report) -> Iterator[None]:
    """Add the findings of an OutputError within the context to a report, and continue after it."""
    try:
        yield
    except OutputError as error:
        report.extend(error.findings)


def stop_on_errors(report: Report, start: int = 0) -> None:
    """Raise an OutputError if a report has errors, not counting the first `start` findings."""
    if has_errors(report[start:]):
        raise OutputError


def write_file(target: Path, paint: Callable[[IO[bytes]], object]) -> None:
    """Write a file with `paint`.

    Raises:
        OutputError: if it cannot be written, or from `paint`.
    """
    remove_stale(target)
    try:
        with write_atomically(target) as stream:
            paint(stream)
    except NotARegularFileError as error:
        hint = "name another file with `--out`"
        finding = E001.at(Location(target), f"cannot write the file: {error}", hint)
        raise OutputError(finding) from error
    except OSError as error:
        raise OutputError(write_failure(target, error)) from error


def write_data(target: Path, data: bytes) -> None:
    """Write bytes to a file.

    Raises:
        OutputError: if it cannot be written.
    """
    write_file(target, lambda stream: stream.write(data))


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
