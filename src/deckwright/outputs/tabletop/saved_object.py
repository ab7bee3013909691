"""Saved objects of Tabletop Simulator: piles of cards as JSON.

After its Knowledge Base (https://kb.tabletopsimulator.com/custom-content/save-file-format/). The
id of a card is the number of its sheet, times 100, plus the number of its cell, from 0.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from deckwright.base.units import PER_UNIT, Mm
from deckwright.base.visible import visible_json
from deckwright.faces.card_text import card_text
from deckwright.faces.copies import Copy
from deckwright.game.model import Deck, Game
from deckwright.outputs.tabletop.piles import Pile, Sheet, places_of

Object = dict[str, Any]

_FIRST_NUMBER, _NUMBERS = 1_000, 900_000
"""Sheets get numbers in this range, so that those of two decks are hardly ever the same."""

_CARD_HEIGHT: Mm = 80
"""The height of a card of scale 1 on the table, about, where a unit is an inch."""

_GAP: Mm = 15
_EMPTY: Mapping[str, Object] = json.loads(
    Path(__file__).with_name("saved_object.json").read_text(encoding="utf-8")
)
"""A save without objects, and an object that lies face down; gray shows pictures as they are."""


class Urls(NamedTuple):
    """Where the pictures of a sheet are."""

    faces: str
    backs: str


def saved_object(
    game: Game, deck: Deck, piles: Sequence[Pile], sheets: Sequence[Sheet], urls: Mapping[int, Urls]
) -> str:
    """Return the file of a saved object with all piles of a deck side by side.

    Args:
        urls: the places of the pictures, by the numbers of sheets.
    """
    maker = _Maker(game, sheets, urls, f"{game.setup.name}/{deck.stem}")
    state = {**_EMPTY["save"], "SaveName": deck.name, "ObjectStates": maker.side_by_side(piles)}
    return visible_json(state) + "\n"


class _Maker:
    """Makes the objects of one file."""

    def __init__(
        self, game: Game, sheets: Sequence[Sheet], urls: Mapping[int, Urls], seed: str
    ) -> None:
        self._game = game
        self._seed = seed
        self._guids: set[int] = set()
        numbers: set[int] = set()
        self._places = places_of(sheets)
        self._decks: dict[int, tuple[int, Object]] = {}
        for sheet in sheets:
            number = _free(f"{seed}/sheet/{sheet.number}", _NUMBERS, numbers)
            deck = {
                "FaceURL": urls[sheet.number].faces,
                "BackURL": urls[sheet.number].backs,
                "NumWidth": sheet.grid.columns,
                "NumHeight": sheet.grid.rows,
                # What others see of a card in a hand is its back.
                "BackIsHidden": True,
                "UniqueBack": sheet.mixed,
                "Type": 0,
            }
            self._decks[sheet.number] = _FIRST_NUMBER + number, deck

    def side_by_side(self, piles: Sequence[Pile]) -> list[Object]:
        objects, x = [], 0.0
        for pile in piles:
            width = pile.cards[0].face.width
            objects.append(self._pile(pile, (x + width / 2) / PER_UNIT["in"]))
            x += width + _GAP
        return objects

    def _pile(self, pile: Pile, x: float) -> Object:
        """Return a pile with its middle at x; a single card cannot be a deck."""
        cards = [self._card(card, f"{pile.name}/{n}") for n, card in enumerate(pile.cards)]
        if len(cards) == 1:
            cards[0]["Transform"]["posX"] = round(x, 3)
            return cards[0]
        decks = {key: deck for card in cards for key, deck in card["CustomDeck"].items()}
        # The program itself calls a deck from one sheet so, and any other just "Deck".
        kind = "DeckCustom" if len(decks) == 1 else "Deck"
        base = self._base(kind, pile.name, "", pile.cards[0].face.height, pile.name)
        base["Transform"]["posX"] = round(x, 3)
        return {
            **base,
            "Hands": False,
            "DeckIDs": [card["CardID"] for card in cards],
            "CustomDeck": decks,
            "ContainedObjects": cards,
        }

    def _card(self, card: Copy, place: str) -> Object:
        sheet, index = self._places[card.key]
        number, deck = self._decks[sheet.number]
        text = card_text(self._game, card.card, card.faction_id)
        return {
            **self._base("Card", card.name, text, card.face.height, place),
            "Hands": True,
            "CardID": number * 100 + index,
            "CustomDeck": {str(number): deck},
        }

    def _base(self, kind: str, name: str, text: str, height: Mm, place: str) -> Object:
        """Return what all objects have; they lie face down."""
        scale = round(height / _CARD_HEIGHT, 4)
        guid = _free(f"{self._seed}/{place}", 16**6, self._guids)
        empty = _EMPTY["object"]
        return {
            **empty,
            "GUID": f"{guid:06x}",
            "Name": kind,
            "Transform": {**empty["Transform"], "scaleX": scale, "scaleZ": scale},
            "Nickname": name,
            "Description": text,
        }


def _free(seed: str, among: int, taken: set[int]) -> int:
    """Return a number below `among` that is made from `seed` and not taken, and take it."""
    number = int.from_bytes(blake2b(os.fsencode(seed), digest_size=8).digest()) % among
    while number in taken:
        number = (number + 1) % among
    taken.add(number)
    return number
