"""Solve programs with HiGHS (https://highs.dev). No other module imports it.

The answers are reproducible: one thread, a fixed seed, no gap. They are rounded to whole numbers
and verified with exact arithmetic.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from enum import Enum, auto
from fractions import Fraction
from importlib.util import find_spec
from itertools import accumulate
from typing import Any, NamedTuple

from deckwright.base.extras import install_command
from deckwright.base.findings import ChoiceError
from deckwright.decks.solver.program import Factor, Linear, Program, Row, Variable

_OPTIONS: Mapping[str, bool | int | float] = {
    "threads": 1,
    "random_seed": 0,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.0,
    "mip_feasibility_tolerance": 1e-9,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}
_SMALL_PROGRAM = 1_000
"""For programs with fewer variables, the heuristics below take longer than the search."""
_INNER_SEARCHES = ("mip_heuristic_run_rins", "mip_heuristic_run_rens")
_TOLERANCE = 1e-5
"""The tolerance for floating-point results of the solver."""


class SolverStatus(Enum):
    """The result of a search."""

    OPTIMAL = auto()
    INFEASIBLE = auto()
    STOPPED = auto()
    """Time ran out: an answer may exist, or a better one."""


class SolverOutcome(NamedTuple):
    """The outcome of a search; without an answer, `values` and `value` are None.

    Attributes:
        value: the value of the objective.
        bound: the bound that no answer can exceed, None if unknown.
    """

    status: SolverStatus
    values: tuple[int, ...] | None = None
    value: Factor | None = None
    bound: Factor | None = None


def is_installed() -> bool:
    """Return whether HiGHS is installed."""
    return find_spec("highspy") is not None


def require_installed() -> None:
    """Raise a ChoiceError if HiGHS is not installed."""
    if not is_installed():
        message = "decks are sought with the library highspy, which is not installed"
        raise ChoiceError(message, install_command("solve"))


def _make_silent_model(lib: Any) -> Any:  # the library has no types
    """Return an empty model that prints nothing.

    From version 1.16 on HiGHS prints its name to standard output when callbacks are enabled, which
    its constructor does, unless `output_flag` is off by then.
    """

    class Silent(lib.Highs):  # type: ignore[misc]
        def enableCallbacks(self) -> None:  # noqa: N802 - HiGHS's name
            self.setOptionValue("output_flag", False)  # noqa: FBT003
            super().enableCallbacks()

    return Silent()


class HighsSolver:
    """A program in HiGHS, to be solved repeatedly with different bounds, rows and objectives."""

    def __init__(self, program: Program, seconds: float = math.inf) -> None:
        """Set the time limit of all searches together; raise a ChoiceError without HiGHS."""
        require_installed()
        import highspy  # heavy, and in an extra

        self._lib: Any = highspy
        self._end = time.monotonic() + seconds
        self._program = Program(program.variables, program.rows)
        self.variables = self._program.variables
        self._model: Any = _make_silent_model(highspy)
        for name, value in _OPTIONS.items():
            self._model.setOptionValue(name, value)
        for name in _INNER_SEARCHES if len(program.variables) < _SMALL_PROGRAM else ():
            self._model.setOptionValue(name, False)  # noqa: FBT003
        lib, rows, count = highspy, program.rows, len(program.variables)
        model = lib.HighsLp()
        model.num_col_, model.num_row_ = count, len(rows)
        model.col_cost_ = [0.0] * count
        model.col_lower_ = [float(variable.lower) for variable in program.variables]
        model.col_upper_ = [float(variable.upper) for variable in program.variables]
        model.row_lower_ = [_lower(row.lower) for row in rows]
        model.row_upper_ = [_upper(row.upper) for row in rows]
        model.integrality_ = [lib.HighsVarType.kInteger] * count
        matrix = model.a_matrix_
        matrix.format_ = lib.MatrixFormat.kRowwise
        matrix.num_col_, matrix.num_row_ = count, len(rows)
        matrix.start_ = [*accumulate((len(row.terms) for row in rows), initial=0)]
        matrix.index_ = [at for row in rows for at in row.terms]
        matrix.value_ = [float(factor) for row in rows for factor in row.terms.values()]
        self._model.passModel(model)
        self._solution: tuple[int, ...] | None = None

    def add(self, row: Row) -> int:
        """Add a row, and return its number."""
        self._model.addRow(
            _lower(row.lower), _upper(row.upper), len(row.terms),
            [*row.terms], [float(factor) for factor in row.terms.values()],
        )  # fmt: skip
        self._program.rows.append(row)
        return len(self._program.rows) - 1

    def free_row(self, number: int) -> None:
        """Remove the bounds of a row."""
        self._program.rows[number] = self._program.rows[number]._replace(lower=None, upper=None)
        self._model.changeRowBounds(number, -math.inf, math.inf)

    def set_bounds(self, variable: int, lower: int, upper: int) -> None:
        """Change the bounds of a variable."""
        name = self.variables[variable].name
        self.variables[variable] = Variable(name, lower, upper)
        self._model.changeColBounds(variable, float(lower), float(upper))

    def maximize(self, aim: Linear) -> SolverOutcome:
        """Maximize a sum; raise an ArithmeticError if the answer breaks a row, which is a bug."""
        scale = aim.scale
        self._set_objective(aim, scale)
        left = self._end - time.monotonic()
        if left <= 0:
            return SolverOutcome(SolverStatus.STOPPED)
        if not self.variables:
            possible = self._program.find_violation(()) is None
            nothing = SolverOutcome(SolverStatus.OPTIMAL, (), aim.constant, aim.constant)
            return nothing if possible else SolverOutcome(SolverStatus.INFEASIBLE)
        model = self._model
        model.setOptionValue("time_limit", left)
        if self._solution is not None and self._program.find_violation(self._solution) is None:
            solution = self._lib.HighsSolution()
            solution.col_value = [float(value) for value in self._solution]
            model.setSolution(solution)
        model.run()
        states, info = self._lib.HighsModelStatus, model.getInfo()
        state, values = model.getModelStatus(), None
        if state in {states.kInfeasible, states.kUnboundedOrInfeasible}:
            return SolverOutcome(SolverStatus.INFEASIBLE)
        if info.primal_solution_status == self._lib.SolutionStatus.kSolutionStatusFeasible:
            values = tuple(round(value) for value in model.getSolution().col_value)
            if (broken := self._program.find_violation(values)) is not None:
                raise ArithmeticError(f"the solver's answer breaks {broken}")
            self._solution = values
        value = None if values is None else aim.value(values)
        if state == states.kOptimal:
            return SolverOutcome(SolverStatus.OPTIMAL, values, value, value)
        bound = None
        if math.isfinite(info.mip_dual_bound):
            bound = aim.constant + Fraction(math.floor(info.mip_dual_bound + _TOLERANCE), scale)
        return SolverOutcome(SolverStatus.STOPPED, values, value, bound)

    def _set_objective(self, aim: Linear, scale: int) -> None:
        costs = [0.0] * len(self.variables)
        for at, factor in aim.terms.items():
            costs[at] = float(factor * scale)
        self._model.changeColsCost(len(costs), list(range(len(costs))), costs)
        self._model.changeObjectiveSense(self._lib.ObjSense.kMaximize)

    def fix_variables(self, aim: Linear, reached: Factor) -> None:
        """Fix the variables that cannot change while a sum keeps the maximum that it has reached.

        This is reduced cost fixing: the optimum of the relaxation, minus the cost of moving a
        variable away from its bound, must not fall below the known maximum.
        """
        scale = aim.scale
        self._set_objective(aim, scale)
        model = self._model
        model.setOptionValue("solve_relaxation", True)  # noqa: FBT003
        model.run()
        model.setOptionValue("solve_relaxation", False)  # noqa: FBT003
        if model.getModelStatus() != self._lib.HighsModelStatus.kOptimal:
            return
        room = model.getInfo().objective_function_value - float((reached - aim.constant) * scale)
        solution = model.getSolution()
        for at, (price, value) in enumerate(
            zip(list(solution.col_dual), list(solution.col_value), strict=True)
        ):
            _, low, high = self.variables[at]
            if low < high and abs(price) > room + _TOLERANCE * (1 + abs(room)):
                if price < 0 and value < low + _TOLERANCE:
                    self.set_bounds(at, low, low)
                elif price > 0 and value > high - _TOLERANCE:
                    self.set_bounds(at, high, high)


def _lower(number: int | None) -> float:
    return -math.inf if number is None else float(number)


def _upper(number: int | None) -> float:
    return math.inf if number is None else float(number)
