"""Drafts as text: readable, with ids, for Cockatrice, and as a deck list's XML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from deckwright.base.files import to_nfc
from deckwright.base.findings import Report, find_nearest, require_known
from deckwright.base.locales import sort_key
from deckwright.checks.counting import assign_zones, zones_of
from deckwright.decks.deck_file import format_deck_file
from deckwright.game.model import Card, Deck, Game
from deckwright.studio.decks.repository import DeckRepository
from deckwright.studio.drafts import (
    MAX_LINES,
    MAX_ZONE_COPIES,
    DraftLine,
    drop_default_zones,
    key_of,
    serialize_draft,
)
from deckwright.xmlio.load import load_document, override_files

MAX_TEXT_LENGTH = 200_000
"""The maximum length of a text."""
_MAX_CANDIDATES = 6
_COMMENT = re.compile(r"^\s*(#|//|;)")
_COPIES_FIRST = re.compile(r"^(?P<copies>\d{1,4})\s*[x×*]?\s+(?P<name>\S.*)$", re.IGNORECASE)
_COPIES_LAST = re.compile(r"^(?P<name>.*\S)\s+[x×*]\s*(?P<copies>\d{1,4})$", re.IGNORECASE)
_NAME_AND_KEY = re.compile(r"^(?P<name>.*?)\s*[(\[](?P<key>[^()\[\]\s]+)[)\]]$")
_OTHER_ZONES = "sideboard"
"""The name that other programs use for all zones but the main deck."""
_SIDEBOARD_PREFIX = re.compile(r"^SB:\s*", re.IGNORECASE)


class LineProblem(NamedTuple):
    """A line that could not be read.

    Attributes:
        kind: the reason: no such card ("unknown"), an ambiguous name ("several"), a wrong
            "number", or an error in the "file", given by `message`.
        candidates: the cards that may be meant.
    """

    kind: str
    line: int
    text: str = ""
    message: str = ""
    candidates: tuple[str, ...] = ()


class ParsedDeck(NamedTuple):
    """A deck read from text."""

    form: str
    problems: list[LineProblem]
    name: str = ""
    faction: str | None = None
    format: str | None = None
    entries: Sequence[DraftLine] = ()


class _TextLine(NamedTuple):
    """A line of text that names a card.

    Attributes:
        zone_id: the zone given by the text, or `_OTHER_ZONES`; None if it gives none.
    """

    line: int
    text: str
    copies: int
    name: str
    zone_id: str | None


def parse_deck_text(repository: DeckRepository, text: str, faction: str | None) -> ParsedDeck:
    """Parse a deck from text of any supported form.

    Args:
        faction: the faction whose cards are meant by names that several factions use.
    """
    game, stripped = repository.model, text.strip()
    if stripped.startswith("<"):
        return _parse_xml(repository, stripped, faction)
    return _resolve_lines(game, "text", "", [*_parse_lines(game, text)], faction)


def _parse_xml(repository: DeckRepository, text: str, faction: str | None) -> ParsedDeck:
    """Parse a deck list or a Cockatrice file."""
    data, path, report = text.encode(), Path("deck.xml"), Report()
    with override_files({path: data}):
        root = load_document(path, report)
    if root is not None and root.tag == "cockatrice_deck":
        main = repository.model.setup.main_zone.id
        cards = [
            (zone.get("name"), card)
            for zone in root.children_named("zone")
            for card in zone.children
        ]
        rows = []
        for number, (zone, card) in enumerate(cards, 1):
            card_name, copies = card.get("name") or "", card.get("number") or ""
            is_number = copies.isdecimal() and len(copies) < len(str(MAX_ZONE_COPIES))
            where = main if zone == "main" else _OTHER_ZONES
            if card_name:
                count = int(copies) if is_number else 1
                rows.append(_TextLine(number, card_name, count, card_name, where))
        name = next((each.text.strip() for each in root.children_named("deckname")), "")
        return _resolve_lines(repository.model, "cockatrice", name, rows, faction)
    deck = repository.read_bytes(data, report) if root is not None else None
    problems = [
        LineProblem("file", each.location.line if each.location else 0, message=each.message)
        for each in report
    ]
    if deck is None:
        return ParsedDeck("xml", problems)
    draft = serialize_draft(repository.model, deck)
    known = draft.faction if draft.faction in repository.model.factions else None
    return ParsedDeck("xml", problems, draft.name, known, draft.format, draft.entries)


def _parse_lines(game: Game, text: str) -> Iterator[_TextLine]:
    """Yield the lines that name cards; a zone's name alone is a heading."""
    where: str | None = None
    headings = {zone.name.casefold(): zone.id for zone in game.setup.zones}
    headings |= {zone.id.casefold(): zone.id for zone in game.setup.zones}
    headings.setdefault(_OTHER_ZONES, _OTHER_ZONES)
    for number, line in enumerate(text.splitlines()[:MAX_LINES], 1):
        plain = to_nfc(line.strip())
        if not plain or _COMMENT.match(plain):
            continue
        heading = plain.strip("[]: ").casefold()
        if heading in headings:
            where = headings[heading]
            continue
        zone = _OTHER_ZONES if _SIDEBOARD_PREFIX.match(plain) else where
        plain = _SIDEBOARD_PREFIX.sub("", plain)
        match = _COPIES_FIRST.match(plain) or _COPIES_LAST.match(plain)
        copies, name = (int(match["copies"]), match["name"]) if match else (1, plain)
        yield _TextLine(number, line.strip(), copies, name.strip(), zone)


