"""Drafts of decks: parsed from requests and serialized for the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypedDict

from deckwright.base.files import to_nfc
from deckwright.base.findings import ChoiceError, known_hint, require_known
from deckwright.decks.deck_file import CardPlace, count_by_place, find_place
from deckwright.game.model import CardKey, Deck, DeckEntry, Game
from deckwright.game.shapes import MAX_COPIES
from deckwright.studio.answers import LocalizedError

MAX_LINES = 2_000
"""The maximum number of lines in a draft."""
MAX_ZONE_COPIES = 10 * MAX_COPIES
"""The maximum number of copies of a card in a zone; a file may split them over several lines."""
_MAX_NAME_LENGTH, _MAX_NOTE_LENGTH = 200, 2_000
_INVALID_XML_CHARACTER = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that XML does not allow."""


class DraftLine(TypedDict):
    """A line of a draft: copies of a card in a zone.

    Attributes:
        card: "FACTION:ID".
        zone: the zone in which they count; None if no zone admits the card, or it is unknown.
    """

    card: str
    zone: str | None
    copies: int
    note: str


class DraftData(TypedDict):
    """A draft as the page knows it.

    Attributes:
        id: of the deck that it was loaded from, None for a new one.
        before: the fingerprint of the file at that time.
    """

    id: str | None
    name: str
    faction: str
    format: str | None
    entries: list[DraftLine]
    before: str | None


class Draft(NamedTuple):
    """A draft from a request: the deck, and the id and fingerprint of the file it is based on."""

    deck: Deck
    id: str | None
    base_fingerprint: str | None


def format_card_key(card: CardKey) -> str:
    """Return the page's key of a card: "FACTION:ID"."""
    return ":".join(card)


def serialize_draft(
    game: Game, deck: Deck, deck_id: str | None = None, before: str | None = None
) -> DraftData:
    """Return a deck as a draft, with one line for each card and zone."""
    notes = collect_notes(game, deck)
    return {
        "id": deck_id,
        "name": deck.name,
        "faction": deck.faction_id,
        "format": deck.format,
        "entries": [
            {
                "card": format_card_key(place.key),
                "zone": place.zone or None,
                "copies": copies,
                "note": notes.get(place, ""),
            }
            for place, copies in count_by_place(game, deck).items()
        ],
        "before": before,
    }


def collect_notes(game: Game, deck: Deck) -> dict[CardPlace, str]:
    """Return the notes on a deck's cards, joining those of several lines."""
    notes: dict[CardPlace, dict[str, None]] = {}
    for entry in deck.entries:
        if entry.note:
            notes.setdefault(find_place(game, entry), {})[entry.note] = None
    return {place: "; ".join(texts) for place, texts in notes.items()}


def drop_default_zones(game: Game, deck: Deck) -> Deck:
    """Return a deck whose lines name only zones other than their card's default."""
    entries = []
    for entry in deck.entries:
        usual = find_place(game, entry._replace(zone=None)).zone
        entries.append(entry._replace(zone=None if entry.zone == usual else entry.zone))
    return deck._replace(entries=tuple(entries))


def read_draft(data: object, game: Game) -> Draft:
    """Parse a draft from a request.

    Raises:
        ChoiceError: if it is malformed, or names an unknown faction, format or zone.
    """
    body = _read_object(data, "draft")
    faction, form = _read_text(body, "faction"), body.get("format")
    require_faction(faction, game)
    if form is not None:
        form = _read_text(body, "format")
        if form not in game.setup.formats:
            message, hint = f"there is no format `{form}`", known_hint(form, game.setup.formats)
            raise LocalizedError("decks-no-format", form, message=message, hint=hint)
    lines = body.get("entries")
    if not isinstance(lines, list):
        raise ChoiceError("the draft has no list `entries`")
    if len(lines) > MAX_LINES:
        raise ChoiceError(f"a draft has at most {MAX_LINES} lines")
    name = " ".join(_read_text(body, "name", _MAX_NAME_LENGTH, empty=True).split())
    entries = _merge_entries(_read_entry(line, game) for line in lines)
    source = game.setup.source
    deck = Deck(name, name, faction, form, entries, source)
    return Draft(deck, _read_optional(body, "id"), _read_optional(body, "before"))


