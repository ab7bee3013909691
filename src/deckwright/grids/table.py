"""Tables: columns and rows of texts as they are written, cells as they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckwright.base.findings import Code, Diagnostic, Location, Severity
from deckwright.base.names import to_letters, to_nfc
from deckwright.xmlio.shape import Attribute, Occurs, Terms, Value

E017 = Code("E017", Severity.ERROR, "a text that is too long for a cell of a spreadsheet")
E076 = Code("E076", Severity.ERROR, "a table or workbook that is too large to be read")

MAX_ROWS, MAX_COLUMNS = 20_000, 500
"""Where the cells of a table may be; no game comes near it."""
MAX_CELLS = 500_000
"""How many there may be: 10,000 cards of 50 fields."""
MAX_CELL_LENGTH = 32_767
"""The most characters that spreadsheet programs keep of a cell; what is longer they cut off."""

_SPACE = re.compile("[ \t\r\n]+")
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class TooLargeError(Exception):
    """There is more of a table than is read; the message says of what."""


class CellError(Exception):
    """A cell says what cannot be. The message is a fact.

    Attributes:
        hint: what would mend it.
        title: of the column of the cell that is to blame, where several could be.
    """

    def __init__(self, message: str, hint: str | None, title: str = "id") -> None:
        """Keep message, hint and title."""
        super().__init__(message)
        self.hint = hint
        self.title = title


class Column(NamedTuple):
    """A column of a table: an attribute of the cards, or their children of one name.

    Attributes:
        title: what stands in its first cell.
        aliases: other titles that are accepted.
        attribute: the attribute that it holds, None if it holds children, or tells of the card.
        items: the children that it holds.
        names: the names of the values that such a child has; ignored ones are not among them.
        terms: the values that a cell may have and what each means; none if there are too many to
            know. For children, the values of one.
        worked: what its cells hold, if cards do not say it but have it worked out; such a column is
            not read back.
        note: what stands in it, in words.
        rare: whether tables are written without it where it is empty throughout.
    """

    title: str
    aliases: tuple[str, ...] = ()
    attribute: Attribute | None = None
    items: Occurs | None = None
    names: tuple[str, ...] = ()
    terms: Terms = ()
    note: str = ""
    worked: Value | None = None
    rare: bool = False

    @property
    def called(self) -> tuple[str, ...]:
        """All titles that it goes by: its own, others, and the tag of what it holds."""
        tag = () if self.items is None else (self.items.shape.tag,)
        return (self.title, *self.aliases, *tag)

    @property
    def needed(self) -> bool:
        """Whether something must stand in it that the table alone can say; ids can be made."""
        if self.items is not None:
            return self.items.minimum > 0
        if self.attribute is None or self.title in {"id", "faction_id"}:
            return False
        return self.attribute.required and not self.attribute.value.accepts("")

    @property
    def number(self) -> bool:
        """Whether spreadsheets are to take what stands in it for numbers."""
        value = self.attribute.value if self.attribute else self.worked
        if value is None:
            return False
        if value.kind in {"integer", "decimal"}:
            return True
        return bool(self.terms) and all(is_number(term) for term, _ in self.terms)


class Table(NamedTuple):
    """A table to write. Each row has a text for each column."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of its columns."""
        return tuple(column.title for column in self.columns)


def replace_vertical_tabs(text: str) -> str:
    """Return a text whose breaks within a paragraph, as word processors have them, are new lines.

    They are U+000B there, which no text of a game may have.
    """
    return text.replace("\v", "\n")


class Cell(NamedTuple):
    """A cell that was read.

    Attributes:
        text: what stands in it, as it is.
        place: where it stands.
        name: what spreadsheets call it, with its table: "card!F12".
        problem: why what stands in it cannot be taken, "" if it can.
        hint: what would fix that.
        items: the children that stand in it, where the file has lists; else none.
    """

    text: str
    place: Location
    name: str
    problem: str = ""
    hint: str = ""
    items: tuple[Mapping[str, str], ...] = ()

    @property
    def blank(self) -> bool:
        """Whether nothing stands in it."""
        return not self.text.strip() and not self.problem

    def finding(self, code: Code, message: str, hint: str | None = None) -> Diagnostic:
        """Return a finding about it."""
        return code.at(self.place, f"{self.said}{message}", hint)

    @property
    def said(self) -> str:
        """Its name, to begin a message with, where its place does not say it."""
        return "" if self.place.sheet else f"{self.name}: "


class CellGrid(NamedTuple):
    """A table that was read: its title, and its rows of cells, the first of which has titles.

    Attributes:
        place: the file, and the beginning of the table in it.
    """

    title: str
    place: Location
    rows: tuple[tuple[Cell, ...], ...]


def normalize_text(text: str) -> str:
    """Return a text as tables hold it: composed and with white space collapsed, as XML is read."""
    return to_nfc(_SPACE.sub(" ", text).strip())


def normalize_lines(text: str) -> str:
    """Return a text as `normalize_text` does, but with a line for each of its paragraphs."""
    return "\n".join(filter(None, map(normalize_text, text.splitlines())))


def normalize_for(text: str, attribute: Attribute | None) -> str:
    """Return a text as tables hold it in the column of an attribute: texts keep their lines."""
    return (
        normalize_lines(text)
        if attribute is not None and attribute.element
        else normalize_text(text)
    )


def find_forbidden_character(text: str) -> str | None:
    """Return the first character that XML cannot hold, by its number; None if there is none."""
    found = _NOT_IN_XML.search(text)
    return f"U+{ord(found[0]):04X}" if found else None


def is_number(text: str) -> bool:
    """Return whether a spreadsheet that takes a text for a number gives it back as it was."""
    return re.fullmatch("0|-?[1-9][0-9]{0,14}", text) is not None


def restore_zeros(text: str, known: Iterable[str]) -> str | None:
    """Return the known text that a spreadsheet has made a number of, None if there is none.

    Programs that take `007` for a number write 7 in its place.
    """
    plain = text.lstrip("0")
    if not is_number(text):
        return None
    return next((k for k in known if k != text and k.isdecimal() and k.lstrip("0") == plain), None)


def find_long_texts(tables: Sequence[Table], place: Location) -> Iterator[Diagnostic]:
    """Yield findings about texts that no cell can hold.

    Args:
        place: the file that the tables are to be written to.
    """
    for table in tables:
        for number, row in enumerate(table.rows, 2):
            for index, (column, text) in enumerate(zip(table.columns, row, strict=True), 1):
                if len(text) > MAX_CELL_LENGTH:
                    yield E017.at(
                        place,
                        f"{table.title}!{to_letters(index)}{number}: `{column.title}` of "
                        f"`{row[0]}` "
                        f"has {len(text):,} characters, a cell holds {MAX_CELL_LENGTH:,}",
                        "shorten it",
                    )
