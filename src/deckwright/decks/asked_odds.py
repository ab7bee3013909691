"""How likely a hand has some of the cards that conditions describe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from deckwright.checks.counting import Held, Tally
from deckwright.decks.drawing import Cards
from deckwright.decks.odds import Odds, odds
from deckwright.decks.odds_table import OddsTable
from deckwright.decks.openings import pile_of
from deckwright.decks.stats import DeckStats, ZoneStats
from deckwright.game.conditions import Where
from deckwright.game.deck_rules import Opening
from deckwright.game.model import Game


class Asked(NamedTuple):
    """Cards that somebody wants to have.

    Attributes:
        name: what to call them.
        where: the condition that holds for them.
        at_least: how many are wanted.
    """

    name: str
    where: Where
    at_least: int = 1


class AskedOdds(NamedTuple):
    """How likely a player has all that is asked for.

    Attributes:
        turn: after how many turns with draws; 0 for the opening hand.
        at_once: without redraws and mulligans.
        played: with those that the player may have, played for all that is asked for.
        alone: the same, played for each group alone.
    """

    turn: int
    at_once: Odds
    played: Odds
    alone: tuple[Odds, ...]


class DeckOdds(NamedTuple):
    """The odds of a deck: of what is asked for, or a table of all that it has if that is nothing.

    Attributes:
        asked: the groups that are asked for.
        groups: how many cards each of them has.
        answers: one for each turn, none if nothing is asked for.
        tables: one for each turn, none if something is asked for.
    """

    stats: DeckStats
    zone: ZoneStats
    opening: Opening
    asked: tuple[Asked, ...]
    answers: tuple[AskedOdds, ...]
    tables: tuple[OddsTable, ...]


def groups_of(
    game: Game, stats: DeckStats, asked: Sequence[Asked], opening: Opening
) -> Counter[Cards]:
    """Return how many cards of a pile belong to which of the groups, as `odds` takes them."""
    tally = Tally(game, stats.deck, Held((), stats.restrictions))
    tests = [tally.matching(each.where) for each in asked]
    groups: Counter[Cards] = Counter()
    for line in pile_of(stats, opening):
        groups[tuple(int(test(line.card)) for test in tests)] += line.entry.copies
    return groups


def asked_odds(
    groups: Counter[Cards], at_least: Cards, opening: Opening, turn: int = 0
) -> AskedOdds:
    """Return how likely a player has so many cards of each group.

    Raises:
        ChoiceError: if there are too many possibilities to go through.
    """
    first = opening._replace(redraws=0, mulligans=0)
    played = odds(groups, at_least, opening, turn)
    alone = [played] if len(at_least) == 1 else []
    for number, least in enumerate(at_least if not alone else ()):
        of_one: Counter[Cards] = Counter()
        for kind, cards in groups.items():
            of_one[kind[number : number + 1]] += cards
        alone.append(odds(of_one, (least,), opening, turn))
    return AskedOdds(turn, odds(groups, at_least, first, turn), played, tuple(alone))
