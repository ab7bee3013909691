"""Integer programs: variables, rows, and logical statements over them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

Factor = int | Fraction


class Variable(NamedTuple):
    """An integer variable with a name for debugging, and bounds; a binary one is 0 or 1."""

    name: str
    lower: int
    upper: int


class Linear(NamedTuple):
    """A constant and a sum of variables, given by their numbers, with factors other than 0."""

    terms: Mapping[int, Factor] = MappingProxyType({})
    constant: Factor = 0

    def add(self, other: Linear, factor: Factor = 1) -> Linear:
        """Return the sum of this and another expression with a factor."""
        return sum_of_products(((1, self), (factor, other)))

    def value(self, values: Sequence[int]) -> Factor:
        """Return its value for values of all variables."""
        return self.constant + sum(factor * values[at] for at, factor in self.terms.items())

    @property
    def scale(self) -> int:
        """The least common denominator of its factors."""
        factors = (*self.terms.values(), self.constant)
        return math.lcm(*(Fraction(factor).denominator for factor in factors))


def sum_of_products(parts: Iterable[tuple[Factor, Linear]]) -> Linear:
    """Return the sum of expressions with factors."""
    terms: dict[int, Factor] = {}
    constant: Factor = 0
    for factor, part in parts:
        constant += factor * part.constant
        for at, own in part.terms.items():
            terms[at] = terms.get(at, 0) + factor * own
    return Linear({at: factor for at, factor in terms.items() if factor}, constant)


class Row(NamedTuple):
    """A constraint: `lower <= sum of integer factors and variables <= upper`; None is no bound.

    Attributes:
        terms: the factors by the numbers of their variables.
        origin: the id of the limit, or the card constraint, that it belongs to; None if it only
            defines a variable and so excludes no deck.
    """

    terms: Mapping[int, int]
    lower: int | None
    upper: int | None
    origin: str | None = None

    def holds(self, values: Sequence[int]) -> bool:
        """Return whether values of all variables satisfy it."""
        total = sum(factor * values[at] for at, factor in self.terms.items())
        return (self.lower is None or total >= self.lower) and (
            self.upper is None or total <= self.upper
        )


def make_row(
    linear: Linear, lower: Factor | None, upper: Factor | None, origin: str | None = None
) -> Row:
    """Return the row that keeps an expression between two bounds, with integer factors."""
    scale = Linear(linear.terms).scale
    terms = {at: int(factor * scale) for at, factor in linear.terms.items()}
    return Row(
        terms,
        None if lower is None else math.ceil((lower - linear.constant) * scale),
        None if upper is None else math.floor((upper - linear.constant) * scale),
        origin,
    )


class Program:
    """An integer program. Added variables and rows keep their numbers."""

    def __init__(self, variables: Iterable[Variable] = (), rows: Iterable[Row] = ()) -> None:
        self.variables, self.rows = [*variables], [*rows]

    def variable(self, name: str, lower: int = 0, upper: int = 1) -> Linear:
        """Add a variable, by default a binary one, and return it."""
        self.variables.append(Variable(name, lower, upper))
        return Linear({len(self.variables) - 1: 1})

    def add_row(
        self,
        linear: Linear,
        least: Factor | None = None,
        most: Factor | None = None,
        origin: str | None = None,
    ) -> None:
        """Add a row that keeps an expression between two bounds, unless it always holds."""
        low, high = self.range_of(linear)
        lower = None if least is None or low >= least else least
        upper = None if most is None or high <= most else most
        if lower is not None or upper is not None:
            self.rows.append(make_row(linear, lower, upper, origin))

    def range_of(self, linear: Linear) -> tuple[Factor, Factor]:
        """Return the range of an expression that follows from the bounds of its variables."""
        low = high = linear.constant
        for at, factor in linear.terms.items():
            _, least, most = self.variables[at]
            low += factor * (least if factor > 0 else most)
            high += factor * (most if factor > 0 else least)
        return low, high

    def find_violation(self, values: Sequence[int]) -> Row | Variable | None:
        """Return the first variable or row that values violate, None if they are feasible."""
        for variable, value in zip(self.variables, values, strict=True):
            if not variable.lower <= value <= variable.upper:
                return variable
        return next((row for row in self.rows if not row.holds(values)), None)

    def complete(self, values: Sequence[int]) -> list[int] | None:
        """Return the values of all variables, given those of the first ones.

        None if they are infeasible, or the rows do not determine the rest.
        """
        given = (v._replace(lower=n, upper=n) for v, n in zip(self.variables, values, strict=False))
        fixed = Program([*given, *self.variables[len(values) :]], self.rows)
        before: list[Variable] = []
        while before != fixed.variables:
            before = [*fixed.variables]
            fixed.tighten()
        if any(lower != upper for _, lower, upper in before):
            return None
        everything = [lower for _, lower, _ in before]
        return everything if self.find_violation(everything) is None else None

    def tighten(self) -> None:
        """Tighten the bounds of variables by each row once (bound propagation).

        The new bounds are valid only together with all rows.
        """
        for terms, least, most, _ in self.rows:
            if most is not None:
                self._tighten(terms, most)
            if least is not None:
                self._tighten({at: -factor for at, factor in terms.items()}, -least)

    def _tighten(self, terms: Mapping[int, int], upper: int) -> None:
        room = upper - int(self.range_of(Linear(terms))[0])
        if room < 0:
            return  # infeasible, which the solver will report
        for at, factor in terms.items():
            name, low, high = self.variables[at]
            steps = room // abs(factor)
            if steps < high - low:
                bounds = (low, low + steps) if factor > 0 else (high - steps, high)
                self.variables[at] = Variable(name, *bounds)


class Statement(NamedTuple):
    """A logical statement: a binary variable or its negation; a constant if it has no variable."""

    variable: int | None
    holds: bool = True

    def __invert__(self) -> Statement:
        """Return the negation."""
        return Statement(self.variable, not self.holds)

    @property
    def linear(self) -> Linear:
        """The statement as an expression: 1 if it holds, 0 if not."""
        if self.variable is None:
            return Linear(constant=int(self.holds))
        return Linear({self.variable: 1}) if self.holds else Linear({self.variable: -1}, 1)


ALWAYS = Statement(None)
NEVER = ~ALWAYS


class Logic:
    """Builds statements over a program, with one variable for equal statements."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._all: dict[frozenset[Statement], Statement] = {}
        self._reached: dict[object, Statement] = {}
        self._products: dict[object, Linear] = {}
        self._steps: dict[int, tuple[Linear, ...]] = {}

    def all_of(self, statements: Iterable[Statement]) -> Statement:
        """Return the conjunction of statements."""
        parts = frozenset(statements) - {ALWAYS}
        if NEVER in parts or any(~part in parts for part in parts):
            return NEVER
        if len(parts) < 2:  # one needs no variable
            return next(iter(parts), ALWAYS)
        if parts not in self._all:
            both = self.program.variable("all")
            for part in parts:
                self.program.add_row(part.linear.add(both, -1), least=0)
            number = sum_of_products((1, part.linear) for part in parts)
            self.program.add_row(number.add(both, -1), most=len(parts) - 1)
            self._all[parts] = _statement(both)
        return self._all[parts]

    def any_of(self, statements: Iterable[Statement]) -> Statement:
        """Return the disjunction of statements."""
        return ~self.all_of(~part for part in statements)

    def is_at_least(self, linear: Linear, least: int) -> Statement:
        """Return the statement that an integer expression is at least a number."""
        low, high = self.program.range_of(linear)
        if low >= least:
            return ALWAYS
        if high < least:
            return NEVER
        key = (frozenset(linear.terms.items()), least - linear.constant)
        if key not in self._reached:
            there = self.program.variable("reached")
            self.program.add_row(linear.add(there, low - least), least=low)
            self.program.add_row(linear.add(there, least - 1 - high), most=least - 1)
            self._reached[key] = _statement(there)
        return self._reached[key]

    def product(self, linear: Linear, statement: Statement) -> Linear:
        """Return an integer expression multiplied by a statement: 0 if that does not hold."""
        low, high = self.program.range_of(linear)
        if statement.variable is None or low == high == 0:
            return linear if statement.holds else Linear()
        key = (frozenset(linear.terms.items()), linear.constant, statement)
        if key not in self._products:
            least, most = min(int(low), 0), max(int(high), 0)
            product = self.program.variable("counted", least, most)
            where = statement.linear
            self.program.add_row(product.add(where, -high), most=0)
            self.program.add_row(product.add(where, -low), least=0)
            difference = product.add(linear, -1)
            self.program.add_row(difference.add(where, -low), most=-low)
            self.program.add_row(difference.add(where, -high), least=-high)
            self._products[key] = product
        return self._products[key]

    def steps(self, variable: int) -> tuple[Linear, ...]:
        """Return binary variables that represent an integer variable from 0 in unary.

        They are in descending order, so the sum of all after the first three is the excess over 3.
        """
        if variable not in self._steps:
            name, _, most = self.program.variables[variable]
            steps = [self.program.variable(f"{name} step") for _ in range(most)]
            units = sum_of_products((1, step) for step in steps)
            self.program.add_row(units.add(Linear({variable: 1}), -1), 0, 0)
            for step, further in pairwise(steps):
                self.program.add_row(step.add(further, -1), least=0)
            self._steps[variable] = tuple(steps)
        return self._steps[variable]

    def as_variable(self, linear: Linear) -> Linear:
        """Return an integer expression as one variable, for expressions that many rows use."""
        if len(linear.terms) <= 1:
            return linear
        low, high = self.program.range_of(linear)
        number = self.program.variable("sum", int(low), int(high))
        self.program.add_row(linear.add(number, -1), 0, 0)
        return number

    def add_row(
        self,
        linear: Linear,
        lower: Factor | None,
        upper: Factor | None,
        origin: str,
        when: Iterable[Statement] = (),
    ) -> None:
        """Keep an expression between two bounds if all of some statements hold."""
        condition = self.all_of(when)
        if condition == NEVER:
            return
        low, high = self.program.range_of(linear)
        outside = (~condition).linear
        if lower is not None and low < lower:
            self.program.add_row(linear.add(outside, lower - low), lower, origin=origin)
        if upper is not None and high > upper:
            self.program.add_row(linear.add(outside, upper - high), most=upper, origin=origin)


def _statement(binary: Linear) -> Statement:
    (variable,) = binary.terms
    return Statement(variable)
