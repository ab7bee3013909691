"""Counts that change card by card are those of the whole deck."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from deckwright.checks.counting import DeckLine, DeckRules, LimitCount, LimitCounter, count_total
from deckwright.game.deck_rules import Limit
from deckwright.game.kinds import FieldValue
from deckwright.game.model import Deck, Game
from random_games import all_slots, deck_of, random_game, rules_of


def totals_of(tally: LimitCounter, limit: Limit) -> dict[FieldValue, float]:
    """Return the totals of a limit as the check counts them; groups without cards are left out."""
    groups = tally.group_lines(limit)
    return {value: total for value, each in groups.items() if (total := count_total(limit, each))}


def without(game: Game, deck: Deck, rules: DeckRules, line: DeckLine) -> LimitCounter:
    """Return the count of a deck without one of its lines."""
    left = tuple(entry for entry in deck.entries if entry is not line.entry)
    return LimitCounter(game, deck._replace(entries=left), rules)


@pytest.mark.corpus(2)
@pytest.mark.parametrize("seed", range(80))
def test_copies_are_removed_and_added_again(tmp_path: Path, seed: int) -> None:
    game = random_game(tmp_path, seed)
    if game is None:
        return
    chance, slots, rules = random.Random(seed), all_slots(game), rules_of(game, "AA")
    for _ in range(4):
        copies = [chance.choice([0, 0, 1, 2, 3]) for _ in slots]
        deck = deck_of(game, "AA", slots, copies)
        tally = LimitCounter(game, deck, rules)
        for limit in rules.limits:
            count, lines = LimitCount(limit, tally), [*tally.counted_lines(limit)]
            whole = totals_of(tally, limit)
            assert {value: total for value, total in count.totals.items() if total} == whole
            if not limit.is_fixed or limit.exemptions:
                continue
            for line in lines:
                smaller = totals_of(without(game, deck, rules, line), limit)
                count.add(line.card, -line.entry.copies)
                assert {value: total for value, total in count.totals.items() if total} == smaller
                added = dict(count.additions(line.card))
                count.add(line.card)
                for group, more in added.items():
                    assert count.totals[group] == pytest.approx(smaller.get(group, 0) + more)
                count.add(line.card, -1)
                count.add(line.card, line.entry.copies)
