from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckwright.diagnostics import Report
from deckwright.face.ops import StrokePath
from deckwright.geometry import Box
from deckwright.sheet.format import SheetFormat, load_format
from deckwright.sheet.impose import crop_marks, impose
from deckwright.xmlio.node import Source
from support import load_all, write_game

A4 = SheetFormat("a4-65x90", 210, 297, 3, 3, 65, 90)


def sheets() -> st.SearchStrategy[SheetFormat]:
    """Return formats whose grids fit their paper."""
    sizes = st.floats(10, 120).map(lambda size: round(size, 1))

    def build(columns: int, rows: int, width: float, height: float, gutter: float) -> SheetFormat:
        room_x = columns * (width + gutter) + 20
        room_y = rows * (height + gutter) + 30
        return SheetFormat("x", room_x, room_y, columns, rows, width, height, gutter)

    gutters = st.sampled_from([0, 1, 2.5, 10])
    counts = st.integers(1, 5)
    return st.builds(build, counts, counts, sizes, sizes, gutters)


def apart(first: Box, second: Box) -> bool:
    slack = 1e-9
    return (
        first.right <= second.x + slack
        or second.right <= first.x + slack
        or first.bottom <= second.y + slack
        or second.bottom <= first.y + slack
    )


def ends(mark: StrokePath) -> tuple[float, float, float, float]:
    """Return the ends of a crop mark: x and y of the one, x and y of the other."""
    first, second = (segment[1:] for segment in mark.outline)
    return float(first[0]), float(first[1]), float(second[0]), float(second[1])


def marked(place: float, marks: list[float]) -> int:
    """Return how many crop marks are at a place, to a thousandth of a millimetre."""
    return sum(abs(place - mark) < 1e-3 for mark in marks)


@settings(max_examples=60)
@given(st.lists(st.integers()), sheets())
def test_every_copy_is_printed_once_and_in_order(copies: list[int], sheet: SheetFormat) -> None:
    printed = list(impose(copies, sheet))
    assert [placement.item for page in printed for placement in page] == copies
    assert all(len(page) == len(sheet.slots()) for page in printed[:-1])
    assert all(page for page in printed)


@settings(max_examples=60)
@given(sheets())
def test_slots_are_apart_and_on_the_paper(sheet: SheetFormat) -> None:
    slots = sheet.slots()
    assert len(slots) == sheet.columns * sheet.rows
    for number, slot in enumerate(slots):
        assert slot.x >= 0
        assert slot.y >= 0
        assert slot.right <= sheet.page_width + 1e-9
        assert slot.bottom <= sheet.page_height + 1e-9
        assert (slot.width, slot.height) == (sheet.slot_width, sheet.slot_height)
        assert all(apart(slot, other) for other in slots[number + 1 :])


@settings(max_examples=60)
@given(sheets())
def test_the_grid_stands_in_the_middle(sheet: SheetFormat) -> None:
    grid = sheet.grid
    assert grid.x == pytest.approx(sheet.page_width - grid.right)
    assert grid.y == pytest.approx(sheet.page_height - grid.bottom)
    assert sheet.slots()[0].x == grid.x
    assert sheet.slots()[-1].bottom == pytest.approx(grid.bottom)


@settings(max_examples=60)
@given(sheets())
def test_crop_marks_stand_outside_of_the_grid_at_both_ends_of_each_cut(sheet: SheetFormat) -> None:
    grid = sheet.grid
    xs: list[float] = []
    ys: list[float] = []
    for mark in crop_marks(sheet):
        assert isinstance(mark, StrokePath)
        x1, y1, x2, y2 = ends(mark)
        if x1 == x2:
            assert max(y1, y2) < grid.y or min(y1, y2) > grid.bottom
            xs.append(x1)
        else:
            assert y1 == y2
            assert max(x1, x2) < grid.x or min(x1, x2) > grid.right
            ys.append(y1)
        assert abs(x2 - x1) + abs(y2 - y1) == pytest.approx(sheet.mark_length)
    for slot in sheet.slots():
        assert all(marked(x, xs) == 2 for x in (slot.x, slot.right))
        assert all(marked(y, ys) == 2 for y in (slot.y, slot.bottom))


