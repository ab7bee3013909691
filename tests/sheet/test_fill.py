"""Sheets that are half filled: their marks, what may fill them, and what the summary says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from conftest import Run, edit
from deckwright.ops.model import StrokePath
from deckwright.sheet.grid import Marks, SheetFormat
from deckwright.sheet.pages import cut_marks
from hostile import write_all
from support import card, line, token_rule, uses, write_game

A4 = SheetFormat("x", 210, 297, 3, 3, 60, 80, gutter=4)
pytestmark = pytest.mark.usefixtures("game")

NAMES = {"Ant", "Bee", "Cow", "Egg", "Nut"}
FACE = """<face><text x="5" y="5">{{ card.name }}</text></face>"""
RULES = [token_rule("r", "Egg"), token_rule("s", "Nut")]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with two decks that create tokens, and one that creates none."""
    cards = [
        card("A1", "Ant", "AA", uses("r"), actions=1, level=2),
        card("A2", "Bee", "AA", uses("s"), actions=1, level=2),
        card("A3", "Cow"),
    ]
    decks = {
        "d": [line("A1", 1), line("A2", 1), line("A3", 1)],
        "e": [line("A3", 7)],
        "f": [line("A3", 9)],
    }
    folder = write_game(tmp_path / "game", cards, rules=RULES, decks=decks)
    write_all(folder, [("templates/card.xml", FACE)])
    edit(folder / "xml" / "game.xml", '<tokens minimum="5"', '<tokens minimum="2"')
    monkeypatch.chdir(folder)
    return folder


def pages(path: str) -> list[list[str]]:
    """Return the names of the cards on each page."""
    words = (page.extract_text().split() for page in PdfReader(path).pages)
    return [[word for word in page if word in NAMES] for page in words]


def test_slots_that_stay_empty_are_told(run: Run) -> None:
    result = run("deck", "d", "--no-footer")
    assert "tokens  4 (Egg 2, Nut 2)" in result.stdout
    assert "pages   1 (1 sheet of cards, 2 slots empty)" in result.stdout
    assert "(1 sheet of cards)" in run("deck", "f").stdout


def test_spare_tokens_fill_the_last_sheet(run: Run) -> None:
    result = run("deck", "d", "--fill", "--no-footer")
    assert "pages         1 (1 sheet of cards)" in result.stdout
    assert "spare tokens  2 (Egg 1, Nut 1)" in result.stdout
    assert pages("out/deck_d.pdf") == [
        ["Ant", "Bee", "Cow", *["Egg"] * 2, *["Nut"] * 2, "Egg", "Nut"]
    ]


def test_without_tokens_there_is_nothing_to_fill_with(run: Run) -> None:
    result = run("deck", "e", "--fill", "--no-footer")
    assert "(1 sheet of cards, 2 slots empty)" in result.stdout
    assert "spare" not in result.stdout
    assert pages("out/deck_e.pdf") == [["Cow"] * 7]


def test_decks_share_sheets_in_one_file(game: Path, run: Run) -> None:
    """The next deck begins on the sheet where the one before ends."""
    result = run("deck", "e", "d", "--fill", "--no-footer")
    assert result.exit_code == 0, result.stderr
    assert "pages         2 (2 sheets of cards)" in result.stdout
    assert "spare tokens  4 (Egg 2, Nut 2)" in result.stdout
    first, second = pages("out/decks.pdf")
    assert first == [*["Cow"] * 7, "Ant", "Bee"]
    assert second == ["Cow", "Egg", "Egg", "Nut", "Nut", "Egg", "Nut", "Egg", "Nut"]
    # Each deck can still be compared with what is printed of it later.
    assert sorted(path.name for path in (game / "out").iterdir()) == [
        "deck_d.manifest.json", "deck_e.manifest.json", "decks.pdf",
    ]  # fmt: skip
    again = run("deck", "d", "--changed-since", "out/deck_d.manifest.json")
    assert "nothing that is printed" in again.stdout


