"""Read SVG drawings: the stated subset of SVG, as outlines.

Paths and basic shapes with plain fills and strokes, in groups, with transforms; no text, images,
gradients, clips, masks, filters, style sheets or references. What is not in the subset is refused
rather than drawn wrongly. After SVG 1.1, with `style` attributes read as presentation attributes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from deckwright.colors import NAMED_COLORS
from deckwright.diagnostics import Diagnostic
from deckwright.face import outlines
from deckwright.face.ops import Outline, Segment
from deckwright.guard import doing
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node

SVG = "{http://www.w3.org/2000/svg}"
Matrix = tuple[float, float, float, float, float, float]

# Nothing of `defs` is drawn unless something refers to it, and references are refused.
_IGNORED = {"title", "desc", "metadata", "defs"}
_SIZES = {"width", "height", "r", "rx", "ry", "stroke-width"}
_CAPS = ("butt", "round", "square")
_JOINS = ("miter", "round", "bevel")
_PAINT = ("stroke-linecap", "stroke-linejoin", "fill", "stroke", "stroke-width", "fill-rule")
_START: Mapping[str, str] = {"fill": "#000000", "stroke": "none", "stroke-width": "1"}
# What would change the picture and is not drawn, and the values of it that change nothing.
_REFUSED: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("opacity", "fill-opacity", "stroke-opacity"), frozenset({"1", "1.0"})),
    **dict.fromkeys(("clip-path", "mask", "filter", "stroke-dasharray"), frozenset({"none"})),
    "display": frozenset({"inline", "block"}),
    "visibility": frozenset({"visible"}),
}
MAX_SEGMENTS = 100_000
"""The most lines and curves of a drawing: it takes a second to read as many."""
_FARTHEST = 1e6
"""The largest number in a drawing, in its own units; one over it is the smallest side."""
_TRANSFORM = re.compile(r"\b([a-zA-Z]{1,9})\s{0,9}\(([^()]{0,200})\)")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")


class Shape(NamedTuple):
    """One painted outline of a drawing, in its view box's coordinates.

    Attributes:
        fill, stroke: `#rrggbb`, or None for no paint.
        even_odd: the rule that says what is inside.
        cap, join: how strokes end and turn, as in `StrokePath`.
    """

    outline: Outline
    fill: str | None
    stroke: str | None
    stroke_width: float
    even_odd: bool
    cap: int = 0
    join: int = 0


class Drawing(NamedTuple):
    """An SVG drawing with its origin at the top left of its view box."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


class DrawingError(Exception):
    """A drawing cannot be read. `findings` are of the file itself, where it is not even XML."""

    def __init__(self, message: str, findings: tuple[Diagnostic, ...] = ()) -> None:
        """Keep what is wrong."""
        super().__init__(message)
        self.findings = findings


def load_drawing(path: Path, modified_ns: int) -> Drawing:
    """Return the drawing in the file at `path`; each is read once.

    Args:
        modified_ns: when it was last changed, so that a change is seen.

    Raises:
        DrawingError: if it cannot be read or is not in the subset.
    """
    drawing = _loaded(path, modified_ns)
    if isinstance(drawing, DrawingError):
        raise DrawingError(str(drawing), drawing.findings)
    return drawing


@lru_cache(maxsize=512)
def _loaded(path: Path, _modified_ns: int) -> Drawing | DrawingError:
    """Return a drawing, or what is wrong with it: many cards may show it."""
    with doing(f"the drawing `{path.name}`", path):
        try:
            return _read(path)
        except DrawingError as error:
            return DrawingError(str(error), error.findings)


