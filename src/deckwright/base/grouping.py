"""Similar findings are reported once: the first of them, and where the others are.

Alike are findings of one code whose messages differ in values alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from deckwright.base.findings import Diagnostic, ordered

_VALUE = re.compile(r"`[^`]*`|\d+(?:[.,]\d+)*")
_NAME = re.compile(r"`([^`]*)`")


class Group(NamedTuple):
    """Findings that are alike, in the order of files and places."""

    first: Diagnostic
    others: tuple[Diagnostic, ...] = ()

    def differing(self, other: Diagnostic) -> list[str]:
        """Return the names in a finding's message that the first one's does not have."""
        known = set(_NAME.findall(self.first.message))
        return [name for name in _NAME.findall(other.message) if name not in known]


def by_kind(findings: Iterable[Diagnostic]) -> list[Group]:
    """Return findings of one kind together, whatever would fix each."""
    return _grouped(findings, hints=False)


def by_cause(findings: Iterable[Diagnostic]) -> list[Group]:
    """Return findings of one kind together that the same change would fix."""
    return _grouped(findings, hints=True)


def _grouped(findings: Iterable[Diagnostic], *, hints: bool) -> list[Group]:
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for finding in ordered(findings):
        what = _VALUE.sub("`", finding.message)
        key = finding.code.id, finding.severity, what, finding.hint if hints else None
        groups.setdefault(key, []).append(finding)
    return [Group(first, tuple(others)) for first, *others in groups.values()]
