"""Fills, strokes, gradients and clips of drawings."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

from deckwright.base.findings import nearest_hint
from deckwright.base.geometry import Matrix, determinant, multiply, scaling, transform_point
from deckwright.images.drawings.css import (
    INITIAL,
    PROPERTIES,
    CssStyle,
    Size,
    compute_style,
    diagonal,
    transform_matrix,
)
from deckwright.images.drawings.model import (
    MAX_COORDINATE,
    Palette,
    RefusedError,
    link_of,
    locating,
    parse_color,
    parse_length,
    parse_number,
    parse_share,
    refusal,
    split_tag,
)
from deckwright.ops import outlines
from deckwright.ops.model import (
    CAPS,
    JOINS,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    Segment,
    StrokePath,
)
from deckwright.ops.outlines import SPACE
from deckwright.xmlio.node import Node

Point = tuple[float, float]


def unite(shapes: list[Outline]) -> Outline:
    """Return the union of shapes as one outline, by non-zero winding.

    Raises:
        RefusedError: if they overlap in a way that would leave holes.
    """
    shapes = [shape for shape in shapes if shape]
    if len(shapes) > _MAX_SHAPES:
        raise RefusedError(f"a `clipPath` has more than {_MAX_SHAPES} shapes")
    boxes = [outlines.bounds_of(shape) for shape in shapes]
    if any(one.touches(other) for one, other in combinations(boxes, 2)):
        # Parts with the same direction never cancel each other.
        if any(sum(step[0] == "M" for step in shape) > 1 for shape in shapes):
            hint = "draw them as one path"
            raise RefusedError("a `clipPath` of shapes that overlap cannot be drawn", None, hint)
        shapes = [_make_clockwise(shape) for shape in shapes]
    return tuple(step for shape in shapes for step in shape)


@lru_cache(maxsize=64)
def to_nonzero_winding(shape: Outline) -> Outline:
    """Return an outline that covers by non-zero winding what `shape` covers by even-odd.

    The direction of each part depends on how many other parts contain it.

    Raises:
        RefusedError: if its lines cross, or are too many to check.
    """
    parts = [part for part in _split_parts(shape) if len(part) > 2]  # anything with an area
    rings = [_ring(part) for part in parts]
    pairs = (pair for ring in rings for pair in zip([ring[-1], *ring], ring, strict=False))
    lines = [(start, end) for start, end in pairs if start != end]
    if len(lines) > _MAX_LINES:
        raise RefusedError(f"a clip with `evenodd` has more than {_MAX_LINES} lines", "clip-rule")
    # Lines may touch at their ends.
    if any(
        _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0
        for (a, b), (c, d) in combinations(lines, 2)
    ):
        hint = "draw the outline of the part that stays visible"
        raise RefusedError("`clip-rule` is `evenodd`, but lines cross", "clip-rule", hint)
    steps: list[Segment] = []
    for part, ring in zip(parts, rings, strict=True):
        depth = sum(_is_in(ring[0], other) for other in rings if other is not ring)
        clockwise = _make_clockwise(part)
        steps += _reverse(clockwise) if depth % 2 else clockwise
    return tuple(steps)


_MAX_SHAPES = 500
_CURVE_PARTS = 8
_MAX_LINES = 600


def _side(start: Point, end: Point, point: Point) -> float:
    """Return on which side of a line a point lies, by the sign."""
    (x1, y1), (x2, y2), (x, y) = start, end, point
    return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)


def _is_in(point: Point, ring: list[Point]) -> bool:
    (x, y), inside = point, False
    for n, (x2, y2) in enumerate(ring):
        x1, y1 = ring[n - 1]
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            inside = not inside
    return inside


def _make_clockwise(shape: Outline) -> Outline:
    """Return a part of an outline in clockwise direction."""
    return shape if outlines.double_area(_ring(shape)) >= 0 else _reverse(shape)


def _ring(shape: Outline) -> list[Point]:
    return [(x, y) for x, y, _ in outlines.flatten(shape, _CURVE_PARTS)]


def _reverse(shape: Outline) -> Outline:
    """Return a part of an outline in the opposite direction."""
    steps = [(step[0], step[1:]) for step in shape if step[0] != "Z"]
    _, (*_, x, y) = steps[-1]
    turned: list[Segment] = [("M", x, y)]
    for (_, before), (kind, numbers) in zip(reversed(steps[:-1]), reversed(steps[1:]), strict=True):
        x, y = before[-2:]
        if kind == "C":
            turned.append(("C", *numbers[2:4], *numbers[:2], x, y))
        else:
            turned.append(("L", x, y))
    return (*turned, ("Z",))


_URL = re.compile(r"""url\(\s*(["']?)#([^"')\s]{1,200})\1\s*\)\s*(.*)""", re.DOTALL)
_MAX_GRADIENT_DEPTH = 20
_MAX_STOPS = 100
_TOLERANCE = 1e-6
"""The relative difference below which scales count as equal."""
_BAR = {"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"}
_DISK = {"cx": "50%", "cy": "50%", "r": "50%"}


class PaintServer(NamedTuple):
    """A gradient as a drawing defines it.

    Attributes:
        boxed: whether its coordinates are relative to the bounding box of the shape.
        matrix: its own transform.
        numbers: x1, y1, x2, y2; or cx, cy, r of a radial gradient.
        opacity: the common opacity of its stops.
    """

    boxed: bool
    matrix: Matrix
    numbers: tuple[float, ...]
    stops: tuple[tuple[float, str], ...]
    opacity: float = 1


class Definitions:
    """A drawing's definitions by id, read on demand."""

    def __init__(self, root: Node, view: Size, palette: Palette) -> None:
        """Use the definitions below `root`."""
        self._root, self._view, self._palette = root, view, palette
        self._servers: dict[str, PaintServer] = {}

    def paint(self, text: str, name: str) -> tuple[PaintServer | str | None, float]:
        """Return the paint that `url(#id)` refers to: a gradient, a color or None; and its opacity.

        Raises:
            RefusedError: if there is no such gradient.
            DrawingError: if it is not supported.
        """
        match = _URL.fullmatch(text)
        if match is None:
            raise refusal(name, text, "a paint that cannot be drawn", "write `url(#id)`")
        node = self._paths_by_id.get(match[2], (None,))[-1]
        if node is None and match[3]:
            return (None, 0) if match[3].lower() == "none" else parse_color(match[3], name)
        tag = _tag(node) if node else ""
        if node is None or tag not in _GRADIENTS:
            raise self._missing(text, name, match[2], _GRADIENTS, tag)
        if match[2] not in self._servers:
            with locating(node):
                self._servers[match[2]] = self._server(node, match[2])
        server = self._servers[match[2]]
        numbers, stops = server.numbers, server.stops
        if not stops or not server.opacity:
            return None, 0
        still = numbers[:2] == numbers[2:] if len(numbers) > _RADIAL_NUMBERS else not numbers[2]
        return stops[-1][1] if still or len(stops) == 1 else server, server.opacity

    def clip(self, text: str, name: str) -> Node:
        """Return the `clipPath` that `url(#id)` refers to."""
        match = _URL.fullmatch(text)
        if match is None or match[3]:
            raise refusal(name, text, "which cannot be drawn", "write `url(#id)` or `none`")
        node = self._paths_by_id.get(match[2], (None,))[-1]
        if node is None or _tag(node) != "clipPath":
            raise self._missing(text, name, match[2], {"clipPath"}, _tag(node) if node else "")
        return node

    def style(self, node: Node) -> CssStyle:
        """Return the style that a definition inherits."""
        way = self._paths_by_id[node.get("id") or ""]
        style, names = INITIAL, PROPERTIES.keys() | {"style"}
        for index, around in enumerate(way[:-1]):
            given = {name: text for name, text in around.attributes.items() if name in names}
            with locating(around):
                style = compute_style("g", given, style, () if index else self._palette)
        return style

    def _missing(self, text: str, name: str, target: str, tags: set[str], tag: str) -> RefusedError:
        if tag:
            return refusal(name, text, f"but `{target}` is a `{tag}`, which cannot be drawn")
        ids = (given for given, way in self._paths_by_id.items() if _tag(way[-1]) in tags)
        kind = "`clipPath`" if "clipPath" in tags else "gradient"
        why = f"but there is no {kind} with this id"
        return refusal(name, text, why, nearest_hint(target, sorted(ids)))

    @cached_property
    def _paths_by_id(self) -> dict[str, tuple[Node, ...]]:
        """Elements by id, each with its ancestors; the first of equal ids wins."""
        paths: dict[str, tuple[Node, ...]] = {}
        waiting: list[tuple[Node, ...]] = [(self._root,)]
        while waiting:
            way = waiting.pop()
            paths.setdefault(way[-1].get("id") or "", way)
            waiting += [(*way, child) for child in reversed(way[-1].children)]
        paths.pop("", None)
        return paths

    def _server(self, node: Node, target: str) -> PaintServer:
        chain, seen = [node], {target}  # the gradient and those from which it inherits
        while (href := link_of(chain[-1])) is not None:
            target = href.strip().removeprefix("#")
            way = self._paths_by_id.get(target)
            if not href.strip().startswith("#") or way is None or _tag(way[-1]) not in _GRADIENTS:
                raise refusal("href", href, "which is not a gradient in this drawing")
            if target in seen or len(chain) > _MAX_GRADIENT_DEPTH:
                raise refusal("href", href, "which makes the gradient refer to itself")
            seen.add(target)
            chain.append(way[-1])
        for part in chain:
            _check_part_style(part, self.style(part))
        given: dict[str, str] = {}
        for part in reversed(chain):
            names = _SHARED_ATTRIBUTES | (_OWN_ATTRIBUTES if _tag(part) == _tag(node) else set())
            given |= {name: text for name, text in part.attributes.items() if name in names}
        units = given.get("gradientUnits", "objectBoundingBox")
        if units not in {"objectBoundingBox", "userSpaceOnUse"}:
            raise refusal("gradientUnits", units, "which cannot be read")
        if given.get("spreadMethod", "pad") != "pad":
            hint = "repeat the stops of the gradient instead"
            raise refusal("spreadMethod", given["spreadMethod"], "which cannot be drawn", hint)
        boxed = units == "objectBoundingBox"
        measures = _BAR if _tag(node) == "linearGradient" else _DISK
        whole = (1.0, 1.0, 1.0) if boxed else (*self._view, diagonal(self._view))
        numbers = tuple(
            parse_length(given.get(name, usual), name, whole[_AXIS[name]])
            for name, usual in measures.items()
        )
        if _tag(node) == "radialGradient":
            for name, usual in {"fx": numbers[0], "fy": numbers[1], "fr": 0.0}.items():
                if name in given:
                    focus = parse_length(given[name], name, whole[_AXIS[name]])
                    if abs(focus - usual) > _TOLERANCE:
                        hint = "let the gradient start at its center"
                        raise refusal(name, given[name], "which cannot be drawn", hint)
            if numbers[2] < 0:
                raise refusal("r", given["r"], "less than 0")
        transform = {"transform": given.get("gradientTransform", "none")}
        matrix = transform_matrix(CssStyle({}, transform), self._view)
        stops = next((stops for part in chain if (stops := tuple(self._stops(part)))), ())
        opacity = stops[0][2] if stops else 1
        return PaintServer(boxed, matrix, numbers, tuple(stop[:2] for stop in stops), opacity)

    def _stops(self, node: Node) -> Iterator[tuple[float, str, float]]:
        """Yield the stops of a gradient at non-decreasing offsets from 0 to 1."""
        nodes = [child for child in node.children if _tag(child) == "stop"]
        if not nodes:
            return
        if len(nodes) > _MAX_STOPS:
            raise RefusedError(f"the gradient has more than {_MAX_STOPS} stops")
        around = compute_style(_tag(node), node.attributes, self.style(node))
        last, first = 0.0, -1.0
        for child in nodes:
            with locating(child):
                style = _check_part_style(child, around)
                at = max(last, parse_share(child.get("offset") or "0", "offset"))
                text, name = style.get("stop-color"), "stop-color"
                if text.lower() == "currentcolor":
                    text, name = style.get("color"), "color"
                shown, opacity = parse_color(text, name)
                opacity *= parse_share(style.get("stop-opacity"), "stop-opacity")
                first = opacity if first < 0 else first
                if opacity != first:
                    message = "`stop-opacity` differs from stop to stop, which cannot be drawn"
                    raise RefusedError(message, None, "mix its color with the one below it")
            yield at, shown, opacity
            last = at


_GRADIENTS = {"linearGradient", "radialGradient"}
_RADIAL_NUMBERS = 3
_SHARED_ATTRIBUTES = {"gradientUnits", "gradientTransform", "spreadMethod"}
_OWN_ATTRIBUTES = {"x1", "y1", "x2", "y2", "cx", "cy", "r", "fx", "fy", "fr"}
_AXIS = {"x1": 0, "x2": 0, "cx": 0, "fx": 0, "y1": 1, "y2": 1, "cy": 1, "fy": 1, "r": 2, "fr": 2}
_WITHOUT_EFFECT = {"transform": "none", "clip-path": "none", "transform-origin": "0 0"}


def fill_with_gradient(
    outline: Outline, server: PaintServer, matrix: Matrix, box: Outline, *, even_odd: bool
) -> FillPath | Group:
    """Return the op that fills an outline on the canvas with a gradient.

    An elliptic gradient needs a group. Its matrix never enlarges, so that the usual rounding
    suffices for its content.

    Args:
        matrix: from the coordinates of the shape to those of the canvas.
        box: the outline whose bounding box the gradient refers to, in the coordinates of the shape.
    """
    if server.boxed:
        around = outlines.tight_bounds(box)
        matrix = multiply(matrix, (around.width, 0, 0, around.height, around.x, around.y))
    matrix = multiply(matrix, server.matrix)
    a, b, c, d, *_ = matrix
    area, squares = abs(a * d - b * c), a * a + b * b + c * c + d * d
    if not area > _TOLERANCE * _TOLERANCE * squares:
        raise RefusedError("the gradient of the `fill` has no area", "fill")
    numbers, level = server.numbers, None
    if len(numbers) > _RADIAL_NUMBERS:
        start, end = transform_point(matrix, *numbers[:2]), transform_point(matrix, *numbers[2:])
        # Colors are constant along lines normal to the gradient vector. The matrix may skew these,
        # so the end is projected onto the perpendicular of the transformed lines.
        x, y = numbers[1] - numbers[3], numbers[2] - numbers[0]
        across = (a * x + c * y, b * x + d * y)
        way = end[0] - start[0], end[1] - start[1]
        part = (way[0] * across[1] - way[1] * across[0]) / (across[0] ** 2 + across[1] ** 2)
        end = start[0] + part * across[1], start[1] - part * across[0]
    else:
        cx, cy, r = numbers
        scale, level = _split_scale(matrix)
        if level is None:
            start = transform_point(matrix, cx, cy)
            end = start[0] + r * scale, start[1]
        else:
            start, end = (cx * scale, cy * scale), ((cx + r) * scale, cy * scale)
            outline = outlines.transform_outline(outline, _inverse(level))
    for value in (*(level or ()), *start, *end):
        _check_bounds(value)
    gradient = Gradient(start, end, server.stops, radial=len(numbers) == _RADIAL_NUMBERS)
    filled = FillPath(_check_outline(outline), gradient, even_odd)
    return filled if level is None else Group((filled,), level)


def _split_scale(matrix: Matrix) -> tuple[float, Matrix | None]:
    """Return by how much a matrix enlarges at most.

    If it depends on the direction, also return the matrix divided by it, which never enlarges.
    """
    a, b, c, d, e, f = matrix
    squares, area = a * a + b * b + c * c + d * d, abs(determinant(matrix))
    if squares - 2 * area <= _TOLERANCE * squares:
        return math.sqrt(area), None
    most = math.sqrt((squares + math.sqrt(max(squares * squares - 4 * area * area, 0))) / 2)
    return most, (a / most, b / most, c / most, d / most, e, f)


def _inverse(matrix: Matrix) -> Matrix:
    a, b, c, d, e, f = matrix
    area = a * d - b * c
    across, down = (c * f - d * e) / area, (b * e - a * f) / area
    return d / area, -b / area, -c / area, a / area, across, down


def _check_part_style(node: Node, around: CssStyle) -> CssStyle:
    """Return the style of a gradient or stop; an unsupported property is a RefusedError."""
    tag = _tag(node)
    style = compute_style(tag, node.attributes, around)
    for name, usual in _WITHOUT_EFFECT.items():
        if name in style.own and style.own[name].lower() != usual:
            raise refusal(name, style.own[name], f"which cannot be drawn for a `{tag}`")
    return style


def _tag(node: Node) -> str:
    return split_tag(node.tag)[1]


_RULES = ("nonzero", "evenodd")
_ORDER = ["fill", "stroke", "markers"]

_TOO_LARGE = "a number is too large"


def paint_outline(
    outline: Outline, style: CssStyle, matrix: Matrix, view: Size, definitions: Definitions
) -> Iterator[Op]:
    """Yield the ops that paint an outline; an unsupported paint is a RefusedError.

    Args:
        matrix: from the outline's coordinates to those of the canvas.
        view: the size of the view box, for percentages.
    """
    if not outline or not _is_visible(style) or not matrix[0] * matrix[3] - matrix[1] * matrix[2]:
        return
    shape = _Shape(outline, matrix)
    for what in _order(style):
        opacity = 0.0 if what == "markers" else _opacity(style, what)
        paint, own = _paint(style, what, definitions) if opacity else (None, 0.0)
        if paint is not None:
            paint_with = _fill if what == "fill" else _stroke
            for op in paint_with(shape, style, paint, view):
                yield with_opacity(with_opacity(op, own), opacity)


class _Shape:
    """An outline, its parts, and the matrix from its coordinates to those of the canvas."""

    def __init__(self, outline: Outline, matrix: Matrix) -> None:
        self.outline, self.matrix = outline, matrix
        self.parts = [*_split_parts(outline)]

    def join(self, parts: list[Outline]) -> Outline:
        """Return some of its parts as an outline, all of them as its own."""
        if len(parts) == len(self.parts):
            return self.outline
        return tuple(segment for part in parts for segment in part)

    def place(self, outline: Outline) -> Outline:
        """Return an outline on the canvas; its fill and its stroke share their own."""
        return self._placed if outline is self.outline else _transform_checked(outline, self.matrix)

    @cached_property
    def _placed(self) -> Outline:
        return _transform_checked(self.outline, self.matrix)


def with_opacity(op: Op, opacity: float) -> Op:
    """Return an op with an opacity."""
    if opacity == 1:
        return op
    if isinstance(op, Group):
        return op._replace(opacity=op.opacity * opacity)
    return Group((op,), opacity=opacity)


def _is_visible(style: CssStyle) -> bool:
    return _choice(style, "visibility", ("visible", "hidden", "collapse")) == 0


def _order(style: CssStyle) -> list[str]:
    """Return the order in which fill, stroke and markers are painted."""
    text = style.get("paint-order")
    words = text.lower().split()
    if words == ["normal"]:
        return _ORDER
    if not words or not set(words) <= set(_ORDER) or len(set(words)) < len(words):
        raise refusal("paint-order", text, "which cannot be read")
    return [*words, *(what for what in _ORDER if what not in words)]


def _fill(
    shape: _Shape, style: CssStyle, paint: str | PaintServer, _: Size
) -> Iterator[FillPath | Group]:
    if solid := shape.join([part for part in shape.parts if not _is_flat(part)]):
        even_odd, placed = _choice(style, "fill-rule", _RULES) == 1, shape.place(solid)
        if isinstance(paint, PaintServer):
            yield fill_with_gradient(placed, paint, shape.matrix, shape.outline, even_odd=even_odd)
        else:
            yield FillPath(placed, paint, even_odd)


def _stroke(shape: _Shape, style: CssStyle, paint: str | PaintServer, view: Size) -> Iterator[Op]:
    pen = _pen(style, view)
    if not pen.width:
        return
    if isinstance(paint, PaintServer):
        hint = "convert the line to a shape, and fill that"
        raise refusal("stroke", style.get("stroke"), "a gradient, which can only fill shapes", hint)
    folds = [() if pen.dashes else _fold_line(part) for part in shape.parts]
    usual = [p for p, fold in zip(shape.parts, folds, strict=True) if not (fold or _is_point(p))]
    if line := shape.join([part for part in usual if len(part) > 1]):
        yield _stroke_line(line, paint, pen, shape)
    if line := tuple(segment for fold in folds for segment in fold):
        # A fold is a corner of 180 degrees: round or cut off. PDF viewers draw caps instead.
        turned = pen._replace(cap=int(pen.join == 1))
        yield _stroke_line(line, paint, turned, shape)
    half = pen.width / 2
    for part in filter(_is_point, shape.parts) if pen.cap else ():
        x, y = _points(part)[0]
        if pen.cap == CAPS.index("round"):
            dot = outlines.ellipse(x, y, half, half)
        else:
            dot = outlines.rectangle(x - half, y - half, pen.width, pen.width)
        yield FillPath(shape.place(dot), paint)


class _Pen(NamedTuple):
    """The properties of a line, with the values of `StrokePath`."""

    width: float
    cap: int
    join: int
    miter: float
    dashes: tuple[float, ...] = ()
    offset: float = 0

    def on(self, line: Outline, paint: str, scale: float) -> StrokePath:
        """Return the op that draws a line with these properties, enlarged."""
        dashes = tuple(_check_bounds(dash * scale) for dash in self.dashes)
        wide, offset = _check_bounds(self.width * scale), _check_bounds(self.offset * scale)
        return StrokePath(line, paint, wide, *self[1:4], dashes, offset)


def _pen(style: CssStyle, view: Size) -> _Pen:
    text, whole = style.get("stroke-width"), diagonal(view)
    width = parse_length(text, "stroke-width", whole)
    if width < 0:
        raise refusal("stroke-width", text, "less than 0")
    dashes, offset = tuple[float, ...](), 0.0
    text = style.get("stroke-dasharray")
    if text.lower() != "none":
        parts = re.split(rf"[{SPACE}]*,[{SPACE}]*|[{SPACE}]+", text.strip(SPACE))
        dashes = tuple(parse_length(part, "stroke-dasharray", whole) for part in parts)
        if min(dashes) < 0:
            raise refusal("stroke-dasharray", text, "less than 0")
        if len(dashes) > _MAX_DASHES:
            raise refusal("stroke-dasharray", text, f"more than {_MAX_DASHES} lengths")
        dashes *= 1 + len(dashes) % 2
        if not any(dashes):
            dashes = ()
        else:
            offset = parse_length(style.get("stroke-dashoffset"), "stroke-dashoffset", whole)
            offset %= sum(dashes)
    cap = _choice(style, "stroke-linecap", CAPS)
    join = _choice(style, "stroke-linejoin", JOINS)
    miter = parse_number(style.get("stroke-miterlimit"), "stroke-miterlimit")
    if miter < 1:
        raise refusal("stroke-miterlimit", style.get("stroke-miterlimit"), "less than 1")
    return _Pen(width, cap, join, miter, dashes, offset)


_MAX_DASHES = 100


def _stroke_line(line: Outline, paint: str, pen: _Pen, shape: _Shape) -> Op:
    """Return the op that strokes a line, in a group if its width depends on the direction.

    The group's matrix never enlarges, so that the usual rounding suffices for its content.
    """
    scale, level = _split_scale(shape.matrix)
    if level is None:
        return pen.on(shape.place(line), paint, scale)
    return Group((pen.on(_transform_checked(line, scaling(scale)), paint, scale),), level)


def _transform_checked(outline: Outline, matrix: Matrix) -> Outline:
    return _check_outline(outlines.transform_outline(outline, matrix))


def _check_outline(outline: Outline) -> Outline:
    """Return an outline after checking that its numbers are in bounds."""
    least, most = -MAX_COORDINATE, MAX_COORDINATE
    for segment in outline:  # unrolled for speed: drawings have many thousands
        for value in segment[1:]:
            if not least <= value <= most:
                raise RefusedError(_TOO_LARGE)
    return outline


def _check_bounds(value: float) -> float:
    if not abs(value) <= MAX_COORDINATE:
        raise RefusedError(_TOO_LARGE)
    return value


def _opacity(style: CssStyle, what: str) -> float:
    """Return the opacity of a fill or stroke."""
    name = f"{what}-opacity"
    return parse_share(style.get(name), name)


def _paint(
    style: CssStyle, what: str, definitions: Definitions
) -> tuple[str | PaintServer | None, float]:
    """Return the paint of a fill or stroke and its opacity; None if it is invisible."""
    text, name = style.get(what), what
    if text.lower() == "none":
        return None, 0
    if text.lower() == "currentcolor":
        text, name = style.get("color"), "color"
    if text.startswith("url("):
        return definitions.paint(text, name)
    shown, opacity = parse_color(text, name)
    return (shown if opacity else None), opacity


def _choice(style: CssStyle, name: str, known: tuple[str, ...]) -> int:
    """Return the index of a property's value among the known ones."""
    value = style.get(name).lower().strip(SPACE)
    if value not in known:
        raise refusal(name, style.get(name), "which cannot be drawn")
    return known.index(value)


def _split_parts(outline: Outline) -> Iterator[Outline]:
    """Yield the parts of an outline, each of which starts with a move."""
    start = 0
    for index, segment in enumerate(outline):
        if segment[0] == "M" and index > start:
            yield outline[start:index]
            start = index
    yield outline[start:]


def _is_point(part: Outline) -> bool:
    """Return whether a part has no length; a mere move is not drawn at all."""
    return len(part) > 1 and len(set(_points(part))) == 1


def _fold_line(part: Outline) -> Outline:
    """Return the line of a closed part that only goes there and back, or else nothing."""
    if part[-1][0] == "Z" and all(segment[0] != "C" for segment in part):
        first, *others = dict.fromkeys(_points(part))
        if len(others) == 1:
            return ("M", *first), ("L", *others[0])
    return ()


def _is_flat(part: Outline) -> bool:
    """Return whether a part has no area: all of its points lie on one line.

    PDF fills such a part with a hairline, browsers draw nothing.
    """
    x0, y0 = map(float, part[0][1:])
    dx = dy = 0.0
    for _, *points in part:
        for x, y in zip(points[::2], points[1::2], strict=True):
            x, y = x - x0, y - y0  # noqa: PLW2901 - as seen from the start
            if not dx and not dy:
                dx, dy = x, y
            elif abs(dx * y - dy * x) > _TOLERANCE * (abs(dx) + abs(dy)) * (abs(x) + abs(y)):
                return False
    return True


def _points(part: Outline) -> list[tuple[float, float]]:
    """Return all points of a part, control points included."""
    numbers = [float(number) for segment in part for number in segment[1:]]
    return list(zip(numbers[::2], numbers[1::2], strict=True))
