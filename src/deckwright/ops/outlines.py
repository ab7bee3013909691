"""Outlines: basic shapes, path data, grids of cells, soft shadows. All in millimetres."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from deckwright.base.geometry import IDENTITY, Box, Matrix, scaling
from deckwright.base.units import Mm
from deckwright.ops.model import DrawGlyphs, DrawImage, FillPath, Group, Op, Outline, Segment

Point = tuple[float, float]

SPACE = " \t\r\n\f"
NUMBER = r"[+-]?(?:\d++(?:\.\d++|(?!\.))|\.\d++)(?:[eE][+-]?\d++|(?![eE](?![xm])))"
"""A number in SVG and CSS: neither `1.` nor `1e`, and never a part of a longer one."""

_GAP = rf"[{SPACE}]*+,?+[{SPACE}]*+"
_NUMBERS = {
    "M": [NUMBER] * 2,
    "L": [NUMBER] * 2,
    "H": [NUMBER],
    "V": [NUMBER],
    "T": [NUMBER] * 2,
    "C": [NUMBER] * 6,
    "S": [NUMBER] * 4,
    "Q": [NUMBER] * 4,
    "A": [NUMBER] * 3 + ["[01]"] * 2 + [NUMBER] * 2,
}


@cache
def _pattern(kind: str, *, comma: bool) -> re.Pattern[str]:
    """Return a pattern of one step's numbers, or of a command (""); compiled on demand: it is slow.

    Like browsers, it allows a comma between steps, and before a command after a number.
    """
    parts = [f"({number})" for number in _NUMBERS[kind]] if kind else ["([MmZzLlHhVvCcSsQqTtAa])"]
    return re.compile((_GAP if comma else rf"[{SPACE}]*+") + _GAP.join(parts))


_CLOSE_TOLERANCE = 1e-15


def read_path(data: str) -> tuple[Outline, bool]:
    """Return the outline of path data up to its first error, and whether it is free of errors."""
    for draw in (_draw_plain, _draw):
        pen = _Pen()
        right = draw(data, pen)
        if right:
            break
    return tuple(pen.segments), right


_PLAIN_COUNTS = {kind: len(numbers) for kind, numbers in _NUMBERS.items() if kind != "A"}
_COMMANDS = re.compile("([A-Za-z])([^A-Za-z]*)")
_KINDS = "".join(_PLAIN_COUNTS)
_PLAIN_NUMBER = r"-?(?:\d++(?:\.\d++)?+|\.\d++)(?!\.)"
_PLAIN_STEPS = rf"[{SPACE}]*+{_PLAIN_NUMBER}(?:{_GAP}{_PLAIN_NUMBER})*+"
_PLAIN_COMMANDS = rf"(?:[{SPACE}]*+(?:[Zz]|[{_KINDS}{_KINDS.lower()}]{_PLAIN_STEPS}))*+"
_PLAIN = rf"[{SPACE}]*+[Mm]{_PLAIN_STEPS}{_PLAIN_COMMANDS}[{SPACE}]*+"
"""Path data without arcs and rare notations; compiled on demand."""


def _draw_plain(data: str, pen: _Pen) -> bool:
    """Do what `_draw` does for usual path data, in half the time; return whether it was usual."""
    if not re.fullmatch(_PLAIN, data):
        return False
    for command, text in _COMMANDS.findall(data.replace(",", " ").replace("-", " -")):
        kind = command.upper()
        if kind == "Z":
            pen.close()
            continue
        numbers, count = [*map(float, text.split())], _PLAIN_COUNTS[kind]
        relative = kind != command
        if len(numbers) % count:
            return False
        for start in range(0, len(numbers), count):
            try:
                pen.draw(kind, numbers[start : start + count], relative=relative)
            except ArithmeticError:
                return False
            kind = "L" if kind == "M" else kind  # more points after a move are lines
    return True


def _draw(data: str, pen: _Pen) -> bool:
    at = 0
    after_number = False
    while at < len(data):
        match = _pattern("", comma=after_number).match(data, at)
        if match is None:
            return not data[at:].strip(SPACE)
        command = match[1]
        kind = command.upper()
        if not pen.segments and kind != "M":
            return False
        if kind == "Z":
            pen.close()
            at, after_number = match.end(), False
            continue
        step = _pattern(kind, comma=False).match(data, match.end())
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
            step = _pattern(kind, comma=True).match(data, at)
    return True


class _Pen:
    """Turns path commands into an outline's segments."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self._at: Point = (0, 0)
        self._start: Point = (0, 0)
        self._control: Point | None = None
        """The last control point, which smooth curves of the same kind mirror."""
        self._kind, self._closed = "", False

    def draw(self, kind: str, numbers: list[float], *, relative: bool) -> None:
        """Draw one step; an ArithmeticError means numbers too large or small to compute with."""
        x0, y0 = self._at
        if kind in "HV":
            own = numbers[0] + (self._at[kind == "V"] if relative else 0)
            numbers = [own, y0] if kind == "H" else [x0, own]
        elif relative:
            first = 5 if kind == "A" else 0  # an arc has radii, an angle and flags before its end
            moved = [n + move for n, move in zip(numbers[first:], (x0, y0) * 3, strict=False)]
            numbers = [*numbers[:first], *moved]
        if not math.isfinite(sum(numbers)) and not all(map(math.isfinite, numbers)):
            raise OverflowError
        if self._closed and kind != "M":
            self.segments.append(("M", *self._start))
        self._closed = False
        end = (numbers[-2], numbers[-1])
        control = None
        if kind in "LHV":
            self.segments.append(("L", *end))
        elif kind == "M":
            self.segments.append(("M", *end))
            self._start = end
        elif kind in "CS":
            if kind == "S":
                numbers = [*self._mirrored("CS"), *numbers]
            self.segments.append(("C", *numbers))
            control = (numbers[2], numbers[3])
        elif kind in "QT":
            control = (numbers[0], numbers[1]) if kind == "Q" else self._mirrored("QT")
            self.segments.append(("C", *cubic_of(self._at, control, end)))
        else:
            self._arc(numbers, end)
        self._at, self._control, self._kind = end, control, kind

    def close(self) -> None:
        """Close the current part; closing it again has no effect."""
        if self._closed:
            return
        (x, y), (x0, y0) = self._at, self._start
        if abs(x - x0) + abs(y - y0) > _CLOSE_TOLERANCE * (abs(x0) + abs(y0) + 1):
            self.segments.append(("L", x0, y0))
        self.segments.append(("Z",))
        self._at, self._control, self._kind, self._closed = self._start, None, "Z", True

    def _mirrored(self, kinds: str) -> Point:
        """Return the first control point of a smooth curve."""
        if self._control is None or self._kind not in kinds:
            return self._at
        return 2 * self._at[0] - self._control[0], 2 * self._at[1] - self._control[1]

    def _arc(self, numbers: list[float], end: Point) -> None:
        """Draw an arc as curves of at most 90 degrees; without a radius it is a line."""
        from fontTools.svgLib.path.arc import EllipticalArc  # heavy, rarely needed

        rx, ry, turned, large, sweep = numbers[:5]
        if end == self._at:
            return
        if rx == 0 or ry == 0:
            self.segments.append(("L", *end))
            return
        radii = abs(rx), abs(ry)
        EllipticalArc(complex(*self._at), *radii, turned, large, sweep, complex(*end)).draw(self)

    def lineTo(self, point: Point) -> None:  # noqa: N802 - as a pen of fontTools
        self.segments.append(("L", *point))

    def curveTo(self, *points: Point) -> None:  # noqa: N802 - as a pen of fontTools
        self.segments.append(("C", *(number for point in points for number in point)))


