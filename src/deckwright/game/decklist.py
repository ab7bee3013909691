"""Resolve a deck list for print: its cards, their references, tokens and rules."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.locales import sort_key
from deckwright.game.deck_rules import Format
from deckwright.game.kinds import Field, parts_of
from deckwright.game.model import Card, Deck, Game, Rule
from deckwright.xmlio.node import Source


def find_candidates(game: Game, card: Card, name: str) -> list[Card]:
    """Return the cards that a reference may mean: the one of the card's own faction, if any.

    Otherwise those of all other factions; cards that factions share are returned once.
    """
    faction_id, slash, card_id = name.partition("/")
    for key in ((card.faction_id, name), (faction_id, card_id)):
        if key in game.cards and (key[1] == name or slash):
            return [game.cards[key]]
    others = filter(None, (game.cards.get((faction_id, name)) for faction_id in game.factions))
    by_source: dict[Source, Card] = {}
    for other in others:
        by_source.setdefault(other.source, other)
    return list(by_source.values())


def resolve_card(game: Game, card: Card, name: str) -> Card | None:
    """Return the card that a reference means, None if it is missing or ambiguous."""
    cards = find_candidates(game, card, name)
    return cards[0] if len(cards) == 1 else None


def iter_references(card: Card) -> Iterator[tuple[Source, Field, str]]:
    """Yield the references of a card to others: element, field and name."""
    for field, value, source in card.iter_values("card"):
        yield from ((source, field, str(part)) for part in parts_of(value) if part)


SETS = ("faction", "kind", "game")
"""The predefined ways to divide cards into sets; a field's name is another."""


def number_cards(game: Game) -> dict[Source, tuple[int, int]]:
    """Return the number of each card in its set, from 1, and the size of the set.

    Cards are counted in the order of their files, including faulty ones. Tokens form a set of
    their own.
    """
    sets: dict[object, dict[Source, None]] = {}
    cards = [*game.cards.values(), *game.stubs.values(), *game.tokens()]
    named = game.setup.set
    for card in sorted(cards, key=lambda card: (str(card.source.path), card.source.ordinal)):
        known = {"faction": card.faction_id, "kind": card.kind.tag, "game": ""}
        key = known[named] if named in known else card.fields.get(named)
        sets.setdefault(None if card.kind.token else key, {}).setdefault(card.source)
    return {
        source: (number, len(of_set))
        for of_set in sets.values()
        for number, source in enumerate(of_set, 1)
    }


class TokenSource(NamedTuple):
    """A card that creates tokens of a rule, or supports cards that do.

    Attributes:
        creates: whether it creates tokens itself.
        budget: the amount it can spend when it is played.
        refill: the amount it gets back each turn.
        cost: the amount spent on each use.
        gain: what a use contributes to tokens, in units of their cost.
    """

    creates: bool
    budget: int
    refill: int
    cost: int
    gain: int

    def total_gain(self, turns: int) -> int:
        """Return its total gain over a number of turns in play."""
        have, uses = self.budget, 0
        for _ in range(turns):
            now = have // self.cost
            uses += now
            have = min(self.budget, have - now * self.cost + self.refill)
        return uses * self.gain


def max_created(sources: Iterable[tuple[TokenSource, int]], cost: int, turns: int) -> int:
    """Return the largest number of tokens that can be created.

    Args:
        sources: the cards with their copies.
        cost: the cost of a token, above 0.
        turns: the number of turns; a card played in the first one is in play for all of them.
    """
    pool = [player for player, copies in sources for _ in range(min(copies, turns))]
    worths = {player: [player.total_gain(n) for n in range(turns + 1)] for player in set(pool)}

    def best(among: Iterable[int], number: int) -> list[int]:
        return heapq.nlargest(turns, among, key=lambda index: worths[pool[index]][number])

    # Only the best few matter for each turn: one card is played a turn.
    firsts = best((i for i, player in enumerate(pool) if player.creates), turns)
    others = {index for number in range(1, turns) for index in best(range(len(pool)), number)}
    # Cards that gain most from an additional turn are played first.
    order = sorted(others, key=lambda i: worths[pool[i]][1] - worths[pool[i]][turns])
    most = 0
    for first in firsts:
        rest = [worths[pool[index]] for index in order if index != first]
        most = max(most, worths[pool[first]][turns] + _max_gain(rest, turns - 1))
    return most // cost


def _max_gain(worths: Sequence[Sequence[int]], turns: int) -> int:
    """Return the largest gain of playing a card a turn, given that of each by its turns in play."""
    best = [0, *[-1] * turns]
    for worth in worths:
        for played in range(turns, 0, -1):
            if best[played - 1] >= 0:
                best[played] = max(best[played], best[played - 1] + worth[turns - played + 1])
    return max(best)


class TokenCount(NamedTuple):
    """A token and the number of copies to print."""

    token: Card
    copies: int


class UsedRule(NamedTuple):
    """A rule of a deck, with the names that its cards and tokens use for it."""

    rule: Rule
    names: tuple[str, ...]


