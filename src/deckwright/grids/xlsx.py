"""Read and write XLSX workbooks within bounds (ECMA-376, part 1, chapter 18)."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

from deckwright.base.files import make_unique, to_letters
from deckwright.base.findings import Location
from deckwright.grids.table import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    Cell,
    CellGrid,
    Column,
    Table,
    TooLargeError,
    is_number,
    replace_vertical_tabs,
)
from deckwright.xmlio.shape import Terms

_CREATED = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""The date in every workbook, naive as openpyxl wants it."""
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_LAST_ROW = 1_048_576
_MIN_WIDTH, _MAX_WIDTH = 6, 60
"""Bounds of column widths, in characters."""
_FILTER_ARROW_WIDTH = 2
"""The width of a filter's arrow, in characters."""
_HEAD_FILL = "E7E3DA"
_TEXT_FORMAT = "@"
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,8})\.[0-9]{1,6}")
PLAIN_NUMBER = re.compile(rf"0|-?[1-9][0-9]{{0,14}}|{_DECIMAL.pattern}")
"""A number that a workbook returns as it was written."""
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


class _ValueList(NamedTuple):
    """A column's values, listed in the tab of lists.

    Attributes:
        title: the title of the list's column there.
        numbers: whether cells hold them as numbers.
    """

    title: str
    terms: Terms
    numbers: bool


def write_xlsx(tables: Sequence[Table], lists: str, title: str, author: str) -> bytes:
    """Return tables as a workbook.

    Args:
        lists: the title of the tab that lists allowed values.
        title, author: the workbook's properties.
    """
    book = Workbook()
    book.remove(book.active)
    book.properties.title, book.properties.creator = title, author or "Deckwright"
    book.properties.created = book.properties.modified = _CREATED
    values = _values_of(tables)
    for table in tables:
        sheet = book.create_sheet(table.title)
        _fill(sheet, table)
        _validate(sheet, table, lists, values)
    if values:
        _fill_lists(book.create_sheet(lists), values)
    return _to_bytes(book)


def _fill(sheet: Worksheet, table: Table) -> None:
    """Write the cells of a table with their formats."""
    _head(sheet, table.titles)
    for index, column in enumerate(table.columns, 1):
        widths = [
            len(column.title) + _FILTER_ARROW_WIDTH,
            *(len(row[index - 1]) for row in table.rows),
        ]
        _widen(sheet, index, max(widths))
        sheet.column_dimensions[to_letters(index)].number_format = (
            "General" if column.is_numeric else _TEXT_FORMAT
        )
        if column.note:
            comment = Comment(escape_ooxml(column.note), "Deckwright", height=110, width=320)
            sheet.cell(1, index).comment = comment
    for number, row in enumerate(table.rows, 2):
        for index, (column, text) in enumerate(zip(table.columns, row, strict=True), 1):
            _write_cell(sheet, number, index, text, number=column.is_numeric)
    names = [column.title for column in table.columns]
    fixed = names.index("name") + 1 if "name" in names else 1
    sheet.freeze_panes = f"{to_letters(fixed + 1)}2"
    sheet.page_setup.orientation = "landscape"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToHeight = 0
    sheet.print_title_rows = "1:1"
    sheet.auto_filter.ref = f"A1:{to_letters(len(table.columns))}{len(table.rows) + 1}"


def _widen(sheet: Worksheet, index: int, width: int) -> None:
    """Fit a column's width to this many characters, within bounds."""
    look = sheet.column_dimensions[to_letters(index)]
    look.width = min(max(width + 2, _MIN_WIDTH), _MAX_WIDTH)


def _head(sheet: Worksheet, titles: Sequence[str]) -> None:
    for index, title in enumerate(titles, 1):
        _write_cell(sheet, 1, index, title, number=False)
        cell = sheet.cell(1, index)
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", fgColor=_HEAD_FILL)


def _write_cell(sheet: Worksheet, row: int, column: int, text: str, *, number: bool) -> None:
    """Write a cell; an empty one only gets its format."""
    cell = sheet.cell(row, column)
    if number and (is_number(text) or _DECIMAL.fullmatch(text) or not text):
        cell.value = (float(text) if "." in text else int(text)) if text else None
        return
    cell.number_format = _TEXT_FORMAT
    if text:
        cell.value = escape_ooxml(text)
        # openpyxl would take `=…` for a formula, and `#N/A` for an error.
        cell.data_type = "s"
        cell.quotePrefix = text[0] in "=+-@"


def escape_ooxml(text: str) -> str:
    """Return a text as OOXML stores it, in which `_x0041_` means the letter A."""
    return _ESCAPE.sub("_x005F_", text)


