"""The decks of a run: read lines of JSON, CSV or Parquet, and report invalid ones."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

from deckwright.base.extras import install_command
from deckwright.base.findings import ChoiceError, Code, Location, Report, Severity, known_hint
from deckwright.game.model import Deck, DeckEntry, PrintedValues
from deckwright.game.shapes import MAX_COPIES
from deckwright.xmlio.node import Document, Source

MAX_LINE = 1_000_000
"""The longest line, or row of a table, in characters."""
_BATCH_ROWS = 256
"""The number of Parquet rows that are read at a time."""
_FIXED_COLUMNS = ("id", "name", "faction", "format", "cards")
_REQUIRED_COLUMNS = ("id", "faction", "cards")
"""The columns of a table that are not values, and the required ones."""
_CARD_PATTERN = re.compile(
    r"(?:(?P<amount>[0-9]{1,3})[ ×x]+)?(?:(?P<faction>[^\s:]+):)?(?P<id>\S+)"
)


class LineError(ValueError):
    """The error of a line with a hint."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


NumberedLine = tuple[int, Mapping[str, object] | LineError]
"""The number of a line or row, from 1, and its content as JSON data."""


def read_raw_lines(path: Path, longest: int = MAX_LINE) -> Iterator[NumberedLine]:
    """Yield the lines of a file: by its suffix Parquet or CSV with a heading, otherwise JSON.

    Reading stops after a line or row that is longer than `longest`, in characters.

    Raises:
        ChoiceError: if it is Parquet and pyarrow is missing.
        OSError: if the file cannot be read.
    """
    ending = path.suffix.lower()
    if ending in {".parquet", ".pq"}:
        yield from _parquet_lines(path)
        return
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
        yield from (_csv_lines if ending == ".csv" else _json_lines)(stream, longest)


def _too_long(longest: int) -> LineError:
    message = f"the line has more than {longest:,} characters; the rest was not read"
    return LineError(message, "write one deck per line")


def _json_lines(stream: IO[str], longest: int) -> Iterator[NumberedLine]:
    for number, text in enumerate(iter(partial(stream.readline, longest + 1), ""), 1):
        if len(text) > longest:
            yield number, _too_long(longest)
            return
        if not text.strip():
            continue
        try:
            text.encode()
            read = json.loads(text)
        except UnicodeEncodeError:
            yield number, LineError("the line is not in UTF-8", "save the file in UTF-8")
        except RecursionError:
            yield number, LineError("the line is too deeply nested")
        except ValueError as error:
            why = getattr(error, "msg", str(error))
            yield number, LineError(f"the line is not JSON: {why}", "write one object per line")
        else:
            wrong = LineError("the line is not a JSON object", 'write {"id": …} in each line')
            yield number, read if isinstance(read, dict) else wrong


def _csv_lines(stream: IO[str], longest: int) -> Iterator[NumberedLine]:
    import csv  # only for CSV

    head = stream.readline(csv.field_size_limit())
    separator = max(",;\t", key=head.count)
    names = [name.strip() for name in next(csv.reader([head], delimiter=separator), [])]
    if (problem := _find_heading_error(names)) is not None:
        yield 1, problem
        return
    remaining = longest

    def lines() -> Iterator[str]:
        """Yield lines as long as those of a row are not too long together."""
        nonlocal remaining
        while text := stream.readline(remaining + 1):
            remaining -= len(text)
            if remaining < 0:
                raise _too_long(longest)
            yield text

    reader = csv.reader(lines(), delimiter=separator)
    while True:
        number, remaining = reader.line_num + 2, longest
        try:
            row = next(reader)
        except StopIteration:
            return
        except LineError as error:
            yield number, error
            return
        except csv.Error:
            limit = csv.field_size_limit()
            message = f"the row is not CSV, or a cell has more than {limit:,} characters"
            yield number, LineError(message)
            continue
        if not any(map(str.strip, row)):
            continue
        if len(row) > len(names):
            yield number, LineError("the row has more cells than the heading")
            continue
        cells = dict(zip(names, map(str.strip, row), strict=False))
        cards = _parse_card_cell(cells.pop("cards", ""))
        if isinstance(cards, LineError):
            yield number, cards
            continue
        own = {name: cells.pop(name, "") for name in _FIXED_COLUMNS if name != "cards"}
        own = {name: text for name, text in own.items() if text or name in _REQUIRED_COLUMNS}
        values = {name: text for name, text in cells.items() if text}
        yield number, {**own, "cards": cards, "values": values}


