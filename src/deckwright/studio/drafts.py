"""Drafts of decks and of edits, which the page sends while a person works, and undoing edits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from deckwright.base.findings import ChoiceError, known_hint, require_known
from deckwright.base.parsing import Bounds, parse_fields
from deckwright.decks.deck_file import CardPlace, count_by_place, find_place
from deckwright.game.model import Card, CardKey, Deck, DeckEntry, Game
from deckwright.game.shapes import MAX_COPIES
from deckwright.studio.answers import LocalizedError, fingerprint_of

MAX_LINES = 2_000
"""The maximum number of lines in a draft."""
MAX_ZONE_COPIES = 10 * MAX_COPIES
"""The maximum number of copies of a card in a zone; a file may split them over several lines."""
_Name = Annotated[str, Bounds(1, 200, xml=True)]


class DraftLine(NamedTuple):
    """A line of a draft: copies of a card in a zone.

    Attributes:
        card: "FACTION:ID".
        zone: the zone in which they count; None if no zone admits the card, or it is unknown.
    """

    card: _Name
    copies: Annotated[int, Bounds(1, MAX_ZONE_COPIES)]
    zone: _Name | None = None
    note: Annotated[str, Bounds(0, 2_000, xml=True)] = ""


class DraftData(NamedTuple):
    """A draft of a deck as the page holds it.

    Attributes:
        id: the id of the deck that it was loaded from, None for a new one.
        before: the fingerprint of the deck's file at that time.
    """

    name: Annotated[str, Bounds(0, 200, xml=True)]
    faction: _Name
    entries: Annotated[list[DraftLine], Bounds(0, MAX_LINES)]
    format: _Name | None = None
    id: _Name | None = None
    before: _Name | None = None


class Draft(NamedTuple):
    """A draft from a request: the deck, and the id and fingerprint of the file it is based on."""

    deck: Deck
    id: str | None
    base_fingerprint: str | None


def format_card_key(card: CardKey) -> str:
    """Return the page's key of a card: "FACTION:ID"."""
    return ":".join(card)


def key_of(card: Card) -> str:
    """Return the page's key of a card of its own faction."""
    return format_card_key((card.faction_id, card.id))


def serialize_draft(
    game: Game, deck: Deck, deck_id: str | None = None, before: str | None = None
) -> DraftData:
    """Return a deck as a draft, with one line for each card and zone."""
    notes = collect_notes(game, deck)
    entries = [
        DraftLine(format_card_key(place.key), copies, place.zone or None, notes.get(place, ""))
        for place, copies in count_by_place(game, deck).items()
    ]
    return DraftData(deck.name, deck.faction_id, entries, deck.format, deck_id, before)


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
    draft = parse_fields(DraftData, data, "draft")
    require_faction(draft.faction, game)
    form = draft.format
    if form is not None and form not in game.setup.formats:
        message, hint = f"there is no format `{form}`", known_hint(form, game.setup.formats)
        raise LocalizedError("decks-no-format", form, message=message, hint=hint)
    name = " ".join(draft.name.split())
    zones = [zone.id for zone in game.setup.zones]
    merged: dict[tuple[str, str, str | None], DeckEntry] = {}
    for line in draft.entries:
        card = parse_card_key(line.card)
        entry = DeckEntry(*card, line.copies, game.setup.source, line.zone, line.note.strip())
        if entry.zone is not None:
            require_known(entry.zone, zones, "zone", " in game.xml")
        entry = entry._replace(zone=find_place(game, entry).zone or entry.zone)
        former = merged.get((*card, entry.zone))
        if former is not None:
            copies = min(MAX_ZONE_COPIES, former.copies + entry.copies)
            entry = former._replace(copies=copies, note=former.note or entry.note)
        merged[*card, entry.zone] = entry
    deck = Deck(name, name, draft.faction, form, tuple(merged.values()), game.setup.source)
    return Draft(deck, draft.id, draft.before)


def require_faction(faction: str, game: Game) -> None:
    """Raise a LocalizedError if a deck's faction is unknown."""
    if faction not in game.factions:
        message, hint = f"there is no faction `{faction}`", known_hint(faction, game.factions)
        raise LocalizedError("decks-no-faction", faction, message=message, hint=hint)


def parse_card_key(text: str) -> CardKey:
    """Parse the key of a card, "FACTION:ID".

    Raises:
        ChoiceError: if the text has another form.
    """
    faction, colon, card_id = text.partition(":")
    if not (faction and colon and card_id) or re.search(r"\s", text):
        raise ChoiceError(f"`{text}` is not the key of a card", "write it as in `HK:HK3`")
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


Values = Mapping[str, str | None]
NO_VALUES: Mapping[str, Any] = MappingProxyType({})


class ChildItem(NamedTuple):
    """A child element in a draft.

    Attributes:
        from_: its index among the present children, from 0; None for a new one.
    """

    from_: Annotated[int, Bounds()] | None = None
    values: Values = NO_VALUES


class EntityDraft(NamedTuple):
    """The new values and children of an entity; those that it does not name stay as they are."""

    values: Values = NO_VALUES
    children: Mapping[str, list[ChildItem]] = NO_VALUES


class Undo(NamedTuple):
    """The reverse of an edit to a file.

    Attributes:
        state: the fingerprint of the file after the edit.
        at: the offset of the first changed byte.
        length: the number of changed bytes in the edited file.
        former: the bytes that they replaced.
    """

    state: str
    at: Annotated[int, Bounds(0, 2**53)]
    length: Annotated[int, Bounds(0, 2**53)]
    former: bytes

    def apply(self, now: bytes) -> bytes:
        """Return the former content of the edited file."""
        return now[: self.at] + self.former + now[self.at + self.length :]


def make_undo(before: bytes, after: bytes) -> Undo:
    """Return the undo that turns `after` back into `before`."""
    at = _common_prefix_length(before, after)
    old_tail, new_tail = before[at:], after[at:]
    same = _common_prefix_length(old_tail[::-1], new_tail[::-1])
    return Undo(fingerprint_of(after), at, len(new_tail) - same, old_tail[: len(old_tail) - same])


def _common_prefix_length(one: bytes, other: bytes) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
