"""What stands in the columns of a table from which cards are read, by the titles in its first row.

A title is the name of a field, the word that is printed for it, or what `game.xml` says of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckwright.base.findings import Report, known_hint
from deckwright.game.columns import columns_of_kind
from deckwright.game.kinds import Kind
from deckwright.game.proposal import Wanted, plain, proposed
from deckwright.game.setup import Setup
from deckwright.game.sources import AMOUNT, Mapped, Table
from deckwright.grids.heads import E015, cell_at
from deckwright.grids.table import Cell, Column, Grid, normal

_SAMPLES = 20
"""How many cells of a column are looked at to propose what it holds."""

KIND = "kind"
"""What a column holds that says of which kind each card is."""


class Head(NamedTuple):
    """What stands in the columns of a table, for cards of one kind.

    Attributes:
        grid: the table.
        columns: the game's columns, and where they stand in the table.
        titles: what they are called there, by the names of attributes, tags and plurals.
        constants: the attributes that all cards have alike.
        amounts: where it stands how many copies the decks have, None for one copy of each card.
        separators: what stands between several values of a cell, by column.
        lacking: the names of attributes that cards need and that stand nowhere.
        free: the columns that nothing reads, by where they stand.
    """

    kind: Kind
    grid: Grid
    columns: tuple[tuple[Column, int], ...]
    titles: Mapping[str, str]
    constants: Mapping[str, str]
    amounts: Mapping[str, int | None]
    separators: Mapping[int, str]
    lacking: tuple[str, ...]
    free: Mapping[int, Cell]
    wanted: tuple[Wanted, ...]

    def cell(self, at: int, row: Sequence[Cell]) -> Cell:
        """Return the cell of a column, an empty one where the row has ended before it."""
        return cell_at(row, at, self.grid, row[0].place.line)

    def one(self, title: str, row: Sequence[Cell]) -> Cell | None:
        """Return the cell of the game's column of a title, None if there is none."""
        at = next((at for column, at in self.columns if column.title == title), None)
        return None if at is None else self.cell(at, row)

    def proposal(self, names: Collection[str], rows: Sequence[Sequence[Cell]]) -> dict[str, str]:
        """Return what the columns that nothing reads may hold, of what cards lack.

        Args:
            rows: those below the titles.
        """
        titles = {
            normal(cell.text): [self.cell(at, row).text for row in rows[:_SAMPLES]]
            for at, cell in self.free.items()
        }
        return proposed([want for want in self.wanted if want.column.title in names], titles)


def wanted_of(setup: Setup, kind: Kind) -> tuple[Wanted, ...]:
    """Return what may stand in a table of cards of a kind, with all names that it goes by."""
    words = {field.name: field.text for field in kind.fields if field.text}
    return tuple(
        Wanted(
            column, tuple(filter(None, (column.title, *column.aliases, words.get(column.title))))
        )
        for column in columns_of_kind(setup, kind)
    )


def read_head(
    setup: Setup, table: Table, kind: Kind, grid: Grid, titles: Sequence[Cell], report: Report
) -> Head:
    """Return what stands in the columns of a table, after reporting what is wrong with that.

    Args:
        titles: the cells with the titles.
    """
    reader = _Reader(setup, table, kind, report)
    for at, cell in enumerate(titles):
        reader.read(at, cell)
    reader.tell_missing([normal(cell.text) for cell in titles])
    return reader.head(grid)


class _Reader:
    """Reads the titles of a table one after the other."""

    def __init__(self, setup: Setup, table: Table, kind: Kind, report: Report) -> None:
        self._table = table
        self._kind = kind
        self._report = report
        self._wanted = wanted_of(setup, kind)
        self._targets = {
            plain(name): want.column for want in self._wanted[::-1] for name in want.names[::-1]
        }
        self._columns = {
            name: column
            for column, _ in self._wanted
            for name in (*column.aliases, *_names(column))
        }
        self._maps = {plain(item.name): item for item in table.columns if item.name is not None}
        self._found: list[tuple[Column, int]] = []
        self._titles: dict[str, str] = {}
        self._amounts: dict[str, int | None] = {}
        self._separators: dict[int, str] = {}
        self._free: dict[int, Cell] = {}

    def read(self, at: int, cell: Cell) -> None:
        """Take a title."""
        title = plain(cell.text)
        item = self._maps.pop(title, None)
        if item is None:
            column, what = self._targets.get(title), title
        else:
            column, what = self._columns.get(item.to or ""), item.to or ""
            if item.separator:
                self._separators[at] = item.separator
        if column is not None:
            self._add(column, at, cell)
        elif what == AMOUNT and self._table.decks():
            deck = item.deck if item else None
            self._amounts[deck or self._table.deck_name] = at
        elif what == KIND:
            self._add(_KIND, at, cell)
        elif not cell.blank and (item is None or item.to is not None):
            self._free[at] = cell

    def _add(self, column: Column, at: int, cell: Cell) -> None:
        if column.items is None and column.title in self._titles:
            message = f"there are two columns for `{column.title}`"
            self._report.append(E015.at(cell.place, message, "remove one of them"))
            return
        self._found.append((column, at))
        for name in _names(column):
            self._titles.setdefault(name, normal(cell.text))

    def tell_missing(self, known: Sequence[str]) -> None:
        """Report the titles that `game.xml` has, and the table has not."""
        for item in self._maps.values():
            message = f"the table `{self._table.path.name}` has no column `{item.name}`"
            hint = known_hint(item.name or "", known)
            self._report.append(E015.at(item.source.at("name"), message, hint))

    def head(self, grid: Grid) -> Head:
        """Return what was found."""
        constants = dict(_constants(self._table.columns, self._columns))
        titles = {**dict.fromkeys(constants, ""), **self._titles}
        if self._table.deck and not self._amounts:
            self._amounts[self._table.deck] = None
        return Head(
            kind=self._kind,
            grid=grid,
            columns=tuple(self._found),
            titles=titles,
            constants=constants,
            amounts=self._amounts,
            separators=self._separators,
            lacking=tuple(_lacking(self._wanted, titles)),
            free=self._free,
            wanted=self._wanted,
        )


def _names(column: Column) -> tuple[str, ...]:
    """Return what a column is called in `game.xml`: its title, and the tag of what it holds."""
    tag = (column.items.shape.tag,) if column.items is not None else ()
    return (column.title, *tag)


_KIND = Column(KIND)


def _constants(maps: Sequence[Mapped], columns: Mapping[str, Column]) -> Iterator[tuple[str, str]]:
    for item in maps:
        column = columns.get(item.to or "")
        if item.name is None and item.value is not None and column and column.attribute:
            yield column.attribute.name, item.value


def _lacking(wanted: Sequence[Wanted], called: Collection[str]) -> Iterator[str]:
    """Yield what every card needs, and what no column holds. Ids are made of names."""
    for column, _ in wanted:
        if column.attribute is not None:
            needed = column.attribute.required and column.title != "id"
        else:
            needed = column.items is not None and column.items.minimum > 0
        if needed and column.title not in called:
            yield column.title
