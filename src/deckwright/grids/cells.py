"""Parse the cells and headings of tables: values, lists of children, elements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from deckwright.base.colors import NAMED_COLORS
from deckwright.base.findings import (
    Code,
    Location,
    Report,
    Severity,
    find_nearest,
    known_hint,
    nearest_hint,
    shorten,
)
from deckwright.base.units import format_plain
from deckwright.grids.table import Cell, CellError, Column, normalize_for, normalize_text
from deckwright.xmlio.node import Document, Node, Source
from deckwright.xmlio.shape import Attribute

Item = Mapping[str, str]
"""The values of a child by name, without missing ones."""

EMPTY_ITEM = "()"
_QUOTED = r'"(?:[^"]|"")*"'
_SINGLE = re.compile(rf'[^\S\n]*+(?:({_QUOTED})|([^;\n"][^;\n]*)|)[^\S\n]*(?:[;\n]|\Z)')
_PAIR = re.compile(rf'\s*+([^\s;="]+)\s*+=\s*+(?:({_QUOTED})|([^\s;="]+))(?=\s|;|\Z)')
_PART = re.compile(r"[^\S\n]*+(?:\(\))?[^\S\n]*(?:[;\n]|\Z)")
_BARE = re.compile(r'[^\s;="]+')


def write_list(items: Sequence[Item], names: Sequence[str]) -> str:
    """Return children as the text of a cell, with their values in the order of `names`."""
    texts = []
    for item in items:
        values = {name: item[name] for name in names if name in item}
        if len(names) > 1:
            pairs = (f"{name}={value if _BARE.fullmatch(value) else _quote(value)}"
                     for name, value in values.items())  # fmt: skip
            texts.append(" ".join(pairs) or EMPTY_ITEM)
            continue
        value = values.get(names[0], EMPTY_ITEM)
        special = value in {"", EMPTY_ITEM} or re.search('^"|[;\n]', value)
        odd = values and (special or value != value.strip())
        texts.append(_quote(value) if odd else value)
    return "; ".join(texts)


def _quote(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def _unquote(text: str) -> str:
    return text[1:-1].replace('""', '"')


def read_list(text: str, names: Sequence[str]) -> list[dict[str, str]]:
    """Return the children that a cell's text describes.

    Line breaks count as semicolons; empty items are skipped.

    Raises:
        CellError: if the text is malformed.
    """
    return list(_read_singles(text, names[0]) if len(names) == 1 else _read_pairs(text, names))


def _read_singles(text: str, name: str) -> Iterator[dict[str, str]]:
    at = 0
    while at < len(text):
        match = _SINGLE.match(text, at)
        if match is None:
            message = f"the list cannot be read starting at `{shorten(text[at:])}`"
            raise CellError(message, "close the quotes, and write `;` after them")
        at = match.end()
        if match[1] is not None:
            yield {name: _unquote(match[1])}
        elif match[2] is not None:
            value = match[2].strip()
            yield {} if value == EMPTY_ITEM else {name: value}


def _read_pairs(text: str, names: Sequence[str]) -> Iterator[dict[str, str]]:
    at = 0
    item: dict[str, str] = {}
    while at < len(text):
        if match := _PART.match(text, at):
            if item or EMPTY_ITEM in match[0]:
                yield item
            item = {}
        elif match := _PAIR.match(text, at):
            name = match[1]
            if name not in names:
                message = f"the list has the name `{name}`, which its children do not have"
                raise CellError(message, known_hint(name, names) or "remove it")
            if name in item:
                message = f"a child of the list has `{name}` twice"
                raise CellError(message, "separate children with `; `")
            item[name] = match[3] if match[2] is None else _unquote(match[2])
        else:
            message = f"the list cannot be read starting at `{shorten(text[at:])}`"
            pairs = " ".join(f"{name}=…" for name in names[:2])
            hint = f"write it as `{pairs}; {pairs}`, and values with spaces in quotes"
            raise CellError(message, f'{hint}: `{names[0]}="…"`')
        at = match.end()
    if item:
        yield item


@dataclass(eq=False, slots=True)
class GridDocument(Document):
    """A file of tables whose rows become numbered elements.

    Attributes:
        titles: the titles of its columns by attribute.
    """

    xml: ClassVar[bool] = False
    titles: dict[str, str] = field(default_factory=dict)
    _places: list[tuple[Location, Mapping[str, Location]]] = field(default_factory=list, repr=False)

    def node(
        self,
        tag: str,
        attributes: dict[str, str],
        place: Location,
        places: Mapping[str, Location] = MappingProxyType({}),
        children: Iterable[Node] = (),
    ) -> Node:
        """Return a new element.

        Args:
            place: its location.
            places: locations of its attributes, present or missing; the others share its own.
        """
        self._places.append((place, places))
        source = Source(self, len(self._places) - 1)
        return Node(tag, attributes, source, children=[*children])

    def locate(self, ordinal: int, attribute: str | None = None) -> Location:
        """Return the cell of an element or of one of its attributes."""
        place, places = self._places[ordinal]
        return places.get(attribute or "", place)

    def addition_hint(self, name: str, example: str) -> str:  # noqa: ARG002 - as XML has it
        """Return a hint on how to add something that is missing: by filling its column."""
        return f"fill the column `{self.titles.get(name, name)}`"


E010 = Code("E010", Severity.ERROR, "a cell of a table that cannot be imported")
E014 = Code("E014", Severity.WARNING, "a column of a table that is not read")
E015 = Code("E015", Severity.ERROR, "a table that does not belong to the game")


class GridRow(NamedTuple):
    """A row of a table.

    Attributes:
        number: its number in the table.
        cells: by column title, as the game names them; None for a cell that was reported as
            invalid.
        first: its first cell.
    """

    number: int
    cells: dict[str, Cell | None]
    first: Cell

    def text(self, title: str) -> str:
        """Return the text of a cell, "" if it is missing or invalid."""
        cell = self.cells.get(title)
        return normalize_text(cell.text) if cell else ""

    def add(self, title: str, text: str) -> None:
        """Add a cell at the place of the first one."""
        self.cells[title] = self.first._replace(text=text, items=(), problem="")


def is_sound(cell: Cell, report: Report) -> bool:
    """Return whether a cell can be used; report why not."""
    if flaw := find_flaw(cell):
        report.append(cell.finding(E010, flaw[0], flaw[1] or None))
    return not flaw


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def find_flaw(cell: Cell) -> tuple[str, str] | None:
    """Return why a cell cannot be used, and how to fix it; None if it can."""
    if cell.problem:
        return cell.problem, cell.hint
    if odd := _NOT_IN_XML.search(cell.text):
        return f"it has the character U+{ord(odd[0]):04X}, which XML does not allow", "remove it"
    return None


E012 = Code("E012", Severity.ERROR, "a list in a cell that cannot be read")

WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:[.,]0{1,2})?")
DECIMAL = re.compile("[+-]?[0-9]{1,9}(?:[.,][0-9]{1,6})?")
YES = {"true", "wahr", "vrai", "verdadero", "vero", "waar", "yes", "ja", "oui", "si", "sim", "1",
       "x"}  # fmt: skip
NO = {"false", "falsch", "faux", "falso", "onwaar", "no", "nein", "non", "0"}
"""What a flag may be in a table, in several languages."""
_MAX_LISTED_TERMS = 12


def read_value(attribute: Attribute, text: str) -> str:
    """Return the value that a text describes, or else the text as XML would hold it.

    Terms may be given by name. Long texts keep their lines, which are paragraphs.
    """
    value = attribute.value
    if value.item is not None:
        one = attribute._replace(value=value.item)
        return value.joiner.join(read_value(one, part) for part in value.split(text))
    text = normalize_for(text, attribute)
    number = WHOLE.fullmatch(text)
    if value.kind == "decimal" and DECIMAL.fullmatch(text):
        return format_plain(float(text.replace(",", ".")))
    if value.kind == "integer" and number:
        return str(int(number[1]))
    if value.kind != "term":
        return text
    known, word = dict(value.terms), text.casefold()
    if text in known:
        return text
    if known.keys() == {"true", "false"}:
        return "true" if word in YES else "false" if word in NO else text
    if number and number[1] in known:
        return number[1]
    named = [term for term, name in value.terms if name.casefold() == word]
    return named[0] if len(named) == 1 else text


def explain_value(attribute: Attribute, text: str) -> tuple[str, str | None]:
    """Return what is wrong with a value that its attribute does not accept, and how to fix it."""
    value = attribute.value
    if value.item is not None:
        wrong = next(part for part in value.split(text) if not value.item.accepts(part))
        return explain_value(attribute._replace(value=value.item), wrong)
    if value.kind == "term" and len(value.terms) > _MAX_LISTED_TERMS:
        expected = f"one of the {len(value.terms)} known ones"
    else:
        expected = value.description
    message = f"`{attribute.name}` must be {expected}, but is `{shorten(text)}`"
    hint: str | None = None
    terms = [term for term, _ in value.terms]
    if value.kind == "color":
        hint = nearest_hint(text, [*NAMED_COLORS, *terms])
    elif value.kind == "integer" and re.fullmatch("[0-9]+[.,][0-9]+", text):
        hint = "round it"
    elif value.kind == "term" and not (hint := nearest_hint(text, terms)):
        names = {name: term for term, name in value.terms if name}
        if close := find_nearest(text, names):
            hint = f"did you mean `{names[close[0]]}`, {close[0]}?"
        elif re.search("[,|/]", text):
            hint = "separate several with `; `"
    return message, hint


def may_be_empty(attribute: Attribute) -> bool:
    """Return whether an attribute's cell may be empty."""
    return not attribute.required or attribute.value.accepts("")