def _read(path: Path) -> Drawing:
    report: list[Diagnostic] = []
    loaded = load_document(path, report)
    if loaded is None:
        raise DrawingError(report[0].message, tuple(report))
    root, _ = loaded
    if root.tag.removeprefix(SVG) != "svg":
        message = f"line {root.source.at().line}: the root element is `{root.tag}`, not `svg`"
        raise DrawingError(message)
    x, y, width, height = _view_box(root)
    shapes: list[Shape] = []
    segments = 0
    for shape in _shapes(root, _own_paint(root, _START), (1, 0, 0, 1, -x, -y)):
        shapes.append(shape)
        segments += len(shape.outline) + 1
        if segments > MAX_SEGMENTS:
            message = f"it has more than {MAX_SEGMENTS:,} lines and curves"
            raise DrawingError(message)
    return Drawing(width, height, tuple(shapes))


def _view_box(root: Node) -> tuple[float, float, float, float]:
    given = root.get("viewBox")
    numbers = _numbers(given) if given else []
    if not numbers:
        sides = [_numbers(root.get(name) or "") for name in ("width", "height")]
        if all(len(side) == 1 for side in sides):
            numbers = [0, 0, sides[0][0], sides[1][0]]
    sized = len(numbers) == 4 and numbers[2] > 0 and numbers[3] > 0  # noqa: PLR2004 - x, y, w, h
    if not sized or not all(map(math.isfinite, numbers)):
        message = "the `svg` has no viewBox, and no width and height"
        raise DrawingError(message)
    x, y, width, height = numbers
    if not all(1 / _FARTHEST <= side <= _FARTHEST for side in (width, height)):
        message = f"its canvas is {width:g} × {height:g}; make its sides 1 to 1000 long"
        raise DrawingError(message)
    return x, y, width, height


def _shapes(node: Node, paint: Mapping[str, str], matrix: Matrix) -> Iterator[Shape]:
    """Yield the shapes inside of a group."""
    for child in node.children:
        tag = child.tag.removeprefix(SVG)
        if tag in _IGNORED or (child.tag.startswith("{") and not child.tag.startswith(SVG)):
            continue
        own = _own_paint(child, paint)
        placed = times(matrix, _transform(child))
        if tag == "g":
            yield from _shapes(child, own, placed)
            continue
        outline = transformed(_outline(tag, child), placed)
        scale = math.sqrt(abs(placed[0] * placed[3] - placed[1] * placed[2]))
        stroke_width = _length(own["stroke-width"], "stroke-width", child) * scale
        if not all(abs(n) <= _FARTHEST for n in (stroke_width, *_coordinates(outline))):
            raise _refusal(child, "a number is too large")
        yield Shape(
            outline,
            _color(own["fill"], child),
            _color(own["stroke"], child),
            stroke_width,
            own.get("fill-rule") == "evenodd",
            _choice(own, "stroke-linecap", _CAPS, child),
            _choice(own, "stroke-linejoin", _JOINS, child),
        )


def _refusal(node: Node, message: str) -> DrawingError:
    return DrawingError(f"line {node.source.at().line}: {message}")


def _own_paint(node: Node, inherited: Mapping[str, str]) -> Mapping[str, str]:
    style = dict(part.split(":", 1) for part in (node.get("style") or "").split(";") if ":" in part)
    given = {**node.attributes, **{name.strip(): value.strip() for name, value in style.items()}}
    for name, harmless in _REFUSED.items():
        if name in given and given[name] not in harmless:
            raise _refusal(node, f"`{name}` cannot be drawn")
    return {**inherited, **{name: given[name] for name in _PAINT if name in given}}


def _choice(paint: Mapping[str, str], name: str, known: Sequence[str], node: Node) -> int:
    """Return the number of a property's value among those that are known; the first is usual."""
    value = paint.get(name, known[0]).strip()
    if value not in known:
        raise _refusal(node, f"`{name}` is `{value}`, which cannot be drawn")
    return known.index(value)


