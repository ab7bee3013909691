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
from deckwright.decks.stats import DeckStats
from deckwright.faces.copies import Copy, Key
from deckwright.faces.deck_copies import deck_copies
from deckwright.faces.factory import FaceFactory
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath

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


class Pile(NamedTuple):
    """Cards of one size that lie on each other: every copy, in the order of the deck list."""

    name: str
    cards: tuple[Copy, ...]


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
    cards: tuple[Copy, ...]
    grid: Grid
    mixed: bool


def piles_of(stats: DeckStats, factory: FaceFactory, report: Report) -> list[Pile]:
    """Return the piles of a deck, zone by zone, and at last its tokens.

    What cannot be composed is reported. A zone with cards of several sizes is as many piles.
    Backs that look the same are one; cards without one get one in the color of their faction.
    """
    game, deck, backs = factory.game, stats.deck, list[Face]()
    parts: dict[str, dict[tuple[Mm, Mm], list[Copy]]] = {}
    kinds: dict[tuple[Mm, Mm], dict[str, None]] = {}
    for copy in deck_copies(stats, factory, report, backs=True):
        back = copy.back
        if back is None:
            color = game.factions[copy.faction_id].color
            back = Face(*copy.size, (FillPath(outlines.rectangle(0, 0, *copy.size), color),))
        alike = (known for known in backs if known == back._replace(subject=known.subject))
        back = next(alike, back)
        if all(known is not back for known in backs):
            backs.append(back)
        kinds.setdefault(copy.size, {})[copy.card.kind.name] = None
        pile = parts.setdefault(copy.part, {}).setdefault(copy.size, [])
        pile.append(copy._replace(back=back))
    piles = []
    for part, sizes in parts.items():
        for size, copies in sizes.items():
            only = f" ({', '.join(kinds[size])})" if len(sizes) > 1 else ""
            name = deck.name if part == deck.name else f"{deck.name} – {part}"
            piles.append(Pile(f"{name}{only}", tuple(copies)))
    return piles


def sheets_of(piles: Iterable[Pile]) -> list[Sheet]:
    """Return the sheets that hold each card of some piles once.

    Cards with the same back share sheets, so that one picture is enough for their backs; only
    backs of few cards are put together on mixed sheets.
    """
    sizes: dict[tuple[Mm, Mm], dict[int, dict[Key, Copy]]] = {}
    for card in (card for pile in piles for card in pile.cards):
        backs = sizes.setdefault(card.size, {})
        backs.setdefault(id(card.back), {})[card.key] = card
    sheets: list[Sheet] = []
    for size, backs in sizes.items():
        groups = [list(cards.values()) for cards in backs.values()]
        few = [card for cards in groups if len(cards) < _OWN_SHEET for card in cards]
        for cards in [*(cards for cards in groups if len(cards) >= _OWN_SHEET), few]:
            for some in _portions(cards):
                mixed = len({id(card.back) for card in some}) > 1
                grid = grid_for(len(some), *size)
                sheets.append(Sheet(len(sheets) + 1, tuple(some), grid, mixed))
    return sheets


def _portions(cards: Sequence[Copy]) -> Iterator[Sequence[Copy]]:
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


def places_of(sheets: Sequence[Sheet]) -> Mapping[Key, tuple[Sheet, int]]:
    """Return the sheet and the cell of every card, by its key."""
    return {card.key: (sheet, index) for sheet in sheets for index, card in enumerate(sheet.cards)}
