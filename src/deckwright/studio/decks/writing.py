"""Drafts as text: for people, with ids, for Cockatrice, and as a deck list's file has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from deckwright.base.choices import demand
from deckwright.checks.zoning import Line, zoned
from deckwright.decks.lines import as_file
from deckwright.game.decklist import sort_key
from deckwright.game.model import Deck, Game
from deckwright.studio.decks.drafts import key_of, without_usual_zones

ENDINGS: Final = {"text": "txt", "ids": "txt", "cockatrice": "cod", "xml": "xml"}
"""The forms of texts, each with the ending of its files."""


def text_of(game: Game, deck: Deck, form: str) -> str:
    """Return a deck as text.

    Raises:
        ChoiceError: if there is no such form.
    """
    demand(form, ENDINGS, "form")
    if form == "xml":
        return as_file(without_usual_zones(game, deck)).decode()
    if form == "cockatrice":
        return _cockatrice(game, deck)
    return "\n".join(_lines(game, deck, ids=form == "ids")) + "\n"


def file_name(deck: Deck, form: str) -> str:
    """Return what a file with a deck's text is called."""
    safe = "".join(letter if letter.isalnum() else "_" for letter in sort_key(deck.name))
    return f"{'_'.join(filter(None, safe.split('_'))) or 'deck'}.{ENDINGS[form]}"


def _lines(game: Game, deck: Deck, *, ids: bool) -> Iterator[str]:
    """Yield a line for each card; zones but the first have a heading."""
    names = Counter(card.name for card in game.cards.values())
    last = None
    for place, line in enumerate(zoned(game, deck)):
        zone = line.zone.name if line.zone else ""
        if place and zone != last:
            yield ""
        if zone != last and (place or zone != game.setup.zones[0].name):
            yield f"{zone}:"
        last = zone
        key = key_of((line.card.faction_id, line.card.id))
        name = line.card.name if names[line.card.name] == 1 else f"{line.card.name} ({key})"
        yield f"{line.entry.copies} {key if ids else name}"


def _cockatrice(game: Game, deck: Deck) -> str:
    lines = zoned(game, deck)
    main = [line for line in lines if line.zone is game.setup.main_zone]
    side = [line for line in lines if line.zone is not game.setup.main_zone]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<cockatrice_deck version="1">',
            f"  <deckname>{escape(deck.name)}</deckname>",
            *_cockatrice_zone("main", main),
            *_cockatrice_zone("side", side),
            "</cockatrice_deck>\n",
        ]
    )


def _cockatrice_zone(name: str, lines: Iterable[Line]) -> Iterator[str]:
    yield f'  <zone name="{name}">'
    for line in lines:
        yield f'    <card number="{line.entry.copies}" name={quoteattr(line.card.name)}/>'
    yield "  </zone>"
