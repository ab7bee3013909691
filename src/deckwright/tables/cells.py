"""Read the cells of tables: values of attributes, and lists of children."""

from __future__ import annotations

from deckwright.base.findings import Code, Report, Severity
from deckwright.tables.heads import E010
from deckwright.tables.notation import NotationError, read_list
from deckwright.tables.table import Cell, Column
from deckwright.tables.values import NoValueError, read_value
from deckwright.xmlio.shape import Attribute

E012 = Code("E012", Severity.ERROR, "a list in a cell that cannot be read")


def may_be_empty(attribute: Attribute) -> bool:
    """Return whether the cell of an attribute may be empty."""
    return not attribute.required or attribute.value.accepts("")


def emptied(attribute: Attribute) -> str | None:
    """Return what an empty cell makes of an attribute; None takes it away."""
    return "" if attribute.required else None


def value_in(attribute: Attribute, cell: Cell, report: Report) -> str | None:
    """Return the value that stands in a cell, None after reporting why there is none."""
    try:
        return read_value(attribute, cell.text)
    except NoValueError as error:
        report.append(cell.finding(E010, str(error), error.hint))
        return None


def means(attribute: Attribute, text: str, value: str) -> bool:
    """Return whether a text means a value."""
    try:
        return read_value(attribute, text) == value
    except NoValueError:
        return False


def items_in(column: Column, cell: Cell, report: Report) -> list[dict[str, str]] | None:
    """Return the children that a cell stands for, None after reporting why it does not."""
    assert column.items is not None
    try:
        items = read_list(cell.text, column.names)
    except NotationError as error:
        report.append(cell.finding(E012, f"`{column.title}`: {error}", error.hint))
        return None
    before = len(report)
    for item in items:
        for name in column.names:
            attribute = column.items.shape.attribute(name)
            assert attribute is not None
            if len(column.names) == 1:
                attribute = attribute._replace(name=column.title)
            if name in item:
                item[name] = value_in(attribute, cell._replace(text=item[name]), report) or ""
            elif attribute.required:
                message = f"a `{column.items.shape.tag}` has no `{name}`"
                report.append(cell.finding(E012, message, f"write `{name}=…`"))
    least, most = column.items.minimum, column.items.maximum
    if not least <= len(items) <= most:
        bound = f"at least {least}" if len(items) < least else f"at most {most}"
        message = f"`{column.title}` has {len(items)}, but a card has {bound}"
        report.append(cell.finding(E012, message))
    return items if len(report) == before else None
