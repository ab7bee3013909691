"""What a deck list means for print: which tokens and rules belong to it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from deckwright.game.deck_rules import Format
from deckwright.game.model import Card, Deck, Game, Rule
from deckwright.game.token_counts import Player, most_created


class TokenCount(NamedTuple):
    """How many copies of a token to print."""

    token: Card
    copies: int


class UsedRule(NamedTuple):
    """A rule of a deck, and the names under which its cards and tokens use it."""

    rule: Rule
    names: tuple[str, ...]


class Choice(NamedTuple):
    """Which cards of a deck to print.

    Attributes:
        only: ids and names of cards; all, if there are none.
        copies: how many of each; None for as many as the deck has.
        since: the manifest of an earlier print; what has not changed since is left out.
    """

    only: tuple[str, ...] = ()
    copies: int | None = None
    since: Path | None = None

    @property
    def partial(self) -> bool:
        """Whether it names cards, or other numbers of them than the deck."""
        return bool(self.only) or self.copies is not None

    def takes(self, card: Card) -> bool:
        """Return whether it names a card."""
        return not {card.id, card.name}.isdisjoint(self.only)


EVERYTHING = Choice()


def empty_deck(game: Game, faction_id: str, name: str = "", format_id: str | None = None) -> Deck:
    """Return a deck of a faction without cards, which is in no file."""
    source = game.factions[faction_id].source
    return Deck(faction_id, name, faction_id, format_id, (), source)


def format_of(game: Game, deck: Deck) -> Format | None:
    """Return the format that a deck is built for: its own, its faction's or the game's usual one.

    None means a game without formats.
    """
    faction = game.factions.get(deck.faction_id)
    chosen = deck.format or (faction and faction.format) or game.setup.default_format
    return game.setup.formats[chosen] if chosen else None


def tokens_of(game: Game, deck: Deck) -> list[TokenCount]:
    """Return the tokens that a deck's rules can create, enough of each.

    For each rule that is the larger of the game's minimum and what all copies can create with
    their budget (their actions, say), paying the rule's cost each time: once, or in the turns that
    the game counts. Tokens whose rules create further tokens count as copies, too, which spend once
    what they print.
    """
    return _tokens(
        game, [(c, entry.copies) for entry in deck.entries if (c := game.card_of(entry))]
    )


def tokens_of_faction(game: Game, faction_id: str) -> list[TokenCount]:
    """Return the tokens that one copy of each of a faction's cards can create, enough of each."""
    return _tokens(game, [(c, 1) for c in game.cards.values() if c.faction_id == faction_id])


def _tokens(game: Game, sources: list[tuple[Card, int]]) -> list[TokenCount]:
    """Return the tokens that cards, given with their copies, can create."""
    counts: dict[str, int] = {}
    policy = game.setup.tokens
    turns = policy.turns
    while sources:
        created: dict[str, int] = {}
        for card, copies in sources:
            for rule in _rules(game, card):
                if rule.tokens:
                    uses = _budget(game, card) // rule.cost if rule.cost else 0
                    created[rule.id] = created.get(rule.id, 0) + copies * uses
        if turns is not None:
            created = {rule_id: _in_turns(game, sources, rule_id, turns) for rule_id in created}
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


def _budget(game: Game, card: Card) -> int:
    """Return what a card can spend on creating tokens when it is played."""
    field = game.setup.tokens.budget
    budget = card.fields.get(field) if field else None
    return budget if isinstance(budget, int) else 0


def _in_turns(game: Game, sources: list[tuple[Card, int]], rule_id: str, turns: int) -> int:
    """Return how many tokens a rule can create in some turns."""
    cost = game.rules[rule_id].cost
    if not cost:
        return 0
    players = []
    for card, copies in sources:
        rules = list(_rules(game, card))
        budget, refill = _budget(game, card), sum(rule.refills for rule in rules)
        ways = [
            Player(
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
            best = max(ways, key=lambda way: (way.creates, way.worth(turns)))
            players.append((best, copies))
    return most_created(players, cost, turns)


def rules_of(game: Game, deck: Deck) -> list[UsedRule]:
    """Return the rules on the cards and tokens of a deck, each once, by first name."""
    names: dict[str, dict[str, None]] = {}
    for card, race in _cards_and_races(game, deck):
        for rule in _rules(game, card):
            names.setdefault(rule.id, {})[rule.any_label(race)] = None
    used = [UsedRule(game.rules[rule_id], tuple(known)) for rule_id, known in names.items()]
    return sorted(used, key=lambda item: (sort_key(item.names[0]), item.rule.id))


def _cards_and_races(game: Game, deck: Deck) -> Iterator[tuple[Card, str]]:
    for entry in deck.entries:
        if card := game.card_of(entry):
            yield card, game.factions[card.faction_id].race
    for count in tokens_of(game, deck):
        yield count.token, game.factions[deck.faction_id].race


def _rules(game: Game, card: Card) -> Iterable[Rule]:
    return (game.rules[rule_id] for rule_id in card.rule_ids() if rule_id in game.rules)


def sort_key(name: str) -> str:
    """Return what to sort a word by: letters with marks stand with those without, as in books."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
