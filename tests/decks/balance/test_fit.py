"""Lines fitted to points, against values worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest

from deckwright.decks.balance.model import Point, fit_line


def points(*pairs: tuple[int, int]) -> list[Point]:
    return [(Fraction(x), Fraction(y)) for x, y in pairs]


def test_a_line_is_fitted_as_by_hand() -> None:
    """Means 2 and 3; sums of squares 2, of products 1, of `y` 2: half a step up for each."""
    line = fit_line(points((1, 3), (2, 2), (3, 4)))
    assert line is not None
    assert [line.base, line.slope] == [2, Fraction(1, 2)]
    assert line.r2 == 0.25
    assert line.spread == pytest.approx(sqrt(1.5))
    assert line.at(Fraction(4)) == 4
    assert line.above((Fraction(2), Fraction(2))) == -1


def test_a_perfect_line_leaves_nothing_and_has_no_outliers() -> None:
    line = fit_line(points((0, 1), (1, 3), (5, 11)))
    assert line is not None
    assert [line.base, line.slope, line.r2, line.spread] == [1, 2, 1, 0]
    assert not line.far((Fraction(0), Fraction(1)))


def test_points_of_one_height_are_explained() -> None:
    line = fit_line(points((0, 4), (1, 4), (2, 4)))
    assert line is not None
    assert [line.base, line.slope, line.r2] == [4, 0, 1]


@pytest.mark.parametrize("few", [[], [(1, 1)], [(1, 1), (2, 2)], [(3, 1), (3, 2), (3, 5)]])
def test_too_few_points_have_no_line(few: list[tuple[int, int]]) -> None:
    assert fit_line(points(*few)) is None


def test_a_point_is_far_beyond_two_standard_deviations() -> None:
    """Ten on the ground and one at 10 in their middle: the line lies level at 10/11."""
    flat = [(Fraction(x), Fraction(10 if x == 5 else 0)) for x in range(11)]
    line = fit_line(flat)
    assert line is not None
    assert [line.slope, line.base] == [0, Fraction(10, 11)]
    assert line.spread == pytest.approx(sqrt((100 - 100 / 11) / 9))
    assert [x for x, y in flat if line.far((x, y))] == [5]
    edge = Fraction(10, 11) + 2 * Fraction(line.spread)
    assert not line.far((Fraction(5), edge - Fraction(1, 10**6)))
    assert line.far((Fraction(5), edge + Fraction(1, 10**6)))
