"""Findings as JSON, for programs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from deckwright.base.findings import Severity
from deckwright.base.visible import visible_json, visible_path
from deckwright.cli.reporters import Findings, reporter

VERSION = 1
"""Of this format; it grows when a name changes its meaning."""


@reporter("json")
def report(findings: Findings) -> str:
    """Return the findings as one JSON object."""

    def name(path: Path) -> str:
        return visible_path(findings.near(path))

    listed = [
        {
            "code": finding.code.id,
            "title": finding.code.title,
            "severity": finding.severity.value,
            "file": name(finding.location.path) if finding.location else None,
            "line": finding.location.line if finding.location else 0,
            "column": finding.location.column if finding.location else 0,
            "sheet": finding.location.sheet if finding.location else "",
            "message": finding.message,
            "hint": finding.hint,
        }
        for finding in findings.findings
    ]
    counts = Counter(finding.severity for finding in findings.findings)
    whole = {
        "version": VERSION,
        "files": [name(path) for path in findings.files],
        "errors": counts[Severity.ERROR],
        "warnings": counts[Severity.WARNING],
        "infos": counts[Severity.INFO],
        "findings": listed,
        "not_checked": list(findings.not_checked),
    }
    return visible_json(whole)