def cubic_of(start: Point, control: Point, end: Point) -> tuple[float, ...]:
    """Return the control points and end of the cubic curve equal to a quadratic one."""
    (x0, y0), (x1, y1), (x2, y2) = start, control, end
    return (
        x0 + 2 * (x1 - x0) / 3,
        y0 + 2 * (y1 - y0) / 3,
        x2 + 2 * (x1 - x2) / 3,
        y2 + 2 * (y1 - y2) / 3,
        x2,
        y2,
    )


_ARC = 0.5522847498307936
"""The distance of control points for a quarter circle of radius 1: 4/3·(√2 − 1)."""


def line(x1: Mm, y1: Mm, x2: Mm, y2: Mm) -> Outline:
    """Return a straight line."""
    return ("M", x1, y1), ("L", x2, y2)


def rectangle(x: Mm, y: Mm, width: Mm, height: Mm, rx: Mm = 0, ry: Mm | None = None) -> Outline:
    """Return a rectangle with rounded corners.

    Args:
        rx, ry: the corner radii across and down; `ry` defaults to `rx`.
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


def flatten(outline: Outline, parts: int) -> Iterator[tuple[Mm, Mm, bool]]:
    """Yield the points of an outline with its curves flattened, and whether each starts a part.

    Args:
        parts: the number of lines per curve.
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


