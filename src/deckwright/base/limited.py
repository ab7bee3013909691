"""A report that can be full, to end work that would find the same mistake for ever."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from deckwright.base.findings import MAX_FINDINGS, Diagnostic, enough


class _FullError(Exception):
    """A report takes no more findings."""


class LimitedReport(list[Diagnostic]):
    """A report that takes only so many findings of one piece of work, if it is told to.

    A template of two megabytes may have a hundred thousand mistakes, and it takes time to say for
    each what was probably meant.
    """

    _most: int | None = None

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Take a hundred findings within a block; then end it, and say so."""
        outer, self._most = self._most, len(self) + MAX_FINDINGS
        try:
            yield
        except _FullError:
            self._most = None
            self.append(enough("there are", self[-1].location))
        finally:
            self._most = outer

    def append(self, finding: Diagnostic) -> None:
        """Take a finding.

        Raises:
            _FullError: if there are enough.
        """
        if self._most is not None and len(self) >= self._most:
            raise _FullError
        super().append(finding)

    def extend(self, findings: Iterable[Diagnostic]) -> None:
        """Take findings, one by one."""
        for finding in findings:
            self.append(finding)
