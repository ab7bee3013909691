"""Find the columns of a table that was read, by the titles in its first row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deckwright.base.findings import Code, Report, Severity, known_hint
from deckwright.base.names import letters
from deckwright.grids.table import Cell, Column, Grid, normal, stranger

E010 = Code("E010", Severity.ERROR, "a cell of a table that cannot be imported")
E014 = Code("E014", Severity.WARNING, "a column of a table that is not read")
E015 = Code("E015", Severity.ERROR, "a table that does not belong to the game")


class Row(NamedTuple):
    """A row of a table.

    Attributes:
        cells: by the titles of their columns, as the game calls them; None for one that was
            reported, since it cannot be taken.
        first: its first cell.
    """

    number: int
    cells: dict[str, Cell | None]
    first: Cell

    def text(self, title: str) -> str:
        """Return the text of a cell, "" if there is none."""
        cell = self.cells.get(title)
        return normal(cell.text) if cell else ""


def rows_of(grid: Grid, columns: Sequence[Column], report: Report) -> list[Row] | None:
    """Return the rows of a table that are not empty, None after reporting that it is no table.

    Cells that cannot be taken, whatever their column, are reported.

    Args:
        columns: those that the table may have; it must have the column "id".
    """
    rows = [(number, row) for number, row in enumerate(grid.rows, 1) if not blank(row)]
    if not rows:
        hint = "put the column titles in its first row"
        report.append(E015.at(grid.place, f"{grid.title}: the table is empty", hint))
        return None
    (_, head), *body = rows
    places = _places(grid, head, columns, any_cells=[row for _, row in body], report=report)
    if places is None:
        return None
    result = []
    for number, row in body:
        cells = {title: cell_at(row, at, grid, number) for title, at in places.items()}
        sound = {title: c if _is_sound(c, report) else None for title, c in cells.items()}
        result.append(Row(number, sound, row[0]))
    return result


def titles_in(grid: Grid) -> set[str]:
    """Return the titles of a table, without regard to case."""
    first = next((row for row in grid.rows if not blank(row)), ())
    return {_title(cell) for cell in first if not cell.blank}


def unread(grid: Grid, columns: Sequence[Column], most: int = 20) -> dict[str, list[str]]:
    """Return the titles of a table that are none of these columns', and what stands below each.

    Args:
        most: how many cells of each.
    """
    known = {name.casefold() for column in columns for name in (column.title, *column.aliases)}
    first, *rows = [row for row in grid.rows if not blank(row)] or [()]
    return {
        normal(cell.text): [row[at].text for row in rows[:most] if at < len(row)]
        for at, cell in enumerate(first)
        if not cell.blank and _title(cell) not in known
    }


def _title(cell: Cell) -> str:
    return normal(cell.text).casefold()


def blank(row: Sequence[Cell]) -> bool:
    """Return whether nothing stands in a row."""
    return all(cell.blank for cell in row)


def _places(
    grid: Grid,
    head: Sequence[Cell],
    columns: Sequence[Column],
    *,
    any_cells: Sequence[Sequence[Cell]],
    report: Report,
) -> dict[str, int] | None:
    """Return where each column of the game is, None after reporting why that cannot be said."""
    names = {alias.casefold(): column.title for column in columns for alias in column.aliases}
    names |= {column.title.casefold(): column.title for column in columns}
    places: dict[str, int] = {}
    strangers, twice = [], False
    for at, cell in enumerate(head):
        title = names.get(_title(cell))
        if title is None:
            if not cell.blank or any(len(row) > at and not row[at].blank for row in any_cells):
                strangers.append(cell)
        elif title in places:
            twice = True
            report.append(
                cell.finding(E015, f"there are two columns `{title}`", "remove one of them")
            )
        else:
            places[title] = at
    missing = [column.title for column in columns if column.title not in places]
    if "id" not in places:
        message = f"{grid.title}: the table has no column `id`, which says what each row is about"
        hint = "put the column titles in its first row"
        report.append(E015.at(head[0].place, message, hint))
        return None
    for cell in strangers:
        name = normal(cell.text)
        which = f"the column `{name}`" if name else "a column without a title"
        message = f"{which} is not read"
        report.append(cell.finding(E014, message, known_hint(name, missing, at_most=0)))
    return None if twice else places


def cell_at(row: Sequence[Cell], at: int, grid: Grid, number: int) -> Cell:
    """Return a cell of a row, an empty one where the row has ended before it."""
    if at < len(row):
        return row[at]
    place = row[-1].place if row else grid.place
    if place.sheet:
        place = place._replace(column=at + 1)
    return Cell("", place, f"{grid.title}!{letters(at + 1)}{number}")


def _is_sound(cell: Cell, report: Report) -> bool:
    """Return whether a cell can be taken at all; report why not."""
    odd = stranger(cell.text)
    if cell.problem:
        report.append(cell.finding(E010, cell.problem, cell.hint or None))
    elif odd:
        report.append(cell.finding(E010, f"it has the character {odd}, which XML does not allow",
                                   "remove it"))  # fmt: skip
    return not cell.problem and not odd


def table_of(
    name: str, grid: Grid, tables: Mapping[str, Sequence[Column]], report: Report
) -> str | None:
    """Return which table of a game a file has, None after reporting that this cannot be said.

    It is told by the file's name, or else by its titles: those of the table to which it lacks
    the fewest columns.

    Args:
        name: of the file, without its ending.
        tables: the columns of the game's tables by title.
    """
    for title in tables:
        if title.casefold() == name.casefold():
            return title
    titles = titles_in(grid)
    lacks: dict[str, int] = {}
    for table, columns in tables.items():
        known = {title.casefold() for c in columns for title in (c.title, *c.aliases)}
        if "id" in titles <= known:
            lacks[table] = sum(column.title.casefold() not in titles for column in columns)
    best = [table for table, number in lacks.items() if number == min(lacks.values())]
    if len(best) == 1:
        return best[0]
    message = f"neither the file's name nor its columns show which table it is, `{name}`"
    listed = ", ".join(f"`{title}`" for title in tables)
    report.append(E015.at(grid.place, message, f"use `--kind` with one of {listed}"))
    return None
