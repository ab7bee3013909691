"""Outlines of the dark cells of a grid, such as the modules of a code."""

from __future__ import annotations

from collections.abc import Sequence

from deckwright.base.units import Mm
from deckwright.ops.model import Outline, Segment

_Point = tuple[int, int]


def cells(rows: Sequence[Sequence[bool]], x: Mm, y: Mm, width: Mm, height: Mm) -> Outline:
    """Return the outline around the dark cells of `rows`, with its top left at x, y.

    Cells side by side have one outline, so that no line between them can be seen.

    Args:
        width, height: of a cell.
    """
    following: dict[_Point, list[_Point]] = {}
    for row, flags in enumerate(rows):
        for column, dark in enumerate(flags):
            if dark:
                _add(following, column, row)
    segments: list[Segment] = []
    while following:
        kind = "M"
        for column, line in _corners(_loop(following)):
            segments.append((kind, round(x + column * width, 4), round(y + line * height, 4)))
            kind = "L"
        segments.append(("Z",))
    return tuple(segments)


def _add(following: dict[_Point, list[_Point]], x: int, y: int) -> None:
    """Add the sides of a cell, clockwise; one that it shares with another cell goes."""
    corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        shared = following.get(end, [])
        if start in shared:
            shared.remove(start)
            if not shared:
                del following[end]
        else:
            following.setdefault(start, []).append(end)


def _loop(following: dict[_Point, list[_Point]]) -> list[_Point]:
    """Take a closed line out of the sides that are left, and return its points."""
    point = next(iter(following))
    points: list[_Point] = []
    while point in following:
        points.append(point)
        ends = following[point]
        point = ends.pop()
        if not ends:
            del following[points[-1]]
    return points


def _corners(points: Sequence[_Point]) -> list[_Point]:
    """Return the points of a closed line at which it turns."""
    before, after = (points[-1], *points[:-1]), (*points[1:], points[0])
    return [
        here
        for last, here, following in zip(before, points, after, strict=True)
        if last[0] != following[0] and last[1] != following[1]
    ]
