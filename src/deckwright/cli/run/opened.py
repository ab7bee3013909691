"""The run in a folder, for commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import click

from deckwright.api.errors import GameError
from deckwright.base.files import keep_within
from deckwright.cli import common
from deckwright.runs.manifest import Record
from deckwright.runs.run import Run
from deckwright.runs.run import open_run as opened

T = TypeVar("T")

_REASONS = 10
"""So many reasons are told."""
_NAMED = 3
"""So many decks with the same mistake are named."""
folder_argument = click.argument(
    "folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False)
)


def open_run(folder: Path) -> Run:
    """Return the run in a folder; if there is none, say so and end the program."""
    run = demand(partial(opened, folder))
    keep_within(folder)
    return run


def demand(make: Callable[[], T]) -> T:
    """Return what a function makes; if it cannot, say why and end the program."""
    try:
        return make()
    except GameError as error:
        common.show([*error.findings])
        common.leave([*error.findings])


def told_aside(records: Iterable[Record]) -> list[str]:
    """Return why decks were set aside, in lines; what several have in common is told once."""
    decks: dict[str, list[str]] = {}
    for record in records:
        called = f"{record.deck} (line {record.number})"
        for reason in record.aside:
            decks.setdefault(_told(reason), []).append(called)
    lines = [
        line
        for reason, names in islice(decks.items(), _REASONS)
        for line in f"deck {_listed(names)}: {reason}".splitlines()
    ]
    if (more := len(decks) - _REASONS) > 0:
        lines.append(f"and for {more:,} other reasons: `run status --format json` has all of them")
    return lines


def _told(reason: Mapping[str, Any]) -> str:
    code = f"{reason['code']}: " if "code" in reason else ""
    place = f"{reason['file']}:{reason['line']}: " if {"file", "line"} <= reason.keys() else ""
    hint = f"\n  hint: {reason['hint']}" if "hint" in reason else ""
    return f"{place}{code}{reason['message']}{hint}"


def _listed(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {common.counted(more, 'other')}" if more > 0 else "")
