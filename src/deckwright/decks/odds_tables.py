"""Tables of odds, also for templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import NamedTuple

from deckwright.base.locales import choose_form
from deckwright.base.units import format_fixed, format_percent
from deckwright.checks.counting import DeckRules, LimitCounter
from deckwright.decks.odds import Cards, Odds, compute_odds, find_pile
from deckwright.decks.stats import DeckStats, ZoneStats
from deckwright.game.context import Context
from deckwright.game.deck_rules import Opening, Where
from deckwright.game.model import Game


class Chances(NamedTuple):
    """The odds of holding numbers of certain cards.

    Attributes:
        at_least: the chances of at least 1, 2, 3 … of them, each if the player aims at just that.
        average: their expected number if the player aims at as many as possible.
    """

    at_least: tuple[Fraction, ...]
    average: Fraction

    @property
    def some(self) -> Fraction:
        """The chance to hold any of them."""
        return self.at_least[0] if self.at_least else Fraction(0)


class GroupOdds(NamedTuple):
    """The odds of holding cards of a group, or copies of a card; groups have no faction and id.

    Attributes:
        cards: the number of them in the pile.
        at_once: without redraws and mulligans.
        played: with the redraws and mulligans that the game allows.
    """

    faction: str
    id: str
    name: str
    cards: int
    at_once: Chances
    played: Chances


class OddsSection(NamedTuple):
    """Groups of one kind: the terms of a field or of children, such as "rows", or "cards"."""

    id: str
    name: str
    groups: tuple[GroupOdds, ...]


class OddsTable(NamedTuple):
    """The odds of a zone of a deck.

    Attributes:
        cards: the number of cards in it.
        opening: the rules for the hand, limited to the cards of the zone.
        turn: the number of turns with draws; 0 for the opening hand.
        sections: first the terms of each field, such as rows and levels, then all cards.
    """

    zone: str
    name: str
    cards: int
    opening: Opening
    turn: int
    sections: tuple[OddsSection, ...]


def compute_odds_table(zone: ZoneStats, opening: Opening, turn: int = 0) -> OddsTable:
    """Return the odds of a zone. Cards with two rows count for both.

    Raises:
        ChoiceError: if there are too many combinations to enumerate.
    """

    @cache
    def numbers(cards: int) -> tuple[Chances, Chances]:
        first = opening._replace(redraws=0, mulligans=0)
        at_once = compute_chances(cards, zone.cards - cards, first, turn)
        if opening.redraws or opening.mulligans:
            return at_once, compute_chances(cards, zone.cards - cards, opening, turn)
        return at_once, at_once

    def section(id_: str, name: str, groups: Iterable[tuple[str, str, str, int]]) -> OddsSection:
        return OddsSection(
            id_, name, tuple(GroupOdds(*group, *numbers(group[3])) for group in groups)
        )

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


def compute_chances(
    wanted_cards: int, other_cards: int, opening: Opening, turn: int = 0
) -> Chances:
    """Return the odds of holding numbers of the wanted cards.

    Raises:
        ChoiceError: if there are too many combinations to enumerate.
    """
    groups: dict[Cards, int] = {(1,): wanted_cards, (0,): other_cards}
    many = compute_odds(groups, (0,), opening, turn)
    numbers = range(1, len(many.numbers[0]))
    if opening.mulligans:
        at_least = tuple(
            compute_odds(groups, (number,), opening, turn).chance for number in numbers
        )
    else:
        # Redrawing all unwanted cards is optimal for every number.
        at_least = tuple(sum(many.numbers[0][number:], Fraction(0)) for number in numbers)
    return Chances(at_least, many.expected[0])


class CardQuery(NamedTuple):
    """A group of wanted cards: its name, what selects them, and how many are wanted."""

    name: str
    where: Where
    at_least: int = 1


class QueryOdds(NamedTuple):
    """The odds of holding all wanted cards.

    Attributes:
        turn: the number of turns with draws; 0 for the opening hand.
        at_once: without redraws and mulligans.
        played: with allowed redraws and mulligans, used for all groups together.
        alone: the same, used for each group alone.
    """

    turn: int
    at_once: Odds
    played: Odds
    alone: tuple[Odds, ...]


class DeckOdds(NamedTuple):
    """The odds of a deck: for each turn an answer about the wanted groups of cards, or a table.

    Without wanted groups there are no answers; otherwise there are no tables.
    """

    stats: DeckStats
    zone: ZoneStats
    opening: Opening
    queries: tuple[CardQuery, ...]
    answers: tuple[QueryOdds, ...]
    tables: tuple[OddsTable, ...]


def group_pile(
    game: Game, stats: DeckStats, queries: Sequence[CardQuery], opening: Opening
) -> Counter[Cards]:
    """Count the cards of a pile by membership in groups, for `compute_odds`."""
    tally = LimitCounter(game, stats.deck, DeckRules((), stats.restrictions))
    tests = [tally.matcher_for(each.where) for each in queries]
    groups: Counter[Cards] = Counter()
    for line in find_pile(stats, opening):
        groups[tuple(int(test(line.card)) for test in tests)] += line.entry.copies
    return groups


def compute_query_odds(
    groups: Counter[Cards], at_least: Cards, opening: Opening, turn: int = 0
) -> QueryOdds:
    """Return the odds of holding the wanted numbers of cards of each group.

    Raises:
        ChoiceError: if there are too many combinations to enumerate.
    """
    first = opening._replace(redraws=0, mulligans=0)
    played = compute_odds(groups, at_least, opening, turn)
    alone = [played] if len(at_least) == 1 else []
    for number, least in enumerate(at_least if not alone else ()):
        of_one: Counter[Cards] = Counter()
        for kind, cards in groups.items():
            of_one[kind[number : number + 1]] += cards
        alone.append(compute_odds(of_one, (least,), opening, turn))
    return QueryOdds(turn, compute_odds(groups, at_least, first, turn), played, tuple(alone))


_MAX_NUMBERS = 8
"""The most numbers of cards with a column in a printed table."""
_MIN_FOLDED, _MIN_SECTION = 10, 3
"""How many groups of the same odds share a row: of all, and if a section has no others."""


def odds_context(table: OddsTable, language: str, cards: str) -> Context:
    """Return the template context of odds: `cards`, `hand`, `numbers`, `sections` and so on.

    The section of cards has the title `cards`. Many groups of the same odds share one with `names`.
    """
    opening = table.opening
    groups = [group for section in table.sections for group in section.groups]
    most = max((len(group.played.at_least) for group in groups), default=0)

    def describe(same: Sequence[GroupOdds], title: str) -> Context:
        group = same[0]
        chances = zip(group.played.at_least, group.at_once.at_least, strict=True)
        folded = len(same) > 1
        return {
            "id": "" if folded else group.id,
            "name": f"{len(same)} {choose_form(title, len(same))}" if folded else group.name,
            "names": [each.name for each in same] if folded else [],
            "cards": group.cards,
            "average": format_fixed(float(group.played.average), 2, language),
            "chances": [
                {"share": float(one), "once": float(once), "text": format_percent(one, language)}
                for one, once in islice(chances, _MAX_NUMBERS)
            ],
        }

    def describe_section(section: OddsSection) -> Context:
        title = cards if section.id == "cards" else section.name
        alike: dict[int, list[GroupOdds]] = {}
        for group in section.groups:
            alike.setdefault(group.cards, []).append(group)
        least = _MIN_SECTION if len(alike) == 1 else _MIN_FOLDED
        rows = [
            row
            for same in alike.values()
            for row in ([same] if len(same) >= least else [[group] for group in same])
        ]
        rows.sort(key=lambda row: section.groups.index(row[0]))
        return {
            "id": section.id,
            "name": title,
            "groups": [describe(row, title) for row in rows],
        }

    return {
        "zone": table.name,
        "cards": table.cards,
        "hand": opening.hand,
        "redraws": opening.redraws,
        "mulligans": opening.mulligans,
        "numbers": list(range(1, min(most, _MAX_NUMBERS) + 1)),
        "sections": [*map(describe_section, table.sections)],
    }
