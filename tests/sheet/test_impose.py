from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckwright.base.geometry import Box
from deckwright.ops.model import Face, StrokePath
from deckwright.sheet.grid import Flip, Fold, Marks, SheetFormat
from deckwright.sheet.impose import impose, place_back, place_face
from deckwright.sheet.pages import cut_marks

A4 = SheetFormat("a4-65x90", 210, 297, 3, 3, 65, 90, mark_length=2.5, mark_distance=1, margin=5)


def sheets() -> st.SearchStrategy[SheetFormat]:
    """Return formats whose grids fit their paper, of all marks, folds and ways to turn."""
    sizes = st.floats(10, 120).map(lambda size: round(size, 1))

    def build(
        columns: int, rows: int, width: float, height: float, gutter: float, fold: Fold
    ) -> SheetFormat:
        room_x = (columns * (width + gutter) + 20) * (2 if fold is Fold.VERTICAL else 1)
        room_y = (rows * (height + gutter) + 30) * (2 if fold is Fold.HORIZONTAL else 1)
        return SheetFormat("x", room_x, room_y, columns, rows, width, height, gutter, fold=fold)

    gutters = st.sampled_from([0, 1, 2.5, 10])
    counts = st.integers(1, 5)
    plain = st.builds(build, counts, counts, sizes, sizes, gutters, st.sampled_from(Fold))
    return st.builds(
        lambda sheet, flip, by_columns: sheet._replace(flip=flip, by_columns=by_columns),
        plain, st.sampled_from(Flip), st.booleans(),
    )  # fmt: skip


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
def test_the_grid_stands_in_the_middle_of_its_half(sheet: SheetFormat) -> None:
    grid, half = sheet.grid_box, sheet.face_area
    assert grid.x == pytest.approx(half.width - grid.right)
    assert grid.y == pytest.approx(half.height - grid.bottom)
    assert half.width == sheet.page_width / (2 if sheet.fold is Fold.VERTICAL else 1)
    assert half.height == sheet.page_height / (2 if sheet.fold is Fold.HORIZONTAL else 1)
    assert sheet.slots()[0].x == grid.x
    assert sheet.slots()[-1].bottom == pytest.approx(grid.bottom)


@settings(max_examples=60)
@given(sheets().filter(lambda sheet: not sheet.is_folded))
def test_crop_marks_stand_outside_of_the_grid_at_both_ends_of_each_cut(sheet: SheetFormat) -> None:
    grid = sheet.grid_box
    xs: list[float] = []
    ys: list[float] = []
    for mark in cut_marks(sheet):
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
    marks = {ends(mark) for mark in cut_marks(sheet) if isinstance(mark, StrokePath)}
    above = sorted(x1 for x1, y1, x2, _ in marks if x1 == x2 and y1 < sheet.grid_box.y)
    assert len(above) == (8 if gutter else 5)
    assert all(second - first > 0.05 for first, second in pairwise(above))


def test_a_sheet_without_mark_length_has_no_cut_marks() -> None:
    assert cut_marks(A4._replace(mark_length=0)) == ()


@settings(max_examples=60)
@given(sheets(), st.sampled_from(Marks), st.floats(0, 3))
def test_only_lines_along_cuts_cross_cards(sheet: SheetFormat, marks: Marks, bleed: float) -> None:
    bleed = min(bleed, sheet.gutter / 2)
    sheet = sheet._replace(marks=marks, bleed=bleed, fold=Fold.NONE)
    slots = sheet.slots()
    xs = {round(x, 3) for slot in slots for x in (slot.x, slot.right)}
    ys = {round(y, 3) for slot in slots for y in (slot.y, slot.bottom)}
    drawn = [ends(mark) for mark in cut_marks(sheet) if isinstance(mark, StrokePath)]
    assert bool(drawn) == (marks is not Marks.NONE)
    for x1, y1, x2, y2 in drawn:
        assert (x1 == x2 and round(x1, 3) in xs) or (y1 == y2 and round(y1, 3) in ys)


