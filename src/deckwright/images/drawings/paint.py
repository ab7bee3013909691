"""Fills and strokes: from an outline and its style to ops.

After SVG 2, "Painting" (https://www.w3.org/TR/SVG2/painting.html).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from deckwright.base.geometry import IDENTITY, Matrix, determinant, scaled
from deckwright.images.drawings.gradients import Definitions, Server, filled
from deckwright.images.drawings.model import RefusedError
from deckwright.images.drawings.shapes import diagonal
from deckwright.images.drawings.style import Style
from deckwright.images.drawings.transforms import Size
from deckwright.images.drawings.values import (
    FARTHEST,
    length,
    number,
    refusal,
    share,
    tint,
)
from deckwright.ops import outlines
from deckwright.ops.model import CAPS, JOINS, FillPath, Gradient, Group, Op, Outline, StrokePath
from deckwright.ops.pathdata import SPACE

_RULES = ("nonzero", "evenodd")
_ORDER = ["fill", "stroke", "markers"]
_ALIKE = 1e-6
"""By how much two scales differ at least, of their size, to be two."""

_TOO_LARGE = "a number is too large"


class Sheet(NamedTuple):
    """What a drawing's shapes are painted with.

    Attributes:
        view: the size of the view box, which percentages are of.
        definitions: what paints refer to.
    """

    view: Size
    definitions: Definitions


def painted(outline: Outline, style: Style, matrix: Matrix, sheet: Sheet) -> Iterator[Op]:
    """Yield what paints an outline.

    Args:
        matrix: from the outline's coordinates to those of the canvas.

    Raises:
        RefusedError: if a paint cannot be drawn.
    """
    if not outline or not _seen(style) or not matrix[0] * matrix[3] - matrix[1] * matrix[2]:
        return
    paints = {"fill": _fill, "stroke": _stroke}
    for what in _order(style):
        if what in paints:
            opacity = _opacity(style, what)
            for op in paints[what](outline, style, matrix, sheet) if opacity else ():
                yield translucent(op, opacity)


def translucent(op: Op, opacity: float) -> Op:
    """Return an op with an opacity."""
    if opacity == 1:
        return op
    if isinstance(op, Group):
        return op._replace(opacity=op.opacity * opacity)
    return Group((op,), opacity=opacity)


def _seen(style: Style) -> bool:
    return _choice(style, "visibility", ("visible", "hidden", "collapse")) == 0


def _order(style: Style) -> list[str]:
    """Return what is painted first, second and last."""
    text = style.get("paint-order")
    words = text.lower().split()
    if words == ["normal"]:
        return _ORDER
    if not words or not set(words) <= set(_ORDER) or len(set(words)) < len(words):
        raise refusal("paint-order", text, "which cannot be read")
    return [*words, *(what for what in _ORDER if what not in words)]


def _fill(outline: Outline, style: Style, matrix: Matrix, sheet: Sheet) -> Iterator[Op]:
    paint, opacity = _paint(style, "fill", sheet)
    solid = tuple(segment for part in _parts(outline) if not _is_flat(part) for segment in part)
    if paint is not None and solid:
        even_odd = _choice(style, "fill-rule", _RULES) == 1
        placed = _placed(solid, matrix)
        if isinstance(paint, Server):
            shaded = _checked(filled(placed, paint, matrix, outline, even_odd=even_odd))
            yield translucent(shaded, opacity)
        else:
            yield translucent(FillPath(placed, paint, even_odd), opacity)


def _checked(op: Op) -> Op:
    """Return an op with a gradient, of which all numbers can be drawn."""
    if isinstance(op, Group):
        for value in (*(op.matrix or ()), op.opacity):
            _bounded(value)
        _checked(op.ops[0])
    assert isinstance(op, Group | FillPath)
    if isinstance(op, FillPath):
        assert isinstance(op.color, Gradient)
        for value in (*op.color.start, *op.color.end):
            _bounded(value)
        _placed(op.outline, IDENTITY)
    return op


def _stroke(outline: Outline, style: Style, matrix: Matrix, sheet: Sheet) -> Iterator[Op]:
    paint, opacity = _paint(style, "stroke", sheet)
    if paint is None:
        return
    pen = _pen(style, sheet.view)
    if not pen.width:
        return
    if isinstance(paint, Server):
        hint = "turn the line into a shape, and fill that"
        raise refusal("stroke", style.get("stroke"), "a gradient, which only fills", hint)
    parts = list(_parts(outline))
    folds = [() if pen.dashes else _folded(part) for part in parts]
    usual = [p for p, fold in zip(parts, folds, strict=True) if not (fold or _is_point(p))]
    if line := tuple(segment for part in usual if len(part) > 1 for segment in part):
        yield translucent(_stroked(line, paint, pen, matrix), opacity)
    if line := tuple(segment for fold in folds for segment in fold):
        # Corners that sharp are round or cut off. Programs that show PDF draw ends instead.
        turned = pen._replace(cap=int(pen.join == 1))
        yield translucent(_stroked(line, paint, turned, matrix), opacity)
    if pen.cap:
        for part in filter(_is_point, parts):
            yield translucent(FillPath(_placed(_dot(part, pen), matrix), paint), opacity)


class _Pen(NamedTuple):
    """How a line is drawn; the numbers are those of `StrokePath`."""

    width: float
    cap: int
    join: int
    miter: float
    dashes: tuple[float, ...] = ()
    offset: float = 0

    def on(self, line: Outline, paint: str, scale: float) -> StrokePath:
        """Return the op that draws a line with it, enlarged."""
        dashes = tuple(_bounded(dash * scale) for dash in self.dashes)
        wide, offset = _bounded(self.width * scale), _bounded(self.offset * scale)
        return StrokePath(line, paint, wide, *self[1:4], dashes, offset)


def _pen(style: Style, view: Size) -> _Pen:
    text = style.get("stroke-width")
    width = length(text, "stroke-width", diagonal(view))
    if width < 0:
        raise refusal("stroke-width", text, "less than 0")
    dashes, offset = _dashes(style, view)
    cap = _choice(style, "stroke-linecap", CAPS)
    join = _choice(style, "stroke-linejoin", JOINS)
    miter = number(style.get("stroke-miterlimit"), "stroke-miterlimit")
    if miter < 1:
        raise refusal("stroke-miterlimit", style.get("stroke-miterlimit"), "less than 1")
    return _Pen(width, cap, join, miter, dashes, offset)


def _dashes(style: Style, view: Size) -> tuple[tuple[float, ...], float]:
    """Return the lengths of dashes and gaps, none for a whole line, and where in them it begins."""
    text = style.get("stroke-dasharray")
    if text.lower() == "none":
        return (), 0
    parts = re.split(rf"[{SPACE}]*,[{SPACE}]*|[{SPACE}]+", text.strip(SPACE))
    lengths = tuple(length(part, "stroke-dasharray", diagonal(view)) for part in parts)
    if min(lengths) < 0:
        raise refusal("stroke-dasharray", text, "less than 0")
    if len(lengths) > _MOST_DASHES:
        raise refusal("stroke-dasharray", text, f"more than {_MOST_DASHES} lengths")
    lengths *= 1 + len(lengths) % 2
    whole = sum(lengths)
    if not whole:
        return (), 0
    offset = length(style.get("stroke-dashoffset"), "stroke-dashoffset", diagonal(view))
    return lengths, offset % whole


_MOST_DASHES = 100


def _stroked(line: Outline, paint: str, pen: _Pen, matrix: Matrix) -> Op:
    """Return the op that strokes a line, in a group where that is wider in one direction.

    The group never enlarges, so that what is in it can be rounded as anything else.
    """
    a, b, c, d, e, f = matrix
    squares, area = a * a + b * b + c * c + d * d, abs(determinant(matrix))
    if squares - 2 * area <= _ALIKE * squares:
        return pen.on(_placed(line, matrix), paint, math.sqrt(area))
    most = math.sqrt((squares + math.sqrt(squares * squares - 4 * area * area)) / 2)
    inner = pen.on(_placed(line, scaled(most)), paint, most)
    return Group((inner,), (a / most, b / most, c / most, d / most, e, f))


def _placed(outline: Outline, matrix: Matrix) -> Outline:
    moved = outlines.transformed(outline, matrix)
    for segment in moved:  # written out, for drawings have many thousands
        for value in segment[1:]:
            if not -FARTHEST <= value <= FARTHEST:
                raise RefusedError(_TOO_LARGE)
    return moved


def _bounded(value: float) -> float:
    if not abs(value) <= FARTHEST:
        raise RefusedError(_TOO_LARGE)
    return value


def _opacity(style: Style, what: str) -> float:
    """Return the opacity of a fill or stroke."""
    name = f"{what}-opacity"
    return share(style.get(name), name)


def _paint(style: Style, what: str, sheet: Sheet) -> tuple[str | Server | None, float]:
    """Return the paint of a fill or stroke and its opacity; None if nothing is seen of it."""
    text, name = style.get(what), what
    if text.lower() == "none":
        return None, 0
    if text.lower() == "currentcolor":
        text, name = style.get("color"), "color"
    if text.startswith("url("):
        return sheet.definitions.paint(text, name)
    shown, opacity = tint(text, name)
    return (shown if opacity else None), opacity


def _choice(style: Style, name: str, known: tuple[str, ...]) -> int:
    """Return the number of a property's value among those that are known."""
    value = style.get(name).lower().strip(SPACE)
    if value not in known:
        raise refusal(name, style.get(name), "which cannot be drawn")
    return known.index(value)


