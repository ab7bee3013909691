"""The outline of cells: each of them is inside, and no other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deckwright.ops.model import Outline
from deckwright.ops.outlines import trace_cells


def winding(outline: Outline, x: float, y: float) -> int:
    """Return how often an outline of upright lines goes around a point."""
    turns, start, last = 0, (0.0, 0.0), (0.0, 0.0)
    for kind, *point in outline:
        end = (point[0], point[1]) if point else start
        if kind == "M":
            start = end
        elif last[0] == end[0] > x and min(last[1], end[1]) < y < max(last[1], end[1]):
            turns += 1 if end[1] > last[1] else -1
        last = end
    return turns


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=6))
def test_dark_cells_are_inside_once(rows: list[list[bool]]) -> None:
    outline = trace_cells(rows, 3, 4, 2, 0.5)
    inside = [
        [winding(outline, 3 + 2 * (x + 0.5), 4 + (y + 0.5) / 2) for x in range(6)]
        for y in range(len(rows))
    ]
    assert inside == [[int(dark) for dark in row] for row in rows]


def test_neighbours_have_one_outline_without_needless_points() -> None:
    square = (("M", 0, 0), ("L", 3, 0), ("L", 3, 2), ("L", 0, 2), ("Z",))
    assert trace_cells([[True] * 3] * 2, 0, 0, 1, 1) == square
