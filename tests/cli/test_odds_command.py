"""`deckwright odds`: what a hand is likely to have, as text, JSON and CSV."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from conftest import Run, edit
from support import card, line, write_game

OPENING = '<opening hand="2" redraws="1"/>'


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game as the working folder, with a deck of two ants, a queen and a drone."""
    cards = [
        card("A1", "Ant", level=1, costs=3),
        card("A2", "Queen", level=2, costs=9),
        card("A3", "Drone", level=1, costs=2),
        card("G1", "Guest", "GG"),
    ]
    lines = [line("A1", 2), line("A2"), line("A3"), line("G1")]
    write_game(tmp_path / "game", cards, decks={"one": lines}, limits=OPENING)
    monkeypatch.chdir(tmp_path / "game")
    return tmp_path / "game"


@pytest.mark.usefixtures("game")
def test_a_table_tells_of_each_level_and_each_card(run: Run) -> None:
    result = run("odds", "one")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        "Deck, Main: hand 2 / 4, redraws 1",
        "",
        "  level       copies  ≥ 1 at once    ≥ 1    ≥ 2  average",
        "  Low              3         100%   100%   100%     2.00  ████████████████░░░░░",
        "  High             1        50.0%  75.0%            0.75  █████░░░",
        "",
        "  cards       copies  ≥ 1 at once    ≥ 1    ≥ 2  average",
        "  Ant (A1)         2        83.3%   100%  50.0%     1.50  ██████████████░░░░░░░",
        "  Queen (A2)       1        50.0%  75.0%            0.75  ███████░░░",
        "  Drone (A3)       1        50.0%  75.0%            0.75  ███████░░░",
    ]


@pytest.mark.usefixtures("game")
def test_what_is_asked_for_is_told_with_its_numbers(run: Run) -> None:
    result = run("odds", "one", "--where", "level=1", "--card", "Queen", "--at-least", "1")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[2:4] == ["  ≥ 1 level=1: 3 / 4", "  ≥ 1 Queen: 1 / 4"]
    assert lines[6].startswith("  hand        50.0%         75.0%  ████████████████████░░░░░░░░░░")
    assert "  ≥ 1 Queen    75.0%" in lines
    assert "  ≥ 1 Queen: average 0.75" in lines
    assert lines[-2].startswith("  0  25.0%  ████████")


@pytest.mark.usefixtures("game")
def test_turns_make_columns_or_lines(run: Run) -> None:
    table = run("odds", "one", "--draws", "1", "--turn", "0-2", "--hand", "1", "--redraws", "0")
    assert "  Queen (A2)       1  25.0%  50.0%  75.0%" in table.stdout.splitlines()
    asked = run("odds", "one", "--draws", "1", "--turn", "2", "--turn", "0", "--card", "A2",
                "--hand", "1", "--redraws", "0")  # fmt: skip
    lines = asked.stdout.splitlines()
    assert [row.split()[:2] for row in lines[5:]] == [["hand", "25.0%"], ["turn", "2"]]
    assert " 75.0%" in lines[6]


@pytest.mark.usefixtures("game")
def test_programs_get_json_and_csv(run: Run) -> None:
    found = json.loads(run("odds", "one", "--format", "json").stdout)
    deck = found["decks"][0]
    assert (deck["deck"], deck["zone"], deck["cards"], deck["hand"]) == ("one", "main", 4, 2)
    ant = next(each for each in found["groups"] if each["id"] == "A1")
    at_once = [ant["at_once_1"], ant["at_once_2"], ant["average_at_once"]]
    assert at_once == pytest.approx([5 / 6, 1 / 6, 1])
    assert (ant["turn"], ant["cards"], ant["at_least_1"], ant["average"]) == (0, 2, 1, 1.5)
    asked = json.loads(
        run("odds", "one", "--where", "level=1", "--at-least", "2", "--format", "json").stdout
    )
    assert asked["together"] == [{"deck": "one", "turn": 0, "at_once": 0.5, "played": 1}]
    query = {"deck": "one", "turn": 0, "name": "level=1"}
    assert asked["queries"] == [{**query, "at_least": 2, "cards": 3, "alone": 1, "average": 2}]
    assert asked["numbers"] == [
        {**query, "number": number, "chance": chance} for number, chance in enumerate((0, 0, 1))
    ]
    rows = [*csv.DictReader(run("odds", "one", "--format", "csv").stdout.splitlines())]
    queen = next(row for row in rows if row["id"] == "A2")
    assert (queen["table"], queen["deck"], queen["of"], queen["name"], queen["cards"]) == (
        "groups", "one", "cards", "Queen", "1",
    )  # fmt: skip
    assert (queen["at_once_1"], queen["at_least_1"], queen["at_least_2"]) == ("0.5", "0.75", "")
    rows = [
        *csv.DictReader(run("odds", "one", "--card", "A2", "--format", "csv").stdout.splitlines())
    ]
    assert [row["played"] for row in rows if row["table"] == "together"] == ["0.75"]
    assert [row["alone"] for row in rows if row["table"] == "queries"] == ["0.75"]


