"""Begin a game with a table that somebody has: what its columns hold is seen by what is in them.

The game has one kind of card, with a field for each column; a face that shows all of them; and the
table as it is, which is read each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Location, Report, known_hint
from deckwright.base.markup import quoted
from deckwright.base.names import unused
from deckwright.game.ids import slug
from deckwright.game.proposal import Wanted, plain, proposed
from deckwright.game.sources import AMOUNT
from deckwright.grids.heads import E015, blank
from deckwright.grids.reading import JSON, WORKBOOK, read_grids
from deckwright.grids.table import Cell, Column, Grid, normal
from deckwright.tables.begun_faces import BACK, Field, face_of
from deckwright.xmlio.shape import ID, NAME, Attribute, Value

_MOST = 30
"""How many fields a game begins with; exports of databases have more than any card shows."""
_LONG = 24
"""How many characters of a text are more than a word or two."""
_TAKEN = ("id", "name", "faction_id", "kind", AMOUNT, "rule", "label")
"""What fields are not called."""
_WHOLE = re.compile(r"-?[0-9]{1,6}")
_DECIMAL = re.compile(r"-?[0-9]{1,6}[.,][0-9]{1,3}|-?[0-9]{1,6}")
_NOTES = {"comment", "comments", "kommentar", "kommentare", "note", "notes", "notiz", "notizen"}
"""The titles of columns that are for the designer alone."""
_PICTURE = re.compile(r"(?i)[^:]+\.(?:png|jpe?g|svg)")
_FLAGS = {"true", "false", "yes", "no", "ja", "nein", "wahr", "falsch"}
_FEW = Value(kind="integer", maximum=999)
_OWN = (
    Wanted(Column("name", attribute=Attribute("name", NAME)), ("name",)),
    Wanted(Column("id", attribute=Attribute("id", ID)), ("id",)),
    Wanted(Column(AMOUNT, attribute=Attribute(AMOUNT, _FEW)), (AMOUNT,)),
)
"""What every card has, or decks have of it."""


class Begun(NamedTuple):
    """A game that begins with a table.

    Attributes:
        files: the texts of its files by their paths in its folder.
        called: what it takes the columns for, by their titles.
    """

    files: dict[str, str]
    called: dict[str, str]
    fields: tuple[Field, ...]


def begin(path: Path, tab: str | None, name: str, report: Report) -> Begun | None:
    """Return the game that begins with the table in a file, None after reporting why none does.

    Args:
        tab: that of a workbook, or where the list is in JSON; None for the first with cards.
        name: the game's name.
    """
    grid = _grid(path, tab, report)
    if grid is None:
        return None
    rows = [row for row in grid.rows if not blank(row)]
    columns = _columns(rows)
    called = proposed(_OWN, {title: cells[:50] for title, cells in columns.items()})
    ids = next((title for title, what in called.items() if what == "id"), None)
    if ids is not None and not _are_ids(columns[ids]):
        del called[ids]
    if "name" not in called.values():
        free = (title for title in columns if title not in called)
        first = next((title for title in free if not _numbers(columns[title])), None)
        if first is None:
            message = "no column has the names of cards"
            report.append(E015.at(grid.place, message, "give it a column `name`"))
            return None
        called[first] = "name"
    fields = tuple(_fields(columns, called))
    used = {*called, *(field.title for field in fields)}
    notes = [] if path.suffix.casefold() == JSON else [t for t in columns if t not in used]
    files = {
        "xml/game.xml": _game(path, grid, tab, name, called, fields, notes),
        "templates/card.xml": face_of(fields),
        "templates/back.xml": BACK,
    }
    return Begun(files, called, fields)


def _grid(path: Path, tab: str | None, report: Report) -> Grid | None:
    """Return the table to begin with, None after reporting that there is none."""
    known = [name for want in _OWN for name in want.names]
    grids = read_grids(path, tab, known, report)
    if grids is None:
        return None
    wanted = [
        g for g in grids if tab is None or len(grids) == 1 or g.title.casefold() == tab.casefold()
    ]
    found = next((grid for grid in wanted if sum(not blank(row) for row in grid.rows) > 1), None)
    if found is None:
        message = "there is no table with a row of titles and rows of cards"
        hint = known_hint(tab, [grid.title for grid in grids]) if tab else None
        report.append(E015.at(Location(path), message, hint))
    return found


def _columns(rows: Sequence[Sequence[Cell]]) -> dict[str, list[str]]:
    """Return what stands in the columns that have a title, by these."""
    titles: dict[str, int] = {}
    for at, cell in enumerate(rows[0]):
        if not cell.blank:
            titles.setdefault(normal(cell.text), at)
    return {
        title: [row[at].text.strip() if at < len(row) else "" for row in rows[1:]]
        for title, at in titles.items()
    }


def _are_ids(cells: Sequence[str]) -> bool:
    given = [cell for cell in cells if cell and not re.search(r"\s", cell)]
    return len(set(given)) == len(cells)


def _numbers(cells: Sequence[str]) -> bool:
    return all(_DECIMAL.fullmatch(cell) for cell in cells if cell)


def _fields(columns: dict[str, list[str]], called: dict[str, str]) -> Iterator[Field]:
    """Yield the fields that columns become; those without anything in them become none."""
    taken = {*_TAKEN}
    number = 0
    for title, cells in columns.items():
        given = [cell for cell in cells if cell]
        if title in called or not given or number >= _MOST or plain(title) in _NOTES:
            continue
        number += 1
        word = slug(title.rpartition(".")[2], "_") or f"field_{number}"
        word = word if word[0].isalpha() else f"f_{word}"
        name = unused(f"card_{word}" if word in _TAKEN else word, taken)
        kind = _type(given)
        long = kind == "text" and max(map(len, given)) > _LONG
        least = min(map(int, given)) if kind == "integer" else 0
        yield Field(name, title, kind, long, len(given) < len(cells), min(0, least))


def _type(given: Sequence[str]) -> str:
    """Return the type of a field with these values."""
    if all(map(_WHOLE.fullmatch, given)):
        return "integer"
    if all(map(_DECIMAL.fullmatch, given)):
        return "decimal"
    if all(map(_PICTURE.fullmatch, given)):
        return "image"
    return "flag" if {cell.casefold() for cell in given} <= _FLAGS else "text"


_GAME = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- What the game is made of. Change a line, run `deckwright check`, and see what it says. -->
<game name={name} language="en">

  <fonts>
    <font id="text" family="Source Sans Pro"/>
    <font id="title" family="Source Serif Pro"/>
  </fonts>

  <!-- A kind of card: its size in mm, its templates, and the fields that each card has. -->
  <kind tag="card" name="Card" width="63" height="88" face="card.xml" back="back.xml" bleed="3">
{fields}  </kind>

  <!-- The cards: a table in xml/Factions, which is read each time. -->
  <table {table}>
{columns}  </table>

  <!-- As many cards as fit on A4; `letter` is the other paper. -->
  <sheet format="a4"/>
</game>
"""


