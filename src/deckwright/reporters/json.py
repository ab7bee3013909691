"""Findings as JSON, for programs."""

from __future__ import annotations

import json

from deckwright.diagnostics import Severity
from deckwright.reporters import Findings, reporter

VERSION = 1
"""Of this format; it grows when a name changes its meaning."""


@reporter("json")
def report(findings: Findings) -> str:
    """Return the findings as one JSON object."""
    listed = [
        {
            "code": finding.code.id,
            "title": finding.code.title,
            "severity": finding.severity.value,
            "file": findings.name(finding.location.path) if finding.location else None,
            "line": finding.location.line if finding.location else 0,
            "column": finding.location.column if finding.location else 0,
            "message": finding.message,
            "hint": finding.hint,
        }
        for finding in findings.findings
    ]
    errors = sum(finding.severity is Severity.ERROR for finding in findings.findings)
    whole = {
        "version": VERSION,
        "files": [findings.name(path) for path in findings.files],
        "errors": errors,
        "warnings": len(listed) - errors,
        "findings": listed,
    }
    return json.dumps(whole, ensure_ascii=False, indent=2)
