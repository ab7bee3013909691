"""Outlines of the dark cells of a grid, such as the modules of a code."""

from __future__ import annotations

from collections.abc import Sequence

from deckwright.base.units import Mm
from deckwright.ops.model import Outline, Segment


def cells(rows: Sequence[Sequence[bool]], x: Mm, y: Mm, width: Mm, height: Mm) -> Outline:
    """Return the outline around the dark cells of `rows`, with its top left at x, y.

    Cells side by side have one outline, so that no line between them can be seen.

    Args:
        width, height: of a cell.
    """
    across = max(map(len, rows), default=0) + 1
    xs = [round(x + column * width, 4) for column in range(across)]
    ys = [round(y + line * height, 4) for line in range(len(rows) + 1)]
    following = _sides(rows, across)
    segments: list[Segment] = []
    while following:
        kind = "M"
        for point in _corners(_loop(following)):
            line, column = divmod(point, across)
            segments.append((kind, xs[column], ys[line]))
            kind = "L"
        segments.append(("Z",))
    return tuple(segments)


def _sides(rows: Sequence[Sequence[bool]], across: int) -> dict[int, list[int]]:
    """Return the sides of cells, clockwise, without those that two cells share.

    Points are numbered line by line, `across` of them in each.

    Returns:
        for each point the ends of the sides that begin there.
    """
    following: dict[int, list[int]] = {}
    above: Sequence[bool] = ()
    for line, row in enumerate(rows):
        left = False
        for column, dark in enumerate(row):
            if dark:
                here = line * across + column
                below = here + across
                # A cell is met after those above it and to its left.
                if column < len(above) and above[column]:
                    _take(following, here + 1, here)
                else:
                    following.setdefault(here, []).append(here + 1)
                following.setdefault(here + 1, []).append(below + 1)
                following.setdefault(below + 1, []).append(below)
                if left:
                    _take(following, here, below)
                else:
                    following.setdefault(below, []).append(here)
            left = dark
        above = row
    return following


def _take(following: dict[int, list[int]], start: int, end: int) -> None:
    ends = following[start]
    if len(ends) > 1:
        ends.remove(end)
    else:
        del following[start]


def _loop(following: dict[int, list[int]]) -> list[int]:
    """Take a closed line out of the sides that are left, and return its points."""
    point = next(iter(following))
    points: list[int] = []
    while point in following:
        points.append(point)
        ends = following[point]
        if len(ends) > 1:
            point = ends.pop()
        else:
            del following[point]
            point = ends[0]
    return points


def _corners(points: Sequence[int]) -> list[int]:
    """Return the points of a closed line at which it turns."""
    before, after = (points[-1], *points[:-1]), (*points[1:], points[0])
    return [
        here
        for last, here, following in zip(before, points, after, strict=True)
        if following - here != here - last
    ]
