"""Remember what was found, so that it need not be looked for again.

Laying out every face is most of the work of `deckwright check`. A stamp is an entry of the user's
cache with what was measured; its key is a hash of all that the layout depends on: the game's files,
the templates, the fonts and Deckwright's own code. Images count by name, size and time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from deckwright import __version__
from deckwright.base.cache import Cache
from deckwright.base.findings import Diagnostic, Location, Report, Severity, registered

T = TypeVar("T")


class Stamp:
    """The stamp of one state of files."""

    def __init__(self, texts: Iterable[str], files: Iterable[str]) -> None:
        """Make the stamp of `texts`, and of `files` by their paths, sizes and times."""
        digest = blake2b(__version__.encode(), digest_size=20)
        for text in texts:
            digest.update(text.encode(errors="surrogateescape"))
            digest.update(b"\0")
        for path in sorted(files):
            try:
                status = os.stat(path)  # noqa: PTH116 - of hundreds of files
            except OSError:
                continue  # it has just gone
            digest.update(os.fsencode(path))
            digest.update(f"\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
        self._key = digest.hexdigest()
        self._cache = Cache("checked")

    def read(self, decode: Callable[[bytes], T]) -> T | None:
        """Return what was measured of this state, decoded; None if it was not set before."""
        return self._cache.read_decoded(self._key, decode)

    def set(self, measured: str) -> None:
        """Remember this state."""
        self._cache.write(self._key, measured.encode())


class LaidOut(NamedTuple):
    """What came of laying out a game.

    Attributes:
        margin: how near to the edges of the paper its sheet prints, in words.
        findings: no errors, for these may come from what no stamp knows, such as permissions.
    """

    margin: str | None
    findings: Report

    def encode(self) -> str:
        """Return it as a stamp has it."""
        return json.dumps([self.margin, [_written(finding) for finding in self.findings]])

    @classmethod
    def decode(cls, content: bytes) -> LaidOut:
        """Return what `encode` has written.

        Raises:
            Exception: of any type, if that is something else.
        """
        margin, findings = json.loads(content)
        if findings:
            # Nearly all codes come with it, which `registered` would look for everywhere.
            import_module("deckwright.checking.whole_layout")
        if not (margin is None or isinstance(margin, str)):
            raise TypeError
        return cls(margin, [_read(*finding) for finding in findings])


def _written(finding: Diagnostic) -> list[object]:
    place = finding.location and (str(finding.location.path), *finding.location[1:])
    given = finding.given_severity and finding.given_severity.value
    return [finding.code.id, place, finding.message, finding.hint, given]


def _read(
    code: str, place: list[Any] | None, message: str, hint: str | None, given: str | None
) -> Diagnostic:
    location = None
    if place is not None:
        path, line, column, sheet = place
        location = Location(Path(path), int(line), int(column), str(sheet))
    if not isinstance(message, str) or not (hint is None or isinstance(hint, str)):
        raise TypeError
    severity = None if given is None else Severity(given)
    return Diagnostic(registered(code), location, message, hint, severity)
