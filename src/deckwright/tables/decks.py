"""Compare the table of deck lists that was read with the game's deck lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deckwright.base.findings import Report, known_hint
from deckwright.tables.cells import value_in
from deckwright.tables.changes import AmountChange
from deckwright.tables.export import AMOUNT, deck_names
from deckwright.tables.heads import Row
from deckwright.tables.keys import E011
from deckwright.tables.records import DeckList, Key, Loaded
from deckwright.tables.table import lost_zeros


class DeckComparison:
    """Compares the rows of the table of decks with the deck lists.

    Attributes:
        changes: what differs.
        missing: the cards that decks have, and that have no row.
    """

    def __init__(self, loaded: Loaded, new: Mapping[Key, str], report: Report) -> None:
        """Take a game, the names of cards that are new to it, and where to report what is wrong."""
        self._decks = loaded.decks
        self._names = {**deck_names(loaded), **new}
        self._by_id: dict[str, list[Key]] = {}
        for key in self._names:
            self._by_id.setdefault(key[1], []).append(key)
        self._factions = loaded.game.factions
        self._report = report
        self._seen: dict[Key, Row] = {}
        self.changes: list[AmountChange] = []
        self.missing: list[Key] = []

    def run(self, rows: Sequence[Row]) -> None:
        """Compare all rows."""
        for row in rows:
            key = self._key(row)
            for deck in self._decks if key else ():
                assert key is not None
                self._compare(deck, key, row)
        self.missing = [
            key
            for key in self._names
            if key not in self._seen and any(deck.amount(key) for deck in self._decks)
        ]

    def remove_missing(self) -> None:
        """Take the cards without a row out of all decks."""
        self.changes += [
            AmountChange(deck, key, self._names[key], 0, None)
            for key in self.missing
            for deck in self._decks
            if deck.amount(key)
        ]

    def _compare(self, deck: DeckList, key: Key, row: Row) -> None:
        cell = row.cells.get(deck.title)
        if cell is None:
            return
        value = "0" if cell.blank else value_in(AMOUNT, cell, self._report)
        if value is not None and int(value) != deck.amount(key):
            self.changes.append(AmountChange(deck, key, self._names[key], int(value), cell))

    def _key(self, row: Row) -> Key | None:
        """Return which card a row is about, None after reporting that this cannot be said."""
        if any(row.cells.get(title, row.first) is None for title in ("id", "faction_id")):
            return None
        faction_id, card_id = row.text("faction_id"), row.text("id")
        keys = [key for key in self._by_id.get(card_id, ()) if faction_id in {key[0], ""}]
        title, message, hint = "id", "", None
        if not card_id:
            message = f"row {row.number} has no id, so it belongs to no card"
            hint = "give it an id, or clear the row"
        elif len(keys) > 1:
            title = "faction_id"
            message = f"the row of `{card_id}` does not say which faction it belongs to"
            hint = known_hint("", self._factions)
        elif not keys:
            of = f" of faction `{faction_id}`" if faction_id else ""
            known = [key[1] for key in self._names if faction_id in {key[0], ""}]
            message = f"there is no card `{card_id}`{of}"
            zeros = lost_zeros(card_id, known)
            hint = f"write `{zeros}`" if zeros else known_hint(card_id, known, at_most=0)
        elif keys[0] in self._seen:
            message = f"`{card_id}` already has a row, {self._seen[keys[0]].number}"
            hint = "remove one of them"
        if message:
            cell = row.cells.get(title) or row.cells.get("id") or row.first
            self._report.append(cell.finding(E011, message, hint))
            return None
        self._seen[keys[0]] = row
        return keys[0]