class CardSelection(NamedTuple):
    """A selection of the cards of a deck to print.

    Attributes:
        only: ids and names of cards; all if empty.
        copies: the copies of each; None for those of the deck.
        since: the manifest of an earlier print; cards unchanged since are omitted.
    """

    only: tuple[str, ...] = ()
    copies: int | None = None
    since: Path | None = None

    @property
    def is_partial(self) -> bool:
        """True if it selects cards by name or changes their copies."""
        return bool(self.only) or self.copies is not None

    def names_card(self, card: Card) -> bool:
        """Return whether it names this card."""
        return not {card.id, card.name}.isdisjoint(self.only)


ALL_CARDS = CardSelection()


def empty_deck(game: Game, faction_id: str, name: str = "", format_id: str | None = None) -> Deck:
    """Return a deck of a faction without cards and without a file."""
    source = game.factions[faction_id].source
    return Deck(faction_id, name, faction_id, format_id, (), source)


def format_of(game: Game, deck: Deck) -> Format | None:
    """Return the format of a deck: its own, its faction's or the game's default.

    None for a game without formats.
    """
    faction = game.factions.get(deck.faction_id)
    chosen = deck.format or (faction and faction.format) or game.setup.default_format
    return game.setup.formats[chosen] if chosen else None


def count_tokens(game: Game, deck: Deck) -> list[TokenCount]:
    """Return the tokens that a deck's rules can create, with the copies to print.

    For each rule, the copies are the larger of the game's minimum and the number that all cards can
    create with their budget (their actions, say), paying the rule's cost each time: once, or over
    the turns that the game counts. Tokens that create further tokens spend their budget once.
    """
    return _count_tokens(
        game, [(c, entry.copies) for entry in deck.entries if (c := game.card_of(entry))]
    )


def count_faction_tokens(game: Game, faction_id: str) -> list[TokenCount]:
    """Return the tokens that one copy of each of a faction's cards can create."""
    return _count_tokens(game, [(c, 1) for c in game.cards.values() if c.faction_id == faction_id])


def _count_tokens(game: Game, sources: list[tuple[Card, int]]) -> list[TokenCount]:
    """Return the tokens that cards can create; cards are given with their copies."""
    counts: dict[str, int] = {}
    policy = game.setup.tokens
    turns = policy.turns
    while sources:
        created: dict[str, int] = {}
        for card, copies in sources:
            for rule in _card_rules(game, card):
                if rule.tokens:
                    uses = _token_budget(game, card) // rule.cost if rule.cost else 0
                    created[rule.id] = created.get(rule.id, 0) + copies * uses
        if turns is not None:
            created = {
                rule_id: _count_in_turns(game, sources, rule_id, turns) for rule_id in created
            }
        turns = None
        new = {rule_id: number for rule_id, number in created.items() if rule_id not in counts}
        counts.update({rule_id: max(policy.minimum, number) for rule_id, number in new.items()})
        sources = [
            (token, counts[rule_id]) for rule_id in new for token in game.rules[rule_id].tokens
        ]
    return [
        TokenCount(token, number)
        for rule_id, number in counts.items()
        for token in game.rules[rule_id].tokens
    ]


def _token_budget(game: Game, card: Card) -> int:
    """Return the amount that a card can spend on tokens when it is played."""
    field = game.setup.tokens.budget
    budget = card.fields.get(field) if field else None
    return budget if isinstance(budget, int) else 0


def _count_in_turns(game: Game, sources: list[tuple[Card, int]], rule_id: str, turns: int) -> int:
    """Return the number of tokens that a rule can create in a number of turns."""
    cost = game.rules[rule_id].cost
    if not cost:
        return 0
    players = []
    for card, copies in sources:
        rules = list(_card_rules(game, card))
        budget, refill = _token_budget(game, card), sum(rule.refills for rule in rules)
        ways = [
            TokenSource(
                rule.id == rule_id,
                budget,
                refill,
                rule.cost,
                cost if rule.id == rule_id else rule.adds,
            )
            for rule in rules
            if rule.cost and (rule.id == rule_id or rule.adds)
        ]
        if ways:
            best = max(ways, key=lambda way: (way.creates, way.total_gain(turns)))
            players.append((best, copies))
    return max_created(players, cost, turns)


def collect_rules(game: Game, deck: Deck) -> list[UsedRule]:
    """Return the rules on the cards and tokens of a deck, sorted by their first name."""
    cards = [(c, c.faction_id) for entry in deck.entries if (c := game.card_of(entry))]
    cards += [(count.token, deck.faction_id) for count in count_tokens(game, deck)]
    return name_rules(game, cards)


def name_rules(game: Game, cards: Iterable[tuple[Card, str]]) -> list[UsedRule]:
    """Return the rules on cards, given with the ids of their factions, sorted by first name."""
    names: dict[str, dict[str, None]] = {}
    for card, faction_id in cards:
        race = game.factions[faction_id].race
        for rule in _card_rules(game, card):
            names.setdefault(rule.id, {})[rule.any_label(race)] = None
    used = [UsedRule(game.rules[rule_id], tuple(known)) for rule_id, known in names.items()]
    language = game.setup.language
    return sorted(used, key=lambda item: (sort_key(item.names[0], language), item.rule.id))


def _card_rules(game: Game, card: Card) -> Iterable[Rule]:
    return (game.rules[rule_id] for rule_id in card.rule_ids() if rule_id in game.rules)
