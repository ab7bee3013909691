"""Read workbooks within bounds: XLSX (ECMA-376, part 1, chapter 18) and ODS (OASIS ODF 1.3)."""

from __future__ import annotations

import codecs
import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from functools import cache, cached_property, reduce
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from deckwright.base.files import to_letters
from deckwright.base.findings import Location
from deckwright.base.output import OutputError
from deckwright.grids.csv import E016, read_bytes
from deckwright.grids.table import (
    E076,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    Cell,
    CellGrid,
    TooLargeError,
    replace_vertical_tabs,
)

MAX_UNPACKED = 50_000_000
"""The most bytes unpacked of a workbook; 5,000 cards of 20 fields have some 10 MB."""
MAX_ELEMENTS = 1_000_000
"""The most XML elements: cells, values, texts, styles, names. Such a game has some 300,000."""
MAX_TABS = 200
_MAX_SPACES = 100
"""The most spaces that an element of ODS stands for."""
_MAX_NUMBER_LENGTH = 40

_ODS_SUFFIX = ".ods"
WORKBOOK_SUFFIXES = (".xlsx", _ODS_SUFFIX)
_OTHER_KINDS = {
    b"\xd0\xcf\x11\xe0": "the file is an old or an encrypted workbook",
    b"PK\3\4": "the file is another kind of document",
}
_TEXT_FORMATS = {0, 49}
"""The numbers of the formats "General" and "Text"."""
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
PLAIN_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,14}|-?(?:0|[1-9][0-9]{0,8})\.[0-9]{1,6}")
"""A number that a workbook returns as it was written."""
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_ODS_CELLS = ("table-cell", "covered-table-cell")


class NotAWorkbookError(Exception):
    """A file is not a workbook; the message says what is missing."""


class CellContent(NamedTuple):
    """What is in a cell; the attributes are those of `Cell`."""

    text: str
    problem: str = ""
    hint: str = ""
    lock: str = ""

    @classmethod
    def of_error(cls, value: str) -> CellContent:
        """Return the content of a cell whose formula gave an error."""
        return cls(value, f"its formula gave `{value}`", "fix the formula, or type the value")

    @classmethod
    def of_date(cls, value: str, date: str) -> CellContent:
        """Return the content of a cell that was formatted as a date or time."""
        problem = f"it holds a date or a time, {date}"
        return cls(value, problem, "format it as text, and type it again")


class Tab:
    """A tab of a workbook.

    Attributes:
        cells: its cells that are not blank, by row and column from 1.
    """

    def __init__(self, title: str) -> None:
        """Begin a tab without cells."""
        self.title = title
        self.cells: dict[tuple[int, int], CellContent] = {}

    def add(self, row: int, column: int, content: CellContent) -> None:
        """Add a cell.

        Raises:
            TooLargeError: if there are too many, or it is too far away.
        """
        if row > MAX_ROWS or column > MAX_COLUMNS:
            message = f"the tab `{self.title}` has cells beyond row {MAX_ROWS:,} or "
            raise TooLargeError(f"{message}column {MAX_COLUMNS}")
        if len(self.cells) >= MAX_CELLS:
            raise TooLargeError(f"the tab `{self.title}` has more than {MAX_CELLS:,} cells")
        self.cells[row, column] = content

    def to_grid(self, path: Path) -> CellGrid:
        """Return its rows up to the last one that is not blank.

        Raises:
            TooLargeError: if there are too many cells, including empty ones in between.
        """
        widths: dict[int, int] = {}
        for row, column in self.cells:
            widths[row] = max(widths.get(row, 0), column)
        if sum(widths.values()) > MAX_CELLS:
            message = f"the tab `{self.title}` has more than {MAX_CELLS:,} cells, most of them"
            raise TooLargeError(f"{message} empty")
        blank = CellContent("")
        rows = []
        for row in range(1, max(widths, default=0) + 1):
            cells = []
            for column in range(1, widths.get(row, 0) + 1):
                text, problem, hint, lock = self.cells.get((row, column), blank)
                place = Location(path, row, column, self.title)
                name = f"{self.title}!{to_letters(column)}{row}"
                cells.append(Cell(text, place, name, problem, hint, lock=lock))
            rows.append(tuple(cells))
        return CellGrid(self.title, Location(path), tuple(rows))


def _local(name: str) -> str:
    """Return a name without its namespace."""
    return name.rpartition("}")[2]


