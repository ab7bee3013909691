"""Export decks for Tabletop Simulator: load, check, compose, draw sheets and write objects.

All findings go into the report. The object is written last, so that it never refers to missing
pictures.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import write_data
from deckwright.base.strings import dump_safe_json
from deckwright.base.units import MM_PER_UNIT, Mm
from deckwright.faces.card_text import card_text
from deckwright.faces.copies import Copy
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, Game
from deckwright.outputs.tabletop.sheets import (
    CardPile,
    FaceSheet,
    TableOptions,
    draw_thumbnail,
    encode_picture,
    index_cards,
    load_piles,
    make_sheets,
    write_sheet,
)

Object = dict[str, Any]

_FIRST_NUMBER, _NUMBER_RANGE = 1_000, 900_000
"""The range of sheet numbers, large enough that two decks rarely collide."""

_CARD_HEIGHT: Mm = 80
"""The approximate height of a card of scale 1 on the table, where a unit is an inch."""

_GAP: Mm = 15
_TEMPLATES: Mapping[str, Object] = json.loads(
    Path(__file__).with_name("saved_object.json").read_text(encoding="utf-8")
)
"""A save without objects, and an object lying face down; gray leaves pictures untinted."""


def saved_object(
    game: Game,
    deck: Deck,
    piles: Sequence[CardPile],
    sheets: Sequence[FaceSheet],
    urls: Mapping[int, Sequence[str]],
) -> str:
    """Return a saved object with all piles of a deck side by side.

    Args:
        urls: the URLs of the faces and the backs, by sheet number.
    """
    maker = _ObjectMaker(game, sheets, urls, f"{game.setup.name}/{deck.stem}")
    objects, x = [], 0.0
    for pile in piles:
        width = pile.cards[0].face.width
        objects.append(maker.make_pile(pile, (x + width / 2) / MM_PER_UNIT["in"]))
        x += width + _GAP
    state = {**_TEMPLATES["save"], "SaveName": deck.name, "ObjectStates": objects}
    return dump_safe_json(state) + "\n"


class _ObjectMaker:
    """Makes the objects of one file."""

    def __init__(
        self, game: Game, sheets: Sequence[FaceSheet], urls: Mapping[int, Sequence[str]], seed: str
    ) -> None:
        self._game = game
        self._seed = seed
        self._guids: set[int] = set()
        numbers: set[int] = set()
        self._places = index_cards(sheets)
        self._decks: dict[int, tuple[int, Object]] = {}
        for sheet in sheets:
            number = _take_number(f"{seed}/sheet/{sheet.number}", _NUMBER_RANGE, numbers)
            face_url, back_url = urls[sheet.number]
            deck = {
                "FaceURL": face_url,
                "BackURL": back_url,
                "NumWidth": sheet.grid.columns,
                "NumHeight": sheet.grid.rows,
                # Other players see the back of a card in a hand.
                "BackIsHidden": True,
                "UniqueBack": sheet.mixed,
                "Type": 0,
            }
            self._decks[sheet.number] = _FIRST_NUMBER + number, deck

    def make_pile(self, pile: CardPile, x: float) -> Object:
        """Return a pile centered at x; a single card is not a deck."""
        cards = [self._card(card, f"{pile.name}/{n}") for n, card in enumerate(pile.cards)]
        if len(cards) == 1:
            cards[0]["Transform"]["posX"] = round(x, 3)
            return cards[0]
        decks = {key: deck for card in cards for key, deck in card["CustomDeck"].items()}
        # The program uses this name for a deck from one sheet, and "Deck" for any other.
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
        """Return the common properties of objects, which lie face down."""
        scale = round(height / _CARD_HEIGHT, 4)
        guid = _take_number(f"{self._seed}/{place}", 16**6, self._guids)
        empty = _TEMPLATES["object"]
        return {
            **empty,
            "GUID": f"{guid:06x}",
            "Name": kind,
            "Transform": {**empty["Transform"], "scaleX": scale, "scaleZ": scale},
            "Nickname": name,
            "Description": text,
        }


def _take_number(seed: str, among: int, used: set[int]) -> int:
    """Return a free number below `among`, derived from `seed`, and mark it as taken."""
    number = int.from_bytes(blake2b(os.fsencode(seed), digest_size=8).digest()) % among
    while number in used:
        number = (number + 1) % among
    used.add(number)
    return number


PICTURES = "pictures"
"""The folder of the sheets, beside the saved objects."""


class TabletopExport(NamedTuple):
    """An exported deck: the saved object at `path`, and its pictures."""

    name: str
    path: Path
    piles: tuple[CardPile, ...]
    sheets: tuple[FaceSheet, ...]
    pictures: tuple[Path, ...]
    findings: tuple[Diagnostic, ...] = ()


def export_saved_object(
    folder: GameFolder, deck_path: Path, target: Path, options: TableOptions, report: Report
) -> TabletopExport:
    """Write a deck as a saved object of Tabletop Simulator, next to its thumbnail and pictures."""
    ready = load_piles(folder, deck_path, options.style, options.rules, report)
    game, deck, piles, factory = ready
    sheets = make_sheets(piles)
    urls: dict[int, list[str]] = {}
    paths: list[Path] = []
    for sheet in sheets:  # one at a time, to save memory
        files = write_sheet(sheet, target.stem, target.parent / PICTURES, factory, options.form)
        urls[sheet.number] = [url_of(path, data, options.url) for path, data in files]
        paths += (path for path, _ in files)
    text = saved_object(game, deck, piles, sheets, urls)
    _, picture = encode_picture(draw_thumbnail(piles[0].cards[0], factory), "png")
    write_data(target.with_suffix(".png"), picture)
    write_data(target, text.encode())
    return TabletopExport(deck.name, target, piles, tuple(sheets), tuple(paths))


def url_of(path: Path, data: bytes, base: str | None) -> str:
    """Return the URL of a picture, with the base URL if it has one, else a file URL.

    Tabletop Simulator caches downloads by URL, so the URL must change with the picture. File URLs
    are not escaped.
    """
    if base is None:
        return f"file:///{path.resolve().as_posix().lstrip('/')}"
    version = blake2b(data, digest_size=4).hexdigest()
    return f"{base.rstrip('/')}/{quote(path.name)}?v={version}"
