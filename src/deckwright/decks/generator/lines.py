"""Decks as lines of a run: JSON, an object a line (https://jsonlines.org)."""

from __future__ import annotations

import json
from typing import NamedTuple

from deckwright.decks.generator.draws import Draws
from deckwright.decks.generator.making import LEGACY, MAVERICK, Content, Mark
from deckwright.decks.generator.stock import Stock
from deckwright.game.model import Game

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32, without letters that are taken for digits: https://www.crockford.com."""
_CODE = 8


class Line(NamedTuple):
    """A deck of a run.

    Attributes:
        number, attempt: from which it is made, with the seed.
        id: the same, such as D-004711, or D-004711.2 of a second attempt.
        text: its line, without its end.
    """

    number: int
    attempt: int
    id: str
    name: str
    content: Content
    text: str


def deck_id(prefix: str, number: int, attempt: int) -> str:
    """Return the id of a deck, which says how it can be made again."""
    return f"{prefix}-{number:06}" + (f".{attempt}" if attempt > 1 else "")


def code_of(seed: str, number: int, attempt: int) -> str:
    """Return the code of a deck: eight characters that nobody guesses who lacks the seed."""
    draws = Draws(seed, number, attempt, "code")
    return "".join(_DIGITS[draws.below(len(_DIGITS))] for _ in range(_CODE))


class Writer:
    """Writes lines; what lines have in common is written once."""

    def __init__(self, game: Game, stock: Stock, prefix: str, format_id: str | None) -> None:
        """Take the cards that decks consist of, and what all decks have in common."""
        self._game, self._stock = game, stock
        self._prefix = prefix
        self._format = f', "format": {json.dumps(format_id)}' if format_id else ""
        self._cards: dict[tuple[int, Mark | None, int, str], str] = {}

    def line(self, seed: str, number: int, attempt: int, name: str, content: Content) -> Line:
        """Return a deck as a line."""
        own = content.houses[0]
        cards = ", ".join(self._card(card, mark, n, own) for card, mark, n in content.lines)
        own_id = deck_id(self._prefix, number, attempt)
        name = name or own_id
        factions = self._game.factions
        values = {
            "id": own_id,
            "name": name,
            "serial": f"{number:06}",
            "code": code_of(seed, number, attempt),
            "houses": ", ".join(factions[house].name for house in content.houses),
        }
        for what, key in ((MAVERICK, "mavericks"), (LEGACY, "legacies")):
            marked = dict.fromkeys(
                self._stock.cards[card].name
                for card, mark, _ in content.lines
                if mark and mark.what == what
            )
            if marked:
                values[key] = ", ".join(marked)
        text = (
            f'{{"id": {_json(own_id)}, "name": {_json(name)}, "faction": {_json(own)}{self._format}'
            f', "cards": [{cards}], "values": {_json(values)}}}'
        )
        return Line(number, attempt, own_id, name, content, text)

    def _card(self, at: int, mark: Mark | None, copies: int, own: str) -> str:
        key = at, mark, copies, own
        if key not in self._cards:
            card = self._stock.cards[at]
            said: dict[str, object] = {"id": card.id, "amount": copies}
            if card.faction_id != own:
                said["faction"] = card.faction_id
            if mark is not None:
                house = self._game.factions[mark.house].name
                said["values"] = {mark.what: house if mark.what == MAVERICK else 1}
            self._cards[key] = _json(said)
        return self._cards[key]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
