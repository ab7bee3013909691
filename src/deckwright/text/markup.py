r"""Markup in the texts of a game's data: `*bold*`, `_italic_`, a new line for a new paragraph.

A single sign stands at the edge of a word, so that `2*3*4` and `a_b_c` are what they say; `**` and
`__` mean the same anywhere. A sign without its partner in the paragraph is printed as it is. A
backslash takes the meaning away from what follows: `\*`, `\_`, `\{`, `\\`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from deckwright.text.richtext import MARK

_SIGNS = re.compile(r"\\([*_{}\\])|(\*+|_+)|([ \t]*[\r\n]\s*)")
_CODES = {"*": "b", "**": "b", "_": "i", "__": "i"}

Part = tuple[str, str]
"""What it is with what it says: `text`, `verbatim`, in which braces mean nothing, or `code`, which
is one of b, /b, i, /i and p."""


def marked(text: str) -> str:
    """Return a text as the text element reads it, with codes between `MARK`s."""
    if not _SIGNS.search(text):
        return text
    kinds = {"text": "{}", "verbatim": f"{MARK}={{}}{MARK}", "code": f"{MARK}{{}}{MARK}"}
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
    }
    return "".join(says[kind](said) for kind, said in parts(text))


def parts(text: str) -> list[Part]:
    """Return the parts of a text, with codes that nest."""
    found: list[Part] = []
    open_: list[tuple[str, int]] = []
    """Signs that may begin something, with their places in `found`."""
    end = 0
    for sign in _SIGNS.finditer(text):
        found.append(("text", text[end : sign.start()]))
        end = sign.end()
        escaped, run, line = sign.groups()
        if escaped:
            found.append(("verbatim", escaped))
        elif line:
            open_.clear()
            found.append(("code", "p"))
        elif run in _CODES and _may(text, sign, begin=False) and _is_open(run, open_):
            while True:
                begun, place = open_.pop()
                if begun == run:
                    break
            found[place] = ("code", _CODES[run])
            found.append(("code", f"/{_CODES[run]}"))
        else:
            if run in _CODES and _may(text, sign, begin=True) and not _is_open(run, open_):
                open_.append((run, len(found)))
            found.append(("text", run))
    found.append(("text", text[end:]))
    return found


def _is_open(run: str, open_: list[tuple[str, int]]) -> bool:
    return any(begun == run for begun, _ in open_)


def _may(text: str, sign: re.Match[str], *, begin: bool) -> bool:
    """Return whether a sign may begin or end something."""
    before, after = text[max(sign.start() - 1, 0) : sign.start()], text[sign.end() : sign.end() + 1]
    inside, outside = (after, before) if begin else (before, after)
    return bool(inside.strip()) and (len(sign[0]) > 1 or not outside.isalnum())