def _values_of(tables: Sequence[Table]) -> dict[Terms, _ValueList]:
    """Return the distinct lists of values of all columns, by their terms."""
    values: dict[Terms, _ValueList] = {}
    taken: set[str] = set()
    for column in (column for table in tables for column in table.columns):
        if column.terms and column.terms not in values:
            title = make_unique(column.title, taken, " ")
            values[column.terms] = _ValueList(title, column.terms, column.is_numeric)
    return values


def _fill_lists(sheet: Worksheet, values: dict[Terms, _ValueList]) -> None:
    """Write the tab of lists: ids and names side by side."""
    _head(sheet, [title for item in values.values() for title in (item.title, "name")])
    for pair, item in enumerate(values.values()):
        index = 2 * pair + 1
        for offset, texts in enumerate(zip(*item.terms, strict=True)):
            _widen(sheet, index + offset, max(map(len, (*texts, item.title))))
            for row, text in enumerate(texts, 2):
                _write_cell(sheet, row, index + offset, text, number=item.numbers and offset == 0)
    sheet.freeze_panes = "A2"


def _validate(sheet: Worksheet, table: Table, lists: str, values: dict[Terms, _ValueList]) -> None:
    """Add drop-down lists and bounds to the columns of a table."""
    for index, column in enumerate(table.columns, 1):
        for rule in _rules(column, lists, values):
            validation = DataValidation(allow_blank=True, **rule)
            validation.add(f"{to_letters(index)}2:{to_letters(index)}{_LAST_ROW}")
            sheet.add_data_validation(validation)


def _rules(
    column: Column, lists: str, values: dict[Terms, _ValueList]
) -> Iterator[dict[str, object]]:
    """Yield a column's validation rules, as arguments of openpyxl."""
    if column.terms:
        at = to_letters(2 * list(values).index(column.terms) + 1)
        formula = f"'{lists}'!${at}$2:${at}${len(column.terms) + 1}"
        strict = column.items is None
        yield {
            "type": "list",
            "formula1": formula,
            # Cells with lists may hold several values; their drop-down is only a help.
            "showErrorMessage": strict,
            "errorTitle": column.title,
            "error": f"This is not in the list; see the tab {lists}." if strict else None,
        }
    elif column.attribute is not None and column.attribute.value.kind in {"integer", "decimal"}:
        value = column.attribute.value
        yield {
            "type": "whole" if value.kind == "integer" else "decimal",
            "operator": "between",
            "formula1": str(value.minimum),
            "formula2": str(value.maximum),
            "showErrorMessage": True,
            "errorTitle": column.title,
            "error": f"This must be {value.description}.",
        }


def _to_bytes(book: Workbook) -> bytes:
    """Return a workbook as a file without timestamps."""
    # `Workbook.save` would set the modification time.
    timed, fixed = io.BytesIO(), io.BytesIO()
    ExcelWriter(book, zipfile.ZipFile(timed, "w")).save()
    with zipfile.ZipFile(timed) as source, zipfile.ZipFile(fixed, "w") as target:
        for info in source.infolist():
            entry = zipfile.ZipInfo(info.filename, _ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            target.writestr(entry, source.read(info))
    return fixed.getvalue()


MAX_UNPACKED = 50_000_000
"""The most bytes unpacked of a workbook; 5,000 cards of 20 fields have some 10 MB."""
MAX_ELEMENTS = 1_000_000
"""The most XML elements: cells, values, texts, styles, names. Such a game has some 300,000."""
MAX_TABS = 200

_CHUNK = 4 << 20
"""How much is unpacked at once. Expat rescans an unfinished tag with each chunk, so small chunks
would make long tags quadratic."""
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_AREA = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6}):([A-Z]{1,3})([1-9][0-9]{0,6})")
_TEXT_FORMATS = {0, 49}
"""The numbers of the formats "General" and "Text"."""


class NotAWorkbookError(Exception):
    """A file is not a workbook; the message says what is missing."""


class RawCell(NamedTuple):
    """A non-empty cell as the file has it.

    Attributes:
        kind: the type of its value: "n" a number, "s" an index of shared strings, "b", "e", "str" …
        style: the index of its style.
        value: None if its formula was never computed.
        lock: as that of `Cell`.
    """

    row: int
    column: int
    kind: str
    style: int
    value: str | None
    lock: str = ""


Start = Callable[[str, dict[str, str]], None]
End = Callable[[str], None]
Text = Callable[[str], None]


