"""`Deck.odds` and `Deck.odds_table`: the odds of a deck for programs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import deckwright
from conftest import edit
from deckwright.api.hands import compute_deck_odds
from support import card, line, write_game


@pytest.fixture
def deck(tmp_path: Path) -> deckwright.Deck:
    """A deck of two ants, a queen and a drone, with a hand of two."""
    cards = [card("A1", "Ant", costs=3), card("A2", "Queen", level=2), card("A3", "Drone")]
    lines = [line("A1", 2), line("A2"), line("A3")]
    write_game(tmp_path, cards, decks={"one": lines}, limits='<opening hand="2"/>')
    return deckwright.open_game(tmp_path).deck("one")


def test_one_condition_or_several_are_asked_for(deck: deckwright.Deck) -> None:
    assert deck.odds("level=2").chance == Fraction(1, 2)
    assert deck.odds("costs=3", at_least=2).chance == Fraction(1, 6)
    both = deck.odds(["level=2", "costs=3"], at_least=[1, 1])
    assert (both.chance, both.groups) == (Fraction(2, 6), (1, 2))
    assert deck.odds(["level=2", "level=1"], at_least=2, hand=3).chance == 0


def test_the_opening_can_be_another_one(deck: deckwright.Deck) -> None:
    assert deck.odds("level=2", hand=1, draws=1, turn=2).chance == Fraction(3, 4)
    assert deck.odds("level=2", mulligans=1).chance == Fraction(3, 4)
    queen = deck.odds_table(redraws=1).sections[-1].groups[1]
    assert (queen.name, queen.at_once.average, queen.played.average) == (
        "Queen", Fraction(1, 2), Fraction(3, 4),
    )  # fmt: skip


def test_after_a_change_the_odds_are_those_of_the_deck_as_it_is_now(tmp_path: Path) -> None:
    cards = [card("A1", "Ant"), card("A2", "Queen", level=2)]
    write_game(tmp_path, cards, decks={"one": [line("A1", 3), line("A2")]})
    game = deckwright.open_game(tmp_path)
    assert game.deck("one").odds("level=2", hand=2).chance == Fraction(1, 2)
    edit(tmp_path / "xml/Decks/one.xml", 'amount="3"', 'amount="5"')
    game.reload()
    assert game.deck("one").odds("level=2", hand=2).chance == Fraction(1, 3)


def test_what_cannot_be_asked_is_a_value_error(deck: deckwright.Deck) -> None:
    with pytest.raises(ValueError, match="nothing is asked for"):
        deck.odds([])
    with pytest.raises(ValueError, match="did you mean `level`"):
        deck.odds("lvel=2")
    with pytest.raises(ValueError, match="no group of cards to count at least 2 of"):
        deck.odds(["level=2"], at_least=[1, 2])
    with pytest.raises(ValueError, match="how many cards are drawn each turn"):
        deck.odds("level=2", turn=1)


def test_a_deck_with_a_mistake_raises_it(deck: deckwright.Deck) -> None:
    edit(deck.path, 'id="A3"', 'id="A9"')
    with pytest.raises(deckwright.GameError):
        deck.odds("level=2")


def test_cards_of_two_factions_with_one_id_are_told_apart(tmp_path: Path) -> None:
    cards = [card("A1", "Ant"), card("A1", "Bee", "BB")]
    lines = [line("A1", 3), line("A1", 1, "BB")]
    opening = '<opening hand="1"/>'
    write_game(tmp_path, cards, decks={"one": lines}, limits=opening)
    game = deckwright.open_game(tmp_path)
    stats = game.deck("one").stats()
    for name, share in {"AA:A1": 3, "BB:A1": 1, "BB:Bee": 1, "A1": 4}.items():
        (answer,) = compute_deck_odds(game.model, stats, cards=[name]).answers
        assert answer.played.chance == Fraction(share, 4)
