"""Findings as lines of text: `file:line:column: error CODE: fact`, with the hint below."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from deckwright.diagnostics import Diagnostic, Location


def format_place(location: Location, base: Path) -> str:
    """Return "file:line:column", the file relative to `base` where it is below it."""
    path = location.path
    if path.is_absolute() and path.is_relative_to(base):
        path = path.relative_to(base)
    parts = [path.as_posix()]
    if location.line:
        parts += [str(location.line), str(location.column)]
    return ":".join(parts)


def format_finding(finding: Diagnostic, base: Path) -> str:
    """Return one finding as text of one or two lines."""
    place = f"{format_place(finding.location, base)}: " if finding.location else ""
    text = f"{place}{finding.severity.value} {finding.code.id}: {finding.message}"
    return f"{text}\n  hint: {finding.hint}" if finding.hint else text


def format_report(findings: Iterable[Diagnostic], base: Path) -> str:
    """Return all findings as text."""
    return "\n".join(format_finding(finding, base) for finding in findings)
