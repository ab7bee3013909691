"""The lines of a deck list's file, changed in its text; all else in it stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from deckwright.game.model import CardKey, Deck, DeckEntry
from deckwright.game.shapes import MAX_COPIES
from deckwright.xmlio.xml_text import Element, XmlFile, new_element

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