def _parts(outline: Outline) -> Iterator[Outline]:
    """Yield the parts of an outline, each of which begins with a move."""
    start = 0
    for index, segment in enumerate(outline):
        if segment[0] == "M" and index > start:
            yield outline[start:index]
            start = index
    yield outline[start:]


def _is_point(part: Outline) -> bool:
    """Return whether a part has no length; one that is only a move is nothing at all."""
    return len(part) > 1 and len(set(_points(part))) == 1


def _folded(part: Outline) -> Outline:
    """Return the line of a part that goes along one and back, and has no ends; else nothing."""
    if part[-1][0] == "Z" and all(segment[0] != "C" for segment in part):
        first, *others = dict.fromkeys(_points(part))
        if len(others) == 1:
            return ("M", *first), ("L", *others[0])
    return ()


def _is_flat(part: Outline) -> bool:
    """Return whether a part has no area: all of its points lie on one line.

    Printers draw a hair's breadth where such a thing is filled, browsers nothing.
    """
    x0, y0 = map(float, part[0][1:])
    dx = dy = 0.0
    for _, *points in part:
        for x, y in zip(points[::2], points[1::2], strict=True):
            x, y = x - x0, y - y0  # noqa: PLW2901 - as seen from the start
            if not dx and not dy:
                dx, dy = x, y
            elif abs(dx * y - dy * x) > _ALIKE * (abs(dx) + abs(dy)) * (abs(x) + abs(y)):
                return False
    return True


def _points(part: Outline) -> list[tuple[float, float]]:
    """Return all points of a part, control points included."""
    numbers = [float(number) for segment in part for number in segment[1:]]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _dot(part: Outline, pen: _Pen) -> Outline:
    """Return what the ends of a line without length look like."""
    x, y = _points(part)[0]
    width = pen.width
    if pen.cap == CAPS.index("round"):
        return outlines.ellipse(x, y, width / 2, width / 2)
    return outlines.rectangle(x - width / 2, y - width / 2, width, width)
