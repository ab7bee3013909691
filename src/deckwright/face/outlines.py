"""Outlines of basic shapes, and moving outlines about. Millimetres."""

from __future__ import annotations

import math

from deckwright.face.ops import Outline, Segment
from deckwright.units import Mm

_ARC = 0.5522847498307936
"""Distance of the control points of a quarter circle of radius 1: 4/3·(√2 − 1)."""


def rectangle(x: Mm, y: Mm, width: Mm, height: Mm, rx: Mm = 0) -> Outline:
    """Return a rectangle, its corners rounded with the radius `rx`."""
    right, bottom = x + width, y + height
    if rx <= 0:
        return (("M", x, y), ("L", right, y), ("L", right, bottom), ("L", x, bottom), ("Z",))
    r = min(rx, width / 2, height / 2)
    k = r * (1 - _ARC)
    return (
        ("M", x + r, y),
        ("L", right - r, y),
        ("C", right - k, y, right, y + k, right, y + r),
        ("L", right, bottom - r),
        ("C", right, bottom - k, right - k, bottom, right - r, bottom),
        ("L", x + r, bottom),
        ("C", x + k, bottom, x, bottom - k, x, bottom - r),
        ("L", x, y + r),
        ("C", x, y + k, x + k, y, x + r, y),
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


def polygon(points: list[tuple[Mm, Mm]]) -> Outline:
    """Return a closed polygon."""
    segments: list[Segment] = [
        ("L" if number else "M", x, y) for number, (x, y) in enumerate(points)
    ]
    return (*segments, ("Z",))


def svg_path(data: str) -> Outline:
    """Return the outline of SVG path data, in mm.

    Raises:
        ValueError: if `data` is not path data.
    """
    from fontTools.pens.recordingPen import RecordingPen  # noqa: PLC0415 - heavy, rarely needed
    from fontTools.svgLib.path import parse_path  # noqa: PLC0415

    pen = RecordingPen()
    try:
        parse_path(data, pen)
    except Exception as error:  # fontTools raises what it meets
        message = f"`{data}` is not path data"
        raise ValueError(message) from error
    segments: list[Segment] = []
    for operator, points in pen.value:
        numbers = tuple(float(number) for point in points for number in point)
        if operator == "moveTo":
            segments.append(("M", *numbers))
        elif operator == "lineTo":
            segments.append(("L", *numbers))
        elif operator == "curveTo":
            segments.append(("C", *numbers))
        elif operator == "qCurveTo":
            segments.append(("C", *_cubic(_end(segments[-1]), numbers)))
        elif operator == "closePath":
            segments.append(("Z",))
    if not all(math.isfinite(float(number)) for segment in segments for number in segment[1:]):
        message = f"`{data}` has a number that is too large"
        raise ValueError(message)
    return tuple(segments)


def _end(segment: Segment) -> tuple[Mm, Mm]:
    """Return the point that a segment ends at."""
    numbers = [float(number) for number in segment[1:]]
    return numbers[-2], numbers[-1]


def _cubic(start: tuple[Mm, Mm], numbers: tuple[float, ...]) -> tuple[float, ...]:
    """Return a quadratic curve from `start` as a cubic one."""
    x0, y0 = start
    x1, y1, x2, y2 = numbers
    return (
        x0 + 2 * (x1 - x0) / 3,
        y0 + 2 * (y1 - y0) / 3,
        x2 + 2 * (x1 - x2) / 3,
        y2 + 2 * (y1 - y2) / 3,
        x2,
        y2,
    )


def placed(outline: Outline, x: Mm, y: Mm, scale: float) -> Outline:
    """Return `outline` enlarged by `scale` and moved by `x` and `y`."""
    result: list[Segment] = []
    for segment in outline:
        numbers = segment[1:]
        moved = tuple(
            number * scale + (y if index % 2 else x) for index, number in enumerate(numbers)
        )
        result.append((segment[0], *moved))
    return tuple(result)


def bounds(outline: Outline) -> tuple[Mm, Mm, Mm, Mm]:
    """Return left, top, right and bottom of the points of an outline, control points included.

    An outline without points lies at the origin.
    """
    numbers = [float(number) for segment in outline for number in segment[1:]]
    xs, ys = numbers[::2] or [0.0], numbers[1::2] or [0.0]
    return min(xs), min(ys), max(xs), max(ys)
