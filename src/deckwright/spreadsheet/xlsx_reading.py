"""Read an XLSX workbook as tables.

A workbook is a stranger's file: its size is bounded before and after it is unpacked. A cell counts
with the value that the spreadsheet program last showed, be it typed or computed.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckwright.diagnostics import Location, Report
from deckwright.spreadsheet.csv import E016, read_bytes
from deckwright.spreadsheet.table import Cell, Grid, letters

if TYPE_CHECKING:
    from openpyxl import Workbook

MAX_UNPACKED = 200_000_000
"""How many bytes a workbook may have unpacked."""
MAX_ROWS, MAX_COLUMNS = 20_000, 500
"""What is read of a table; no game comes near it."""

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_OTHER_KINDS = {
    b"\xd0\xcf\x11\xe0": "the file is an old or an encrypted workbook",
    b"PK\3\4": "the file is another kind of document",
}


def read_xlsx(path: Path, report: Report) -> list[Grid] | None:
    """Return the tables in a workbook, None after reporting why it cannot be read."""
    data = read_bytes(path, report)
    if data is None:
        return None
    problem = _problem(data)
    if problem is not None:
        report.append(E016.at(Location(path), problem, "save it as `.xlsx`"))
        return None
    try:
        with warnings.catch_warnings():
            # openpyxl warns of what it does not know, such as newer kinds of drop-downs.
            warnings.simplefilter("ignore")
            return _grids(path, data)
    except Exception as error:  # noqa: BLE001 - openpyxl raises whatever a damaged file leads to
        message = f"the workbook is damaged: {type(error).__name__}: {error}"
        report.append(E016.at(Location(path), message[:200], "save it as `.xlsx` again"))
        return None


def _problem(data: bytes) -> str | None:
    """Return why a file cannot be a workbook, None if it can."""
    kind = _OTHER_KINDS.get(data[:4], "the file is not a workbook")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return kind
    if not any(entry.filename.startswith("xl/") for entry in entries):
        return kind
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > MAX_UNPACKED:
        return f"the workbook has {unpacked:,} bytes unpacked, {MAX_UNPACKED:,} are allowed"
    return None


def _grids(path: Path, data: bytes) -> list[Grid]:
    from openpyxl import load_workbook  # noqa: PLC0415 - 0.2 s

    # Once with the formulas and once with what they gave: neither alone tells an empty cell from
    # a formula that was never computed.
    typed = load_workbook(io.BytesIO(data), read_only=True, data_only=False)
    shown = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    try:
        return [
            Grid(name, Location(path), tuple(_rows(path, name, typed, shown)))
            for name in (sheet.title for sheet in typed.worksheets)
        ]
    finally:
        typed.close()
        shown.close()


def _rows(path: Path, name: str, typed: Workbook, shown: Workbook) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of a tab."""
    rows = []
    for book in (typed, shown):
        sheet = book[name]
        sheet.reset_dimensions()  # what a file says of its own size may be wrong
        rows.append(sheet.iter_rows(max_row=MAX_ROWS, max_col=MAX_COLUMNS))
    for number, (formulas, values) in enumerate(zip(*rows, strict=True), 1):
        last = max((i for i, cell in enumerate(formulas, 1) if cell.value is not None), default=0)
        yield tuple(
            _cell(formula, value, Location(path, number, index), f"{name}!{letters(index)}{number}")
            for index, (formula, value) in enumerate(
                zip(formulas[:last], values[:last], strict=True), 1
            )
        )


def _cell(formula: Any, shown: Any, place: Location, name: str) -> Cell:  # noqa: ANN401
    """Return a cell of a workbook, given as openpyxl has it, with and without its formula."""
    value = shown.value
    text = "" if value is None else _text(value)
    problem, hint = "", ""
    if value is None and formula.value is not None:
        problem = "the formula in it was never computed"
        hint = "open the file in a spreadsheet program and save it, or type the value"
    elif shown.data_type == "e":
        problem, hint = f"the formula in it gave `{value}`", "mend the formula, or type the value"
    elif isinstance(value, (date, time, timedelta)):
        problem = f"it holds a date or a time, {str(value).removesuffix(' 00:00:00')}"
        hint = "make its format that of a text, and type it again"
    return Cell(text, place, name, problem, hint)


def _text(value: object) -> str:
    """Return the value of a cell as a text; whole numbers have no decimals."""
    if isinstance(value, str):
        return _unescaped(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _unescaped(text: str) -> str:
    """Return a text that OOXML has stored, where `_x0041_` is the letter A."""
    text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    # Letters beyond the first plane may be escaped in two halves.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
