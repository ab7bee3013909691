"""Pages in the order in which they are printed, so that folded sheets are a booklet or a zine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

ZINE_PAGES = 8
"""How many pages a zine of one folded sheet has."""
ZINE_ROWS = ((5, 4, 3, 2), (6, 7, 8, 1))
"""Its pages on the sheet, which lies; those of the upper row stand on their heads.

Pages that are two sides of a leaf meet at their heads: the sheet is cut between the middle four,
and folded along all other lines.
"""


class Folded(NamedTuple):
    """A sheet of a booklet: the numbers of its pages from 1, at the left and the right.

    Attributes:
        depth: how many sheets lie outside of it.
    """

    front: tuple[int, int]
    back: tuple[int, int]
    depth: int


def folded_sheets(pages: int, signature: int = 0) -> Iterator[Folded]:
    """Yield the sheets of a booklet with four pages each, the outermost of each signature first.

    Numbers beyond the last page are blank pages at the end.

    Args:
        pages: how many pages it has.
        signature: of how many sheets, one in the other, a part is that is sewn to the others; 0
            for all in one.
    """
    sheets = -(-pages // 4)
    size = min(signature or sheets, sheets)
    first = 1
    while sheets:
        count = min(size, sheets)
        last = first + 4 * count - 1
        for depth in range(count):
            low, high = first + 2 * depth, last - 2 * depth
            yield Folded((high, low), (low + 1, high - 1), depth)
        first, sheets = last + 1, sheets - count