def _resolve_lines(
    game: Game, form: str, name: str, rows: list[_TextLine], faction: str | None
) -> ParsedDeck:
    entries: dict[tuple[str, str | None], DraftLine] = {}
    problems: list[LineProblem] = []
    for row in rows:
        cards = _find_cards(game, row.name, faction)
        if len(cards) == 1 and 0 < row.copies <= MAX_ZONE_COPIES:
            (card,) = cards
            # The zone given by the text, if it admits the card.
            zones = [*zones_of(game, card)] if card.faction_id in game.factions else []
            matching = [zone for zone in zones if zone.id == row.zone_id]
            if row.zone_id == _OTHER_ZONES and not matching:
                matching = [zone for zone in zones if zone is not game.setup.main_zone]
            zone = next((zone.id for zone in (*matching, *zones)), None)
            key = key_of(card), zone
            former = entries.get(key)
            copies = min(MAX_ZONE_COPIES, row.copies + (former.copies if former else 0))
            entries[key] = DraftLine(key[0], copies, zone)
            continue
        kind = "several"
        if not cards:
            kind = "unknown"
            near = find_nearest(row.name, (card.name for card in game.cards.values()))
            cards = [card for card in game.cards.values() if card.name in near]
        elif not 0 < row.copies <= MAX_ZONE_COPIES:
            kind, cards = "number", []
        candidates = tuple(map(key_of, cards[:_MAX_CANDIDATES]))
        problems.append(LineProblem(kind, row.line, row.text, candidates=candidates))
    return ParsedDeck(form, problems, name, entries=[*entries.values()])


def _find_cards(game: Game, text: str, faction: str | None) -> list[Card]:
    """Return the cards that match a name or an id; more than one if it is ambiguous."""
    match = _NAME_AND_KEY.match(text)
    for name in (match["key"], match["name"]) if match else (text,):
        folded = name.casefold()
        all_cards = game.cards.values()
        by_key = [card for card in all_cards if folded == f"{card.faction_id}:{card.id}".casefold()]
        by_id = [card for card in all_cards if folded == card.id.casefold()]
        by_name = [card for card in all_cards if folded == to_nfc(card.name).casefold()]
        cards = by_key or by_id or by_name
        own = [card for card in cards if card.faction_id == faction]
        if cards:
            return own or cards
    return []


FILE_ENDINGS: Final = {"text": "txt", "ids": "txt", "cockatrice": "cod", "xml": "xml"}
"""The endings of file names by form of text."""


def format_deck(game: Game, deck: Deck, form: str) -> str:
    """Format a deck as text.

    Raises:
        ChoiceError: if there is no such form.
    """
    require_known(form, FILE_ENDINGS, "form")
    if form == "xml":
        return format_deck_file(drop_default_zones(game, deck)).decode()
    lines, parts = assign_zones(game, deck), list[str]()
    if form == "cockatrice":
        for name in ("main", "side"):
            parts.append(f'  <zone name="{name}">')
            parts += [
                f'    <card number="{line.entry.copies}" name={quoteattr(line.card.name)}/>'
                for line in lines
                if (line.zone is game.setup.main_zone) == (name == "main")
            ]
            parts.append("  </zone>")
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                '<cockatrice_deck version="1">',
                f"  <deckname>{escape(deck.name)}</deckname>",
                *parts,
                "</cockatrice_deck>\n",
            ]
        )
    # A line for each card, with a heading for each zone but the first.
    names = Counter(card.name for card in game.cards.values())
    last = None
    for place, line in enumerate(lines):
        zone = line.zone.name if line.zone else ""
        if place and zone != last:
            parts.append("")
        if zone != last and (place or zone != game.setup.zones[0].name):
            parts.append(f"{zone}:")
        last = zone
        key = key_of(line.card)
        name = line.card.name if names[line.card.name] == 1 else f"{line.card.name} ({key})"
        parts.append(f"{line.entry.copies} {key if form == 'ids' else name}")
    return "\n".join(parts) + "\n"


def deck_file_name(deck: Deck, form: str) -> str:
    """Return a file name for a deck's text."""
    stem = re.sub(r"[\W_]+", "_", sort_key(deck.name)).strip("_")
    return f"{stem or 'deck'}.{FILE_ENDINGS[form]}"