@pytest.mark.parametrize(("width", "gutter"), [(63.4, 0.1), (50, 0.1), (85.5, 0.1), (63.3, 0)])
def test_a_cut_that_two_slots_share_is_marked_once(width: float, gutter: float) -> None:
    sheet = SheetFormat("x", 420, 297, 4, 2, width, 90, gutter)
    marks = {ends(mark) for mark in crop_marks(sheet) if isinstance(mark, StrokePath)}
    above = sorted(x1 for x1, y1, x2, _ in marks if x1 == x2 and y1 < sheet.grid.y)
    assert len(above) == (8 if gutter else 5)
    assert all(second - first > 0.05 for first, second in pairwise(above))


def test_a_sheet_without_mark_length_has_no_crop_marks() -> None:
    assert crop_marks(A4._replace(mark_length=0)) == ()


def test_copies_fill_the_slots_row_by_row() -> None:
    (page,) = impose("abcd", A4)
    assert [(p.item, p.slot.x, p.slot.y) for p in page] == [
        ("a", 7.5, 13.5),
        ("b", 72.5, 13.5),
        ("c", 137.5, 13.5),
        ("d", 7.5, 103.5),
    ]


def test_no_copies_need_no_sheet() -> None:
    assert list(impose([], A4)) == []


@pytest.fixture
def source(tmp_path: Path) -> Source:
    return load_all(write_game(tmp_path, [])).setup.sheet_source


def test_the_bundled_format_is_nine_cards_on_a4(tmp_path: Path, source: Source) -> None:
    report: Report = []
    sheet = load_format("a4-65x90", tmp_path / "xml", source, report)
    assert report == []
    assert sheet == A4


def own_format(folder: Path, **changes: str) -> None:
    values = {
        "page-width": "210",
        "page-height": "297",
        "columns": "2",
        "rows": "1",
        "slot-width": "65",
        "slot-height": "90",
        **{name.replace("_", "-"): value for name, value in changes.items()},
    }
    path = folder / "xml" / "sheets" / "own.xml"
    path.parent.mkdir(exist_ok=True)
    attributes = " ".join(f'{name}="{value}"' for name, value in values.items())
    path.write_text(f"<sheet {attributes}/>", encoding="utf-8")


def test_a_game_may_bring_its_own_format(tmp_path: Path, source: Source) -> None:
    own_format(tmp_path, gutter="2.5", mark_length="0")
    report: Report = []
    sheet = load_format("own", tmp_path / "xml", source, report)
    assert report == []
    assert sheet is not None
    assert sheet.gutter == 2.5
    assert sheet.mark_length == 0
    assert [slot.x for slot in sheet.slots()] == [38.75, 106.25]


@pytest.mark.parametrize(
    ("columns", "width", "gutter", "paper"),
    [(2, "50", "0.1", "100.1"), (3, "63.4", "0.1", "190.4"), (3, "63.3", "0", "189.9")],
)
def test_a_grid_exactly_as_large_as_the_paper_fits(
    tmp_path: Path, source: Source, columns: int, width: str, gutter: str, paper: str
) -> None:
    own_format(tmp_path, columns=str(columns), slot_width=width, gutter=gutter, page_width=paper)
    report: Report = []
    assert load_format("own", tmp_path / "xml", source, report) is not None
    assert report == []


@pytest.mark.parametrize("changes", [{"columns": "4"}, {"gutter": "100"}, {"rows": "4"}])
def test_a_grid_larger_than_the_paper_is_reported(
    tmp_path: Path, source: Source, changes: dict[str, str]
) -> None:
    own_format(tmp_path, **changes)
    report: Report = []
    assert load_format("own", tmp_path / "xml", source, report) is None
    assert [finding.code.id for finding in report] == ["E003"]


@pytest.mark.parametrize("name", ["nosuch", "../sheets/own", "own.xml", ""])
def test_a_format_that_is_not_there_is_reported(tmp_path: Path, source: Source, name: str) -> None:
    own_format(tmp_path)
    report: Report = []
    assert load_format(name, tmp_path / "xml", source, report) is None
    assert [finding.code.id for finding in report] == ["E003"]
