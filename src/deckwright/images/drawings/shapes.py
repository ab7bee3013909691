"""Basic shapes and paths as outlines, in the coordinates of their element.

After SVG 2, "Basic Shapes" (https://www.w3.org/TR/SVG2/shapes.html).
"""

from __future__ import annotations

import math

from deckwright.images.drawings.css import CssStyle, Size
from deckwright.images.drawings.model import parse_length, parse_numbers, refusal
from deckwright.ops import outlines
from deckwright.ops.model import Outline
from deckwright.ops.outlines import read_path
from deckwright.xmlio.node import Node

_AXES = {"x": 0, "cx": 0, "x1": 0, "x2": 0, "width": 0, "rx": 0,
         "y": 1, "cy": 1, "y1": 1, "y2": 1, "height": 1, "ry": 1}  # fmt: skip
_SIZES = {"width", "height", "r", "rx", "ry"}


def diagonal(view: Size) -> float:
    """Return the reference of percentages that are neither horizontal nor vertical."""
    return math.hypot(*view) / math.sqrt(2)


def measure(name: str, style: CssStyle, view: Size) -> float | None:
    """Return a length of a shape, None for `auto`.

    Raises:
        RefusedError: if it is malformed, or a negative size.
    """
    text = style.get(name)
    if text.lower() == "auto" and (name in style.css or name not in style.own):
        return None
    whole = view[_AXES[name]] if name in _AXES else diagonal(view)
    value = parse_length(text, name, whole, css=name in style.css)
    if value < 0 and name in _SIZES:
        raise refusal(name, text, "less than 0")
    return value


def shape_outline(tag: str, node: Node, style: CssStyle, view: Size) -> Outline:
    """Return the outline of a shape; empty if SVG does not draw it.

    Raises:
        RefusedError: if an attribute is malformed.
    """
    if tag == "path":
        data = node.get("d") or ""
        drawn, right = read_path(data)
        if not right and all(segment[0] == "M" for segment in drawn):
            raise refusal("d", data, "which is not path data")
        return drawn
    if tag in {"polyline", "polygon"}:
        text = node.get("points") or ""
        found, right = parse_numbers(text)
        points = list(zip(found[::2], found[1::2], strict=False))  # a left-over number is ignored
        if not right or not all(map(math.isfinite, found)) or len(found) in {1, 3}:
            raise refusal("points", text, "not pairs of numbers")
        drawn = outlines.polygon(points) if points else ()
        return drawn if tag == "polygon" else drawn[:-1]
    if tag == "line":
        x1, y1, x2, y2 = (
            parse_length(node.get(name) or "0", name, view[_AXES[name]])
            for name in ("x1", "y1", "x2", "y2")
        )
        return ("M", x1, y1), ("L", x2, y2)

    def length(name: str) -> float | None:
        return measure(name, style, view)

    if tag == "rect":
        width, height = length("width") or 0, length("height") or 0
        rx, ry = _radii(length("rx"), length("ry"))
        if not width or not height:
            return ()
        return outlines.rectangle(length("x") or 0, length("y") or 0, width, height, rx, ry)
    rx, ry = (length("r") or 0,) * 2 if tag == "circle" else _radii(length("rx"), length("ry"))
    return outlines.ellipse(length("cx") or 0, length("cy") or 0, rx, ry) if rx and ry else ()


def _radii(rx: float | None, ry: float | None) -> tuple[float, float]:
    """Return two radii; one that is `auto` equals the other."""
    return (ry or 0 if rx is None else rx), (rx or 0 if ry is None else ry)
