"""Read the parts of an XLSX workbook as streams, within bounds (ECMA-376, part 1, chapter 18).

A workbook is a stranger's file: a few kilobytes can hold hundreds of megabytes of XML. So each part
is parsed while it is unpacked, and reading ends when there is more of it than any game has.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import NamedTuple
from xml.parsers import expat

from deckwright.grids.table import MAX_CELLS, MAX_COLUMNS, MAX_ROWS, TooLargeError

MAX_UNPACKED = 50_000_000
"""How many bytes are read of a workbook; one with 5,000 cards of 20 fields has some 10 MB."""
MAX_ELEMENTS = 1_000_000
"""How many elements: cells, their values, texts, styles, names. Such a game has some 300,000."""
MAX_TABS = 200

_CHUNK = 4 << 20
"""How much is unpacked at once. A tag that has not ended is looked through anew with each piece, so
many small ones would take the more time the longer it is."""
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_TEXT_FORMATS = {0, 49}
"""The numbers of the formats "General" and "Text"."""


class NoWorkbookError(Exception):
    """A file lacks what makes a workbook; the message says what."""


class Raw(NamedTuple):
    """A cell that is not empty, as the file has it.

    Attributes:
        kind: what its value is: "n" a number, "s" the number of a shared text, "b", "e", "str" …
        style: the number of its style.
        value: None if it was never computed.
    """

    row: int
    column: int
    kind: str
    style: int
    value: str | None


Start = Callable[[str, dict[str, str]], None]
End = Callable[[str], None]
Text = Callable[[str], None]


class Workbook:
    """A workbook whose tabs can be read."""

    def __init__(self, data: bytes) -> None:
        """Open a workbook, and read what tabs it has.

        Raises:
            zipfile.BadZipFile, expat.ExpatError, NoWorkbookError: if it is none.
            TooLargeError: if there is too much of it.
        """
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        self._bytes, self._elements = MAX_UNPACKED, MAX_ELEMENTS
        main = self._related("", "officeDocument")
        if not main:
            raise NoWorkbookError("there is no workbook in it")
        self._main = next(iter(main.values()))
        self.since_1904 = False
        """Whether its days count from 1904."""
        self.tabs = self._tabs()
        """The parts of its tabs by their titles."""

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

        self._parse(self._main, start)
        parts = self._related(self._main, "worksheet")
        return {title: parts[name] for title, name in sheets.items() if name in parts}

    def _related(self, part: str, kind: str) -> dict[str, str]:
        """Return the parts that a part names as of some kind, by their names there."""
        folder, name = posixpath.split(part)
        found = {}

        def start(tag: str, attributes: dict[str, str]) -> None:
            if tag == "Relationship" and attributes.get("Type", "").endswith(f"/{kind}"):
                target = posixpath.join("/", folder, attributes.get("Target", ""))
                found[attributes.get("Id", "")] = posixpath.normpath(target).lstrip("/")

        self._parse(posixpath.join(folder, "_rels", f"{name}.rels"), start)
        return {name: target for name, target in found.items() if self._has(target)}

    def _has(self, part: str) -> bool:
        return part in self._archive.NameToInfo

    def cells(self, title: str) -> list[Raw]:
        """Return the cells of a tab that are not empty, in the order of the file."""
        reader = _Cells(title)
        self._parse(self.tabs[title], reader.start, reader.end, reader.text)
        return reader.found

    @cached_property
    def strings(self) -> list[str]:
        """The texts that cells share."""
        reader = _Strings()
        for part in self._related(self._main, "sharedStrings").values():
            self._parse(part, reader.start, reader.end, reader.text)
        return reader.found

    @cached_property
    def formats(self) -> list[str]:
        """The number formats of styles, by the styles' numbers; "" for plain ones."""
        codes: dict[int, str] = {}
        numbers: list[int] = []
        inside = False

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal inside
            number = _whole(attributes.get("numFmtId", ""))
            if tag == "numFmt":
                codes[number] = attributes.get("formatCode", "")
            elif tag == "cellXfs":
                inside = True
            elif tag == "xf" and inside:
                numbers.append(number)

        def end(tag: str) -> None:
            nonlocal inside
            inside = inside and tag != "cellXfs"

        for part in self._related(self._main, "styles").values():
            self._parse(part, start, end)
        if not set(numbers) - _TEXT_FORMATS:
            return [""] * len(numbers)

        from openpyxl.styles.numbers import BUILTIN_FORMATS  # noqa: PLC0415 - 0.2 s

        known: Mapping[int, str] = {**BUILTIN_FORMATS, **codes}
        return ["" if n in _TEXT_FORMATS else known.get(n, "") for n in numbers]

    def _parse(
        self, part: str, start: Start, end: End = lambda _: None, text: Text = lambda _: None
    ) -> None:
        """Parse a part; one that is not there is empty."""
        if not self._has(part):
            return

        def started(tag: str, attributes: dict[str, str]) -> None:
            self._elements -= 1
            if self._elements < 0:
                raise TooLargeError(f"the workbook has more than {MAX_ELEMENTS:,} cells and texts")
            start(tag.rpartition(":")[2], attributes)

        def declared(*_: object) -> None:
            raise NoWorkbookError("it has a document type declaration")

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


