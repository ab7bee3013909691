"""Who needs a card: the decks that have it."""

from __future__ import annotations

from typing import TypedDict

from deckwright.base.findings import Report
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.studio.editing.things import Thing


class UseData(TypedDict):
    """A deck that has copies of a card."""

    deck: str
    file: str
    copies: int


def uses_of(thing: Thing, game: Game, folder: GameFolder) -> list[UseData]:
    """Return the decks that have a card, under any faction that prints it."""
    owner = game.factions[thing.faction].cards_of if thing.faction in game.factions else None
    owner = owner or thing.faction
    keys = {(each.id, thing.id) for each in game.factions.values() if each.cards_of == owner}
    keys |= {(owner, thing.id), (thing.faction, thing.id)}
    found: list[UseData] = []
    for path in folder.deck_files():
        unread: Report = []
        deck = load.load_deck(path, folder, game.setup, unread)
        entries = deck.entries if deck else ()
        copies = sum(e.copies for e in entries if (e.faction_id, e.card_id) in keys)
        if deck and copies:
            found.append({"deck": deck.name, "file": path.name, "copies": copies})
    return found