class BoundedArchive:
    """An archive of XML files that is read up to limits."""

    def __init__(self, data: bytes) -> None:
        """Open an archive; anything else is a zipfile.BadZipFile."""
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        self._bytes, self._elements = MAX_UNPACKED, MAX_ELEMENTS

    def has(self, part: str) -> bool:
        """Return whether it has a file."""
        return part in self._archive.NameToInfo

    def walk(
        self, part: str, records: Collection[str] = ()
    ) -> Iterator[tuple[bool, str, ET.Element]]:
        """Yield the starts and ends of the elements of a file: whether it starts, tag and element.

        Args:
            part: the name of the file; a missing one counts as empty.
            records: the tags of elements that are yielded once, with all that is in them.

        Raises:
            TooLargeError: if all files that were read exceed a limit.
            NotAWorkbookError: if it has a document type declaration.
        """
        if not self.has(part):
            return
        # The encoding is given so that none that is declared can hide what `_unpack` counts.
        parser = ET.XMLParser(encoding="utf-8")  # noqa: S314 - without a document type
        source = io.BytesIO(self._unpack(part))
        opened: list[ET.Element] = []
        inside = 0
        for event, element in ET.iterparse(source, ("start", "end"), parser):  # noqa: S314
            tag, starts = _local(element.tag), event == "start"
            if tag in records:
                inside += 1 if starts else -1
            if not inside or (tag in records and not starts):
                yield starts, tag, element
            if starts:
                opened.append(element)
            else:
                opened.pop()
                if not inside and opened:
                    del opened[-1][:]

    def _unpack(self, part: str) -> bytes:
        with self._archive.open(part) as stream:
            data = stream.read(self._bytes + 1)
        self._bytes -= len(data)
        if self._bytes < 0:
            raise TooLargeError(f"the workbook has more than {MAX_UNPACKED:,} bytes unpacked")
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            data = data.decode("utf-16").encode()
        self._elements -= data.count(b"<") - data.count(b"</")
        if self._elements < 0:
            raise TooLargeError(f"the workbook has more than {MAX_ELEMENTS:,} cells and texts")
        if b"<!DOCTYPE" in data:
            raise NotAWorkbookError("it has a document type declaration")
        return data


