"""Boxes and matrices: what all rooms measure with."""

from __future__ import annotations

from deckwright.base.geometry import (
    Box,
    determinant,
    multiply,
    scaling,
    transform_point,
    translation,
)
from deckwright.ops.outlines import bounds_of, ellipse, rectangle

QUARTER = (0, 1, -1, 0, 0, 0)


def test_boxes_around_and_in_common() -> None:
    one, other = Box(0, 0, 4, 2), Box(3, 1, 5, 5)
    assert Box.around([one, other]) == (0, 0, 8, 6)
    assert one.intersection(other) == (3, 1, 1, 1)
    assert one.intersection(Box(9, 0, 1, 1)).width == 0
    assert one.touches(other)
    assert one.touches(Box(4, 2, 1, 1))
    assert not one.touches(Box(4.1, 0, 1, 1))
    assert one.expand(1) == (-1, -1, 6, 4)
    assert Box.of([]) == (0, 0, 0, 0)


def test_what_is_moved_has_its_bounds_where_it_is_then() -> None:
    matrix = multiply(translation(10, 0), multiply(scaling(2), QUARTER))
    assert transform_point(matrix, 3, 1) == (8, 6)
    assert determinant(matrix) == 4
    assert (
        Box(0, 0, 3, 1).transform(matrix)
        == bounds_of(rectangle(0, 0, 3, 1), matrix)
        == (8, 0, 2, 6)
    )
    assert bounds_of(ellipse(5, 5, 2, 1)) == (3, 4, 4, 2)
    assert bounds_of(()) == (0, 0, 0, 0)
