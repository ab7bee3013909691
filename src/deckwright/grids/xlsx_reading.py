"""Read an XLSX workbook as tables.

A cell counts with the value that the spreadsheet program last showed, be it typed or computed.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

from deckwright.base.findings import Location, Report
from deckwright.base.names import letters
from deckwright.grids.csv import E016, read_bytes
from deckwright.grids.table import E076, MAX_CELLS, Cell, Grid, TooLargeError, with_lines
from deckwright.grids.workbook import Raw, Workbook

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_LONGEST_NUMBER = 40
_OTHER_KINDS = {
    b"\xd0\xcf\x11\xe0": "the file is an old or an encrypted workbook",
    b"PK\3\4": "the file is another kind of document",
}


def read_xlsx(
    path: Path, report: Report, wanted: Callable[[str], bool] = lambda _: True
) -> list[Grid] | None:
    """Return the tables in a workbook, None after reporting why it cannot be read.

    Args:
        wanted: whether to read the tab of some title; the others are returned empty.
    """
    data = read_bytes(path, report)
    if data is None:
        return None
    problem = _problem(data)
    if problem is not None:
        report.append(E016.at(Location(path), problem, "save it as `.xlsx`"))
        return None
    try:
        book = Workbook(data)
        return [
            Grid(title, Location(path), tuple(_rows(path, title, book)) if wanted(title) else ())
            for title in book.tabs
        ]
    except TooLargeError as error:
        hint = "remove whatever is not a card, including the formatting of empty cells"
        report.append(E076.at(Location(path), str(error), hint))
    except Exception as error:  # noqa: BLE001 - a damaged archive may lead to whatever there is
        message = f"the workbook is damaged: {type(error).__name__}: {error}"
        report.append(E016.at(Location(path), message[:200], "save it as `.xlsx` again"))
    return None


def _problem(data: bytes) -> str | None:
    """Return why a file cannot be a workbook, None if it can."""
    kind = _OTHER_KINDS.get(data[:4], "the file is not a workbook")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return kind
    return None if any(name.startswith("xl/") for name in names) else kind


def _rows(path: Path, title: str, book: Workbook) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of a tab, up to its last one with a cell that is not empty.

    Raises:
        TooLargeError: if there are too many cells, with the empty ones before others.
    """
    rows: dict[int, dict[int, Raw]] = {}
    for raw in book.cells(title):
        rows.setdefault(raw.row, {})[raw.column] = raw
    if sum(map(max, rows.values())) > MAX_CELLS:
        message = f"the tab `{title}` has more than {MAX_CELLS:,} cells, most of them empty"
        raise TooLargeError(message)
    for number in range(1, max(rows, default=0) + 1):
        row = rows.get(number, {})
        cells = []
        for index in range(1, max(row, default=0) + 1):
            place, name = Location(path, number, index, title), f"{title}!{letters(index)}{number}"
            cells.append(
                _cell(row[index], place, name, book) if index in row else Cell("", place, name)
            )
        yield tuple(cells)


def _cell(raw: Raw, place: Location, name: str, book: Workbook) -> Cell:
    """Return a cell of a workbook."""
    value = raw.value
    if value is None or (value == "" and raw.kind != "str"):
        problem = "its formula was never computed"
        hint = "open the file in a spreadsheet program and save it, or type the value"
        return Cell("", place, name, problem, hint)
    if raw.kind == "e":
        hint = "fix the formula, or type the value"
        return Cell(value, place, name, f"its formula gave `{value}`", hint)
    if raw.kind not in {"n", "d"}:
        return Cell(with_lines(_text(value, raw.kind, book)), place, name)
    date = value if raw.kind == "d" else _date(value, raw.style, book)
    if date:
        problem = f"it holds a date or a time, {date.removesuffix(' 00:00:00')}"
        return Cell(value, place, name, problem, "format it as text, and type it again")
    return Cell(_number(value), place, name)


def _text(value: str, kind: str, book: Workbook) -> str:
    """Return the text of a cell that is no number."""
    if kind == "b":
        return "true" if value == "1" else "false"
    return _unescaped(book.strings[int(value)] if kind == "s" else value)


def _number(value: str) -> str:
    """Return a number as a text; whole numbers have no decimals."""
    if _WHOLE.fullmatch(value) or len(value) > _LONGEST_NUMBER:
        return value
    number = float(value)
    return str(int(number)) if number.is_integer() else f"{Decimal(str(number)):f}"


def _date(value: str, style: int, book: Workbook) -> str | None:
    """Return the date or time that a number stands for, None if its format shows a number."""
    code = book.formats[style] if style < len(book.formats) else ""
    if not code or len(value) > _LONGEST_NUMBER:
        return None

    from openpyxl.styles.numbers import is_date_format, is_timedelta_format  # noqa: PLC0415 - 0.2 s
    from openpyxl.utils.datetime import CALENDAR_MAC_1904, WINDOWS_EPOCH, from_excel  # noqa: PLC0415

    if not is_date_format(code):
        return None
    epoch = CALENDAR_MAC_1904 if book.since_1904 else WINDOWS_EPOCH
    return str(from_excel(float(value), epoch, timedelta=is_timedelta_format(code)))


def _unescaped(text: str) -> str:
    """Return a text that OOXML has stored, where `_x0041_` is the letter A."""
    if "_x" not in text:
        return text
    text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    # Letters beyond the first plane may be escaped in two halves.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
