"""A file of many parts, of which a few have changed: only these are parsed again.

Parts are the children of the root element. Where one of them begins, a parser is always in the same
state, for there are no entities: what comes between two such places may be parsed by itself, in a
copy of the root element, and what is as before before and behind them need not be parsed again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from deckwright.xmlio.load import MAX_ELEMENTS, parsed
from deckwright.xmlio.node import Document, Node

_Start = tuple[int, int, int]
"""Line, column and offset of an element."""


class Splice(NamedTuple):
    """What a file has in common with an earlier state of it, and what is new.

    Attributes:
        document: the file as it is now.
        head: so many of the first parts are as before.
        tail: so many of the last parts are as before.
        shift: how many elements further on the tail begins.
        root: a root element with the parts between them, whose places are in a text of their own.
        root_shift: how many elements further on these are in the file.
    """

    document: Document
    head: int
    tail: int
    shift: int
    root: Node
    root_shift: int


def spliced(before: Document, ordinals: Sequence[int], text: str) -> Splice | None:
    """Compare a well-formed file with what it holds now.

    Args:
        before: the file as it was.
        ordinals: the numbers of its parts.

    Returns:
        None if too little is the same: what stands before the first part, or what is new is not
        well-formed or has too much.
    """
    old, starts = before.text, before.starts()
    if not ordinals or "<!DOCTYPE" in text:
        return None
    same = _common(min(len(old), len(text)), lambda n: old.startswith(text[:n]))
    offsets = [starts[ordinal][2] for ordinal in ordinals]
    if offsets[0] > same:
        return None
    head = max(n for n, offset in enumerate(offsets) if offset <= same)
    room = min(len(old), len(text)) - offsets[head]
    same_end = _common(room, lambda n: old.endswith(text[len(text) - n :]))
    further = range(head, len(offsets))
    last = next((n for n in further if offsets[n] >= len(old) - same_end), None)
    begin = offsets[head]
    end = len(text) if last is None else len(text) - len(old) + offsets[last]
    between = text[begin:end]
    root_tag = old[: offsets[0]]
    closing = "" if last is None else f"</{_name(old, starts[0][2])}>"
    root = parsed(before.path, f"{root_tag}{between}{closing}", [])
    if root is None:
        return None
    middle = root.source.document.starts()[1:]
    until = len(starts) if last is None else ordinals[last]
    shift = ordinals[head] + len(middle) - until
    if len(starts) + shift > MAX_ELEMENTS:
        return None
    now = [*starts[: ordinals[head]], *_moved(middle, starts[ordinals[0]], starts[ordinals[head]])]
    if last is not None:
        now += _moved(starts[until:], starts[until], _after(between, starts[ordinals[head]]))
    document = Document(before.path, text, now)
    tail = 0 if last is None else len(ordinals) - last
    return Splice(document, head, tail, shift, root, ordinals[head] - 1)


def _common(most: int, same: Callable[[int], bool]) -> int:
    """Return for how many characters, at most, two texts are the same."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if same(middle):
            least = middle
        else:
            most = middle - 1
    return least


def _name(text: str, start: int) -> str:
    """Return the name in the start tag at an offset, as it is written."""
    end = start + 1
    while text[end] not in " \t\n/>":
        end += 1
    return text[start + 1 : end]


def _after(text: str, start: _Start) -> _Start:
    """Return the place behind a text that begins at a place."""
    line, column, offset = start
    lines = text.count("\n")
    column = column + len(text) if not lines else len(text) - text.rfind("\n")
    return line + lines, column, offset + len(text)


def _moved(starts: Sequence[_Start], place: _Start, to: _Start) -> list[_Start]:
    """Return starts after what was at a place has moved to another one."""
    lines, columns, offsets = (there - here for there, here in zip(to, place, strict=True))
    return [
        (line + lines, column + columns if line == place[0] else column, offset + offsets)
        for line, column, offset in starts
    ]
