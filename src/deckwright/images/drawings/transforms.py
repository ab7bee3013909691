"""Transforms: of attributes and of CSS, and where they turn about.

After CSS Transforms Level 1 (https://www.w3.org/TR/css-transforms-1/).
"""

from __future__ import annotations

import math
import re

from deckwright.base.geometry import IDENTITY, Matrix, shifted, times
from deckwright.images.drawings.style import Style
from deckwright.images.drawings.values import angle, length, number, numbers, refusal
from deckwright.ops.pathdata import SPACE

Size = tuple[float, float]

_ONE = re.compile(rf"[{SPACE}]*+,?+[{SPACE}]*+([a-zA-Z]{{1,10}})[{SPACE}]*+\(([^()]{{0,300}})\)")
_COUNTS = {"matrix": {6}, "translate": {1, 2}, "scale": {1, 2}, "rotate": {1, 3}, "skewX": {1},
           "skewY": {1}}  # fmt: skip
_CSS_COUNTS = {"matrix": {6}, "translate": {1, 2}, "translatex": {1}, "translatey": {1},
               "scale": {1, 2}, "scalex": {1}, "scaley": {1}, "rotate": {1}, "skew": {1, 2},
               "skewx": {1}, "skewy": {1}}  # fmt: skip


def transform(style: Style, view: Size) -> Matrix:
    """Return the matrix of an element's own transform.

    Args:
        view: the size of the drawing's view box, which percentages are of.

    Raises:
        RefusedError: if it cannot be read.
    """
    css = "transform" in style.css
    matrix = matrix_of(style.get("transform"), view if css else None)
    if matrix == IDENTITY:
        return matrix
    x, y = _origin(style, view)
    return times(times(shifted(x, y), matrix), shifted(-x, -y)) if x or y else matrix


def matrix_of(text: str, css: Size | None = None) -> Matrix:
    """Return the matrix of a list of transforms.

    Args:
        css: where a style says it, whose language is another one, the size of the view box.

    Raises:
        RefusedError: if it cannot be read.
    """
    text = text.strip(SPACE)
    if text.lower() in {"", "none"}:
        return IDENTITY
    matrix, at = IDENTITY, 0
    while at < len(text):
        found = _ONE.match(text, at)
        if found is None or ("," in text[at : found.start(1)] and (css or not at)):
            raise refusal("transform", text, "which cannot be read")
        step = _css_step(found[1].lower(), found[2], css) if css else _step(found[1], found[2])
        matrix = times(matrix, step)
        at = found.end()
    if not all(map(math.isfinite, matrix)):
        raise refusal("transform", text, "which is too large")
    return matrix


def _step(name: str, inside: str) -> Matrix:
    """Return the matrix of a transform function of an attribute."""
    values, right = numbers(inside)
    if not right or len(values) not in _COUNTS.get(name, ()):
        raise refusal("transform", f"{name}({inside})", "which cannot be read")
    if not all(map(math.isfinite, values)):
        raise refusal("transform", f"{name}({inside})", "which is too large")
    match name:
        case "translate":
            return shifted(values[0], (*values, 0)[1])
        case "scale":
            return values[0], 0, 0, values[-1], 0, 0
        case "rotate":
            return _rotation(*values)
        case "skewX":
            return _skew(values[0], 0)
        case "skewY":
            return _skew(0, values[0])
    return (*values,)  # type: ignore[return-value]


def _css_step(name: str, inside: str, view: Size) -> Matrix:
    """Return the matrix of a transform function of CSS."""
    parts = inside.split(",")
    if len(parts) not in _CSS_COUNTS.get(name, ()):
        raise refusal("transform", f"{name}({inside})", "which cannot be drawn")
    kind, axis = (name[:-1], name[-1]) if name[-1] in "xy" else (name, "")
    match kind:
        case "translate":
            sides = (view[axis == "y"],) if axis else view
            moves = [
                length(part, "transform", side, css=True)
                for part, side in zip(parts, sides, strict=False)
            ]
            x, y = (0, moves[0]) if axis == "y" else (moves[0], (*moves, 0)[1])
            return shifted(x, y)
        case "scale":
            scales = [number(part, "transform") for part in parts]
            if axis:
                scales = [scales[0], 1] if axis == "x" else [1, scales[0]]
            return scales[0], 0, 0, scales[-1], 0, 0
        case "rotate":
            return _rotation(angle(parts[0], "transform"))
        case "skew":
            angles = [angle(part, "transform") for part in parts]
            return _skew(0, angles[0]) if axis == "y" else _skew(angles[0], (*angles, 0)[1])
    return (*(number(part, "transform") for part in parts),)  # type: ignore[return-value]


def _rotation(degrees: float, cx: float = 0, cy: float = 0) -> Matrix:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (cos, sin, -sin, cos, cx - cos * cx + sin * cy, cy - sin * cx - cos * cy)


def _skew(across: float, down: float) -> Matrix:
    return 1, math.tan(math.radians(down)), math.tan(math.radians(across)), 1, 0, 0


_SIDES = {"left": (0, "0%"), "right": (0, "100%"), "top": (1, "0%"), "bottom": (1, "100%")}


def _origin(style: Style, view: Size) -> tuple[float, float]:
    """Return the point that a transform leaves where it is."""
    text = style.get("transform-origin")
    parts = text.lower().split()
    sides = [_SIDES.get(part) for part in parts]
    # Where both say a side, each may come first; a length is across where it comes first.
    turned = any(side and side[0] != index for index, side in enumerate(sides))
    words = all(side or part == "center" for side, part in zip(sides, parts, strict=True))
    axes = [side[0] for side in sides if side]
    if len(parts) not in {1, 2} or (turned and not words) or len(set(axes)) < len(axes):
        raise refusal("transform-origin", text, "which cannot be read")
    places = ["50%", "50%"]
    for index, (part, named) in enumerate(zip(parts, sides, strict=True)):
        places[index ^ turned] = named[1] if named else part.replace("center", "50%")
    css = "transform-origin" in style.css
    x, y = (
        length(place, "transform-origin", side, css=css)
        for place, side in zip(places, view, strict=True)
    )
    return x, y
