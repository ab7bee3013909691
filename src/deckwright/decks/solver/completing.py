"""The smallest change that makes a deck legal: what it changes, and why each of it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deckwright.checks.counting import Held
from deckwright.checks.zoning import zoned
from deckwright.decks.comparison import Change, compare_decks
from deckwright.decks.solver.wishes import Wish
from deckwright.decks.stats import deck_stats
from deckwright.game.model import Card, CardKey, Deck, DeckEntry, Game


class Mend(NamedTuple):
    """A change that a deck needs.

    Attributes:
        why: the ids of the limits, and the wishes, that would be broken without it; none if no zone
            takes the card.
    """

    change: Change
    why: tuple[str, ...]


def mends(
    game: Game, old: Deck, new: Deck, held: Held, wishes: Iterable[Wish] = ()
) -> Iterator[Mend]:
    """Yield the changes that make one deck of another, each with what needs it."""
    decks = [(game, deck_stats(game, deck, held)) for deck in (old, new)]
    for change in compare_decks(decks).changes():
        without = _without(change, game, new)
        states = deck_stats(game, without, held).limits
        limits = [state.id for state in states if not (state.keeps or state.limit.warning)]
        asked = [wish.text for wish in wishes if not wish.granted_by(game, without)]
        yield Mend(change, (*limits, *asked))


def _without(change: Change, game: Game, deck: Deck) -> Deck:
    """Return a deck without one change."""
    copies = {(*_key(change.card), change.zone): -change.copies}
    for line in zoned(game, deck):
        own = *_key(line.card), line.zone.id if line.zone else ""
        copies[own] = copies.get(own, 0) + line.entry.copies
    entries = (
        DeckEntry(faction_id, card_id, number, deck.source, zone or None)
        for (faction_id, card_id, zone), number in copies.items()
        if number
    )
    return deck._replace(entries=tuple(entries))


def _key(card: Card) -> CardKey:
    return card.faction_id, card.id