def _color(text: str, node: Node) -> str | None:
    text = text.strip()
    if text == "none":
        return None
    if text == "currentColor":
        return "#000000"
    if re.fullmatch("#[0-9a-fA-F]{3}", text):
        return "#" + "".join(digit * 2 for digit in text[1:]).lower()
    if re.fullmatch("#[0-9a-fA-F]{6}", text):
        return text.lower()
    if text.lower() in NAMED_COLORS:
        return NAMED_COLORS[text.lower()]
    raise _refusal(node, f"the paint `{text}` cannot be drawn")


def _length(text: str, name: str, node: Node) -> float:
    """Return a length in the drawing's units, with or without `px`."""
    number = text.strip().removesuffix("px")
    if not _NUMBER.fullmatch(number):
        raise _refusal(node, f"`{name}` is `{text}`, not a number")
    if number.startswith("-") and name in _SIZES:
        raise _refusal(node, f"`{name}` is `{text}`, less than 0")
    return float(number)


def _outline(tag: str, node: Node) -> Outline:
    """Return the outline of a basic shape or path."""

    def mm(name: str, default: float = 0) -> float:
        given = node.get(name)
        return default if given is None else _length(given, name, node)

    shapes: dict[str, Callable[[], Outline]] = {
        "path": lambda: outlines.svg_path(node.get("d") or ""),
        "rect": lambda: outlines.rectangle(
            mm("x"), mm("y"), mm("width"), mm("height"), mm("rx", mm("ry"))
        ),
        "circle": lambda: outlines.ellipse(mm("cx"), mm("cy"), mm("r"), mm("r")),
        "ellipse": lambda: outlines.ellipse(mm("cx"), mm("cy"), mm("rx"), mm("ry")),
        "line": lambda: (("M", mm("x1"), mm("y1")), ("L", mm("x2"), mm("y2"))),
        "polygon": lambda: outlines.polygon(_points(node)),
        "polyline": lambda: outlines.polygon(_points(node))[:-1],
    }
    if tag not in shapes:
        raise _refusal(node, f"`{tag}` cannot be drawn")
    try:
        return shapes[tag]()
    except ValueError as error:
        raise _refusal(node, str(error)) from None


def _points(node: Node) -> list[tuple[float, float]]:
    numbers = _numbers(node.get("points") or "")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _transform(node: Node) -> Matrix:
    """Return the matrix of a `transform` attribute."""
    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    for name, inside in _TRANSFORM.findall(node.get("transform") or ""):
        numbers = _numbers(inside)
        if not all(map(math.isfinite, numbers)):
            raise _refusal(node, "a number is too large")
        if name == "matrix" and len(numbers) == 6:  # noqa: PLR2004 - a to f
            step: Matrix = (*numbers,)  # type: ignore[assignment]
        elif name == "translate" and numbers:
            step = (1, 0, 0, 1, numbers[0], (*numbers, 0)[1])
        elif name == "scale" and numbers:
            step = (numbers[0], 0, 0, (*numbers, numbers[0])[1], 0, 0)
        elif name == "rotate" and len(numbers) in {1, 3}:
            step = _rotation(*numbers)
        else:
            raise _refusal(node, f"the transform `{name}({inside})` cannot be drawn")
        matrix = times(matrix, step)
    return matrix


def _rotation(degrees: float, cx: float = 0, cy: float = 0) -> Matrix:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (cos, sin, -sin, cos, cx - cos * cx + sin * cy, cy - sin * cx - cos * cy)


def times(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that does `second`, then `first`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )


def transformed(outline: Outline, matrix: Matrix) -> Outline:
    """Return `outline` with all points moved by `matrix`."""
    a, b, c, d, e, f = matrix
    result: list[Segment] = []
    for segment in outline:
        numbers = [float(number) for number in segment[1:]]
        points: list[float] = []
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            points += [a * x + c * y + e, b * x + d * y + f]
        result.append((segment[0], *points))
    return tuple(result)


def _coordinates(outline: Outline) -> Iterator[float]:
    """Yield all numbers of an outline."""
    for segment in outline:
        yield from (float(number) for number in segment[1:])


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _NUMBER.findall(text)]
