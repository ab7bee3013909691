"""The files of runs: a deck a line, as JSON lines (https://jsonlines.org), CSV or Parquet.

Parquet (https://parquet.apache.org) is what data frames and databases write.
"""

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
from typing import IO, NamedTuple, Self, TypeGuard

from deckwright.base.choices import ChoiceError

MAX_LINE = 1_000_000
"""How many characters a line may have, or a row of a table."""
_AT_ONCE = 256
"""How many rows of Parquet are read at a time."""
_COLUMNS, _NEEDED = ("id", "name", "faction", "format", "cards"), ("id", "faction", "cards")
"""The columns of a table that are no values, and those that it has in any case."""
_LISTED = re.compile(r"(?:(?P<amount>[0-9]{1,3})[ ×x]+)?(?:(?P<faction>[^\s:]+):)?(?P<id>\S+)")


class Wrong(NamedTuple):
    """What is wrong with a line, and what to do about it."""

    message: str
    hint: str | None = None


Read = tuple[int, Mapping[str, object] | Wrong]
"""The number of a line or row, from 1, and what it says as JSON would say it."""


def lines_of(path: Path, longest: int = MAX_LINE) -> Iterator[Read]:
    """Yield the lines of a file: Parquet or CSV with a heading, if its name says so; or JSON.

    Args:
        longest: how many characters a line or row may have; behind a longer one nothing is read.

    Raises:
        ChoiceError: if it is Parquet, and the library for that is missing.
        OSError: if the file cannot be read.
    """
    ending = path.suffix.lower()
    if ending in {".parquet", ".pq"}:
        yield from _parquet_lines(path)
        return
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
        yield from (_csv_lines if ending == ".csv" else _json_lines)(stream, longest)


def _too_long(longest: int) -> Wrong:
    message = f"the line has more than {longest:,} characters, and the rest was not read"
    return Wrong(message, "write one deck a line")


def _json_lines(stream: IO[str], longest: int) -> Iterator[Read]:
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
            yield number, Wrong("the line is not in UTF-8", "save the file in UTF-8")
        except RecursionError:
            yield number, Wrong("the line is too deeply nested")
        except ValueError as error:
            why = getattr(error, "msg", str(error))
            yield number, Wrong(f"the line is no JSON: {why}", "write one object a line")
        else:
            if isinstance(read, dict):
                yield number, read
            else:
                yield number, Wrong("the line is no JSON object", 'write {"id": …} a line')


class _TooLongError(Exception):
    pass


class _Lines:
    """The lines of a table, as many as make one row of it.

    Attributes:
        left: how many characters the row may still have.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self.left = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        text = self._stream.readline(self.left + 1)
        self.left -= len(text)
        if self.left < 0:
            raise _TooLongError
        if not text:
            raise StopIteration
        return text


def _csv_lines(stream: IO[str], longest: int) -> Iterator[Read]:
    import csv  # noqa: PLC0415 - only for CSV

    head = stream.readline(csv.field_size_limit())
    separator = max(",;\t", key=head.count)
    names = next(csv.reader([head], delimiter=separator), [])
    names = [name.strip() for name in names]
    if (problem := _problem(names)) is not None:
        yield 1, problem
        return
    lines = _Lines(stream)
    reader = csv.reader(lines, delimiter=separator)
    while True:
        number, lines.left = reader.line_num + 2, longest
        try:
            row = next(reader)
        except StopIteration:
            return
        except _TooLongError:
            yield number, _too_long(longest)
            return
        except csv.Error:
            limit = csv.field_size_limit()
            yield number, Wrong(f"the row is no CSV, or a cell has more than {limit:,} characters")
            continue
        if not any(map(str.strip, row)):
            continue
        if len(row) > len(names):
            yield number, Wrong("the row has more cells than the heading")
            continue
        cells = dict(zip(names, map(str.strip, row), strict=False))
        cards = _listed(cells.pop("cards", ""))
        own = {name: cells.pop(name, "") for name in _COLUMNS if name != "cards"}
        for name in ("format", "name"):
            if not own[name]:
                del own[name]
        values = {name: text for name, text in cells.items() if text}
        yield (
            number,
            cards if isinstance(cards, Wrong) else {**own, "cards": cards, "values": values},
        )


def _problem(names: Sequence[str]) -> Wrong | None:
    """Return what is wrong with the columns of a table, None if nothing is."""
    if missing := [name for name in _NEEDED if name not in names]:
        said = ", ".join(f"`{name}`" for name in missing)
        return Wrong(f"the heading lacks {said}", "begin with the names of the columns")
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        return Wrong(f"the heading has `{twice[0]}` twice")
    return None


def _listed(text: str) -> list[dict[str, object]] | Wrong:
    """Return the cards of a cell, as "2 HK4; 1 NEUTRAL:N2"."""
    cards: list[dict[str, object]] = []
    for part in filter(None, map(str.strip, text.split(";"))):
        found = _LISTED.fullmatch(part)
        if found is None:
            return Wrong(f"`{part}` is no card", "write cards as in `2 HK4; 1 NEUTRAL:N2`")
        said: dict[str, object] = {"id": found["id"], "amount": int(found["amount"] or 1)}
        if found["faction"]:
            said["faction"] = found["faction"]
        cards.append(said)
    return cards


def _parquet_lines(path: Path) -> Iterator[Read]:
    try:
        import pyarrow  # noqa: ICN001, PLC0415 - only for Parquet
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        message = "runs as Parquet need the library pyarrow"
        raise ChoiceError(message, "install it with `pip install 'deckwright[parquet]'`") from None
    with path.open("rb") as stream:
        number = 0
        try:
            file = parquet.ParquetFile(stream)
            names = file.schema_arrow.names
            if (problem := _problem(names)) is not None:
                yield 1, problem
                return
            for batch in file.iter_batches(_AT_ONCE):
                for row in batch.to_pylist():
                    number += 1
                    yield number, _row(row)
        except pyarrow.ArrowException as error:
            why = str(error).partition("\n")[0]
            yield max(number, 1), Wrong(f"the file is no Parquet, or damaged: {why}")


def _row(cells: Mapping[str, object]) -> Mapping[str, object] | Wrong:
    """Return a row as JSON would say it."""
    said = {name: made for name, cell in cells.items() if (made := _plain(cell)) is not None}
    cards = said.pop("cards", [])
    if isinstance(cards, str):
        cards = _listed(cards)
    if isinstance(cards, Wrong):
        return cards
    own = {name: said.pop(name) for name in _COLUMNS if name in said}
    for name, value in own.items():
        own[name] = str(value) if isinstance(value, int) else value  # tables number their rows
    own = {name: value for name, value in own.items() if value != ""}
    values = said.pop("values", {})
    return {**own, "cards": cards, "values": {**values, **said} if _is_object(values) else values}


def _is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, Mapping)


def _plain(cell: object) -> object:
    """Return a cell as JSON would say it: maps as objects, what is no number as text, or None."""
    if isinstance(cell, Mapping):
        return {name: made for name, value in cell.items() if (made := _plain(value)) is not None}
    if isinstance(cell, list):
        if cell and all(isinstance(each, tuple) for each in cell):  # a map
            return _plain(dict(cell))
        return [_plain(each) for each in cell]
    if isinstance(cell, float) and math.isnan(cell):
        return None  # so data frames write what is missing
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)  # whole numbers become these where one is missing
    return str(cell) if isinstance(cell, Decimal | date | time) else cell
