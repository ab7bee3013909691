"""Numbers that a limit takes from the deck itself, such as `{{ identity.influence + 2 }}`.

A formula is a sum of parts with whole factors, so a solver can take it as it is: a `Reference` is
linear in how many copies of each card a deck has; a `Quotient` and a `Step` are each one more whole
variable over something linear. Once the cards of a zone are chosen, what refers to their fields is
a constant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_LONGEST = 200
"""The longest formula, in characters; parentheses in it cannot lie too deep then."""
_NAME = r"[^\s+*/()<>.=-][^\s+*/()<>.=]*"
REFERENCE = rf"{_NAME}\.{_NAME}"
"""Something of the deck, as a regular expression of XSD and Python alike."""
_TOKEN = re.compile(rf"\s*(?:({REFERENCE})|([0-9]{{1,9}})(?![\w.])|(//|<=|>=|[-+*()<>]))")

DECK = "deck"
"""Stands for the whole deck, where no zone is called so."""
CARDS = "cards"
"""Stands for the number of copies, of a zone or of the whole deck."""


class FormulaError(ValueError):
    """A formula cannot be read; the message says why."""


class Reference(NamedTuple):
    """Something that a deck has: the values of a field of the cards in one of its zones.

    As a number it is the sum over all copies in the zone, and so linear in their numbers; where the
    zone has a single card, it is what the card says.
    """

    zone: str
    field: str

    def __str__(self) -> str:
        """Return it as `game.xml` writes it."""
        return f"{self.zone}.{self.field}"


class Quotient(NamedTuple):
    """A formula divided by a whole number, rounded down. A whole variable for solvers."""

    formula: Formula
    divisor: int


class Step(NamedTuple):
    """1 where a formula is not below 0, else 0. A binary variable for solvers."""

    formula: Formula


Part = Reference | Quotient | Step


class Formula(NamedTuple):
    """A sum of parts of a deck.

    Attributes:
        constant: what is added to the parts.
        parts: each with its factor.
        text: the formula as `game.xml` writes it, without its braces.
    """

    constant: int
    parts: tuple[tuple[int, Part], ...] = ()
    text: str = ""

    def __str__(self) -> str:
        """Return it as `game.xml` writes it."""
        return self.text

    def said(self, name: Callable[[Reference], str]) -> str:
        """Return it in words, given the name of each reference."""
        return re.sub(REFERENCE, lambda found: name(read_reference(found[0])), self.text)

    def value(self, number: Callable[[Reference], int]) -> int:
        """Return its value, given that of each reference."""
        total = self.constant
        for factor, part in self.parts:
            if isinstance(part, Reference):
                value = number(part)
            elif isinstance(part, Quotient):
                value = part.formula.value(number) // part.divisor
            else:
                value = int(part.formula.value(number) >= 0)
            total += factor * value
        return total

    def references(self) -> Iterator[Reference]:
        """Yield what it depends on, in order."""
        for _, part in self.parts:
            yield from [part] if isinstance(part, Reference) else part.formula.references()

    def plus(self, other: Formula, factor: int = 1) -> Formula:
        """Return the sum of this and of another formula with a factor."""
        parts = ((factor * own, part) for own, part in other.parts)
        return Formula(self.constant + factor * other.constant, (*self.parts, *parts))


Number = int | Formula
"""A number of a limit: fixed, or worked out from the deck."""


def read_reference(text: str) -> Reference:
    """Return what a text that matches `REFERENCE` refers to."""
    return Reference(*text.strip().split("."))


def read_number(text: str) -> Number:
    """Return a whole number, or what double braces enclose.

    Raises:
        FormulaError: if what they enclose is not a formula.
    """
    text = text.strip()
    if not text.startswith("{{"):
        return int(text)
    return _Reader(text[2:-2].strip()).read()


class _Reader:
    """Reads one formula."""

    def __init__(self, text: str) -> None:
        if len(text) > _LONGEST:
            raise FormulaError(f"it has more than {_LONGEST} characters")
        self._text = text
        self._at = 0

    def read(self) -> Formula:
        formula = self._comparison()
        if self._text[self._at :].strip():
            raise self._stuck()
        return formula._replace(text=self._text)

    def _stuck(self) -> FormulaError:
        rest = self._text[self._at :].strip()
        return FormulaError(f"`{rest}` cannot stand there" if rest else "it ends too early")

    def _take(self, *signs: str) -> str | None:
        """Return the sign that comes next, and pass it, if it is one of these."""
        found = _TOKEN.match(self._text, self._at)
        if found is None or found[3] not in signs:
            return None
        self._at = found.end()
        return found[3]

    def _comparison(self) -> Formula:
        left = self._sum()
        sign = self._take("<", "<=", ">", ">=")
        if sign is None:
            return left
        right = self._sum()
        high, low = (left, right) if sign[0] == ">" else (right, left)
        difference = high.plus(low, -1)
        if len(sign) == 1:
            difference = difference.plus(Formula(-1))
        return Formula(0, ((1, Step(difference)),))

    def _sum(self) -> Formula:
        total = self._product()
        while sign := self._take("+", "-"):
            total = total.plus(self._product(), 1 if sign == "+" else -1)
        return total

    def _product(self) -> Formula:
        left = self._atom()
        while sign := self._take("*", "//"):
            right = self._atom()
            if sign == "//":
                left = _divided(left, right)
            elif left.parts and right.parts:
                raise FormulaError("one side of `*` must be a number")
            else:
                left, right = (left, right) if left.parts else (right, left)
                left = Formula(0).plus(left, right.constant)
        return left

    def _atom(self) -> Formula:
        if self._take("-"):
            return Formula(0).plus(self._atom(), -1)
        if self._take("("):
            inner = self._comparison()
            if not self._take(")"):
                raise self._stuck()
            return inner
        found = _TOKEN.match(self._text, self._at)
        if found is None or found[3]:
            raise self._stuck()
        self._at = found.end()
        if found[1]:
            return Formula(0, ((1, read_reference(found[1])),))
        return Formula(int(found[2]))


def _divided(formula: Formula, by: Formula) -> Formula:
    if by.parts or by.constant < 1:
        raise FormulaError("what stands behind `//` must be a number, at least 1")
    if not formula.parts:
        return Formula(formula.constant // by.constant)
    return Formula(0, ((1, Quotient(formula, by.constant)),))