def _find_heading_error(names: Sequence[str]) -> LineError | None:
    """Return the error in the heading of a table, None if it is valid."""
    if missing := [name for name in _REQUIRED_COLUMNS if name not in names]:
        names_text = ", ".join(f"`{name}`" for name in missing)
        return LineError(
            f"the heading row lacks {names_text}", "begin the file with the names of the columns"
        )
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        return LineError(f"the heading has `{twice[0]}` twice")
    return None


def _parse_card_cell(text: str) -> list[dict[str, object]] | LineError:
    """Parse a cell with cards such as "2 HK4; 1 NEUTRAL:N2"."""
    cards: list[dict[str, object]] = []
    for part in filter(None, map(str.strip, text.split(";"))):
        match = _CARD_PATTERN.fullmatch(part)
        if match is None:
            return LineError(f"`{part}` is not a card", "write cards as in `2 HK4; 1 NEUTRAL:N2`")
        card: dict[str, object] = {"id": match["id"], "amount": int(match["amount"] or 1)}
        if match["faction"]:
            card["faction"] = match["faction"]
        cards.append(card)
    return cards


def _parquet_lines(path: Path) -> Iterator[NumberedLine]:
    try:
        import pyarrow  # noqa: ICN001 - only for Parquet
        from pyarrow import parquet
    except ImportError:
        message = "runs as Parquet need the library pyarrow"
        raise ChoiceError(message, install_command("parquet")) from None
    with path.open("rb") as stream:
        number = 0
        try:
            file = parquet.ParquetFile(stream)
            names = file.schema_arrow.names
            if (problem := _find_heading_error(names)) is not None:
                yield 1, problem
                return
            for batch in file.iter_batches(_BATCH_ROWS):
                for row in batch.to_pylist():
                    number += 1
                    yield number, _convert_row(row)
        except pyarrow.ArrowException as error:
            why = str(error).partition("\n")[0]
            yield max(number, 1), LineError(f"the file is damaged or not Parquet: {why}")


def _convert_row(cells: Mapping[str, object]) -> Mapping[str, object] | LineError:
    """Convert a row of Parquet to the JSON data of a deck."""
    data = {
        name: made for name, cell in cells.items() if (made := _to_json_value(cell)) is not None
    }
    cards = data.pop("cards", [])
    if isinstance(cards, str):
        cards = _parse_card_cell(cards)
    if isinstance(cards, LineError):
        return cards
    own = {name: data.pop(name) for name in _FIXED_COLUMNS if name in data}
    for name, value in own.items():
        own[name] = str(value) if isinstance(value, int) else value  # ids may be numbers in tables
    own = {name: value for name, value in own.items() if value != ""}
    values = data.pop("values", {})
    if isinstance(values, Mapping):
        values = {**values, **data}
    return {**own, "cards": cards, "values": values}


def _to_json_value(cell: object) -> object:
    """Convert a cell to JSON data: maps to objects, NaN to None, other types to text."""
    if isinstance(cell, Mapping):
        return {
            name: made
            for name, value in cell.items()
            if (made := _to_json_value(value)) is not None
        }
    if isinstance(cell, list):
        if cell and all(isinstance(each, tuple) for each in cell):  # a map
            return _to_json_value(dict(cell))
        return [_to_json_value(each) for each in cell]
    if isinstance(cell, float) and math.isnan(cell):
        return None  # data frames write missing values as NaN
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)  # data frames turn whole numbers into floats if one is missing
    return str(cell) if isinstance(cell, Decimal | date | time) else cell