class BoundedArchive:
    """An archive of XML files that is read up to limits."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        """Take the archive."""
        self._archive = archive
        self._bytes, self._elements = MAX_UNPACKED, MAX_ELEMENTS

    def has(self, part: str) -> bool:
        """Return whether it has a file."""
        return part in self._archive.NameToInfo

    def parse(
        self, part: str, start: Start, end: End = lambda _: None, text: Text = lambda _: None
    ) -> None:
        """Parse a file with expat; a missing one counts as empty.

        Raises:
            TooLargeError: if all files that were parsed exceed a limit.
        """
        if not self.has(part):
            return

        def started(tag: str, attributes: dict[str, str]) -> None:
            self._elements -= 1
            if self._elements < 0:
                raise TooLargeError(f"the workbook has more than {MAX_ELEMENTS:,} cells and texts")
            start(tag.rpartition(":")[2], attributes)

        def declared(*_: object) -> None:
            raise NotAWorkbookError("it has a document type declaration")

        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = declared
        parser.StartElementHandler = started
        parser.EndElementHandler = lambda tag: end(tag.rpartition(":")[2])
        parser.CharacterDataHandler = text
        with self._archive.open(part) as stream:
            while chunk := stream.read(_CHUNK):
                self._bytes -= len(chunk)
                if self._bytes < 0:
                    message = f"the workbook has more than {MAX_UNPACKED:,} bytes unpacked"
                    raise TooLargeError(message)
                parser.Parse(chunk, False)  # noqa: FBT003 - that it is not the last one
            parser.Parse(b"", True)  # noqa: FBT003 - that it is


class WorkbookReader(BoundedArchive):
    """Reads the tabs of a workbook."""

    def __init__(self, data: bytes) -> None:
        """Open a workbook and list its tabs.

        Raises:
            zipfile.BadZipFile, expat.ExpatError, NotAWorkbookError: if it is not a workbook.
            TooLargeError: if it exceeds a limit.
        """
        super().__init__(zipfile.ZipFile(io.BytesIO(data)))
        main = self._related("", "officeDocument")
        if not main:
            raise NotAWorkbookError("there is no workbook in it")
        self.main = next(iter(main.values()))
        """The part that lists its tabs."""
        self.since_1904 = False
        """True if its dates count from 1904."""
        self.tabs = self._tabs()
        """The parts of its tabs, by title."""

    def _tabs(self) -> dict[str, str]:
        sheets: dict[str, str] = {}

        def start(tag: str, attributes: dict[str, str]) -> None:
            if tag == "sheet":
                name = next((v for k, v in attributes.items() if k.endswith(":id")), "")
                sheets[attributes.get("name", "")] = name
                if len(sheets) > MAX_TABS:
                    raise TooLargeError(f"the workbook has more than {MAX_TABS} tabs")
            elif tag == "workbookPr":
                self.since_1904 = attributes.get("date1904") in {"1", "true"}

        self.parse(self.main, start)
        parts = self._related(self.main, "worksheet")
        return {title: parts[name] for title, name in sheets.items() if name in parts}

    def _related(self, part: str, kind: str) -> dict[str, str]:
        """Return the parts to which a part has relationships of a kind, by relationship id."""
        folder, name = posixpath.split(part)
        found = {}

        def start(tag: str, attributes: dict[str, str]) -> None:
            if tag == "Relationship" and attributes.get("Type", "").endswith(f"/{kind}"):
                target = posixpath.join("/", folder, attributes.get("Target", ""))
                found[attributes.get("Id", "")] = posixpath.normpath(target).lstrip("/")

        self.parse(posixpath.join(folder, "_rels", f"{name}.rels"), start)
        return {name: target for name, target in found.items() if self.has(target)}

    def cells(self, title: str) -> list[RawCell]:
        """Return the non-empty cells of a tab in the file's order."""
        reader = _CellReader(title)
        self.parse(self.tabs[title], reader.start, reader.end, reader.text)
        return reader.fill_merged()

    @cached_property
    def strings(self) -> list[str]:
        """The shared strings."""
        reader = _StringReader()
        for part in self._related(self.main, "sharedStrings").values():
            self.parse(part, reader.start, reader.end, reader.text)
        return reader.strings

    @cached_property
    def formats(self) -> list[str]:
        """The number formats by style index; "" for General and Text."""
        codes: dict[int, str] = {}
        numbers: list[int] = []
        inside = False

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal inside
            number = _parse_whole(attributes.get("numFmtId", ""))
            if tag == "numFmt":
                codes[number] = attributes.get("formatCode", "")
            elif tag == "cellXfs":
                inside = True
            elif tag == "xf" and inside:
                numbers.append(number)

        def end(tag: str) -> None:
            nonlocal inside
            inside = inside and tag != "cellXfs"

        for part in self._related(self.main, "styles").values():
            self.parse(part, start, end)
        if not set(numbers) - _TEXT_FORMATS:
            return [""] * len(numbers)

        from openpyxl.styles.numbers import BUILTIN_FORMATS  # noqa: PLC0415 - 0.2 s

        known: Mapping[int, str] = {**BUILTIN_FORMATS, **codes}
        return ["" if n in _TEXT_FORMATS else known.get(n, "") for n in numbers]


