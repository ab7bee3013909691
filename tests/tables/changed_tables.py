"""What the tests of spreadsheets need: games to change, files whose cells they can set.

Nothing here is a test.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import openpyxl
from openpyxl.cell import Cell
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from deckwright.grids.csv import read_csv


def copied(game: Path, target: Path) -> Path:
    """Copy a game, and return where it is."""
    for name in ("xml", "img", "templates"):
        if (game / name).is_dir():
            shutil.copytree(game / name, target / name)
    return target


def files_of(game: Path) -> dict[Path, bytes]:
    """Return what a game's files hold."""
    return {path: path.read_bytes() for path in sorted((game / "xml").rglob("*.xml"))}


def table(path: Path) -> list[list[str]]:
    """Return the cells of a CSV file, without its apostrophes."""
    return [[cell.text for cell in row] for row in read_csv(path, path.stem, ()).rows]


def rewrite(
    path: Path, rows: list[list[str]], delimiter: str = ",", encoding: str = "utf-8"
) -> None:
    """Write a CSV file, as a program other than Deckwright would."""

    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"' if any(c in cell for c in '";,\n') else cell

    text = "".join(delimiter.join(map(quoted, row)) + "\r\n" for row in rows)
    path.write_bytes(text.encode(encoding))


def set_csv(path: Path, card_id: str, **values: str) -> None:
    """Give the cells of a card other texts."""
    rows = table(path)
    row = next(row for row in rows if row[rows[0].index("id")] == card_id)
    for title, value in values.items():
        row[rows[0].index(title)] = value
    rewrite(path, rows)


def cell_of(sheet: Worksheet, card_id: str, title: str) -> Cell:
    """Return a cell of a card."""
    titles = [cell.value for cell in sheet[1]]
    ids = [cell.value for cell in sheet[get_column_letter(titles.index("id") + 1)]]
    return sheet.cell(ids.index(card_id) + 1, titles.index(title) + 1)


def set_book(path: Path, *cells: tuple[str, str, object], tab: str = "card") -> None:
    """Give the cells of cards other values: ids, titles and values."""
    loaded = openpyxl.load_workbook(path)
    for card_id, title, value in cells:
        cell_of(loaded[tab], card_id, title).value = value
    loaded.save(path)
