"""Changes from tables, their descriptions, and their application to the files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import ClassVar, NamedTuple

from deckwright.base.findings import Code, Report, Severity, known_hint
from deckwright.decks.deck_file import NEW_FILE, REQUIRED_ATTRIBUTES, set_copies
from deckwright.game.columns import KindTable
from deckwright.game.model import CardKey
from deckwright.grids.cells import GridRow, Item
from deckwright.grids.table import Cell, CellError, Column, restore_zeros
from deckwright.tables.export import DeckList, LoadedGame, Record, child_values
from deckwright.xmlio.node import Node
from deckwright.xmlio.xml_text import (
    RawElement,
    XmlFile,
    add_element,
    new_element,
    read_xml_file,
    set_children,
)

E011 = Code(
    "E011", Severity.ERROR, "a row of a table that belongs to no card, or to another row's card"
)


def holder_of(key: CardKey, rules: Container[str]) -> str:
    """Return the owner of a card: its faction, or the rule that creates a token."""
    faction_id, card_id = key
    return faction_id or (card_id if card_id in rules else card_id.rpartition("/")[0])


class KeyFinder(ABC):
    """Finds the cards that the rows of one table refer to.

    Attributes:
        rows: the rows found so far, by key.
    """

    _remedy: ClassVar[str]
    """The hint for two rows of the same card."""

    def __init__(self, report: Report) -> None:
        """Take the report for errors."""
        self._report = report
        self.rows: dict[CardKey, GridRow] = {}

    def of(self, row: GridRow) -> CardKey | None:
        """Return the key of a row's card, None after reporting errors."""
        if any(row.cells.get(title, row.first) is None for title in ("id", "faction_id")):
            return None
        try:
            key = self._new_key(row, row.text("id"))
        except CellError as error:
            cell = row.cells.get(error.title) or row.cells.get("id") or row.first
            self._report.append(cell.finding(E011, str(error), error.hint))
            return None
        self.rows[key] = row
        return key

    def _new_key(self, row: GridRow, card_id: str) -> CardKey:
        if not card_id:
            message = f"row {row.number} has no card id"
            raise CellError(message, "give it an id, or clear the row")
        key = self._key(card_id, row.text("faction_id"))
        if key in self.rows:
            raise CellError(f"`{card_id}` already has row {self.rows[key].number}", self._remedy)
        return key

    @abstractmethod
    def _key(self, card_id: str, faction_id: str) -> CardKey:
        """Return the key of a card; raise CellError if it is missing or ambiguous."""


def group_by_id(keys: Iterable[CardKey]) -> dict[str, list[CardKey]]:
    """Group keys by card id."""
    groups: dict[str, list[CardKey]] = {}
    for key in keys:
        groups.setdefault(key[1], []).append(key)
    return groups


class CardKeyFinder(KeyFinder):
    """Finds existing and new cards or tokens of a kind."""

    _remedy = "give one of them another id, or remove it"

    def __init__(self, loaded: LoadedGame, plan: KindTable, report: Report) -> None:
        """Take a game, the plan of the table, and the report for errors."""
        super().__init__(report)
        self._game = loaded.game
        self._token = plan.kind.token
        self._tables = {
            record.key: title for title, records in loaded.records.items() for record in records
        }
        self._by_id = group_by_id(known for known in self._tables if known[0])
        self._title = plan.title

    def _key(self, card_id: str, faction_id: str) -> CardKey:
        key = self._token_key(card_id) if self._token else self._card_key(card_id, faction_id)
        if self._tables.get(key, self._title) != self._title:
            message = f"`{card_id}` is a card of the table `{self._tables[key]}`"
            raise CellError(message, "change it there, or choose another id")
        return key

    def _card_key(self, card_id: str, faction_id: str) -> CardKey:
        factions, key = self._game.factions, (faction_id, card_id)
        if key in self._tables:
            return key
        if not faction_id:
            candidates = self._by_id.get(card_id, [])
            if len(candidates) == 1:
                return candidates[0]
            message = f"the row of `{card_id}` does not name a faction"
            raise CellError(message, known_hint("", factions), "faction_id")
        if faction_id not in factions:
            message = f"there is no faction `{faction_id}`"
            raise CellError(message, known_hint(faction_id, factions), "faction_id")
        if owner := factions[faction_id].cards_of:
            message = (
                f"faction `{faction_id}` uses the cards of `{owner}` and has no cards of its own"
            )
            raise CellError(message, f"write `{owner}`", "faction_id")
        if " " in card_id:
            raise CellError(f"the id `{card_id}` has a space in it", "leave it out")
        return key

    def _token_key(self, card_id: str) -> CardKey:
        key, rules = ("", card_id), self._game.rules
        rule_id = holder_of(key, rules) or card_id
        if key in self._tables or rule_id in rules:
            return key
        hint = known_hint(rule_id, rules, at_most=0)
        message = f"there is no rule `{rule_id}` that could create a token"
        raise CellError(
            message, hint or "write a token's id as its rule's id and a number: `rule/1`"
        )


