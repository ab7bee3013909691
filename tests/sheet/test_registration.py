"""Sheets between the marks of cutting machines: as many cards as fit, and none near a mark."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT
from deckwright.base.geometry import Box
from deckwright.outputs.cutters.profile import cutter_names, load_cutter
from deckwright.sheet.cutters import Cutter, Registration
from deckwright.sheet.grid import Marks, SheetFormat
from deckwright.sheet.pages import make_slug

NOWHERE = Path("/nowhere")
SIDES = st.floats(20, 140).map(lambda side: round(side, 2))


def cutter_of(name: str) -> Cutter:
    cutter = load_cutter(name, NOWHERE, [])
    assert cutter is not None
    return cutter


CUTTERS = [cutter_of(name) for name in cutter_names(NOWHERE)]
MEDIA = [(cutter, paper) for cutter in CUTTERS for paper in cutter.media]


def sheet_of(cutter: Cutter, paper: str) -> SheetFormat:
    medium = cutter.media[paper]
    marks = cutter.marks_on(medium.height, medium.width, "a test", [])
    assert marks is not None
    return SheetFormat(
        "", medium.width, medium.height, 0, 0, 0, 0,
        gutter=cutter.gutter, bleed=cutter.bleed, marks=Marks.NONE, mark_length=0,
        registration=marks,
    )  # fmt: skip


@given(st.sampled_from(MEDIA), SIDES, SIDES)
def test_cards_keep_apart_within_the_area_and_away_from_marks(
    medium: tuple[Cutter, str], width: float, height: float
) -> None:
    cutter, paper = medium
    sheet = sheet_of(cutter, paper).fit_to(width, height)
    marks = sheet.registration
    assert marks is not None
    area, slots = marks.medium.area.expand(1e-6), sheet.slots()
    assert (sheet.page_width, sheet.page_height) == (marks.medium.width, marks.medium.height)
    for slot in slots:
        assert slot.intersection(area) == pytest.approx(slot)
    assert marks.is_free(slot.expand(cutter.bleed) for slot in slots)
    for one, other in combinations(slots, 2):
        assert not one.expand(cutter.gutter / 2 - 1e-6).touches(
            other.expand(cutter.gutter / 2 - 1e-6)
        )
    if slots:
        grid = sheet.grid_box
        assert grid.x + grid.right == pytest.approx(sheet.page_width)
        assert grid.y + grid.bottom == pytest.approx(sheet.page_height)
    slug = make_slug(sheet)
    if slug is not None and slots:
        assert marks.is_free([slug.on_paper.expand(-1e-6)])
        assert not slug.on_paper.touches(sheet.grid_box.expand(cutter.bleed))


@given(st.sampled_from(MEDIA), SIDES, SIDES)
def test_one_more_column_or_row_has_no_room(
    medium: tuple[Cutter, str], width: float, height: float
) -> None:
    cutter, paper = medium
    sheet = sheet_of(cutter, paper)
    fitted = sheet.fit_to(width, height)
    marks = sheet.registration
    assert marks is not None
    for each in (marks, marks.rotate()):
        for columns, rows in ((fitted.columns + 1, fitted.rows), (fitted.columns, fitted.rows + 1)):
            if not columns * rows:
                continue
            more = fitted._replace(
                page_width=each.medium.width,
                page_height=each.medium.height,
                columns=columns,
                rows=rows,
            )
            inside = more.grid_box.intersection(each.medium.area) == pytest.approx(more.grid_box)
            assert not (inside and each.is_free([more.grid_box.expand(sheet.bleed)]))


@pytest.mark.parametrize(
    ("name", "paper", "size", "count", "arm"),
    [
        ("silhouette", "a4", (65, 90), 8, 5),
        ("silhouette", "letter", (63, 88), 8, 7.5),
        ("silhouette-4", "a3", (63.5, 88.9), 18, 5),
        ("cricut", "letter", (63.5, 88.9), 4, 26.45),
        ("four-point", "12x12", (63, 88), 12, 0),
        ("none", "a4", (65, 90), 9, 0),
        ("none", "a4", (250, 250), 0, 0),
    ],
)
def test_how_many_cards_a_machine_cuts(
    name: str, paper: str, size: tuple[float, float], count: int, arm: float
) -> None:
    sheet = sheet_of(cutter_of(name), paper).fit_to(*size)
    assert sheet.columns * sheet.rows == count
    assert sheet.registration is not None
    assert sheet.registration.arm == arm


def test_longer_arms_would_touch_what_is_printed() -> None:
    sheet = sheet_of(cutter_of("silhouette"), "letter").fit_to(63, 88)
    marks = sheet.registration
    assert marks is not None
    printed = [sheet.grid_box.expand(sheet.bleed)]
    assert marks.is_free(printed)
    assert not marks._replace(arm=marks.arm + 0.5).is_free(printed)


@pytest.mark.parametrize(("cutter", "paper"), MEDIA)
def test_markers_have_a_box_without_marks(cutter: Cutter, paper: str) -> None:
    marks = sheet_of(cutter, paper).registration
    assert isinstance(marks, Registration)
    box, area = marks.clear_box(), marks.medium.area
    assert marks.is_free([box])
    assert box.intersection(area) == pytest.approx(box)
    assert box.width * box.height > 0.8 * area.width * area.height


def test_the_guide_lists_all_machines_and_their_papers() -> None:
    text = (ROOT / "docs" / "cutting.md").read_text(encoding="utf-8")
    rows = dict(
        re.findall(r"^\| `([a-z0-9-]+)` \| .* \| ((?:`[a-z0-9]+` ?)+) \|$", text, re.MULTILINE)
    )
    assert {name: re.findall("`([^`]+)`", papers) for name, papers in rows.items()} == {
        cutter.id: sorted(cutter.media, key=["a4", "letter", "a3", "12x12"].index)
        for cutter in CUTTERS
    }


@pytest.mark.parametrize("size", [(65, 90), (63.5, 88.9), (70, 120), (44, 68)])
def test_turned_cards_are_more_and_keep_off_marks_edges_and_each_other(
    size: tuple[float, float],
) -> None:
    gained = 0
    for cutter, paper in MEDIA:
        if paper not in {"a4", "letter"}:
            continue
        straight = sheet_of(cutter, paper)
        sheet = straight._replace(turn=True).fit_to(*size)
        gained += sheet.capacity - straight.fit_to(*size).capacity
        assert sheet.capacity >= straight.fit_to(*size).capacity
        marks, slots = sheet.registration, sheet.slots()
        assert marks is not None
        assert len(slots) == sheet.capacity
        area = marks.medium.area.expand(1e-6)
        assert all(slot.intersection(area) == pytest.approx(slot) for slot in slots)
        assert marks.is_free(slot.expand(cutter.bleed) for slot in slots)
        apart = [slot.expand(cutter.gutter / 2 - 1e-6) for slot in slots]
        assert not any(one.touches(other) for one, other in combinations(apart, 2))
        around = Box.around(slots)
        assert around.x + around.right == pytest.approx(sheet.page_width)
        assert around.y + around.bottom == pytest.approx(sheet.page_height)
    assert gained > 0