class _TextReader:
    """Collects the text of values, which may come in pieces, without phonetic hints."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._is_collecting = self._in_phonetic = False

    def start(self, tag: str, _: dict[str, str]) -> None:
        """Handle the start of an element."""
        self._is_collecting = tag in {"v", "t"} and not self._in_phonetic
        self._in_phonetic = self._in_phonetic or tag == "rPh"

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        self._is_collecting = False
        self._in_phonetic = self._in_phonetic and tag != "rPh"

    def text(self, piece: str) -> None:
        """Handle text."""
        if self._is_collecting:
            self.pieces.append(piece)


class _StringReader(_TextReader):
    """Reads shared strings."""

    def __init__(self) -> None:
        super().__init__()
        self.strings: list[str] = []

    def end(self, tag: str) -> None:
        super().end(tag)
        if tag == "si":
            self.strings.append("".join(self.pieces))
            self.pieces.clear()


class _CellReader(_TextReader):
    """Reads the cells of a tab."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._cell = RawCell(0, 0, "n", 0, None)
        self._computed = False
        """True if the cell has a formula, which counts even without a value."""
        self._merged: dict[tuple[int, int], int] = {}
        """The last rows of merged cells by their first row and column."""
        self._areas: list[tuple[int, int, int, int]] = []
        """The first and last rows and columns of formulas that fill several cells."""
        self.cells: list[RawCell] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        super().start(tag, attributes)
        if tag == "c":
            row, column = self._cell.row, self._cell.column + 1
            if match := _REFERENCE.fullmatch(attributes.get("r", "")):
                row, column = int(match[2]), _column(match[1])
            style = _parse_whole(attributes.get("s", ""))
            self._cell = RawCell(row, column, attributes.get("t", "n"), style, None)
            self._computed = False
        elif tag == "row":
            row = _parse_whole(attributes.get("r", "")) or self._cell.row + 1
            self._cell = RawCell(row, 0, "n", 0, None)
        elif tag == "f":
            self._computed = True
            self._cell = self._cell._replace(lock="formula")
            if match := _AREA.fullmatch(attributes.get("ref", "")):
                area = int(match[2]), int(match[4]), _column(match[1]), _column(match[3])
                self._areas += [area] if attributes.get("t") in {"array", "dataTable"} else []
        elif tag in {"v", "is"}:
            self._cell = self._cell._replace(value="")
        elif tag == "mergeCell" and (match := _AREA.fullmatch(attributes.get("ref", ""))):
            first, last = int(match[2]), int(match[4])
            if first < last:
                self._merged[first, _column(match[1])] = last

    def fill_merged(self) -> list[RawCell]:
        """Return the cells; those merged downwards have the value in each row."""
        there = {(cell.row, cell.column) for cell in self.cells} if self._merged else set()
        for number, cell in enumerate([*self.cells]) if self._merged or self._areas else ():
            last = self._merged.get((cell.row, cell.column), 0)
            if last:
                self.cells[number] = cell._replace(lock="merged")
            if any(a <= cell.row <= b and c <= cell.column <= d for a, b, c, d in self._areas):
                self.cells[number] = cell._replace(lock="formula")
            for row in range(cell.row + 1, last + 1):
                if (row, cell.column) not in there:
                    self._add(cell._replace(row=row, lock="merged"))
        return self.cells

    def end(self, tag: str) -> None:
        super().end(tag)
        if tag != "c":
            return
        text = "".join(self.pieces)
        self.pieces.clear()
        if not text and not self._computed:
            return
        self._add(self._cell._replace(value=text) if text else self._cell)

    def _add(self, cell: RawCell) -> None:
        if cell.row > MAX_ROWS or cell.column > MAX_COLUMNS:
            message = f"the tab `{self._title}` has cells beyond row {MAX_ROWS:,} or "
            message += f"column {MAX_COLUMNS}"
            raise TooLargeError(message)
        if len(self.cells) >= MAX_CELLS:
            raise TooLargeError(f"the tab `{self._title}` has more than {MAX_CELLS:,} cells")
        self.cells.append(cell)


