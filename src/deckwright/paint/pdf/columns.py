"""Columns of even height: as high as the page where there is more, balanced at their end.

Platypus works in points with the y axis upwards.
"""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.platypus import Flowable

from deckwright.base.units import POINTS, Mm

_HAIR = 1e-3
_STEP = 1.0
"""How exactly columns are balanced, in points."""


class Stack(Flowable):  # type: ignore[misc]
    """Flowables one below the other that are never parted."""

    def __init__(self, parts: Sequence[Flowable]) -> None:
        """Set `parts` from the top."""
        super().__init__()
        self.parts = parts
        self.spaceBefore = parts[0].getSpaceBefore()

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Take the height of all, with the distances between them."""
        self.width = width
        self.height = -self.spaceBefore
        for part in self.parts:
            _, own = part.wrap(width, height)
            self.height += own + part.getSpaceBefore() + part.getSpaceAfter()
        return self.width, self.height

    def draw(self) -> None:
        """Draw all."""
        top = self.height + self.spaceBefore
        for part in self.parts:
            top -= part.height + part.getSpaceBefore()
            part.drawOn(self.canv, 0, top)
            top -= part.getSpaceAfter()


class Columns(Flowable):  # type: ignore[misc]
    """Stacks in columns, from the left, no higher than they must be."""

    def __init__(self, stacks: Sequence[Stack], number: int, gap: Mm) -> None:
        """Set `stacks` in so many columns with `gap` between them."""
        super().__init__()
        self.stacks = stacks
        self.number = number
        self.gap = gap

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Balance the columns; if that takes more than `height`, they have to be split."""
        self.width = width
        self.column = (width - self.gap * POINTS * (self.number - 1)) / self.number
        for stack in self.stacks:
            stack.wrap(self.column, height)
        total = sum(stack.height + stack.spaceBefore for stack in self.stacks)
        low, high = total / self.number - _STEP, total
        while high - low > _STEP:
            middle = (low + high) / 2
            if len(self._filled(middle)) <= self.number:
                high = middle
            else:
                low = middle
        self.columns = self._filled(high)
        self.height = max((self._height(column) for column in self.columns), default=0.0)
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return the columns of a full page, and the rest."""
        self.wrap(width, height)
        full = self._filled(height)[: self.number]
        taken = sum(map(len, full))
        if not taken or self._height(full[0]) > height + _HAIR:
            return []
        parts = self.stacks[:taken], self.stacks[taken:]
        return [Columns(stacks, self.number, self.gap) for stacks in parts if stacks]

    def draw(self) -> None:
        """Draw the columns, all from the top."""
        for number, column in enumerate(self.columns):
            x, top = number * (self.column + self.gap * POINTS), self.height
            for place, stack in enumerate(column):
                top -= stack.height + (stack.spaceBefore if place else 0)
                stack.drawOn(self.canv, x, top)

    def _filled(self, height: float) -> list[list[Stack]]:
        """Return columns no higher than `height`, but for those of a single stack."""
        columns: list[list[Stack]] = []
        room = 0.0
        for stack in self.stacks:
            needed = stack.height + stack.spaceBefore
            if not columns or needed > room + _HAIR:
                columns.append([])
                room, needed = height, stack.height
            columns[-1].append(stack)
            room -= needed
        return columns

    @staticmethod
    def _height(column: Sequence[Stack]) -> float:
        return float(
            sum(stack.height + stack.spaceBefore for stack in column) - column[0].spaceBefore
        )
