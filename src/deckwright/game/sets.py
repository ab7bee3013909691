"""Which number a card has in its set, and how many cards there are: 12 of 78."""

from __future__ import annotations

from deckwright.game.model import Card, Game
from deckwright.xmlio.node import Source

SETS = ("faction", "kind", "game")
"""What a set can be, besides the cards that have the same value of a field."""
DEFAULT_SET = "faction"


def places_of(game: Game) -> dict[Source, tuple[int, int]]:
    """Return for each card its number in its set, from 1, and the size of that.

    Cards are counted in the order of their files, those with mistakes too. Tokens are a set of
    their own.
    """
    sets: dict[object, dict[Source, None]] = {}
    cards = [*game.cards.values(), *game.stubs.values(), *game.tokens()]
    for card in sorted(cards, key=lambda card: (str(card.source.path), card.source.ordinal)):
        sets.setdefault(_set_of(game, card), {}).setdefault(card.source)
    return {
        source: (number, len(of_set))
        for of_set in sets.values()
        for number, source in enumerate(of_set, 1)
    }


def _set_of(game: Game, card: Card) -> object:
    """Return what all cards of a set have in common."""
    if card.kind.token:
        return None
    known = {"faction": card.faction_id, "kind": card.kind.tag, "game": ""}
    named = game.setup.set
    return known[named] if named in known else card.fields.get(named)
