"""Compare the table of deck lists that was read with the game's deck lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deckwright.base.findings import Report
from deckwright.game.model import CardKey
from deckwright.grids.heads import Row
from deckwright.grids.values import value_in
from deckwright.tables.changes import AmountChange
from deckwright.tables.export import AMOUNT, deck_names
from deckwright.tables.keys import DeckKeys
from deckwright.tables.records import DeckList, Loaded


class DeckComparison:
    """Compares the rows of the table of decks with the deck lists.

    Attributes:
        changes: what differs.
        missing: the cards that decks have, and that have no row.
    """

    def __init__(self, loaded: Loaded, new: Mapping[CardKey, str], report: Report) -> None:
        """Take a game, the names of cards that are new to it, and where to report what is wrong."""
        self._decks = loaded.decks
        self._names = {**deck_names(loaded), **new}
        self._keys = DeckKeys(self._names, loaded.game.factions, report)
        self._report = report
        self.changes: list[AmountChange] = []
        self.missing: list[CardKey] = []

    def run(self, rows: Sequence[Row]) -> None:
        """Compare all rows."""
        for row in rows:
            if (key := self._keys.of(row)) is not None:
                for deck in self._decks:
                    self._compare(deck, key, row)
        self.missing = [
            key
            for key in self._names
            if key not in self._keys.seen and any(deck.amount(key) for deck in self._decks)
        ]

    def remove_missing(self) -> None:
        """Take the cards without a row out of all decks."""
        self.changes += [
            AmountChange(deck, key, self._names[key], 0, None)
            for key in self.missing
            for deck in self._decks
            if deck.amount(key)
        ]

    def _compare(self, deck: DeckList, key: CardKey, row: Row) -> None:
        cell = row.cells.get(deck.title)
        if cell is None:
            return
        value = "0" if cell.blank else value_in(AMOUNT, cell, self._report)
        if value is not None and int(value) != deck.amount(key):
            self.changes.append(AmountChange(deck, key, self._names[key], int(value), cell))
