"""Text in columns: what is compared side by side, one column for each of the things compared."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckwright.cli.terminal import can_show

_NARROWEST, _WIDEST = 6, 24
"""How wide columns are at least and at most, in characters."""
_BESIDE_BAR = 5
"""The place beside a bar that its number takes."""
_SHORTEST_BAR = 6
"""In narrower columns there are no bars, just numbers."""


class Columns(NamedTuple):
    """Columns beside labels.

    Attributes:
        labels: how wide labels are.
        width: how wide each column is.
    """

    labels: int
    width: int

    def row(self, label: str, cells: Iterable[str], mark: str = "") -> str:
        """Return a line: a mark of one character, a label and the cells."""
        shown = [cut(cell, self.width).ljust(self.width) for cell in cells]
        line = [f"{mark:1} {cut(label, self.labels):<{self.labels}}", *shown]
        return "  ".join(line).rstrip()

    def bars(self, numbers: Sequence[int], most: int) -> list[str]:
        """Return numbers as cells with bars where there is room for them.

        Args:
            most: the number that has the longest bar.
        """
        room = self.width - _BESIDE_BAR
        if room < _SHORTEST_BAR:
            return [str(number or "") for number in numbers]
        block, scale = "█" if can_show("█") else "#", min(1.0, room / max(1, most))
        return [
            f"{block * max(round(number * scale), min(number, 1))} {number or ''}".strip()
            for number in numbers
        ]


def columns(labels: Iterable[str], titles: Sequence[str]) -> Columns:
    """Return columns that fit the terminal, with these labels and titles."""
    total = shutil.get_terminal_size((80, 24)).columns
    longest = max(map(len, labels), default=0)
    room = total - 2 - min(longest, total // 2)
    width = max(_NARROWEST, min(_WIDEST, room // len(titles) - 2))
    return Columns(min(longest, max(20, total - 2 - len(titles) * (width + 2))), width)


def cut(text: str, width: int) -> str:
    """Return a text that is at most so wide; of a longer one, its beginning."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def short_titles(titles: Sequence[str], width: int) -> list[str]:
    """Return titles of columns so that they fit and differ, as their beginnings if these do."""
    beginnings = [cut(title, width) for title in titles]
    middle = width // 2
    both_ends = [
        title if len(title) <= width else f"{title[: width - middle - 1]}…{title[-middle:]}"
        for title in titles
    ]
    for shown in (beginnings, both_ends):
        if len({*shown}) == len(shown):
            return shown
    return [f"{n} {cut(title, width - 2)}" for n, title in enumerate(titles, 1)]
