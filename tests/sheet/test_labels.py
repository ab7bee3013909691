"""Sheets of labels: each card on one, standing or lying as it has room."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.findings import Diagnostic
from deckwright.ops.model import Face
from deckwright.sheet.grid import SheetFormat
from deckwright.sheet.impose import place_face
from deckwright.sheet.layout import find_misfit, list_formats, load_format

NAMES = [name for name in list_formats(Path("nowhere")) if name.startswith("avery")]


def sheet_of(name: str) -> SheetFormat:
    sheet = load_format(name, Path("nowhere"), None, [])
    assert sheet is not None
    return sheet


PLACES = {
    # From the left and upper edges of the paper to the first label, then from label to label, mm;
    # LibreOffice's extras/source/labels/labels.xml has hundredths of mm, upright and across.
    "avery-l7160": (7.20, 15.15, 66.04, 38.10),
    "avery-l7161": (7.21, 8.82, 66.04, 46.56),
    "avery-l7164": (7.21, 4.57, 66.04, 71.97),
    "avery-l7165": (4.67, 13.04, 101.60, 67.73),
    "avery-l7169": (4.63, 9.50, 101.64, 139.00),
    "avery-l7651": (4.67, 10.90, 40.64, 21.17),
    "avery-l7654": (9.75, 21.43, 48.26, 25.40),
    "avery-5160": (4.78, 12.70, 69.85, 25.40),
    "avery-5161": (3.96, 12.70, 106.36, 25.40),
    "avery-5163": (3.96, 12.70, 106.36, 50.80),
    "avery-5164": (3.96, 12.70, 106.36, 84.67),
    "avery-5167": (7.14, 12.70, 52.40, 12.70),
    "avery-5168": (12.70, 12.70, 101.60, 127.00),
    "avery-5293": (11.13, 12.70, 50.80, 42.34),
    # gLabels' templates, in mm or inches.
    "avery-l4732": (11, 13, 38.1, 16.9),
    "avery-c32011": (15, 13.5, 95, 54),
    "avery-3111": (0.3125 * 25.4, 1.25 * 25.4, 2.6875 * 25.4, 3 * 25.4),
    "avery-3112": (0.5 * 25.4, 0.75 * 25.4, 2 * 25.4, 2 * 25.4),
    "avery-5295": (0.6406 * 25.4, 0.4844 * 25.4, 3.9063 * 25.4, 3.3594 * 25.4),
}


def test_all_labels_have_public_figures() -> None:
    assert sorted(PLACES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_label_is_where_the_public_figures_have_it(name: str) -> None:
    left, top, across, down = PLACES[name]
    sheet = sheet_of(name).fit_to(10, 10)
    slots = sheet.slots()
    assert len(slots) == sheet.columns * sheet.rows
    for number, slot in enumerate(slots):
        row, column = divmod(number, sheet.columns)
        assert slot.x == pytest.approx(left + column * across, abs=0.05)
        assert slot.y == pytest.approx(top + row * down, abs=0.05)
    assert max(slot.right for slot in slots) <= sheet.page_width
    assert max(slot.bottom for slot in slots) <= sheet.page_height


def test_a_sheet_says_where_its_slots_begin(tmp_path: Path) -> None:
    own = tmp_path / "sheets" / "own.xml"
    own.parent.mkdir()
    slots = 'columns="2" rows="2" slot-width="40" slot-height="50" gutter="2" left="11" top="7"'
    own.write_text(f'<sheet page-width="210" page-height="297" {slots}/>', encoding="utf-8")
    sheet = load_format("own", tmp_path, None, [])
    assert sheet is not None
    sheet = sheet.fit_to(40, 50)
    first, second, *_ = sheet.slots()
    assert (first.x, first.y, second.x) == (11, 7, 53)
    assert sheet.mirrored(first).x == 210 - 11 - 40


@pytest.mark.parametrize(
    ("attributes", "told"),
    [
        ('columns="3" rows="2" left="100"', "is larger than the paper"),
        ('columns="3" rows="2" top="250"', "is larger than the paper"),
        ('left="4"', "`left` and `top` need a sheet"),
        ('columns="1" rows="2" top="4" fold="vertical"', "`left` and `top` need a sheet"),
    ],
)
def test_what_keeps_slots_from_beginning_there_is_told(
    tmp_path: Path, attributes: str, told: str
) -> None:
    own = tmp_path / "sheets" / "own.xml"
    own.parent.mkdir()
    size = 'page-width="210" page-height="297" slot-width="40" slot-height="50"'
    own.write_text(f"<sheet {size} {attributes}/>", encoding="utf-8")
    report: list[Diagnostic] = []
    assert load_format("own", tmp_path, None, report) is None
    assert told in report[0].message


def test_a_card_that_stands_lies_on_a_label_that_lies() -> None:
    sheet = sheet_of("avery-l7165").fit_to(63, 88)
    assert all(map(sheet.is_rotated, sheet.slots()))
    there = place_face(Face(63, 88, ()), sheet.slots()[0], sheet)
    assert (there.turn, there.scale) == (1, 1)
    assert (there.box.width, there.box.height) == (88, 63)
    slot = sheet.slots()[0]
    assert there.x - slot.x == pytest.approx(slot.right - there.box.right)
    assert find_misfit(sheet_of("avery-l7165"), 63, 88) is None


def test_a_card_that_has_room_stands() -> None:
    sheet = sheet_of("avery-5168").fit_to(63, 88)
    assert not any(map(sheet.is_rotated, sheet.slots()))
    assert place_face(Face(63, 88, ()), sheet.slots()[0], sheet).box[2:] == (63, 88)


def test_a_card_is_made_as_large_as_its_label_if_that_is_asked_for() -> None:
    sheet = sheet_of("avery-l7165")._replace(scaled=True).fit_to(63, 88)
    there = place_face(Face(63, 88, ()), sheet.slots()[0], sheet)
    assert there.box.height == pytest.approx(67.73)
    assert there.box.width == pytest.approx(67.73 / 63 * 88)


def test_a_card_that_is_larger_than_the_label_is_told_of() -> None:
    wrong = find_misfit(sheet_of("avery-l7160"), 63, 88)
    assert wrong is not None
    assert "labels of the sheet `avery-l7160` are 63.5 × 38.1 mm" in wrong[0]
    assert "--scale fit" in wrong[1]
    assert find_misfit(sheet_of("avery-l7160"), 63, 88, scale=True) is None
