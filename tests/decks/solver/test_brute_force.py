"""Random small games: the solver knows what trying all decks knows."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

from deckwright.checks.counting import DeckRules
from deckwright.decks.solver.building import build_program
from deckwright.decks.solver.program import sum_of_products
from deckwright.decks.solver.search import Aim, ProgramAnswer, find_best
from deckwright.game.model import Game
from random_games import all_decks, deck_of, is_legal, max_copies, random_game, rules_of

FACTION = "AA"


class Question:
    """Two aims for the decks of a game, one after the other."""

    def __init__(self, game: Game, seed: int) -> None:
        self._game, chance = game, Random(seed)
        held = rules_of(game, FACTION)
        self._built = build_program(game, FACTION, held)
        unsaid = {each.limit for each in self._built.left_out}
        self._held = DeckRules(
            tuple(limit for limit in held.limits if limit.id not in unsaid), held.restrictions
        )
        slots = self.slots = self._built.slots
        self.most = max_copies(slots)
        for at, variable in enumerate(self._built.program.variables[: len(slots)]):
            fewer = variable._replace(upper=min(variable.upper, self.most))
            self._built.program.variables[at] = fewer
        self._worth = [Fraction(chance.randint(-4, 6), 2) for _ in slots]
        self._cost = [Fraction(chance.randint(-1, 1)) for _ in slots]

    def asked(self) -> tuple[int, ...] | None:
        """Return the best deck as the solver finds it, None if there is none."""
        worth, cost = (
            sum_of_products(
                (factor, slot.copies) for factor, slot in zip(factors, self.slots, strict=True)
            )
            for factors in (self._worth, self._cost)
        )
        found = find_best(
            self._built.program, self.slots, [Aim("worth", worth), Aim("cost", cost, smallest=True)]
        )
        if not isinstance(found, ProgramAnswer):
            return None
        assert found.proven
        assert found.settled
        return found.values[: len(self.slots)]

    def tried(self) -> tuple[int, ...] | None:
        """Return the best deck as trying all of them finds it."""
        first: tuple[tuple[Fraction, ...], tuple[int, ...]] | None = None
        for copies in all_decks(self.slots, self.most):
            numbers = list(zip(self._worth, self._cost, copies, strict=True))
            value: tuple[Fraction, ...] = (
                sum((worth * number for worth, _, number in numbers), Fraction(0)),
                sum((-cost * number for _, cost, number in numbers), Fraction(0)),
                Fraction(-sum(copies)),
            )
            if first is None or value > first[0]:
                deck = deck_of(self._game, FACTION, self.slots, copies)
                if is_legal(self._game, deck, self._held):
                    first = value, copies
        return first and first[1]


def test_the_best_deck_is_the_one_that_trying_all_finds(tmp_path: Path) -> None:
    possible = 0
    for seed in range(24):
        game = random_game(tmp_path / str(seed), seed)
        assert game is not None, seed
        question = Question(game, seed)
        tried = question.tried()
        assert question.asked() == tried, seed
        possible += tried is not None
    assert 6 < possible < 20
