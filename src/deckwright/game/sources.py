"""Which tables a game has its cards from: those that `game.xml` names, and those called like it.

A folder of a game is asked for its files before `game.xml` is checked, so what is said there of
tables is read here, by itself.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from deckwright.base.names import composed, found
from deckwright.xmlio.load import MAX_BYTES, load_document, read_some
from deckwright.xmlio.node import Node, Source

SUFFIXES = (".csv", ".tsv", ".xlsx", ".json")
"""The endings of files that tables are read from."""
AMOUNT = "amount"
"""What a column holds that says how many copies a deck has."""
CARDS = "_cards"
"""What the names of card files end with, before their ending; before it stands a faction's id."""


class Mapped(NamedTuple):
    """What a column of a table holds.

    Attributes:
        name: its title; None for a value that all rows have.
        to: the field, or what children are called; `amount` is how many copies a deck has. None
            for notes, which are not read.
        value: what all rows have.
        deck: for amounts, the deck's name.
        separator: what stands between several values in a cell, None for `;`.
    """

    name: str | None
    to: str | None
    value: str | None
    deck: str | None
    separator: str | None
    source: Source


class Table(NamedTuple):
    """Where cards stand in a table.

    Attributes:
        path: the file.
        tab: the title of the tab, or where the list is in JSON; None for the only one.
        kind: the tag of their kind, None for the only one.
        faction: the id of the faction of those that name none.
        deck: the name of the deck that amounts make.
        columns: what columns hold that are not called like a field.
        source: where `game.xml` names it, None for a file that is called like a card file.
    """

    path: Path
    tab: str | None = None
    kind: str | None = None
    faction: str | None = None
    deck: str | None = None
    columns: tuple[Mapped, ...] = ()
    source: Source | None = None

    @property
    def deck_name(self) -> str:
        """The name of the deck that amounts make, unless their column has another."""
        return self.deck or self.path.stem.removesuffix(CARDS)

    def decks(self) -> list[str]:
        """Return the names of the decks that it makes: those of amounts, or the one it names."""
        amounts = [column for column in self.columns if column.to == AMOUNT]
        names = [column.deck or self.deck_name for column in amounts]
        return names or ([self.deck] if self.deck else [])


def is_table(path: Path) -> bool:
    """Return whether a file is a table by its name."""
    return path.suffix.casefold() in SUFFIXES


def called_like_cards(path: Path) -> Table:
    """Return what a table holds that is called like a card file, `HK_cards.csv`."""
    return Table(path, faction=composed(path.stem).removesuffix(CARDS))


def named_tables(game_file: Path, cards_folder: Path) -> tuple[Table, ...]:
    """Return the tables that `game.xml` names; it may have mistakes, which are reported elsewhere.

    Args:
        cards_folder: where they are.
    """
    try:
        status = game_file.stat()
    except OSError:
        return ()
    return _named(game_file, status.st_size, status.st_mtime_ns, cards_folder)


@lru_cache(maxsize=16)
def _named(game_file: Path, _size: int, _time_ns: int, cards_folder: Path) -> tuple[Table, ...]:
    # Most games have none, and need not be read twice.
    if b"<table" not in (read_some(game_file, MAX_BYTES, []) or b""):
        return ()
    root = load_document(game_file, [])
    nodes = root.named("table") if root else ()
    return tuple(_table(node, cards_folder) for node in nodes if node.get("file"))


def _table(node: Node, cards_folder: Path) -> Table:
    columns = tuple(
        Mapped(
            column.get("name"),
            column.get("to"),
            column.get("value"),
            column.get("deck"),
            column.get("separator"),
            column.source,
        )
        for column in node.named("column")
    )
    return Table(
        found(cards_folder / node.attributes["file"]),
        node.get("tab"),
        node.get("kind"),
        node.get("faction"),
        node.get("deck"),
        columns,
        node.source,
    )
