"""Hands as pictures: where cards lie on the table."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckwright.base.geometry import IDENTITY, Box, Matrix, transform_point
from deckwright.ops.model import Face, FillPath, Group, Op
from deckwright.ops.outlines import rectangle
from deckwright.outputs.hands import Layout, compose_table

COLORS = ["#aa0000", "#00aa00", "#0000aa", "#aaaa00", "#00aaaa", "#aa00aa", "#777777"]
FACES = [Face(63, 88, (FillPath(rectangle(0, 0, 63, 88), color),)) for color in COLORS]


def places(ops: tuple[Op, ...], matrix: Matrix = IDENTITY) -> list[tuple[str, Box, Matrix]]:
    """Return where the grounds of faces lie, in the order in which they are drawn."""
    found = []
    for op in ops:
        if isinstance(op, Group):
            found += places(op.ops, op.inner_matrix(matrix))
        elif isinstance(op, FillPath) and op.color in COLORS:
            assert isinstance(op.color, str)
            found.append((op.color, Box(0, 0, 63, 88).transform(matrix), matrix))
    return found


@given(count=st.integers(1, 7), layout=st.sampled_from(Layout))
def test_all_cards_lie_on_the_table_in_order(count: int, layout: Layout) -> None:
    picture = compose_table([(layout, FACES[:count])], "#204060")
    shown = places(picture.ops)
    assert [color for color, _, _ in shown] == COLORS[:count]
    for _, box, _ in shown:
        assert box.x > 0
        assert box.y > 0
        assert box.right < picture.width
        assert box.bottom < picture.height


def test_a_fan_opens_evenly() -> None:
    shown = places(compose_table([(Layout.FAN, FACES[:4])], "#204060").ops)
    turns = [matrix[1] for _, _, matrix in shown]
    assert turns == sorted(turns)
    assert turns[0] == pytest.approx(-turns[-1])
    assert turns[1] - turns[0] > 0.05


@pytest.mark.parametrize("count", [*range(1, 13)])
def test_cards_of_a_fan_cover_no_name_and_no_cost(count: int) -> None:
    """The upper corners and nearly all of the middle stay visible; feet lie on each other."""
    shown = places(compose_table([(Layout.FAN, (FACES * 2)[:count])], "#204060").ops)
    assert len(shown) == count

    def covers(side: tuple[float, float]) -> bool:
        for number, (_, _, one) in enumerate(shown):
            x, y = transform_point(one, *side)
            # Cards are turned, not scaled.
            for _, _, (a, b, c, d, e, f) in shown[number + 1 :]:
                if 0 < a * (x - e) + b * (y - f) < 63 and 0 < c * (x - e) + d * (y - f) < 88:
                    return True
        return False

    assert not any(map(covers, [(0, 0), (62, 1), (0, 44), (52, 50), (0, 88)]))
    assert covers((60, 86)) == (count > 1)


@pytest.mark.parametrize(("count", "sizes"), [(4, [4]), (5, [5]), (7, [4, 3]), (10, [5, 5])])
def test_a_usual_hand_has_at_most_two_fans(count: int, sizes: list[int]) -> None:
    shown = places(compose_table([(Layout.FAN, (FACES * 2)[:count])], "#204060").ops)
    lefts = [box.x for _, box, _ in shown]
    fans = [0, *(at for at in range(1, count) if lefts[at] < lefts[at - 1]), count]
    assert [end - start for start, end in pairwise(fans)] == sizes


def test_fans_of_many_cards_are_flat() -> None:
    shown = places(compose_table([(Layout.FAN, FACES * 120)], "#204060").ops)
    assert [color for color, _, _ in shown] == COLORS * 120
    assert 0.3 < max(matrix[1] for _, _, matrix in shown) < math.sin(math.radians(30))


def test_cards_side_by_side_do_not_touch() -> None:
    boxes = [box for _, box, _ in places(compose_table([(Layout.ROWS, FACES)], "#204060").ops)]
    assert len({box.y for box in boxes}) == 2
    for number, box in enumerate(boxes):
        assert not any(box.touches(other) for other in boxes[number + 1 :])


def test_hands_lie_below_each_other() -> None:
    picture = compose_table([(Layout.FAN, FACES[:3]), (Layout.ROWS, FACES[3:5])], "#204060")
    boxes = [box for _, box, _ in places(picture.ops)]
    assert max(box.bottom for box in boxes[:3]) < min(box.y for box in boxes[3:])


def test_cards_of_other_sizes_stand_on_one_line() -> None:
    small = Face(44, 67, (FillPath(rectangle(0, 0, 44, 67), COLORS[1]),))
    picture = compose_table([(Layout.ROWS, [FACES[0], small])], "#204060")
    (_, _, one), (_, _, other) = places(picture.ops)
    assert one[5] + 88 == pytest.approx(other[5] + 67)
