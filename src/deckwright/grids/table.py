"""Tables: columns and rows of text to write, cells that were read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckwright.base.files import to_letters, to_nfc
from deckwright.base.findings import Code, Diagnostic, Location, Severity
from deckwright.xmlio.shape import Attribute, Occurs, Terms, Value

E017 = Code("E017", Severity.ERROR, "a text that is too long for a cell of a spreadsheet")
E076 = Code("E076", Severity.ERROR, "a table or workbook that is too large to be read")

MAX_ROWS, MAX_COLUMNS = 20_000, 500
"""The area in which a table's cells may be; no real game comes near its edges."""
MAX_CELLS = 500_000
"""The most cells of a table: 10,000 cards of 50 fields."""
MAX_CELL_LENGTH = 32_767
"""The most characters in a cell; spreadsheet programs cut off the rest."""

_SPACE = re.compile("[ \t\r\n]+")


class TooLargeError(Exception):
    """A table exceeds a limit; the message says which."""


class CellError(Exception):
    """A cell is invalid: a fact as its message, and a hint on how to fix it."""

    def __init__(self, message: str, hint: str | None, title: str = "id") -> None:
        """Keep the message, the hint, and the title of the column at fault."""
        super().__init__(message)
        self.hint, self.title = hint, title


class Column(NamedTuple):
    """A column of a table: an attribute of the cards, or their children with one tag.

    Attributes:
        title: its first cell.
        aliases: other accepted titles.
        attribute: the attribute that it holds; None for children and for computed columns.
        items: the children that it holds.
        names: the names of these children's values, without ignored ones.
        terms: the possible values with their meanings; empty if there are too many to list. For
            children, the values of one.
        computed: the kind of value, for a column computed from cards, which is not read back.
        note: a description of its content.
        caption: the name of its field in print, under which tables may have it.
        omit_if_empty: whether tables leave the column out when all its cells are empty.
    """

    title: str
    aliases: tuple[str, ...] = ()
    attribute: Attribute | None = None
    items: Occurs | None = None
    names: tuple[str, ...] = ()
    terms: Terms = ()
    note: str = ""
    computed: Value | None = None
    caption: str = ""
    omit_if_empty: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """What tables may call it."""
        return tuple(filter(None, (self.title, *self.aliases, self.caption)))

    @property
    def all_titles(self) -> tuple[str, ...]:
        """Its title, its aliases, and the tag of the children that it holds."""
        tag = () if self.items is None else (self.items.shape.tag,)
        return (self.title, *self.aliases, *tag)

    @property
    def is_required(self) -> bool:
        """True if each row needs a value here; ids can be generated."""
        if self.items is not None:
            return self.items.minimum > 0
        if self.attribute is None or self.title in {"id", "faction_id"}:
            return False
        return self.attribute.required and not self.attribute.value.accepts("")

    @property
    def is_numeric(self) -> bool:
        """True if spreadsheets should treat its cells as numbers."""
        value = self.attribute.value if self.attribute else self.computed
        if value is None:
            return False
        if value.kind in {"integer", "decimal"}:
            return True
        return bool(self.terms) and all(is_number(term) for term, _ in self.terms)


class Table(NamedTuple):
    """A table to write. Each row has a text per column."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of its columns."""
        return tuple(column.title for column in self.columns)


def replace_vertical_tabs(text: str) -> str:
    """Return a text with word processors' line breaks (U+000B), which XML forbids, as new lines."""
    return text.replace("\v", "\n")


class Cell(NamedTuple):
    """A cell that was read.

    Attributes:
        text: its raw text.
        place: its location.
        name: its name in spreadsheets, with the table: "card!F12".
        problem: why its content is unusable, "" if it is fine.
        hint: how to fix that.
        items: its children, if the file has lists.
        lock: why its content cannot be replaced: "formula" or "merged"; "" if it can.
    """

    text: str
    place: Location
    name: str
    problem: str = ""
    hint: str = ""
    items: tuple[Mapping[str, str], ...] = ()
    lock: str = ""

    @property
    def is_blank(self) -> bool:
        """True if it is empty and has no problem."""
        return not self.text.strip() and not self.problem

    def finding(self, code: Code, message: str, hint: str | None = None) -> Diagnostic:
        """Return a finding about it."""
        return code.at(self.place, f"{self.prefix}{message}", hint)

    @property
    def prefix(self) -> str:
        """Its name as the start of a message, unless its location includes it."""
        return "" if self.place.sheet else f"{self.name}: "


