"""Which findings count, and how much: chosen on the command line and in `game.xml`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from deckwright.base.findings import Diagnostic, Report, Severity

FAMILIES = frozenset("XSRGDTLIE")
"""The letters that codes begin with."""


class Grading(NamedTuple):
    """How findings are graded.

    Attributes:
        select: codes and families that alone count; all if empty.
        ignore: codes and families that do not count.
        strict: whether warnings are errors; infos stay what they are.
        severities: other severities than the usual ones by code; None for codes that do not count.
    """

    select: Collection[str] = ()
    ignore: Collection[str] = ()
    strict: bool = False
    severities: Mapping[str, Severity | None] = MappingProxyType({})

    def graded(self, report: Iterable[Diagnostic]) -> Report:
        """Return the findings that count, with the severities that they have here."""
        kept = []
        for finding in report:
            code = finding.code.id
            severity: Severity | None = finding.severity
            if finding.code.severity is not Severity.ERROR:  # those are errors in any game
                severity = self.severities.get(code, severity)
            if (self.select and not _is_one(code, self.select)) or _is_one(code, self.ignore):
                continue
            if severity is not None:
                if self.strict and severity is Severity.WARNING:
                    severity = Severity.ERROR
                kept.append(finding._replace(given_severity=severity))
        return kept


def _is_one(code: str, chosen: Collection[str]) -> bool:
    """Return whether a code is chosen itself or by its family."""
    return code in chosen or code[0] in chosen
