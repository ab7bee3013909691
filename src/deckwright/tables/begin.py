"""Start a game from an existing table, guessing the types of its columns from their content.

The game has one kind of card with a field for each column, a face that shows all of them, and the
unchanged table, which is read each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import make_unique
from deckwright.base.findings import Location, Report, known_hint
from deckwright.base.strings import escape_text, quote_attribute
from deckwright.game.columns import ColumnTarget, normalize_title, propose_columns
from deckwright.game.folder import AMOUNT
from deckwright.game.ids import slugify
from deckwright.grids.cells import E015, is_blank_row
from deckwright.grids.reading import JSON_SUFFIX, WORKBOOK_SUFFIX, read_grids
from deckwright.grids.table import Cell, CellGrid, Column, normalize_text
from deckwright.xmlio.shape import ID, NAME, Attribute, Value


class NewField(NamedTuple):
    """A field made from a column.

    Attributes:
        title: the title of the column.
        long: whether it contains texts of more than a few words.
        optional: whether some cards lack it.
        least: the smallest number in it, at most 0.
    """

    name: str
    title: str
    type: str
    long: bool
    optional: bool
    least: int


XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_DARK, _LIGHT = "#2f4858", "#f6f1e7"


class _Area(NamedTuple):
    """The box of a text, in mm."""

    y: float
    height: float
    x: float = 5
    width: float = 53


def _text(area: _Area, size: int, said: str, **more: str) -> str:
    """Return an element `text`, centered by default."""
    given = {
        "x": f"{area.x:g}",
        "y": f"{area.y:g}",
        "width": f"{area.width:g}",
        "height": f"{area.height:g}",
        "font-size": f"{size}pt",
        "min-font-size": f"{max(5, size // 2)}pt",
        "text-anchor": "middle",
        "valign": "middle",
        "fill": _DARK,
    }
    given |= {name.replace("_", "-"): value for name, value in more.items()}
    attributes = " ".join(f"{name}={quote_attribute(value)}" for name, value in given.items())
    return f"  <text {attributes}>{said}</text>\n"


def _title(y: float, height: float, size: int, said: str, fill: str) -> str:
    return _text(_Area(y, height), size, said, font_family="title", font_weight="bold", fill=fill)


BACK = f"""{XML}<!-- The back that all cards share. -->
<face>
  <rect x="-3" y="-3" width="69" height="94" fill="{_DARK}"/>
  <rect x="5" y="5" width="53" height="78" rx="3" fill="none" stroke="{_LIGHT}" stroke-width="0.6"/>
{_title(34, 20, 18, "{{ game.name }}", _LIGHT)}</face>
"""
_FACE = f"""{XML}<!-- The face of a card. Anything in double braces is filled in for each card. -->
<face>
  <rect x="-3" y="-3" width="69" height="94" fill="{_LIGHT}"/>
  <rect x="-3" y="-3" width="69" height="20" fill="{_DARK}"/>
{_title(4, 10, 14, "{{ card.name }}", "#ffffff")}"""
_NUMBERS_PER_ROW = 5
_TOP, _BOTTOM = 19.0, 84.0


def face_template(fields: Sequence[NewField]) -> str:
    """Return a face template with all fields: a picture, words, texts and numbers."""
    lines = [_FACE]
    top, bottom = _TOP, _BOTTOM
    numbers = [f for f in fields if f.type in {"integer", "decimal"}]
    for first in range(0, min(len(numbers), 2 * _NUMBERS_PER_ROW), _NUMBERS_PER_ROW):
        bottom -= 12
        lines += _numbers_row(numbers[first : first + _NUMBERS_PER_ROW], bottom)
    for field in (f for f in fields if f.type == "image"):
        lines.append(
            f'  <image when="card.{field.name}" href="{{{{ card.{field.name} }}}}" x="5" '
            f'y="{top:g}" width="53" height="28" fit="cover"/>\n'
        )
        top += 30
        break
    words = [f for f in fields if f.type == "flag" or (f.type == "text" and not f.long)]
    if words:
        lines.append(_text(_Area(top, 6), 9, f"<p><i>{' '.join(map(_word, words))}</i></p>"))
        top += 8
    texts = [f for f in fields if f.long]
    if texts:
        paragraphs = "".join(f'<p when="card.{f.name}">{{{{ card.{f.name} }}}}</p>' for f in texts)
        more = {"text_anchor": "start", "valign": "top", "fill": "#2b2320"}
        lines.append(_text(_Area(top, bottom - top - 2), 10, paragraphs, **more))
    return "".join([*lines, "</face>\n"])


def _word(field: NewField) -> str:
    if field.type == "flag":
        return f"{{{{ '{slugify(field.title, ' ')}' if card.{field.name} else '' }}}}"
    return f"{{{{ card.{field.name} or '' }}}}"


def _numbers_row(fields: Sequence[NewField], top: float) -> Iterator[str]:
    """Yield the elements of numbers side by side, each above its name."""
    width = 53 / len(fields)
    for index, field in enumerate(fields):
        x, value = 5 + index * width, f"card.{field.name}"
        if field.optional:
            value = f"{value} if {value} is not none else '–'"
        label = escape_text(field.title.rpartition(".")[2])
        yield _text(_Area(top, 6, x, width), 14, f"{{{{ {value} }}}}", font_weight="bold")
        yield _text(_Area(top + 6, 4, x, width), 7, label)


_MAX_FIELDS = 30
"""The maximum number of fields; database exports have more columns than a card can show."""
_MIN_LONG_TEXT = 24
"""The length beyond which a text is more than a word or two."""
_RESERVED_NAMES = ("id", "name", "faction", "faction_id", "kind", AMOUNT, "rule", "label")
"""Reserved field names."""
_WHOLE = re.compile(r"-?[0-9]{1,6}")
_DECIMAL = re.compile(r"-?[0-9]{1,6}[.,][0-9]{1,3}|-?[0-9]{1,6}")
_NOTES = {"comment", "comments", "kommentar", "kommentare", "note", "notes", "notiz", "notizen"}
"""The titles of columns for the designer only."""
_PICTURE = re.compile(r"(?i)[^:]+\.(?:png|jpe?g|svg)")
_FLAGS = {"true", "false", "yes", "no", "ja", "nein", "wahr", "falsch"}
_AMOUNT_VALUE = Value(kind="integer", maximum=999)
_CARD_COLUMNS = (
    ColumnTarget(Column("name", attribute=Attribute("name", NAME)), ("name",)),
    ColumnTarget(Column("id", attribute=Attribute("id", ID)), ("id",)),
    ColumnTarget(Column(AMOUNT, attribute=Attribute(AMOUNT, _AMOUNT_VALUE)), (AMOUNT,)),
)
"""The columns for attributes that every card or deck entry has."""


class NewGame(NamedTuple):
    """A new game made from a table.

    Attributes:
        files: the contents of its files by relative path.
        called: the meanings of columns by title.
    """

    files: dict[str, str]
    called: dict[str, str]
    fields: tuple[NewField, ...]


def begin_game(path: Path, tab: str | None, name: str, report: Report) -> NewGame | None:
    """Return a new game made from the table in a file, None after reporting errors.

    Args:
        tab: the tab of a workbook, or the path of the list in JSON; None for the first one with
            cards.
        name: the name of the game.
    """
    grid = _find_grid(path, tab, report)
    if grid is None:
        return None
    rows = [row for row in grid.rows if not is_blank_row(row)]
    columns = _read_columns(rows)
    called = propose_columns(_CARD_COLUMNS, {title: cells[:50] for title, cells in columns.items()})
    ids = next((title for title, what in called.items() if what == "id"), None)
    if ids is not None and not _are_ids(columns[ids]):
        del called[ids]
    if "name" not in called.values():
        free = (title for title in columns if title not in called)
        first = next((title for title in free if not _are_numbers(columns[title])), None)
        if first is None:
            message = "no column has the names of cards"
            report.append(E015.at(grid.place, message, "give it a column `name`"))
            return None
        called[first] = "name"
    fields = tuple(_fields(columns, called))
    used = {*called, *(field.title for field in fields)}
    notes = [] if path.suffix.casefold() == JSON_SUFFIX else [t for t in columns if t not in used]
    files = {
        "xml/game.xml": _game(path, grid, tab, name, called, fields, notes),
        "templates/card.xml": face_template(fields),
        "templates/back.xml": BACK,
    }
    return NewGame(files, called, fields)


def _find_grid(path: Path, tab: str | None, report: Report) -> CellGrid | None:
    """Return the table to start from, None after reporting that there is none."""
    known = [name for want in _CARD_COLUMNS for name in want.names]
    grids = read_grids(path, tab, known, report)
    if grids is None:
        return None
    wanted = [
        g for g in grids if tab is None or len(grids) == 1 or g.title.casefold() == tab.casefold()
    ]
    first = next(
        (grid for grid in wanted if sum(not is_blank_row(row) for row in grid.rows) > 1), None
    )
    if first is None:
        message = "there is no table with a row of titles and rows of cards"
        hint = known_hint(tab, [grid.title for grid in grids]) if tab else None
        report.append(E015.at(Location(path), message, hint))
    return first


def _read_columns(rows: Sequence[Sequence[Cell]]) -> dict[str, list[str]]:
    """Return the cells of titled columns, by title."""
    titles: dict[str, int] = {}
    for at, cell in enumerate(rows[0]):
        if not cell.blank:
            titles.setdefault(normalize_text(cell.text), at)
    return {
        title: [row[at].text.strip() if at < len(row) else "" for row in rows[1:]]
        for title, at in titles.items()
    }


def _are_ids(cells: Sequence[str]) -> bool:
    given = [cell for cell in cells if cell and not re.search(r"\s", cell)]
    return len(set(given)) == len(cells)


def _are_numbers(cells: Sequence[str]) -> bool:
    return all(_DECIMAL.fullmatch(cell) for cell in cells if cell)


def _fields(columns: dict[str, list[str]], called: dict[str, str]) -> Iterator[NewField]:
    """Yield the fields for all columns that are not empty."""
    taken = {*_RESERVED_NAMES}
    number = 0
    for title, cells in columns.items():
        given = [cell for cell in cells if cell]
        if (
            title in called
            or not given
            or number >= _MAX_FIELDS
            or normalize_title(title) in _NOTES
        ):
            continue
        number += 1
        word = slugify(title.rpartition(".")[2], "_") or f"field_{number}"
        word = word if word[0].isalpha() else f"f_{word}"
        name = make_unique(f"card_{word}" if word in _RESERVED_NAMES else word, taken)
        kind = _guess_type(given)
        long = kind == "text" and max(map(len, given)) > _MIN_LONG_TEXT
        least = min(map(int, given)) if kind == "integer" else 0
        yield NewField(name, title, kind, long, len(given) < len(cells), min(0, least))


def _guess_type(given: Sequence[str]) -> str:
    """Guess the type of a field from its values."""
    if all(map(_WHOLE.fullmatch, given)):
        return "integer"
    if all(map(_DECIMAL.fullmatch, given)):
        return "decimal"
    if all(map(_PICTURE.fullmatch, given)):
        return "image"
    return "flag" if {cell.casefold() for cell in given} <= _FLAGS else "text"


_GAME_TEMPLATE = """\
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
    grid: CellGrid,
    tab: str | None,
    name: str,
    called: dict[str, str],
    fields: Sequence[NewField],
    notes: Sequence[str],
) -> str:
    """Return the text of `game.xml`.

    Args:
        notes: the titles of ignored columns.
    """
    where = {"file": path.name}
    if path.suffix.casefold() == WORKBOOK_SUFFIX or tab is not None:
        where["tab"] = grid.title if path.suffix.casefold() == WORKBOOK_SUFFIX else tab or ""
    where["deck"] = normalize_text(path.stem)
    columns = {title: what for title, what in called.items() if title.casefold() != what}
    columns |= {f.title: f.name for f in fields if f.title.casefold() != f.name}
    lines = [
        f"    <column name={quote_attribute(t)} to={quote_attribute(what)}/>\n"
        for t, what in columns.items()
    ]
    lines += [f"    <column name={quote_attribute(title)}/>\n" for title in notes]
    return _GAME_TEMPLATE.format(
        name=quote_attribute(name),
        fields="".join(map(_field, fields)),
        table=" ".join(f"{key}={quote_attribute(value)}" for key, value in where.items()),
        columns="".join(lines),
    )


def _field(field: NewField) -> str:
    more = f' min="{field.least}"' if field.least else ""
    more += ' optional="true"' if field.optional and field.type != "flag" else ""
    text = quote_attribute(field.title.rpartition(".")[2])
    return f'    <field name="{field.name}" type="{field.type}"{more} text={text}/>\n'
