"""Decks side by side: in numbers, in the terminal, and for other programs."""

from __future__ import annotations

import csv
import io
import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import Result

import deckwright
from conftest import Run, edit
from deckwright.cli.answer_text import format_text
from deckwright.decks.answers import Answer, Column, Section, Table
from deckwright.decks.comparison import DeckComparison
from support import card, line, write_game

LIMITS = """<limit id="size" name="cards" zone="main" min="3" max="9"/>
    <limit id="costs" name="costs" zone="main" sum="costs" max="20"/>
    <limit id="hill" name="hill's" zone="main" decks="BB" max="40"/>"""
CARDS = [
    card("A1", "Ant", "AA", level=1, costs=3, actions=2),
    card("A2", "Queen with a very long name indeed", "AA", level=2, costs=9, actions=1),
    card("B1", "Bee", "BB", level=1, costs=2),
    card("G1", "Guest", "GG", level=1, costs=5),
]
CARDS_BY_ID = {"A2": "Queen with a very long name indeed"}
DECKS = {
    "one": [line("A1", 4), line("A2", 1), line("G1", 1)],
    "two": [line("A1", 4), line("A2", 3), line("B1", 2)],
    "bees": [line("B1", 5)],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game with three decks, the last one of another faction."""
    write_game(tmp_path, CARDS, decks=DECKS, limits=LIMITS)
    bees = tmp_path / "xml" / "Decks" / "bees.xml"
    text = bees.read_text("utf-8").replace('"AA" name="Deck"', '"BB" name="Hive of Bees"')
    bees.write_text(text, "utf-8")
    setup = tmp_path / "xml" / "game.xml"
    worth = '<deck worth="2*actions + side.costs"><opening hand="2"/>'
    worth = setup.read_text("utf-8").replace("<deck>", worth)
    setup.write_text(worth, "utf-8")
    return tmp_path


def compared(folder: Path, *names: str) -> DeckComparison:
    return deckwright.open_game(folder).compare(names)


def test_decks_are_side_by_side_as_by_hand(folder: Path) -> None:
    comparison = compared(folder, "one", "two", "bees")
    main, side = comparison.zones
    assert [(row.card.id, row.copies) for row in main.lines] == [
        ("A1", (4, 4, 0)), ("A2", (1, 3, 0)), ("B1", (0, 2, 5)),
    ]  # fmt: skip
    assert (main.cards, side.cards) == ((5, 9, 5), (1, 0, 0))
    assert [(charts[0].id, [chart.total for chart in charts]) for charts in main.charts] == [
        ("actions", [9, 11, 0]), ("costs", [21, 43, 10]), ("level", [0, 0, 0]),
    ]  # fmt: skip
    assert comparison.factions == ("Hill", "Hill", "Hive")
    assert [worth.values for worth in comparison.measures] == [tuple(map(Decimal, (23, 22, 0)))]


def test_curves_share_one_axis(folder: Path) -> None:
    costs = compared(folder, "one", "bees").zones[0].charts[1]
    names = [[bar.name for bar in chart.bars] for chart in costs]
    assert names == [[str(n) for n in range(2, 10)]] * 2
    assert [[bar.copies for bar in chart.bars] for chart in costs] == [
        [0, 4, 0, 0, 0, 0, 0, 1], [5, 0, 0, 0, 0, 0, 0, 0],
    ]  # fmt: skip
    assert [chart.average for chart in costs] == [4.2, 2]


def test_a_deck_without_anything_of_a_number_has_its_copies_at_nought(folder: Path) -> None:
    actions = compared(folder, "one", "bees").zones[0].charts[0]
    assert [(bar.name, bar.copies) for bar in actions[1].bars] == [("0", 5), ("1", 0), ("2", 0)]


def test_hands_are_drawn_from_each_deck(folder: Path) -> None:
    comparison = compared(folder, "one", "two", "bees")
    odds = {each.term: each.chances for each in comparison.odds}
    assert [*odds] == ["Low", "High"]
    # Of five cards one is high: it is in the hand of two with 2/5; of nine cards, three are.
    assert [each.some for each in odds["High"]] == [Fraction(2, 5), 1 - Fraction(6 * 5, 9 * 8), 0]
    assert [each.average for each in odds["High"]] == [Fraction(2, 5), Fraction(2, 3), 0]


def test_changes_lead_from_one_deck_to_the_other(folder: Path) -> None:
    comparison = compared(folder, "one", "bees")
    changes = [(each.zone, each.card.id, each.copies) for each in comparison.changes()]
    assert changes == [
        ("main", "A1", -4),
        ("main", "A2", -1),
        ("main", "B1", 5),
        ("side", "G1", -1),
    ]
    back = {(each.card.id, -each.copies) for each in comparison.changes(1, 0)}
    assert back == {(card_id, copies) for _, card_id, copies in changes}
    assert compared(folder, "one", "one").changes() == ()


def test_each_deck_has_its_own_limits(folder: Path) -> None:
    states = compared(folder, "one", "bees").limits
    shown = [[state and (state.id, state.number, state.keeps) for state in each] for each in states]
    assert shown == [
        [("size", 5, True), ("size", 5, True)],
        [("costs", 21, False), ("costs", 10, True)],
        [None, ("hill", 5, True)],
    ]


def test_a_deck_compares_itself(folder: Path) -> None:
    game = deckwright.open_game(folder)
    one, two = game.deck("one"), game.deck("two")
    comparison = one.compared_with(two, limit={"costs": None})
    assert [stats.deck.stem for stats in comparison.decks] == ["one", "two"]
    assert [each[0] and each[0].id for each in comparison.limits] == ["size"]
    with pytest.raises(ValueError, match="one deck cannot be compared"):
        one.compared_with()


def compare(run: Run, folder: Path, *options: str) -> Result:
    return run("compare", *options, "--game", str(folder))


def test_the_terminal_shows_what_differs(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "68")
    shown = compare(run, folder, "one", "bees")
    assert shown.exit_code == 0, shown.output
    lines = shown.output.splitlines()
    assert max(map(len, lines)) <= 68
    assert [text.split() for text in lines if text[:1] in {"*", "!", "~"}] == [
        ["*", "Ant", "(A1)", "4", "–"],
        ["*", "Queen", "with", "a", "very", "long", "name", "ind…", "(A2)", "1", "–"],
        ["*", "Bee", "(B1)", "–", "5"],
        ["*", "Guest", "(G1)", "1", "–"],
        ["!", "Main:", "costs", "21", "(≤", "20)", "!", "10", "(≤", "20)"],
    ]  # fmt: skip
    assert lines[0].split() == ["Deck", "Hive", "of", "Bees"]
    assert "  2*actions + side.costs" in shown.output
    assert "  High 40.0%, 0.40 0%, 0.00" in re.sub(" {3,}", " ", shown.output)
    assert lines[-1] == "  changes: −6 +5"


def test_numbers_that_differ_are_marked(run: Run, folder: Path) -> None:
    lines = compare(run, folder, "one", "two").output.splitlines()
    assert lines[0].split() == ["one", "two"], "decks of one name are called by their files"
    assert [text[:7] for text in lines if text[:1] == "~"] == ["~ Queen"]


def test_cards_that_no_zone_takes_are_not_lost(run: Run, folder: Path) -> None:
    edit(folder / "xml" / "game.xml", 'except="guests"', 'where="level=2"')
    shown = compare(run, folder, "one", "bees").output
    assert [text.split() for text in shown.splitlines() if "none" in text][:1] == [
        ["none", "4", "5"]
    ]
    assert [text.split() for text in shown.splitlines() if "Ant" in text] == [
        ["*", "Ant", "(A1)", "4", "–"]
    ]


def test_programs_read_the_same(run: Run, folder: Path) -> None:
    shown = json.loads(compare(run, folder, "one", "two", "--format", "json").output)
    assert (shown["version"], shown["answer"]) == (2, "compare")
    assert [deck["file"] for deck in shown["decks"]] == ["one", "two"]
    queen = {"zone": "main", "faction": "AA", "id": "A2", "name": CARDS_BY_ID["A2"]}
    assert shown["cards"][1] == {**queen, "one": 1, "two": 3}
    totals = {"zone": "main", "field": "actions", "name": "actions", "of": "total"}
    assert shown["sums"][0] == {**totals, "one": 9, "two": 11}
    assert next(each for each in shown["limits"] if each["id"] == "costs") == {
        "deck": "one", "id": "costs", "zone": "main", "name": "costs", "number": 21,
        "min": None, "max": 20, "exactly": None, "keeps": False,
    }  # fmt: skip
    assert shown["changes"][0]["copies"] == 2
    assert shown["measures"] == [{"name": "2*actions + side.costs", "one": 23, "two": 22}]


def test_decks_of_one_file_name_have_columns_of_their_own(run: Run, folder: Path) -> None:
    text = (folder / "xml" / "Decks" / "bees.xml").read_text("utf-8")
    for name in ("other/one.xml", "other/id.xml"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    others = (str(folder / "other/one.xml"), str(folder / "other/id.xml"))
    shown = json.loads(compare(run, folder, "one", *others, "--format", "json").output)
    assert [deck["deck"] for deck in shown["decks"]] == ["one", "one 2", "id 2"]
    bee = next(each for each in shown["cards"] if each["name"] == "Bee")
    assert bee == {"zone": "main", "faction": "BB", "id": "B1", "name": "Bee",
                   "one": 0, "one 2": 5, "id 2": 5}  # fmt: skip


def test_a_table_is_written(run: Run, folder: Path) -> None:
    path = folder / "both.csv"
    shown = compare(run, folder, "one", "two", "bees", "--format", "csv", "--out", str(path))
    assert (shown.exit_code, shown.output) == (0, "")
    rows = [*csv.reader(io.StringIO(path.read_text("utf-8")))]
    assert {len(row) for row in rows} == {len(rows[0])}
    found = [{name: cell for name, cell in zip(rows[0], row, strict=True) if cell} for row in rows]
    bee = {"table": "cards", "zone": "main", "faction": "BB", "id": "B1", "name": "Bee"}
    assert {**bee, "one": "0", "two": "2", "bees": "5"} in found
    costs = {"table": "sums", "zone": "main", "field": "costs", "name": "costs", "of": "total"}
    assert {**costs, "one": "21", "two": "43", "bees": "10"} in found
    low = {"table": "chances", "field": "level", "value": "Low"}
    assert {**low, "one": "1", "two": "0.916666666667", "bees": "1"} in found
    hill = {"table": "limits", "deck": "bees", "zone": "main", "id": "hill", "name": "hill's"}
    assert {**hill, "number": "5", "max": "40", "keeps": "true"} in found


def test_what_cannot_be_compared_is_said(run: Run, folder: Path) -> None:
    alone = compare(run, folder, "one")
    assert (alone.exit_code, "name at least two decks" in alone.output) == (2, True)
    (folder / "xml" / "Decks" / "bad.xml").write_text("<data>", encoding="utf-8")
    bad = compare(run, folder, "one", "bad", "other")
    assert bad.exit_code == 3
    assert "bad.xml" in bad.output
    assert "other.xml" in bad.output, "what is wrong with any of the decks is said in one run"
    nowhere = compare(run, folder, "one", "two", "--limits", "casual")
    assert (nowhere.exit_code, "there is no format `casual`" in nowhere.output) == (2, True)


def test_titles_that_are_long_go_on_below(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(folder / "xml/Decks/one.xml", 'name="Deck"', 'name="The long march of all the ants"')
    monkeypatch.setenv("COLUMNS", "50")
    lines = compare(run, folder, "one", "bees").output.splitlines()
    assert max(map(len, lines)) < 50
    heads = lines[: next(n for n, text in enumerate(lines) if "faction" in text)]
    words = {word for text in heads for word in text.split()}
    assert words == {"The", "long", "march", "of", "all", "the", "ants", "Hive", "Bees"}


@pytest.mark.parametrize("number", [1, 2, 5, 9])
def test_columns_fit_the_terminal(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    columns = [Column("", "l" * 70), *(Column("", "title", "bar") for _ in range(number))]
    wide = Table("", columns, [["l" * 70, *[999] * number], ["a label", *["x" * 60] * number]])
    bars = Table("", columns, [["bars", *[count] * number] for count in (999, 3, 0)])
    lines = format_text(Answer("", [Section("", [wide, bars], aligned=True)])).splitlines()
    assert max(map(len, lines)) <= 100
    drawn = [line.split()[0] for line in lines if "█" in line]
    assert drawn == (["bars", "bars"] if number <= 5 else [])
