"""Limits whose numbers, conditions and exemptions come from the deck, in the games for tests."""

from __future__ import annotations

from collections import Counter

import pytest

import deckwright
from conftest import HERE
from deckwright.api import Game


@pytest.fixture(scope="module")
def undercity() -> Game:
    return deckwright.open_game(HERE / "games" / "undercity")


@pytest.fixture(scope="module")
def menagerie() -> Game:
    return deckwright.open_game(HERE / "games" / "menagerie")


def cards(game: Game, faction: str, *include: str, without: str = "") -> Counter[str] | None:
    """Return the copies of the cards of the smallest deck, identities in the main deck apart."""
    solution = game.solve(faction, minimize=["cards"], include=include, exclude=without.split())
    if not solution.decks:
        assert solution.impossible
        return None
    found: Counter[str] = Counter()
    for line in solution.decks[0].cards:
        found[line.card.id] += line.copies
    return found


def test_an_identity_says_how_large_the_deck_is(undercity: Game) -> None:
    found = cards(undercity, "RATS", "tunnel=3", "gnaw=3", "cheese=3", "rope=3", "wing=3")
    assert found is not None
    assert found.total() == 16
    assert cards(undercity, "BANK").total() == 21  # type: ignore[union-attr]


def test_influence_is_bounded_by_the_identity(undercity: Game) -> None:
    """A copy of the chime costs 1 influence, one of the watch 3: the vault has 6, the purse 9."""
    assert cards(undercity, "BANK", "watch=2", without="purse") is not None
    assert cards(undercity, "BANK", "watch=2", "chime=1", "stairs=0", without="purse") is None
    found = cards(undercity, "BANK", "watch=3", without="stairs")
    assert found is not None
    assert found["purse"] > 0


def test_cards_are_free_while_there_are_enough_others(undercity: Game) -> None:
    found = cards(undercity, "BANK", "watch=3", without="purse")
    assert found is not None
    assert (found["stairs"], found["chime"]) == (3, 3)
    assert cards(undercity, "BANK", "watch=3", "chime<=2", without="purse") is None


def test_different_cards_may_be_restricted(undercity: Game) -> None:
    assert cards(undercity, "BANK", "audit", "wax") is None
    found = undercity.solve("BANK", include=["audit", "wax"], exclude=["bolt"], date="2025-12-01")
    assert found.decks


def test_the_colors_of_the_keeper_bind_the_cards(menagerie: Game) -> None:
    ida = {"otto", "nim", "newt", "toad", "heron", "carp", "hare", "snail", "crow", "ida"}
    found = cards(menagerie, "ZOO", "ida")
    assert found == {**dict.fromkeys(ida, 1), "wet": 2}
    assert cards(menagerie, "ZOO", "ida=1", "fox") != found
    partners = cards(menagerie, "ZOO", "lynx", "mab=1", "nim=1")
    assert partners is not None
    assert partners.total() == 12
    # A lynx needs moss and rust, and only these two keepers have them together.
    assert cards(menagerie, "ZOO", "lynx", without="mab") is None
