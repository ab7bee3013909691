"""Who needs what is deleted: the cards and decks that name it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypedDict

from deckwright.base.findings import Report
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, Game
from deckwright.studio.editing.forms import UserData, user
from deckwright.studio.editing.things import Thing, first_of, users


class DeckUse(TypedDict):
    """A deck that has copies of a card."""

    deck: str
    file: str
    copies: int


class Uses(TypedDict):
    """Who needs a thing."""

    decks: list[DeckUse]
    cards: list[UserData]


def uses_of(thing: Thing, game: Game, folder: GameFolder) -> Uses:
    """Return the cards that name a thing, and the decks that have it or its cards."""
    if thing.of == "rule":
        return {"decks": [], "cards": [user(each) for each in users(game, thing.id)]}
    if thing.of == "faction":
        cards = first_of(game, thing.id)
        keys = {(each.faction_id, each.card.id) for each in cards}
        decks = [*_decks_with(keys, thing.id, game, folder)]
        return {"decks": decks, "cards": [user(each) for each in cards]}
    owner = game.factions[thing.faction].cards_of if thing.faction in game.factions else None
    owner = owner or thing.faction
    keys = {(each.id, thing.id) for each in game.factions.values() if each.cards_of == owner}
    keys |= {(owner, thing.id), (thing.faction, thing.id)}
    return {"decks": [*_decks_with(keys, None, game, folder)], "cards": []}


def _decks_with(
    keys: Collection[tuple[str, str]], faction: str | None, game: Game, folder: GameFolder
) -> Iterator[DeckUse]:
    """Yield the decks that have cards of these factions and ids, or are of a faction."""
    for path in folder.deck_files():
        unread: Report = []
        deck: Deck | None = load.load_deck(path, folder, game.setup, unread)
        if deck is None:
            continue
        copies = sum(e.copies for e in deck.entries if (e.faction_id, e.card_id) in keys)
        if copies or deck.faction_id == faction:
            yield {"deck": deck.name, "file": path.name, "copies": copies}
