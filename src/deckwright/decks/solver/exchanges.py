"""Decks beside one that is known: with one more copy, or with one copy exchanged for another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deckwright.decks.solver.program import Program


class Exchanges:
    """Answers of a program that differ from a known one in one or two variables, by one each.

    To try them takes no solver. What variables beside these mean may be wrong then, so an answer
    may be missed, but none that is found breaks a row.
    """

    def __init__(self, program: Program, values: Sequence[int]) -> None:
        """Take a program and an answer of it."""
        self._program, self._values = program, values
        self._rows: dict[int, list[int]] = {}
        for number, row in enumerate(program.rows):
            for at in row.terms:
                self._rows.setdefault(at, []).append(number)
        self._totals = [
            sum(factor * values[at] for at, factor in row.terms.items()) for row in program.rows
        ]

    def allow(self, number: int, others: Iterable[int]) -> bool:
        """Return whether a variable can be one higher, alone or with one of others one lower."""
        if self._values[number] >= self._program.variables[number].most:
            return False
        moves = [{number: 1}, *({number: 1, other: -1} for other in others if other != number)]
        return any(map(self._holds, moves))

    def _holds(self, steps: dict[int, int]) -> bool:
        rows = self._program.rows
        for at, step in steps.items():
            if self._values[at] + step < self._program.variables[at].least:
                return False
        for row_number in {row for at in steps for row in self._rows.get(at, ())}:
            terms, least, most, _ = rows[row_number]
            total = self._totals[row_number]
            total += sum(terms.get(at, 0) * step for at, step in steps.items())
            if (least is not None and total < least) or (most is not None and total > most):
                return False
        return True
