"""Walking the display list: what moves ops, and ops that are changed wherever they are."""

from __future__ import annotations

from deckwright.base.geometry import IDENTITY, Box, multiply, translation
from deckwright.ops.model import FillPath, Group, Op, StrokePath, map_ops
from deckwright.ops.moving import recolor
from deckwright.ops.outlines import extent, rectangle, transform_outline

SQUARE = FillPath(rectangle(0, 0, 2, 2), "#ff0000")
LINE = StrokePath(rectangle(0, 0, 1, 1), "#00ff00", 1)
QUARTER = (0.0, 1.0, -1.0, 0.0, 0.0, 0.0)


def test_a_group_moves_its_ops_after_its_own_matrix() -> None:
    assert Group((SQUARE,)).inner_matrix(QUARTER) == QUARTER
    group = Group((SQUARE,), translation(3, 4))
    assert group.inner_matrix(IDENTITY) == (1, 0, 0, 1, 3, 4)
    # First 3 to the right and 4 down, then a quarter turn: (x, y) becomes (-y, x).
    assert transform_outline((("M", 0, 0),), group.inner_matrix(QUARTER)) == (("M", -4, 3),)
    assert multiply(translation(1, 2), translation(3, 4)) == translation(4, 6)
    assert extent([Group((group,), QUARTER)]) == Box(-6, 3, 2, 2)


def test_ops_are_changed_and_dropped_wherever_they_are() -> None:
    deep = Group((SQUARE, Group((LINE, SQUARE), translation(1, 1))), alt="squares")

    def change(op: Op) -> Op | None:
        if isinstance(op, Group):
            return op._replace(alt=f"{len(op.ops)}")  # what is inside is changed first
        return None if op is LINE else op

    (made,) = map_ops([deep], change)
    assert made == Group((SQUARE, Group((SQUARE,), translation(1, 1), alt="1")), alt="2")


def test_colors_are_others_in_groups_as_well() -> None:
    ops = recolor([Group((SQUARE, LINE))], {"#ff0000": "#0000ff"})
    assert ops == (Group((SQUARE._replace(color="#0000ff"), LINE)),)
