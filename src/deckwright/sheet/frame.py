"""The frame of flowing text: the paper, its margins and columns.

A template without `width` and `height` takes the paper that it is printed on. One with them was
drawn for a paper of its own: on another, its columns stay as wide as they are, as many of them as
there is room for in the middle, and its header and footer keep their distance from the edges.
"""

from __future__ import annotations

from typing import NamedTuple

from deckwright.base.findings import Code, Report, Severity, known_hint
from deckwright.base.geometry import scaled
from deckwright.base.units import HAIR, PAPERS, Mm, parse_length
from deckwright.ops.model import Group, Op
from deckwright.xmlio.node import Node

T009 = Code("T009", Severity.ERROR, "a flowing template that is not set up correctly")

_NARROWEST: Mm = 1
"""No column is narrower."""
_NO_ROOM = "the margins leave no room for text"
_SIZE = ("width", "height")
_ATTRIBUTES = {
    "margin-x": "15",
    "margin-top": "20",
    "margin-bottom": "20",
    "columns": "1",
    "column-width": "0",
    "gap": "8",
}
_FILL = "column-fill"
_FILLS = ("auto", "balance")


class Frame(NamedTuple):
    """The columns of a page.

    Attributes:
        width, height: of the paper.
        top, bottom: where columns begin and end.
        lefts: the left edges of the columns.
        column: how wide they are.
        drawn_for: the paper that header and footer were drawn for.
        balanced: whether the columns of the last page end at one height.
    """

    width: Mm
    height: Mm
    top: Mm
    bottom: Mm
    lefts: tuple[Mm, ...]
    column: Mm
    drawn_for: tuple[Mm, Mm]
    balanced: bool = False

    def context(self, number: int, count: int) -> dict[str, float]:
        """Return what templates see as `page`."""
        return {
            "number": number,
            "count": count,
            "width": self.width,
            "height": self.height,
            "column": self.column,
        }

    def edge(self, tag: str, ops: tuple[Op, ...]) -> tuple[Op, ...]:
        """Return the ops of a header or footer where they stand on this paper.

        They are made smaller where the paper is narrower than what they were drawn for.
        """
        width, height = self.drawn_for
        scale = min(1.0, self.width / width)
        x = (self.width - scale * width) / 2
        y = self.height - scale * height if tag == "footer" else 0.0
        if not ops or (scale, x, y) == (1, 0, 0):
            return ops
        return (Group(ops, scaled(scale, round(x, 4), round(y, 4))),)


def frame_of(root: Node, paper: tuple[Mm, Mm] | None, report: Report) -> Frame | None:
    """Return the frame that the root element `pages` asks for, None after reporting why not.

    Args:
        paper: the width and height of the paper, the template's own or A4 if not given.
    """
    if root.tag != "pages":
        report.append(T009.at(root.source.at(), f"the root element is `{root.tag}`, not `pages`"))
        return None
    known = (*_SIZE, *_ATTRIBUTES, _FILL)
    for name in root.attributes:
        if name not in known:
            hint = known_hint(name, known)
            report.append(T009.at(root.source.at(name), f"`pages` has no attribute `{name}`", hint))
            return None
    fill = root.get(_FILL) or _FILLS[0]
    if fill not in _FILLS:
        message = f"`{_FILL}` is `auto` or `balance`, not `{fill}`"
        report.append(T009.at(root.source.at(_FILL), message, known_hint(fill, _FILLS)))
        return None
    try:
        mm = {n: parse_length(root.get(n) or value) for n, value in _ATTRIBUTES.items()}
        own = {n: parse_length(text) for n in _SIZE if (text := root.get(n))}
    except ValueError as error:
        report.append(T009.at(root.source.at(), str(error)))
        return None
    width, height = paper or PAPERS["a4"]
    drawn_for = own.get("width", width), own.get("height", height)
    paper = paper or drawn_for
    negative = next((name for name in ("column-width", "gap") if mm[name] < 0), None)
    frame = None if negative else _frame(mm, drawn_for, paper)
    if frame is None:
        message = f"`{negative}` is less than 0" if negative else _NO_ROOM
        report.append(T009.at(root.source.at(negative), message))
        return None
    return frame._replace(balanced=fill == "balance")


def _frame(mm: dict[str, Mm], drawn_for: tuple[Mm, Mm], paper: tuple[Mm, Mm]) -> Frame | None:
    """Return the frame with these attributes, None if it has no room for text."""
    gap, least = mm["gap"], mm["column-width"]
    room = drawn_for[0] - 2 * mm["margin-x"]
    columns = _fitting(room, least, gap) if least else max(1, int(mm["columns"]))
    column = (room - (columns - 1) * gap) / columns
    width, height = paper
    if width != drawn_for[0]:
        room = width - 2 * mm["margin-x"]
        column = min(column, room)
        columns = _fitting(room, column, gap)
    bottom = height - mm["margin-bottom"]
    if column < _NARROWEST - HAIR or bottom <= mm["margin-top"]:
        return None
    left = (width - columns * (column + gap) + gap) / 2
    lefts = tuple(left + number * (column + gap) for number in range(columns))
    return Frame(width, height, mm["margin-top"], bottom, lefts, column, drawn_for)


def _fitting(room: Mm, column: Mm, gap: Mm) -> int:
    """Return how many columns of this width there is room for, at least one."""
    return max(1, int((room + gap + HAIR) / (max(column, _NARROWEST) + gap)))
