"""Deck list files edited in place: comments, order and form stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright.checks.counting import zone_of
from deckwright.decks.comparison import Change
from deckwright.game.model import CardKey, Deck, DeckEntry, Game
from deckwright.game.shapes import MAX_COPIES
from deckwright.xmlio.xml_text import Element, XmlFile, new_element, read_xml_file

NEW_FILE = '<?xml version="1.0" encoding="UTF-8"?>\n<data>\n</data>\n'
"""What a new file of cards or of lines begins as."""
LINE = ("faction_id", "id", "amount")
"""The attributes that every line has."""
WHOLE_LINE = (*LINE, "zone", "note")
"""All that a line may have."""


def as_file(deck: Deck) -> bytes:
    """Return a deck list as a file of its own."""
    named = {"main_faction_id": deck.faction_id, "name": deck.name}
    meta = new_element("meta", named if deck.format is None else {**named, "format": deck.format})
    lines = [meta, *(line for entry in deck.entries for line in _lines_of(entry))]
    root = new_element("data", {}, lines, outer="\n", step="  ")
    return NEW_FILE.replace("<data>\n</data>", str(root)).encode()


def _line(key: CardKey, copies: int, zone: str | None) -> Element:
    values = dict(zip(LINE, (*key, str(copies)), strict=True))
    return new_element("card", values if zone is None else {**values, "zone": zone})


def _lines_of(entry: DeckEntry) -> Iterator[Element]:
    """Yield the lines of an entry: more than one if it has more copies than a line may have."""
    for place, copies in enumerate(_shares(entry.copies, ())):
        line = _line((entry.faction_id, entry.card_id), copies, entry.zone)
        set_note(line, "" if place else entry.note)
        yield line


def set_note(line: Element, note: str) -> None:
    """Let a line say what is to be remembered of its card, nothing if that is empty."""
    line.set("note", note or None, WHOLE_LINE)


def copies_in(line: Element) -> int:
    """Return how many copies a line has."""
    return int(dict(line.attributes)["amount"])


def set_copies(
    file: XmlFile,
    lines: Sequence[Element],
    key: CardKey,
    copies: int,
    zone: str | None = None,
    after: Element | None = None,
) -> list[Element]:
    """Let a deck list have so many copies of a card: lines are changed, added or removed.

    Args:
        lines: those that name the card; the first takes the difference if it can.
        zone: the id of the zone that new lines name, None for none.
        after: behind which line the first new one stands, None for the last.

    Returns:
        The lines that were given, and those that are new.
    """
    new = []
    last = lines[-1] if lines else after or file.root.last("card")
    for line, own in zip_longest(lines, _shares(copies, [*map(copies_in, lines)])):
        if own is None:
            file.root.remove(line)
        elif line is not None:
            line.set("amount", str(own), LINE)
        else:
            new.append(_line(key, own, zone))
            outer = file.lead(file.root, file.document)
            file.root.insert(new[-1], outer, file.step, after=last)
            last = new[-1]
    return [*lines, *new]


def _shares(copies: int, had: Sequence[int]) -> list[int]:
    """Return how many copies lines have together, of which each has so many now."""
    rest = copies - sum(had[1:])
    if had and 0 < rest <= MAX_COPIES:
        return [rest, *had[1:]]
    full, rest = divmod(copies, MAX_COPIES)
    return [MAX_COPIES] * full + [rest] * (rest > 0)


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
