"""What a drawing is once it is read, and why one cannot be."""

from __future__ import annotations

from typing import NamedTuple

from deckwright.base.findings import Location
from deckwright.base.geometry import IDENTITY, Box
from deckwright.ops import outlines
from deckwright.ops.model import FillPath, Group, Op, StrokePath, walk
from deckwright.xmlio.node import Node

MAX_SEGMENTS = 100_000
"""The most lines and curves of a drawing: it takes a second to read as many."""

Palette = tuple[tuple[str, str], ...]
"""Names, without their dashes, and values of the variables that a drawing is given."""


class Drawing(NamedTuple):
    """An SVG drawing with its origin at the top left of its canvas.

    Attributes:
        width, height: the canvas, in the drawing's own units.
        ops: what is drawn, also what reaches over the canvas.
        overflows: whether anything does.
        variables: the names of its variables, for one that is given a palette.
    """

    width: float
    height: float
    ops: tuple[Op, ...]
    overflows: bool = False
    variables: frozenset[str] = frozenset()

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


def placed_error(node: Node, error: RefusedError) -> DrawingError:
    """Return the error that says where in its file a drawing has what is refused."""
    hint = error.hint or "draw it with paths and basic shapes"
    if not hint.endswith("?"):
        hint += "; `--rasterize` prints the drawing as pixels"
    return DrawingError(str(error), node.source.at(error.attribute), hint)


def size_of(ops: tuple[Op, ...]) -> int:
    """Return how many lines and curves ops have; an op counts as one more."""
    paths = (op for op in walk(ops) if isinstance(op, FillPath | StrokePath))
    return sum(len(op.outline) + 1 for op in paths)


def reach(op: Op) -> Box:
    """Return a box that a painted path, a clip, or a path in a group does not leave."""
    matrix, half = IDENTITY, 0.0
    while isinstance(op, Group):
        if op.clip is not None:
            return outlines.bounds_of(op.clip, op.within(matrix))
        matrix, op = op.within(matrix), op.ops[0]
    assert isinstance(op, FillPath | StrokePath)
    if isinstance(op, StrokePath):
        # A pointed corner reaches farther than the line is wide, as a square end does.
        half = op.width / 2 * (op.miter if op.join == 0 else 1.5)
    return outlines.bounds_of(op.outline).grown(half).moved(matrix)