def _parse_whole(text: str | None, default: int = 0) -> int:
    """Return a whole number; the default for any other text."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else default


def format_number(value: str) -> str:
    """Return a number as text; whole numbers have no decimals."""
    if _WHOLE.fullmatch(value) or len(value) > _MAX_NUMBER_LENGTH:
        return value
    number = float(value)
    return str(int(number)) if number.is_integer() else f"{Decimal(str(number)):f}"


class WorkbookReader(BoundedArchive):
    """Reads the tabs of an XLSX workbook."""

    def __init__(self, data: bytes) -> None:
        """Open a workbook and list its tabs.

        Raises:
            zipfile.BadZipFile, ET.ParseError, NotAWorkbookError: if it is not a workbook.
            TooLargeError: if it exceeds a limit.
        """
        super().__init__(data)
        main = self._related("", "officeDocument")
        if not main:
            raise NotAWorkbookError("there is no workbook in it")
        self.main = next(iter(main.values()))
        """The part that lists its tabs."""
        self._epoch_1904 = False
        parts = self._related(self.main, "worksheet")
        self.tabs: dict[str, str] = {}
        """The parts of its tabs, by title."""
        number = 0
        for starts, tag, element in self.walk(self.main):
            if starts and tag == "sheet":
                number += 1
                name = next((v for k, v in element.items() if k.endswith("}id")), "")
                if name in parts:
                    self.tabs[element.get("name", "")] = parts[name]
                if number > MAX_TABS:
                    raise TooLargeError(f"the workbook has more than {MAX_TABS} tabs")
            elif starts and tag == "workbookPr":
                self._epoch_1904 = element.get("date1904") in {"1", "true"}

    def _related(self, part: str, kind: str) -> dict[str, str]:
        """Return the parts to which a part has relationships of a kind, by relationship id."""
        folder, name = posixpath.split(part)
        found = {}
        for starts, tag, element in self.walk(posixpath.join(folder, "_rels", f"{name}.rels")):
            if starts and tag == "Relationship" and element.get("Type", "").endswith(f"/{kind}"):
                target = posixpath.join("/", folder, element.get("Target", ""))
                found[element.get("Id", "")] = posixpath.normpath(target).lstrip("/")
        return {name: target for name, target in found.items() if self.has(target)}

    def read(self, title: str) -> Tab:
        """Return a tab; cells that are merged downwards have the value in each row."""
        tab = Tab(title)
        merged: list[_Area] = []
        computed: list[_Area] = []
        row = column = 0
        for starts, tag, element in self.walk(self.tabs[title], ("c",)):
            if tag == "c":
                row, column = _parse_reference(element.get("r", "")) or (row, column + 1)
                parts = {_local(child.tag): child for child in element}
                formula = parts.get("f")
                content = self._read_cell(element, parts)
                if content is not None:
                    tab.add(row, column, content)
                if formula is not None and formula.get("t") in {"array", "dataTable"}:
                    computed += _parse_area(formula.get("ref", ""))
            elif starts and tag == "row":
                row, column = _parse_whole(element.get("r"), row + 1), 0
            elif starts and tag == "mergeCell":
                merged += _parse_area(element.get("ref", ""))
        for first, column, last, _ in merged:
            if first < last and (content := tab.cells.get((first, column))) is not None:
                content = content._replace(lock="merged")
                tab.cells[first, column] = content
                for row in range(first + 1, last + 1):
                    if (row, column) not in tab.cells:
                        tab.add(row, column, content)
        for (row, column), content in tab.cells.items() if computed else ():
            if any(a <= row <= c and b <= column <= d for a, b, c, d in computed):
                tab.cells[row, column] = content._replace(lock="formula")
        return tab

    def _read_cell(self, cell: ET.Element, parts: Mapping[str, ET.Element]) -> CellContent | None:
        """Return the content of a cell, None if it is empty."""
        kind, lock = cell.get("t", "n"), "formula" if "f" in parts else ""
        value = parts.get("is" if kind == "inlineStr" else "v")
        text = ""
        if value is not None:
            text = _join_runs(value) if kind == "inlineStr" else value.text or ""
        if not text and not lock:
            return None
        if value is None or (not text and kind != "str"):
            hint = "open the file in a spreadsheet program and save it, or type the value"
            return CellContent("", "its formula was never computed", hint, lock)
        if kind == "e":
            content = CellContent.of_error(text)
        elif kind == "b":
            content = CellContent("true" if text == "1" else "false")
        elif kind not in {"n", "d"}:
            text = self._strings[int(text)] if kind == "s" else text
            if "_x" in text:  # as `escape_ooxml` writes it
                text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
                # Characters beyond the BMP may be escaped as surrogate pairs.
                text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            content = CellContent(replace_vertical_tabs(text))
        elif date := text if kind == "d" else self._format_date(text, _parse_whole(cell.get("s"))):
            content = CellContent.of_date(text, date.removesuffix(" 00:00:00"))
        else:
            content = CellContent(format_number(text))
        return content._replace(lock=lock)

    @cached_property
    def _strings(self) -> list[str]:
        """The shared strings."""
        parts = self._related(self.main, "sharedStrings").values()
        walks = (each for part in parts for each in self.walk(part, ("si",)))
        return [_join_runs(element) for _, tag, element in walks if tag == "si"]

    @cached_property
    def _formats(self) -> list[str]:
        """The number formats by style index; "" for General and Text."""
        codes: dict[int, str] = {}
        numbers: list[int] = []
        inside = False
        for part in self._related(self.main, "styles").values():
            for starts, tag, element in self.walk(part):
                number = _parse_whole(element.get("numFmtId"))
                if tag == "cellXfs":
                    inside = starts
                elif starts and tag == "numFmt":
                    codes[number] = element.get("formatCode", "")
                elif starts and tag == "xf" and inside:
                    numbers.append(number)
        if _TEXT_FORMATS.issuperset(numbers):
            return [""] * len(numbers)

        from openpyxl.styles.numbers import BUILTIN_FORMATS  # 0.2 s

        known: Mapping[int, str] = {**BUILTIN_FORMATS, **codes}
        return ["" if n in _TEXT_FORMATS else known.get(n, "") for n in numbers]

    def _format_date(self, value: str, style: int) -> str | None:
        """Return the date or time that a number stands for, None if its format is not one."""
        code = self._formats[style] if style < len(self._formats) else ""
        if not code or len(value) > _MAX_NUMBER_LENGTH:
            return None

        from openpyxl.styles.numbers import is_date_format, is_timedelta_format
        from openpyxl.utils.datetime import CALENDAR_MAC_1904, WINDOWS_EPOCH, from_excel

        if not is_date_format(code):
            return None
        epoch = CALENDAR_MAC_1904 if self._epoch_1904 else WINDOWS_EPOCH
        return str(from_excel(float(value), epoch, timedelta=is_timedelta_format(code)))


_Area = tuple[int, int, int, int]
"""The first row and column of an area, and the last ones."""


def _join_runs(element: ET.Element) -> str:
    """Return a text, which may come in runs, without phonetic hints."""
    texts = (
        part.text or "" if _local(part.tag) == "t" else _join_runs(part)
        for part in element
        if _local(part.tag) in {"t", "r"}
    )
    return "".join(texts)


def _parse_reference(reference: str) -> tuple[int, int] | None:
    """Return the row and column of a cell, `C7`; None if it is none."""
    match = _REFERENCE.fullmatch(reference)
    return (int(match[2]), _parse_column(match[1])) if match else None


@cache
def _parse_column(letters: str) -> int:
    return reduce(lambda number, letter: 26 * number + ord(letter) - ord("A") + 1, letters, 0)


def _parse_area(reference: str) -> list[_Area]:
    """Return the area `A1:B2`, none if it is none."""
    first, _, last = reference.partition(":")
    start, end = _parse_reference(first), _parse_reference(last)
    return [(*start, *end)] if start and end else []


def parse_ordinal(reference: str) -> int:
    """Return the number of the column of a cell, `C7`, or that of a row, `7`; 0 if it is none."""
    cell = _parse_reference(reference)
    return cell[1] if cell else _parse_whole(reference)


def escape_ooxml(text: str) -> str:
    """Return a text as OOXML stores it, in which `_x0041_` means the letter A."""
    return _ESCAPE.sub("_x005F_", text)


def _read_ods(data: bytes, wanted: Callable[[str], bool]) -> list[Tab]:
    """Return the tabs of an ODS spreadsheet; those not wanted are empty."""
    archive = BoundedArchive(data)
    tabs: list[Tab] = []
    row, column, rows = 0, 0, 1
    for starts, tag, element in archive.walk("content.xml", _ODS_CELLS):
        said = {_local(name): value for name, value in element.items()}
        if starts and tag == "table":
            tabs.append(Tab(said.get("name", "")))
            row = 0
            if len(tabs) > MAX_TABS:
                raise TooLargeError(f"the workbook has more than {MAX_TABS} tabs")
        elif tag == "table-row":
            row += 0 if starts else rows
            column, rows = 0, _parse_whole(said.get("number-rows-repeated"), 1)
        elif tag in _ODS_CELLS:
            columns = _parse_whole(said.get("number-columns-repeated"), 1)
            content = _read_ods_cell(element, said)
            if (content.text.strip() or content.problem) and wanted(tabs[-1].title):
                height = max(rows, _parse_whole(said.get("number-rows-spanned"), 1))
                for number in range(row + 1, row + height + 1):
                    for at in range(column + 1, column + columns + 1):
                        tabs[-1].add(number, at, content)
            column += columns
    return tabs


def _read_ods_cell(cell: ET.Element, said: Mapping[str, str]) -> CellContent:
    paragraphs = [child for child in cell if _local(child.tag) in {"p", "h"}]
    text = "\n".join(map(_read_paragraph, paragraphs))
    # That of OASIS comes before LibreOffice's own, which knows errors.
    kinds = [value for name, value in cell.items() if name.endswith("}value-type")]
    kind = kinds[0] if kinds else ""
    if "error" in kinds:
        return CellContent.of_error(text)
    if kind in {"date", "time"}:
        value = said.get(f"{kind}-value", text)
        return CellContent.of_date(value, value)
    if kind == "boolean":
        return CellContent(said.get("boolean-value", ""))
    if kind in {"float", "currency", "percentage"}:
        return CellContent(format_number(said.get("value", text)))
    return CellContent(replace_vertical_tabs(text))


def _read_paragraph(element: ET.Element) -> str:
    """Return the text of a paragraph or of a part of it, without notes."""
    parts = [element.text or ""]
    for child in element:
        tag = _local(child.tag)
        if tag == "s":
            numbers = [value for name, value in child.items() if _local(name) == "c"]
            parts.append(" " * min(_parse_whole("".join(numbers), 1), _MAX_SPACES))
        elif tag in {"tab", "line-break"}:
            parts.append("\n" if tag == "line-break" else " ")
        elif tag != "annotation":
            parts.append(_read_paragraph(child))
        parts.append(child.tail or "")
    return "".join(parts)


def read_workbook(path: Path, wanted: Callable[[str], bool] = lambda _: True) -> list[CellGrid]:
    """Return the tables in a workbook.

    Args:
        wanted: decides by title whether to read a tab; the others are returned empty.

    Raises:
        OutputError: if it cannot be read.
    """
    data = read_bytes(path)
    ods = path.suffix.casefold() == _ODS_SUFFIX
    try:
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        names = []
    if not any(name.startswith("content.xml" if ods else "xl/") for name in names):
        kind = _OTHER_KINDS.get(data[:4], "the file is not a workbook")
        raise OutputError(E016.at(Location(path), kind, "save it as `.xlsx`"))
    try:
        if ods:
            tabs = _read_ods(data, wanted)
        else:
            book = WorkbookReader(data)
            tabs = [book.read(title) if wanted(title) else Tab(title) for title in book.tabs]
        return [tab.to_grid(path) for tab in tabs]
    except TooLargeError as error:
        hint = "remove whatever is not a card, including the formatting of empty cells"
        raise OutputError(E076.at(Location(path), str(error), hint)) from error
    except Exception as error:  # a damaged archive may lead to whatever there is
        message = f"the workbook is damaged: {type(error).__name__}: {error}"
        hint = "save it as `.xlsx` again"
        raise OutputError(E016.at(Location(path), message[:200], hint)) from error
