"""Sheets of labels: each card on one, standing or lying as it has room."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.ops.model import Face
from deckwright.sheet.format import format_names, load_format, misfit
from deckwright.sheet.grid import SheetFormat
from deckwright.sheet.impose import placed

NAMES = [name for name in format_names(Path("nowhere")) if name.startswith("avery")]


def sheet_of(name: str) -> SheetFormat:
    sheet = load_format(name, Path("nowhere"), None, [])
    assert sheet is not None
    return sheet


@pytest.mark.parametrize("name", NAMES)
def test_labels_lie_on_the_paper_and_their_grid_in_its_middle(name: str) -> None:
    sheet = sheet_of(name).fitted(10, 10)
    grid = sheet.grid
    assert len(sheet.slots()) == sheet.columns * sheet.rows
    assert 0 <= grid.x == pytest.approx(sheet.page_width - grid.right)
    assert 0 <= grid.y == pytest.approx(sheet.page_height - grid.bottom)


@pytest.mark.parametrize(
    ("name", "left", "top", "pitch"),
    [
        ("avery-l7165", 4.67, 13.04, (101.64, 67.73)),
        ("avery-l7651", 4.70, 10.90, (40.60, 21.20)),
        ("avery-5160", 3.97, 12.7, (70.644, 25.4)),
        ("avery-5164", 3.97, 12.7, (106.36, 84.67)),
        ("avery-3111", 7.94, 31.75, (68.26, 76.2)),
        ("avery-5293", 10.56, 13.94, (51.17, 42.05)),
    ],
)
def test_labels_are_where_the_public_figures_have_them(
    name: str, left: float, top: float, pitch: tuple[float, float]
) -> None:
    """Left and upper edge, and distances, in mm, of gLabels' templates."""
    sheet = sheet_of(name).fitted(10, 10)
    slots = sheet.slots()
    first, beside, below = slots[0], slots[1], slots[sheet.columns]
    assert (first.x, first.y) == pytest.approx((left, top), abs=0.2)
    assert (beside.x - first.x, below.y - first.y) == pytest.approx(pitch, abs=0.1)


def test_a_card_that_stands_lies_on_a_label_that_lies() -> None:
    sheet = sheet_of("avery-l7165").fitted(63, 88)
    assert all(map(sheet.lies, sheet.slots()))
    there = placed(Face(63, 88, ()), sheet.slots()[0], sheet)
    assert (there.turn, there.scale) == (1, 1)
    assert (there.box.width, there.box.height) == (88, 63)
    slot = sheet.slots()[0]
    assert there.x - slot.x == pytest.approx(slot.right - there.box.right)
    assert misfit(sheet_of("avery-l7165"), 63, 88) is None


def test_a_card_that_has_room_stands() -> None:
    sheet = sheet_of("avery-5168").fitted(63, 88)
    assert not any(map(sheet.lies, sheet.slots()))
    assert placed(Face(63, 88, ()), sheet.slots()[0], sheet).box[2:] == (63, 88)


def test_a_card_is_made_as_large_as_its_label_if_that_is_asked_for() -> None:
    sheet = sheet_of("avery-l7165")._replace(scaled=True).fitted(63, 88)
    there = placed(Face(63, 88, ()), sheet.slots()[0], sheet)
    assert there.box.height == pytest.approx(67.7)
    assert there.box.width == pytest.approx(67.7 / 63 * 88)


def test_a_card_that_is_larger_than_the_label_is_told_of() -> None:
    wrong = misfit(sheet_of("avery-l7160"), 63, 88)
    assert wrong is not None
    assert "labels of the sheet `avery-l7160` are 63.5 × 38.1 mm" in wrong[0]
    assert "--scale fit" in wrong[1]
    assert misfit(sheet_of("avery-l7160"), 63, 88, scale=True) is None
