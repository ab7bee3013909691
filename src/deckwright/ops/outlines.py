"""Outlines of basic shapes, and moving outlines about. Millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

from deckwright.base.geometry import IDENTITY, Box, Matrix, scaled
from deckwright.base.units import Mm
from deckwright.ops.model import DrawGlyphs, DrawImage, Group, Op, Outline, Segment
from deckwright.ops.pathdata import read_path

_ARC = 0.5522847498307936
"""Distance of the control points of a quarter circle of radius 1: 4/3·(√2 − 1)."""


def line(x1: Mm, y1: Mm, x2: Mm, y2: Mm) -> Outline:
    """Return a straight line."""
    return ("M", x1, y1), ("L", x2, y2)


def rectangle(x: Mm, y: Mm, width: Mm, height: Mm, rx: Mm = 0, ry: Mm | None = None) -> Outline:
    """Return a rectangle, its corners rounded.

    Args:
        rx, ry: the radii of the corners across and down; without `ry`, `rx` is both.
    """
    right, bottom = x + width, y + height
    if ry is None:
        rx = ry = min(rx, width / 2, height / 2)
    if rx <= 0 or ry <= 0:
        return (("M", x, y), ("L", right, y), ("L", right, bottom), ("L", x, bottom), ("Z",))
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    kx, ky = rx * (1 - _ARC), ry * (1 - _ARC)
    return (
        ("M", x + rx, y),
        ("L", right - rx, y),
        ("C", right - kx, y, right, y + ky, right, y + ry),
        ("L", right, bottom - ry),
        ("C", right, bottom - ky, right - kx, bottom, right - rx, bottom),
        ("L", x + rx, bottom),
        ("C", x + kx, bottom, x, bottom - ky, x, bottom - ry),
        ("L", x, y + ry),
        ("C", x, y + ky, x + kx, y, x + rx, y),
        ("Z",),
    )


def ellipse(cx: Mm, cy: Mm, rx: Mm, ry: Mm) -> Outline:
    """Return an ellipse."""
    kx, ky = rx * _ARC, ry * _ARC
    return (
        ("M", cx + rx, cy),
        ("C", cx + rx, cy + ky, cx + kx, cy + ry, cx, cy + ry),
        ("C", cx - kx, cy + ry, cx - rx, cy + ky, cx - rx, cy),
        ("C", cx - rx, cy - ky, cx - kx, cy - ry, cx, cy - ry),
        ("C", cx + kx, cy - ry, cx + rx, cy - ky, cx + rx, cy),
        ("Z",),
    )


def straightened(outline: Outline, parts: int) -> Iterator[tuple[Mm, Mm, bool]]:
    """Yield the points of an outline, and whether each begins a part; curves are cut.

    Args:
        parts: into how many straight parts a curve is cut.
    """
    start = last = (0.0, 0.0)
    for kind, *numbers in outline:
        if kind == "C":
            ax, ay, bx, by, x, y = numbers
            for t in (step / parts for step in range(1, parts + 1)):
                s = 1 - t
                one, two, three, four = s**3, 3 * s * s * t, 3 * s * t * t, t**3
                yield (
                    one * last[0] + two * ax + three * bx + four * x,
                    one * last[1] + two * ay + three * by + four * y,
                    False,
                )
        else:
            yield (*((numbers[0], numbers[1]) if numbers else start), kind == "M")
        last = (numbers[-2], numbers[-1]) if numbers else start
        start = last if kind == "M" else start


def polygon(points: list[tuple[Mm, Mm]]) -> Outline:
    """Return a closed polygon."""
    segments: list[Segment] = [
        ("L" if number else "M", x, y) for number, (x, y) in enumerate(points)
    ]
    return (*segments, ("Z",))


@lru_cache(maxsize=512)
def svg_path(data: str) -> Outline:
    """Return the outline of SVG path data, in mm.

    Raises:
        ValueError: if `data` is not path data.
    """
    outline, right = read_path(data)
    if not right:
        raise ValueError(f"`{data}` is not path data")
    return outline


def placed(outline: Outline, x: Mm, y: Mm, scale: float) -> Outline:
    """Return `outline` enlarged by `scale` and moved by `x` and `y`."""
    return transformed(outline, scaled(scale, x, y))


def transformed(outline: Outline, matrix: Matrix) -> Outline:
    """Return `outline` with all points moved by `matrix`."""
    a, b, c, d, e, f = matrix
    result: list[Segment] = []
    for segment in outline:  # written out, for drawings have many thousands
        if len(segment) == 7:  # noqa: PLR2004 - a curve
            kind, p, q, r, s, x, y = segment
            first = a * p + c * q + e, b * p + d * q + f
            second = a * r + c * s + e, b * r + d * s + f
            result.append((kind, *first, *second, a * x + c * y + e, b * x + d * y + f))
        elif len(segment) == 3:  # noqa: PLR2004 - a move or a line
            kind, x, y = segment
            result.append((kind, a * x + c * y + e, b * x + d * y + f))
        else:
            result.append(segment)
    return tuple(result)


def bounds_of(outline: Outline, matrix: Matrix = IDENTITY) -> Box:
    """Return the box around the points of an outline, control points included.

    Args:
        matrix: what moves the points before.
    """
    moved = outline if matrix is IDENTITY else transformed(outline, matrix)
    points = [segment[1:] for segment in moved]
    xs = [x for numbers in points for x in numbers[::2]]
    ys = [y for numbers in points for y in numbers[1::2]]
    if not xs:
        return Box(0, 0, 0, 0)
    left, top = float(min(xs)), float(min(ys))
    return Box(left, top, max(xs) - left, max(ys) - top)


def tight_bounds(outline: Outline) -> Box:
    """Return the box around an outline itself, wherever control points are."""
    sides: list[list[Mm]] = [[], []]
    x = y = 0.0
    for segment in outline:
        numbers = segment[1:]
        for side, start in enumerate((x, y)):
            if segment[0] == "C":
                sides[side] += _turns(start, *numbers[side::2])
            sides[side] += numbers[side::2][-1:]
        x, y = numbers[-2:] or (x, y)
    left, top = map(min, sides)
    return Box(left, top, max(sides[0]) - left, max(sides[1]) - top)


def _turns(start: float, first: float, second: float, end: float) -> Iterator[float]:
    """Yield where a curve turns back along one axis."""
    a = end - 3 * second + 3 * first - start
    b = 2 * (second - 2 * first + start)
    c = first - start
    root = b * b - 4 * a * c
    if root < 0:
        return
    # The sum has no difference of nearly equal numbers, which would lose digits.
    q = -(b + math.copysign(math.sqrt(root), b)) / 2
    for t in ((q / a) if a else -1.0, (c / q) if q else -1.0):
        if 0 < t < 1:
            s = 1 - t
            yield s * s * s * start + 3 * s * s * t * first + 3 * s * t * t * second + t**3 * end


def extent(ops: Iterable[Op]) -> Box | None:
    """Return the box around the paths and images of ops, None if there are none."""
    boxes = list(_boxes(ops, IDENTITY))
    return Box.around(boxes) if boxes else None


def _boxes(ops: Iterable[Op], matrix: Matrix) -> Iterator[Box]:
    for op in ops:
        if isinstance(op, Group):
            yield from _boxes(op.ops, op.within(matrix))
        elif not isinstance(op, DrawGlyphs):
            outline = rectangle(*op.box) if isinstance(op, DrawImage) else op.outline
            yield bounds_of(outline, matrix)
