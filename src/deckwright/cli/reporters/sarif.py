"""Findings as SARIF 2.1.0, which code hosts and editors read.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from deckwright import __version__
from deckwright.base.findings import Diagnostic, Severity
from deckwright.base.visible import visible_json
from deckwright.cli.reporters import Findings, reporter

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


@reporter("sarif")
def report(findings: Findings) -> str:
    """Return the findings as one SARIF log."""
    codes = {finding.code.id: finding.code for finding in findings.findings}
    order = sorted(codes)
    rules = [
        {
            "id": name,
            "shortDescription": {"text": codes[name].title},
            "fullDescription": {"text": codes[name].prose},
            "defaultConfiguration": {"level": _LEVELS[codes[name].severity]},
        }
        for name in order
    ]
    run = {
        "tool": {"driver": {"name": "Deckwright", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, order.index(finding.code.id), findings)
            for finding in findings.findings
        ],
    }
    if findings.not_checked:
        notes = [
            {"level": "warning", "message": {"text": f"not checked: {what}"}}
            for what in findings.not_checked
        ]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": notes}]
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return visible_json({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _result(finding: Diagnostic, rule: int, findings: Findings) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code.id,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.in_lines},
    }
    place = finding.location
    if place is not None:
        name = os.fsencode(findings.near(place.path).as_posix())  # which need not be UTF-8
        where: dict[str, Any] = {"artifactLocation": {"uri": quote(name)}}
        if place.line and not place.sheet:
            where["region"] = {"startLine": place.line, "startColumn": max(1, place.column)}
        result["locations"] = [{"physicalLocation": where}]
    return result
