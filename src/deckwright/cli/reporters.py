"""Reporters: findings as text, JSON, JUnit, SARIF and GitHub workflow commands."""

from __future__ import annotations

import codecs
import os
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from deckwright import __version__
from deckwright.base.files import read_file
from deckwright.base.findings import Diagnostic, FindingGroup, Severity, translated_labels
from deckwright.base.strings import (
    dump_safe_json,
    escape_text,
    printable_path,
    quote_attribute,
    sanitize_line,
)


class CheckReport(NamedTuple):
    """The findings of a check.

    Attributes:
        findings: sorted by file and place.
        files: all checked files.
        base: the folder that paths below it are relative to.
        not_checked: descriptions of what could not be checked because of the findings.
    """

    findings: Sequence[Diagnostic]
    files: Sequence[Path]
    base: Path
    not_checked: Sequence[str] = ()

    def relative_path(self, path: Path) -> Path:
        """Return a path relative to `base` if it is below that."""
        if path.is_absolute() and path.is_relative_to(self.base):
            return path.relative_to(self.base)
        return path

    def display_name(self, path: Path) -> str:
        """Return a path for people, with control characters escaped."""
        return sanitize_line(printable_path(self.relative_path(path)))


Reporter = Callable[[CheckReport], str]
"""Formats a report that is printed verbatim, so it must escape control characters."""

_reporters: dict[str, Reporter] = {}


def reporter(name: str) -> Callable[[Reporter], Reporter]:
    """Register a function as the report format `name`; raise a ValueError if there is one."""

    def decorate(function: Reporter) -> Reporter:
        if name in _reporters:
            raise ValueError(f"reporter `{name}` is registered twice")
        _reporters[name] = function
        return function

    return decorate


def reporters() -> dict[str, Reporter]:
    """Return all report formats by name."""
    return dict(_reporters)


_MAX_LINE_WIDTH = 96
"""Excerpts of lines are at most this wide, in characters."""
_MAX_LEAD = 56
"""The part of a long line that is shown before the place, in characters."""
_MAX_BYTES = 20_000_000
"""The largest file whose lines are shown, which is the largest table that is read."""
_MAX_PLACES, _MAX_NAMES = 30, 2
"""The most places of similar findings that are listed, and the most names at each."""
_NO_BREAK = "\N{NO-BREAK SPACE}"
"""Keeps words on one line; it is printed as a space."""
_RESET, _BOLD, _BLUE = "\x1b[0m", "\x1b[1m", "\x1b[34m"
_SEVERITIES = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.INFO: "\x1b[1;36m",
}


@reporter("text")
def format_text(findings: CheckReport) -> str:
    """Format findings as plain text."""
    return format_groups(findings, map(FindingGroup, findings.findings), color=False)


