"""Programs of whole numbers as plain data: variables, and rows that they must keep.

All numbers are exact. Whoever solves a program, its answers can be tried here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

Factor = int | Fraction


class Variable(NamedTuple):
    """A whole number between two bounds; a binary one is between 0 and 1.

    Attributes:
        name: for those who read the program.
    """

    name: str
    least: int
    most: int


class Linear(NamedTuple):
    """A sum of variables with factors.

    Attributes:
        terms: factors by the numbers of their variables; none of them is 0.
    """

    terms: Mapping[int, Factor] = MappingProxyType({})
    constant: Factor = 0

    def plus(self, other: Linear, factor: Factor = 1) -> Linear:
        """Return the sum of this and of another one with a factor."""
        return total_of(((1, self), (factor, other)))

    def value(self, values: Sequence[int]) -> Factor:
        """Return its value, given those of all variables."""
        return self.constant + sum(factor * values[at] for at, factor in self.terms.items())

    @property
    def scale(self) -> int:
        """The least number that makes all its factors whole."""
        factors = (*self.terms.values(), self.constant)
        return math.lcm(*(Fraction(factor).denominator for factor in factors))


def total_of(parts: Iterable[tuple[Factor, Linear]]) -> Linear:
    """Return a sum of sums with factors."""
    terms: dict[int, Factor] = {}
    constant: Factor = 0
    for factor, part in parts:
        constant += factor * part.constant
        for at, own in part.terms.items():
            terms[at] = terms.get(at, 0) + factor * own
    return Linear({at: factor for at, factor in terms.items() if factor}, constant)


class Row(NamedTuple):
    """What must hold: `least <= sum of factors and variables <= most`.

    Attributes:
        terms: whole factors by the numbers of their variables.
        least, most: whole numbers, None where there is no bound.
        origin: the id of the limit, or the wish, that asks for it; several rows may have the same.
            None if it only defines what a variable means, and so leaves all decks possible.
    """

    terms: Mapping[int, int]
    least: int | None
    most: int | None
    origin: str | None = None

    def holds(self, values: Sequence[int]) -> bool:
        """Return whether it is kept, given the values of all variables."""
        total = sum(factor * values[at] for at, factor in self.terms.items())
        return (self.least is None or total >= self.least) and (
            self.most is None or total <= self.most
        )


def row_of(
    linear: Linear, least: Factor | None, most: Factor | None, origin: str | None = None
) -> Row:
    """Return the row that keeps a sum between two numbers, with whole factors."""
    scale = Linear(linear.terms).scale
    terms = {at: int(factor * scale) for at, factor in linear.terms.items()}
    return Row(
        terms,
        None if least is None else math.ceil((least - linear.constant) * scale),
        None if most is None else math.floor((most - linear.constant) * scale),
        origin,
    )


class Program:
    """Variables and rows. What is added keeps its number.

    Attributes:
        variables, rows: by their numbers.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.variables: list[Variable] = []
        self.rows: list[Row] = []

    def variable(self, name: str, least: int, most: int) -> Linear:
        """Add a variable, and return it."""
        self.variables.append(Variable(name, least, most))
        return Linear({len(self.variables) - 1: 1})

    def binary(self, name: str) -> Linear:
        """Add a variable that is 0 or 1, and return it."""
        return self.variable(name, 0, 1)

    def keep(
        self,
        linear: Linear,
        least: Factor | None = None,
        most: Factor | None = None,
        origin: str | None = None,
    ) -> None:
        """Add the row that keeps a sum between two numbers, unless it is always there."""
        low, high = self.reach(linear)
        lower = None if least is None or low >= least else least
        upper = None if most is None or high <= most else most
        if lower is not None or upper is not None:
            self.rows.append(row_of(linear, lower, upper, origin))

    def forget(self, origin: str) -> None:
        """Take away the rows of a limit."""
        self.rows = [row for row in self.rows if row.origin != origin]

    def reach(self, linear: Linear) -> tuple[Factor, Factor]:
        """Return between which numbers a sum lies, by the bounds of its variables alone."""
        low = high = linear.constant
        for at, factor in linear.terms.items():
            _, least, most = self.variables[at]
            low += factor * (least if factor > 0 else most)
            high += factor * (most if factor > 0 else least)
        return low, high

    def broken(self, values: Sequence[int]) -> Row | Variable | None:
        """Return the first bound or row that values break, None if they keep all."""
        for variable, value in zip(self.variables, values, strict=True):
            if not variable.least <= value <= variable.most:
                return variable
        return next((row for row in self.rows if not row.holds(values)), None)

    def tighten(self) -> None:
        """Bring the bounds of variables as close as each row by itself allows, once.

        The bounds then hold only together with all rows.
        """
        for terms, least, most, _ in self.rows:
            if most is not None:
                self._tighten(terms, most)
            if least is not None:
                self._tighten({at: -factor for at, factor in terms.items()}, -least)

    def _tighten(self, terms: Mapping[int, int], most: int) -> None:
        room = most - int(self.reach(Linear(terms))[0])
        if room < 0:
            return  # nothing keeps it, which the solver will find
        for at, factor in terms.items():
            name, low, high = self.variables[at]
            steps = room // abs(factor)
            if steps < high - low:
                bounds = (low, low + steps) if factor > 0 else (high - steps, high)
                self.variables[at] = Variable(name, *bounds)
