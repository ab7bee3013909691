"""Cards in tables: a row is edited as if it were an element, and written back into its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deckwright.base.findings import ChoiceError
from deckwright.game.columns import KIND
from deckwright.game.folder import CardTable
from deckwright.game.tables import AMOUNT_ATTRIBUTE, TableContents, TableRow
from deckwright.grids.csv import edit_csv
from deckwright.grids.xlsx import edit_xlsx
from deckwright.studio.answers import LocalizedError
from deckwright.studio.editing.outlines import EntityOutline, EntityRef, Entry, read_only_entry
from deckwright.tables.rows import list_amounts, row_element, write_row
from deckwright.xmlio.node import Node
from deckwright.xmlio.xml_text import RawElement, XmlFile, new_element, parse_xml_file

_WORKBOOK = ".xlsx"
_EDITABLE = (".csv", ".tsv", _WORKBOOK)
"""The suffixes of tables whose cells can be replaced."""
_LOCKS = ("~${}", ".~lock.{}#")
"""The files with which spreadsheet programs mark a table that is open in them."""


def is_editable(table: CardTable) -> bool:
    """Return whether a table can be edited; in a published one, the next `pull` would undo it."""
    return table.path.suffix.casefold() in _EDITABLE and not table.url


def is_open_elsewhere(path: Path) -> bool:
    """Return whether a table is open in a spreadsheet program."""
    return any(path.with_name(name.format(path.name)).exists() for name in _LOCKS)


@dataclass(eq=False, slots=True, kw_only=True)
class TableFile(XmlFile):
    """A table, of which one row can be edited as if it were the only element of an XML file.

    Attributes:
        content: the content of the file.
        row: the row; for a new one, the row that it is modelled on.
        before: the row as an element, before the edit.
        texts: the texts of a new row that do not come from its element; None for a present row.
        last: the index of the row after which a new one is inserted.
    """

    content: bytes
    row: TableRow
    before: RawElement
    texts: Mapping[int, str] | None
    last: int

    @property
    def number(self) -> int:
        """The index of the row after the edit."""
        if self.texts is None:
            return self.row.number
        return len(self.row.head.grid.rows) if self.is_workbook else self.last + 1

    @property
    def is_workbook(self) -> bool:
        """True if it is a workbook, False for CSV."""
        return self.path.suffix.casefold() == _WORKBOOK

    def changed_texts(self) -> dict[int, str] | None:
        """Return the new texts of cells by the index of their column, None if the row is deleted.

        Raises:
            ChoiceError: if the row of a workbook was deleted, or the table cannot be edited.
        """
        after = self.root.first()
        if not is_editable(self.row.head.table) and str(after) != str(self.before):
            raise ChoiceError(f"it is in the table {self.path.name}: edit it there")
        if after is None and self.is_workbook:
            message = f"rows of {self.path.name} can only be deleted in a spreadsheet program"
            raise LocalizedError("edit-row-stays", self.path.name, message=message)
        if after is None:
            return None
        return {**(self.texts or {}), **write_row(self.row, self.before, after)}

    def to_bytes(self) -> bytes:
        """Return the table's new content; it raises what `write_rows` raises."""
        return write_rows([self])


def write_rows(files: Sequence[TableFile]) -> bytes:
    """Return the new content of a table of which several rows were edited; only one may be new.

    Raises:
        ChoiceError: as `changed_texts`.
        UnicodeEncodeError: if the file's encoding lacks a character.
    """
    first, content = files[0], files[0].content
    new, edits = first.texts is not None, dict[str, dict[int, dict[int, str] | None]]()
    numbers: dict[str, set[int]] = {}
    for file in files:
        head, texts = file.row.head, file.changed_texts()
        if texts is None or texts:
            at = file.last if new and not file.is_workbook else file.number
            edits.setdefault(head.grid.title, {})[at] = texts
            known = numbers.setdefault(head.grid.title, set())
            known |= {at for column, at in head.columns if column.is_numeric}
            known |= {at for _, _, at in list_amounts(file.row)}
    for title, rows in edits.items():
        if first.is_workbook:
            written = {at: texts or {} for at, texts in rows.items()}
            like = first.last if new else None
            content = edit_xlsx(content, title, written, numbers[title], like)
        else:
            delimiter = first.row.head.grid.delimiter
            content = edit_csv(content, delimiter, rows, numbers=numbers[title], new=new)
    return content


