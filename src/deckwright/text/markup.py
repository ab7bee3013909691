r"""Markup in the texts of a game's data: `*bold*`, `_italic_`, a new line for a new paragraph.

A single sign stands at the edge of a word, so that `2*3*4` and `a_b_c` are what they say; `**` and
`__` mean the same anywhere, `++` and `~~` draw a line below and through, and
`{fill:red}…{/fill}` colors. A sign without its partner in the paragraph is printed as it is. A
backslash takes the meaning away from what follows: `\*`, `\_`, `\{`, `\\`.

Lines that begin with `- ` or with `1. `, `2. ` and so on are items of a list, if there are two of
them or more; a line that begins with `• ` always is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from deckwright.text.richtext import BULLET, MARK

_SIGNS = re.compile(
    r"\\([*_+~{}\\.•-])|(\*+|_+|\+\++|~~+)|\{fill:([^{}\n]{1,80})\}|(\{/fill\})", re.MULTILINE
)
_CODES = {"*": "b", "**": "b", "_": "i", "__": "i", "++": "u", "~~": "s"}
_FILL = "{fill}"
_BREAK = re.compile(r"[ \t]*[\r\n]\s*")
_ITEM = re.compile(r"[ \t]*(?:([-*•])|(\d{1,3})[.)])[ \t]+(?=\S)")

Part = tuple[str, str]
"""What it is with what it says: `text`, `verbatim`, in which braces mean nothing, `item`, with the
mark of an item that begins, or `code`, which is one of b, i, u and s, each with a / where it ends,
p, "tspan fill=COLOR" and /tspan."""


def marked(text: str) -> str:
    """Return a text as the text element reads it, with codes between `MARK`s."""
    if not _SIGNS.search(text) and not _BREAK.search(text) and not text.lstrip().startswith(BULLET):
        return text
    kinds = {
        "text": "{}",
        "verbatim": f"{MARK}={{}}{MARK}",
        "code": f"{MARK}{{}}{MARK}",
        "item": f"{MARK}item {{}}{MARK}",
    }
    return "".join(kinds[kind].format(said) for kind, said in parts(text))


def plain(text: str, named: Callable[[str], str] = str) -> str:
    """Return a text without its markup, for what shows none; paragraphs stay lines.

    Args:
        named: gives words for what stands in braces.
    """
    says: dict[str, Callable[[str], str]] = {
        "text": named,
        "verbatim": str,
        "code": lambda code: "\n" if code == "p" else "",
        "item": lambda mark: f"{mark} ",
    }
    return "".join(says[kind](said) for kind, said in parts(text))


def parts(text: str) -> list[Part]:
    """Return the parts of a text, with codes that nest."""
    lines = _BREAK.split(text)
    items = [_ITEM.match(line) for line in lines]
    found: list[Part] = []
    for number, (line, item) in enumerate(zip(lines, items, strict=True)):
        if number:
            found.append(("code", "p"))
        if item is not None and _is_item(items, number):
            found.append(("item", f"{item[2]}." if item[2] else BULLET))
            line = line[item.end() :]  # noqa: PLW2901 - the rest of it
        found += _of_line(line)
    return found


def _is_item(items: list[re.Match[str] | None], number: int) -> bool:
    """Return whether a line that may be an item is one: whether the next or the last is, too."""
    item = items[number]
    assert item is not None
    if item[1] == BULLET:
        return True
    for step in (-1, 1):
        other = items[number + step] if 0 <= number + step < len(items) else None
        alike = other is not None and other[1] == item[1]
        if other and alike and (item[1] or int(other[2]) - int(item[2]) == step):
            return True
    return False


def _of_line(text: str) -> list[Part]:
    """Return the parts of a line."""
    found: list[Part] = []
    open_: list[tuple[str, int, str]] = []
    """Signs that may begin something, with their places in `found`, and the codes that they are."""
    end = 0
    for sign in _SIGNS.finditer(text):
        found.append(("text", text[end : sign.start()]))
        end = sign.end()
        escaped, run, fill, filled = sign.groups()
        if escaped:
            found.append(("verbatim", escaped))
        elif fill:
            open_.append((_FILL, len(found), f"tspan fill={fill.strip()}"))
            found.append(("text", sign[0]))
        elif filled and _is_open(_FILL, open_):
            _close(_FILL, open_, found)
            found.append(("code", "/tspan"))
        elif run in _CODES and _may(text, sign, begin=False) and _is_open(run, open_):
            _close(run, open_, found)
            found.append(("code", f"/{_CODES[run]}"))
        else:
            if run in _CODES and _may(text, sign, begin=True) and not _is_open(run, open_):
                open_.append((run, len(found), _CODES[run]))
            found.append(("text", sign[0]))
    found.append(("text", text[end:]))
    return found


def _close(run: str, open_: list[tuple[str, int, str]], found: list[Part]) -> None:
    """Make a code of the sign that began what ends."""
    while True:
        begun, place, code = open_.pop()
        if begun == run:
            found[place] = ("code", code)
            return


def _is_open(run: str, open_: list[tuple[str, int, str]]) -> bool:
    return any(begun == run for begun, *_ in open_)


def _may(text: str, sign: re.Match[str], *, begin: bool) -> bool:
    """Return whether a sign may begin or end something."""
    before, after = text[max(sign.start() - 1, 0) : sign.start()], text[sign.end() : sign.end() + 1]
    inside, outside = (after, before) if begin else (before, after)
    return bool(inside.strip()) and (len(sign[0]) > 1 or not outside.isalnum())
