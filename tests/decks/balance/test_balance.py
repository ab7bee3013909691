"""A look at a whole game: what the command says, and what programs get."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import deckwright
from conftest import Run, edit
from support import card, uses, write_game

RULE = '<rule id="fly" type="passive" effect="Flies."><label GEN="Flight"/></rule>'
LIMITS = """<limit id="size" name="cards" zone="main" min="4"/>
    <limit id="own" name="own" zone="main" faction="own"/>
    <limit id="costs" name="costs" zone="main" sum="costs" max="20"/>
    <limit id="copies" name="copies" zone="main" per="name" max="3"/>"""
CARDS = [
    card("A1", "Ant", "AA", actions=1, costs=2),
    card("A2", "Queen", "AA", actions=2, costs=4),
    card("A3", "Wasp", "AA", uses("fly"), actions=2, costs=2),
    card("A4", "Giant", "AA", actions=12, costs=6),
    card("B1", "Bee", "BB", actions=3, costs=6),
    card("B2", "Drone", "BB", actions=4, costs=8),
    card("B3", "Moth", "BB", actions=5, costs=10),
    card("B4", "Fly", "BB", actions=1, costs=2),
    card("G1", "Guest", "GG", actions=1, costs=1),
]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of ants and bees, and guests that build no decks."""
    write_game(tmp_path, CARDS, rules=[RULE], limits=LIMITS)
    edit(tmp_path / "xml" / "game.xml", "<deck>", '<deck worth="actions">')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_faction_is_shown_with_its_cards_and_those_that_are_beaten(run: Run, game: Path) -> None:
    said = run("balance", "--faction", "AA").stdout
    rows = {line.split()[0]: line.split() for line in said.splitlines() if "(A" in line}
    assert rows["Giant"][:5] == ["Giant", "(A4)", "!", "12", "6"]
    assert rows["Wasp"][:5] == ["Wasp", "(A3)", "*", "2", "2"]
    assert "  Ant (A1) beaten by Wasp: actions +1, Rules + Flight; if its rules do no harm" in said
    assert "  Queen (A2) beaten by Wasp: costs −2, Rules + Flight; if its rules do no harm" in said
    assert "Bee" not in said
    assert "● Giant" in said
    assert game.is_dir()


def test_all_factions_that_build_decks_are_compared(run: Run, game: Path) -> None:
    said = run("balance").stdout
    heads = [line for line in said.splitlines() if line.startswith(("Hill", "Hive", "Road"))]
    assert heads == ["Hill (AA)", "Hive (BB)"]
    assert "what these numbers do not know" in said
    assert game.is_dir()


def test_programs_get_the_same_numbers(run: Run, game: Path) -> None:
    found = json.loads(run("balance", "--format", "json").stdout)
    (about,), (fit,) = found["game"], found["line"]
    assert (about["worth"], about["cost"]) == ("actions", "costs")
    signs = [{"field": "actions", "sign": 1}, {"field": "costs", "sign": -1}]
    assert found["compared"] == signs
    assert fit["cards"] == 8
    assert [each["of"] for each in found["factions"]] == ["AA", "BB"]
    beaten = [(each["of"], each["id"]) for each in found["dominated"]]
    assert [*dict.fromkeys(beaten)] == [("AA", "A1"), ("AA", "A2")]
    assert [each["id"] for each in found["cards"] if each["outlier"]] == ["A4"]
    balance = deckwright.open_game(game).balance(factions=["BB"])
    assert [look.faction.id for look in balance.factions] == ["BB"]
    assert balance.line is not None
    assert round(float(balance.line.slope), 6) == fit["slope"]


def test_another_worth_makes_others_better(run: Run, game: Path) -> None:
    said = run("balance", "--worth", "costs - 2*actions", "--cost", "cards").stdout
    assert "costs − 2 × actions" in said
    assert "Giant (A4)" in said
    assert game.is_dir()


def test_without_a_worth_the_game_is_asked_for_one(run: Run, game: Path) -> None:
    edit(game / "xml" / "game.xml", ' worth="actions"', "")
    result = run("balance")
    assert result.exit_code == 2
    assert "game.xml does not say what a card is worth" in result.stderr
    result = run("balance", "--worth", "actoins")
    assert result.exit_code == 2
    assert "did you mean `actions`?" in result.stderr
    assert run("balance", "--worth", "actions", "--faction", "AX").exit_code == 2


def test_without_a_cost_nothing_is_said_of_it(run: Run, game: Path) -> None:
    edit(game / "xml" / "game.xml", 'zone="main" sum="costs" max="20"', 'zone="main" max="20"')
    said = run("balance").stdout
    assert "beaten by" not in said
    assert "line" not in said


def test_a_mistake_in_the_game_is_told(run: Run, game: Path) -> None:
    edit(game / "xml" / "Factions" / "BB_cards.xml", 'id="B3"', 'id="B3" wings="2"')
    result = run("balance")
    assert result.exit_code == 1
    assert "wings" in result.stderr
    assert not result.stdout