class _Texts:
    """Gathers the text of values, which may be in several pieces, but not how it is spoken."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._taking = self._spoken = False

    def start(self, tag: str, _: dict[str, str]) -> None:
        """Take the start of an element."""
        self._taking = tag in {"v", "t"} and not self._spoken
        self._spoken = self._spoken or tag == "rPh"

    def end(self, tag: str) -> None:
        """Take the end of an element."""
        self._taking = False
        self._spoken = self._spoken and tag != "rPh"

    def text(self, piece: str) -> None:
        """Take some text."""
        if self._taking:
            self.pieces.append(piece)


class _Strings(_Texts):
    """Reads shared texts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def end(self, tag: str) -> None:
        super().end(tag)
        if tag == "si":
            self.found.append("".join(self.pieces))
            self.pieces.clear()


class _Cells(_Texts):
    """Reads the cells of a tab."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._cell = Raw(0, 0, "n", 0, None)
        self._computed = False
        """Whether the cell has a formula, so that it counts without a value, too."""
        self.found: list[Raw] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        super().start(tag, attributes)
        if tag == "c":
            row, column = self._cell.row, self._cell.column + 1
            if found := _REFERENCE.fullmatch(attributes.get("r", "")):
                row, column = int(found[2]), _column(found[1])
            style = _whole(attributes.get("s", ""))
            self._cell = Raw(row, column, attributes.get("t", "n"), style, None)
            self._computed = False
        elif tag == "row":
            row = _whole(attributes.get("r", "")) or self._cell.row + 1
            self._cell = Raw(row, 0, "n", 0, None)
        elif tag == "f":
            self._computed = True
        elif tag in {"v", "is"}:
            self._cell = self._cell._replace(value="")

    def end(self, tag: str) -> None:
        super().end(tag)
        if tag != "c":
            return
        text = "".join(self.pieces)
        self.pieces.clear()
        if not text and not self._computed:
            return
        if self._cell.row > MAX_ROWS or self._cell.column > MAX_COLUMNS:
            message = f"the tab `{self._title}` has cells beyond row {MAX_ROWS:,} or "
            message += f"column {MAX_COLUMNS}"
            raise TooLargeError(message)
        if len(self.found) >= MAX_CELLS:
            raise TooLargeError(f"the tab `{self._title}` has more than {MAX_CELLS:,} cells")
        self.found.append(self._cell._replace(value=text) if text else self._cell)


@cache
def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _whole(text: str) -> int:
    """Return a whole number, 0 for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0  # noqa: PLR2004