def require_faction(faction: str, game: Game) -> None:
    """Raise an error if a deck's faction is unknown.

    Raises:
        LocalizedError: if it is.
    """
    if faction not in game.factions:
        message, hint = f"there is no faction `{faction}`", known_hint(faction, game.factions)
        raise LocalizedError("decks-no-faction", faction, message=message, hint=hint)


def _merge_entries(entries: Iterable[DeckEntry]) -> tuple[DeckEntry, ...]:
    """Merge entries with the same card and zone."""
    merged: dict[tuple[str, str, str | None], DeckEntry] = {}
    for entry in entries:
        key = entry.faction_id, entry.card_id, entry.zone
        former = merged.get(key)
        if former is not None:
            copies = min(MAX_ZONE_COPIES, former.copies + entry.copies)
            entry = former._replace(copies=copies, note=former.note or entry.note)  # noqa: PLW2901
        merged[key] = entry
    return tuple(merged.values())


def _read_entry(data: object, game: Game) -> DeckEntry:
    body = _read_object(data, "entry")
    key = parse_card_key(_read_text(body, "card"))
    copies = body.get("copies")
    if not isinstance(copies, int) or isinstance(copies, bool) or not 0 < copies <= MAX_ZONE_COPIES:
        raise ChoiceError(
            f"`{format_card_key(key)}` has no number of copies from 1 to {MAX_ZONE_COPIES}"
        )
    note = _read_text(body, "note", _MAX_NOTE_LENGTH, empty=True) if body.get("note") else ""
    entry = DeckEntry(*key, copies, game.setup.source, _read_optional(body, "zone"), note.strip())
    if entry.zone is not None:
        require_known(entry.zone, [zone.id for zone in game.setup.zones], "zone", " in game.xml")
    return entry._replace(zone=find_place(game, entry).zone or entry.zone)


def parse_card_key(text: str) -> CardKey:
    """Parse the key of a card, "FACTION:ID".

    Raises:
        ChoiceError: if the text has another form.
    """
    faction, colon, card_id = text.partition(":")
    if not (faction and colon and card_id) or re.search(r"\s", text):
        raise ChoiceError(f"`{text}` is no card", "name it by faction and id, such as `HK:HK3`")
    return faction, card_id


def find_card_key(text: object, game: Game) -> CardKey:
    """Parse the key of a card of the game.

    Raises:
        ChoiceError: if there is no such card.
    """
    key = parse_card_key(text if isinstance(text, str) else "")
    if key not in game.cards:
        message = f"there is no card `{key[1]}` in faction `{key[0]}`"
        raise ChoiceError(message, known_hint(key[1], [i for f, i in game.cards if f == key[0]]))
    return key


def _read_object(data: object, what: str) -> Mapping[str, object]:
    if not isinstance(data, dict):
        raise ChoiceError(f"`{what}` is no JSON object")
    return data


def _read_optional(body: Mapping[str, object], name: str) -> str | None:
    return None if body.get(name) is None else _read_text(body, name)


def _read_text(
    body: Mapping[str, object],
    name: str,
    max_length: int = _MAX_NAME_LENGTH,
    *,
    empty: bool = False,
) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not (empty or value):
        raise ChoiceError(f"`{name}` is no text")
    if len(value) > max_length:
        raise ChoiceError(f"`{name}` has more than {max_length} characters")
    if _INVALID_XML_CHARACTER.search(value):
        raise ChoiceError(f"`{name}` has characters that no XML file can hold", "leave them out")
    return to_nfc(value)
