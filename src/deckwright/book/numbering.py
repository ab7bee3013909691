"""The numbers of chapters, sections, figures and tables."""

from __future__ import annotations

ARABIC_LEVELS = 3
"""Levels that are counted in arabic numerals; those below are counted in roman ones."""

_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
          (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip


def roman(number: int) -> str:
    """Return a number of at least 1 in roman numerals."""
    result = ""
    for value, numeral in _ROMAN:
        count, number = divmod(number, value)
        result += numeral * count
    return result


class Counter:
    """Counts sections: 1, 1.1, 1.1.1, 1.1.1.I."""

    def __init__(self) -> None:
        """Begin before the first chapter."""
        self._counts: list[int] = []

    def next(self, level: int) -> str:
        """Return the number of the next section of a level; chapters are of level 1."""
        self._counts = (self._counts + [0] * level)[:level]
        self._counts[-1] += 1
        return ".".join(
            str(count) if number < ARABIC_LEVELS else roman(count)
            for number, count in enumerate(self._counts)
        )
