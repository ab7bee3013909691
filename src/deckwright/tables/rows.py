"""Write the values of a card into the cells of its row, spelled as the column has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from deckwright.game.columns import ColumnMapping
from deckwright.game.folder import AMOUNT
from deckwright.game.tables import TableRow, read_amount
from deckwright.grids.cells import read_attribute, read_value, write_list
from deckwright.grids.table import Column
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import Attribute
from deckwright.xmlio.xml_text import RawElement, new_element

_DECIMAL_COMMA = re.compile("-?[0-9]+,[0-9]+")


def list_amounts(row: TableRow) -> Iterator[tuple[str, str, int]]:
    """Yield the columns of amounts: their attribute in a row's element, title and position."""
    table = row.head.table
    titles = {c.deck or table.deck_name: c.name for c in table.columns if c.to == AMOUNT}
    for number, (deck, at) in enumerate(row.head.amounts.items()):
        if at is not None:
            yield f"{AMOUNT}.{number}", titles.get(deck) or AMOUNT, at


def row_element(row: TableRow, node: Node) -> RawElement:
    """Return the element in which a card is edited: with its amounts, and texts as they stand.

    Texts may have HTML, and codes for symbols.
    """
    head, attributes = row.head, dict(node.attributes)
    for column, at in head.columns:
        attribute, cell = column.attribute, head.cell(at, row.cells)
        if attribute and attribute.name in attributes and attribute.value.kind == "text":
            attributes[attribute.name] = read_attribute(attribute, cell, head.separators.get(at))
    for name, _, at in list_amounts(row):
        if text := read_amount(head.cell(at, row.cells).text):
            attributes[name] = text
    inside = [new_element(each.tag, each.attributes) for each in node.children]
    return new_element(node.tag, attributes, inside)


def write_row(row: TableRow, before: RawElement, after: RawElement) -> dict[int, str]:
    """Return the texts of the cells of a row that change with its element, by their positions."""
    old, new = dict(before.attributes), dict(after.attributes)
    texts: dict[int, str] = {}
    lists: dict[str, list[tuple[Column, int]]] = {}
    for column, at in row.head.columns:
        if column.items is not None:
            lists.setdefault(column.items.shape.tag, []).append((column, at))
        elif (attribute := column.attribute) and old.get(column.title) != new.get(column.title):
            texts[at] = _spell(attribute, new.get(column.title) or "", row, at)
    for tag, columns in lists.items():
        items = _list_items(after, tag)
        for number, (column, at) in enumerate(columns if items != _list_items(before, tag) else ()):
            assert column.items is not None
            # Of several columns, each has one child, and the last one has the rest.
            part = items[number:] if number + 1 == len(columns) else items[number : number + 1]
            for item in part:
                for name, text in item.items():
                    if (attribute := column.items.shape.attribute(name)) is not None:
                        item[name] = _spell(attribute, text, row, at)
            if between := row.head.separators.get(at):
                texts[at] = _joiner(between).join(" ".join(item.values()) for item in part)
            else:
                texts[at] = write_list(part, column.names)
    for name, _, at in list_amounts(row):
        if old.get(name) != new.get(name):
            texts[at] = new.get(name) or ""
    return {at: text for at, text in texts.items() if text != row.head.cell(at, row.cells).text}


def _list_items(element: RawElement, tag: str) -> list[dict[str, str]]:
    return [dict(child.attributes) for child in element.children(tag)]


def _spell(attribute: Attribute, text: str, row: TableRow, at: int) -> str:
    """Return a value as a column has it: by names or ids of terms, with decimal commas."""
    value, between = attribute.value, row.head.separators.get(at)
    if value.item is not None:
        one = attribute._replace(value=value.item)
        parts = [_spell(one, part, row, at) for part in value.split(text)]
        return _joiner(between or value.separator).join(parts)
    if value.kind == "term" and text:
        words = _count_words(row.head, at)
        known = [w for w, _ in words.most_common() if read_value(attribute, w) == text]
        names = {name for term, name in value.terms if name and name != term}
        name = dict(value.terms).get(text) if names & words.keys() else None
        return known[0] if known else name or text
    if value.kind == "decimal" and any(map(_DECIMAL_COMMA.fullmatch, _count_words(row.head, at))):
        return text.replace(".", ",")
    return text


@lru_cache(32)
def _count_words(head: ColumnMapping, at: int) -> Counter[str]:
    """Return the texts in the cells of a column, whole and split at signs, and their numbers."""
    signs = "|".join(map(re.escape, {head.separators.get(at) or ";", ",", ";", "\n", "|"}))
    texts = [cells[at].text for cells in head.grid.rows if at < len(cells)]
    words = (word.strip() for each in texts for word in re.split(signs, each))
    return Counter(chain(words, texts))


def _joiner(separator: str) -> str:
    return f"{separator} " if separator in {",", ";"} else separator


def find_misread(row: TableRow, wanted: RawElement, got: RawElement) -> Iterator[Column]:
    """Yield the columns in which a row, read again, has more or fewer values than wanted."""
    for column, _ in row.head.columns:
        if column.items is not None:
            tag = column.items.shape.tag
            pair = [[[*each] for each in _list_items(one, tag)] for one in (wanted, got)]
        elif column.attribute is not None and column.attribute.value.item is not None:
            texts = (dict(one.attributes).get(column.title, "") for one in (wanted, got))
            pair = [[[] for _ in column.attribute.value.split(text)] for text in texts]
        else:
            continue
        if pair[0] != pair[1]:
            yield column
