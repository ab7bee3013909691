"""Layouts with turned cards: as many as fit, apart, with backs behind and marks outside."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_impose import apart, ends

from deckwright.base.geometry import Box, transform_point
from deckwright.base.units import CARD_SIZES, PAPER_SIZES
from deckwright.ops.model import Face, StrokePath
from deckwright.sheet.grid import Flip, Fold, GridBlock, Marks, SheetFormat, max_cards, pack
from deckwright.sheet.impose import place_back, place_face
from deckwright.sheet.pages import cut_marks
from support import share_of_examples

TAROT = SheetFormat("x", 210, 297, 0, 0, 0, 0, margin=5, turn=True).fit_to(70, 120)


def boxes(blocks: tuple[GridBlock, ...], width: float, height: float) -> list[Box]:
    """Return the boxes of cards of this size in blocks."""
    found = []
    for block in blocks:
        w, h = (height, width) if block.turned else (width, height)
        found += [
            Box(block.x + column * w, block.y + row * h, w, h)
            for row, column in product(range(block.rows), range(block.columns))
        ]
    return found


def exhaustive(width: int, height: int, card: tuple[int, int]) -> int:
    """Return how many cards fit, by trying each at the first free cell, or leaving that empty."""
    known: dict[int, int] = {}

    def fitting(cell: int, w: int, h: int) -> int:
        x, y = cell % width, cell // width
        if x + w > width or y + h > height:
            return 0
        return sum(((1 << w) - 1) << (x + (y + row) * width) for row in range(h))

    def search(taken: int) -> int:
        if taken not in known:
            free = next((n for n in range(width * height) if not taken >> n & 1), None)
            best = 0
            if free is not None:
                best = search(taken | 1 << free)
                for w, h in {card, card[::-1]}:
                    cells = fitting(free, w, h)
                    if cells and not cells & taken:
                        best = max(best, 1 + search(taken | cells))
            known[taken] = best
        return known[taken]

    return search(0)


@pytest.mark.parametrize("paper", PAPER_SIZES)
@pytest.mark.parametrize("gutter", [0, 3, 6])
def test_no_layout_has_more_cards_on_the_named_papers(paper: str, gutter: float) -> None:
    width, height = (side - 10 for side in PAPER_SIZES[paper])
    for card in CARD_SIZES.values():
        sides = [side + gutter for side in (width - gutter, height - gutter, *card)]
        found = sum(block.columns * block.rows for block in pack(*sides))
        assert found == max_cards(*sides), (paper, card)


@pytest.mark.corpus(1, grows=True)
@settings(max_examples=share_of_examples(60), deadline=None)
@given(st.integers(1, 8), st.integers(1, 7), st.integers(1, 5), st.integers(1, 5))
def test_as_many_fit_as_by_trying_everything(width: int, height: int, w: int, h: int) -> None:
    best = exhaustive(width, height, (w, h))
    found = sum(block.columns * block.rows for block in pack(width, height, w, h))
    assert found == best <= max_cards(width, height, w, h)


def test_a_ring_around_a_hole_is_found() -> None:
    assert len(pack(7, 7, 3, 4)) == 4
    assert exhaustive(7, 7, (3, 4)) == 4


@pytest.mark.corpus(1, grows=True)
@settings(max_examples=share_of_examples(100), deadline=None)
@given(st.floats(20, 300), st.floats(20, 300), st.floats(15, 90), st.floats(15, 90))
def test_cards_are_apart_and_on_the_sheet(width: float, height: float, w: float, h: float) -> None:
    cards = boxes(pack(width, height, w, h), w, h)
    slack = len(cards) * 1e-3
    assert len(cards) <= max_cards(width, height, w, h)
    for card in cards:
        assert card.x >= 0 <= card.y
        assert card.right <= width + slack
        assert card.bottom <= height + slack
    for one, other in combinations(cards, 2):
        assert one.intersection(other).width < slack or one.intersection(other).height < slack


def test_six_tarot_cards_fit_a4_four_of_them_turned() -> None:
    plain = TAROT._replace(turn=False, blocks=(), columns=0, rows=0).fit_to(70, 120)
    assert (plain.capacity, TAROT.capacity) == (4, 6)
    assert sum(map(TAROT.is_rotated, TAROT.slots())) == 4
    assert (TAROT.page_width, TAROT.page_height) == (210, 297)


def test_where_turning_gains_nothing_the_sheet_stays_as_it_was() -> None:
    sheet = SheetFormat("x", 210, 297, 0, 0, 0, 0, margin=5)
    assert sheet._replace(turn=True).fit_to(65, 90)._replace(turn=False) == sheet.fit_to(65, 90)


def turned_sheets() -> st.SearchStrategy[SheetFormat]:
    """Return sheets for cards of any size, some of which are turned."""

    def build(
        size: tuple[float, float], gutter: float, fold: Fold, flip: Flip, marks: Marks
    ) -> SheetFormat:
        sheet = SheetFormat(
            "x", 210, 297, 0, 0, 0, 0, gutter, margin=5, bleed=gutter / 2, turn=True
        )
        return sheet._replace(fold=fold, flip=flip, marks=marks).fit_to(*size)

    sizes = st.tuples(*[st.integers(60, 280).map(lambda side: side / 2)] * 2)
    built = st.builds(
        build, sizes, st.sampled_from([0, 4, 6]), st.sampled_from(Fold),
        st.sampled_from(Flip), st.sampled_from(Marks),
    )  # fmt: skip
    return built.filter(lambda sheet: bool(sheet.blocks))


@pytest.mark.corpus(1, grows=True)
@settings(max_examples=share_of_examples(60), deadline=None)
@given(turned_sheets(), st.tuples(st.floats(-2, 2), st.floats(-2, 2)))
def test_every_point_of_a_back_lies_behind_that_of_its_face(
    sheet: SheetFormat, offset: tuple[float, float]
) -> None:
    width, height = sheet.slot_width, sheet.slot_height
    face = Face(width, height, ())
    assert any(map(sheet.is_rotated, sheet.slots()))
    for slot in sheet.slots():
        front, back = place_face(face, slot, sheet), place_back(face, slot, sheet, offset)
        for x, y in product((0, 5, width), (0, 7, height)):
            point = Box(*transform_point(front.matrix, x, y), 0, 0)
            behind = sheet.mirrored(point)
            there = transform_point(back.matrix, width - x, y)
            expected = (behind.x + offset[0], behind.y + offset[1])
            assert there == pytest.approx(expected, abs=1e-6)


@pytest.mark.corpus(1, grows=True)
@settings(max_examples=share_of_examples(60), deadline=None)
@given(turned_sheets())
def test_marks_of_turned_cards_cross_no_card_and_mark_both_ends_of_every_cut(
    sheet: SheetFormat,
) -> None:
    assume(sheet.marks is not Marks.NONE and not sheet.is_folded)
    slots = sheet.slots()
    marks = [ends(mark) for mark in cut_marks(sheet) if isinstance(mark, StrokePath)]
    for x1, y1, x2, y2 in marks:
        for slot in slots:
            inner = slot.expand(-0.01)
            crosses = x1 < inner.right and x2 > inner.x and y1 < inner.bottom and y2 > inner.y
            assert not crosses, (x1, y1, x2, y2, slot)
    far = max(sheet.mark_distance, sheet.bleed) + sheet.mark_length + 0.01
    for slot in slots:
        for x in (slot.x, slot.right):
            on = [(y1, y2) for x1, y1, x2, y2 in marks if abs(x1 - x) + abs(x2 - x) < 2e-3]
            # Cards above and below may share the cut, and its marks.
            assert any(y1 <= slot.bottom + far for y1, _ in on)
            assert any(y2 >= slot.y - far for _, y2 in on)


@pytest.mark.corpus(1, grows=True)
@settings(max_examples=share_of_examples(60), deadline=None)
@given(turned_sheets().filter(lambda sheet: not sheet.is_folded))
def test_turned_cards_are_apart_and_inside_of_the_margins(sheet: SheetFormat) -> None:
    slots = sheet.slots()
    assert len(slots) == sheet.capacity
    for slot in slots:
        around = slot.expand(sheet.bleed)
        assert min(around.x, around.y) > 5 - 1e-2
        assert around.right < sheet.page_width - 5 + 1e-2
        assert around.bottom < sheet.page_height - 5 + 1e-2
    for one, other in combinations(slots, 2):
        shared = one.intersection(other)
        assert apart(one, other) or min(shared.width, shared.height) < 1e-2
