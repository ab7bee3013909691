"""Changes from tables, their descriptions, and their application to the files."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from deckwright.decks.deck_file import NEW_FILE, REQUIRED_ATTRIBUTES, set_copies
from deckwright.game.columns import KindTable
from deckwright.game.model import CardKey
from deckwright.grids.cells import Item
from deckwright.grids.table import Cell, Column
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


def holder_of(key: CardKey, rules: Container[str]) -> str:
    """Return the owner of a card: its faction, or the rule that creates a token."""
    faction_id, card_id = key
    return faction_id or (card_id if card_id in rules else card_id.rpartition("/")[0])


_MAX_SHOWN = 60
"""The maximum shown length of a value."""


class CardChange(NamedTuple):
    """A change of an attribute of a card, or of its children with one tag.

    Attributes:
        text: the new value or children as text.
        value: the value of the attribute, None to remove it.
        items: the children; None for an attribute.
    """

    record: Record
    plan: KindTable
    column: Column
    cell: Cell
    text: str
    value: str | None = None
    items: Sequence[Item] | None = None

    def __str__(self) -> str:
        old = self.record.text(self.column)
        return f"{self.record.label}: {self.column.title} {_describe_change(old, self.text)}"


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


Change = CardChange | NewCard | Removal | AmountChange


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
        if isinstance(change, CardChange):
            if change.items is None:
                self._set_attribute(change)
            else:
                self._set_items(change, change.items)
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

    def _set_attribute(self, change: CardChange) -> None:
        """Set an attribute of a card."""
        element, file = self._find(change.record.node)
        assert change.column.attribute is not None
        name = change.column.attribute.name
        for inside in element.children(name) if change.column.attribute.element else ():
            element.remove(inside)
        element.set(name, change.value, change.plan.attribute_order)
        self.blames[file.path].append(Blame(element, (name,), change.cell))

    def _set_items(self, change: CardChange, items: Sequence[Item]) -> None:
        """Replace the children of a card, without touching unchanged ones."""
        record, plan, column = change.record, change.plan, change.column
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