class DeckKeyFinder(KeyFinder):
    """Finds cards that decks may contain."""

    _remedy = "remove one of them"

    def __init__(
        self, known_keys: Collection[CardKey], factions: Collection[str], report: Report
    ) -> None:
        """Take the known cards, the ids of the factions, and the report for errors."""
        super().__init__(report)
        self._known_keys = known_keys
        self._by_id = group_by_id(known_keys)
        self._factions = factions

    def _key(self, card_id: str, faction_id: str) -> CardKey:
        keys = [key for key in self._by_id.get(card_id, ()) if faction_id in {key[0], ""}]
        if len(keys) == 1:
            return keys[0]
        if keys:
            message = f"the row of `{card_id}` does not name a faction"
            raise CellError(message, known_hint("", self._factions), "faction_id")
        of = f" of faction `{faction_id}`" if faction_id else ""
        known = [key[1] for key in self._known_keys if faction_id in {key[0], ""}]
        zeros = restore_zeros(card_id, known)
        hint = f"write `{zeros}`" if zeros else known_hint(card_id, known, at_most=0)
        raise CellError(f"there is no card `{card_id}`{of}", hint)


_MAX_SHOWN = 60
"""The maximum shown length of a value."""


class AttributeChange(NamedTuple):
    """A change of a card's attribute; None removes it."""

    record: Record
    plan: KindTable
    column: Column
    value: str | None
    cell: Cell

    def __str__(self) -> str:
        old = self.record.text(self.column)
        return f"{self.record.label}: {self.column.title} {_describe_change(old, self.value or '')}"


class ItemsChange(NamedTuple):
    """A change of a card's children with one tag."""

    record: Record
    plan: KindTable
    column: Column
    items: Sequence[Item]
    new: str
    cell: Cell

    def __str__(self) -> str:
        old = self.record.text(self.column)
        return f"{self.record.label}: {self.column.title} {_describe_change(old, self.new)}"


class NewCard(NamedTuple):
    """A new card or token.

    Attributes:
        key: as in records; that of a token is the id of its rule with a number.
        attributes: the attributes in the order of writing.
        items: the children by column.
        after: the preceding card in its file, None for the end of the file.
        cell: the cell with its id; `cells` are those of its columns by title.
    """

    key: CardKey
    plan: KindTable
    attributes: Mapping[str, str]
    items: Sequence[tuple[Column, Sequence[Item]]]
    after: Record | NewCard | None
    cell: Cell
    cells: Mapping[str, Cell]

    def __str__(self) -> str:
        of = f"{self.key[0]}_cards.xml" if self.key[0] else "rules.xml"
        return f"{self.key[1]} {self.attributes.get('name', '')}: new, in {of}"


class Removal(NamedTuple):
    """A card or token to remove."""

    record: Record
    plan: KindTable

    def __str__(self) -> str:
        return f"{self.record.label}: removed"


