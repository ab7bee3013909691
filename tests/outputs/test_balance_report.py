"""The report of a look at a whole game: what stands on its pages, and where names of charts lie."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

import deckwright
from conftest import Run, edit
from deckwright.base.geometry import Box
from deckwright.outputs.reports import LabelRequest, place_labels
from support import card, uses, write_game

RULE = '<rule id="fly" type="passive" effect="Flies."><label GEN="Flight"/></rule>'
CARDS = [
    *(card(f"A{n}", f"Ant {n}", "AA", actions=n, costs=n + 1) for n in range(1, 10)),
    card("A10", "Giant", "AA", actions=30, costs=3),
    *(card(f"B{n}", f"Bee {n}", "BB", uses("fly"), actions=n, costs=n) for n in range(1, 10)),
    card("B10", "Sloth", "BB", actions=4, costs=5),
    card("B11", "Snail", "BB", actions=3, costs=5),
    card("G1", "Guest", "GG", actions=1, costs=1),
]
LIMITS = """<limit id="size" name="cards" zone="main" min="4"/>
    <limit id="own" name="own" zone="main" faction="own"/>
    <limit id="costs" name="costs" zone="main" sum="costs" max="20"/>
    <limit id="copies" name="copies" zone="main" per="name" max="3"/>"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    write_game(tmp_path, CARDS, rules=[RULE], limits=LIMITS)
    edit(tmp_path / "xml" / "game.xml", "<deck>", '<deck worth="actions">')
    return tmp_path


def texts(path: Path) -> list[str]:
    return [page.extract_text() for page in PdfReader(path).pages]


def test_the_report_has_a_page_for_all_each_faction_and_what_is_not_known(game: Path) -> None:
    path = game / "balance.pdf"
    printed = deckwright.open_game(game).print_balance(path)
    assert printed.pages == 4
    everything, ants, bees, notes = texts(path)
    assert "All factions" in everything
    assert "Giant" in everything
    assert "Hill" in everything
    assert "Hive" in everything
    assert "Giant" in ants
    assert "Sloth" not in ants
    assert "Cards that others beat" in bees
    assert "Snail: beaten by Sloth: actions +1" in bees
    assert "What these numbers do not know" in notes
    assert "What rules do in play." in notes
    assert [str(item["/Title"]) for item in PdfReader(path).outline if isinstance(item, dict)] == [
        "All factions", "Hill", "Hive", "What these numbers do not know",
    ]  # fmt: skip


def test_the_same_game_gives_the_same_bytes(game: Path, run: Run) -> None:
    first, second = game / "one.pdf", game / "two.pdf"
    said = run("balance", "--game", str(game), "--out", str(first))
    assert (said.exit_code, said.stdout) == (0, f"4 pages in {first}\n")
    deckwright.open_game(game).print_balance(second)
    assert first.read_bytes() == second.read_bytes()


def test_letter_paper_has_the_same_pages(game: Path, run: Run) -> None:
    path = game / "balance.pdf"
    run("balance", "--game", str(game), "--out", str(path), "--paper", "letter")
    pages = PdfReader(path).pages
    assert {round(page.mediabox.width / 72, 1) for page in pages} == {8.5}
    with pytest.raises(ValueError, match="a4"):
        deckwright.open_game(game).print_balance(path, paper="a3")


def test_a_faction_alone_has_its_page_and_the_line_of_all(game: Path) -> None:
    path = game / "balance.pdf"
    assert deckwright.open_game(game).print_balance(path, factions=["BB"]).pages == 2
    bees, _ = texts(path)
    whole = deckwright.open_game(game).balance().line
    assert whole is not None
    assert whole.points == 21
    assert f"{float(whole.slope):.2f} × costs" in bees


def test_a_game_can_have_a_report_of_its_own(game: Path) -> None:
    own = '<pages><text each="figure in figures">{{ figure.title }}!</text></pages>'
    (game / "templates" / "balance.xml").write_text(own, encoding="utf-8")
    path = game / "balance.pdf"
    deckwright.open_game(game).print_balance(path)
    assert "Outliers!" in texts(path)[0]
    (game / "templates" / "balance.xml").write_text("<face/>", encoding="utf-8")
    with pytest.raises(deckwright.GameError) as error:
        deckwright.open_game(game).print_balance(path)
    assert "not `pages`" in error.value.findings[0].message


def test_what_is_worth_less_than_nothing_is_printed(game: Path) -> None:
    path = game / "balance.pdf"
    deckwright.open_game(game).print_balance(path, worth="costs - 9*actions")
    assert "costs − 9 × actions" in texts(path)[0]


def test_two_cards_have_no_line_and_no_chart(game: Path) -> None:
    cards = [card("A1", "Ant", "AA", actions=1, costs=1), card("A2", "Bug", "AA", costs=1)]
    write_game(game, cards, limits=LIMITS)
    path = game / "balance.pdf"
    printed = deckwright.open_game(game).print_balance(path, worth="actions")
    assert printed.pages == 2
    assert "Ant" in texts(path)[0]
    assert "Line" not in texts(path)[0]


AREA = Box(0, 0, 100, 60)


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 60), st.booleans()), max_size=25))
def test_names_lie_apart_inside_the_chart(dots: list[tuple[int, int, bool]]) -> None:
    wanted = [
        LabelRequest(f"{n}", x, y, 1, 9, 2.5, needed) for n, (x, y, needed) in enumerate(dots)
    ]
    taken = [Box(x - 1, y - 1, 2, 2) for x, y, _ in dots]
    placed = [*place_labels(wanted, AREA, taken)]
    boxes = [label.box for label in placed]
    for one, other in itertools.combinations([*boxes], 2):
        common = one.intersection(other)
        assert common.width * common.height == 0
    for box in boxes:
        assert min(box.x, box.y, 100 - box.right, 60 - box.bottom) >= 0
        assert all(box.intersection(dot).width * box.intersection(dot).height == 0 for dot in taken)
    assert {w.text for w in wanted if w.needed} <= {label.request.text for label in placed}


def test_a_name_is_led_to_its_point_only_from_afar() -> None:
    near, far = (
        LabelRequest("near", 50, 30, 1, 9, 2.5),
        LabelRequest("far", 50, 30, 1, 9, 2.5, needed=True),
    )
    (label,) = place_labels([near], AREA)
    assert (label.box.x > 50, label.leader_end) == (True, None)
    wall = Box(20, 5, 60, 50)
    assert [*place_labels([near], AREA, [wall])] == []
    (label,) = place_labels([far], AREA, [wall])
    assert label.leader_end is not None
