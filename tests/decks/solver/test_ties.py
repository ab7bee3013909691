"""Which of equally good answers comes first, against all of them tried one by one."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from deckwright.decks.solver.highs import HighsSolver
from deckwright.decks.solver.program import Linear, Program
from deckwright.decks.solver.search import find_first


@pytest.mark.parametrize("seed", range(6))
def test_three_of_many_cards_with_a_sum(seed: int) -> None:
    """Among 40 cards, most are 0, so that many of them are looked at together."""
    make = random.Random(seed)
    costs = [make.randint(1, 30) for _ in range(40)]
    chosen = make.sample(range(40), 3)
    program = Program()
    cards = [program.variable(f"card {number}", 0, 1) for number in range(40)]
    for factors, bound in ((dict.fromkeys(range(40), 1), 3), (dict(enumerate(costs)), None)):
        total = bound or sum(costs[number] for number in chosen)
        program.add_row(Linear(factors), total, total)
    answers = [
        tuple(int(number in picked) for number in range(40))
        for picked in combinations(range(40), 3)
        if sum(costs[number] for number in picked) == sum(costs[number] for number in chosen)
    ]
    assert len(cards) == 40
    assert find_first(HighsSolver(program), range(40), answers[-1]) == max(answers)


@pytest.mark.parametrize("seed", range(6))
def test_few_cards_with_several_copies(seed: int) -> None:
    make = random.Random(seed)
    costs = [make.randint(1, 9) for _ in range(5)]
    program = Program()
    for number in range(5):
        program.variable(f"card {number}", 0, 3)
    program.add_row(Linear(dict(enumerate(costs))), 20, 25)
    program.add_row(Linear(dict.fromkeys(range(5), 1)), 4, 7)
    answers = [
        values for values in product(range(4), repeat=5) if program.find_violation(values) is None
    ]
    order = make.sample(range(5), 5)
    best = max(answers, key=lambda values: [values[number] for number in order])
    assert find_first(HighsSolver(program), order, answers[0]) == best


def test_without_time_nothing_is_settled() -> None:
    program = Program()
    program.variable("card", 0, 3)
    assert find_first(HighsSolver(program, seconds=0), [0], (1,)) is None
    assert find_first(HighsSolver(program, seconds=0), [0], (3,)) == (3,)