@settings(max_examples=100)
@given(sheets())
def test_what_lies_behind_is_the_mirror_image_and_mirroring_twice_is_nothing(
    sheet: SheetFormat,
) -> None:
    for slot in sheet.slots():
        behind = sheet.mirrored(slot)
        assert sheet.mirrored(behind) == pytest.approx(slot)
        upright = abs(slot.y - behind.y) < 1e-9
        distances = (slot.x, sheet.page_width - behind.right)
        if not sheet.has_vertical_axis:
            upright = not (abs(slot.x - behind.x) < 1e-9)
            distances = (slot.y, sheet.page_height - behind.bottom)
        assert distances[0] == pytest.approx(distances[1])
        assert upright == sheet.has_vertical_axis


@settings(max_examples=60)
@given(sheets().filter(lambda sheet: sheet.is_folded))
def test_a_folded_sheet_is_symmetric_about_its_fold(sheet: SheetFormat) -> None:
    marks = {tuple(round(n, 6) for n in ends(m)) for m in cut_marks(sheet)
             if isinstance(m, StrokePath)}  # fmt: skip

    def across(x: float, y: float) -> tuple[float, float]:
        if sheet.fold is Fold.VERTICAL:
            return round(sheet.page_width - x, 6), y
        return x, round(sheet.page_height - y, 6)

    def near(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
        return all(abs(a - b) < 1e-5 for a, b in zip(one, two, strict=True))

    for x1, y1, x2, y2 in marks:
        mirrored = (*across(x1, y1), *across(x2, y2))
        back = (*mirrored[2:], *mirrored[:2])
        assert any(near(other, way) for other in marks for way in (mirrored, back))
    for slot in sheet.slots():
        assert apart(slot, sheet.mirrored(slot))


@settings(max_examples=100)
@given(
    sheets(),
    st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    st.tuples(st.floats(0.3, 3), st.floats(0.3, 3)),
)
def test_a_back_lies_behind_its_face_after_the_turn_moved_by_the_offset(
    sheet: SheetFormat, offset: tuple[float, float], ratio: tuple[float, float]
) -> None:
    face = Face(sheet.slot_width * ratio[0], sheet.slot_height * ratio[1], ())
    for slot in sheet.slots():
        front = place_face(face, slot, sheet)
        back = place_back(face, slot, sheet, offset)
        assert front.box.width <= slot.width + 1e-9
        assert front.box.height <= slot.height + 1e-9
        moved = back.box._replace(x=back.box.x - offset[0], y=back.box.y - offset[1])
        assert sheet.mirrored(moved) == pytest.approx(front.box)
        assert back.turn == (0 if sheet.has_vertical_axis else 2)


@pytest.mark.parametrize(
    ("page", "flip", "expected", "turn"),
    [
        ((210, 297), Flip.LONG, (137.5, 13.5), 0),
        ((210, 297), Flip.SHORT, (7.5, 193.5), 2),
        ((297, 210), Flip.LONG, (51, 105), 2),
        ((297, 210), Flip.SHORT, (181, 15), 0),
    ],
)
def test_the_first_back_of_a_sheet(
    page: tuple[int, int], flip: Flip, expected: tuple[float, float], turn: int
) -> None:
    columns, rows = (3, 3) if page[0] == 210 else (3, 2)
    sheet = SheetFormat("x", *page, columns, rows, 65, 90, flip=flip)
    back = place_back(Face(65, 90, ()), sheet.slots()[0], sheet)
    assert (back.x, back.y, back.turn) == (*expected, turn)


def test_copies_fill_the_slots_row_by_row() -> None:
    (page,) = impose("abcd", A4)
    assert [(p.item, p.slot.x, p.slot.y) for p in page] == [
        ("a", 7.5, 13.5),
        ("b", 72.5, 13.5),
        ("c", 137.5, 13.5),
        ("d", 7.5, 103.5),
    ]


def test_copies_may_fill_the_slots_column_by_column() -> None:
    (page,) = impose("abcd", A4._replace(by_columns=True))
    assert [(p.item, p.slot.x, p.slot.y) for p in page] == [
        ("a", 7.5, 13.5),
        ("b", 7.5, 103.5),
        ("c", 7.5, 193.5),
        ("d", 72.5, 13.5),
    ]


def test_no_copies_need_no_sheet() -> None:
    assert list(impose([], A4)) == []
