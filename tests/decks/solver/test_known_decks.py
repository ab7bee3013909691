"""With decks of earlier states in mind the same is found, and the solver is asked less."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from deckwright.checking.stages import digest_cards
from deckwright.decks.solver import unbuildable
from deckwright.decks.solver.highs import HighsSolver
from deckwright.decks.solver.program import Program, sum_of_products
from deckwright.decks.solver.unbuildable import KnownDecks, Unbuildable, find_unbuildable
from deckwright.game.model import Game
from random_games import random_game
from support import card, load_all, write_game

pytest.importorskip("highspy")

LIMITS = """<limit id="size" name="cards" zone="main" min="4"/>
  <limit id="costs" name="costs" zone="main" sum="costs" max="MOST"/>
  <limit id="copies" name="copies" zone="main" per="name" max="1"/>
  <limit id="own" name="faction" zone="main" faction="own"/>"""


class Memory:
    """What is kept from one search to the next."""

    def __init__(self) -> None:
        self.content = b"[]"

    def search(self, game: Game) -> list[Unbuildable]:
        known = KnownDecks.decode(self.content, digest_cards(game))
        found = list(find_unbuildable(game, 60, known))
        self.content = known.encode().encode()
        return found


def edited(game: Game, chance: random.Random) -> Game:
    """Return a game in which a card is gone, another one is there, or one looks like another."""
    cards = dict(game.cards)
    if cards and chance.randrange(4) == 0:
        del cards[chance.choice([*cards])]
    elif cards:
        faction, name = chance.choice([*cards])
        if chance.randrange(4) == 0:
            name = f"{name}x"
        like = chance.choice([*cards.values()])
        cards[faction, name] = like._replace(faction_id=faction, id=name)
    return game._replace(cards=cards)


@pytest.mark.corpus(12)
@pytest.mark.parametrize("seed", range(150))
def test_after_any_edit_the_same_is_found_as_from_scratch(tmp_path: Path, seed: int) -> None:
    game, memory, chance = random_game(tmp_path, seed, 6), Memory(), random.Random(seed)
    if game is None:
        return
    for _ in range(8):
        expected = list(find_unbuildable(game, 60))
        assert memory.search(game) == expected
        states = [game, *(edited(game, chance) for _ in range(2))]
        game = chance.choice(states)


def test_most_changes_take_no_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[HighsSolver] = []

    def ask(program: Program, seconds: float) -> HighsSolver:
        asked.append(HighsSolver(program, seconds))
        return asked[-1]

    texts = [card(f"A{n}", f"Ant {n}", costs=n % 7) for n in range(40)]
    write_game(tmp_path, texts, limits=LIMITS.replace("MOST", "20"))
    memory = Memory()
    assert memory.search(load_all(tmp_path)) == []
    monkeypatch.setattr(unbuildable, "HighsSolver", ask)
    for number in range(40):
        texts[number] = card(f"A{number}", f"Ant {number}", costs=(number + 1) % 7)
        write_game(tmp_path, texts, limits=LIMITS.replace("MOST", "20"))
        assert memory.search(load_all(tmp_path)) == []
    assert len(asked) <= 2


def test_a_card_that_fits_no_longer_is_found(tmp_path: Path) -> None:
    texts = [card(f"A{n}", f"Ant {n}", costs=2) for n in range(9)]
    memory = Memory()
    for costs, found in ((2, []), (14, []), (15, ["A3"]), (99, ["A3"]), (5, []), (2, [])):
        texts[3] = card("A3", "Ant 3", costs=costs)
        write_game(tmp_path, texts, limits=LIMITS.replace("MOST", "20"))
        assert [each.card_id for each in memory.search(load_all(tmp_path))] == found
    # In the end no deck is left.
    write_game(tmp_path, texts[:4], limits=LIMITS.replace("MOST", "7"))
    assert [each.card_id for each in Memory().search(load_all(tmp_path))] == [None]


def test_decks_that_prove_nothing_new_are_forgotten(tmp_path: Path) -> None:
    texts = [card(f"A{n}", f"Ant {n}", costs=n % 7) for n in range(40)]
    memory = Memory()
    sizes = set[int]()
    for number in range(12):
        texts[number] = card(f"A{number}", f"Ant {number}", costs=(number + 1) % 7)
        write_game(tmp_path, texts, limits=LIMITS.replace("MOST", "20"))
        memory.search(load_all(tmp_path))
        sizes.add(len(memory.content))
    assert max(sizes) < 2 * min(sizes)


def test_variables_that_rows_define_follow_from_the_others() -> None:
    program = Program()
    first, second, double, most = (program.variable(name, 0, 9) for name in "abcd")
    program.add_row(sum_of_products([(2, first), (-1, double)]), 0, 0)
    program.add_row(sum_of_products([(1, second), (1, double), (-1, most)]), 0, 0)
    assert program.complete([1, 2]) == [1, 2, 2, 4]
    assert program.complete([4, 2]) is None, "the sum would be 10"
    assert program.complete([10, 0]) is None
    assert program.complete([1]) is None, "the second may be anything"
