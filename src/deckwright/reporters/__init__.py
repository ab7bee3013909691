"""Ways to show findings: one file each, entered with `@reporter`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.diagnostics import Diagnostic
from deckwright.discovery import import_all


class Findings(NamedTuple):
    """What a run has found.

    Attributes:
        findings: in the order of files and places.
        files: all files that were looked at.
        base: what paths are told relative to, where they lie below it.
    """

    findings: Sequence[Diagnostic]
    files: Sequence[Path]
    base: Path

    def name(self, path: Path) -> str:
        """Return a path as reports tell it."""
        if path.is_absolute() and path.is_relative_to(self.base):
            path = path.relative_to(self.base)
        return path.as_posix()


Reporter = Callable[[Findings], str]

_reporters: dict[str, Reporter] = {}


def reporter(name: str) -> Callable[[Reporter], Reporter]:
    """Enter a function as the format `name` of reports.

    Raises:
        ValueError: if there is one of that name already.
    """

    def decorate(function: Reporter) -> Reporter:
        if name in _reporters:
            message = f"reporter `{name}` is registered twice"
            raise ValueError(message)
        _reporters[name] = function
        return function

    return decorate


def reporters() -> dict[str, Reporter]:
    """Return all formats of reports by name."""
    import_all(importlib.import_module(__name__))
    return dict(_reporters)
