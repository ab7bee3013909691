"""Which card a row of a table is about."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Container, Iterable
from typing import ClassVar

from deckwright.base.findings import Code, Report, Severity, known_hint
from deckwright.game.columns import Plan
from deckwright.game.model import CardKey
from deckwright.grids.heads import Row
from deckwright.grids.table import CellError, lost_zeros
from deckwright.tables.records import Loaded

E011 = Code(
    "E011", Severity.ERROR, "a row of a table that belongs to no card, or to another row's card"
)


def holder_of(key: CardKey, rules: Container[str]) -> str:
    """Return what holds a card: its faction, or the rule that creates a token."""
    faction_id, card_id = key
    return faction_id or (card_id if card_id in rules else card_id.rpartition("/")[0])


class Keys(ABC):
    """Finds the cards that the rows of one table are about.

    Attributes:
        seen: the rows so far.
    """

    _remedy: ClassVar[str]
    """What to do about one of two rows of one card."""

    def __init__(self, report: Report) -> None:
        """Take where to report what is wrong."""
        self._report = report
        self.seen: dict[CardKey, Row] = {}

    def of(self, row: Row) -> CardKey | None:
        """Return which card a row is about, None after reporting that this cannot be said."""
        if any(row.cells.get(title, row.first) is None for title in ("id", "faction_id")):
            return None
        try:
            key = self._unseen(row, row.text("id"))
        except CellError as error:
            cell = row.cells.get(error.title) or row.cells.get("id") or row.first
            self._report.append(cell.finding(E011, str(error), error.hint))
            return None
        self.seen[key] = row
        return key

    def _unseen(self, row: Row, card_id: str) -> CardKey:
        if not card_id:
            message = f"row {row.number} has no id, so it belongs to no card"
            raise CellError(message, "give it an id, or clear the row")
        key = self._key(card_id, row.text("faction_id"))
        if key in self.seen:
            raise CellError(f"`{card_id}` already has a row, {self.seen[key].number}", self._remedy)
        return key

    @abstractmethod
    def _key(self, card_id: str, faction_id: str) -> CardKey:
        """Return the card of a row; raise a CellError if there is none, or more than one."""


def by_id(keys: Iterable[CardKey]) -> dict[str, list[CardKey]]:
    """Return keys by the ids of the cards."""
    found: dict[str, list[CardKey]] = {}
    for key in keys:
        found.setdefault(key[1], []).append(key)
    return found


class CardKeys(Keys):
    """Finds the cards or tokens of a kind, also those that are new."""

    _remedy = "give one of them another id, or remove it"

    def __init__(self, loaded: Loaded, plan: Plan, report: Report) -> None:
        """Take a game, the kind of cards in the table, and where to report what is wrong."""
        super().__init__(report)
        self._game = loaded.game
        self._token = plan.kind.token
        self._tables = {
            record.key: title for title, records in loaded.records.items() for record in records
        }
        self._by_id = by_id(known for known in self._tables if known[0])
        self._title = plan.title

    def _key(self, card_id: str, faction_id: str) -> CardKey:
        key = self._token_key(card_id) if self._token else self._card_key(card_id, faction_id)
        if self._tables.get(key, self._title) != self._title:
            message = f"`{card_id}` is a card of the table `{self._tables[key]}`"
            raise CellError(message, "change it there, or choose another id")
        return key

    def _card_key(self, card_id: str, faction_id: str) -> CardKey:
        factions, key = self._game.factions, (faction_id, card_id)
        if key in self._tables:
            return key
        if not faction_id:
            found = self._by_id.get(card_id, [])
            if len(found) == 1:
                return found[0]
            message = f"the row of `{card_id}` does not say which faction it belongs to"
            raise CellError(message, known_hint("", factions), "faction_id")
        if faction_id not in factions:
            message = f"there is no faction `{faction_id}`"
            raise CellError(message, known_hint(faction_id, factions), "faction_id")
        if owner := factions[faction_id].cards_of:
            message = f"faction `{faction_id}` uses the cards of `{owner}` and has none of its own"
            raise CellError(message, f"write `{owner}`", "faction_id")
        if " " in card_id:
            raise CellError(f"the id `{card_id}` has a space in it", "leave it out")
        return key

    def _token_key(self, card_id: str) -> CardKey:
        key, rules = ("", card_id), self._game.rules
        rule_id = holder_of(key, rules) or card_id
        if key in self._tables or rule_id in rules:
            return key
        hint = known_hint(rule_id, rules, at_most=0)
        message = f"there is no rule `{rule_id}` that could create a token"
        raise CellError(
            message, hint or "write a token's id as its rule's id and a number: `rule/1`"
        )


class DeckKeys(Keys):
    """Finds the cards that decks have or may have."""

    _remedy = "remove one of them"

    def __init__(
        self, known: Collection[CardKey], factions: Collection[str], report: Report
    ) -> None:
        """Take the cards, the ids of the factions, and where to report what is wrong."""
        super().__init__(report)
        self._known = known
        self._by_id = by_id(known)
        self._factions = factions

    def _key(self, card_id: str, faction_id: str) -> CardKey:
        keys = [key for key in self._by_id.get(card_id, ()) if faction_id in {key[0], ""}]
        if len(keys) == 1:
            return keys[0]
        if keys:
            message = f"the row of `{card_id}` does not say which faction it belongs to"
            raise CellError(message, known_hint("", self._factions), "faction_id")
        of = f" of faction `{faction_id}`" if faction_id else ""
        known = [key[1] for key in self._known if faction_id in {key[0], ""}]
        zeros = lost_zeros(card_id, known)
        hint = f"write `{zeros}`" if zeros else known_hint(card_id, known, at_most=0)
        raise CellError(f"there is no card `{card_id}`{of}", hint)