def double_area(points: Sequence[Point]) -> float:
    """Return twice the area of a polygon; negative if it runs counterclockwise on the page."""
    ends = zip(points, [*points[1:], *points[:1]], strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in ends)


def polygon(points: list[tuple[Mm, Mm]]) -> Outline:
    """Return a closed polygon."""
    segments: list[Segment] = [
        ("L" if number else "M", x, y) for number, (x, y) in enumerate(points)
    ]
    return (*segments, ("Z",))


@lru_cache(maxsize=512)
def parse_svg_path(data: str) -> Outline:
    """Return the outline of SVG path data, in mm.

    Raises:
        ValueError: if `data` is not path data.
    """
    outline, right = read_path(data)
    if not right:
        raise ValueError(f"`{data}` is not path data")
    return outline


def scale_and_move(outline: Outline, x: Mm, y: Mm, scale: float) -> Outline:
    """Return an outline enlarged by `scale`, then moved by `x` and `y`."""
    return transform_outline(outline, scaling(scale, x, y))


def transform_outline(outline: Outline, matrix: Matrix) -> Outline:
    """Return `outline` transformed by a matrix."""
    a, b, c, d, e, f = matrix
    result: list[Segment] = []
    for segment in outline:  # unrolled for speed: drawings have many thousands
        if len(segment) == 7:  # a curve
            kind, p, q, r, s, x, y = segment
            result.append(
                (
                    kind,
                    a * p + c * q + e,
                    b * p + d * q + f,
                    a * r + c * s + e,
                    b * r + d * s + f,
                    a * x + c * y + e,
                    b * x + d * y + f,
                )
            )
        elif len(segment) == 3:  # a move or a line
            kind, x, y = segment
            result.append((kind, a * x + c * y + e, b * x + d * y + f))
        else:
            result.append(segment)
    return tuple(result)


def bounds_of(outline: Outline, matrix: Matrix = IDENTITY) -> Box:
    """Return the bounding box of an outline's points, including control points.

    Args:
        matrix: applied to the points first.
    """
    moved = outline if matrix is IDENTITY else transform_outline(outline, matrix)
    points = [segment[1:] for segment in moved]
    xs = [x for numbers in points for x in numbers[::2]]
    ys = [y for numbers in points for y in numbers[1::2]]
    if not xs:
        return Box(0, 0, 0, 0)
    left, top = float(min(xs)), float(min(ys))
    return Box(left, top, max(xs) - left, max(ys) - top)


