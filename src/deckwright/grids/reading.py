"""Read files of any supported format as tables."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from deckwright.base.files import to_nfc
from deckwright.base.findings import Code, Location, Severity, known_hint
from deckwright.base.output import OutputError
from deckwright.grids.csv import E016, read_bytes, read_csv
from deckwright.grids.table import (
    E076,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    Cell,
    CellGrid,
    replace_vertical_tabs,
)
from deckwright.grids.workbooks import WORKBOOK_SUFFIXES, read_workbook

E078 = Code("E078", Severity.ERROR, "a JSON file that has no list of objects")

KEY = "key"
"""The title of the column with the keys of objects that are listed by them."""
_MIN_OBJECTS = 3
"""The fewest objects that are a list of cards if an object has them as members."""
_MAX_DEPTH = 8
_SPACE = re.compile(r'[\s,]*(?:"(?:[^"\\]|\\.)*+"\s*:\s*)?')
"""What is between objects, including the key of the next one."""

Item = Mapping[str, str]
JSON_SUFFIX = ".json"


def read_json(path: Path, title: str, where: str | None) -> CellGrid:
    """Return a list of objects in a JSON file as a table.

    Args:
        title: the table's title.
        where: the path of the list, `data.cards`; None for the only one.

    Raises:
        OutputError: if it cannot be read, or has no such list.
    """
    data = read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
        whole = json.loads(text)
    except UnicodeDecodeError as error:
        finding = E016.at(Location(path), "the file is not in UTF-8", "save it as UTF-8")
        raise OutputError(finding) from error
    except json.JSONDecodeError as error:
        place = Location(path, error.lineno, error.colno)
        message = f"the file is not valid JSON: {error.msg.casefold()}"
        raise OutputError(E016.at(place, message)) from error
    except (RecursionError, ValueError) as error:
        finding = E016.at(Location(path), f"the JSON cannot be read: {error}")
        raise OutputError(finding) from error
    lists = dict(_find_lists(whole))
    if where is None and len(lists) > 1:
        # The cards are the longest list by far.
        longest = max(lists, key=lambda name: len(lists[name]))
        where = longest if 2 * len(lists[longest]) > sum(map(len, lists.values())) else None
    elif where is None:
        where = next(iter(lists), None)
    if where is None or where not in lists:
        message = "the file has several lists of objects" if where is None and lists else (
            f"the file has no list of objects `{where}`" if where else
            "the file has no list of objects")  # fmt: skip
        hint = known_hint(where or "", [name or "." for name in lists])
        raise OutputError(E078.at(Location(path), message, hint))
    objects = lists[where]
    rows = [dict(_flatten(item)) for item in objects[: MAX_ROWS + 1]]
    names = [*dict.fromkeys(name for row in rows for name in row)]
    if len(rows) > MAX_ROWS or len(names) > MAX_COLUMNS or len(rows) * len(names) > MAX_CELLS:
        message = f"the list has {len(objects):,} objects with {len(names)} names, too many to read"
        hint = f"{MAX_ROWS:,} of them, {MAX_COLUMNS} names and {MAX_CELLS:,} cells are allowed"
        raise OutputError(E076.at(Location(path), message, hint))
    places = _JsonPlaces(path, text, where)
    head = tuple(Cell(name, places.at(places.start), name) for name in names)
    cells = [head]
    for number, (row, (start, end)) in enumerate(zip(rows, places.objects(), strict=False)):
        line, begin = list[Cell](), places.at(start)
        for name in names:
            place = places.find(name, start, end) if name in row else begin
            line.append(_cell(row.get(name), place, f"{title}[{number}].{name}"))
        cells.append(tuple(line))
    return CellGrid(title, Location(path), tuple(cells))


def _find_lists(value: object, path: str = "", depth: int = 0) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of objects in a file by path; "" is the top level."""
    if isinstance(value, list):
        if value and all(isinstance(item, dict) for item in value):
            yield path, value
    elif isinstance(value, dict) and depth < _MAX_DEPTH:
        if len(value) >= _MIN_OBJECTS and all(isinstance(item, dict) for item in value.values()):
            # If most have the same members, it is a list of objects by their keys.
            counts = Counter(name for item in value.values() for name in item)
            if 2 * max(counts.values(), default=0) > len(value):
                yield path, [{KEY: name, **inner} for name, inner in value.items()]
                return
        for name, inner in value.items():
            yield from _find_lists(inner, f"{path}.{name}" if path else name, depth + 1)


