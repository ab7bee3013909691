"""Read and write tables as CSV.

Texts that a spreadsheet program would take for a formula, a date or another number are written with
an apostrophe in front, which such programs show; reading removes it. The same goes for text that
would start a formula if a program assumed another delimiter, as Excel does in many countries
(OWASP, "CSV Injection"). Files are read as the programs write them: in UTF-8, UTF-16 or
Windows-1252, with commas, semicolons or tabs.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import to_letters
from deckwright.base.findings import Code, Location, Report, Severity
from deckwright.base.output import OutputError
from deckwright.base.units import format_plain
from deckwright.grids.table import (
    E076,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    Cell,
    CellGrid,
    Table,
    TooLargeError,
    is_number,
    replace_vertical_tabs,
)
from deckwright.xmlio.load import BOMS, read_prefix

E016 = Code("E016", Severity.ERROR, "a file that cannot be read as a spreadsheet")

DELIMITERS = (",", ";", "\t")
MAX_BYTES = 20_000_000
"""The largest file that is read; a game of 10,000 cards has some 2 MB."""

_FORMULA_STARTS = r"=+\-@\uff1d\uff0b\uff0d\uff20"
"""Characters that start formulas, including the full-width forms of Japanese programs."""
_FORMULA = re.compile(rf"[{_FORMULA_STARTS}\t\r]")
_INNER = re.compile(rf"""([,;\t]\s*"?)('*[{_FORMULA_STARTS}])""")
_GUARDED = re.compile(rf"""([,;\t]\s*"?)'('*[{_FORMULA_STARTS}])""")
_MONTH = (
    "(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz?|mrz|apr(?:il)?|may|mai|june?|juni|july?|"
    "juli|aug(?:ust)?|sep(?:t|tember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)"
)
_DATE_OR_NUMBER = re.compile(
    r"[0-9][0-9.,:/\- ]*(?:e[+\-]?[0-9]+)?|"
    rf"{_MONTH}[ ./\-]{{0,2}}[0-9]{{1,4}}|[0-9]{{1,4}}[ ./\-]{{0,2}}{_MONTH}",
    re.IGNORECASE,
)
_NUMBER = re.compile("-?[0-9]+(?:[.,][0-9]+)?")
_SAMPLE_ROWS = 20
"""The number of rows by which the delimiter is detected."""
_MAX_REMARKS = 20
_LINE_END = re.compile(r"\r\n|\n|\r")
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?(?:\r\n|\n|\r)')


def write_csv(table: Table, delimiter: str, *, bom: bool) -> bytes:
    """Return a table as CSV in UTF-8, with a byte order mark if `bom`."""
    text = format_csv([table.titles, *table.rows], delimiter)
    return codecs.BOM_UTF8 * bom + text.encode()


def format_csv(
    lines: Iterable[Iterable[str | float]],
    delimiter: str = ",",
    number: Callable[[float], str] = format_plain,
) -> str:
    """Return lines of texts and of numbers, which `number` formats, as CSV."""

    def write(cell: str | float) -> str:
        text = guard_formula(cell) if isinstance(cell, str) else number(cell)
        return _quote_field(text, delimiter)

    return "".join(delimiter.join(map(write, line)) + "\r\n" for line in lines)


def _quote_field(text: str, delimiter: str) -> str:
    special = any(char in text for char in (delimiter, '"', "\n", "\r")) or text != text.strip()
    return '"' + text.replace('"', '""') + '"' if special else text


def guard_formula(text: str) -> str:
    """Return a text protected from being taken for a formula, date or number."""
    text = _INNER.sub(r"\1'\2", text)
    return f"'{text}" if _needs_guard(text) else text


def unguard_formula(text: str) -> str:
    """Return a text without the protection of `guard_formula`, if it has any."""
    if "'" not in text:
        return text
    text = text[1:] if text.startswith("'") and _needs_guard(text) else text
    return _GUARDED.sub(r"\1\2", text)


