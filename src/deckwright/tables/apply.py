"""Put changes into the texts of XML files, which otherwise stay as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from deckwright.decks.lines import LINE, NEW_FILE, set_copies
from deckwright.grids.notation import Item
from deckwright.grids.table import Cell, Column
from deckwright.tables.changes import (
    AmountChange,
    AttributeChange,
    Change,
    ItemsChange,
    NewCard,
    Removal,
)
from deckwright.tables.keys import holder_of
from deckwright.tables.records import Loaded, items_of
from deckwright.xmlio.node import Node
from deckwright.xmlio.rewriting import add, arrange
from deckwright.xmlio.xml_text import Element, XmlFile, new_element, read_xml_file


class Blame(NamedTuple):
    """What a cell has changed: an element, and the attributes that the cell says itself."""

    element: Element
    attributes: tuple[str, ...]
    cell: Cell


class Applied(NamedTuple):
    """A file after changes, and which cells are to blame for what in it."""

    file: XmlFile
    blames: tuple[Blame, ...]


def apply_changes(loaded: Loaded, changes: Iterable[Change]) -> list[Applied]:
    """Return the files that changes make another, as they are to be.

    Raises:
        OSError: if a file cannot be read.
    """
    files = _Files(loaded)
    for change in changes:
        files.apply(change)
    return [
        Applied(file, tuple(files.blames[path]))
        for path, file in files.files.items()
        if file.bytes() != file.data
    ]


class _Files:
    """The files of a game, read when a change concerns them."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._new: dict[int, Element] = {}
        """The elements of new cards, by the id of their changes."""
        self.files: dict[Path, XmlFile] = {}
        self.blames: dict[Path, list[Blame]] = {}

    def apply(self, change: Change) -> None:
        """Put a change into the files."""
        if isinstance(change, AttributeChange):
            self._set(change)
        elif isinstance(change, ItemsChange):
            self._set_items(change)
        elif isinstance(change, NewCard):
            self._add(change)
        elif isinstance(change, Removal):
            element, file = self._find(change.record.node)
            file.holder(element).remove(element)
        else:
            self._set_amount(change)

    def _file(self, path: Path) -> XmlFile:
        if path not in self.files:
            self.files[path] = read_xml_file(path, NEW_FILE)
            self.blames[path] = []
        return self.files[path]

    def _find(self, node: Node) -> tuple[Element, XmlFile]:
        """Return the element of a node, and its file."""
        file = self._file(node.source.path)
        return file.elements[node.source.ordinal], file

    def _set(self, change: AttributeChange) -> None:
        """Give a card's attribute another value."""
        element, file = self._find(change.record.node)
        assert change.column.attribute is not None
        name = change.column.attribute.name
        for inside in element.children(name) if change.column.attribute.element else ():
            element.remove(inside)
        element.set(name, change.value, change.plan.order)
        self.blames[file.path].append(Blame(element, (name,), change.cell))

    def _set_items(self, change: ItemsChange) -> None:
        """Give a card other children; those that stay are not touched."""
        record, plan, column, items = change.record, change.plan, change.column, change.items
        element, file = self._find(record.node)
        assert column.items is not None
        tag = column.items.shape.tag
        old, old_items = element.children(tag), items_of(record.node, column)
        matcher = SequenceMatcher(
            None, _values(column, old_items), _values(column, items), autojunk=False
        )
        wanted: list[Element] = []
        for what, i1, i2, j1, j2 in matcher.get_opcodes():
            both = min(i2 - i1, j2 - j1)
            for index in range(both if what != "equal" else 0):
                _rewrite(old[i1 + index], column, old_items[i1 + index], items[j1 + index])
            wanted += old[i1 : i1 + both]
            wanted += [_child(column, item) for item in items[j1 + both : j2]]
        tags = [children.tag for children in plan.kind.children]
        arrange(file, element, tag, wanted, tags[: tags.index(tag)])
        blames = [Blame(child, column.names, change.cell) for child in element.children(tag)]
        self.blames[file.path] += [Blame(element, (), change.cell), *blames]

    def _add(self, change: NewCard) -> None:
        """Write a new card behind the one that it stands after, or at the end."""
        file, holder = self._holder(change)
        if isinstance(change.after, NewCard):
            after: Element | None = self._new[id(change.after)]
        else:
            after = file.elements[change.after.node.source.ordinal] if change.after else None
        attributes = {
            name: change.attributes[name] for name in change.plan.order if name in change.attributes
        }
        inside = [_child(column, item) for column, items in change.items for item in items]
        element = add(file, holder, change.plan.kind.tag, attributes, inside, after)
        self._new[id(change)] = element
        self.blames[file.path] += _blames_of(change, element)

    def _holder(self, change: NewCard) -> tuple[XmlFile, Element]:
        """Return the element that holds a new card, and its file."""
        folder, rules = self._loaded.folder, self._loaded.game.rules
        if change.key[0]:
            file = self._file(folder.cards_file(change.key[0]))
            return file, file.root
        source = rules[holder_of(change.key, rules)].source
        file = self._file(source.path)
        return file, file.elements[source.ordinal]

    def _set_amount(self, change: AmountChange) -> None:
        """Give a deck another number of copies of a card: lines are changed, added or removed."""
        nodes = change.deck.lines.get(change.key, ())
        file = self._file(change.deck.node.source.path)
        old = [file.elements[node.source.ordinal] for node in nodes]
        lines = set_copies(file, old, change.key, change.amount)
        if change.cell is not None:
            blames = [Blame(line, LINE, change.cell) for line in lines]
            self.blames[file.path] += blames


def _blames_of(change: NewCard, element: Element) -> Iterator[Blame]:
    """Yield what the cells of a new card are to blame for."""
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


def _values(column: Column, items: Sequence[Item]) -> list[tuple[str | None, ...]]:
    """Return children as something to compare."""
    return [tuple(item.get(name) for name in column.names) for item in items]


def _rewrite(child: Element, column: Column, old: Item, new: Item) -> None:
    """Make a child another one in its place."""
    assert column.items is not None
    order = tuple(attribute.name for attribute in column.items.shape.attributes)
    for name in column.names:
        if old.get(name) != new.get(name):
            child.set(name, new.get(name), order)
    first = column.names[0]
    if old.get(first) != new.get(first):
        # What is ignored tells of the old one, as the name beside a rule's id does.
        for name in order:
            if name not in column.names:
                child.set(name, None, order)


def _child(column: Column, item: Item) -> Element:
    assert column.items is not None
    values = {name: item[name] for name in column.names if name in item}
    return new_element(column.items.shape.tag, values)
