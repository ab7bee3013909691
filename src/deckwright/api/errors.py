"""What the library raises where a game has mistakes."""

from __future__ import annotations

from collections.abc import Iterable

from deckwright.base.findings import Diagnostic, ordered


class GameError(Exception):
    """Something cannot be done because of mistakes in the game; the findings say which.

    Attributes:
        findings: what is wrong, each with its place; warnings may be among them.
    """

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        """Keep the findings, each once and in the order of their places."""
        self.findings: tuple[Diagnostic, ...] = tuple(ordered(findings))
        super().__init__("\n".join(map(str, self.findings)))
