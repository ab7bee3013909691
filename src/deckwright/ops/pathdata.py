"""Path data: the little language of the attribute `d`.

After SVG 2, "Paths" (https://www.w3.org/TR/SVG2/paths.html): data with an error is drawn up to it.
"""

from __future__ import annotations

import math
import re
from functools import cache

from deckwright.ops.model import Outline, Segment

Point = tuple[float, float]

SPACE = " \t\r\n\f"
NUMBER = r"[+-]?(?:\d++(?:\.\d++|(?!\.))|\.\d++)(?:[eE][+-]?\d++|(?![eE](?![xm])))"
"""A number as SVG and CSS write it: `1.` is none, nor is `1e`, and none is a part of another."""

_GAP = rf"[{SPACE}]*+,?+[{SPACE}]*+"
_FLAG = "[01]"
_NUMBERS = {
    "M": [NUMBER] * 2,
    "L": [NUMBER] * 2,
    "H": [NUMBER],
    "V": [NUMBER],
    "T": [NUMBER] * 2,
    "C": [NUMBER] * 6,
    "S": [NUMBER] * 4,
    "Q": [NUMBER] * 4,
    "A": [NUMBER] * 3 + [_FLAG] * 2 + [NUMBER] * 2,
}


@cache
def _command(*, after_number: bool) -> re.Pattern[str]:
    """Return a pattern of a command; browsers pass over a comma that a number has behind it.

    Patterns are made when they are needed: that takes long.
    """
    before = _GAP if after_number else rf"[{SPACE}]*+"
    return re.compile(before + "([MmZzLlHhVvCcSsQqTtAa])")


@cache
def _step(kind: str, *, first: bool) -> re.Pattern[str]:
    """Return a pattern of the numbers of one step; only between two steps may be a comma."""
    before = rf"[{SPACE}]*+" if first else _GAP
    return re.compile(before + _GAP.join(f"({number})" for number in _NUMBERS[kind]))


_SAME = 1e-15


def read_path(data: str) -> tuple[Outline, bool]:
    """Return what path data draws, up to its first error, and whether it has none."""
    pen = _Pen()
    right = _draw(data, pen)
    return tuple(pen.segments), right


def _draw(data: str, pen: _Pen) -> bool:
    at = 0
    after_number = False
    while at < len(data):
        found = _command(after_number=after_number).match(data, at)
        if found is None:
            return not data[at:].strip(SPACE)
        command = found[1]
        kind = command.upper()
        if not pen.segments and kind != "M":
            return False
        if kind == "Z":
            pen.close()
            at, after_number = found.end(), False
            continue
        step = _step(kind, first=True).match(data, found.end())
        if step is None:
            return False
        after_number = True
        while step is not None:
            numbers = [*map(float, step.groups())]
            try:
                pen.draw(kind, numbers, relative=command.islower())
            except ArithmeticError:
                return False
            kind = "L" if kind == "M" else kind  # more points after a move are lines
            at = step.end()
            step = _step(kind, first=False).match(data, at)
    return True


class _Pen:
    """Turns the commands of a path into the segments of an outline."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self._at: Point = (0, 0)
        self._start: Point = (0, 0)
        self._control: Point | None = None
        """The last control point, which smooth curves of the same kind mirror."""
        self._kind = ""
        self._closed = False

    def draw(self, kind: str, numbers: list[float], *, relative: bool) -> None:
        """Draw one step, given by its command as a capital letter.

        Raises:
            ArithmeticError: if its numbers are too large or too small to compute with.
        """
        numbers = self._absolute(kind, numbers, relative=relative)
        if self._closed and kind != "M":
            self.segments.append(("M", *self._start))
        self._closed = False
        end = (numbers[-2], numbers[-1])
        control = None
        if kind == "M":
            self.segments.append(("M", *end))
            self._start = end
        elif kind in "LHV":
            self.segments.append(("L", *end))
        elif kind in "CS":
            if kind == "S":
                numbers = [*self._mirrored("CS"), *numbers]
            self.segments.append(("C", *numbers))
            control = (numbers[2], numbers[3])
        elif kind in "QT":
            control = (numbers[0], numbers[1]) if kind == "Q" else self._mirrored("QT")
            self.segments.append(("C", *_cubic(self._at, control, end)))
        else:
            self._arc(numbers, end)
        self._at, self._control, self._kind = end, control, kind

    def _absolute(self, kind: str, numbers: list[float], *, relative: bool) -> list[float]:
        """Return numbers as points on the canvas."""
        x0, y0 = self._at
        if kind in "HV":
            own = numbers[0] + (self._at[kind == "V"] if relative else 0)
            numbers = [own, y0] if kind == "H" else [x0, own]
        elif relative:
            first = 5 if kind == "A" else 0  # an arc has radii, an angle and flags before its end
            moved = zip(numbers[first:], (x0, y0) * 3, strict=False)
            numbers = [*numbers[:first], *[number + move for number, move in moved]]
        if not all(map(math.isfinite, numbers)):
            raise OverflowError
        return numbers

    def close(self) -> None:
        """Close what was begun; to close it once more changes nothing."""
        if self._closed:
            return
        (x, y), (x0, y0) = self._at, self._start
        if abs(x - x0) + abs(y - y0) > _SAME * (abs(x0) + abs(y0) + 1):
            self.segments.append(("L", x0, y0))
        self.segments.append(("Z",))
        self._at, self._control, self._kind, self._closed = self._start, None, "Z", True

    def _mirrored(self, kinds: str) -> Point:
        """Return the first control point of a smooth curve."""
        if self._control is None or self._kind not in kinds:
            return self._at
        return 2 * self._at[0] - self._control[0], 2 * self._at[1] - self._control[1]

    def _arc(self, numbers: list[float], end: Point) -> None:
        """Draw an arc as curves of a quarter at most; without a radius it is a line."""
        from fontTools.svgLib.path.arc import EllipticalArc  # noqa: PLC0415 - heavy, rarely needed

        rx, ry, turned, large, sweep = numbers[:5]
        if end == self._at:
            return
        if rx == 0 or ry == 0:
            self.segments.append(("L", *end))
            return
        start = complex(*self._at)
        arc = EllipticalArc(start, abs(rx), abs(ry), turned, large, sweep, complex(*end))
        arc.draw(self)

    def lineTo(self, point: Point) -> None:  # noqa: N802 - as a pen of fontTools
        """Draw a line of an arc."""
        self.segments.append(("L", *point))

    def curveTo(self, *points: Point) -> None:  # noqa: N802 - as a pen of fontTools
        """Draw a curve of an arc."""
        self.segments.append(("C", *(number for point in points for number in point)))


def _cubic(start: Point, control: Point, end: Point) -> tuple[float, ...]:
    """Return a quadratic curve as the control points and the end of a cubic one."""
    (x0, y0), (x1, y1), (x2, y2) = start, control, end
    return (
        x0 + 2 * (x1 - x0) / 3,
        y0 + 2 * (y1 - y0) / 3,
        x2 + 2 * (x1 - x2) / 3,
        y2 + 2 * (y1 - y2) / 3,
        x2,
        y2,
    )
