"""What is exchanged keeps all rows, and what keeps them is found."""

from __future__ import annotations

from deckwright.decks.solver.program import Program, sum_of_products
from deckwright.decks.solver.unbuildable import Exchanges


def test_one_more_or_one_for_another() -> None:
    program = Program()
    cheap, dear, full, _ = (program.variable(name, 0, 3) for name in "abcd")
    program.add_row(sum_of_products([(2, cheap), (5, dear), (2, full)]), most=10, origin="costs")
    program.add_row(sum_of_products([(1, cheap), (1, dear), (1, full)]), least=4, origin="size")
    exchanges = Exchanges(program, (1, 0, 3, 0))
    assert exchanges.allow(0, [])
    assert not exchanges.allow(1, [])
    assert not exchanges.allow(1, [0, 3])  # 0 + 5 + 6 = 11, or 13
    assert not exchanges.allow(2, [0])  # there are no more of these
    assert exchanges.allow(3, [])
    program.rows.pop(0)
    program.add_row(sum_of_products([(2, cheap), (5, dear), (2, full)]), most=11, origin="costs")
    assert Exchanges(program, (1, 0, 3, 0)).allow(1, [0])
    assert not Exchanges(program, (0, 1, 3, 0)).allow(1, [0])  # there is none to give