@cache
def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def parse_reference(reference: str) -> int:
    """Return the number of the column of a cell, `C7`, or that of a row, `7`; 0 if it is none."""
    match = _REFERENCE.fullmatch(reference)
    return _column(match[1]) if match else _parse_whole(reference)


def _parse_whole(text: str) -> int:
    """Return a whole number, or 0 for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0  # noqa: PLR2004


_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_MAX_NUMBER_LENGTH = 40


def read_xlsx(path: Path, data: bytes, wanted: Callable[[str], bool]) -> list[CellGrid]:
    """Return the tables in a workbook.

    Args:
        wanted: decides by title whether to read a tab; the others are returned empty.

    Raises:
        TooLargeError: if it exceeds a limit.
    """
    book = WorkbookReader(data)
    return [
        CellGrid(
            title, Location(path), tuple(_read_rows(path, title, book)) if wanted(title) else ()
        )
        for title in book.tabs
    ]


def _read_rows(path: Path, title: str, book: WorkbookReader) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of a tab up to the last non-empty one.

    Raises:
        TooLargeError: if there are too many cells, including empty ones in between.
    """
    rows: dict[int, dict[int, RawCell]] = {}
    for raw in book.cells(title):
        rows.setdefault(raw.row, {})[raw.column] = raw
    if sum(map(max, rows.values())) > MAX_CELLS:
        message = f"the tab `{title}` has more than {MAX_CELLS:,} cells, most of them empty"
        raise TooLargeError(message)
    for number in range(1, max(rows, default=0) + 1):
        row = rows.get(number, {})
        cells = []
        for index in range(1, max(row, default=0) + 1):
            place, name = (
                Location(path, number, index, title),
                f"{title}!{to_letters(index)}{number}",
            )
            cells.append(
                _cell(row[index], place, name, book) if index in row else Cell("", place, name)
            )
        yield tuple(cells)


def _cell(raw: RawCell, place: Location, name: str, book: WorkbookReader) -> Cell:
    """Return the cell for a raw cell."""
    cell = _read_cell(raw, place, name, book)
    return cell._replace(lock=raw.lock) if raw.lock else cell


def _read_cell(raw: RawCell, place: Location, name: str, book: WorkbookReader) -> Cell:
    value = raw.value
    if value is None or (value == "" and raw.kind != "str"):
        problem = "its formula was never computed"
        hint = "open the file in a spreadsheet program and save it, or type the value"
        return Cell("", place, name, problem, hint)
    if raw.kind == "e":
        hint = "fix the formula, or type the value"
        return Cell(value, place, name, f"its formula gave `{value}`", hint)
    if raw.kind not in {"n", "d"}:
        return Cell(replace_vertical_tabs(_text(value, raw.kind, book)), place, name)
    date = value if raw.kind == "d" else _date(value, raw.style, book)
    if date:
        problem = f"it holds a date or a time, {date.removesuffix(' 00:00:00')}"
        return Cell(value, place, name, problem, "format it as text, and type it again")
    return Cell(format_number(value), place, name)


def _text(value: str, kind: str, book: WorkbookReader) -> str:
    """Return the text of a cell that is not a number."""
    if kind == "b":
        return "true" if value == "1" else "false"
    return _unescape(book.strings[int(value)] if kind == "s" else value)


def format_number(value: str) -> str:
    """Return a number as text; whole numbers have no decimals."""
    if _WHOLE.fullmatch(value) or len(value) > _MAX_NUMBER_LENGTH:
        return value
    number = float(value)
    return str(int(number)) if number.is_integer() else f"{Decimal(str(number)):f}"


def _date(value: str, style: int, book: WorkbookReader) -> str | None:
    """Return the date or time that a number stands for, None if its format is not one."""
    code = book.formats[style] if style < len(book.formats) else ""
    if not code or len(value) > _MAX_NUMBER_LENGTH:
        return None

    from openpyxl.styles.numbers import is_date_format, is_timedelta_format  # noqa: PLC0415 - 0.2 s
    from openpyxl.utils.datetime import CALENDAR_MAC_1904, WINDOWS_EPOCH, from_excel  # noqa: PLC0415

    if not is_date_format(code):
        return None
    epoch = CALENDAR_MAC_1904 if book.since_1904 else WINDOWS_EPOCH
    return str(from_excel(float(value), epoch, timedelta=is_timedelta_format(code)))


def _unescape(text: str) -> str:
    """Return a text from OOXML's form, in which `_x0041_` means the letter A."""
    if "_x" not in text:
        return text
    text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    # Characters beyond the BMP may be escaped as surrogate pairs.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