def open_row(
    entity: EntityRef, node: Node | None, contents: TableContents, content: bytes
) -> TableFile:
    """Open the row of a card in a table, or a new one.

    Args:
        node: the card; for a new card, the card that it is a copy of, or None.
        content: the content of the file.

    Raises:
        ChoiceError: if there is no table for a new card.
    """
    texts = None
    if node is not None:
        row = contents.rows[node.source.ordinal]
        before = after = row_element(row, node)
        if entity.new:
            attributes = {**dict(before.attributes), "id": entity.id}
            after = new_element(node.tag, attributes, before.children())
            texts = {at: cell.text for at, cell in enumerate(row.cells) if cell.text}
    else:
        row, texts = _find_neighbor(entity, contents)
        attributes = {"id": entity.id, "name": "", "faction_id": entity.faction}
        after = new_element(entity.kind, attributes)
        before = new_element(entity.kind, {"faction_id": entity.faction})
    if entity.new:
        cells = [cell._replace(lock="", text=cell.text if node else "") for cell in row.cells]
        row = row._replace(cells=cells)
    title, last = row.head.grid.title, row.number
    if entity.new:
        rows = (each for each in contents.rows.values() if each.head.grid.title == title)
        last = max((each.number for each in rows), default=last)
    file = parse_xml_file(row.head.table.path, f"<data>{after}</data>".encode())
    return TableFile(
        file.path,
        file.data,
        file.document,
        file.elements,
        file.encoding,
        file.bom,
        content=content,
        row=row,
        before=before,
        texts=texts,
        last=last,
    )


def _find_neighbor(entity: EntityRef, contents: TableContents) -> tuple[TableRow, dict[int, str]]:
    """Return the row that a new card is modelled on, and its texts for faction and kind by index.

    It is the last row with a card of the same faction and kind, or else the row of the titles.

    Raises:
        ChoiceError: if there is no table for it.
    """
    cards = [
        contents.rows[node.source.ordinal]
        for node in contents.cards.children
        if (node.tag, node.get("faction_id")) == (entity.kind, entity.faction)
    ]
    titles = [
        row
        for row in contents.titles
        if row.head.tag == entity.kind and row.head.table.faction in {None, entity.faction}
    ]
    if not cards and not titles:
        message = f"no table of the file has cards of `{entity.faction}` of this kind"
        raise ChoiceError(message, "begin one in a spreadsheet program")
    row = (cards or titles)[-1]
    texts = {"faction_id": entity.faction, KIND: entity.kind}
    return row, {
        at: row.head.cell(at, row.cells).text if cards else texts[column.title]
        for column, at in row.head.columns
        if column.title in texts
    }


def limit_outline(outline: EntityOutline, row: TableRow) -> EntityOutline:
    """Return the outline of a card in a table, with the amounts of its row.

    Values without a cell that can be replaced are read-only.
    """
    locks: dict[str, str] = {}
    for column, at in row.head.columns:
        name = column.items.shape.tag if column.items is not None else column.title
        locks[name] = locks.get(name) or row.head.cell(at, row.cells).lock
    entries = []
    for entry in outline.entries:
        lock = locks.get(entry.name, "column") if entry.fixed_value is None else ""
        if entry.name != "id" or not lock:  # without a column, a new id is made of the name
            entries.append(_lock_entry(entry, lock))
    children = []
    for each in outline.children:
        if lock := locks.get(each.tag, "column"):
            texts = (entry.value(node) for node in each.nodes for entry in each.entries)
            shown = read_only_entry(each.tag, each.label, "; ".join(filter(None, texts)))
            entries.append(shown._replace(lock=lock))
        else:
            children.append(each)
    for name, title, at in list_amounts(row):
        attribute = AMOUNT_ATTRIBUTE._replace(name=name)
        entry = Entry(name, title, "integer", attribute, outline.node)
        entries.append(_lock_entry(entry, row.head.cell(at, row.cells).lock))
    return outline._replace(entries=tuple(entries), children=tuple(children))


def _lock_entry(entry: Entry, lock: str) -> Entry:
    """Return an entry that is read-only if there is a reason, `lock`."""
    return entry._replace(fixed_value=entry.value() or "", lock=lock) if lock else entry