def _flatten(value: Mapping[str, Any], path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield an object's values by path: scalars, lists of scalars, and lists of objects."""
    for name, inner in value.items():
        full_path = f"{path}{name}"
        if isinstance(inner, dict):
            if depth < _MAX_DEPTH:
                yield from _flatten(inner, f"{full_path}.", depth + 1)
        elif isinstance(inner, list) and inner and all(isinstance(item, dict) for item in inner):
            yield full_path, [dict(_scalars(item)) for item in inner]
            for key in dict.fromkeys(key for item in inner for key in item):
                values = [item[key] for item in inner if key in item]
                yield f"{full_path}.{key}", [v for v in values if not isinstance(v, dict | list)]
        else:
            yield full_path, inner


def _scalars(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the scalar members of an object."""
    for name, inner in value.items():
        if inner is not None and not isinstance(inner, dict | list):
            yield name, _to_text(inner)


def _to_text(value: object) -> str:
    """Return a value as the text of a spreadsheet's cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return replace_vertical_tabs(str(value))


def _cell(value: object, place: Location, name: str) -> Cell:
    """Return a value or a list as a cell; nested lists are skipped."""
    if not isinstance(value, list):
        return Cell(_to_text(value), place, name)
    items: list[Item] = []
    for item in value:
        if isinstance(item, dict):
            items.append(dict(_scalars(item)))
        elif item is not None and not isinstance(item, list):
            items.append({"": _to_text(item)})
    text = ", ".join(" ".join(item.values()) for item in items)
    return Cell(text, place, name, items=tuple(items))


class _JsonPlaces:
    """Finds the places of a list's objects and their members."""

    def __init__(self, path: Path, text: str, where: str) -> None:
        self._path, self._text = path, text
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self.start = 0
        """The offset of the list."""
        for name in where.split(".") if where else ():
            match = _key(name).search(text, self.start)
            self.start = match.end() if match else self.start
        bracket = re.compile(r"[\[{]").search(text, self.start)
        self.start = bracket.start() if bracket else 0

    def at(self, offset: int) -> Location:
        """Return the place of an offset."""
        line = bisect_right(self._lines, offset)
        return Location(self._path, line, offset - self._lines[line - 1] + 1)

    def objects(self) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each object."""
        decoder, at = json.JSONDecoder(), self.start + 1
        while True:
            blank = _SPACE.match(self._text, at)
            at = blank.end() if blank else at
            if self._text[at : at + 1] != "{":
                return
            _, end = decoder.raw_decode(self._text, at)
            yield at, end
            at = end

    def find(self, name: str, start: int, end: int) -> Location:
        """Return the place of an object's member by its path."""
        at = start
        for part in name.split("."):
            match = _key(part).search(self._text, at, end)
            at = match.start() if match else at
        return self.at(at)


@cache
def _key(name: str) -> re.Pattern[str]:
    """Return a pattern that finds a member's name in JSON."""
    return re.compile(re.escape(json.dumps(name, ensure_ascii=False)) + r"\s*:\s*")


def read_grids(path: Path, tab: str | None, known: Sequence[str]) -> list[CellGrid]:
    """Return the tables in a file.

    Args:
        tab: the only tab of a workbook to read, or the path of the list in JSON; None for all tabs,
            or for the only list.
        known: known column titles, by which the delimiter of CSV is detected.

    Raises:
        OutputError: if it cannot be read.
    """
    title, ending = to_nfc(path.stem), path.suffix.casefold()
    if ending in WORKBOOK_SUFFIXES:
        only = tab.casefold() if tab else None
        return read_workbook(path, lambda name: only in {None, name.casefold()})
    return [read_json(path, title, tab) if ending == JSON_SUFFIX else read_csv(path, title, known)]
