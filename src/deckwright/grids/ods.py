"""Read OpenDocument spreadsheets (ODS) within the same bounds as XLSX (OASIS ODF 1.3, part 3)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import to_letters
from deckwright.base.findings import Location
from deckwright.grids.table import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    Cell,
    CellGrid,
    TooLargeError,
    replace_vertical_tabs,
)
from deckwright.grids.xlsx import MAX_TABS, BoundedArchive, NotAWorkbookError, format_number

_CONTENT = "content.xml"
_CELLS = frozenset(("table-cell", "covered-table-cell"))
_MAX_SPACES = 100
"""The most spaces that an element of them stands for."""


class _Value(NamedTuple):
    """The value of a cell: its text, and why it is unusable."""

    text: str
    problem: str = ""
    hint: str = ""


class _ContentReader:
    """Collects the cells of all tabs; of repeated cells, only those that are not blank."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self.tabs: dict[str, dict[tuple[int, int], _Value]] = {}
        self._wanted = wanted
        self._title = ""
        self._row = self._column = 0
        self._repeated = 1
        self._row_values: dict[int, _Value] = {}
        self._cell: dict[str, str] | None = None
        self._paragraphs: list[list[str]] = []
        self._notes = 0
        self._count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        if tag == "annotation":
            self._notes += 1
        elif tag == "table":
            self._title = attributes.get("table:name", "")
            self.tabs[self._title] = {}
            self._row = 0
            if len(self.tabs) > MAX_TABS:
                raise TooLargeError(f"the workbook has more than {MAX_TABS} tabs")
        elif tag == "table-row":
            self._column, self._row_values = 0, {}
            self._repeated = _read_count(attributes.get("table:number-rows-repeated"))
        elif tag in _CELLS:
            self._cell, self._paragraphs = attributes, []
        elif self._cell is not None and not self._notes:
            self._start_text(tag, attributes)

    def _start_text(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in {"p", "h"}:
            self._paragraphs.append([])
        elif tag == "s":
            self.text(" " * min(_read_count(attributes.get("text:c")), _MAX_SPACES))
        elif tag in {"tab", "line-break"}:
            self.text("\n" if tag == "line-break" else " ")

    def text(self, piece: str) -> None:
        """Handle text."""
        if self._paragraphs and not self._notes and self._cell is not None:
            self._paragraphs[-1].append(piece)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        if tag == "annotation":
            self._notes -= 1
        elif tag in _CELLS and self._cell is not None:
            value = _read_value(self._cell, "\n".join(map("".join, self._paragraphs)))
            times = _read_count(self._cell.get("table:number-columns-repeated"))
            if (value.text.strip() or value.problem) and self._wanted(self._title):
                self._check(self._row + 1, self._column + times)
                self._row_values |= dict.fromkeys(range(self._column, self._column + times), value)
                self._fill_down(value, _read_count(self._cell.get("table:number-rows-spanned")))
            self._column += times
            self._cell = None
        elif tag == "table-row":
            if self._row_values:
                self._check(self._row + self._repeated, 0)
                self._count += len(self._row_values) * self._repeated
                if self._count > MAX_CELLS:
                    message = f"the tab `{self._title}` has more than {MAX_CELLS:,} cells"
                    raise TooLargeError(message)
                for row in range(self._row, self._row + self._repeated):
                    self.tabs[self._title] |= {(row, at): v for at, v in self._row_values.items()}
            self._row += self._repeated

    def _fill_down(self, value: _Value, rows: int) -> None:
        """Give a value to all rows of a merged cell."""
        if rows > 1:
            self._check(self._row + rows, 0)
            self._count += rows
            below = range(self._row + 1, self._row + rows)
            self.tabs[self._title] |= {(row, self._column): value for row in below}

    def _check(self, row: int, column: int) -> None:
        if row > MAX_ROWS or column > MAX_COLUMNS:
            message = f"the tab `{self._title}` has cells beyond row {MAX_ROWS:,} or "
            raise TooLargeError(f"{message}column {MAX_COLUMNS}")


def _read_count(text: str | None) -> int:
    """Return a number of repetitions, 1 if there is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 1  # noqa: PLR2004


def _read_value(attributes: dict[str, str], text: str) -> _Value:
    """Return the value of a cell."""
    kind = attributes.get("office:value-type", "")
    if attributes.get("calcext:value-type") == "error":
        return _Value("", f"its formula gave `{text}`", "fix the formula, or type the value")
    if kind in {"date", "time"}:
        value = attributes.get(f"office:{kind}-value", text)
        problem = f"it holds a date or a time, {value}"
        return _Value(value, problem, "format it as text, and type it again")
    if kind == "boolean":
        return _Value(attributes.get("office:boolean-value", ""))
    if kind in {"float", "currency", "percentage"}:
        return _Value(format_number(attributes.get("office:value", text)))
    return _Value(replace_vertical_tabs(text))


def read_ods(path: Path, data: bytes, wanted: Callable[[str], bool]) -> list[CellGrid]:
    """Return the tables in a spreadsheet.

    Args:
        wanted: decides by title whether to read a tab; the others are returned empty.

    Raises:
        TooLargeError: if it exceeds a limit.
        Exception: whatever a damaged file leads to.
    """
    archive = BoundedArchive(zipfile.ZipFile(io.BytesIO(data)))
    reader = _ContentReader(wanted)
    if not archive.has(_CONTENT):
        raise NotAWorkbookError("there is no spreadsheet in it")
    archive.parse(_CONTENT, reader.start, reader.end, reader.text)
    return [
        CellGrid(title, Location(path), tuple(_rows(path, title, cells)))
        for title, cells in reader.tabs.items()
    ]


def _rows(path: Path, title: str, values: dict[tuple[int, int], _Value]) -> list[tuple[Cell, ...]]:
    """Return the rows of a tab up to the last one that is not blank."""
    widths: dict[int, int] = {}
    for row, column in values:
        widths[row] = max(widths.get(row, 0), column + 1)
    if sum(widths.values()) > MAX_CELLS:
        message = f"the tab `{title}` has more than {MAX_CELLS:,} cells, most of them empty"
        raise TooLargeError(message)
    blank = _Value("")

    def cell(row: int, column: int) -> Cell:
        text, problem, hint = values.get((row, column), blank)
        place = Location(path, row + 1, column + 1, title)
        return Cell(text, place, f"{title}!{to_letters(column + 1)}{row + 1}", problem, hint)

    return [
        tuple(cell(row, column) for column in range(widths.get(row, 0)))
        for row in range(max(widths, default=-1) + 1)
    ]
