"""A deck list's file with other copies, notes or names; comments, order and form stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright.checks.zoning import zone_of
from deckwright.decks.comparison import Change
from deckwright.decks.lines import NEW_FILE, copies_in, set_copies, set_note
from deckwright.game.model import CardKey, Deck, DeckEntry, Game
from deckwright.xmlio.xml_text import Element, read_xml_file

_META = ("main_faction_id", "name", "format")


class Place(NamedTuple):
    """Where copies of a card are in a deck.

    Attributes:
        zone: the id of the zone, "" if none takes the card, or there is no such card.
    """

    key: CardKey
    zone: str


class Edits(NamedTuple):
    """What is to be different in a deck list.

    Attributes:
        copies: how many there are to be where that changes.
        notes: what lines are to say; "" for nothing.
        named: the attributes of the deck itself; None takes one away.
    """

    copies: Mapping[Place, int] = MappingProxyType({})
    notes: Mapping[Place, str] = MappingProxyType({})
    named: Mapping[str, str | None] = MappingProxyType({})


def place_of(game: Game, entry: DeckEntry) -> Place:
    """Return where a line of a deck list puts its copies."""
    card = game.card_of(entry)
    known = card is not None and card.faction_id in game.factions
    zone = zone_of(game, card, entry.zone) if card is not None and known else None
    return Place((entry.faction_id, entry.card_id), zone.id if zone else "")


def copies_of(game: Game, deck: Deck) -> dict[Place, int]:
    """Return how many copies of each card are where."""
    copies: dict[Place, int] = {}
    for entry in deck.entries:
        place = place_of(game, entry)
        copies[place] = copies.get(place, 0) + entry.copies
    return copies


def edits_of(game: Game, deck: Deck, changes: Iterable[Change]) -> Edits:
    """Return what changes of a deck come to."""
    copies, edited = copies_of(game, deck), {}
    for zone, card, more in changes:
        place = Place((card.faction_id, card.id), zone)
        edited[place] = copies.get(place, 0) + more
    return Edits(edited)


def rewritten(path: Path, game: Game, deck: Deck, edits: Edits) -> bytes:
    """Return a deck list's file as edited, with all else as it stands there.

    New lines stand with those of their zone.

    Args:
        deck: the deck as it was read from this file.

    Raises:
        OSError: if it cannot be read.
    """
    file = read_xml_file(path, NEW_FILE)
    in_zone: dict[str, list[tuple[CardKey, Element]]] = {}
    for entry in sorted(deck.entries, key=lambda entry: entry.source.ordinal):
        key, zone = place_of(game, entry)
        in_zone.setdefault(zone, []).append((key, file.elements[entry.source.ordinal]))
    for (key, zone), copies in edits.copies.items():
        lines = in_zone.setdefault(zone, [])
        own = [element for other, element in lines if other == key]
        last = lines[-1][1] if lines else None
        before = sum(map(copies_in, own))
        if copies == before:
            continue
        changed = set_copies(file, own, key, copies, _named(game, key, zone), last)
        there = file.root.children("card")
        in_zone[zone] = [each for each in lines if each[1] in there]
        in_zone[zone] += [(key, element) for element in changed if element not in own]
    for (key, zone), note in edits.notes.items():
        own = [element for other, element in in_zone.get(zone, ()) if other == key]
        for place, element in enumerate(own):
            set_note(element, "" if place else note)
    for name, value in edits.named.items():
        file.root.children("meta")[0].set(name, value, _META)
    return file.bytes()


def _named(game: Game, key: CardKey, zone: str) -> str | None:
    """Return the zone that a new line of a card must name to be in it, None for none."""
    card = game.cards.get(key)
    usual = zone_of(game, card) if card is not None and card.faction_id in game.factions else None
    return None if usual is None or usual.id == zone else zone or None