class AmountChange(NamedTuple):
    """A change of a card's copies in a deck list; 0 removes it."""

    deck: DeckList
    key: CardKey
    name: str
    amount: int
    cell: Cell | None

    def __str__(self) -> str:
        old = self.deck.amount(self.key)
        return f"deck {self.deck.title}: {self.key[1]} {self.name} {old} → {self.amount}"


Change = AttributeChange | ItemsChange | NewCard | Removal | AmountChange


def _describe_change(old: str, new: str) -> str:
    """Return "17 → 16", with long values reduced to the differing part."""
    start = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), None)
    start = min(len(old), len(new)) if start is None else start
    return f"{_excerpt(old, start)} → {_excerpt(new, start)}"


def _excerpt(text: str, around: int) -> str:
    """Return an excerpt of a value around a position."""
    if not text:
        return "(nothing)"
    text = " ".join(text.split())
    if len(text) <= _MAX_SHOWN:
        return text
    start = max(0, min(around - _MAX_SHOWN // 3, len(text) - _MAX_SHOWN))
    end = start + _MAX_SHOWN
    return f"{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}"


class Blame(NamedTuple):
    """The element and attributes that a cell has changed."""

    element: RawElement
    attributes: tuple[str, ...]
    cell: Cell


class ChangedFile(NamedTuple):
    """A changed file, with the cells responsible for the changes."""

    file: XmlFile
    blames: tuple[Blame, ...]


def apply_changes(loaded: LoadedGame, changes: Iterable[Change]) -> list[ChangedFile]:
    """Apply changes; return the changed files without writing them.

    Raises:
        OSError: if a file cannot be read.
    """
    files = _FileEditor(loaded)
    for change in changes:
        files.apply(change)
    return [
        ChangedFile(file, tuple(files.blames[path]))
        for path, file in files.files.items()
        if file.to_bytes() != file.data
    ]


class _FileEditor:
    """The files of a game, read on demand."""

    def __init__(self, loaded: LoadedGame) -> None:
        self._loaded = loaded
        self._new: dict[int, RawElement] = {}
        """The elements of new cards, by the id of their changes."""
        self.files: dict[Path, XmlFile] = {}
        self.blames: dict[Path, list[Blame]] = {}

    def apply(self, change: Change) -> None:
        """Apply a change to the files."""
        if isinstance(change, AttributeChange):
            self._set_attribute(change)
        elif isinstance(change, ItemsChange):
            self._set_items(change)
        elif isinstance(change, NewCard):
            self._add(change)
        elif isinstance(change, Removal):
            element, file = self._find(change.record.node)
            file.parent_of(element).remove(element)
        else:
            self._set_amount(change)

    def _file(self, path: Path) -> XmlFile:
        if path not in self.files:
            self.files[path] = read_xml_file(path, NEW_FILE)
            self.blames[path] = []
        return self.files[path]

    def _find(self, node: Node) -> tuple[RawElement, XmlFile]:
        """Return the element of a node, and its file."""
        file = self._file(node.source.path)
        return file.elements[node.source.ordinal], file

    def _set_attribute(self, change: AttributeChange) -> None:
        """Set an attribute of a card."""
        element, file = self._find(change.record.node)
        assert change.column.attribute is not None
        name = change.column.attribute.name
        for inside in element.children(name) if change.column.attribute.element else ():
            element.remove(inside)
        element.set(name, change.value, change.plan.attribute_order)
        self.blames[file.path].append(Blame(element, (name,), change.cell))

    def _set_items(self, change: ItemsChange) -> None:
        """Replace the children of a card, without touching unchanged ones."""
        record, plan, column, items = change.record, change.plan, change.column, change.items
        element, file = self._find(record.node)
        assert column.items is not None
        tag = column.items.shape.tag
        old, old_items = element.children(tag), child_values(record.node, column)
        matcher = SequenceMatcher(
            None,
            _comparable_items(column, old_items),
            _comparable_items(column, items),
            autojunk=False,
        )
        wanted: list[RawElement] = []
        for what, i1, i2, j1, j2 in matcher.get_opcodes():
            both = min(i2 - i1, j2 - j1)
            for index in range(both if what != "equal" else 0):
                _rewrite(old[i1 + index], column, old_items[i1 + index], items[j1 + index])
            wanted += old[i1 : i1 + both]
            wanted += [_make_child(column, item) for item in items[j1 + both : j2]]
        tags = [children.tag for children in plan.kind.children]
        set_children(file, element, tag, wanted, tags[: tags.index(tag)])
        blames = [Blame(child, column.names, change.cell) for child in element.children(tag)]
        self.blames[file.path] += [Blame(element, (), change.cell), *blames]

    def _add(self, change: NewCard) -> None:
        """Add a new card after the preceding one, or at the end."""
        file, holder = self._find_holder(change)
        if isinstance(change.after, NewCard):
            after: RawElement | None = self._new[id(change.after)]
        else:
            after = file.elements[change.after.node.source.ordinal] if change.after else None
        attributes = {
            name: change.attributes[name]
            for name in change.plan.attribute_order
            if name in change.attributes
        }
        inside = [_make_child(column, item) for column, items in change.items for item in items]
        element = add_element(file, holder, change.plan.kind.tag, attributes, inside, after)
        self._new[id(change)] = element
        self.blames[file.path] += _blames_of(change, element)

    def _find_holder(self, change: NewCard) -> tuple[XmlFile, RawElement]:
        """Return the file and the parent element of a new card."""
        folder, rules = self._loaded.folder, self._loaded.game.rules
        if change.key[0]:
            file = self._file(folder.cards_file(change.key[0]))
            return file, file.root
        source = rules[holder_of(change.key, rules)].source
        file = self._file(source.path)
        return file, file.elements[source.ordinal]

    def _set_amount(self, change: AmountChange) -> None:
        """Set the copies of a card in a deck by changing, adding or removing lines."""
        nodes = change.deck.lines.get(change.key, ())
        file = self._file(change.deck.node.source.path)
        old = [file.elements[node.source.ordinal] for node in nodes]
        lines = set_copies(file, old, change.key, change.amount)
        if change.cell is not None:
            blames = [Blame(line, REQUIRED_ATTRIBUTES, change.cell) for line in lines]
            self.blames[file.path] += blames


def _blames_of(change: NewCard, element: RawElement) -> Iterator[Blame]:
    """Yield the elements and attributes that the cells of a new card determine."""
    yield Blame(element, ("id",), change.cell)
    for column in change.plan.columns:
        cell = change.cells.get(column.title)
        if cell is None:
            continue
        if column.attribute is not None:
            yield Blame(element, (column.attribute.name,), cell)
        elif column.items is not None:
            for child in element.children(column.items.shape.tag):
                yield Blame(child, column.names, cell)


def _comparable_items(column: Column, items: Sequence[Item]) -> list[tuple[str | None, ...]]:
    """Return children in a comparable form."""
    return [tuple(item.get(name) for name in column.names) for item in items]


def _rewrite(child: RawElement, column: Column, old: Item, new: Item) -> None:
    """Change a child in place."""
    assert column.items is not None
    order = tuple(attribute.name for attribute in column.items.shape.attributes)
    for name in column.names:
        if old.get(name) != new.get(name):
            child.set(name, new.get(name), order)
    first = column.names[0]
    if old.get(first) != new.get(first):
        # Ignored attributes describe the old one, such as the name next to a rule's id.
        for name in order:
            if name not in column.names:
                child.set(name, None, order)


def _make_child(column: Column, item: Item) -> RawElement:
    assert column.items is not None
    values = {name: item[name] for name in column.names if name in item}
    return new_element(column.items.shape.tag, values)
