"""Compare an imported table of cards with the game; the differences are the changes.

A cell equivalent to the game's value changes nothing, so that importing an unmodified export leaves
every file unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from deckwright.base.findings import Code, Report, Severity, format_names, known_hint
from deckwright.game.columns import ColumnMapping, KindTable
from deckwright.game.folder import CardTable, TableColumn
from deckwright.game.ids import CardIdentity, assign_ids
from deckwright.game.model import CardKey
from deckwright.grids.cells import (
    E010,
    E014,
    E015,
    GridRow,
    Item,
    empty_value,
    is_equivalent,
    is_sound,
    may_be_empty,
    read_cell_value,
    read_children,
)
from deckwright.grids.reading import JSON_SUFFIX
from deckwright.grids.table import (
    E076,
    Cell,
    CellGrid,
    Column,
    is_blank_row,
    normalize_for,
    normalize_text,
    restore_zeros,
    split_titles,
)
from deckwright.tables.changes import (
    AmountChange,
    AttributeChange,
    CardKeyFinder,
    Change,
    DeckKeyFinder,
    ItemsChange,
    NewCard,
    Removal,
    holder_of,
)
from deckwright.tables.export import (
    AMOUNT,
    DeckList,
    LoadedGame,
    Record,
    child_values,
    deck_card_names,
)
from deckwright.xmlio.load import X005, file_limits
from deckwright.xmlio.shape import Attribute

E013 = Code("E013", Severity.ERROR, "a new card that is incomplete")

MAX_ITEMS = 200_000
"""The maximum number of children that an import writes: ten each for 20,000 cards."""

E070 = Code("E070", Severity.ERROR, "an id in a table that has lost its zeros")


class CardComparison:
    """Compares the rows of one table with the cards of a kind.

    Attributes:
        changes: the differences.
        missing: the cards without a row.
    """

    def __init__(
        self, loaded: LoadedGame, plan: KindTable, head: ColumnMapping, report: Report
    ) -> None:
        """Take a game, the plan of the table, its columns, and the report for errors."""
        self._rules = loaded.game.rules
        self._head = head
        self._plan = plan
        self._report = report
        self._records = {record.key: record for record in loaded.records[plan.title]}
        self._keys = CardKeyFinder(loaded, plan, report)
        self.changes: list[Change] = []
        self.missing: list[Record] = []
        self._missing_columns: dict[str, Cell] = {}
        """Missing columns that new cards need, with a cell of the first such card."""
        self._sizes: Counter[str] = Counter()
        """The minimum sizes of the resulting card files by faction; "" is the file of tokens."""
        self._most_bytes = file_limits().bytes
        self._items = 0
        """The number of children to write."""
        self._ids_without_zeros: dict[CardKey, list[str]] = {}
        """The ids of missing cards, by faction and id without leading zeros."""

    def run(self, rows: Sequence[GridRow]) -> None:
        """Compare all rows."""
        keyed = [(row, key) for row in rows if (key := self._keys.of(row)) is not None]
        seen = self._keys.rows
        self.missing = [record for key, record in self._records.items() if key not in seen]
        for faction, card_id in (record.key for record in self.missing):
            self._ids_without_zeros.setdefault((faction, card_id.lstrip("0")), []).append(card_id)
        in_order = self._find_ordered(key for _, key in keyed)
        last: dict[str, Record | NewCard] = {}
        for row, key in keyed:
            if self._sizes[key[0]] > self._most_bytes or self._items > MAX_ITEMS:
                continue
            holder = holder_of(key, self._rules)
            record = self._records.get(key)
            if record is not None:
                last[holder] = record
                for column in self._plan.columns:
                    cell = row.cells.get(column.title)
                    change = self._compare_cell(record, column, cell) if cell else None
                    self.changes += [change] if change else []
                    if isinstance(change, ItemsChange):
                        self._count_size(key, cell, items=change.items)
                continue
            if self._has_lost_zeros(row, key):
                continue
            new = self._make_new_card(row, key, last.get(holder) if holder in in_order else None)
            if new is not None:
                last[holder] = new
                self.changes.append(new)
                for _, items in new.items:
                    self._count_size(key, new.cell, items=items)
                self._count_size(key, new.cell, new.attributes)
        self._report_missing_columns()

    def _count_size(
        self,
        key: CardKey,
        cell: Cell | None,
        attributes: Mapping[str, str] = MappingProxyType({}),
        items: Sequence[Item] = (),
    ) -> None:
        """Add up the size of new content, and report when a file becomes too large.

        A workbook of some kilobytes can contain millions of children, so this is checked while rows
        are read, before elements are created.
        """
        assert cell is not None
        fits = self._sizes[key[0]] <= self._most_bytes and self._items <= MAX_ITEMS
        for one in (attributes, *items):
            # The minimum markup around names and values: `<x y="z"/>`.
            self._sizes[key[0]] += 4 + sum(4 + len(name) + len(one[name]) for name in one)
        self._items += len(items)
        if fits and self._sizes[key[0]] > self._most_bytes:
            what = f"the cards of `{key[0]}`" if key[0] else "the tokens"
            most = f"{self._most_bytes:,} bytes"
            message = f"with this row {what} have more than the {most} of a file"
            self._report.append(cell.finding(X005, message, "move some to other factions"))
        elif fits and self._items > MAX_ITEMS:
            message = f"with this row more than {MAX_ITEMS:,} children of cards change"
            self._report.append(cell.finding(E076, message, "import fewer rows at a time"))

    def _report_missing_columns(self) -> None:
        """Report all missing columns that new cards need in one finding."""
        if not self._missing_columns:
            return
        names, cell = [*self._missing_columns], next(iter(self._missing_columns.values()))
        near = self._head.propose(names)
        maps = " ".join(f'--map "{title}={name}"' for title, name in near.items())
        what = "columns" if len(names) > 1 else "column"
        message = f"new cards need the {what} {format_names(names)}, which the table does not have"
        hint = f"do they have other names? try `{maps}`" if maps else "add it to the table"
        self._report.append(cell.finding(E013, message, hint))

    def _has_lost_zeros(self, row: GridRow, key: CardKey) -> bool:
        """Report a new card whose id is an old one without leading zeros; return whether it is."""
        faction, card_id = key
        meant = restore_zeros(
            card_id, self._ids_without_zeros.get((faction, card_id.lstrip("0")), ())
        )
        if meant is not None:
            cell = row.cells.get("id") or row.first
            message = (
                f"`{card_id}` would be a new card, but `{meant}` has no row: its id lost zeros"
            )
            self._report.append(cell.finding(E070, message, f"write `{meant}`, formatted as text"))
        return meant is not None

    def remove_missing(self) -> None:
        """Remove the cards without a row from the game."""
        self.changes += [Removal(record, self._plan) for record in self.missing]

    def _find_ordered(self, keys: Iterable[CardKey]) -> set[str]:
        """Return the factions and rules whose cards have the same order in table and file.

        For others the position of a new card is undefined.
        """
        ordinals: dict[str, list[int]] = {}
        for key in keys:
            numbers = ordinals.setdefault(holder_of(key, self._rules), [])
            if key in self._records:
                numbers.append(self._records[key].node.source.ordinal)
        return {holder for holder, numbers in ordinals.items() if numbers == sorted(numbers)}

    def _compare_cell(self, record: Record, column: Column, cell: Cell) -> Change | None:
        """Return the change made by a cell, None if there is none or after reporting errors."""
        old, new = record.text(column), normalize_for(cell.text, column.attribute)
        if new == normalize_for(old, column.attribute):
            return None
        if column.attribute is not None:
            return self._compare_attribute(record, column, column.attribute, cell)
        if column.items is None:
            return None
        items = read_children(column, cell, self._report)
        if items is None or items == child_values(record.node, column):
            return None
        return ItemsChange(record, self._plan, column, items, new, cell)

    def _compare_attribute(
        self, record: Record, column: Column, attribute: Attribute, cell: Cell
    ) -> Change | None:
        old = record.text(column)
        if not cell.is_blank:
            value = read_cell_value(attribute, cell, self._report)
            if value is None or is_equivalent(attribute, old, value):
                return None
        elif may_be_empty(attribute):
            value = empty_value(attribute)
        else:
            message = f"`{column.title}` of `{record.key[1]}` is empty, but every card has it"
            self._report.append(cell.finding(E010, message, f"it was `{old}`"))
            return None
        return AttributeChange(record, self._plan, column, value, cell)

    def _make_new_card(
        self, row: GridRow, key: CardKey, after: Record | NewCard | None
    ) -> NewCard | None:
        """Return the new card of a row, None after reporting errors."""
        before = len(self._report)
        attributes: dict[str, str] = {}
        items: list[tuple[Column, Sequence[Item]]] = []
        lacks = False
        for column in self._plan.columns:
            if column.title not in row.cells and column.is_required:
                self._missing_columns.setdefault(column.title, row.cells.get("id") or row.first)
                lacks = True
                continue
            cell = row.cells.get(column.title, row.first._replace(text=""))
            if cell is None:
                continue
            if column.items is not None:
                items.append((column, read_children(column, cell, self._report) or ()))
            elif column.attribute is not None:
                value = self._first_value(column.attribute, key, cell)
                attributes |= {} if value is None else {column.attribute.name: value}
        if lacks or len(self._report) > before or None in row.cells.values():
            return None
        cells = {title: cell for title, cell in row.cells.items() if cell is not None}
        first = cells.get("id", row.first)
        return NewCard(key, self._plan, attributes, tuple(items), after, first, cells)

    def _first_value(self, attribute: Attribute, key: CardKey, cell: Cell) -> str | None:
        """Return the value of a new card's attribute; None if it has none or is invalid."""
        if attribute.name in {"id", "faction_id"}:
            return key[attribute.name == "id"]
        if not cell.is_blank:
            return read_cell_value(attribute, cell, self._report)
        if not may_be_empty(attribute):
            message = f"the new card `{key[1]}` has no `{attribute.name}`"
            hint = f"fill the column `{attribute.name}`"
            self._report.append(cell.finding(E013, message, hint))
        return empty_value(attribute)


