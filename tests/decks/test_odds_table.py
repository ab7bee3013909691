"""The odds of a whole deck: each term, each card, with and without redraws."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from deckwright.checks.counting import DeckRules
from deckwright.decks.odds_tables import GroupOdds, OddsTable, compute_chances, compute_odds_table
from deckwright.decks.stats import deck_stats
from deckwright.game.deck_rules import Opening
from support import card, line, load_all, load_deck, write_game

CARDS = [
    card("A1", "Ant", level=1, costs=3),
    card("A2", "Queen", level=2, costs=9),
    card("A3", "Drone", level=1, costs=2),
]
HALF = Fraction(1, 2)


@pytest.fixture
def table(tmp_path: Path) -> OddsTable:
    """The odds of a deck of two ants, a queen and a drone, with a hand of two and one redraw."""
    return odds_of(tmp_path, Opening(2, redraws=1))


def odds_of(folder: Path, opening: Opening, turn: int = 0) -> OddsTable:
    lines = [line("A1"), line("A2"), line("A3"), line("A1")]
    game = load_all(write_game(folder, CARDS, decks={"deck": lines}))
    stats = deck_stats(game, load_deck(folder, game, "deck"), DeckRules())
    return compute_odds_table(stats.zones[0], opening, turn)


def group(table: OddsTable, name: str) -> GroupOdds:
    return next(each for section in table.sections for each in section.groups if each.name == name)


def test_a_table_has_each_term_and_each_card(table: OddsTable) -> None:
    assert table.cards == 4
    assert [section.id for section in table.sections][-1] == "cards"
    cards = table.sections[-1].groups
    assert [(each.id, each.name, each.cards) for each in cards] == [
        ("A1", "Ant", 2), ("A2", "Queen", 1), ("A3", "Drone", 1),
    ]  # fmt: skip
    by_level = next(section for section in table.sections if section.id == "level")
    assert [each.cards for each in by_level.groups] == [3, 1]


def test_redraws_are_told_apart_from_what_comes_at_once(table: OddsTable) -> None:
    queen = group(table, "Queen")
    assert queen.at_once == ((HALF,), HALF)
    assert queen.played == ((Fraction(3, 4),), Fraction(3, 4))
    ant = group(table, "Ant")
    assert ant.at_once.at_least == (Fraction(5, 6), Fraction(1, 6))
    assert ant.played.at_least[0] == 1
    assert ant.played.average > ant.at_once.average == 1


def test_without_redraws_all_comes_at_once(tmp_path: Path) -> None:
    table = odds_of(tmp_path, Opening(2, draws=1), turn=1)
    assert all(each.at_once == each.played for section in table.sections for each in section.groups)
    assert group(table, "Queen").played.average == Fraction(3, 4)


def test_a_hand_is_no_larger_than_its_deck(tmp_path: Path) -> None:
    table = odds_of(tmp_path, Opening(9, redraws=3))
    assert table.opening.hand == 4
    assert set(group(table, "Ant").played.at_least) == {Fraction(1)}


def test_with_mulligans_each_number_is_played_for() -> None:
    opening = Opening(2, mulligans=1)
    two = Fraction(1, 6)
    assert compute_chances(2, 2, opening).at_least == (1 - Fraction(1, 36), 1 - (1 - two) ** 2)
    # As many as possible: a hand of none or one of them is not kept where a new one has one.
    assert compute_chances(2, 2, opening).average == two * 2 + (1 - two) * 1
