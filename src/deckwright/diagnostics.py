"""What Deckwright tells a designer: codes, places, findings.

A finding is a fact about the input, at a place, with a hint what to do. Every kind of finding has a
`Code`; the codes are defined beside the checks that find them and register themselves here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple


class Severity(Enum):
    """How much a finding matters: an error stops the print, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


class Location(NamedTuple):
    """A place in a file. Lines and columns count from 1; 0 means "the file as a whole"."""

    path: Path
    line: int = 0
    column: int = 0


class Diagnostic(NamedTuple):
    """One finding: what is wrong where, and what would mend it."""

    code: Code
    location: Location | None
    message: str
    hint: str | None = None
    given_severity: Severity | None = None

    @property
    def severity(self) -> Severity:
        """The severity that it is given, or that of its code."""
        return self.given_severity or self.code.severity


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding, for example `R003`, "an unknown rule".

    Creating one registers it. Numbers are never reused.

    Raises:
        ValueError: if the id is registered already.
    """

    id: str
    severity: Severity
    title: str

    def __post_init__(self) -> None:
        """Enter the code into the registry."""
        if self.id in REGISTRY:
            message = f"code {self.id} is registered twice"
            raise ValueError(message)
        REGISTRY[self.id] = self

    def at(self, location: Location | None, message: str, hint: str | None = None) -> Diagnostic:
        """Return a finding of this kind; what would not print in its message is left out."""
        if not message.isprintable():
            message = "".join(char if char.isprintable() else " " for char in message)
        return Diagnostic(self, location, message, hint)


REGISTRY: dict[str, Code] = {}
"""All known codes by id. Complete once `deckwright.discovery.load_all` has run."""

Report = list[Diagnostic]
"""Stages append what they find to a report that runs along with the data."""


def is_error(finding: Diagnostic) -> bool:
    """Return whether a finding is an error."""
    return finding.severity is Severity.ERROR


def has_errors(report: Iterable[Diagnostic]) -> bool:
    """Return whether any finding is an error."""
    return any(map(is_error, report))


def ordered(report: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings once each, by file, line and column."""

    def key(finding: Diagnostic) -> tuple[str, int, int, str, str]:
        place = finding.location or Location(Path())
        return (str(place.path), place.line, place.column, finding.code.id, finding.message)

    return sorted(dict.fromkeys(report), key=key)


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """Return the known name that is closest to `word`, if one is close: one name or none."""
    from difflib import get_close_matches  # noqa: PLC0415 - only when something is wrong

    names = list(known)
    folded = {name.casefold(): name for name in names}
    if word.casefold() in folded:
        return [folded[word.casefold()]]
    return get_close_matches(word, names, n=1, cutoff=0.6)


def nearest_hint(word: str, known: Iterable[str]) -> str | None:
    """Return the hint "did you mean …?" if a known name is close to `word`, else None."""
    return next((f"did you mean `{name}`?" for name in nearest(word, known)), None)


def known_hint(word: str, known: Iterable[str], *, at_most: int = 12) -> str | None:
    """Return a hint that names the nearest known name, or lists the known names if none is near."""
    names = list(known)
    hint = nearest_hint(word, names)
    if hint or not names or at_most == 0:
        return hint
    listed = ", ".join(f"`{name}`" for name in names[:at_most])
    more = f" and {len(names) - at_most} more" if len(names) > at_most else ""
    return f"use one of {listed}{more}"