E120 = Code("E120", Severity.ERROR, "a line of a run that is not a valid deck")

Value = str | int | float
NO_VALUES: Mapping[str, Value] = {}  # sent to workers, and mapping proxies cannot be pickled
MAX_FINDINGS = 20
"""Reading stops after this many errors."""
_MAX_CARD_LINES = 500
"""The largest number of card lines in a deck."""
_ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_NAME_PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")


class CardLine(NamedTuple):
    """Copies of a card in a deck.

    Attributes:
        faction: the id of its faction, "" for the deck's faction.
        values: the values printed on them, by name.
    """

    id: str
    amount: int
    faction: str = ""
    values: Mapping[str, Value] = NO_VALUES


class DeckLine(NamedTuple):
    """A deck of a run.

    Attributes:
        id: its id, which is also the name of its file.
        format: the id of its format, None for the game's default one.
        values: the values printed on the deck, by name; `id` defaults to its id.
    """

    id: str
    name: str
    faction: str
    format: str | None
    cards: tuple[CardLine, ...]
    values: Mapping[str, Value] = NO_VALUES

    def deck(self, path: Path, number: int) -> Deck:
        """Return the deck list; its findings are located at a line of a file."""
        source = Source(_RunLine(path, "", number=number), 0)
        entries = tuple(
            DeckEntry(
                card.faction or self.faction,
                card.id,
                card.amount,
                source,
                printed=_printed_values(card.values),
            )
            for card in self.cards
        )
        values = _printed_values({"id": self.id, **self.values})
        return Deck(self.id, self.name, self.faction, self.format, entries, source, printed=values)

    def to_json(self) -> str:
        """Return the canonical line of the deck, without its line ending."""
        data: dict[str, object] = {"id": self.id, "name": self.name, "faction": self.faction}
        if self.format is not None:
            data["format"] = self.format
        data["cards"] = [
            {"id": card.id, "amount": card.amount}
            | ({"faction": card.faction} if card.faction else {})
            | ({"values": dict(card.values)} if card.values else {})
            for card in self.cards
        ]
        if self.values:
            data["values"] = dict(self.values)
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class _RunLine(Document):
    """A line of a file, at which all findings of its deck are located."""

    __slots__ = ("number",)

    def __init__(self, path: Path, text: str, *, number: int) -> None:
        super().__init__(path, text)
        self.number = number

    def locate(self, ordinal: int, attribute: str | None = None) -> Location:  # noqa: ARG002
        """Return the location of the line."""
        return Location(self.path, self.number, 1)


def _printed_values(values: Mapping[str, Value]) -> PrintedValues:
    """Return values as texts to print."""
    return tuple((name, str(value)) for name, value in values.items())


def read_lines(path: Path, report: Report, max_length: int = MAX_LINE) -> Iterator[DeckLine]:
    """Yield the decks of a run's file. Invalid lines are reported with their numbers.

    Ids must be unique. Reading stops after a line with more than `max_length` characters.

    Raises:
        ChoiceError: if it is Parquet and pyarrow is missing.
        OSError: if the file cannot be read.
    """
    seen: dict[str, int] = {}
    faults = 0
    for number, read in read_raw_lines(path, max_length):
        try:
            line = _read_deck(read)
        except LineError as error:
            wrong = error
        else:
            first = seen.setdefault(line.id.casefold(), number)
            if first == number:
                yield line
                continue
            wrong = LineError(f"the id `{line.id}` is already used in line {first}")
        report.append(E120.at(Location(path, number, 1), wrong.message, wrong.hint))
        faults += 1
        if faults == MAX_FINDINGS:
            message = f"there are {faults} mistakes; the remaining lines were not read"
            report.append(E120.at(Location(path, number, 1), message))
            return
    if not seen and not faults:
        report.append(E120.at(Location(path), "the file has no decks"))


