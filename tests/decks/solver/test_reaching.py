"""Of which cards a deck can have more is what the solver says of each card alone."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from deckwright.decks.solver.building import CardSlot
from deckwright.decks.solver.search import CardConstraint
from deckwright.decks.solver.solving import DeckProblem
from deckwright.decks.solver.unbuildable import OutOfTimeError, find_addable_cards
from deckwright.game.model import CardKey, Game
from random_games import random_game, rules_of
from support import card, load_all, write_game

pytest.importorskip("highspy")


def asked(game: Game, had: dict[CardKey, int]) -> DeckProblem:
    """Return whether there is a deck that keeps all copies of another."""
    wishes = tuple(
        CardConstraint(str(key), frozenset({key}), copies) for key, copies in had.items()
    )
    return DeckProblem(game, "AA", rules_of(game, "AA"), wishes)


def reached(question: DeckProblem, had: dict[CardKey, int], end: float = math.inf) -> set[CardKey]:
    built, slots = question.build(), dict[CardKey, list[CardSlot]]()
    for slot in built.slots:
        slots.setdefault((slot.card.faction_id, slot.card.id), []).append(slot)
    used = set[CardKey]()
    if not find_addable_cards(built, slots, had, end, used):
        assert question.impossible
    return used


@pytest.mark.corpus(6)
@pytest.mark.parametrize("seed", range(120))
def test_it_agrees_with_a_question_for_each_card(tmp_path: Path, seed: int) -> None:
    game = random_game(tmp_path, seed)
    if game is None:
        return
    chance = random.Random(seed)
    for _ in range(3):
        had = {key: n for key in game.cards if (n := chance.choice([0, 0, 1, 2]))}
        used = reached(asked(game, had), had)
        for key in game.cards:
            alone = asked(game, had | {key: had.get(key, 0) + 1})
            assert (key in used) is not alone.impossible, key


def test_without_time_it_says_so(tmp_path: Path) -> None:
    game = load_all(write_game(tmp_path, [card("A1", "Ant"), card("A2", "Queen")]))
    with pytest.raises(OutOfTimeError):
        reached(asked(game, {}), {}, end=0)
