"""What holds or not, in a program of whole numbers: each statement is a binary variable.

The variables mean their statements both ways: one is 1 exactly if what it stands for holds. So
they leave every deck possible.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from deckwright.decks.solver.program import Factor, Linear, Program, total_of


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
            number = total_of((1, part.linear) for part in parts)
            self.program.keep(number.plus(both, -1), most=len(parts) - 1)
            self._all[parts] = _statement(both)
        return self._all[parts]

    def any_of(self, statements: Iterable[Statement]) -> Statement:
        """Return that one or more of these hold."""
        return ~self.all_of(~part for part in statements)

    def reaches(self, linear: Linear, least: int) -> Statement:
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
            units = total_of((1, step) for step in steps)
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
