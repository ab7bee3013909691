"""How a game is opened: as it says, or as is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.findings import ChoiceError
from deckwright.checks.counting import DeckRules
from deckwright.decks.odds import find_pile, resolve_opening
from deckwright.decks.stats import deck_stats
from deckwright.game.deck_rules import Opening
from deckwright.game.model import Game
from support import card, line, load_all, load_deck, write_game


def read(folder: Path, opening: str = "") -> Game:
    cards = [card("A1", "Ant"), card("G1", "Fox", "GG")]
    deck = [line("A1", 4), line("G1", 2)]
    return load_all(write_game(folder, cards, limits=opening, decks={"one": deck}))


def test_what_the_game_says_holds(tmp_path: Path) -> None:
    setup = read(tmp_path, '<opening hand="5" redraws="2" draws="1"/>').setup
    assert resolve_opening(setup) == Opening(5, "main", redraws=2, draws=1)


def test_what_is_asked_for_replaces_it(tmp_path: Path) -> None:
    setup = read(tmp_path, '<opening hand="5" redraws="2"/>').setup
    asked = resolve_opening(setup, zone="side", hand=1, redraws=0, mulligans=None, draws=3)
    assert asked == Opening(1, "side", redraws=0, mulligans=0, draws=3)


def test_a_hand_is_enough_where_the_game_says_nothing(tmp_path: Path) -> None:
    setup = read(tmp_path).setup
    assert resolve_opening(setup, hand=7) == Opening(7, "main")
    with pytest.raises(ChoiceError, match="does not define the opening hand") as error:
        resolve_opening(setup, hand=None, redraws=1)
    assert error.value.hint
    assert "--hand 7" in error.value.hint
    with pytest.raises(ChoiceError) as error:
        resolve_opening(setup)
    assert error.value.hint == 'write `<opening hand="7"/>` into its element `deck`'


def test_a_zone_that_there_is_not_has_the_nearest_as_its_hint(tmp_path: Path) -> None:
    with pytest.raises(ChoiceError, match="there is no zone `sides`") as error:
        resolve_opening(read(tmp_path).setup, hand=7, zone="sides")
    assert error.value.hint == "did you mean `side`?"


def test_the_pile_is_the_zone(tmp_path: Path) -> None:
    game = read(tmp_path)
    stats = deck_stats(game, load_deck(tmp_path, game, "one"), DeckRules())
    for zone, held in ("main", [("A1", 4)]), ("side", [("G1", 2)]):
        pile = find_pile(stats, Opening(1, zone))
        assert [(each.card.id, each.entry.copies) for each in pile] == held
