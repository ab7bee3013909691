"""Random games without a deck: what is said to conflict does, and none of it could be left out."""

from __future__ import annotations

from pathlib import Path

from deckwright.decks.solver.highs import HighsSolver
from deckwright.decks.solver.program import Linear
from deckwright.decks.solver.solving import ConflictPart, DeckProblem, find_conflict
from deckwright.game.deck_rules import Limit
from random_games import deck_of, is_legal, random_game, rules_of


def is_possible(question: DeckProblem) -> bool:
    """Return whether there is a deck, which the check must find legal."""
    built = question.build()
    found = HighsSolver(built.program).maximize(Linear()).values
    if found is None:
        return False
    copies = found[: len(built.slots)]
    deck = deck_of(question.game, question.faction_id, built.slots, copies)
    assert is_legal(question.game, deck, question.deck_rules)
    return True


def with_limit(question: DeckProblem, limit: Limit) -> DeckProblem:
    limits = (limit if each.id == limit.id else each for each in question.deck_rules.limits)
    return question._replace(deck_rules=question.deck_rules._replace(limits=tuple(limits)))


def nearer(part: ConflictPart) -> Limit | None:
    """Return what is possible with a number nearer to the limit's own; None with two numbers."""
    assert part.limit is not None
    assert part.possible is not None
    (bound, *others) = [
        name for name in ("min", "max", "exactly")
        if getattr(part.limit, name) != getattr(part.possible, name)
    ]  # fmt: skip
    number = getattr(part.possible, bound)
    step = 1 if number < getattr(part.limit, bound) else -1
    changed: Limit = part.possible._replace(**{bound: number + step})
    return None if others else changed


def test_conflicts_are_real_and_as_small_as_can_be(tmp_path: Path) -> None:
    settled = 0
    for seed in range(60):
        game = random_game(tmp_path / str(seed), seed)
        assert game is not None
        question = DeckProblem(game, "AA", rules_of(game, "AA"))
        if not question.impossible:
            continue
        conflict = find_conflict(question)
        kept = question
        for limit in question.deck_rules.limits:
            if not limit.warning and limit.id not in {part.name for part in conflict.parts}:
                kept = kept.without(limit.id)
        assert not is_possible(kept), seed
        for part in conflict.parts:
            assert is_possible(kept.without(part.name)), (seed, part.name)
            if part.possible is not None:
                asked = question if conflict.only else kept
                assert is_possible(with_limit(asked, part.possible)), (seed, part.name)
                other = nearer(part)
                assert other is None or not is_possible(with_limit(asked, other)), seed
                settled += 1
    assert settled > 10