def _needs_guard(text: str) -> bool:
    """Return whether a text, apart from leading apostrophes, needs protection."""
    text = text.lstrip("'")
    if is_number(text):
        return False
    return bool(_FORMULA.match(text) or _DATE_OR_NUMBER.fullmatch(text))


def read_csv(path: Path, title: str, known: Sequence[str]) -> CellGrid:
    """Return the table in a CSV file.

    Args:
        title: the table's title.
        known: known column titles, by which the delimiter is detected.

    Raises:
        OutputError: if it cannot be read.
    """
    data = read_bytes(path)
    decoded = _decode(data)
    if decoded is None:
        hint = "in the spreadsheet program, save it as “CSV UTF-8”"
        message = "the file is not in UTF-8, UTF-16 or Windows-1252"
        if data.startswith(b"PK\3\4"):
            message = "the file is a workbook, not CSV"
            hint = f"name it `{path.stem}.xlsx`, or save it as CSV"
        elif data.startswith(b"\xd0\xcf\x11\xe0"):
            message, hint = "the file is a workbook, not CSV", "save it as CSV or XLSX"
        raise OutputError(E016.at(Location(path), message, hint))
    text, encoding = decoded
    remarks: list[tuple[Location, str, str]] = []
    rows: list[tuple[Cell, ...]] = []
    try:
        delimiter, start = _detect_delimiter(text, known)
        for number, fields in enumerate(_FieldReader(text, start, delimiter).rows(), 1):
            row = []
            for index, field in enumerate(fields, 1):
                place, raw = Location(path, field.line, field.column), field.text
                if raw.startswith('"') and raw.count('"') % 2 and len(remarks) < _MAX_REMARKS:
                    hint = "close it, or remove it; inside quotation marks, double them"
                    remarks.append((place, "a quotation mark is not closed", hint))
                name = f"{title}!{to_letters(index)}{number}"
                row.append(Cell(replace_vertical_tabs(unguard_formula(raw)), place, name))
            rows.append(tuple(row))
    except TooLargeError as error:
        hint = "remove whatever is not a card, including empty rows and columns"
        raise OutputError(E076.at(Location(path), str(error), hint)) from error
    return CellGrid(title, Location(path), tuple(rows), tuple(remarks), encoding, delimiter)


def read_bytes(path: Path) -> bytes:
    """Return a file's content.

    Raises:
        OutputError: if it cannot be read, or is too large.
    """
    report: Report = []
    data = read_prefix(path, MAX_BYTES, report)
    if data is None:
        raise OutputError(*report)
    if len(data) > MAX_BYTES:
        message = f"the file has more than {MAX_BYTES:,} bytes"
        raise OutputError(E016.at(Location(path), message, "is this the right file?"))
    return data


def _decode(data: bytes) -> tuple[str, str] | None:
    """Return a file's text and encoding, "" for UTF-8; None if no spreadsheet program writes it."""
    encodings = {"utf-8-sig": "", "cp1252": "Windows-1252"} if b"\0" not in data else {}
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = {"utf-16": "UTF-16"}
    for encoding, name in encodings.items():
        with suppress(UnicodeDecodeError):
            return data.decode(encoding), name
    return None


def _detect_delimiter(text: str, known: Sequence[str]) -> tuple[str, int]:
    """Return a file's delimiter, and the offset of its first row.

    It is the delimiter that yields the most known titles, or else most often rows of one length.
    Excel may name it in a line before the first row, `sep=;`.
    """
    match = _SEPARATOR_LINE.match(text)
    if match:
        return match[1], match.end()
    names = {name.casefold() for name in known}

    def hits(delimiter: str) -> tuple[int, int, int]:
        rows = list(islice(_FieldReader(text, 0, delimiter).rows(), _SAMPLE_ROWS)) or [[]]
        titles = [field.text.strip().casefold() for field in rows[0]]
        width, count = Counter(map(len, rows)).most_common(1)[0]
        return sum(title in names for title in titles), count if width > 1 else 0, width

    return max(DELIMITERS, key=hits), 0


class _Field(NamedTuple):
    """A field of a row with its place in the file, and its start and end in the text."""

    text: str
    line: int
    column: int
    start: int
    end: int


