"""Edit deck list files in place, keeping comments, order and formatting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright.checks.counting import zone_of
from deckwright.decks.comparison import CopyChange
from deckwright.game.model import Card, CardKey, Deck, DeckEntry, Game
from deckwright.game.shapes import MAX_COPIES
from deckwright.xmlio.xml_text import RawElement, XmlFile, new_element, read_xml_file

NEW_FILE = '<?xml version="1.0" encoding="UTF-8"?>\n<data>\n</data>\n'
"""The content of a new file of cards or deck lines."""
REQUIRED_ATTRIBUTES = ("faction_id", "id", "amount")
"""The required attributes of a line."""
LINE_ATTRIBUTES = (*REQUIRED_ATTRIBUTES, "zone", "note")
"""All attributes of a line."""


def format_deck_file(deck: Deck) -> bytes:
    """Return a deck list as the content of a new file."""
    attributes = {"main_faction_id": deck.faction_id, "name": deck.name}
    attributes |= {} if deck.format is None else {"format": deck.format}
    lines = [new_element("meta", attributes)]
    for entry in deck.entries:
        # Several lines if it exceeds the maximum copies of a line.
        for place, copies in enumerate(_split_copies(entry.copies, ())):
            line = _make_line((entry.faction_id, entry.card_id), copies, entry.zone)
            set_note(line, "" if place else entry.note)
            lines.append(line)
    root = new_element("data", {}, lines, outer="\n", step="  ")
    return NEW_FILE.replace("<data>\n</data>", str(root)).encode()


def _make_line(key: CardKey, copies: int, zone: str | None) -> RawElement:
    values = dict(zip(REQUIRED_ATTRIBUTES, (*key, str(copies)), strict=True))
    return new_element("card", values if zone is None else {**values, "zone": zone})


def set_note(line: RawElement, note: str) -> None:
    """Set the note of a line; an empty one is removed."""
    line.set("note", note or None, LINE_ATTRIBUTES)


def line_copies(line: RawElement) -> int:
    """Return the number of copies of a line."""
    return int(dict(line.attributes)["amount"])


def set_copies(
    file: XmlFile,
    lines: Sequence[RawElement],
    key: CardKey,
    copies: int,
    zone: str | None = None,
    after: RawElement | None = None,
) -> list[RawElement]:
    """Set the copies of a card by changing, adding or removing lines; return the old and new lines.

    Args:
        lines: the lines of the card; the first one takes the difference if possible.
        zone: the id of the zone in new lines, None to omit it.
        after: the line after which the first new line is inserted, None for the last.
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
            outer = file.leading_space(file.root, file.document)
            file.root.insert(new[-1], outer, file.indent, after=last)
            last = new[-1]
    return [*lines, *new]


def _split_copies(copies: int, present: Sequence[int]) -> list[int]:
    """Distribute copies over lines, given their present numbers of copies."""
    rest = copies - sum(present[1:])
    if present and 0 < rest <= MAX_COPIES:
        return [rest, *present[1:]]
    full, rest = divmod(copies, MAX_COPIES)
    return [MAX_COPIES] * full + [rest] * (rest > 0)


_META_ATTRIBUTES = ("main_faction_id", "name", "format")


class CardPlace(NamedTuple):
    """A card in a zone, which is "" if no zone admits the card or the card is unknown."""

    key: CardKey
    zone: str


class DeckEdits(NamedTuple):
    """Changes to a deck list: new numbers of copies, notes, and attributes of the deck.

    An empty note and an attribute that is None are removed.
    """

    copies: Mapping[CardPlace, int] = MappingProxyType({})
    notes: Mapping[CardPlace, str] = MappingProxyType({})
    attributes: Mapping[str, str | None] = MappingProxyType({})


def find_place(game: Game, entry: DeckEntry) -> CardPlace:
    """Return the place of a deck list entry's copies."""
    key = entry.faction_id, entry.card_id
    return CardPlace(key, _find_zone(game, game.card_of(entry), entry.zone) or "")


def _find_zone(game: Game, card: Card | None, wanted: str | None = None) -> str | None:
    """Return the id of the zone of a card, None if none admits it or it is unknown."""
    known = card is not None and card.faction_id in game.factions
    zone = zone_of(game, card, wanted) if card is not None and known else None
    return zone and zone.id


def count_by_place(game: Game, deck: Deck) -> dict[CardPlace, int]:
    """Return the number of copies at each place."""
    copies: dict[CardPlace, int] = {}
    for entry in deck.entries:
        place = find_place(game, entry)
        copies[place] = copies.get(place, 0) + entry.copies
    return copies


def make_edits(game: Game, deck: Deck, changes: Iterable[CopyChange]) -> DeckEdits:
    """Convert changes of a deck to edits of its list."""
    copies, edited = count_by_place(game, deck), {}
    for zone, card, more in changes:
        place = CardPlace((card.faction_id, card.id), zone)
        edited[place] = copies.get(place, 0) + more
    return DeckEdits(edited)


def edit_deck_file(path: Path, game: Game, deck: Deck, edits: DeckEdits) -> bytes:
    """Return the edited content of a deck list's file; everything else is kept.

    New lines are inserted after those of their zone.

    Raises:
        OSError: if the file cannot be read.
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
        # Where cards go by default, a new line need not name the zone.
        named = None if _find_zone(game, game.cards.get(key)) in {None, zone} else zone or None
        changed = set_copies(file, own, key, copies, named, last)
        there = file.root.children("card")
        in_zone[zone] = [each for each in lines if each[1] in there]
        in_zone[zone] += [(key, element) for element in changed if element not in own]
    for (key, zone), note in edits.notes.items():
        own = [element for other, element in in_zone.get(zone, ()) if other == key]
        for place, element in enumerate(own):
            set_note(element, "" if place else note)
    for name, value in edits.attributes.items():
        file.root.children("meta")[0].set(name, value, _META_ATTRIBUTES)
    return file.to_bytes()
