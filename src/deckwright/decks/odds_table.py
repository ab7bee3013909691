"""How likely an opening hand has each row, each level, each card: what a deck's odds come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from deckwright.decks.drawing import Cards
from deckwright.decks.odds import odds
from deckwright.decks.stats import ZoneStats
from deckwright.game.deck_rules import Opening


class Chances(NamedTuple):
    """How many of some cards a player has.

    Attributes:
        at_least: the chances to have at least 1, 2, 3 … of them, each when the player plays for
            just that.
        average: how many of them there are on average when the player plays for as many as
            possible.
    """

    at_least: tuple[Fraction, ...]
    average: Fraction

    @property
    def some(self) -> Fraction:
        """The chance to have any of them."""
        return self.at_least[0] if self.at_least else Fraction(0)


class GroupOdds(NamedTuple):
    """How likely a player has cards that have something in common.

    Attributes:
        faction, id: of the card; "" for cards with a term in common.
        cards: how many of them the pile has.
        at_once: without redraws and mulligans.
        played: with those that the player may have.
    """

    faction: str
    id: str
    name: str
    cards: int
    at_once: Chances
    played: Chances


class Section(NamedTuple):
    """Groups of one sort: the terms of a field, or cards.

    Attributes:
        id: the name of the field, or of the children, such as "rows"; "cards" for cards.
        name: what that is called; "" if that is not said.
    """

    id: str
    name: str
    groups: tuple[GroupOdds, ...]


class OddsTable(NamedTuple):
    """The odds of a zone of a deck.

    Attributes:
        zone: the id of the zone that cards are drawn from.
        name: the zone's.
        cards: how many cards it has.
        opening: the hand, at most as many cards as there are.
        turn: after how many turns with draws; 0 for the opening hand.
        sections: first the terms of each field, such as rows and levels, then all cards.
    """

    zone: str
    name: str
    cards: int
    opening: Opening
    turn: int
    sections: tuple[Section, ...]


def odds_table(zone: ZoneStats, opening: Opening, turn: int = 0) -> OddsTable:
    """Return the odds of a zone. Cards with two rows count for both.

    Raises:
        ChoiceError: if there are too many possibilities to go through.
    """

    @cache
    def numbers(cards: int) -> tuple[Chances, Chances]:
        first = opening._replace(redraws=0, mulligans=0)
        at_once = chances(cards, zone.cards - cards, first, turn)
        if opening.redraws or opening.mulligans:
            return at_once, chances(cards, zone.cards - cards, opening, turn)
        return at_once, at_once

    def section(id_: str, name: str, groups: Iterable[tuple[str, str, str, int]]) -> Section:
        return Section(id_, name, tuple(GroupOdds(*group, *numbers(group[3])) for group in groups))

    sections = [
        section(chart.id, chart.name, (("", "", bar.name, bar.copies) for bar in chart.bars))
        for chart in zone.charts
        if not chart.numeric
    ]
    copies: Counter[tuple[str, str, str]] = Counter()
    for line in zone.lines:
        copies[line.card.faction_id, line.card.id, line.card.name] += line.entry.copies
    cards = section("cards", "", ((*of, n) for of, n in copies.items()))
    hand = opening._replace(hand=min(opening.hand, zone.cards))
    return OddsTable(zone.id, zone.name, zone.cards, hand, turn, (*sections, cards))


def chances(wanted: int, others: int, opening: Opening, turn: int = 0) -> Chances:
    """Return how many of the wanted cards a player has.

    Raises:
        ChoiceError: if there are too many possibilities to go through.
    """
    groups: dict[Cards, int] = {(1,): wanted, (0,): others}
    many = odds(groups, (0,), opening, turn)
    numbers = range(1, len(many.numbers[0]))
    if opening.mulligans:
        at_least = tuple(odds(groups, (number,), opening, turn).chance for number in numbers)
    else:
        # To lay aside what is not wanted is best for every number.
        at_least = tuple(sum(many.numbers[0][number:], Fraction(0)) for number in numbers)
    return Chances(at_least, many.expected[0])