def _game(
    path: Path,
    grid: Grid,
    tab: str | None,
    name: str,
    called: dict[str, str],
    fields: Sequence[Field],
    notes: Sequence[str],
) -> str:
    """Return the text of `game.xml`.

    Args:
        notes: the titles of columns that are not read.
    """
    where = {"file": path.name}
    if path.suffix.casefold() == WORKBOOK or tab is not None:
        where["tab"] = grid.title if path.suffix.casefold() == WORKBOOK else tab or ""
    where["deck"] = normal(path.stem)
    columns = {title: what for title, what in called.items() if title.casefold() != what}
    columns |= {f.title: f.name for f in fields if f.title.casefold() != f.name}
    lines = [f"    <column name={quoted(t)} to={quoted(what)}/>\n" for t, what in columns.items()]
    lines += [f"    <column name={quoted(title)}/>\n" for title in notes]
    return _GAME.format(
        name=quoted(name),
        fields="".join(map(_field, fields)),
        table=" ".join(f"{key}={quoted(value)}" for key, value in where.items()),
        columns="".join(lines),
    )


def _field(field: Field) -> str:
    more = f' min="{field.least}"' if field.least else ""
    more += ' optional="true"' if field.optional and field.type != "flag" else ""
    text = quoted(field.title.rpartition(".")[2])
    return f'    <field name="{field.name}" type="{field.type}"{more} text={text}/>\n'