def empty_value(attribute: Attribute) -> str | None:
    """Return the attribute's value for an empty cell; None removes the attribute."""
    return "" if attribute.required else None


def read_cell_value(attribute: Attribute, cell: Cell, report: Report) -> str | None:
    """Return the value in a cell, None after reporting that it is invalid."""
    value = read_value(attribute, cell.text)
    if attribute.value.accepts(value):
        return value
    report.append(cell.finding(E010, *explain_value(attribute, value)))
    return None


def read_attribute(attribute: Attribute, cell: Cell, separator: str | None) -> str:
    """Return the attribute's value in a cell, or else its text, as `read_value` does.

    Args:
        separator: the separator of lists, None for the attribute's own.
    """
    value, text = attribute.value, cell.text
    if value.item is not None and cell.items:
        text = value.separator.join(" ".join(item.values()) for item in cell.items)
    elif value.item is not None and separator:
        text = text.replace(separator, value.separator)
    return read_value(attribute, text)


def parse_children(
    column: Column, cell: Cell, separator: str | None = None
) -> list[dict[str, str]]:
    """Return the children that a cell describes, by default separated by `;`.

    Raises:
        CellError: if the cell is malformed; the values may be invalid.
    """
    assert column.items is not None
    known = {"": column.names[0], **{name: name for name in column.names}}
    if cell.items:
        items = [{known[k]: v for k, v in item.items() if k in known} for item in cell.items]
    elif separator:
        parts = filter(None, map(str.strip, cell.text.split(separator)))
        items = [{column.names[0]: part} for part in parts]
    else:
        items = read_list(cell.text, column.names)
    for item in items:
        for name in item:
            attribute = column.items.shape.attribute(name)
            assert attribute is not None
            item[name] = read_value(attribute, item[name])
    return items


def read_children(column: Column, cell: Cell, report: Report) -> list[dict[str, str]] | None:
    """Return the children that a cell describes, None after reporting what is wrong."""
    assert column.items is not None
    try:
        items = parse_children(column, cell)
    except CellError as error:
        report.append(cell.finding(E012, f"`{column.title}`: {error}", error.hint))
        return None
    before = len(report)
    shape, least, most = column.items
    for item in items:
        for name in column.names:
            attribute = shape.attribute(name)
            assert attribute is not None
            if name not in item and attribute.required:
                message = f"a `{shape.tag}` has no `{name}`"
                report.append(cell.finding(E012, message, f"write `{name}=…`"))
            elif name in item and not attribute.value.accepts(item[name]):
                title = column.title if len(column.names) == 1 else name
                wrong = explain_value(attribute._replace(name=title), item[name])
                report.append(cell.finding(E010, *wrong))
    if not least <= len(items) <= most:
        bound = f"at least {least}" if len(items) < least else f"at most {most}"
        message = f"`{column.title}` has {len(items)}, but a card has {bound}"
        report.append(cell.finding(E012, message))
    return items if len(report) == before else None
