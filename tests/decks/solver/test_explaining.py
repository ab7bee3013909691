"""Where there is no deck, what conflicts is told; where there is one, what holds it back."""

from __future__ import annotations

from pathlib import Path

import pytest

import deckwright
from conftest import Run
from support import card, write_game

CARDS = [
    card("A1", "Ant", costs=2, actions=3),
    card("A2", "Bug", costs=2, actions=2),
    card("A3", "Queen", level=2, costs=5, actions=9),
    card("B1", "Bee", "BB", costs=1, actions=9),
    card("G1", "Guest", "GG", actions=1),
]
LIMITS = """<limit id="size" name="cards" zone="main" min="3" max="4"/>
    <limit id="costs" name="costs" zone="main" sum="costs" max="12"/>
    <limit id="copies" name="copies" zone="main" per="name" max="2"/>
    <limit id="own" name="faction" zone="main" faction="own"/>
    <limit id="idle" name="cards" zone="main" max="2" severity="warning"/>
    <limit id="guests" name="guests" zone="side" max="1"/>"""
PROVEN = "the best possible"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_game(tmp_path, CARDS, limits=LIMITS)


def test_the_limits_that_hold_a_deck_back_stand_by_their_gain(folder: Path, run: Run) -> None:
    asked = ("solve", "AA", "--maximize", "main.actions", "--minimize", "costs")
    result = run(*asked, "--explain", "--game", str(folder))
    assert result.exit_code == 0
    assert result.stdout.endswith(
        f"  maximize main.actions: 21, {PROVEN}\n  minimize costs: 12, {PROVEN}\n\n"
        "maximize main.actions:\n"
        "  without `own` (only the deck's own): 36\n"
        "  without `costs` (at most 12): 24\n"
    )
    assert "without" not in run(*asked, "--game", str(folder)).stdout


def test_a_sum_without_an_end_stands_first(folder: Path) -> None:
    found = deckwright.open_game(folder).solve("AA", maximize=["cards"], explain=True)
    assert [(gain.limit.id, gain.value) for gain in found.gains] == [("guests", None)]
    assert found.conflict is None
    smallest = deckwright.open_game(folder).solve("AA", minimize=["costs"], explain=True)
    assert [(gain.limit.id, gain.value) for gain in smallest.gains] == [("size", 0), ("own", 4)]


def test_nothing_may_hold_a_deck_back(folder: Path, run: Run) -> None:
    asked = ("solve", "AA", "--minimize", "cards", "--limit", "size=9", "--ignore-limits")
    result = run(*asked, "--explain", "--game", str(folder))
    assert result.stdout.endswith("\nno single limit prevents a better deck\n")


def test_what_conflicts_is_told_whenever_there_is_no_deck(folder: Path, run: Run) -> None:
    result = run("solve", "AA", "--include", "A3=2", "--exclude", "A1", "--game", str(folder))
    assert result.exit_code == 0  # 5 + 5 + 2 = 12, with 3 cards
    result = run("solve", "AA", "--include", "A3=2", "--limit", "costs=9", "--game", str(folder))
    assert result.exit_code == 1
    assert result.stderr == (
        "no deck of `AA` meets all limits and requests\n"
        "  `costs` (at most 9) and `include A3=2` cannot all be met\n"
        "  possible with `--limit costs=12`\n"
    )
    found = deckwright.open_game(folder).solve("AA", include=["A3=2"], limit={"costs": 9})
    assert found.conflict is not None
    part, wish = found.conflict.parts
    assert (part.name, part.change, wish.name) == ("costs", "costs=12", "include A3=2")


def test_a_number_that_would_do_counts_with_all_other_limits(folder: Path, run: Run) -> None:
    asked = ("--include", "A3", "--limit", "costs=4")
    result = run("solve", "AA", *asked, "--game", str(folder))
    assert "possible with `--limit costs=9`\n" in result.stderr


def test_a_wish_is_for_the_card_that_was_meant(folder: Path, run: Run) -> None:
    """Without a limit of the conflict, other factions may lend cards of the same name."""
    cards = folder / "xml" / "Factions" / "BB_cards.xml"
    text = cards.read_text(encoding="utf-8")
    cards.write_text(text.replace('name="Bee"', 'name="Queen"'), encoding="utf-8")
    result = run(
        "solve", "AA", "--include", "Queen=3", "--limit", "costs=20", "--game", str(folder)
    )
    assert "`copies` (at most 2 of each card) and `include Queen=3`" in result.stderr
