"""What a drawing is once it is read, and why one cannot be."""

from __future__ import annotations

from typing import NamedTuple

from deckwright.base.findings import Location
from deckwright.base.geometry import IDENTITY, Box
from deckwright.ops import outlines
from deckwright.ops.model import FillPath, Group, Op, StrokePath, walk

MAX_SEGMENTS = 100_000
"""The most lines and curves of a drawing: it takes a second to read as many."""


class Drawing(NamedTuple):
    """An SVG drawing with its origin at the top left of its canvas.

    Attributes:
        width, height: the canvas, in the drawing's own units.
        ops: what is drawn, also what reaches over the canvas.
        overflows: whether anything does.
    """

    width: float
    height: float
    ops: tuple[Op, ...]
    overflows: bool = False

    @property
    def shown(self) -> tuple[Op, ...]:
        """What is seen: browsers cut a drawing off at its canvas."""
        if not self.overflows:
            return self.ops
        return (Group(self.ops, clip=outlines.rectangle(0, 0, self.width, self.height)),)


class DrawingError(Exception):
    """A drawing cannot be drawn.

    Attributes:
        place: where in its file the reason is.
        hint: what to do.
    """

    def __init__(self, message: str, place: Location, hint: str | None = None) -> None:
        """Keep what is wrong."""
        super().__init__(message)
        self.place = place
        self.hint = hint


class RefusedError(Exception):
    """Something of an element cannot be drawn.

    Attributes:
        attribute: the attribute that says it, None for the element itself.
        hint: what to do.
    """

    def __init__(self, message: str, attribute: str | None = None, hint: str | None = None) -> None:
        """Keep what is wrong."""
        super().__init__(message)
        self.attribute = attribute
        self.hint = hint


def size_of(ops: tuple[Op, ...]) -> int:
    """Return how many lines and curves ops have; an op counts as one more."""
    paths = (op for op in walk(ops) if isinstance(op, FillPath | StrokePath))
    return sum(len(op.outline) + 1 for op in paths)


def reach(op: Op) -> Box:
    """Return a box that a painted path, or a stroke in a group, does not leave."""
    matrix, half = IDENTITY, 0.0
    if isinstance(op, Group):
        matrix, op = op.matrix or IDENTITY, op.ops[0]
    assert isinstance(op, FillPath | StrokePath)
    if isinstance(op, StrokePath):
        # A pointed corner reaches farther than the line is wide, as a square end does.
        half = op.width / 2 * (op.miter if op.join == 0 else 1.5)
    return outlines.bounds_of(op.outline).grown(half).moved(matrix)
