"""Ways to show findings: one file each, entered with `@reporter`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.discovery import import_all
from deckwright.base.findings import Diagnostic
from deckwright.base.visible import visible, visible_path


class Findings(NamedTuple):
    """What a run has found.

    Attributes:
        findings: in the order of files and places.
        files: all files that were looked at.
        base: what paths are told relative to, where they lie below it.
        not_checked: what could not be looked at because of them, in words.
    """

    findings: Sequence[Diagnostic]
    files: Sequence[Path]
    base: Path
    not_checked: Sequence[str] = ()

    def near(self, path: Path) -> Path:
        """Return a path relative to `base` if it lies below that."""
        if path.is_absolute() and path.is_relative_to(self.base):
            return path.relative_to(self.base)
        return path

    def name(self, path: Path) -> str:
        """Return a path as reports show it to people: whatever its name is, it only shows."""
        return visible(visible_path(self.near(path)))


Reporter = Callable[[Findings], str]
"""Makes a report that is printed as it is: all in it that is not its own must be made visible."""

_reporters: dict[str, Reporter] = {}


def reporter(name: str) -> Callable[[Reporter], Reporter]:
    """Enter a function as the format `name` of reports.

    Raises:
        ValueError: if there is one of that name already.
    """

    def decorate(function: Reporter) -> Reporter:
        if name in _reporters:
            raise ValueError(f"reporter `{name}` is registered twice")
        _reporters[name] = function
        return function

    return decorate


def reporters() -> dict[str, Reporter]:
    """Return all formats of reports by name."""
    import_all(importlib.import_module(__name__))
    return dict(_reporters)
