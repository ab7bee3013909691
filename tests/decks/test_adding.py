"""What is in the way of one more copy is what the check would say of the deck with it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from conftest import ROOT
from deckwright import open_game
from deckwright.checks.counting import DeckRules, LimitCounter, count_total, zones_of
from deckwright.checks.limits import resolve_deck_rules
from deckwright.game.deck_rules import Limit
from deckwright.game.kinds import FieldValue
from deckwright.game.model import Deck, DeckEntry, Game
from deckwright.studio.decks.validation import AdditionChecker
from random_games import all_slots, deck_of, random_game, rules_of


def too_much(tally: LimitCounter, limit: Limit, faction_id: str) -> dict[FieldValue, float]:
    """Return by how much a deck exceeds a limit, as it is counted afresh."""
    if not tally.applies(limit):
        return {}
    over: dict[FieldValue, float] = {}
    bounds = tally.resolve_bounds(limit)
    for value, lines in tally.group_lines(limit).items():
        total = count_total(limit, lines)
        for bound in (bounds.max, bounds.exactly):
            if bound is not None and total > bound:
                over[value] = max(over.get(value, 0), total - bound)
        strangers = [line for line in lines if line.card.faction_id != faction_id]
        if limit.own_faction and strangers:
            copies = sum(line.entry.copies for line in strangers)
            over["strangers"] = over.get("strangers", 0) + copies
    return over


def broken_by(game: Game, deck: Deck, held: DeckRules, entry: DeckEntry) -> list[str]:
    before = LimitCounter(game, deck, held)
    after = LimitCounter(game, deck._replace(entries=(*deck.entries, entry)), held)
    return [
        limit.id
        for limit in held.limits
        if not limit.warning
        and any(
            more > too_much(before, limit, deck.faction_id).get(value, 0)
            for value, more in too_much(after, limit, deck.faction_id).items()
        )
    ]


def agree(game: Game, deck: Deck, held: DeckRules) -> int:
    """Compare all cards in all zones; return how many have something in their way."""
    adding = AdditionChecker(game, deck, LimitCounter(game, deck, held))
    kept_out = 0
    for card in game.cards.values():
        for zone in zones_of(game, card):
            entry = DeckEntry(card.faction_id, card.id, 1, deck.source, zone.id)
            found = adding.blocking_limits(card, zone)
            assert found == broken_by(game, deck, held, entry), (card.id, zone.id)
            kept_out += bool(found)
            room = adding.free_copies(card, zone)
            if room is not None and room > 0 and not found:
                full = deck._replace(entries=(*deck.entries, entry._replace(copies=room)))
                rest = AdditionChecker(game, full, LimitCounter(game, full, held))
                assert not rest.free_copies(card, zone)
    return kept_out


@pytest.mark.corpus(4)
@pytest.mark.parametrize("seed", range(150))
def test_it_agrees_with_the_check_in_games_by_chance(tmp_path: Path, seed: int) -> None:
    game = random_game(tmp_path, seed)
    if game is None:
        return
    chance, slots = random.Random(seed), all_slots(game)
    for _ in range(6):
        copies = [chance.choice([0, 0, 1, 2, 3]) for _ in slots]
        agree(game, deck_of(game, "AA", slots, copies), rules_of(game, "AA"))


@pytest.mark.corpus(3)
@pytest.mark.parametrize("home", [ROOT, *sorted((ROOT / "examples").glob("*/"))], ids=str)
def test_it_agrees_with_the_check_in_games_that_are_shown(home: Path) -> None:
    opened = open_game(home)
    game = opened.model
    kept_out = 0
    for deck in opened.decks:
        read = deck.stats().deck
        kept_out += agree(game, read, resolve_deck_rules(game, read, None, {}))
        halved = read._replace(entries=read.entries[::2])
        agree(game, halved, resolve_deck_rules(game, halved, None, {}))
    assert kept_out or home != ROOT
