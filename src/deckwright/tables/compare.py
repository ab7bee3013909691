"""Compare an imported table of cards with the game; the differences are the changes.

A cell equivalent to the game's value changes nothing, so that importing an unmodified export leaves
every file unchanged.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import ClassVar, NamedTuple

from deckwright.base.findings import Code, Report, Severity, format_names, known_hint
from deckwright.base.output import OutputError
from deckwright.game.columns import ColumnMapping, KindTable
from deckwright.game.folder import CardTable, TableColumn
from deckwright.game.ids import CardIdentity, assign_ids
from deckwright.game.model import CardKey
from deckwright.game.tables import AMOUNT_ATTRIBUTE
from deckwright.grids.cells import (
    E010,
    E014,
    E015,
    GridRow,
    Item,
    empty_value,
    is_sound,
    may_be_empty,
    read_cell_value,
    read_children,
    read_value,
)
from deckwright.grids.reading import JSON_SUFFIX
from deckwright.grids.table import (
    E076,
    Cell,
    CellError,
    CellGrid,
    Column,
    is_blank_row,
    normalize_for,
    normalize_text,
    restore_zeros,
    split_titles,
)
from deckwright.tables.changes import CardContent, GameEditor, holder_of
from deckwright.tables.export import (
    LoadedGame,
    Record,
    child_values,
    deck_card_names,
)
from deckwright.xmlio.load import X005, file_limits

E011 = Code(
    "E011", Severity.ERROR, "a row of a table that belongs to no card, or to another row's card"
)
E013 = Code("E013", Severity.ERROR, "a new card that is incomplete")

MAX_ITEMS = 200_000
"""The maximum number of children that an import writes: ten each for 20,000 cards."""

E070 = Code("E070", Severity.ERROR, "an id in a table that has lost its zeros")


class TableComparison(ABC):
    """Compares the rows of a table with the game. Cards without a row are `missing`."""

    _remedy: ClassVar[str]
    """The hint for two rows of the same card."""

    def __init__(
        self,
        loaded: LoadedGame,
        names: Mapping[CardKey, str],
        keys: Iterable[CardKey],
        editor: GameEditor,
        report: Report,
    ) -> None:
        """Take a game; `keys` are the cards that rows may name by their id alone."""
        self.names = names
        self._game = loaded.game
        self._editor = editor
        self._report = report
        self._rows: dict[CardKey, GridRow] = {}
        self._by_id: dict[str, list[CardKey]] = {}
        for key in keys:
            self._by_id.setdefault(key[1], []).append(key)
        self.missing: list[CardKey] = []

    def run(self, rows: Sequence[GridRow]) -> None:
        """Compare all rows."""
        for row in rows:
            if any(row.cells.get(title, row.first) is None for title in ("id", "faction_id")):
                continue
            try:
                self._rows[self._find_new_key(row, row.text("id"))] = row
            except CellError as error:
                cell = row.cells.get(error.title) or row.cells.get("id") or row.first
                self._report.append(cell.finding(E011, str(error), error.hint))
        self.missing = [key for key in self.names if key not in self._rows and self._is_used(key)]
        self._compare_rows()

    def _find_new_key(self, row: GridRow, card_id: str) -> CardKey:
        """Return the card that a row is about; raise CellError if that is unclear."""
        if not card_id:
            message = f"row {row.number} has no card id"
            raise CellError(message, "give it an id, or clear the row")
        key = self._find_key(card_id, row.text("faction_id"))
        if key in self._rows:
            message = f"`{card_id}` already has row {self._rows[key].number}"
            raise CellError(message, self._remedy)
        return key

    def _find_sole_key(self, keys: Sequence[CardKey], card_id: str) -> CardKey:
        """Return the only one of several keys."""
        if len(keys) != 1:
            message = f"the row of `{card_id}` does not name a faction"
            raise CellError(message, known_hint("", self._game.factions), "faction_id")
        return keys[0]

    @abstractmethod
    def _find_key(self, card_id: str, faction_id: str) -> CardKey:
        """Return the key of a card; raise CellError if it is missing or ambiguous."""

    @abstractmethod
    def _is_used(self, key: CardKey) -> bool:
        """Return whether the table should have a row for a card."""

    @abstractmethod
    def _compare_rows(self) -> None:
        """Apply the changes."""

    @abstractmethod
    def remove_missing(self) -> None:
        """Remove the cards without a row."""


class CardComparison(TableComparison):
    """Compares the rows of one table with the cards or tokens of a kind."""

    _remedy = "give one of them another id, or remove it"

    def __init__(
        self,
        loaded: LoadedGame,
        plan: KindTable,
        head: ColumnMapping,
        editor: GameEditor,
        report: Report,
    ) -> None:
        self._tables = {
            record.key: title for title, records in loaded.records.items() for record in records
        }
        self._records = {record.key: record for record in loaded.records[plan.title]}
        names = {key: record.node.attributes["name"] for key, record in self._records.items()}
        super().__init__(loaded, names, filter(itemgetter(0), self._tables), editor, report)
        self._rules = loaded.game.rules
        self._head = head
        self._plan = plan
        self._missing_columns: dict[str, Cell] = {}
        """Missing columns that new cards need, with a cell of the first such card."""
        self._sizes: Counter[str] = Counter()
        """The minimum sizes of the resulting card files by faction; "" is the file of tokens."""
        self._most_bytes = file_limits().bytes
        self._items = 0
        """The number of children to write."""

    def _find_key(self, card_id: str, faction_id: str) -> CardKey:
        factions, key = self._game.factions, (faction_id, card_id)
        if self._plan.kind.token:
            key = ("", card_id)
            rule_id = holder_of(key, self._rules) or card_id
            if key not in self._tables and rule_id not in self._rules:
                hint = known_hint(rule_id, self._rules, at_most=0)
                message = f"there is no rule `{rule_id}` that could create a token"
                example = "write a token's id as its rule's id and a number: `rule/1`"
                raise CellError(message, hint or example)
        elif not faction_id and ("", card_id) not in self._tables:
            key = self._find_sole_key(self._by_id.get(card_id, ()), card_id)
        elif key not in self._tables:
            if faction_id not in factions:
                message = f"there is no faction `{faction_id}`"
                raise CellError(message, known_hint(faction_id, factions), "faction_id")
            if owner := factions[faction_id].cards_of:
                use = f"faction `{faction_id}` uses the cards of `{owner}`"
                raise CellError(f"{use} and has no cards of its own", f"write `{owner}`",
                                "faction_id")  # fmt: skip
            if " " in card_id:
                raise CellError(f"the id `{card_id}` has a space in it", "leave it out")
        title = self._tables.get(key, self._plan.title)
        if title != self._plan.title:
            message = f"`{card_id}` is a card of the table `{title}`"
            raise CellError(message, "change it there, or choose another id")
        return key

    def _is_used(self, key: CardKey) -> bool:
        return key in self._records

    def _compare_rows(self) -> None:
        ordinals: dict[str, list[int]] = {}
        for key in self._rows:
            numbers = ordinals.setdefault(holder_of(key, self._rules), [])
            if key in self._records:
                numbers.append(self._records[key].node.source.ordinal)
        # Only where the table has the order of the file, a new card has a position in it.
        in_order = {holder for holder, numbers in ordinals.items() if numbers == sorted(numbers)}
        zeros: dict[CardKey, list[str]] = {}
        """The ids of missing cards, by faction and id without leading zeros."""
        for faction, card_id in self.missing:
            zeros.setdefault((faction, card_id.lstrip("0")), []).append(card_id)
        last: dict[str, Record | CardKey] = {}
        for key, row in self._rows.items():
            if not self._fits(key):
                continue
            holder = holder_of(key, self._rules)
            record = self._records.get(key)
            if record is not None:
                last[holder] = record
                self._compare_row(record, row)
            elif meant := restore_zeros(key[1], zeros.get((key[0], key[1].lstrip("0")), ())):
                cell = row.cells.get("id") or row.first
                fact = f"`{key[1]}` would be a new card, but `{meant}` has no row"
                hint = f"write `{meant}`, formatted as text"
                self._report.append(cell.finding(E070, f"{fact}: its id lost zeros", hint))
            elif new := self._read_new_card(row, key):
                items = [item for _, items in new.items for item in items]
                if self._count_size(key, new.cell, new.attributes, items):
                    after = last.get(holder) if holder in in_order else None
                    self._editor.new[key] = new.attributes.get("name", "")
                    self._editor.add_card(key, self._plan, new, after)
                    last[holder] = key
        if self._missing_columns:  # one finding for all
            names, cell = [*self._missing_columns], next(iter(self._missing_columns.values()))
            near = self._head.propose(names)
            maps = " ".join(f'--map "{title}={name}"' for title, name in near.items())
            what = f"column{'s' if len(names) > 1 else ''} {format_names(names)}"
            message = f"new cards need the {what}, which the table does not have"
            hint = f"do they have other names? try `{maps}`" if maps else "add it to the table"
            self._report.append(cell.finding(E013, message, hint))

    def _count_size(
        self, key: CardKey, cell: Cell, attributes: Mapping[str, str], items: Sequence[Item]
    ) -> bool:
        """Add up the size of new content; return False after reporting that it is too large.

        A workbook of some kilobytes can contain millions of children, so this is checked while rows
        are read, before elements are created.
        """
        fits = self._fits(key)
        for one in (attributes, *items):
            # The minimum markup around names and values: `<x y="z"/>`.
            self._sizes[key[0]] += 4 + sum(4 + len(name) + len(one[name]) for name in one)
        self._items += len(items)
        if fits and self._items > MAX_ITEMS:
            message = f"with this row more than {MAX_ITEMS:,} children of cards change"
            self._report.append(cell.finding(E076, message, "import fewer rows at a time"))
        elif fits and not self._fits(key):
            what = f"the cards of `{key[0]}`" if key[0] else "the tokens"
            most = f"{self._most_bytes:,} bytes"
            message = f"with this row {what} have more than the {most} of a file"
            self._report.append(cell.finding(X005, message, "move some to other factions"))
        return self._fits(key)

    def _fits(self, key: CardKey) -> bool:
        """Return whether there is room for more content in the file of a card."""
        return self._sizes[key[0]] <= self._most_bytes and self._items <= MAX_ITEMS

    def remove_missing(self) -> None:
        """Remove the cards without a row from the game."""
        for key in self.missing:
            self._editor.remove_card(self._records[key])

    def _compare_row(self, record: Record, row: GridRow) -> None:
        """Apply the changes that a row makes to a card; report invalid values."""
        for column in self._plan.columns:
            cell = row.cells.get(column.title)
            old, attribute = record.text(column), column.attribute
            if cell is None or normalize_for(cell.text, attribute) == normalize_for(old, attribute):
                continue
            if attribute is not None and not cell.is_blank:
                value = read_cell_value(attribute, cell, self._report)
                if value is not None and value != read_value(attribute, old):
                    self._editor.set_attribute(record, self._plan, column, value, cell)
            elif attribute is not None and may_be_empty(attribute):
                value = empty_value(attribute)
                self._editor.set_attribute(record, self._plan, column, value, cell)
            elif attribute is not None:
                message = f"`{column.title}` of `{record.key[1]}` is empty, but every card has it"
                self._report.append(cell.finding(E010, message, f"it was `{old}`"))
            elif column.items is not None:
                items = read_children(column, cell, self._report)
                if (
                    items is not None
                    and items != child_values(record.node, column)
                    and self._count_size(record.key, cell, {}, items)
                ):
                    self._editor.set_items(record, self._plan, column, items, cell)

    def _read_new_card(self, row: GridRow, key: CardKey) -> CardContent | None:
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
            elif (attribute := column.attribute) is not None:
                name = attribute.name
                if name in {"id", "faction_id"}:
                    value: str | None = key[name == "id"]
                elif not cell.is_blank:
                    value = read_cell_value(attribute, cell, self._report)
                else:
                    value = empty_value(attribute)
                    if not may_be_empty(attribute):
                        message = f"the new card `{key[1]}` has no `{name}`"
                        hint = f"fill the column `{name}`"
                        self._report.append(cell.finding(E013, message, hint))
                attributes |= {} if value is None else {name: value}
        if lacks or len(self._report) > before or None in row.cells.values():
            return None
        cells = [(c, cell) for c in self._plan.columns if (cell := row.cells.get(c.title))]
        return CardContent(attributes, items, row.cells.get("id") or row.first, cells)


class DeckComparison(TableComparison):
    """Compares the rows of the table of decks with the deck lists."""

    _remedy = "remove one of them"

    def __init__(self, loaded: LoadedGame, editor: GameEditor, report: Report) -> None:
        names = deck_card_names(loaded)
        for (owner, card_id), name in editor.new.items():
            for faction in loaded.game.factions.values() if owner else ():
                if owner in {faction.id, faction.cards_of}:
                    names[faction.id, card_id] = name
        super().__init__(loaded, names, names, editor, report)
        self._decks = loaded.decks

    def _find_key(self, card_id: str, faction_id: str) -> CardKey:
        keys = [key for key in self._by_id.get(card_id, ()) if faction_id in {key[0], ""}]
        if keys:
            return self._find_sole_key(keys, card_id)
        of = f" of faction `{faction_id}`" if faction_id else ""
        known = [key[1] for key in self.names if faction_id in {key[0], ""}]
        zeros = restore_zeros(card_id, known)
        hint = f"write `{zeros}`" if zeros else known_hint(card_id, known, at_most=0)
        raise CellError(f"there is no card `{card_id}`{of}", hint)

    def _is_used(self, key: CardKey) -> bool:
        return any(deck.amount(key) for deck in self._decks)

    def remove_missing(self) -> None:
        """Remove the cards without a row from all decks."""
        for key in self.missing:
            for deck in self._decks:
                if deck.amount(key):
                    self._editor.set_amount(deck, key, self.names[key], 0, None)

    def _compare_rows(self) -> None:
        for key, row in self._rows.items():
            for deck in self._decks:
                cell = row.cells.get(deck.title)
                if cell is None:
                    continue
                filled = cell._replace(text=cell.text.strip() or "0")
                value = read_cell_value(AMOUNT_ATTRIBUTE, filled, self._report)
                if value is not None and int(value) != deck.amount(key):
                    self._editor.set_amount(deck, key, self.names[key], int(value), cell)


class ForeignTable(NamedTuple):
    """The options for importing a foreign table as a table of the game.

    Attributes:
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
) -> tuple[ColumnMapping, list[GridRow]]:
    """Return the columns and the rows of a table, of which only "id" is required.

    Invalid cells are reported, whatever their column. In a foreign table without a column of
    factions, cards belong to the given faction or the game's only one; without one of ids, they get
    the ids of cards with the same names, or new ones.

    Raises:
        OutputError: if it cannot be imported.
    """
    parts, plan = split_titles(grid, None), loaded.plans.get(grid.title)
    hint = "put the column titles in its first row"
    if is_blank_row(parts.head):
        raise OutputError(E015.at(grid.place, f"{grid.title}: the table is empty", hint))
    table = CardTable(grid.place.path, columns=tuple(TableColumn(*pair) for pair in foreign.maps))
    findings: Report = []
    head = ColumnMapping(grid.title, columns, table, grid, parts, findings, several=False)
    json = grid.place.path.suffix.casefold() == JSON_SUFFIX
    fills = (json or any(foreign)) and plan is not None and not plan.kind.token
    if "id" not in head.titles and not fills:
        message = f"{grid.title}: the table has no column `id`, which says what each row is about"
        findings.append(E015.at(parts.first.place, message, hint))
    if findings:
        raise OutputError(*findings)
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
        # Add the factions and ids that it lacks, with cells at the beginning of rows.
        owners = [f.id for f in loaded.game.factions.values() if f.cards_of is None]
        faction = foreign.faction or (owners[0] if len(owners) == 1 else None)
        if "faction_id" not in head.titles and faction is not None:
            for grid_row in rows:
                grid_row.add("faction_id", faction)
        if "id" not in head.titles:
            names = [(each.text("faction_id"), each.text("name")) for each in rows]
            for grid_row, card_id in zip(rows, _assign_ids(loaded, plan, names), strict=True):
                grid_row.add("id", card_id)
    return head, rows


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