def tight_bounds(outline: Outline) -> Box:
    """Return the exact bounding box of an outline, regardless of control points."""
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
    """Yield the coordinates at which a curve turns back along one axis."""
    a = end - 3 * second + 3 * first - start
    b = 2 * (second - 2 * first + start)
    c = first - start
    root = b * b - 4 * a * c
    if root < 0:
        return
    # This form of the quadratic formula avoids cancellation.
    q = -(b + math.copysign(math.sqrt(root), b)) / 2
    for t in ((q / a) if a else -1.0, (c / q) if q else -1.0):
        if 0 < t < 1:
            s = 1 - t
            yield s * s * s * start + 3 * s * s * t * first + 3 * s * t * t * second + t**3 * end


def extent(ops: Iterable[Op]) -> Box | None:
    """Return the bounding box of the paths and images among ops, None without any."""
    boxes = list(_boxes(ops, IDENTITY))
    return Box.around(boxes) if boxes else None


def _boxes(ops: Iterable[Op], matrix: Matrix) -> Iterator[Box]:
    for op in ops:
        if isinstance(op, Group):
            yield from _boxes(op.ops, op.inner_matrix(matrix))
        elif not isinstance(op, DrawGlyphs):
            outline = rectangle(*op.box) if isinstance(op, DrawImage) else op.outline
            yield bounds_of(outline, matrix)


def trace_cells(rows: Sequence[Sequence[bool]], x: Mm, y: Mm, width: Mm, height: Mm) -> Outline:
    """Return the outline around the dark cells of `rows`, with its top left at x, y.

    Adjacent cells share one outline, so that no hairline shows between them.

    Args:
        width, height: the size of a cell.
    """
    across = max(map(len, rows), default=0) + 1
    xs = [round(x + column * width, 4) for column in range(across)]
    ys = [round(y + line * height, 4) for line in range(len(rows) + 1)]
    following = _sides(rows, across)
    segments: list[Segment] = []
    while following:
        kind = "M"
        point = next(iter(following))
        loop: list[int] = []
        while point in following:
            loop.append(point)
            ends = following[point]
            if len(ends) > 1:
                point = ends.pop()
            else:
                del following[point]
                point = ends[0]
        before, after = (loop[-1], *loop[:-1]), (*loop[1:], loop[0])
        for last, here, to in zip(before, loop, after, strict=True):
            if to - here != here - last:  # a corner
                line, column = divmod(here, across)
                segments.append((kind, xs[column], ys[line]))
                kind = "L"
        segments.append(("Z",))
    return tuple(segments)


def _sides(rows: Sequence[Sequence[bool]], across: int) -> dict[int, list[int]]:
    """Return the ends of the sides that start at each point, without sides shared by two cells.

    They run clockwise. Points and cells are numbered line by line, `across` per line, so that there
    is a light cell at the end of each line.
    """
    starts = range(0, len(rows) * across, across)
    cells = (at for start, row in zip(starts, rows, strict=True)
             for at, is_dark in enumerate(row, start) if is_dark)  # fmt: skip
    following = defaultdict[int, list[int]](list)
    dark = dict.fromkeys(cells)
    for here in dark:
        right, below = here + 1, here + across
        if here - across not in dark:
            following[here].append(right)
        if right not in dark:
            following[right].append(below + 1)
        if below not in dark:
            following[below + 1].append(below)
        if here - 1 not in dark:
            following[below].append(here)
    return following


_MAX_STEP: Mm = 0.16
"""The maximum width of a shadow's step, within the limit on the number of steps."""
_MIN_STEPS, _MAX_STEPS = 3, 8
_CURVE_PARTS = 6
"""The number of lines per flattened curve."""
_CORNER_ARC = math.radians(35)
"""The angle per line of a rounded corner."""
_POINT_TOLERANCE: Mm = 1e-3


