"""The lines of a deck list's file, changed in its text; all else in it stays."""

from __future__ import annotations

from collections.abc import Sequence

from deckwright.game.model import CardKey, Deck, DeckEntry
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
    lines = [meta, *map(_line_of, deck.entries)]
    root = new_element("data", {}, lines, outer="\n", step="  ")
    return NEW_FILE.replace("<data>\n</data>", str(root)).encode()


def _line(key: CardKey, copies: int, zone: str | None) -> Element:
    values = dict(zip(LINE, (*key, str(copies)), strict=True))
    return new_element("card", values if zone is None else {**values, "zone": zone})


def _line_of(entry: DeckEntry) -> Element:
    line = _line((entry.faction_id, entry.card_id), entry.copies, entry.zone)
    set_note(line, entry.note)
    return line


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
        zone: the id of the zone that a new line names, None for none.
        after: behind which line a new one stands, None for the last.

    Returns:
        The lines that were given, or else the new one.
    """
    if not lines:
        new = _line(key, copies, zone)
        outer = file.lead(file.root, file.document)
        file.root.insert(new, outer, file.step, after=after or file.root.last("card"))
        return [new]
    rest = copies - sum(map(copies_in, lines[1:]))
    if rest < 1:
        for line in lines[1:]:
            file.root.remove(line)
        rest = copies
    if rest:
        lines[0].set("amount", str(rest), LINE)
    else:
        file.root.remove(lines[0])
    return list(lines)
