"""Read cards and decks from tables: each row becomes the element that an XML file would have.

So the same shapes validate them, and the same code reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import is_inside
from deckwright.base.findings import (
    Code,
    Location,
    Report,
    Severity,
    format_names,
    has_errors,
    known_hint,
)
from deckwright.base.output import OutputError, report_failure
from deckwright.game.columns import KIND, KIND_COLUMN, ColumnMapping, assign_titles, columns_of_kind
from deckwright.game.folder import AMOUNT, CardTable
from deckwright.game.ids import make_ids
from deckwright.game.kinds import Kind
from deckwright.game.model import Faction
from deckwright.game.setup import Setup
from deckwright.game.shapes import MAX_COPIES
from deckwright.game.title_words import normalize_title
from deckwright.grids.cells import (
    E010,
    E012,
    E014,
    E015,
    GridDocument,
    find_flaw,
    parse_children,
    read_attribute,
    read_value,
)
from deckwright.grids.csv import MAX_BYTES
from deckwright.grids.html import HTML, html_to_markup
from deckwright.grids.reading import JSON_SUFFIX, read_grids
from deckwright.grids.table import (
    Cell,
    CellError,
    CellGrid,
    TitledRows,
    normalize_text,
    split_titles,
)
from deckwright.grids.workbooks import WORKBOOK_SUFFIXES
from deckwright.xmlio.load import outward_link_finding, read_prefix
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import Attribute, Value

S012 = Code("S012", Severity.ERROR, "a table that lacks a column which every card needs")
E018 = Code("E018", Severity.WARNING, "a part of a table that is left out")
E019 = Code("E019", Severity.INFO, "cards of a table without a number of copies")

_MAX_LISTED = 5
"""The most rows that a message lists."""
_SUMS = frozenset(("total", "totals", "sum", "summe", "gesamt", "somme", "totale", "suma"))
"""Names of rows with sums."""
_TIMES = re.compile(r"[x×]?\s*([0-9]+)\s*[x×]?", re.IGNORECASE)
"""A number of copies, as in `3`, `3x` or `× 3`."""

AMOUNT_ATTRIBUTE = Attribute(AMOUNT, Value(kind="integer", maximum=MAX_COPIES))


class TableRow(NamedTuple):
    """A row of a table: a card, or the titles.

    Attributes:
        head: the mapping of the columns to a kind of card.
        number: its index in the grid, -1 for titles that are missing.
    """

    head: ColumnMapping
    number: int
    cells: Sequence[Cell]


def read_tables(
    tables: Sequence[CardTable],
    setup: Setup,
    root: Path,
    factions: Mapping[str, Faction],
    report: Report,
) -> TableContents | None:
    """Return the contents of the tables of one file, None after reporting why it cannot be read.

    Args:
        root: the game's folder, which must contain the file.
        factions: the game's factions by id; the only one is that of cards that name none.
    """
    path = tables[0].path
    if not is_inside(path, root):
        report.append(outward_link_finding(path))
        return None
    digest = blake2b(read_prefix(path, MAX_BYTES, []) or b"", digest_size=20).hexdigest()
    contents = TableContents(setup, factions, GridDocument(path, digest), report)
    usable = True
    for table in tables:
        try:
            grids = load_grids(table, setup)
        except OutputError as error:
            report.extend(error.findings)
            usable = False
            continue
        for grid, kind in _choose_grids(table, grids, setup, report):
            with report_failure(report):
                contents.read(table, grid, kind)
    return contents if usable else None


def load_grids(table: CardTable, setup: Setup) -> list[CellGrid]:
    """Return the tables of a file; raise an OutputError if it cannot be read."""
    columns = (column for kind in setup.card_kinds for column in columns_of_kind(setup, kind))
    known = [name for column in columns for name in column.words]
    known += [column.name for column in table.columns if column.name]
    return read_grids(table.path, table.tab, known)


def _choose_grids(
    table: CardTable, grids: Sequence[CellGrid], setup: Setup, report: Report
) -> Iterator[tuple[CellGrid, Kind | None]]:
    """Yield the tables to read, with the kind of their cards; None if a column gives it."""
    kinds = {kind.tag: kind for kind in setup.card_kinds}
    kind = kinds.get(table.kind or "")
    if kind is None and len(kinds) == 1:
        kind = next(iter(kinds.values()))
    place = table.source.at() if table.source else Location(table.path)
    workbook = table.path.suffix.casefold() in WORKBOOK_SUFFIXES
    if workbook and table.tab is not None:
        titles = [grid.title for grid in grids]
        grids = [grid for grid in grids if grid.title.casefold() == table.tab.casefold()]
        if not grids:
            where = table.source.at("tab") if table.source else place
            message = f"the workbook `{table.path.name}` has no tab `{table.tab}`"
            report.append(E015.at(where, message, known_hint(table.tab, titles)))
    elif workbook and len(grids) > 1:
        tabs = {title.casefold(): kinds[tag] for tag, title in assign_titles(setup).kinds.items()
                if tag in kinds}  # fmt: skip
        named = [(g, tabs[g.title.casefold()]) for g in grids if g.title.casefold() in tabs]
        if table.kind is None and named:
            yield from named
            return
        grids = [grid for grid in grids if grid.rows][:1]
    for grid in grids:
        yield grid, kind


class TableContents:
    """The contents of the tables of a file.

    Attributes:
        cards: the root element of an equivalent card file.
        unusable: the ordinals of its children with unreadable cells.
        missing: required attributes without a column, by kind; no card can be used then.
        decks: the root elements of equivalent deck lists, by the name of the deck.
        titles: the rows of titles of each table, once for each kind of card in it.
        rows: the rows of the cards, by their ordinals.
    """

    def __init__(
        self, setup: Setup, factions: Mapping[str, Faction], document: GridDocument, report: Report
    ) -> None:
        self._setup = setup
        self._faction = next(iter(factions)) if len(factions) == 1 else None
        self._faction_ids = {
            word.casefold(): faction.id
            for faction in factions.values()
            for word in (faction.race, faction.name)
        }
        self._document = document
        self._report = report
        self._names: list[str] = []
        self.cards = document.node("data", {}, Location(document.path))
        self.unusable: set[int] = set()
        self.missing: dict[str, set[str]] = {}
        self.decks: dict[str, Node] = {}
        self.titles: list[TableRow] = []
        self.rows: dict[int, TableRow] = {}
        symbols = setup.symbols.values()
        self._codes = {symbol.text: f"{{{symbol.id}}}" for symbol in symbols if symbol.text}

    def read(self, table: CardTable, grid: CellGrid, kind: Kind | None) -> None:
        """Read a table.

        Args:
            kind: the kind of its cards, None if a column gives it.

        Raises:
            OutputError: if it is empty, or unclear.
        """
        rows = split_titles(grid, table.titles)
        if not rows.head and not rows.body:
            message = "the table is empty"
            place = Location(grid.place.path, sheet=grid.place.sheet)
            raise OutputError(E015.at(place, message, "put the column titles in its first row"))
        self._report += (E018.at(*remark) for remark in grid.remarks)
        heads = self._map_columns(table, grid, rows, kind)
        numbers = {id(row): number for number, row in enumerate(grid.rows)}
        number = numbers[id(rows.head)] if rows.head else -1
        self.titles += [TableRow(head, number, rows.head) for head in heads.values()]
        for deck in dict.fromkeys(deck for head in heads.values() for deck in head.amounts):
            if deck not in self.decks:
                # Its faction is that of the table, or else of its first card.
                place, faction = rows.first.place, table.faction or self._faction
                attributes = {
                    "name": _deck_title(deck),
                    **({"main_faction_id": faction} if faction else {}),
                }
                meta = self._document.node("meta", attributes, place)
                self.decks[deck] = self._document.node("data", {}, place, children=[meta])
        for column, title in (pair for head in heads.values() for pair in head.titles.items()):
            self._document.titles.setdefault(column, title)
        first = next(iter(heads.values()))
        body = self._named_rows(rows.body, first)
        names = [_cell_text(first.named_cell("name", row)) for row in body]
        ids: Sequence[str | None] = [None] * len(body)
        if "id" not in first.titles:
            # The ids of several tabs differ.
            ids = [*make_ids([*self._names, *names])][len(self._names) :]
            self._names += names
        blank: list[Cell] = []
        for row, new_id in zip(body, ids, strict=True):
            head = first
            if kind is None and len(heads) > 1:
                cell = first.named_cell(KIND, row)
                name = _cell_text(cell)
                tag = next((tag for tag in heads if tag.casefold() == name.casefold()), None)
                if tag is None:
                    message = (
                        f"there is no kind of card `{name}`" if name else "nothing says its kind"
                    )
                    place = cell.place if cell else row[0].place
                    self._report.append(E010.at(place, message, known_hint(name, heads)))
                    continue
                head = heads[tag]
            self._read_row(TableRow(head, numbers[id(row)], row), new_id, blank)
        if blank:
            have, are = ("cards have", "are each") if len(blank) > 1 else ("card has", "is")
            message = f"{len(blank)} {have} no number of copies and {are} once in the deck"
            self._report.append(E019.at(blank[0].place, message, "write 0 for none"))

    def _named_rows(
        self, body: Sequence[Sequence[Cell]], head: ColumnMapping
    ) -> Sequence[Sequence[Cell]]:
        """Return the rows of cards: those with a name. Report the others together."""
        named: list[Sequence[Cell]] = []
        nameless: list[Sequence[Cell]] = []
        for row in body:
            cell = head.named_cell("name", row)
            (nameless if cell and cell.is_blank else named).append(row)
        if nameless:
            numbers = ", ".join(str(row[0].place.line) for row in nameless[:_MAX_LISTED])
            more = ", …" if len(nameless) > _MAX_LISTED else ""
            message = f"row {numbers} has no name, so it is not read as a card"
            if len(nameless) > 1:
                message = f"{len(nameless)} rows have no name, so they are not read as cards: "
                message += f"{numbers}{more}"
            hint = f"fill the column `{head.titles['name']}` if they are cards"
            self._report.append(E018.at(nameless[0][0].place, message, hint))
        last = head.named_cell("name", named[-1]) if named else None
        if last and last.text.strip(" :").casefold() in _SUMS:
            message = f"the last row looks like a sum, but is read as the card `{last.text}`"
            self._report.append(E018.at(last.place, message, "clear its name, or delete the row"))
        return named

    def _map_columns(
        self, table: CardTable, grid: CellGrid, rows: TitledRows, kind: Kind | None
    ) -> dict[str, ColumnMapping]:
        """Return the mapping of the columns by kind; raise an OutputError if that is unclear."""
        kinds = [kind] if kind is not None else list(self._setup.card_kinds)
        findings: Report = []
        heads = {}
        for each in kinds:
            known = (*columns_of_kind(self._setup, each), KIND_COLUMN)
            heads[each.tag] = ColumnMapping(each.tag, known, table, grid, rows, findings)
        self._report += dict.fromkeys(findings)
        if kind is None and KIND not in next(iter(heads.values())).titles:
            place = table.source.at() if table.source else rows.first.place
            message = f"nothing says which kind of card is in `{table.path.name}`"
            hint = f'add `kind="…"`, one of {format_names(heads)}, or a column `kind`'
            raise OutputError(E015.at(place, message, hint))
        for tag, head in heads.items() if kind is not None or len(kinds) == 1 else ():
            given = {"faction_id"} if table.faction or self._faction else set()
            lacking = [name for name in head.missing if name not in given]
            if not lacking:
                continue
            self.missing.setdefault(tag, set()).update(lacking)
            message = (
                f"the table has no {_column_word(lacking)} {format_names(lacking)}, which "
                f"every {tag} needs"
            )
            near = head.propose(lacking).items()
            maps = " ".join(f'<column name="{title}" to="{name}"/>' for title, name in near)
            named = [column.name for column in table.columns if column.name]
            if below := head.find_titles([*lacking, *named]):
                hint = below
            elif maps:
                hint = f"if they are called otherwise, say so in game.xml: `{maps}`"
            elif table.source is None:
                hint = "add it, or name the table in game.xml with what its columns hold"
            else:
                names = [normalize_text(cell.text) for cell in head.unmapped.values()]
                free = f"; nothing reads so far {format_names(names)}" if names else ""
                hint = f"say what holds it, by `<column name=… to=…/>`{free}"
            self._report.append(S012.at(rows.first.place, message, hint))
        self._report_unread([*heads.values()], table, rows)
        return heads

    def _report_unread(
        self, heads: Sequence[ColumnMapping], table: CardTable, rows: TitledRows
    ) -> None:
        """Report rows of CSV with more cells than titles, and all unmapped columns in one finding.

        If most rows have more cells, a title is missing instead. JSON's exports have many columns.
        """
        width, suffix = len(rows.head), table.path.suffix.casefold()
        long = [row for row in rows.body if any(not cell.is_blank for cell in row[width:])]
        if suffix not in {".csv", ".tsv"} or not (width and 0 < 2 * len(long) <= len(rows.body)):
            width, long = len(rows.names), []
        for row in long[:_MAX_LISTED]:
            message = f"the row has {len(row)} cells, but there are {width} titles"
            hint = "put a text with a comma or semicolon in quotation marks"
            self._report.append(E018.at(row[0].place, message, hint))
        unread = [
            cell
            for at, cell in heads[0].unmapped.items()
            if at < width
            and all(at in head.unmapped for head in heads)
            and (not self.missing or normalize_title(cell.text) == AMOUNT)
        ]
        if not unread or suffix == JSON_SUFFIX:
            return
        names = [normalize_text(cell.text) for cell in unread]
        message = f"nothing reads the {_column_word(names)} {format_names(names)}"
        if AMOUNT in map(normalize_title, names):
            hint = 'to make a deck of the amounts, name the table in game.xml, with `deck="…"`'
        else:
            hint = "for a note, say `<column name=…/>` in game.xml; for a field, `to=…` as well"
        self._report.append(E014.at(unread[0].place, message, hint))

    def _read_row(self, card: TableRow, new_id: str | None, blank: list[Cell]) -> None:
        """Read a row as a card with its copies in decks; `blank` receives empty amounts."""
        head, row = card.head, card.cells
        before = len(self._report)
        attributes, children = dict(head.constants), list[Node]()
        places: dict[str, Location] = {}
        if new_id is not None:
            attributes["id"] = new_id
        for column, at in head.columns:
            cell = head.cell(at, row)
            name = column.attribute.name if column.attribute else column.title
            places.setdefault(name, cell.place)
            if column.items is not None:
                places.setdefault(column.items.shape.tag, cell.place)
            if cell.is_blank or not self._check_cell(cell, name):
                continue
            if column.attribute is None or column.attribute.value.kind == "text":
                text = cell.text
                for code, symbol in self._codes.items():
                    text = text.replace(code, symbol)
                html = at in head.html and HTML.search(text)
                cell = cell._replace(text=html_to_markup(text) if html else text)
            if column.attribute is not None:
                between = head.separators.get(at)
                attributes[name] = read_attribute(column.attribute, cell, between)
            elif column.items is not None:
                tag = column.items.shape.tag
                try:
                    items = parse_children(column, cell, head.separators.get(at))
                except CellError as error:
                    message = f"`{column.title}`: {error}"
                    self._report.append(E012.at(cell.place, message, error.hint))
                    continue
                children += [self._document.node(tag, item, cell.place) for item in items]
        faction = attributes.get("faction_id") or head.table.faction or self._faction or ""
        if faction := self._faction_ids.get(faction.casefold(), faction):
            attributes["faction_id"] = faction
        node = self._document.node(head.tag, attributes, row[0].place, places, children)
        self.cards.children.append(node)
        self.rows[node.source.ordinal] = card
        if has_errors(self._report[before:]):
            self.unusable.add(node.source.ordinal)
        blank += self._add_lines(node, head, row)

    def _add_lines(self, card: Node, head: ColumnMapping, row: Sequence[Cell]) -> Iterator[Cell]:
        """Add a card to its decks; yield an empty amount that counts as one copy."""
        faction = card.get("faction_id") or ""
        for deck, at in head.amounts.items():
            root, cell = self.decks[deck], None if at is None else head.cell(at, row)
            root.children[0].attributes.setdefault("main_faction_id", faction)
            # Of several decks, a card need not be in all.
            if cell is not None and cell.is_blank and len(head.amounts) == 1:
                yield cell
                cell = None
            if cell is not None and (cell.is_blank or not self._check_cell(cell)):
                continue
            amount = read_amount("1" if cell is None else cell.text)
            if amount != "0":
                attributes = {"faction_id": faction, "id": card.get("id") or "", AMOUNT: amount}
                place = cell.place if cell else card.source.at()
                root.children.append(self._document.node("card", attributes, place))

    def _check_cell(self, cell: Cell, name: str = AMOUNT) -> bool:
        """Return whether a cell can be used; report why not.

        Args:
            name: the name of the column's field; some are needed to know the card at all.
        """
        flaw = find_flaw(cell)
        if flaw is None:
            return True
        message, hint = flaw
        code = E010
        if cell.problem and name not in {"id", "name", "faction_id", KIND, AMOUNT}:
            code, message = E018, f"{message}, so it counts as empty"
        self._report.append(code.at(cell.place, message, hint or None))
        return False


def read_amount(text: str) -> str:
    """Return the number of copies in a cell, or else its text."""
    return read_value(AMOUNT_ATTRIBUTE, _TIMES.sub(r"\1", normalize_text(text), count=1))


def _column_word(names: Sequence[str]) -> str:
    return "columns" if len(names) > 1 else "column"


def _cell_text(cell: Cell | None) -> str:
    return normalize_text(cell.text) if cell else ""


def _deck_title(name: str) -> str:
    """Return the title of a deck whose name is an id, as words: "Long Night" of `long-night`."""
    words = re.split(r"[-_ ]+", name.strip("-_ "))
    return " ".join(word[:1].upper() + word[1:] for word in words)