def test_an_answer_can_be_written_to_a_file(run: Run, game: Path) -> None:
    assert run("odds", "one", "--out", "odds.csv", "--format", "csv").stdout == ""
    assert (game / "odds.csv").read_text(encoding="utf-8").startswith("table,deck,")


def test_a_game_without_an_opening_needs_only_a_number(run: Run, game: Path) -> None:
    edit(game / "xml/game.xml", OPENING, "")
    result = run("odds", "one")
    assert result.exit_code == 2
    assert "game.xml does not define the opening hand" in result.stderr
    assert "--hand 7" in result.stderr
    assert run("odds", "one", "--hand", "2", "--card", "A2").exit_code == 0


@pytest.mark.usefixtures("game")
def test_a_hand_larger_than_the_deck_is_said(run: Run) -> None:
    result = run("odds", "one", "--hand", "10")
    assert result.exit_code == 0
    assert "`one` has 4 cards in `main`, fewer than a hand of 10: it has them all" in result.stderr
    assert "hand 4 / 4" in result.stdout


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--where", "levl=1"], "`levl`, which no kind of card has\n  hint: did you mean `level`?"),
        (["--where", "level=7"], "`level` is never `7`"),
        (["--where", "level=1 an costs=3"], "cannot be read as a condition from `an costs=3` on"),
        (["--where", ""], "`` cannot be read as a condition"),
        (["--where", "level={{ man.level }}"], "`man.level` refers to the zone `man`"),
        (["--where", " or ".join(["level=1"] * 21)], "more than 20 conditions"),
        (["--card", "Quen"], "there is no card `Quen` in the zone `main` of `one`"),
        (["--turn", "3"], "game.xml does not say how many cards are drawn each turn"),
        (["--turn", "3-1"], "`--turn 3-1` is not of the form 3 or 1-6"),
        (["--at-least", "2"], "there are no cards to count at least 2 of"),
        (["--card", "A1", "--at-least", "1", "--at-least", "2"], "no group of cards to count"),
        (["--mulligans", "101"], "odds with 101 mulligans are not supported"),
        (["--zone", "mian"], "there is no zone `mian` in game.xml\n  hint: did you mean `main`?"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_a_friendly_mistake(
    run: Run, arguments: list[str], message: str
) -> None:
    result = run("odds", "one", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_more_redraws_than_cards_are_a_mistake_of_the_game(run: Run, game: Path) -> None:
    edit(game / "xml/game.xml", 'redraws="1"', 'redraws="3"')
    result = run("odds", "one")
    assert result.exit_code == 1
    assert "error G002: `redraws` is 3, more than `hand`, which is 2" in result.stderr


@pytest.mark.usefixtures("game")
def test_decks_are_told_one_after_another(run: Run) -> None:
    once = run("odds", "one", "--card", "A1").stdout
    assert run("odds", "one", "one", "--card", "A1").stdout == f"{once}\n{once}"


def test_a_deck_with_a_mistake_has_no_odds(run: Run, game: Path) -> None:
    edit(game / "xml/Decks/one.xml", 'id="A2"', 'id="A9"')
    result = run("odds", "one")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "A9" in result.stderr


def test_a_zone_without_cards_is_named(run: Run, game: Path) -> None:
    edit(game / "xml/Decks/one.xml", line("G1"), "")
    result = run("odds", "one", "--zone", "side")
    assert result.exit_code == 2
    assert "`Deck` has no cards in the zone `side`\n  hint: use one of `main`" in result.stderr


@pytest.mark.usefixtures("game")
def test_conditions_may_refer_to_the_deck(run: Run) -> None:
    result = run(
        "odds", "one", "--where", "faction_id={{ deck.faction_id }} and level={{ side.level }}"
    )
    assert "level={{ side.level }}: 3 / 4" in result.stdout
