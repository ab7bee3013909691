"""Findings as a JUnit report: a case for each file, which fails if the file has an error."""

from __future__ import annotations

from collections import defaultdict

from deckwright.base.findings import Diagnostic, Severity
from deckwright.base.markup import escaped, quoted
from deckwright.cli.reporters import Findings, reporter
from deckwright.cli.reporters.text import report as as_text

_ELSEWHERE = "the game as a whole"


@reporter("junit")
def report(findings: Findings) -> str:
    """Return the report as XML."""
    by_file: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    for path in findings.files:
        by_file[findings.name(path)] = []
    for finding in findings.findings:
        place = finding.location
        by_file[findings.name(place.path) if place else _ELSEWHERE].append(finding)
    cases = [_case(name, found, findings) for name, found in by_file.items()]
    failures = sum("<failure" in case for case in cases)
    head = f'<testsuite name="deckwright" tests="{len(cases)}" failures="{failures}">'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", head, *cases]
    return "\n".join([*lines, "</testsuite>", "</testsuites>"])


def _case(name: str, found: list[Diagnostic], findings: Findings) -> str:
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    others = [finding for finding in found if finding.severity is not Severity.ERROR]
    inside = ""
    if errors:
        first = f"{errors[0].code.id}: {errors[0].message}"
        text = escaped(as_text(findings._replace(findings=errors)))
        inside += f"<failure message={quoted(first)}>{text}</failure>"
    if others:
        text = escaped(as_text(findings._replace(findings=others)))
        inside += f"<system-out>{text}</system-out>"
    head = f'<testcase classname="deckwright" name={quoted(name)}'
    return f"{head}>{inside}</testcase>" if inside else f"{head}/>"
