"""Answers to questions about decks and games as values: sections of tables, plots and notes.

Here they become JSON and CSV, in `cli/answer_text.py` text for terminals. All data of an answer is
in its tables: text may leave out columns and tables, data leaves out titles, notes and plots.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from deckwright.base import files
from deckwright.base.strings import dump_safe_json
from deckwright.base.units import Mm, round_number
from deckwright.game.model import Card
from deckwright.grids.csv import format_csv

Value = str | float | Fraction | Decimal | None
Kind = Literal["text", "note", "number", "average", "percent", "bar"]
VERSION = 2
"""The version of the JSON, incremented by incompatible changes."""
CARD_COLUMNS = ("faction", "id", "name")
"""The columns of cards in data."""
_DIGITS = 12
"""The significant digits of numbers in CSV."""


@dataclass(frozen=True, slots=True)
class TextCell:
    """A value with the text that shows it, where the kind of its column would show another one."""

    value: Value
    text: str


@dataclass(frozen=True, slots=True)
class Gauge:
    """A bar of two shades in text: its length, as a share of the longest one, and its dark part."""

    length: Fraction
    dark: Fraction


@dataclass(frozen=True, slots=True)
class CardCell:
    """A card: its name and id in text, three columns in data. Groups of cards have no id."""

    faction: str
    id: str
    name: str

    @classmethod
    def of(cls, card: Card) -> CardCell:
        """Return the cell of a card."""
        return cls(card.faction_id, card.id, card.name)


Cell = Value | TextCell | Gauge | CardCell
Row = Sequence[Cell]
Record = dict[str, str | float | None]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        id: its name in data, unless its cells are cards; "" if only text has it.
        title: its heading in text; None if only data has it.
        kind: the type of its cells, which determines their format. Numbers, averages and percent
            are aligned right. A bar shows a number, or is a `Gauge`. A note is a last column that
            may be wider than the terminal.
        unit: the unit of the numbers.
        optional: whether text leaves it out if the terminal is too narrow.
    """

    id: str
    title: str | None = None
    kind: Kind = "text"
    unit: str = ""
    optional: bool = False

    @property
    def is_text(self) -> bool:
        """Whether it is aligned left."""
        return self.kind in {"text", "note", "bar"}

    def items(self, cell: Cell) -> Iterator[tuple[str, str | float | None]]:
        """Yield names and plain values for data."""
        if isinstance(cell, CardCell):
            yield from zip(CARD_COLUMNS, (cell.faction, cell.id, cell.name), strict=True)
        elif self.id and not isinstance(cell, Gauge):
            value = cell.value if isinstance(cell, TextCell) else cell
            if isinstance(value, (Fraction, Decimal, float)):
                value = int(value) if value == int(value) else float(value)
            yield self.id, value


@dataclass(frozen=True, slots=True)
class Table:
    """A table of cells.

    Attributes:
        name: its name in data, where the rows of all tables of a name come together; "" if only
            text has it.
        title: a line above it in text.
        common: values that all its rows have in data, before those of the columns.
        marks: a character before each row in text, such as "!".
    """

    name: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    title: str = ""
    common: Mapping[str, Value] = field(default_factory=dict)
    marks: Sequence[str] = ()

    def records(self) -> Iterator[Record]:
        """Yield the rows as data."""
        common = [(Column(name), value) for name, value in self.common.items()]
        for row in self.rows:
            cells = (*common, *zip(self.columns, row, strict=True))
            yield dict(item for column, cell in cells for item in column.items(cell))


