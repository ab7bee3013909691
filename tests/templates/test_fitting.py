"""Boxes as large as what is in them, and rows of things of any width."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.ops.model import DrawGlyphs, FillPath, Group, Op
from deckwright.ops.outlines import bounds_of
from support import compose, ops_of

TEXT = '<text font-size="2">abcd</text>'
"""Four millimetres wide, 1.4 from capitals to baseline."""


def fills(ops: tuple[Op, ...], matrix: Matrix = IDENTITY) -> list[Box]:
    """Return the boxes of what is filled, on the face."""
    found: list[Box] = []
    for op in ops:
        if isinstance(op, Group):
            found += fills(op.ops, op.inner_matrix(matrix))
        elif isinstance(op, FillPath):
            found.append(bounds_of(op.outline, matrix))
    return found


def letters(ops: tuple[Op, ...], matrix: Matrix = IDENTITY) -> list[tuple[float, float]]:
    """Return where texts begin, on the face."""
    found: list[tuple[float, float]] = []
    for op in ops:
        if isinstance(op, Group):
            found += letters(op.ops, op.inner_matrix(matrix))
        elif isinstance(op, DrawGlyphs):
            found.append((round(op.x + matrix[4], 4), round(op.y + matrix[5], 4)))
    return found


@pytest.mark.parametrize(
    ("given", "box", "text"),
    [
        ("", Box(10, 5, 6, 3.4), (11, 7.4)),
        ('text-anchor="middle"', Box(7, 5, 6, 3.4), (8, 7.4)),
        ('text-anchor="end"', Box(4, 5, 6, 3.4), (5, 7.4)),
        ('min-width="10"', Box(10, 5, 10, 3.4), (13, 7.4)),
        ('width="8" height="5.4"', Box(10, 5, 8, 5.4), (12, 8.4)),
        ('max-width="6"', Box(10, 5, 6, 3.4), (11, 7.4)),
        ('padding="2 3"', Box(10, 5, 10, 5.4), (13, 8.4)),
    ],
)
def test_a_box_fits_its_text(
    tmp_path: Path, given: str, box: Box, text: tuple[float, float]
) -> None:
    padded = given if "padding" in given else f'{given} padding="1"'
    ops = ops_of(tmp_path, f'<box x="10" y="5" {padded} fill="red">{TEXT}</box>')
    assert fills(ops) == [pytest.approx(box)]
    assert letters(ops) == [pytest.approx(text)]


def test_a_box_holds_anything_wherever_it_is_drawn(tmp_path: Path) -> None:
    inside = f'<g x="7" rotate="90"><rect width="2" height="3" fill="blue"/></g>{TEXT}'
    ground, rect = fills(ops_of(tmp_path, f'<box padding="0" fill="red">{inside}</box>'))
    assert ground == pytest.approx(Box(0, 0, 7, 2))
    assert rect.right == pytest.approx(7)


def test_spaces_behind_letters_that_are_set_apart_do_not_count(tmp_path: Path) -> None:
    text = TEXT.replace("font-size", 'letter-spacing="0.5em" font-size')
    (ground,) = fills(ops_of(tmp_path, f'<box padding="0" fill="red">{text}</box>'))
    assert ground.width == pytest.approx(4 + 3)


@pytest.mark.parametrize("inside", ["", "<text/>", '<rect when="false" width="1" height="1"/>'])
def test_a_box_of_nothing_is_not_drawn(tmp_path: Path, inside: str) -> None:
    assert ops_of(tmp_path, f'<box fill="red">{inside}</box>') == ()
    assert ops_of(tmp_path, f"<row>{inside}</row>") == ()


def test_boxes_in_a_row_wrap(tmp_path: Path) -> None:
    chip = f"""<box each="n in range(3)" padding="1" fill="red">{TEXT}</box>"""
    row = f'<row x="1" y="2" width="14" gap="1" line-gap="0.6" ANCHOR>{chip}</row>'
    start = fills(ops_of(tmp_path, row.replace("ANCHOR", "")))
    assert [(round(box.x, 3), round(box.y, 3)) for box in start] == [(1, 2), (8, 2), (1, 6)]
    middle = fills(ops_of(tmp_path, row.replace("ANCHOR", 'text-anchor="middle"')))
    assert [round(box.x, 3) for box in middle] == [1.5, 8.5, 5]


@pytest.mark.parametrize(("valign", "y"), [("top", 0), ("middle", 1), ("bottom", 2)])
def test_what_is_lower_stands_in_its_line(tmp_path: Path, valign: str, y: float) -> None:
    rects = '<rect width="1" height="3" fill="red"/><rect width="1" height="1" fill="red"/>'
    boxes = fills(ops_of(tmp_path, f'<row gap="0.5" valign="{valign}">{rects}</row>'))
    assert boxes == [pytest.approx(Box(0, 0, 1, 3)), pytest.approx(Box(1.5, y, 1, 1))]


@pytest.mark.parametrize(
    "body",
    [
        f'<box width="5" padding="1">{TEXT}</box>',
        f'<box max-width="5" padding="1">{TEXT}</box>',
        f'<row width="3">{TEXT}</row>',
    ],
)
def test_what_has_no_room_is_reported(tmp_path: Path, body: str) -> None:
    _, (finding,) = compose(tmp_path, body)
    assert finding.code.id == "L001"
    assert finding.hint


def test_mistakes_in_boxes(tmp_path: Path) -> None:
    for given in ('width="wide"', 'padding="1 2 3"', 'padding="-1"', 'text-anchor="justify"'):
        _, (finding,) = compose(tmp_path, f"<box {given}>{TEXT}</box>")
        assert finding.code.id == "T004", given
