"""Programs of some forty cards, given to another solver as well: both find the same optimum."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
import swiglpk as glpk

from deckwright.decks.solver.building import build_program
from deckwright.decks.solver.highs import HighsSolver, SolverStatus
from deckwright.decks.solver.program import Linear, Program, sum_of_products
from random_games import random_game, rules_of


def bounds(least: float | None, most: float | None) -> tuple[int, float, float]:
    """Return two bounds as GLPK takes them: their kind and their numbers."""
    if least is None or most is None:
        kinds = {(True, False): glpk.GLP_UP, (False, True): glpk.GLP_LO}
        kind = kinds.get((least is None, most is None), glpk.GLP_FR)
        return kind, least or 0, most or 0
    return (glpk.GLP_FX if least == most else glpk.GLP_DB), least, most


def second_opinion(program: Program, aim: Linear) -> int | None:
    """Return how large a sum can be by GLPK; None if nothing keeps all rows."""
    problem = glpk.glp_create_prob()
    glpk.glp_set_obj_dir(problem, glpk.GLP_MAX)
    glpk.glp_add_cols(problem, len(program.variables))
    for at, variable in enumerate(program.variables, 1):
        glpk.glp_set_col_bnds(problem, at, *bounds(variable.lower, variable.upper))
        glpk.glp_set_col_kind(problem, at, glpk.GLP_IV)
        glpk.glp_set_obj_coef(problem, at, float(aim.terms.get(at - 1, 0)))
    if program.rows:
        glpk.glp_add_rows(problem, len(program.rows))
    for at, row in enumerate(program.rows, 1):
        glpk.glp_set_row_bnds(problem, at, *bounds(row.lower, row.upper))
        glpk.glp_set_mat_row(problem, at, len(row.terms), *numbers_of([*row.terms.items()]))
    how = glpk.glp_iocp()
    glpk.glp_init_iocp(how)
    how.presolve, how.msg_lev, how.tol_int = glpk.GLP_ON, glpk.GLP_MSG_OFF, 1e-7
    failed = glpk.glp_intopt(problem, how)
    state = glpk.glp_mip_status(problem)
    value: int = round(glpk.glp_mip_obj_val(problem))
    glpk.glp_delete_prob(problem)
    if failed == glpk.GLP_ENOPFS or state == glpk.GLP_NOFEAS:
        return None
    assert (failed, state) == (0, glpk.GLP_OPT)
    return value


def numbers_of(terms: Sequence[tuple[int, int]]) -> tuple[object, object]:
    """Return the indices and the factors of a row as GLPK's arrays, which begin at 1."""
    indices, factors = glpk.intArray(len(terms) + 1), glpk.doubleArray(len(terms) + 1)
    for number, (at, factor) in enumerate(terms, 1):
        indices[number], factors[number] = at + 1, float(factor)
    return indices, factors


@pytest.mark.parametrize("seeds", [range(16), range(16, 32)], ids=str)
def test_both_solvers_find_the_same_optimum(tmp_path: Path, seeds: range) -> None:
    possible = 0
    for seed in seeds:
        game = random_game(tmp_path / str(seed), seed, cards=40)
        assert game is not None
        built = build_program(game, "AA", rules_of(game, "AA"))
        chance = Random(seed)
        aim = sum_of_products((chance.randint(-1, 9), slot.copies) for slot in built.slots)
        found = HighsSolver(built.program).maximize(aim)
        assert found.value == second_opinion(built.program, aim), seed
        assert (found.status is SolverStatus.OPTIMAL) == (found.value is not None)
        possible += found.value is not None
    assert 0 < possible < len(seeds)
