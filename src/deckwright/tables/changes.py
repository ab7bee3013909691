"""Apply the changes from tables to a game's files in memory, and describe them."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial, wraps
from pathlib import Path
from typing import Concatenate, NamedTuple, ParamSpec

from deckwright.decks.deck_file import NEW_FILE, REQUIRED_ATTRIBUTES, set_copies
from deckwright.game.columns import KindTable
from deckwright.game.model import CardKey
from deckwright.grids.cells import Item
from deckwright.grids.table import Cell, Column, normalize_text
from deckwright.tables.export import DeckList, LoadedGame, Record, child_values
from deckwright.xmlio import xml_text
from deckwright.xmlio.node import Source


def holder_of(key: CardKey, rules: Container[str]) -> str:
    """Return the owner of a card: its faction, or the rule that creates a token."""
    faction_id, card_id = key
    return faction_id or (card_id if card_id in rules else card_id.rpartition("/")[0])


_MAX_SHOWN = 60
"""The maximum shown length of a value."""


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

    element: xml_text.RawElement
    attributes: tuple[str, ...]
    cell: Cell


class ChangedFile(NamedTuple):
    """A changed file, with the cells responsible for the changes."""

    file: xml_text.XmlFile
    blames: tuple[Blame, ...]


class CardContent(NamedTuple):
    """The content of a new card or token, and the cells that have its id and its columns."""

    attributes: Mapping[str, str]
    items: Sequence[tuple[Column, Sequence[Item]]]
    cell: Cell
    cells: Sequence[tuple[Column, Cell]]


_Args = ParamSpec("_Args")


def _defer_edit(
    edit: Callable[Concatenate[GameEditor, _Args], None],
) -> Callable[Concatenate[GameEditor, _Args], None]:
    """Postpone an edit until the files are wanted; wrong tables may be too large for it."""

    @wraps(edit)
    def plan(self: GameEditor, /, *args: _Args.args, **kwargs: _Args.kwargs) -> None:
        self.edits.append(partial(edit, self, *args, **kwargs))

    return plan


class GameEditor:
    """Edits the files of a game in memory; they are read on demand.

    Attributes:
        edits: the edits that are still to be made.
        changes: descriptions of those that were made.
    """

    def __init__(self, loaded: LoadedGame) -> None:
        self._loaded = loaded
        self._files: dict[Path, xml_text.XmlFile] = {}
        self._blames: dict[Path, list[Blame]] = {}
        self._added: dict[CardKey, xml_text.RawElement] = {}
        self.edits: list[Callable[[], None]] = []
        self.changes: list[str] = []
        self.new: dict[CardKey, str] = {}

    def changed_files(self) -> list[ChangedFile]:
        """Make the edits; return the files that differ from the disk's, or raise an OSError."""
        for edit in self.edits:
            edit()
        return [
            ChangedFile(file, tuple(self._blames[path]))
            for path, file in self._files.items()
            if file.to_bytes() != file.data
        ]

    def _file(self, path: Path) -> xml_text.XmlFile:
        if path not in self._files:
            self._files[path] = xml_text.read_xml_file(path, NEW_FILE)
            self._blames[path] = []
        return self._files[path]

    def _find(self, source: Source) -> tuple[xml_text.RawElement, xml_text.XmlFile]:
        """Return an element, and its file."""
        file = self._file(source.path)
        return file.elements[source.ordinal], file

    def _describe(self, record: Record, column: Column, new: str) -> None:
        """Add a change such as "HK3 Held: costs 17 → 16", reduced to the differing part."""
        old = record.text(column)
        pairs = enumerate(zip(old, new, strict=False))
        start = next((i for i, (a, b) in pairs if a != b), min(len(old), len(new)))
        what = f"{_excerpt(old, start)} → {_excerpt(new, start)}"
        self.changes.append(f"{record.label}: {column.title} {what}")

    @_defer_edit
    def set_attribute(
        self, record: Record, plan: KindTable, column: Column, value: str | None, cell: Cell
    ) -> None:
        """Set an attribute of a card; None removes it."""
        self._describe(record, column, value or "")
        element, file = self._find(record.node.source)
        assert column.attribute is not None
        name = column.attribute.name
        for inside in element.children(name) if column.attribute.element else ():
            element.remove(inside)
        element.set(name, value, plan.attribute_order)
        self._blames[file.path].append(Blame(element, (name,), cell))

    @_defer_edit
    def set_items(
        self, record: Record, plan: KindTable, column: Column, items: Sequence[Item], cell: Cell
    ) -> None:
        """Replace the children of a card with one tag, without touching unchanged ones."""
        self._describe(record, column, normalize_text(cell.text))
        element, file = self._find(record.node.source)
        assert column.items is not None
        tag = column.items.shape.tag
        old, old_items = element.children(tag), child_values(record.node, column)
        order = tuple(attribute.name for attribute in column.items.shape.attributes)
        before, after = ([tuple(item.get(name) for name in column.names) for item in each]
                         for each in (old_items, items))  # fmt: skip
        wanted: list[xml_text.RawElement] = []
        for what, i1, i2, j1, j2 in SequenceMatcher(
            None, before, after, autojunk=False
        ).get_opcodes():
            both = min(i2 - i1, j2 - j1)
            for index in range(both if what != "equal" else 0):
                child, was, now = old[i1 + index], before[i1 + index], after[j1 + index]
                for name, old_value, new_value in zip(column.names, was, now, strict=True):
                    if old_value != new_value:
                        child.set(name, new_value, order)
                if was[0] != now[0]:
                    # Ignored attributes describe the old one, such as the name next to a rule's id.
                    for name in order:
                        if name not in column.names:
                            child.set(name, None, order)
            wanted += old[i1 : i1 + both]
            wanted += [_make_child(column, item) for item in items[j1 + both : j2]]
        tags = [children.tag for children in plan.kind.children]
        xml_text.set_children(file, element, tag, wanted, tags[: tags.index(tag)])
        blames = [Blame(child, column.names, cell) for child in element.children(tag)]
        self._blames[file.path] += [Blame(element, (), cell), *blames]

    @_defer_edit
    def add_card(
        self, key: CardKey, plan: KindTable, card: CardContent, last: Record | CardKey | None
    ) -> None:
        """Add a card or token after another one of its file, or at the end of the file."""
        if key[0]:
            file = self._file(self._loaded.folder.cards_file(key[0]))
            holder = file.root
        else:
            rules = self._loaded.game.rules
            holder, file = self._find(rules[holder_of(key, rules)].source)
        self.changes.append(f"{key[1]} {self.new[key]}: new, in {file.path.name}")
        if isinstance(last, Record):
            after: xml_text.RawElement | None = self._find(last.node.source)[0]
        else:
            after = self._added[last] if last else None
        order = [name for name in plan.attribute_order if name in card.attributes]
        attributes = {name: card.attributes[name] for name in order}
        inside = [_make_child(column, item) for column, items in card.items for item in items]
        element = xml_text.add_element(file, holder, plan.kind.tag, attributes, inside, after)
        self._added[key] = element
        blames = self._blames[file.path]
        blames.append(Blame(element, ("id",), card.cell))
        for column, cell in card.cells:
            if column.attribute is not None:
                blames.append(Blame(element, (column.attribute.name,), cell))
            elif column.items is not None:
                children = element.children(column.items.shape.tag)
                blames += [Blame(child, column.names, cell) for child in children]

    @_defer_edit
    def remove_card(self, record: Record) -> None:
        """Remove a card or token."""
        self.changes.append(f"{record.label}: removed")
        element, file = self._find(record.node.source)
        file.parent_of(element).remove(element)

    @_defer_edit
    def set_amount(
        self, deck: DeckList, key: CardKey, name: str, amount: int, cell: Cell | None
    ) -> None:
        """Set the copies of a card in a deck by changing, adding or removing lines."""
        old = deck.amount(key)
        self.changes.append(f"deck {deck.title}: {key[1]} {name} {old} → {amount}")
        file = self._file(deck.node.source.path)
        elements = [file.elements[node.source.ordinal] for node in deck.lines.get(key, ())]
        lines = set_copies(file, elements, key, amount)
        if cell is not None:
            self._blames[file.path] += [Blame(line, REQUIRED_ATTRIBUTES, cell) for line in lines]


def _make_child(column: Column, item: Item) -> xml_text.RawElement:
    assert column.items is not None
    values = {name: item[name] for name in column.names if name in item}
    return xml_text.new_element(column.items.shape.tag, values)
