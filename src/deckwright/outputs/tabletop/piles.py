"""Decks for virtual tables: which cards lie in which pile, and on which sheet of pictures.

Tabletop Simulator takes the faces of cards from sheets: pictures with a grid of up to 10 × 7 equal
cells. The last cell of a sheet is shown for cards in other players' hands, so it holds no card.
After its Knowledge Base (https://kb.tabletopsimulator.com/custom-content/custom-deck/).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckwright.base.findings import Report
from deckwright.base.units import PER_UNIT, Mm
from deckwright.checks.limits import zoned
from deckwright.faces.backs import back_name
from deckwright.faces.factory import FaceFactory
from deckwright.game.decklist import tokens_of
from deckwright.game.model import Card, Deck, Game
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath
from deckwright.outputs.tabletop.card_text import card_text

MOST_COLUMNS, MOST_ROWS = 10, 7
MOST_CARDS = MOST_COLUMNS * MOST_ROWS - 1
"""The most cards on a sheet: the last cell is the hidden one."""

LONGEST_SIDE = 4096
"""The most pixels that a side of a sheet may have."""

_FEWEST = 2
"""The fewest columns and rows that the program's own dialog knows."""

_FINEST = 300 / PER_UNIT["in"]
"""Pixels to the millimetre beyond which faces hold nothing more to see."""

_OWN_SHEET = 10
"""How many cards with one back are worth a sheet of their own; fewer share one with others."""


class TableCard(NamedTuple):
    """A card on the table. A card of several parts is as many, for they lie side by side.

    Attributes:
        key: names it in its deck.
        text: what it says, for searches and tooltips.
        back_name: names its back; cards with the same name have the same back.
    """

    key: str
    name: str
    text: str
    face: Face
    back: Face
    back_name: str

    @property
    def size(self) -> tuple[Mm, Mm]:
        """Width and height of its trim box."""
        return self.face.width, self.face.height


class Pile(NamedTuple):
    """Cards of one size that lie on each other: every copy, in the order of the deck list."""

    name: str
    cards: tuple[TableCard, ...]


class Grid(NamedTuple):
    """How a sheet is divided; `cell` is the width and height of a cell in pixels."""

    columns: int
    rows: int
    cell: tuple[int, int]

    @property
    def last(self) -> int:
        """The number of the hidden cell, from 0."""
        return self.columns * self.rows - 1

    def place(self, index: int) -> tuple[int, int]:
        """Return the top left corner of a cell in pixels; cells count by rows, from 0."""
        return index % self.columns * self.cell[0], index // self.columns * self.cell[1]


class Sheet(NamedTuple):
    """A sheet of pictures: different cards of one size.

    Attributes:
        number: from 1.
        mixed: whether its cards have different backs, so that these are a sheet, too.
    """

    number: int
    cards: tuple[TableCard, ...]
    grid: Grid
    mixed: bool


def piles_of(game: Game, deck: Deck, factory: FaceFactory, report: Report) -> list[Pile]:
    """Return the piles of a deck, zone by zone, and at last its tokens.

    What cannot be composed is reported. A zone with cards of several sizes is as many piles.
    """
    maker = _Maker(game, factory, report)
    lines = [(line.zone.name if line.zone else "", line.card, line.card.faction_id,
              line.entry.copies) for line in zoned(game, deck)]  # fmt: skip
    tokens = game.setup.words["tokens"]
    lines += [(tokens, c.token, deck.faction_id, c.copies) for c in tokens_of(game, deck)]
    parts: dict[str, dict[tuple[Mm, Mm], list[TableCard]]] = {}
    kinds: dict[tuple[Mm, Mm], dict[str, None]] = {}
    for part, card, faction_id, copies in lines:
        size = card.kind.width, card.kind.height
        kinds.setdefault(size, {})[card.kind.name] = None
        pile = parts.setdefault(part, {}).setdefault(size, [])
        pile += maker.cards(card, faction_id) * copies
    piles = []
    for part, sizes in parts.items():
        for size, cards in sizes.items():
            only = f" ({', '.join(kinds[size])})" if len(sizes) > 1 else ""
            name = f"{deck.name} – {part}" if part else deck.name
            piles.append(Pile(f"{name}{only}", tuple(cards)))
    return [pile for pile in piles if pile.cards]


