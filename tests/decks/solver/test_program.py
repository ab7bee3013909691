"""Programs as plain data: sums, rows and bounds with exact numbers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import deckwright
from conftest import edit
from deckwright.decks.solver.highs import HighsSolver
from deckwright.decks.solver.program import (
    ALWAYS,
    NEVER,
    Linear,
    Logic,
    Program,
    Row,
    Statement,
    Variable,
    make_row,
)
from support import card, write_game

TENTH = Fraction(1, 10)


def test_rows_have_whole_factors() -> None:
    row = make_row(Linear({0: TENTH, 1: Fraction(3, 4)}, 2), Fraction(5, 2), 3, "costs")
    assert row == Row({0: 2, 1: 15}, 10, 20, "costs")
    assert row.holds([10, 0])
    assert not row.holds([11, 0])
    assert not row.holds([4, 0])


def test_what_bounds_always_keep_is_no_row() -> None:
    program = Program()
    both = program.variable("a", 0, 3).add(program.variable("b", 1, 4), -1)
    assert program.range_of(both) == (-4, 2)
    program.add_row(both, -4, 2)
    assert program.rows == []
    program.add_row(both, -4, 1, "most")
    assert program.rows == [Row({0: 1, 1: -1}, None, 1, "most")]


def test_bounds_come_as_close_as_rows_allow() -> None:
    program = Program()
    for name in "ab":
        program.variable(name, 0, 99)
    program.add_row(Linear({0: 3, 1: 5}), None, 16)
    program.add_row(Linear({0: 1, 1: 1}), 4, None)
    program.tighten()
    assert program.variables == [Variable("a", 1, 5), Variable("b", 0, 3)]
    assert program.find_violation([1, 0]) == Row({0: 1, 1: 1}, 4, None)
    assert program.find_violation([6, 0]) == Variable("a", 1, 5)
    assert program.find_violation([2, 2]) is None


def test_the_same_statement_is_the_same_variable() -> None:
    program = Program()
    logic = Logic(program)
    cards = program.variable("a", 0, 3)
    some = logic.is_at_least(cards, 1)
    assert logic.is_at_least(cards, 0) == ALWAYS
    assert logic.is_at_least(cards, 4) == NEVER
    assert logic.is_at_least(cards.add(Linear(constant=5)), 6) == some
    assert logic.all_of([some, ALWAYS]) == logic.any_of([some, NEVER]) == some
    assert logic.all_of([some, ~some]) == NEVER
    assert logic.any_of([some, ~some]) == ALWAYS
    many = logic.is_at_least(cards, 3)
    assert logic.all_of([some, many]) == ~logic.any_of([~many, ~some])
    assert logic.product(cards, ALWAYS) == cards
    assert logic.product(cards, NEVER) == Linear()
    assert isinstance(some, Statement)


def test_a_product_is_its_sum_where_the_statement_holds_and_else_0() -> None:
    program = Program()
    logic = Logic(program)
    cards = program.variable("a", 0, 3)
    few, pair = cards.add(Linear(constant=-1)), logic.is_at_least(cards, 2)
    product = logic.product(few, pair)
    for copies, value in ((0, 0), (1, 0), (2, 1), (3, 2)):
        kept = [n for n in range(-5, 6) if not program.find_violation([copies, int(copies > 1), n])]
        assert kept == [value]
    assert logic.product(few, ~pair) != product
    variables = [*program.variables]
    assert logic.product(cards.add(Linear(constant=-1)), logic.is_at_least(cards, 2)) == product
    assert program.variables == variables


def test_decimals_are_added_up_exactly(tmp_path: Path) -> None:
    """Ten times 0.1 is 1, whatever binary fractions make of it."""
    limits = '<limit id="costs" name="costs" zone="main" sum="costs" exactly="1"/>'
    write_game(
        tmp_path, [card("A1", "Ant", costs=0.1), card("A2", "Bug", costs=0.7)], limits=limits
    )
    path = tmp_path / "xml" / "game.xml"
    edit(path, 'name="costs" type="integer"', 'name="costs" type="decimal"')
    game = deckwright.open_game(tmp_path)
    (deck,) = game.solve("AA", maximize=["cards"]).decks
    assert [(line.copies, line.card.id) for line in deck.cards] == [(10, "A1")]
    (deck,) = game.solve("AA", minimize=["2.5*costs + 0.1*cards"]).decks
    assert [(line.copies, line.card.id) for line in deck.cards] == [(3, "A1"), (1, "A2")]
    assert [(value.value, value.bound) for value in deck.values] == [(2.9, 2.9)]


def test_the_solver_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    program = Program()
    program.variable("a", 0, 3)
    assert HighsSolver(program).maximize(Linear({0: 1})).value == 3
    assert capfd.readouterr() == ("", "")