def test_shared_sheets_name_their_decks(game: Path, run: Run) -> None:
    edit(game / "xml" / "Decks" / "d.xml", 'name="Deck"', 'name="Ants"')
    edit(game / "xml" / "Decks" / "e.xml", 'name="Deck"', 'name="Cows"')
    assert run("deck", "e", "d", "--fill", "--quiet", "--out", "both.pdf").exit_code == 0
    reader = PdfReader("both.pdf")
    texts = [" ".join(page.extract_text().split()) for page in reader.pages]
    assert "Test · Cows + Ants · Page 1/2" in texts[0]
    assert "Test · Ants · Page 2/2" in texts[1]
    titles = [item.title for item in reader.outline if not isinstance(item, list)]
    assert titles == ["Cows – Main · Ants – Main", "Ants – Tokens"]


def test_without_fill_each_deck_has_its_own_file(run: Run) -> None:
    assert run("deck", "e", "d", "--quiet").exit_code == 0
    assert pages("out/deck_e.pdf") == [["Cow"] * 7]


def test_tokens_alone_fill_their_sheet(run: Run) -> None:
    assert run("tokens", "d", "--fill", "--no-footer").exit_code == 0
    (names,) = pages("out/tokens_d.pdf")
    assert sorted(names) == ["Egg"] * 5 + ["Nut"] * 4


def test_a_token_of_several_faces_fills_with_all_of_them(game: Path, run: Run) -> None:
    setup = game / "xml" / "game.xml"
    edit(setup, 'name="Token" token="true"', 'name="Token" token="true" parts="actions"')
    rules = game / "xml" / "rules.xml"
    edit(rules, '<token name="Egg" actions="0"/>', '<token name="Egg" actions="2"/>')
    edit(rules, '<token name="Nut" actions="0"/>', '<token name="Nut" actions="3"/>')
    result = run("deck", "d", "--fill", "--no-footer")
    # 3 cards, 2 times 2 and 3 faces, and 5 slots for one more of each.
    assert "spare tokens" in result.stdout
    names = [name for page in pages("out/deck_d.pdf") for name in page]
    assert names.count("Egg") % 2 == 0
    assert names.count("Nut") % 3 == 0
    assert len(names) == 18


def lines(marks: tuple[object, ...]) -> list[tuple[float, float, float, float]]:
    found = []
    for mark in marks:
        assert isinstance(mark, StrokePath)
        (_, *start), (_, *end) = mark.outline
        found.append((*start, *end))
    return found  # type: ignore[return-value]


@given(
    st.integers(1, 9), st.sampled_from([Marks.CROP, Marks.LINES, Marks.CORNERS]),
    st.sampled_from(["rows", "columns"]), st.sampled_from([0, 4]),
)  # fmt: skip
def test_empty_slots_have_no_marks(copies: int, marks: Marks, order: str, gutter: float) -> None:
    """Each mark is at the edge of a card, and both ends of each edge are marked."""
    sheet = A4._replace(marks=marks, by_columns=order == "columns", gutter=gutter)
    filled = sheet.slots()[:copies]
    drawn = lines(cut_marks(sheet, filled))
    reach = sheet.mark_distance + sheet.mark_length + 1e-6
    for x1, y1, x2, y2 in drawn:
        assert (
            any(
                slot.x - reach <= min(x1, x2) <= max(x1, x2) <= slot.right + reach
                and slot.y - reach <= min(y1, y2) <= max(y1, y2) <= slot.bottom + reach
                for slot in filled
            )
            or marks is Marks.LINES
        )
        if x1 == x2:
            assert any(x1 in {slot.x, slot.right} for slot in filled)
        else:
            assert any(y1 in {slot.y, slot.bottom} for slot in filled)
    for slot in filled:
        for x in (slot.x, slot.right):
            ys = [y for x1, y1, x2, y2 in drawn if x1 == x2 == x for y in (y1, y2)]
            assert min(ys) < slot.y
            assert max(ys) > slot.bottom


def test_one_card_has_the_marks_of_one_card() -> None:
    (slot, *_) = A4.slots()
    drawn = lines(cut_marks(A4, [slot]))
    assert len(drawn) == 8
    for x1, y1, x2, y2 in drawn:
        assert slot.x - 6 <= min(x1, x2) <= max(x1, x2) <= slot.right + 6
        assert slot.y - 6 <= min(y1, y2) <= max(y1, y2) <= slot.bottom + 6
