"""What the rows allow is what the check allows: for limits made at random, deck by deck."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from deckwright.decks.solver.building import DeckProgram, build_program
from deckwright.decks.solver.highs import HighsSolver, SolverStatus
from deckwright.decks.solver.program import Linear
from random_games import all_slots, deck_of, is_legal, random_game, rules_of


def allows(built: DeckProgram, copies: dict[tuple[int, str], int]) -> bool:
    """Return whether a program has an answer with these copies, by cards and zones."""
    named = {(id(slot.card), slot.zone.id): slot.number for slot in built.slots}
    if any(number and name not in named for name, number in copies.items()):
        return False
    highs = HighsSolver(built.program)
    for name, at in named.items():
        _, low, high = highs.variables[at]
        if not low <= copies[name] <= high:
            return False
        highs.set_bounds(at, copies[name], copies[name])
    return highs.maximize(Linear()).status is SolverStatus.OPTIMAL


@pytest.mark.corpus(4)
@pytest.mark.parametrize("seed", range(24))
def test_the_program_and_the_check_agree_on_every_deck(tmp_path: Path, seed: int) -> None:
    game, chance = random_game(tmp_path, seed, cards=8), Random(seed)
    assert game is not None
    held = rules_of(game, "AA")
    built, slots = build_program(game, "AA", held), all_slots(game)
    assert built.left_out == ()
    for _ in range(12):
        copies = [chance.choice((0, 0, 0, 0, 1, 1, 2, 3)) for _ in slots]
        deck = deck_of(game, "AA", slots, copies)
        named = {
            (id(slot.card), slot.zone.id): number
            for slot, number in zip(slots, copies, strict=True)
        }
        assert allows(built, named) == is_legal(game, deck, held), deck.entries
