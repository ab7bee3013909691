"""Findings as workflow commands of GitHub Actions, which shows them beside the lines.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from deckwright.base.findings import Severity
from deckwright.cli.reporters import Findings, reporter

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


@reporter("github")
def report(findings: Findings) -> str:
    """Return a line for each finding."""
    lines = []
    for finding in findings.findings:
        properties = {"title": f"{finding.code.id}: {finding.code.title}"}
        if finding.location is not None:
            properties["file"] = findings.name(finding.location.path)
            if finding.location.line and not finding.location.sheet:
                properties["line"] = str(finding.location.line)
                properties["col"] = str(finding.location.column)
        listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
        lines.append(f"::{_COMMANDS[finding.severity]} {listed}::{_data(finding.in_lines)}")
    return "\n".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