class _FieldReader:
    """Splits a text into located fields after RFC 4180."""

    def __init__(self, text: str, start: int, delimiter: str) -> None:
        mark = re.escape(delimiter)
        self._quoted = re.compile(rf'"((?:[^"]|"")*+)"(?={mark}|\r|\n|\Z)')
        self._plain = re.compile(rf"[^{mark}\r\n]*")
        self._text, self._at, self._line_start = text, start, start
        self._line = 1 + len(_LINE_END.findall(text, 0, start))

    def rows(self) -> Iterator[list[_Field]]:
        """Yield the rows; a last line without a line end counts, too many are a TooLargeError."""
        number = cells = 0
        while self._at < len(self._text):
            number += 1
            if number > MAX_ROWS:
                raise TooLargeError(f"the table has more than {MAX_ROWS:,} rows")
            row = [self._field()]
            while self._at < len(self._text) and not _LINE_END.match(self._text, self._at):
                self._at += 1  # the delimiter
                row.append(self._field())
                if len(row) > MAX_COLUMNS:
                    message = f"row {number} of the table has more than {MAX_COLUMNS} columns"
                    raise TooLargeError(message)
            cells += len(row)
            if cells > MAX_CELLS:
                raise TooLargeError(f"the table has more than {MAX_CELLS:,} cells")
            yield row
            if end := _LINE_END.match(self._text, self._at):
                self._at = self._line_start = end.end()
                self._line += 1

    def _field(self) -> _Field:
        line, column, start = self._line, self._at - self._line_start + 1, self._at
        quoted = self._quoted.match(self._text, start)
        if quoted is None:
            plain = self._plain.match(self._text, start)
            assert plain is not None
            self._at = plain.end()
            return _Field(plain[0], line, column, start, self._at)
        self._at = quoted.end()
        for end in _LINE_END.finditer(self._text, start, self._at):
            self._line, self._line_start = self._line + 1, end.end()
        return _Field(quoted[1].replace('""', '"'), line, column, start, self._at)


def edit_csv(
    data: bytes,
    delimiter: str,
    rows: Mapping[int, Mapping[int, str] | None],
    *,
    numbers: Collection[int] = (),
    new: bool = False,
) -> bytes:
    """Return a CSV file with other texts in some cells; all other bytes stay.

    Args:
        rows: the texts by the index of their column, by the index of their row; None removes the
            row.
        numbers: the columns of numbers, which need no protection from spreadsheet programs.
        new: whether each becomes a new row, after the one at its index and quoted like it.

    Raises:
        UnicodeEncodeError: if the file's encoding lacks a character.
    """
    decoded = _decode(data)
    assert decoded is not None
    text, encoding = decoded
    match = _SEPARATOR_LINE.match(text)
    lines = [*_FieldReader(text, match.end() if match else 0, delimiter).rows()]
    parts, done = list[str](), 0
    for at, texts in sorted(rows.items()):
        row = lines[at]
        start, end = row[0].start, row[-1].end
        line = _LINE_END.match(text, end)
        fields = ["" if new else text[field.start : field.end] for field in row]
        fields += [""] * (max(texts or (0,)) + 1 - len(fields))
        for column, content in (texts or {}).items():
            plain = column in numbers and _NUMBER.fullmatch(content)
            raw = content if plain else guard_formula(content)
            quoted = column < len(row) and text.startswith('"', row[column].start)
            double = raw.replace('"', '""')
            fields[column] = f'"{double}"' if quoted else _quote_field(raw, delimiter)
        written = delimiter.join(fields)
        if texts is None:
            written, end = "", line.end() if line else end
        elif new and line:
            written, start = written + line[0], line.end()
            end = start
        elif new:
            first = _LINE_END.search(text)
            written, start = (first[0] if first else "\r\n") + written, end
        parts += [text[done:start], written]
        done = end
    bom = next((each for each in BOMS if data.startswith(each)), b"")
    codec = BOMS.get(bom) or ("cp1252" if encoding else "utf-8")
    return bom + f"{''.join(parts)}{text[done:]}".encode(codec)
