"""Findings as text, the way compilers print them.

A line `file:line:column: error CODE: fact`, the line of the file with a mark under the place, and
the hint.
"""

from __future__ import annotations

import codecs
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from deckwright.base.files import read_file
from deckwright.base.findings import Diagnostic, Location, Severity, told_in
from deckwright.base.grouping import Group
from deckwright.base.visible import visible
from deckwright.cli.reporters import Findings, reporter
from deckwright.grids.csv import MAX_BYTES

_WIDTH = 96
"""The longest piece of a line that is shown, in characters."""
_BEFORE = 56
"""How much of a long line is shown before the place."""
_MOST_PLACES, _MOST_NAMES = 30, 2
"""How many places of similar findings are listed, and names at each."""
_BOUND = "\N{NO-BREAK SPACE}"
"""Stands where no line may break; it is printed as a space."""
_RESET, _BOLD, _BLUE = "\x1b[0m", "\x1b[1m", "\x1b[34m"
_SEVERITIES = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.INFO: "\x1b[1;36m",
}


@reporter("text")
def report(findings: Findings) -> str:
    """Return the findings as plain text."""
    return told(findings, map(Group, findings.findings), color=False)


def told(
    findings: Findings,
    groups: Iterable[Group],
    *,
    color: bool,
    places: bool = False,
    language: str = "en",
) -> str:
    """Return groups of findings as text: the first of each, and how many others there are.

    Args:
        places: whether to tell where the others are.
        language: what to tell them in, if all can be told in it; English otherwise.
    """
    groups = list(groups)
    labels = told_in(language, (group.first for group in groups))

    def paint(code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if color else text

    lines = []
    read: dict[Path, list[str]] = {}
    for group in groups:
        finding = group.first
        said = (finding.told if labels else None) or finding
        name = finding.severity.value
        severity = paint(_SEVERITIES[finding.severity], getattr(labels, name, name))
        place = _place(findings, finding.location)
        head = f"{paint(_BOLD, place)}: " if place else ""
        lines.append(f"{head}{severity} {finding.code.id}: {said.message}")
        for margin, text in _excerpt(finding, read):
            lines.append(f"  {paint(_BLUE, margin)} {text}".rstrip())
        if said.hint:
            hint = labels.hint if labels else "hint"
            lines.append(f"  {paint(_BLUE, hint)}: {said.hint}")
        if group.others:
            more = f"+ {len(group.others)}" if labels else f"{len(group.others)} more like this"
            text = f"{more}: {_places(group, findings)}" if places else more
            start, *rest = _wrapped(text)
            lines.append(f"  {paint(_BLUE, more)}{start.removeprefix(more)}")
            lines += [visible(f"    {line}") for line in rest]
    return "\n".join(lines)


def _places(group: Group, findings: Findings) -> str:
    """Return where the others of a group are, file by file, and what they are about."""
    parts, last = [], None
    for other in group.others[:_MOST_PLACES]:
        place = other.location
        words = [f"`{name}`" for name in group.differing(other)[:_MOST_NAMES]]
        if place is not None and place.line:
            words.insert(0, place.spot if place.sheet else str(place.line))
        name = findings.name(place.path) if place is not None else ""
        if name != last and name:
            words.insert(0, f"{name}:" if words and place is not None and place.line else name)
        last = name
        parts.append(_BOUND.join(words))
    left = len(group.others) - _MOST_PLACES
    text = ", ".join(filter(None, dict.fromkeys(parts)))
    return f"{text} and {left} more" if left > 0 else text


def _wrapped(text: str) -> list[str]:
    lines = textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return [line.replace(_BOUND, " ") for line in lines]


def _place(findings: Findings, location: Location | None) -> str:
    """Return "file:line:column", or "file:Tab!A1" of a workbook."""
    if location is None:
        return ""
    return ":".join(filter(None, (findings.name(location.path), location.spot)))


def _excerpt(finding: Diagnostic, read: dict[Path, list[str]]) -> Iterator[tuple[str, str]]:
    """Yield the line that a finding is about, and a mark under its place, each with its margin.

    Args:
        read: the lines of files that were read before.
    """
    location = finding.location
    if location is None or not location.line or location.sheet:
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
        data = read_file(path, MAX_BYTES)
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