class DeckComparison:
    """Compares the rows of the table of decks with the deck lists.

    Attributes:
        changes: the differences.
        missing: the cards in decks without a row.
    """

    def __init__(self, loaded: LoadedGame, new: Mapping[CardKey, str], report: Report) -> None:
        """Take a game, the names of its new cards, and the report for errors."""
        self._decks = loaded.decks
        self._names = {**deck_card_names(loaded), **new}
        self._keys = DeckKeyFinder(self._names, loaded.game.factions, report)
        self._report = report
        self.changes: list[AmountChange] = []
        self.missing: list[CardKey] = []

    def run(self, rows: Sequence[GridRow]) -> None:
        """Compare all rows."""
        for row in rows:
            if (key := self._keys.of(row)) is not None:
                for deck in self._decks:
                    self._compare(deck, key, row)
        self.missing = [
            key
            for key in self._names
            if key not in self._keys.rows and any(deck.amount(key) for deck in self._decks)
        ]

    def remove_missing(self) -> None:
        """Remove the cards without a row from all decks."""
        self.changes += [
            AmountChange(deck, key, self._names[key], 0, None)
            for key in self.missing
            for deck in self._decks
            if deck.amount(key)
        ]

    def _compare(self, deck: DeckList, key: CardKey, row: GridRow) -> None:
        cell = row.cells.get(deck.title)
        if cell is None:
            return
        value = "0" if cell.is_blank else read_cell_value(AMOUNT, cell, self._report)
        if value is not None and int(value) != deck.amount(key):
            self.changes.append(AmountChange(deck, key, self._names[key], int(value), cell))