def cast_shadow(
    ops: Iterable[Op], blur: Mm, color: str, opacity: float, move: Point
) -> Iterator[Op]:
    """Yield the shadow of ops' shapes as a group, if there are any shapes.

    Letters and lines cast none.

    Args:
        blur: how far the shadow fades out around the shapes.
        move: its offset to the right and down.
    """
    shapes = list(_shapes(ops, (1, 0, 0, 1, *move)))
    if not shapes or opacity <= 0:
        return
    steps = min(max(math.ceil(blur / _MAX_STEP), _MIN_STEPS), _MAX_STEPS) if blur else 1
    each = 1 - (1 - min(opacity, 0.99)) ** (1 / steps)
    layers: list[Op] = []
    for step in range(steps):
        # The shadow fades along a parabola, slowly at first.
        distance = blur * (1 - math.sqrt((step + 0.5) / steps)) if blur else 0
        grown = tuple(segment for shape in shapes for segment in _grow_ring(shape, distance))
        layers.append(FillPath(grown, color))
    yield Group(tuple(layers), opacity=round(each, 4))


def count_points(ops: Iterable[Op]) -> int:
    """Return the number of points in the outlines of ops' shapes."""
    return sum(map(len, _shapes(ops, IDENTITY)))


def _shapes(ops: Iterable[Op], around: Matrix) -> Iterator[list[Point]]:
    """Yield the outlines of shapes as clockwise points; holes are filled."""
    for op in ops:
        if isinstance(op, Group):
            matrix = op.inner_matrix(around)
            if op.clip is not None:
                yield from _rings(op.clip, matrix)
            else:
                yield from _shapes(op.ops, matrix)
        elif isinstance(op, FillPath):
            yield from _rings(op.outline, around)
        elif isinstance(op, DrawImage):
            yield from _rings(rectangle(*op.box), around)


def _rings(outline: Outline, matrix: Matrix) -> Iterator[list[Point]]:
    """Yield the closed parts of an outline."""
    ring: list[Point] = []
    for x, y, begins in flatten(transform_outline(outline, matrix), _CURVE_PARTS):
        if begins and ring:
            yield from _clockwise_rings(ring)
            ring = []
        if not ring or math.dist(ring[-1], (x, y)) > _POINT_TOLERANCE:
            ring.append((x, y))
    yield from _clockwise_rings(ring)


def _clockwise_rings(ring: list[Point]) -> Iterator[list[Point]]:
    """Yield a ring in clockwise order, unless it has no area."""
    while len(ring) > 1 and math.dist(ring[0], ring[-1]) <= _POINT_TOLERANCE:
        ring = ring[:-1]
    area = double_area(ring)
    if abs(area) > _POINT_TOLERANCE:
        yield ring if area > 0 else ring[::-1]


def _grow_ring(ring: list[Point], distance: Mm) -> Iterator[Segment]:
    """Yield a ring moved outwards by a distance, with rounded corners.

    At inward corners the line passes through the old corner: the resulting loops lie inside, and
    count as filled by non-zero winding.
    """
    points: list[Point] = []
    count = len(ring)
    for index, (x, y) in enumerate(ring):
        before, after = ring[index - 1], ring[(index + 1) % count]
        start = math.atan2(-(x - before[0]), y - before[1])
        turn = math.atan2(-(after[0] - x), after[1] - y) - start
        turn = (turn + math.pi) % (2 * math.pi) - math.pi
        if not distance:
            points.append((x, y))
            continue
        arcs, middle = math.ceil(turn / _CORNER_ARC), []
        if turn < -_POINT_TOLERANCE:
            angles, middle = [start, start + turn], [(x, y)]
        elif arcs <= 1:
            angles = [start + turn / 2]
        else:
            angles = [start + turn * arc / arcs for arc in range(arcs + 1)]
        ends = [(x + distance * math.cos(a), y + distance * math.sin(a)) for a in angles]
        points += [ends[0], *middle, *ends[1:]]
    for index, (x, y) in enumerate(points):
        yield ("L" if index else "M", round(x, 3), round(y, 3))
    yield ("Z",)