class _Maker:
    """Makes cards for the table, each once."""

    def __init__(self, game: Game, factory: FaceFactory, report: Report) -> None:
        self._game = game
        self._workshop = factory
        self._report = report
        self._made: dict[tuple[int, str], list[TableCard]] = {}
        self._backs: list[tuple[str, Face]] = []

    def cards(self, card: Card, faction_id: str) -> list[TableCard]:
        key = id(card), faction_id
        if key not in self._made:
            self._made[key] = list(self._make(card, faction_id))
        return self._made[key]

    def _make(self, card: Card, faction_id: str) -> Iterator[TableCard]:
        faces = self._workshop.card_faces(card, faction_id, self._report)
        back_name, back = self._back(card, faction_id)
        text = card_text(self._game, card, faction_id)
        for number, face in enumerate(faces, 1):
            name = f"{card.name} ({number}/{card.parts})" if card.parts > 1 else card.name
            key = f"{faction_id}/{card.kind.tag}/{card.id}/{number}"
            yield TableCard(key, name, text, face, back, back_name)

    def _back(self, card: Card, faction_id: str) -> tuple[str, Face]:
        """Return the back of a card with its name; backs that look the same are one.

        Cards without a back get one in the color of their faction.
        """
        kind = card.kind
        back = self._workshop.card_back(card, faction_id, self._report)
        if back is None:
            outline = outlines.rectangle(0, 0, kind.width, kind.height)
            color = self._game.factions[faction_id].color
            back = Face(kind.width, kind.height, (FillPath(outline, color),))
        for known in self._backs:
            if known[1] == back._replace(subject=known[1].subject):
                return known
        self._backs.append((back_name(self._game, card, faction_id), back))
        return self._backs[-1]


def sheets_of(piles: Iterable[Pile]) -> list[Sheet]:
    """Return the sheets that hold each card of some piles once.

    Cards with the same back share sheets, so that one picture is enough for their backs; only
    backs of few cards are put together on mixed sheets.
    """
    sizes: dict[tuple[Mm, Mm], dict[str, dict[str, TableCard]]] = {}
    for card in (card for pile in piles for card in pile.cards):
        backs = sizes.setdefault(card.size, {})
        backs.setdefault(card.back_name, {})[card.key] = card
    sheets: list[Sheet] = []
    for size, backs in sizes.items():
        groups = [list(cards.values()) for cards in backs.values()]
        few = [card for cards in groups if len(cards) < _OWN_SHEET for card in cards]
        for cards in [*(cards for cards in groups if len(cards) >= _OWN_SHEET), few]:
            for some in _portions(cards):
                mixed = len({card.back_name for card in some}) > 1
                grid = grid_for(len(some), *size)
                sheets.append(Sheet(len(sheets) + 1, tuple(some), grid, mixed))
    return sheets


def _portions(cards: Sequence[TableCard]) -> Iterator[Sequence[TableCard]]:
    """Yield as few parts of cards as there can be, about equally large, so that cells are large."""
    number = math.ceil(len(cards) / MOST_CARDS)
    for part in range(number):
        yield cards[len(cards) * part // number : len(cards) * (part + 1) // number]


def grid_for(cards: int, width: Mm, height: Mm) -> Grid:
    """Return the grid for a number of cards and a hidden cell, with cells as large as can be.

    Of those that make them equally large it is the one with the fewest cells.

    Args:
        width, height: the trim box of the cards.
    """
    choices = [
        (columns, rows)
        for columns in range(_FEWEST, MOST_COLUMNS + 1)
        for rows in range(_FEWEST, MOST_ROWS + 1)
        if columns * rows > cards
    ]

    def scale(choice: tuple[int, int]) -> float:
        columns, rows = choice
        most = LONGEST_SIDE // columns / width, LONGEST_SIDE // rows / height
        return min(*most, _FINEST)

    columns, rows = max(choices, key=lambda choice: (scale(choice), -choice[0] * choice[1], choice))
    best = scale((columns, rows))
    # The shorter side sets the scale, so that rounding bends the shape of a face the least.
    short, long = sorted((width, height))
    few = max(1, int(short * best + 1e-6))
    many = max(1, round(few * long / short))
    cell = (few, many) if width <= height else (many, few)
    limits = LONGEST_SIDE // columns, LONGEST_SIDE // rows
    return Grid(columns, rows, (min(cell[0], limits[0]), min(cell[1], limits[1])))


def places_of(sheets: Sequence[Sheet]) -> Mapping[str, tuple[Sheet, int]]:
    """Return the sheet and the cell of every card, by its key."""
    return {card.key: (sheet, index) for sheet in sheets for index, card in enumerate(sheet.cards)}
