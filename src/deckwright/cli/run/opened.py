"""The run in a folder, for commands."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.files import keep_within
from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.runs.manifest import Record
from deckwright.runs.plan import Plan, read_plan

folder_argument = click.argument(
    "folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False)
)


def open_run(folder: Path) -> Plan:
    """Return the run in a folder; if there is none, say so and end the program."""
    report: Report = []
    plan = read_plan(folder, report)
    if plan is None:
        common.show(report)
        common.leave(report)
    keep_within(folder)
    return plan


def told_aside(record: Record) -> list[str]:
    """Return why a deck was set aside, in lines."""
    lines = []
    for reason in record.aside:
        code = f"{reason['code']}: " if "code" in reason else ""
        place = f"{reason['file']}:{reason['line']}: " if "file" in reason else ""
        lines.append(f"deck {record.deck} (line {record.number}): {place}{code}{reason['message']}")
        if "hint" in reason:
            lines.append(f"  hint: {reason['hint']}")
    return lines
