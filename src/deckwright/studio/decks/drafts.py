"""A deck as the page holds it: read from what was sent, and told as plain data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypedDict

from deckwright.base.findings import ChoiceError, demand, known_hint
from deckwright.base.names import composed
from deckwright.decks.deck_file import Place, copies_of, place_of
from deckwright.game.model import CardKey, Deck, DeckEntry, Game
from deckwright.game.shapes import MAX_COPIES
from deckwright.studio.answers import SaidError

MOST_CARDS = 2_000
"""A draft has at most so many lines."""
MOST_COPIES = 10 * MAX_COPIES
"""So many copies of a card a zone has at most; its file may have them on several lines."""
_LONGEST_NAME, _LONGEST_NOTE = 200, 2_000
_UNWRITABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML file can hold."""


class Line(TypedDict):
    """Copies of a card in a draft.

    Attributes:
        card: "FACTION:ID".
        zone: where they count; None if no zone takes the card, or there is none.
    """

    card: str
    zone: str | None
    copies: int
    note: str


class Told(TypedDict):
    """A draft, as the page knows it.

    Attributes:
        id: of the deck that it came from, None for a new one.
        before: what tells the file's state then.
    """

    id: str | None
    name: str
    faction: str
    format: str | None
    entries: list[Line]
    before: str | None


class Draft(NamedTuple):
    """A draft that was sent: the deck, where its copies are, and what it came from."""

    deck: Deck
    id: str | None
    before: str | None


def key_of(card: CardKey) -> str:
    """Return what the page calls a card: "FACTION:ID"."""
    return ":".join(card)


def told(game: Game, deck: Deck, deck_id: str | None = None, before: str | None = None) -> Told:
    """Return a deck as a draft: one line for each card and zone."""
    notes = notes_of(game, deck)
    return {
        "id": deck_id,
        "name": deck.name,
        "faction": deck.faction_id,
        "format": deck.format,
        "entries": [
            {
                "card": key_of(place.key),
                "zone": place.zone or None,
                "copies": copies,
                "note": notes.get(place, ""),
            }
            for place, copies in copies_of(game, deck).items()
        ],
        "before": before,
    }


def notes_of(game: Game, deck: Deck) -> dict[Place, str]:
    """Return the notes of a deck's cards, those of several lines together."""
    notes: dict[Place, dict[str, None]] = {}
    for entry in deck.entries:
        if entry.note:
            notes.setdefault(place_of(game, entry), {})[entry.note] = None
    return {place: "; ".join(texts) for place, texts in notes.items()}


def without_usual_zones(game: Game, deck: Deck) -> Deck:
    """Return a deck whose lines name their zones only where they must."""
    entries = []
    for entry in deck.entries:
        usual = place_of(game, entry._replace(zone=None)).zone
        entries.append(entry._replace(zone=None if entry.zone == usual else entry.zone))
    return deck._replace(entries=tuple(entries))


def read_draft(sent: object, game: Game) -> Draft:
    """Return a draft that was sent.

    Raises:
        ChoiceError: if it is none, or names a faction, format or zone that there is not.
    """
    said = _object(sent, "draft")
    faction, form = _text(said, "faction"), said.get("format")
    demand_faction(faction, game)
    if form is not None:
        form = _text(said, "format")
        if form not in game.setup.formats:
            message, hint = f"there is no format `{form}`", known_hint(form, game.setup.formats)
            raise SaidError("decks-no-format", form, message=message, hint=hint)
    lines = said.get("entries")
    if not isinstance(lines, list):
        raise ChoiceError("the draft has no list `entries`")
    if len(lines) > MOST_CARDS:
        raise ChoiceError(f"a draft has at most {MOST_CARDS} lines")
    name = " ".join(_text(said, "name", _LONGEST_NAME, empty=True).split())
    entries = _merged(_entry(line, game) for line in lines)
    source = game.setup.source
    deck = Deck(name, name, faction, form, entries, source)
    return Draft(deck, _optional(said, "id"), _optional(said, "before"))


def demand_faction(faction: str, game: Game) -> None:
    """See to it that a deck's faction is known.

    Raises:
        SaidError: if it is not.
    """
    if faction not in game.factions:
        message, hint = f"there is no faction `{faction}`", known_hint(faction, game.factions)
        raise SaidError("decks-no-faction", faction, message=message, hint=hint)


def _merged(entries: Iterable[DeckEntry]) -> tuple[DeckEntry, ...]:
    """Return entries with one for each card and zone, as one may have been sent twice."""
    found: dict[tuple[str, str, str | None], DeckEntry] = {}
    for entry in entries:
        key = entry.faction_id, entry.card_id, entry.zone
        had = found.get(key)
        if had is not None:
            copies = min(MOST_COPIES, had.copies + entry.copies)
            entry = had._replace(copies=copies, note=had.note or entry.note)  # noqa: PLW2901
        found[key] = entry
    return tuple(found.values())


def _entry(sent: object, game: Game) -> DeckEntry:
    said = _object(sent, "entry")
    key = card_key(_text(said, "card"))
    copies = said.get("copies")
    if not isinstance(copies, int) or isinstance(copies, bool) or not 0 < copies <= MOST_COPIES:
        raise ChoiceError(f"`{key_of(key)}` has no number of copies from 1 to {MOST_COPIES}")
    note = _text(said, "note", _LONGEST_NOTE, empty=True) if said.get("note") else ""
    entry = DeckEntry(*key, copies, game.setup.source, _optional(said, "zone"), note.strip())
    if entry.zone is not None:
        demand(entry.zone, [zone.id for zone in game.setup.zones], "zone", " in game.xml")
    return entry._replace(zone=place_of(game, entry).zone or entry.zone)


def card_key(text: str) -> CardKey:
    """Return the faction and the id of a card that is written "FACTION:ID".

    Raises:
        ChoiceError: if that is not said.
    """
    faction, colon, card_id = text.partition(":")
    if not (faction and colon and card_id) or re.search(r"\s", text):
        raise ChoiceError(f"`{text}` is no card", "name it by faction and id, such as `HK:HK3`")
    return faction, card_id


def known_card(text: object, game: Game) -> CardKey:
    """Return the key of a card that there is.

    Raises:
        ChoiceError: if there is none of this name.
    """
    key = card_key(text if isinstance(text, str) else "")
    if key not in game.cards:
        message = f"there is no card `{key[1]}` in faction `{key[0]}`"
        raise ChoiceError(message, known_hint(key[1], [i for f, i in game.cards if f == key[0]]))
    return key


def _object(sent: object, what: str) -> Mapping[str, object]:
    if not isinstance(sent, dict):
        raise ChoiceError(f"`{what}` is no JSON object")
    return sent


def _optional(said: Mapping[str, object], name: str) -> str | None:
    return None if said.get(name) is None else _text(said, name)


def _text(
    said: Mapping[str, object], name: str, most: int = _LONGEST_NAME, *, empty: bool = False
) -> str:
    value = said.get(name)
    if not isinstance(value, str) or not (empty or value):
        raise ChoiceError(f"`{name}` is no text")
    if len(value) > most:
        raise ChoiceError(f"`{name}` has more than {most} characters")
    if _UNWRITABLE.search(value):
        raise ChoiceError(f"`{name}` has characters that no XML file can hold", "leave them out")
    return composed(value)
