"""What a table changes of a game, and how to say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deckwright.game.columns import Plan
from deckwright.game.model import CardKey
from deckwright.grids.notation import Item
from deckwright.grids.table import Cell, Column
from deckwright.tables.records import DeckList, Record

_SHOWN = 60
"""How much of a long value is shown, in characters."""


class AttributeChange(NamedTuple):
    """A card's attribute gets another value; None takes it away."""

    record: Record
    plan: Plan
    column: Column
    value: str | None
    cell: Cell

    def __str__(self) -> str:
        old = self.record.text(self.column)
        return f"{self.record.called}: {self.column.title} {_told(old, self.value or '')}"


class ItemsChange(NamedTuple):
    """A card gets other children of one name."""

    record: Record
    plan: Plan
    column: Column
    items: Sequence[Item]
    new: str
    cell: Cell

    def __str__(self) -> str:
        old = self.record.text(self.column)
        return f"{self.record.called}: {self.column.title} {_told(old, self.new)}"


class NewCard(NamedTuple):
    """A card or token that the game does not have yet.

    Attributes:
        key: as for records; for a token the rule's id stands with a number.
        attributes: in the order in which they are written.
        items: the children by the columns that they stand in.
        after: the card that it stands behind in its file, None for the file's end.
        cell: the one with its id; `cells` are those of its columns.
    """

    key: CardKey
    plan: Plan
    attributes: Mapping[str, str]
    items: Sequence[tuple[Column, Sequence[Item]]]
    after: Record | NewCard | None
    cell: Cell
    cells: Mapping[str, Cell]

    def __str__(self) -> str:
        of = f"{self.key[0]}_cards.xml" if self.key[0] else "rules.xml"
        return f"{self.key[1]} {self.attributes.get('name', '')}: new, in {of}"


class Removal(NamedTuple):
    """A card or token that the table does not have any more."""

    record: Record
    plan: Plan

    def __str__(self) -> str:
        return f"{self.record.called}: removed"


class AmountChange(NamedTuple):
    """A deck list gets another number of copies of a card; 0 takes it out."""

    deck: DeckList
    key: CardKey
    name: str
    amount: int
    cell: Cell | None

    def __str__(self) -> str:
        old = self.deck.amount(self.key)
        return f"deck {self.deck.title}: {self.key[1]} {self.name} {old} → {self.amount}"


Change = AttributeChange | ItemsChange | NewCard | Removal | AmountChange


def _told(old: str, new: str) -> str:
    """Return "17 → 16"; of long values just the part that differs."""
    start = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), None)
    start = min(len(old), len(new)) if start is None else start
    return f"{_cut(old, start)} → {_cut(new, start)}"


def _cut(text: str, around: int) -> str:
    """Return what is shown of a value: a long one is cut before and after a place in it."""
    if not text:
        return "(nothing)"
    text = " ".join(text.split())
    if len(text) <= _SHOWN:
        return text
    start = max(0, min(around - _SHOWN // 3, len(text) - _SHOWN))
    end = start + _SHOWN
    return f"{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}"
