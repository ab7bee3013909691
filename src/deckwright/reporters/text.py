"""Findings as text, as compilers tell them.

A line `file:line:column: error CODE: fact`, the line of the file with a mark under the place, and
the hint.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path

from deckwright.diagnostics import Diagnostic, Location, Severity, told_in
from deckwright.reporters import Findings, reporter
from deckwright.visible import visible

_WIDTH = 96
"""The longest piece of a line that is shown, in characters."""
_BEFORE = 56
"""How much of a long line is shown before the place."""
_RESET, _BOLD, _BLUE = "\x1b[0m", "\x1b[1m", "\x1b[34m"
_SEVERITIES = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m"}


@reporter("text")
def report(findings: Findings) -> str:
    """Return the findings as plain text."""
    return colored(findings, color=False)


def colored(findings: Findings, *, color: bool, language: str = "en") -> str:
    """Return the findings as text, with the colors of a terminal if it has them.

    Args:
        language: what to tell them in, if all can be told in it; English otherwise.
    """
    labels = told_in(language, findings.findings)

    def paint(code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if color else text

    lines = []
    read: dict[Path, list[str]] = {}
    for finding in findings.findings:
        told = (finding.told if labels else None) or finding
        name = finding.severity.value
        severity = paint(_SEVERITIES[finding.severity], getattr(labels, name, name))
        place = _place(findings, finding.location)
        head = f"{paint(_BOLD, place)}: " if place else ""
        lines.append(f"{head}{severity} {finding.code.id}: {told.message}")
        for margin, text in _excerpt(finding, read):
            lines.append(f"  {paint(_BLUE, margin)} {text}".rstrip())
        if told.hint:
            hint = labels.hint if labels else "hint"
            lines.append(f"  {paint(_BLUE, hint)}: {told.hint}")
    return "\n".join(lines)


def _place(findings: Findings, location: Location | None) -> str:
    """Return "file:line:column"."""
    if location is None:
        return ""
    parts = [findings.name(location.path)]
    if location.line:
        parts += [str(location.line), str(location.column)]
    return ":".join(parts)


def _excerpt(finding: Diagnostic, read: dict[Path, list[str]]) -> Iterator[tuple[str, str]]:
    """Yield the line that a finding is about, and a mark under its place, each with its margin.

    Args:
        read: the lines of files that were read before.
    """
    location = finding.location
    if location is None or not location.line:
        return
    if location.path not in read:
        read[location.path] = _lines(location.path)
    lines = read[location.path]
    if location.line > len(lines):
        return
    text = lines[location.line - 1].replace("\t", " ")
    column = max(1, min(location.column, len(text) + 1))
    start = max(0, column - 1 - _BEFORE) if len(text) > _WIDTH else 0
    shown = text[start : start + _WIDTH]
    mark = column - 1 - start
    if start:
        shown = "…" + shown[1:]
    if start + _WIDTH < len(text):
        shown = shown[:-1] + "…"
    number = str(location.line)
    # What would not print as one column would move the mark.
    shown = "".join(letter if letter.isprintable() else " " for letter in shown)
    yield f"{number} |", visible(shown)
    yield f"{' ' * len(number)} |", " " * mark + "^"


def _lines(path: Path) -> list[str]:
    """Return the lines of a file, none if it is not text that can be read."""
    try:
        data = path.read_bytes()
    except OSError:
        return []
    utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if b"\0" in data and not utf_16:
        return []
    for encoding in ("utf-16",) if utf_16 else ("utf-8-sig", "latin-1"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return []