class ForeignTable(NamedTuple):
    """The options for importing a foreign table.

    Attributes:
        kind: the title of the corresponding table of the game.
        maps: the titles of its columns with their meanings.
        faction: the id of the default faction.
    """

    kind: str | None = None
    maps: tuple[tuple[str, str], ...] = ()
    faction: str | None = None


def read_rows(
    loaded: LoadedGame,
    grid: CellGrid,
    columns: Sequence[Column],
    foreign: ForeignTable,
    report: Report,
) -> tuple[ColumnMapping, list[GridRow]] | None:
    """Return the columns and the rows of a table, None after reporting that it cannot be imported.

    Invalid cells are reported, whatever their column. In a foreign table without a column of
    factions, cards belong to the given faction or the game's only one; without one of ids, they get
    the ids of cards with the same names, or new ones.

    Args:
        columns: the game's columns; "id" is required.
    """
    parts, plan = split_titles(grid, None), loaded.plan(grid.title)
    hint = "put the column titles in its first row"
    if is_blank_row(parts.head):
        report.append(E015.at(grid.place, f"{grid.title}: the table is empty", hint))
        return None
    table = CardTable(grid.place.path, columns=tuple(TableColumn(*pair) for pair in foreign.maps))
    findings: Report = []
    head = ColumnMapping(grid.title, columns, table, grid, parts, findings, several=False)
    json = grid.place.path.suffix.casefold() == JSON_SUFFIX
    fills = (json or any(foreign)) and plan is not None and not plan.kind.token
    if "id" not in head.titles and not fills:
        message = f"{grid.title}: the table has no column `id`, which says what each row is about"
        findings.append(E015.at(parts.first.place, message, hint))
    report += findings
    if findings:
        return None
    if not json:  # exports of databases have many others
        absent = [column.title for column in columns if column.title not in head.titles]
        for cell in head.unmapped.values():
            message = f"the column `{normalize_text(cell.text)}` is not read"
            report.append(cell.finding(E014, message, known_hint(cell.text, absent, at_most=0)))
    numbers = {id(row): number for number, row in enumerate(grid.rows, 1)}
    rows = []
    for row in parts.body:
        cells = {column.title: head.cell(at, row) for column, at in head.columns}
        sound = {title: cell if is_sound(cell, report) else None for title, cell in cells.items()}
        rows.append(GridRow(numbers[id(row)], sound, row[0]))
    if plan is not None and fills:
        _fill_rows(loaded, plan, rows, head, foreign)
    return head, rows


