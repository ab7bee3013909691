"""Integer programs as plain data: variables, rows, and logic over them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
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
        return sum_of_products(((1, self), (factor, other)))

    def value(self, values: Sequence[int]) -> Factor:
        """Return its value, given those of all variables."""
        return self.constant + sum(factor * values[at] for at, factor in self.terms.items())

    @property
    def scale(self) -> int:
        """The least number that makes all its factors whole."""
        factors = (*self.terms.values(), self.constant)
        return math.lcm(*(Fraction(factor).denominator for factor in factors))


def sum_of_products(parts: Iterable[tuple[Factor, Linear]]) -> Linear:
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


def make_row(
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
            self.rows.append(make_row(linear, lower, upper, origin))

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


class Statement(NamedTuple):
    """A binary variable that means something, or that it does not hold.

    Attributes:
        variable: the number of the variable; None for what always holds.
        holds: whether it says that the variable is 1.
    """

    variable: int | None
    holds: bool = True

    def __invert__(self) -> Statement:
        """Return its contrary."""
        return Statement(self.variable, not self.holds)

    @property
    def linear(self) -> Linear:
        """It as a number: 1 if it holds, 0 if not."""
        if self.variable is None:
            return Linear(constant=int(self.holds))
        return Linear({self.variable: 1}) if self.holds else Linear({self.variable: -1}, 1)


ALWAYS = Statement(None)
NEVER = ~ALWAYS


class Logic:
    """Statements over a program. The same statement is the same variable.

    Attributes:
        program: to which their variables and what these mean are added.
    """

    def __init__(self, program: Program) -> None:
        """Take a program."""
        self.program = program
        self._all: dict[frozenset[Statement], Statement] = {}
        self._reached: dict[object, Statement] = {}
        self._products: dict[object, Linear] = {}
        self._steps: dict[int, tuple[Linear, ...]] = {}

    def all_of(self, statements: Iterable[Statement]) -> Statement:
        """Return that all of these hold."""
        parts = frozenset(statements) - {ALWAYS}
        if NEVER in parts or any(~part in parts for part in parts):
            return NEVER
        if len(parts) < 2:  # noqa: PLR2004 - one alone stands for itself
            return next(iter(parts), ALWAYS)
        if parts not in self._all:
            both = self.program.binary("all")
            for part in parts:
                self.program.keep(part.linear.plus(both, -1), least=0)
            number = sum_of_products((1, part.linear) for part in parts)
            self.program.keep(number.plus(both, -1), most=len(parts) - 1)
            self._all[parts] = _statement(both)
        return self._all[parts]

    def any_of(self, statements: Iterable[Statement]) -> Statement:
        """Return that one or more of these hold."""
        return ~self.all_of(~part for part in statements)

    def is_at_least(self, linear: Linear, least: int) -> Statement:
        """Return that a sum, which is always whole, is not less than a number."""
        low, high = self.program.reach(linear)
        if low >= least:
            return ALWAYS
        if high < least:
            return NEVER
        key = (frozenset(linear.terms.items()), least - linear.constant)
        if key not in self._reached:
            there = self.program.binary("reached")
            self.program.keep(linear.plus(there, low - least), least=low)
            self.program.keep(linear.plus(there, least - 1 - high), most=least - 1)
            self._reached[key] = _statement(there)
        return self._reached[key]

    def times(self, linear: Linear, statement: Statement) -> Linear:
        """Return a sum with whole factors where a statement holds, and 0 elsewhere."""
        low, high = self.program.reach(linear)
        if statement.variable is None or low == high == 0:
            return linear if statement.holds else Linear()
        key = (frozenset(linear.terms.items()), linear.constant, statement)
        if key not in self._products:
            least, most = min(int(low), 0), max(int(high), 0)
            product = self.program.variable("counted", least, most)
            where = statement.linear
            self.program.keep(product.plus(where, -high), most=0)
            self.program.keep(product.plus(where, -low), least=0)
            difference = product.plus(linear, -1)
            self.program.keep(difference.plus(where, -low), most=-low)
            self.program.keep(difference.plus(where, -high), least=-high)
            self._products[key] = product
        return self._products[key]

    def steps(self, variable: int) -> tuple[Linear, ...]:
        """Return binary variables whose sum a variable from 0 is: as many as there are units in it.

        The first ones are 1, so that those after the first three are what it has more than three.
        """
        if variable not in self._steps:
            name, _, most = self.program.variables[variable]
            steps = [self.program.binary(f"{name} step") for _ in range(most)]
            units = sum_of_products((1, step) for step in steps)
            self.program.keep(units.plus(Linear({variable: 1}), -1), 0, 0)
            for step, further in pairwise(steps):
                self.program.keep(step.plus(further, -1), least=0)
            self._steps[variable] = tuple(steps)
        return self._steps[variable]

    def counted(self, linear: Linear) -> Linear:
        """Return a sum with whole factors as one variable, for sums that many rows need."""
        if len(linear.terms) <= 1:
            return linear
        low, high = self.program.reach(linear)
        number = self.program.variable("sum", int(low), int(high))
        self.program.keep(linear.plus(number, -1), 0, 0)
        return number

    def keep(
        self,
        linear: Linear,
        least: Factor | None,
        most: Factor | None,
        origin: str,
        when: Iterable[Statement] = (),
    ) -> None:
        """Keep a sum between two numbers where all of some statements hold."""
        condition = self.all_of(when)
        if condition == NEVER:
            return
        low, high = self.program.reach(linear)
        outside = (~condition).linear
        if least is not None and low < least:
            self.program.keep(linear.plus(outside, least - low), least, origin=origin)
        if most is not None and high > most:
            self.program.keep(linear.plus(outside, most - high), most=most, origin=origin)


def _statement(binary: Linear) -> Statement:
    (variable,) = binary.terms
    return Statement(variable)
