"""Deck list files edited in place: comments, order and form stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright.checks.counting import zone_of
from deckwright.decks.comparison import CopyChange
from deckwright.game.model import CardKey, Deck, DeckEntry, Game
from deckwright.game.shapes import MAX_COPIES
from deckwright.xmlio.xml_text import RawElement, XmlFile, new_element, read_xml_file

NEW_FILE = '<?xml version="1.0" encoding="UTF-8"?>\n<data>\n</data>\n'
"""What a new file of cards or of lines begins as."""
REQUIRED_ATTRIBUTES = ("faction_id", "id", "amount")
"""The attributes that every line has."""
LINE_ATTRIBUTES = (*REQUIRED_ATTRIBUTES, "zone", "note")
"""All that a line may have."""


def format_deck_file(deck: Deck) -> bytes:
    """Return a deck list as a file of its own."""
    named = {"main_faction_id": deck.faction_id, "name": deck.name}
    meta = new_element("meta", named if deck.format is None else {**named, "format": deck.format})
    lines = [meta, *(line for entry in deck.entries for line in _entry_lines(entry))]
    root = new_element("data", {}, lines, outer="\n", step="  ")
    return NEW_FILE.replace("<data>\n</data>", str(root)).encode()


def _make_line(key: CardKey, copies: int, zone: str | None) -> RawElement:
    values = dict(zip(REQUIRED_ATTRIBUTES, (*key, str(copies)), strict=True))
    return new_element("card", values if zone is None else {**values, "zone": zone})


def _entry_lines(entry: DeckEntry) -> Iterator[RawElement]:
    """Yield the lines of an entry: more than one if it has more copies than a line may have."""
    for place, copies in enumerate(_split_copies(entry.copies, ())):
        line = _make_line((entry.faction_id, entry.card_id), copies, entry.zone)
        set_note(line, "" if place else entry.note)
        yield line


def set_note(line: RawElement, note: str) -> None:
    """Let a line say what is to be remembered of its card, nothing if that is empty."""
    line.set("note", note or None, LINE_ATTRIBUTES)


def line_copies(line: RawElement) -> int:
    """Return how many copies a line has."""
    return int(dict(line.attributes)["amount"])


def set_copies(
    file: XmlFile,
    lines: Sequence[RawElement],
    key: CardKey,
    copies: int,
    zone: str | None = None,
    after: RawElement | None = None,
) -> list[RawElement]:
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
    for line, own in zip_longest(lines, _split_copies(copies, [*map(line_copies, lines)])):
        if own is None:
            file.root.remove(line)
        elif line is not None:
            line.set("amount", str(own), REQUIRED_ATTRIBUTES)
        else:
            new.append(_make_line(key, own, zone))
            outer = file.lead(file.root, file.document)
            file.root.insert(new[-1], outer, file.step, after=last)
            last = new[-1]
    return [*lines, *new]


def _split_copies(copies: int, had: Sequence[int]) -> list[int]:
    """Return how many copies lines have together, of which each has so many now."""
    rest = copies - sum(had[1:])
    if had and 0 < rest <= MAX_COPIES:
        return [rest, *had[1:]]
    full, rest = divmod(copies, MAX_COPIES)
    return [MAX_COPIES] * full + [rest] * (rest > 0)


_META_ATTRIBUTES = ("main_faction_id", "name", "format")


class CardPlace(NamedTuple):
    """Where copies of a card are in a deck.

    Attributes:
        zone: the id of the zone, "" if none takes the card, or there is no such card.
    """

    key: CardKey
    zone: str


class DeckEdits(NamedTuple):
    """What is to be different in a deck list.

    Attributes:
        copies: how many there are to be where that changes.
        notes: what lines are to say; "" for nothing.
        named: the attributes of the deck itself; None takes one away.
    """

    copies: Mapping[CardPlace, int] = MappingProxyType({})
    notes: Mapping[CardPlace, str] = MappingProxyType({})
    named: Mapping[str, str | None] = MappingProxyType({})


def find_place(game: Game, entry: DeckEntry) -> CardPlace:
    """Return where a line of a deck list puts its copies."""
    card = game.card_of(entry)
    known = card is not None and card.faction_id in game.factions
    zone = zone_of(game, card, entry.zone) if card is not None and known else None
    return CardPlace((entry.faction_id, entry.card_id), zone.id if zone else "")


def count_by_place(game: Game, deck: Deck) -> dict[CardPlace, int]:
    """Return how many copies of each card are where."""
    copies: dict[CardPlace, int] = {}
    for entry in deck.entries:
        place = find_place(game, entry)
        copies[place] = copies.get(place, 0) + entry.copies
    return copies


def make_edits(game: Game, deck: Deck, changes: Iterable[CopyChange]) -> DeckEdits:
    """Return what changes of a deck come to."""
    copies, edited = count_by_place(game, deck), {}
    for zone, card, more in changes:
        place = CardPlace((card.faction_id, card.id), zone)
        edited[place] = copies.get(place, 0) + more
    return DeckEdits(edited)


def edit_deck_file(path: Path, game: Game, deck: Deck, edits: DeckEdits) -> bytes:
    """Return a deck list's file as edited, with all else as it stands there.

    New lines stand with those of their zone.

    Args:
        deck: the deck as it was read from this file.

    Raises:
        OSError: if it cannot be read.
    """
    file = read_xml_file(path, NEW_FILE)
    in_zone: dict[str, list[tuple[CardKey, RawElement]]] = {}
    for entry in sorted(deck.entries, key=lambda entry: entry.source.ordinal):
        key, zone = find_place(game, entry)
        in_zone.setdefault(zone, []).append((key, file.elements[entry.source.ordinal]))
    for (key, zone), copies in edits.copies.items():
        lines = in_zone.setdefault(zone, [])
        own = [element for other, element in lines if other == key]
        last = lines[-1][1] if lines else None
        before = sum(map(line_copies, own))
        if copies == before:
            continue
        changed = set_copies(file, own, key, copies, _explicit_zone(game, key, zone), last)
        there = file.root.children("card")
        in_zone[zone] = [each for each in lines if each[1] in there]
        in_zone[zone] += [(key, element) for element in changed if element not in own]
    for (key, zone), note in edits.notes.items():
        own = [element for other, element in in_zone.get(zone, ()) if other == key]
        for place, element in enumerate(own):
            set_note(element, "" if place else note)
    for name, value in edits.named.items():
        file.root.children("meta")[0].set(name, value, _META_ATTRIBUTES)
    return file.bytes()


def _explicit_zone(game: Game, key: CardKey, zone: str) -> str | None:
    """Return the zone that a new line of a card must name to be in it, None for none."""
    card = game.cards.get(key)
    usual = zone_of(game, card) if card is not None and card.faction_id in game.factions else None
    return None if usual is None or usual.id == zone else zone or None
