"""Lists in a cell: the repeated children of a card, such as its rows and rules.

Children of one field are their values, children of several are names and values, and `; ` stands
between two of them:

    CLOSE; RANGED
    type=shield value=1; type=melee value=2 surprise=true

What has spaces, semicolons, equals signs or quotes in it, or is empty, stands in quotes, which are
doubled inside: `words="Say ""boo""; then run."` A child without any value is `()`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from deckwright.base.findings import known_hint, shortened
from deckwright.grids.table import CellError

Item = Mapping[str, str]
"""The values of one child by name; what it does not have is missing."""

NOTHING = "()"
_QUOTED = r'"(?:[^"]|"")*"'
_SINGLE = re.compile(rf'[^\S\n]*+(?:({_QUOTED})|([^;\n"][^;\n]*)|)[^\S\n]*(?:[;\n]|\Z)')
_PAIR = re.compile(rf'\s*+([^\s;="]+)\s*+=\s*+(?:({_QUOTED})|([^\s;="]+))(?=\s|;|\Z)')
_PART = re.compile(r"[^\S\n]*+(?:\(\))?[^\S\n]*(?:[;\n]|\Z)")
_BARE = re.compile(r'[^\s;="]+')


def write_list(items: Sequence[Item], names: Sequence[str]) -> str:
    """Return children as the text of a cell.

    Args:
        names: the names of their values, in the order to write them in.
    """
    if len(names) == 1:
        return "; ".join(_single(item.get(names[0])) for item in items)
    return "; ".join(
        " ".join(f"{name}={_value(item[name])}" for name in names if name in item) or NOTHING
        for item in items
    )


def _single(value: str | None) -> str:
    if value is None:
        return NOTHING
    odd = value != value.strip() or value in {"", NOTHING} or re.search('^"|[;\n]', value)
    return _quoted(value) if odd else value


def _value(value: str) -> str:
    return value if _BARE.fullmatch(value) else _quoted(value)


def _quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"')


def read_list(text: str, names: Sequence[str]) -> list[dict[str, str]]:
    """Return the children that the text of a cell stands for.

    A line break is as good as a semicolon; between two of them there may be nothing.

    Raises:
        CellError: if it cannot be read.
    """
    return list(_singles(text, names[0]) if len(names) == 1 else _several(text, names))


def _singles(text: str, name: str) -> Iterator[dict[str, str]]:
    at = 0
    while at < len(text):
        found = _SINGLE.match(text, at)
        if found is None:
            message = f"the list cannot be read starting at `{shortened(text[at:])}`"
            raise CellError(message, "close the quotes, and write `;` after them")
        at = found.end()
        if found[1] is not None:
            yield {name: _unquoted(found[1])}
        elif found[2] is not None:
            value = found[2].strip()
            yield {} if value == NOTHING else {name: value}


def _several(text: str, names: Sequence[str]) -> Iterator[dict[str, str]]:
    at = 0
    item: dict[str, str] = {}
    while at < len(text):
        if found := _PART.match(text, at):
            if item or NOTHING in found[0]:
                yield item
            item = {}
        elif found := _PAIR.match(text, at):
            name = found[1]
            if name not in names:
                message = f"the list has the name `{name}`, which its children do not have"
                raise CellError(message, known_hint(name, names) or "remove it")
            if name in item:
                message = f"a child of the list has `{name}` twice"
                raise CellError(message, "separate children with `; `")
            item[name] = found[3] if found[2] is None else _unquoted(found[2])
        else:
            message = f"the list cannot be read starting at `{shortened(text[at:])}`"
            raise CellError(message, _example(names))
        at = found.end()
    if item:
        yield item


def _example(names: Sequence[str]) -> str:
    pairs = " ".join(f"{name}=…" for name in names[:2])
    return f'write it as `{pairs}; {pairs}`, and values with spaces in quotes: `{names[0]}="…"`'