def _fill_rows(
    loaded: LoadedGame,
    plan: KindTable,
    rows: Sequence[GridRow],
    head: ColumnMapping,
    foreign: ForeignTable,
) -> None:
    """Add the factions and ids that a foreign table lacks, with cells at the beginning of rows."""
    owners = [f.id for f in loaded.game.factions.values() if f.cards_of is None]
    faction = foreign.faction or (owners[0] if len(owners) == 1 else None)
    if "faction_id" not in head.titles and faction is not None:
        for row in rows:
            row.add("faction_id", faction)
    if "id" not in head.titles:
        ids = _assign_ids(loaded, plan, [(r.text("faction_id"), r.text("name")) for r in rows])
        for row, card_id in zip(rows, ids, strict=True):
            row.add("id", card_id)


def _assign_ids(
    loaded: LoadedGame, plan: KindTable, names: Sequence[tuple[str, str]]
) -> Iterator[str]:
    """Yield ids for cards by faction and name: those of cards with the same names, or new ones."""
    records = loaded.records[plan.title]
    known = {(r.key[0], normalize_text(r.node.attributes["name"])): r.key[1] for r in records}
    factions: dict[str, list[CardIdentity]] = {faction: [] for faction, _ in names}
    for faction, card_id in (record.key for each in loaded.records.values() for record in each):
        factions.setdefault(faction, []).append(CardIdentity(card_id, ""))
    for faction, name in names:
        if (faction, name) not in known:
            factions[faction].append(CardIdentity("", name))
    fresh = {faction: iter(ids) for faction, ids in assign_ids(factions, {}).items()}
    for faction, name in names:
        yield known.get((faction, name)) or next(fresh[faction])
