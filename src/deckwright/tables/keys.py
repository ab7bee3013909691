"""Which card a row of a table is about."""

from __future__ import annotations

from collections.abc import Container

from deckwright.base.findings import Code, Report, Severity, known_hint
from deckwright.tables.columns import Plan
from deckwright.tables.heads import Row
from deckwright.tables.records import Key, Loaded

E011 = Code(
    "E011", Severity.ERROR, "a row of a table that belongs to no card, or to another row's card"
)


def holder_of(key: Key, rules: Container[str]) -> str:
    """Return what holds a card: its faction, or the rule that creates a token."""
    faction_id, card_id = key
    return faction_id or (card_id if card_id in rules else card_id.rpartition("/")[0])


class Keys:
    """Finds the keys of the rows of one table."""

    def __init__(self, loaded: Loaded, plan: Plan, report: Report) -> None:
        """Take a game, the kind of cards in the table, and where to report what is wrong."""
        self._game = loaded.game
        self._token = plan.kind.token
        self._report = report
        self._tables = {
            record.key: title for title, records in loaded.records.items() for record in records
        }
        self._by_id: dict[str, list[Key]] = {}
        for known in self._tables:
            if known[0]:
                self._by_id.setdefault(known[1], []).append(known)
        self._title = plan.title
        self.seen: dict[Key, Row] = {}
        """The rows so far."""

    def of(self, row: Row) -> Key | None:
        """Return which card a row is about, None after reporting that this cannot be said."""
        if any(row.cells.get(title, row.first) is None for title in ("id", "faction_id")):
            return None
        try:
            key = self._key(row, row.text("id"))
        except _NoKeyError as error:
            cell = row.cells.get(error.title) or row.cells.get("id") or row.first
            self._report.append(cell.finding(E011, str(error), error.hint))
            return None
        self.seen[key] = row
        return key

    def _key(self, row: Row, card_id: str) -> Key:
        if not card_id:
            message = f"row {row.number} has no id, so it belongs to no card"
            raise _NoKeyError(message, "give it an id, or clear the row")
        key = self._token_key(card_id) if self._token else self._card_key(row, card_id)
        if key in self.seen:
            message = f"`{card_id}` already has a row, {self.seen[key].number}"
            raise _NoKeyError(message, "give one of them another id, or remove it")
        if self._tables.get(key, self._title) != self._title:
            message = f"`{card_id}` is a card of the table `{self._tables[key]}`"
            raise _NoKeyError(message, "change it there, or choose another id")
        return key

    def _card_key(self, row: Row, card_id: str) -> Key:
        faction_id, factions = row.text("faction_id"), self._game.factions
        key = faction_id, card_id
        if key in self._tables:
            return key
        if not faction_id:
            found = self._by_id.get(card_id, [])
            if len(found) == 1:
                return found[0]
            message = f"the row of `{card_id}` does not say which faction it belongs to"
            raise _NoKeyError(message, known_hint("", factions), "faction_id")
        if faction_id not in factions:
            message = f"there is no faction `{faction_id}`"
            raise _NoKeyError(message, known_hint(faction_id, factions), "faction_id")
        if owner := factions[faction_id].cards_of:
            message = f"faction `{faction_id}` uses the cards of `{owner}` and has none of its own"
            raise _NoKeyError(message, f"write `{owner}`", "faction_id")
        if " " in card_id:
            message = f"the id `{card_id}` has a space in it"
            raise _NoKeyError(message, "leave it out")
        return key

    def _token_key(self, card_id: str) -> Key:
        key, rules = ("", card_id), self._game.rules
        rule_id = holder_of(key, rules) or card_id
        if key in self._tables or rule_id in rules:
            return key
        hint = known_hint(rule_id, rules, at_most=0)
        message = f"there is no rule `{rule_id}` that could create a token"
        raise _NoKeyError(
            message, hint or "write a token's id as its rule's id and a number: `rule/1`"
        )


class _NoKeyError(Exception):
    """It cannot be said which card a row is about.

    Attributes:
        title: of the column of the cell that is to blame.
    """

    def __init__(self, message: str, hint: str | None, title: str = "id") -> None:
        super().__init__(message)
        self.hint = hint
        self.title = title