def format_groups(
    findings: CheckReport,
    groups: Iterable[FindingGroup],
    *,
    color: bool,
    places: bool = False,
    language: str = "en",
) -> str:
    """Format groups of findings: the first of each, and the number or the places of the others."""
    groups = list(groups)
    labels = translated_labels(language, (group.first for group in groups))

    def paint(code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if color else text

    lines = []
    read: dict[Path, list[str]] = {}
    for group in groups:
        finding = group.first
        wording = (finding.translation if labels else None) or finding
        name = finding.severity.value
        severity = paint(_SEVERITIES[finding.severity], getattr(labels, name, name))
        at = finding.location
        place = ":".join(filter(None, (findings.display_name(at.path), at.spot))) if at else ""
        head = f"{paint(_BOLD, place)}: " if place else ""
        lines.append(f"{head}{severity} {finding.code.id}: {wording.message}")
        for margin, text in _excerpt(finding, read):
            lines.append(f"  {paint(_BLUE, margin)} {text}".rstrip())
        if wording.hint:
            hint = labels.hint if labels else "hint"
            lines.append(f"  {paint(_BLUE, hint)}: {wording.hint}")
        if group.further:
            more = f"+ {len(group.further)}" if labels else f"{len(group.further)} more like this"
            text = f"{more}: {_list_places(group, findings)}" if places else more
            start, *rest = (
                line.replace(_NO_BREAK, " ")
                for line in textwrap.wrap(
                    text, _MAX_LINE_WIDTH, break_long_words=False, break_on_hyphens=False
                )
            )
            lines.append(f"  {paint(_BLUE, more)}{start.removeprefix(more)}")
            lines += [sanitize_line(f"    {line}") for line in rest]
    return "\n".join(lines)


def _list_places(group: FindingGroup, findings: CheckReport) -> str:
    """List the places of a group's other findings, file by file, with their subjects."""
    parts, last = [], None
    for other in group.further[:_MAX_PLACES]:
        place = other.location
        words = [f"`{name}`" for name in group.find_new_names(other)[:_MAX_NAMES]]
        if place is not None and place.line:
            words.insert(0, place.spot if place.sheet else str(place.line))
        name = findings.display_name(place.path) if place is not None else ""
        if name != last and name:
            words.insert(0, f"{name}:" if words and place is not None and place.line else name)
        last = name
        parts.append(_NO_BREAK.join(words))
    left = len(group.further) - _MAX_PLACES
    text = ", ".join(filter(None, dict.fromkeys(parts)))
    return f"{text} and {left} more" if left > 0 else text


def _excerpt(finding: Diagnostic, read: dict[Path, list[str]]) -> Iterator[tuple[str, str]]:
    """Yield the line of a finding and a mark under its column, with margins; `read` is a cache."""
    location = finding.location
    if location is None or not location.line or location.sheet:
        return
    if location.path not in read:
        read[location.path] = _read_lines(location.path)
    lines = read[location.path]
    if location.line > len(lines):
        return
    text = lines[location.line - 1].replace("\t", " ")
    column = max(1, min(location.column, len(text) + 1))
    start = max(0, column - 1 - _MAX_LEAD) if len(text) > _MAX_LINE_WIDTH else 0
    shown = text[start : start + _MAX_LINE_WIDTH]
    mark = column - 1 - start
    if start:
        shown = "…" + shown[1:]
    if start + _MAX_LINE_WIDTH < len(text):
        shown = shown[:-1] + "…"
    number = str(location.line)
    # Characters that are not one column wide would shift the mark.
    shown = "".join(letter if letter.isprintable() else " " for letter in shown)
    yield f"{number} |", sanitize_line(shown)
    yield f"{' ' * len(number)} |", " " * mark + "^"


def _read_lines(path: Path) -> list[str]:
    """Return the lines of a file, none if it is not a readable text file."""
    try:
        data = read_file(path, _MAX_BYTES)
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


_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


@reporter("github")
def format_github(findings: CheckReport) -> str:
    """Format findings as GitHub workflow commands."""
    lines = []

    def escape(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    for finding in findings.findings:
        properties = {"title": f"{finding.code.id}: {finding.code.title}"}
        if finding.location is not None:
            properties["file"] = findings.display_name(finding.location.path)
            if finding.location.line and not finding.location.sheet:
                properties["line"] = str(finding.location.line)
                properties["col"] = str(finding.location.column)
        escaped = {name: escape(value).replace(":", "%3A").replace(",", "%2C")
                   for name, value in properties.items()}  # fmt: skip
        listed = ",".join(f"{name}={value}" for name, value in escaped.items())
        lines.append(f"::{_COMMANDS[finding.severity]} {listed}::{escape(finding.as_lines)}")
    return "\n".join(lines)


VERSION = 1
"""The version of this format, incremented by incompatible changes."""


@reporter("json")
def format_json(findings: CheckReport) -> str:
    """Format findings as a JSON object."""

    def name(path: Path) -> str:
        return printable_path(findings.relative_path(path))

    listed = [
        {
            "code": finding.code.id,
            "title": finding.code.title,
            "severity": finding.severity.value,
            "file": name(at.path) if (at := finding.location) else None,
            "line": at.line if at else 0,
            "column": at.column if at else 0,
            "sheet": at.sheet if at else "",
            "message": finding.message,
            "hint": finding.hint,
        }
        for finding in findings.findings
    ]
    counts = Counter(finding.severity for finding in findings.findings)
    data = {
        "version": VERSION,
        "files": [name(path) for path in findings.files],
        "errors": counts[Severity.ERROR],
        "warnings": counts[Severity.WARNING],
        "infos": counts[Severity.INFO],
        "findings": listed,
        "not_checked": list(findings.not_checked),
    }
    return dump_safe_json(data)


_WHOLE_GAME = "the game as a whole"


@reporter("junit")
def format_junit(findings: CheckReport) -> str:
    """Format findings as JUnit XML."""
    by_file: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    for path in findings.files:
        by_file[findings.display_name(path)] = []
    for finding in findings.findings:
        place = finding.location
        by_file[findings.display_name(place.path) if place else _WHOLE_GAME].append(finding)
    cases = []
    for name, found in by_file.items():
        errors = [finding for finding in found if finding.severity is Severity.ERROR]
        others = [finding for finding in found if finding.severity is not Severity.ERROR]
        inside = ""
        if errors:
            first = f"{errors[0].code.id}: {errors[0].message}"
            text = escape_text(format_text(findings._replace(findings=errors)))
            inside += f"<failure message={quote_attribute(first)}>{text}</failure>"
        if others:
            text = escape_text(format_text(findings._replace(findings=others)))
            inside += f"<system-out>{text}</system-out>"
        head = f'<testcase classname="deckwright" name={quote_attribute(name)}'
        cases.append(f"{head}>{inside}</testcase>" if inside else f"{head}/>")
    failures = sum("<failure" in case for case in cases)
    head = f'<testsuite name="deckwright" tests="{len(cases)}" failures="{failures}">'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", head, *cases]
    return "\n".join([*lines, "</testsuite>", "</testsuites>"])


_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


@reporter("sarif")
def format_sarif(findings: CheckReport) -> str:
    """Format findings as a SARIF 2.1.0 log."""
    codes = {finding.code.id: finding.code for finding in findings.findings}
    order = sorted(codes)
    rules = [
        {
            "id": code.id,
            "shortDescription": {"text": code.title},
            "fullDescription": {"text": code.prose},
            "defaultConfiguration": {"level": _LEVELS[code.severity]},
        }
        for code in map(codes.__getitem__, order)
    ]
    results = []
    for finding in findings.findings:
        result: dict[str, Any] = {
            "ruleId": finding.code.id,
            "ruleIndex": order.index(finding.code.id),
            "level": _LEVELS[finding.severity],
            "message": {"text": finding.as_lines},
        }
        if (place := finding.location) is not None:
            name = os.fsencode(findings.relative_path(place.path).as_posix())  # may not be UTF-8
            where: dict[str, Any] = {"artifactLocation": {"uri": quote(name)}}
            if place.line and not place.sheet:
                where["region"] = {"startLine": place.line, "startColumn": max(1, place.column)}
            result["locations"] = [{"physicalLocation": where}]
        results.append(result)
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "Deckwright", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    if findings.not_checked:
        notes = [
            {"level": "warning", "message": {"text": f"not checked: {what}"}}
            for what in findings.not_checked
        ]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": notes}]
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return dump_safe_json({"$schema": schema, "version": "2.1.0", "runs": [run]})
