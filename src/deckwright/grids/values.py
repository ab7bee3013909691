"""What is in a cell: the value of an attribute, or a list of children.

Spreadsheet programs write whole numbers as 3.0, and `true` in the user's language; that is
understood. Anything else that does not fit is refused, not guessed.
"""

from __future__ import annotations

import re

from deckwright.base.colors import NAMED_COLORS
from deckwright.base.findings import Code, Report, Severity, nearest, nearest_hint, shortened
from deckwright.base.numbers import plain
from deckwright.grids.heads import E010
from deckwright.grids.notation import read_list
from deckwright.grids.table import Cell, CellError, Column, as_held
from deckwright.xmlio.shape import Attribute, Terms

E012 = Code("E012", Severity.ERROR, "a list in a cell that cannot be read")

_WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:[.,]0{1,2})?")
_DECIMAL = re.compile("[+-]?[0-9]{1,9}(?:[.,][0-9]{1,6})?")
_YES = {"true", "wahr", "vrai", "verdadero", "vero", "waar", "yes", "ja", "1", "x"}
_NO = {"false", "falsch", "faux", "falso", "onwaar", "no", "nein", "0"}
_LISTED = 12
"""How many values a message lists."""


def read_value(attribute: Attribute, text: str) -> str:
    """Return the value of an attribute that a text stands for.

    Raises:
        CellError: if it stands for none.
    """
    value, text = attribute.value, as_held(text, attribute)
    if value.item is not None:
        one = attribute._replace(value=value.item)
        return value.between.join(read_value(one, part) for part in value.parts(text))
    whole = _WHOLE.fullmatch(text)
    if value.kind == "decimal" and _DECIMAL.fullmatch(text):
        text = plain(float(text.replace(",", ".")))
    elif value.kind == "integer" and whole:
        text = str(int(whole[1]))
    elif value.kind == "term":
        text = _term(text, tuple(term for term, _ in value.terms))
    if value.accepts(text):
        return text
    if value.kind == "term" and len(value.terms) > _LISTED:
        says = f"one of the {len(value.terms)} known ones"
    else:
        says = value.says
    message = f"`{attribute.name}` must be {says}, it is `{shortened(text)}`"
    raise CellError(message, _hint(attribute, text))


def _term(text: str, terms: tuple[str, ...]) -> str:
    """Return the term that a text means, or the text."""
    if text in terms:
        return text
    if set(terms) == {"true", "false"}:
        word = text.casefold()
        return "true" if word in _YES else "false" if word in _NO else text
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole and whole[1] in terms else text


def _hint(attribute: Attribute, text: str) -> str | None:
    """Return what would fix a text that is not a value."""
    value = attribute.value
    if value.kind == "term":
        return _term_hint(value.terms, text)
    if value.kind == "color":
        return nearest_hint(text, [*NAMED_COLORS, *(term for term, _ in value.terms)])
    if value.kind == "integer" and re.fullmatch("[0-9]+[.,][0-9]+", text):
        return "round it"
    return None


def _term_hint(terms: Terms, text: str) -> str | None:
    """Return which term a text may mean, by its id or its name."""
    names = {name: term for term, name in terms if name}
    folded = {name.casefold(): term for name, term in names.items()}
    if text.casefold() in folded:
        return f"write `{folded[text.casefold()]}`, which has that name"
    if hint := nearest_hint(text, [term for term, _ in terms]):
        return hint
    close = nearest(text, names)
    if close:
        return f"did you mean `{names[close[0]]}`, {close[0]}?"
    return "separate several with `; `" if re.search("[,|/]", text) else None


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
    except CellError as error:
        report.append(cell.finding(E010, str(error), error.hint))
        return None


def means(attribute: Attribute, text: str, value: str) -> bool:
    """Return whether a text means a value."""
    try:
        return read_value(attribute, text) == value
    except CellError:
        return False


def value_or_text(attribute: Attribute, text: str) -> str:
    """Return the value that a text stands for; if it stands for none, the text, as XML would have.

    A term may be written as its name. Texts keep their lines, which are paragraphs.
    """
    value = attribute.value
    if value.item is not None:
        one = attribute._replace(value=value.item)
        return value.between.join(value_or_text(one, part) for part in value.parts(text))
    try:
        return read_value(attribute, text)
    except CellError:
        text = as_held(text, attribute)
        named = [term for term, name in value.terms if name.casefold() == text.casefold()]
        return named[0] if len(named) == 1 else text


def attribute_in(attribute: Attribute, cell: Cell, separator: str | None) -> str:
    """Return the value of an attribute that a cell stands for, or its text, as `value_or_text`.

    Args:
        separator: what stands between the parts of a list, None for what the attribute has there.
    """
    value = attribute.value
    if value.item is not None and cell.items:
        text = value.separator.join(" ".join(item.values()) for item in cell.items)
    elif value.item is not None and separator:
        text = cell.text.replace(separator, value.separator)
    else:
        text = cell.text
    return value_or_text(attribute, text)


def children_in(column: Column, cell: Cell, separator: str | None) -> list[dict[str, str]]:
    """Return the children that a cell stands for; their values may be wrong.

    Args:
        separator: what stands between them, None for `;`.

    Raises:
        CellError: if the cell cannot be read.
    """
    assert column.items is not None
    if separator and not cell.items:
        parts = filter(None, map(str.strip, cell.text.split(separator)))
        items = [{column.names[0]: part} for part in parts]
    else:
        items = _listed(column, cell)
    for item in items:
        for name in item:
            attribute = column.items.shape.attribute(name)
            if attribute is not None:
                item[name] = value_or_text(attribute, item[name])
    return items


def _listed(column: Column, cell: Cell) -> list[dict[str, str]]:
    """Return the children that a cell lists, in a notation or, in JSON, as they are.

    Raises:
        CellError: if the notation cannot be read.
    """
    if not cell.items:
        return read_list(cell.text, column.names)
    known = {"": column.names[0], **{name: name for name in column.names}}
    return [{known[k]: v for k, v in item.items() if k in known} for item in cell.items]


def items_in(column: Column, cell: Cell, report: Report) -> list[dict[str, str]] | None:
    """Return the children that a cell stands for, None after reporting why it does not."""
    assert column.items is not None
    try:
        items = _listed(column, cell)
    except CellError as error:
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
