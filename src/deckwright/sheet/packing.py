"""As many cards of one size on a sheet as there is room for, some of them turned.

This is the pallet loading problem. Sheets are divided by straight cuts from edge to edge, again and
again, until plain grids remain; where a ring of four grids around a fifth holds more, it is taken.
`most_cards` is a bound that no layout beats: tests prove by it that the layouts for the named
papers and sizes of cards are the best.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from deckwright.base.units import Mm

_PER_MM = 1000
"""Sides are whole micrometres here, so that sums are exact."""
_MANY = 60
"""Of so many places for a cut on, sheets are only divided once: small cards fill them anyway."""
_RINGS = 200_000
"""How many rings are tried at most."""
_WEIGHTS = 12
"""How large the sides of the small cards are by which `most_cards` is found."""


class Block(NamedTuple):
    """A grid of cards that all stand or all lie.

    Attributes:
        x, y: its top left corner, from that of the layout.
        turned: whether its cards lie, a quarter turned to the right.
    """

    x: Mm
    y: Mm
    columns: int
    rows: int
    turned: bool = False


class _Layout(NamedTuple):
    """Blocks, with places in micrometres; of two with as many cards, fewer blocks are better."""

    cards: int
    blocks: tuple[tuple[int, int, int, int, bool], ...] = ()

    def better(self, other: _Layout) -> bool:
        return (self.cards, -len(self.blocks)) > (other.cards, -len(other.blocks))


def packed(width: Mm, height: Mm, card_width: Mm, card_height: Mm) -> tuple[Block, ...]:
    """Return the blocks of a layout with as many cards as were found to have room.

    A layout with gutters is one of larger cards on a larger sheet: add the gutter to all sides.
    """
    whole = _Packing(_units(card_width), _units(card_height)).best(_units(width), _units(height))
    return tuple(
        Block(x / _PER_MM, y / _PER_MM, columns, rows, turned)
        for x, y, columns, rows, turned in whole.blocks
    )


def most_cards(width: Mm, height: Mm, card_width: Mm, card_height: Mm) -> int:
    """Return a number of cards that no layout exceeds, turned or not.

    Cards in a row across the sheet are so many that stand and so many that lie. Sheet and cards can
    be exchanged for others on which all such rows, and so all layouts, have room as well (K. A.
    Dowsland, 1984). There no more cards fit than by the area, less what rods as long as a card's
    side must leave empty (F. W. Barnes, 1979).
    """
    sides = _units(card_width), _units(card_height)
    across, down = _rows(_units(width), *sides), _rows(_units(height), *sides)
    return min(
        _by_area(_longest(across, *small), _longest(down, *small), *small)
        for small in product(range(1, _WEIGHTS), repeat=2)
    )


def _units(length: Mm) -> int:
    return round(length * _PER_MM)


def _rows(length: int, side: int, other: int) -> list[tuple[int, int]]:
    """Return the fullest rows: how many cards stand, and how many lie, on so much length."""
    return [(n, (length - n * side) // other) for n in range(length // side + 1)]


def _longest(rows: Iterable[tuple[int, int]], side: int, other: int) -> int:
    return max((n * side + m * other for n, m in rows), default=0)


def _by_area(width: int, height: int, side: int, other: int) -> int:
    """Return how many cards have room by the area, less what rods leave empty."""
    empty = 0
    for rod in (side, other):
        x, y = width % rod, height % rod
        empty = max(empty, min(x * y, (rod - x) * (rod - y)))
    return (width * height - empty) // (side * other)


class _Packing:
    """Layouts of cards of one size."""

    def __init__(self, width: int, height: int) -> None:
        """Use cards of this size in micrometres."""
        self._sides = width, height
        self._known: dict[tuple[int, int], _Layout] = {}
        self._places: list[int] = []

    def best(self, width: int, height: int) -> _Layout:
        """Return the best layout that was found for a sheet."""
        self._places = self._sums(max(width, height))
        divides = len(self._places) < _MANY
        layout = self._divided(width, height, again=divides)
        room = most_cards(*(side / _PER_MM for side in (width, height, *self._sides)))
        if layout.cards < room and divides:
            layout = self._ringed(width, height, layout, room)
        return layout

    def _sums(self, length: int) -> list[int]:
        """Return all sums of sides up to a length: where cuts can be without any loss."""
        side, other = self._sides
        rows = range(length // side + 1)
        return sorted(
            {n * side + m * other for n in rows for m in range((length - n * side) // other + 1)}
        )

    def _within(self, length: int) -> Iterator[int]:
        """Yield the places within a length."""
        yield from self._places[1 : bisect_right(self._places, length - 1)]

    def _plain(self, width: int, height: int) -> _Layout:
        """Return the better of the two plain grids."""
        best = _Layout(0)
        for turned, (side, other) in enumerate((self._sides, self._sides[::-1])):
            columns, rows = width // side, height // other
            if columns * rows > best.cards:
                best = _Layout(columns * rows, ((0, 0, columns, rows, bool(turned)),))
        return best

    def _divided(self, width: int, height: int, *, again: bool = True) -> _Layout:
        """Return the best layout by straight cuts from edge to edge.

        Args:
            again: whether the parts are divided as well.
        """
        width, height = (
            self._places[bisect_right(self._places, side) - 1] for side in (width, height)
        )
        if (width, height) in self._known:
            return self._known[width, height]
        part = self._divided if again else self._plain
        best = self._plain(width, height)
        full = width * height // (self._sides[0] * self._sides[1])
        if best.cards < full:
            for x in self._within(width):
                left, right = part(x, height), part(width - x, height)
                best = self._joined(best, (left, 0, 0), (right, x, 0))
            for y in self._within(height):
                above, below = part(width, y), part(width, height - y)
                best = self._joined(best, (above, 0, 0), (below, 0, y))
        self._known[width, height] = best
        return best

    @staticmethod
    def _joined(best: _Layout, *parts: tuple[_Layout, int, int]) -> _Layout:
        """Return several layouts at their places as one, or else the best so far."""
        count = sum(layout.cards for layout, _, _ in parts)
        if count < best.cards:
            return best
        blocks = tuple(
            (x + left, y + top, columns, rows, turned)
            for layout, left, top in parts
            for x, y, columns, rows, turned in layout.blocks
        )
        joined = _Layout(count, blocks)
        return joined if joined.better(best) else best

    def _ringed(self, width: int, height: int, best: _Layout, room: int) -> _Layout:
        """Return the best layout of four parts around a fifth, or else the best so far."""
        xs, ys = list(self._within(width)), list(self._within(height))
        if (len(xs) * len(ys)) ** 2 // 4 > _RINGS:
            return best
        upright = list(combinations_with_replacement(xs, 2))
        for (x1, x2), (y1, y2) in product(upright, combinations_with_replacement(ys, 2)):
            best = self._joined(
                best,
                (self._divided(x2, y1), 0, 0),
                (self._divided(width - x2, y2), x2, 0),
                (self._divided(x1, height - y1), 0, y1),
                (self._divided(x2 - x1, y2 - y1), x1, y1),
                (self._divided(width - x1, height - y2), x1, y2),
            )
            if best.cards >= room:
                break
        return best