@dataclass(frozen=True, slots=True)
class Note:
    """A line of text; a longer text is wrapped if `bullet`."""

    text: str
    bullet: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a plot; its name is shown if it is an outlier."""

    x: float
    y: float
    name: str
    outlier: bool


@dataclass(frozen=True, slots=True)
class Plot:
    """Points, a line y = base + slope × x, and the values that determine the axes."""

    points: Sequence[Point]
    base: float
    slope: float
    xs: Sequence[float]
    ys: Sequence[float]
    title: str
    note: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an answer; if it is aligned, its tables have columns of the same widths."""

    title: str
    blocks: Sequence[Table | Plot | Note]
    aligned: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to the question of a command, such as "odds"; its language formats numbers."""

    name: str
    sections: Sequence[Section]
    language: str = "en"

    def tables(self) -> dict[str, list[Record]]:
        """Return the data: the rows of the tables by their names."""
        tables: dict[str, list[Record]] = {}
        for section in self.sections:
            for block in section.blocks:
                if isinstance(block, Table) and block.name:
                    tables.setdefault(block.name, []).extend(block.records())
        return tables

    def as_data(self) -> dict[str, object]:
        """Return the answer as plain data; chances are from 0 to 1."""
        return {"version": VERSION, "answer": self.name, **self.tables()}

    def as_json(self) -> str:
        """Return the answer as JSON."""
        return dump_safe_json(self.as_data())

    def as_csv(self) -> str:
        """Return the answer as one CSV table, with the columns of all tables.

        The first column, `table`, has the name of the table that a row belongs to.
        """
        records: list[Record] = [
            {"table": name, **record} for name, rows in self.tables().items() for record in rows
        ]
        head = [*dict.fromkeys(name for record in records for name in record)]
        values = ([record.get(name) for name in head] for record in records)
        rows = (
            ["" if v is None else str(v).lower() if isinstance(v, bool) else v for v in row]
            for row in values
        )
        text = format_csv(
            [head, *rows], number=lambda n: f"{n:.{_DIGITS}g}" if isinstance(n, float) else str(n)
        )
        return text.rstrip("\r\n").replace("\r\n", "\n")


LABEL, NOTE, BAR = Column("", ""), Column("", "", "note"), Column("", "", "bar")
"""Columns without a heading that only text has."""


def hide(table: Table) -> Table:
    """Return a table that only data has."""
    return replace(table, columns=[replace(column, title=None) for column in table.columns])


def make_data_table(name: str, columns: str, rows: Sequence[Row], /, **common: Value) -> Table:
    """Return a table that only data has; `common` are values that all rows have."""
    return Table(name, [*map(Column, columns.split())], rows, common=common)


def make_table(name: str, columns: Mapping[Column, Sequence[Cell]], /, **common: Value) -> Table:
    """Return a table given by columns instead of rows."""
    return Table(name, [*columns], [*zip(*columns.values(), strict=True)], common=common)


def make_record(name: str, /, **values: Value) -> Table:
    """Return a table of a single row that only data has."""
    return make_data_table(name, "", [()], **values)


def make_unique(names: Iterable[str], reserved: Iterable[str]) -> list[str]:
    """Return names for columns, with numbers where they would not be unique."""
    taken = {name.casefold() for name in reserved}
    return [files.make_unique(name, taken, " ") for name in names]


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of a plot.

    Attributes:
        low, high: the values at its ends.
        ticks: the round values on it.
        start, end: the positions of its ends; `end` is less than `start` on a vertical axis.
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    start: Mm
    end: Mm

    def at(self, number: float) -> Mm:
        """Return the position of a value."""
        share = (number - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 3)


def make_axis(values: Iterable[float], start: Mm, end: Mm, maximum: int = 10) -> Axis:
    """Return an axis that starts and ends at round numbers, and includes 0 if it is near.

    Whole numbers get whole ticks; `maximum` is the number of steps.
    """
    values = [*values]
    low, high = min(values), max(values)
    if 0 < low <= (high - low) or low == high > 0:
        low = 0
    if (high < 0 and -high <= high - low) or low == high < 0:
        high = 0
    least = (high - low) / maximum if high > low else 1
    whole = all(float(value).is_integer() for value in values)
    least = max(least, 1) if whole else least
    power = 10.0 ** math.floor(math.log10(least))
    steps = (number * power for number in (1, 2, 5, 10))
    step = next(round_number(step) for step in steps if step >= least * (1 - 1e-9))
    first, last = math.floor(low / step), math.ceil(high / step)
    last += first == last
    ticks = tuple(round_number(step * number) for number in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], ticks, start, end)
