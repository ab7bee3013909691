"""What is painted under things on a face: which color a point has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from deckwright.base.colors import mix
from deckwright.base.geometry import IDENTITY, Matrix
from deckwright.base.units import Mm
from deckwright.ops import outlines
from deckwright.ops.model import DrawImage, FillPath, Gradient, Op, Outline

_PAPER = "#ffffff"


class Ground(NamedTuple):
    """Something painted that text may stand on.

    Attributes:
        outline: in its own coordinates, which `matrix` turns into the face's.
        color: None where it has no single color.
        opacity: less than 1 where what is below it shows through.
    """

    outline: Outline
    matrix: Matrix
    color: str | None
    clips: tuple[Ground, ...] = ()
    opacity: float = 1


def ground_of(op: Op, matrix: Matrix, clips: tuple[Ground, ...], opacity: float) -> Ground | None:
    """Return what an op paints that text may stand on, None if that is nothing."""
    if isinstance(op, FillPath):
        color = None if isinstance(op.color, Gradient) else op.color
        return Ground(op.outline, matrix, color, clips, opacity)
    if isinstance(op, DrawImage):
        return Ground(outlines.rectangle(*op.box), matrix, None, clips)
    return None


def color_at(point: tuple[Mm, Mm], grounds: Sequence[Ground]) -> str | None:
    """Return the color of a point of the face, None where it cannot be told."""
    above: list[Ground] = []
    color = _PAPER
    for ground in reversed(grounds):
        if _holds(ground, point):
            if ground.color is None:
                return None
            if ground.opacity == 1:
                color = ground.color
                break
            above.append(ground)
    for ground in reversed(above):
        color = mix(color, ground.color or _PAPER, ground.opacity)
    return color


def _holds(ground: Ground, point: tuple[Mm, Mm]) -> bool:
    """Return whether a point of the face is inside of an outline, curves taken as straight."""
    x, y = point
    if ground.matrix is not IDENTITY:
        a, b, c, d, e, f = ground.matrix
        area = a * d - b * c
        if area == 0:
            return False
        x, y = (d * (x - e) - c * (y - f)) / area, (a * (y - f) - b * (x - e)) / area
    known = _known_of(ground.outline)
    if not (known.left <= x <= known.right and known.top <= y <= known.bottom):
        return False
    inside = False
    for (x0, y0), (x1, y1) in known.edges:
        if (y0 > y) != (y1 > y):
            inside ^= x < x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return inside and all(_holds(clip, point) for clip in ground.clips)


class _Known:
    """What is known of an outline: its bounds, and the lines between its points."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        box = outlines.bounds_of(outline)
        self.left, self.top, self.right, self.bottom = box.x, box.y, box.right, box.bottom

    @cached_property
    def edges(self) -> list[tuple[tuple[Mm, Mm], tuple[Mm, Mm]]]:
        """The lines between its points, curves taken as straight."""
        edges = []
        start = last = (0.0, 0.0)
        for kind, *numbers in self.outline:
            end = (numbers[-2], numbers[-1]) if numbers else start
            if kind == "M":
                start = end
            else:
                edges.append((last, end))
            last = end
        return edges


_MOST_KNOWN = 20_000
_known: dict[int, _Known] = {}


def _known_of(outline: Outline) -> _Known:
    """Return what is known of an outline, worked out once; faces share most of theirs."""
    known = _known.get(id(outline))
    if known is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        known = _known[id(outline)] = _Known(outline)
    return known