def parse_line(text: str) -> DeckLine:
    """Parse a line as from `DeckLine.to_json`; raise a ValueError if it is invalid."""
    try:
        read = json.loads(text)
    except RecursionError:
        raise LineError("it is too deeply nested") from None
    return _read_deck(read if isinstance(read, dict) else LineError("it is not a JSON object"))


_DECK_KEYS = ("id", "name", "faction", "cards", "format", "values")
_CARD_KEYS = ("id", "amount", "faction", "values")


def _read_deck(read: Mapping[str, object] | LineError) -> DeckLine:
    """Read the data of a line; raise a LineError if it is invalid, or none could be read."""
    if isinstance(read, LineError):
        raise read
    _require_known(read, _DECK_KEYS, "a deck")
    deck_id = _read_text(read, "id")
    if not is_id(deck_id):
        message = f"`{deck_id}` is not a valid deck id"
        raise LineError(message, "use at most 64 letters, digits, `-`, `_` and `.`")
    cards = read.get("cards")
    if not isinstance(cards, list) or not 0 < len(cards) <= _MAX_CARD_LINES:
        raise LineError(f"`cards` is not a list of 1 to {_MAX_CARD_LINES} cards")
    return DeckLine(
        deck_id,
        _read_text(read, "name") if "name" in read else deck_id,
        _read_text(read, "faction"),
        _read_text(read, "format") if read.get("format") is not None else None,
        tuple(map(_read_card, cards)),
        read_values(read),
    )


def _read_card(read: object) -> CardLine:
    if not isinstance(read, dict):
        raise LineError("a card is not an object", 'write {"id": "HK4", "amount": 2}')
    _require_known(read, _CARD_KEYS, "a card")
    amount = read.get("amount", 1)
    if not isinstance(amount, int) or isinstance(amount, bool) or not 1 <= amount <= MAX_COPIES:
        raise LineError(f"`amount` is not a whole number from 1 to {MAX_COPIES}")
    faction = _read_text(read, "faction") if "faction" in read else ""
    return CardLine(_read_text(read, "id"), amount, faction, read_values(read))


def is_id(deck_id: object) -> bool:
    """Return whether a value is a valid id of a deck."""
    return isinstance(deck_id, str) and _ID_PATTERN.fullmatch(deck_id) is not None


def read_values(read: Mapping[str, object]) -> Mapping[str, Value]:
    """Return the values of a line or a record; raise a LineError if they cannot be printed."""
    values = read.get("values")
    if values is None:
        return NO_VALUES
    if not isinstance(values, dict):
        raise LineError("`values` is not an object", 'write {"serial": "000001"}')
    for name, value in values.items():
        if not _NAME_PATTERN.fullmatch(name):
            hint = "start with a letter, and use letters, digits and `_`"
            raise LineError(f"`{name}` is not a valid name of a value", hint)
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise LineError(f"the value `{name}` is neither a text nor a number")
        _require_printable(name, value)
    return values or NO_VALUES


def _read_text(read: Mapping[str, object], name: str) -> str:
    value = read.get(name)
    if not isinstance(value, str) or not value.strip():
        raise LineError(f"`{name}` is {'missing' if value is None else 'not a text'}")
    _require_printable(name, value)
    return value


def _require_printable(name: str, value: object) -> None:
    """Raise if a value cannot be printed: lone surrogates, control characters, NaN."""
    if isinstance(value, float) and not abs(value) < float("inf"):
        raise LineError(f"`{name}` is not a number")
    if isinstance(value, str) and not all(sign.isprintable() or sign == "\n" for sign in value):
        raise LineError(f"`{name}` has characters that cannot be printed")


def _require_known(read: Mapping[str, object], known: Sequence[str], what: str) -> None:
    for name in read:
        if name not in known:
            hint = known_hint(name, known)
            raise LineError(f"`{name}` is not a field of {what}", hint)