class CellGrid(NamedTuple):
    """A table that was read: its title, and its rows of cells, the first with column titles.

    Attributes:
        place: the file, and the table's start in it.
        remarks: what looks wrong in the file, but can be read: places, messages and hints.
        encoding: the encoding of a text file; "" for UTF-8.
        delimiter: the delimiter of CSV.
    """

    title: str
    place: Location
    rows: tuple[tuple[Cell, ...], ...]
    remarks: tuple[tuple[Location, str, str], ...] = ()
    encoding: str = ""
    delimiter: str = ""


class TitledRows(NamedTuple):
    """The parts of a table.

    Attributes:
        names: the titles of its columns; the letter of a column whose title is missing or repeats
            another, "" if such a column is empty.
        head: the cells of the titles.
        body: the rows below, without blank ones.
    """

    names: tuple[str, ...]
    head: tuple[Cell, ...]
    body: list[tuple[Cell, ...]]

    @property
    def first(self) -> Cell:
        """The first cell."""
        return (self.head or self.body[0])[0]


def split_titles(grid: CellGrid, titles: int | None) -> TitledRows:
    """Return a table's titles and the rows below.

    Args:
        titles: the number of the row with the titles, 0 if there is none; None for the first row
            that is not blank.
    """
    rows = list(grid.rows)
    if titles is None:
        first = next((at for at, row in enumerate(rows) if not is_blank_row(row)), 0)
        titles = first + 1
    head = rows[titles - 1] if 0 < titles <= len(rows) else ()
    body = [row for row in rows[titles:] if not is_blank_row(row)]
    said = [cell.text.strip() for cell in head if not cell.is_blank]
    if len(said) > 1:  # long tables repeat their titles
        body = [r for r in body if [c.text.strip() for c in r if not c.is_blank] != said]
    filled = {at for row in body for at, cell in enumerate(row) if not cell.is_blank}
    names: list[str] = []
    for at in range(max([len(head), *(at + 1 for at in filled)])):
        name = normalize_text(head[at].text) if at < len(head) else ""
        if not name or name in names:
            name = to_letters(at + 1) if at in filled else ""
        names.append(name)
    return TitledRows(tuple(names), head, body)


def is_blank_row(row: Sequence[Cell]) -> bool:
    """Return whether all cells of a row are blank."""
    return all(cell.is_blank for cell in row)


def normalize_text(text: str) -> str:
    """Return a text in composed form with white space collapsed, as XML is read."""
    return to_nfc(_SPACE.sub(" ", text).strip())


def normalize_for(text: str, attribute: Attribute | None) -> str:
    """Return a text normalized for an attribute's column: long texts have a line per paragraph."""
    if attribute is not None and attribute.element:
        return "\n".join(filter(None, map(normalize_text, text.splitlines())))
    return normalize_text(text)


def is_number(text: str) -> bool:
    """Return whether a spreadsheet would return a text unchanged after treating it as a number."""
    return re.fullmatch("0|-?[1-9][0-9]{0,14}", text) is not None


def restore_zeros(text: str, known: Iterable[str]) -> str | None:
    """Return the known text whose leading zeros a spreadsheet has dropped, or None.

    Programs that take `007` for a number write 7 instead.
    """
    plain = text.lstrip("0")
    if not is_number(text):
        return None
    return next((k for k in known if k != text and k.isdecimal() and k.lstrip("0") == plain), None)


def find_long_texts(tables: Sequence[Table], place: Location) -> Iterator[Diagnostic]:
    """Yield findings about texts that are too long for a cell of the file to be written."""
    for table in tables:
        for number, row in enumerate(table.rows, 2):
            for index, (column, text) in enumerate(zip(table.columns, row, strict=True), 1):
                if len(text) > MAX_CELL_LENGTH:
                    message = f"{table.title}!{to_letters(index)}{number}: `{column.title}` of "
                    message += f"`{row[0]}` has {len(text):,} characters, but a cell holds at most "
                    yield E017.at(place, f"{message}{MAX_CELL_LENGTH:,}", "shorten it")
