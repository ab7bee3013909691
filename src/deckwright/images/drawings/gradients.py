"""Gradients and clips: what a drawing defines by an id, and shapes refer to.

After SVG 2, "Paint Servers" (https://www.w3.org/TR/SVG2/pservers.html), and CSS Masking Level 1
(https://www.w3.org/TR/css-masking-1/).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from deckwright.base.findings import nearest_hint
from deckwright.base.geometry import Matrix, times
from deckwright.images.drawings.accepted import PROPERTIES
from deckwright.images.drawings.model import Palette, RefusedError, placed_error
from deckwright.images.drawings.shapes import diagonal
from deckwright.images.drawings.style import INITIAL, Style, styled
from deckwright.images.drawings.transforms import Size, transform
from deckwright.images.drawings.values import length, refusal, share, tint
from deckwright.ops import outlines
from deckwright.ops.model import FillPath, Gradient, Group, Outline
from deckwright.xmlio.node import Node

_URL = re.compile(r"""url\(\s*(["']?)#([^"')\s]{1,200})\1\s*\)\s*(.*)""", re.DOTALL)
_HREF = "{http://www.w3.org/1999/xlink}href"
_DEEPEST = 20
"""Of how many gradients one is made, each of the next."""
_MOST_STOPS = 100
_ALIKE = 1e-6
_BAR = {"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"}
_DISK = {"cx": "50%", "cy": "50%", "r": "50%"}


class Server(NamedTuple):
    """A gradient as a drawing defines it.

    Attributes:
        boxed: whether its coordinates are shares of the box of what it paints.
        matrix: its own transform.
        numbers: x1, y1, x2, y2; or cx, cy, r of a radial gradient.
        opacity: that of all its stops.
    """

    boxed: bool
    matrix: Matrix
    numbers: tuple[float, ...]
    stops: tuple[tuple[float, str], ...]
    opacity: float = 1


class Definitions:
    """What a drawing defines by ids, read when it is referred to."""

    def __init__(self, root: Node, view: Size, palette: Palette) -> None:
        """Look for definitions in `root`."""
        self._root = root
        self._view = view
        self._palette = palette
        self._ways: dict[str, tuple[Node, ...]] | None = None
        self._servers: dict[str, Server] = {}

    def paint(self, text: str, name: str) -> tuple[Server | str | None, float]:
        """Return what `url(#id)` paints with, a gradient, a color, or nothing; and its opacity.

        Raises:
            RefusedError: if there is no such gradient.
            DrawingError: if it cannot be drawn.
        """
        found = _URL.fullmatch(text)
        if found is None:
            raise refusal(name, text, "a paint that cannot be drawn", "write `url(#id)`")
        node = self._known().get(found[2], (None,))[-1]
        if node is None and found[3]:
            return (None, 0) if found[3].lower() == "none" else tint(found[3], name)
        tag = _tag(node) if node else ""
        if node is None or tag not in _GRADIENTS:
            raise self._missing(text, name, found[2], _GRADIENTS, tag)
        if found[2] not in self._servers:
            try:
                self._servers[found[2]] = self._server(node, found[2])
            except RefusedError as error:
                raise placed_error(node, error) from None
        server = self._servers[found[2]]
        numbers, stops = server.numbers, server.stops
        if not stops or not server.opacity:
            return None, 0
        still = numbers[:2] == numbers[2:] if len(numbers) > _ROUND else not numbers[2]
        return stops[-1][1] if still or len(stops) == 1 else server, server.opacity

    def clip(self, text: str, name: str) -> Node:
        """Return the `clipPath` that `url(#id)` names."""
        found = _URL.fullmatch(text)
        if found is None or found[3]:
            raise refusal(name, text, "which cannot be drawn", "write `url(#id)` or `none`")
        node = self._known().get(found[2], (None,))[-1]
        if node is None or _tag(node) != "clipPath":
            raise self._missing(text, name, found[2], {"clipPath"}, _tag(node) if node else "")
        return node

    def style(self, node: Node) -> Style:
        """Return the style that the elements around a definition give it."""
        way = self._known()[node.get("id") or ""]
        style = INITIAL
        for index, around in enumerate(way[:-1]):
            given = {
                name: text
                for name, text in around.attributes.items()
                if name in PROPERTIES or name == "style"
            }
            try:
                style = styled("g", given, style, () if index else self._palette)
            except RefusedError as error:
                raise placed_error(around, error) from None
        return style

    def _missing(self, text: str, name: str, target: str, tags: set[str], tag: str) -> RefusedError:
        if tag:
            return refusal(name, text, f"but `{target}` is a `{tag}`, which cannot be drawn")
        ids = (given for given, way in self._known().items() if _tag(way[-1]) in tags)
        kind = "`clipPath`" if "clipPath" in tags else "gradient"
        why = f"and there is no {kind} of that id"
        return refusal(name, text, why, nearest_hint(target, sorted(ids)))

    def _known(self) -> dict[str, tuple[Node, ...]]:
        """Return the elements with ids, each after those that it is in; of two the first."""
        if self._ways is None:
            self._ways = {}
            open_: list[tuple[Node, ...]] = [(self._root,)]
            while open_:
                way = open_.pop()
                self._ways.setdefault(way[-1].get("id") or "", way)
                open_ += [(*way, child) for child in reversed(way[-1].children)]
            self._ways.pop("", None)
        return self._ways

    def _chain(self, node: Node, target: str) -> list[Node]:
        """Return a gradient and those that it refers to for what it does not say."""
        chain, seen = [node], {target}
        while True:
            href = chain[-1].get("href", chain[-1].get(_HREF))
            if href is None:
                return chain
            target = href.strip().removeprefix("#")
            way = self._known().get(target)
            if not href.strip().startswith("#") or way is None or _tag(way[-1]) not in _GRADIENTS:
                raise refusal("href", href, "which is no gradient of this drawing")
            if target in seen or len(chain) > _DEEPEST:
                raise refusal("href", href, "which leads round in a circle")
            seen.add(target)
            chain.append(way[-1])

    def _server(self, node: Node, target: str) -> Server:
        chain = self._chain(node, target)
        for part in chain:
            _checked(part, self.style(part))
        given: dict[str, str] = {}
        for part in reversed(chain):
            given |= {name: text for name, text in part.attributes.items() if name in _SHARED}
            if _tag(part) == _tag(node):
                given |= {name: text for name, text in part.attributes.items() if name in _OWN}
        units = given.get("gradientUnits", "objectBoundingBox")
        if units not in {"objectBoundingBox", "userSpaceOnUse"}:
            raise refusal("gradientUnits", units, "which cannot be read")
        if given.get("spreadMethod", "pad") != "pad":
            hint = "repeat its stops"
            raise refusal("spreadMethod", given["spreadMethod"], "which cannot be drawn", hint)
        boxed = units == "objectBoundingBox"
        measures = _BAR if _tag(node) == "linearGradient" else _DISK
        whole = (1.0, 1.0, 1.0) if boxed else (*self._view, diagonal(self._view))
        numbers = tuple(
            length(given.get(name, usual), name, whole[_AXIS[name]])
            for name, usual in measures.items()
        )
        if _tag(node) == "radialGradient":
            _check_focus(given, numbers, whole)
        own = Style({}, {"transform": given.get("gradientTransform", "none")})
        matrix = transform(own, self._view)
        stops = next((stops for part in chain if (stops := tuple(self._stops(part)))), ())
        opacity = stops[0][2] if stops else 1
        return Server(boxed, matrix, numbers, tuple(stop[:2] for stop in stops), opacity)

    def _stops(self, node: Node) -> Iterator[tuple[float, str, float]]:
        """Yield the stops of a gradient, each at or after the one before it, from 0 to 1."""
        nodes = [child for child in node.children if _tag(child) == "stop"]
        if not nodes:
            return
        if len(nodes) > _MOST_STOPS:
            message = f"the gradient has more than {_MOST_STOPS} stops"
            raise RefusedError(message)
        around = styled(_tag(node), _plain(node), self.style(node))
        last, first = 0.0, -1.0
        for child in nodes:
            try:
                style = _checked(child, around)
                at = max(last, share(child.get("offset") or "0", "offset"))
                text, name = style.get("stop-color"), "stop-color"
                if text.lower() == "currentcolor":
                    text, name = style.get("color"), "color"
                shown, opacity = tint(text, name)
                opacity *= share(style.get("stop-opacity"), "stop-opacity")
                first = opacity if first < 0 else first
            except RefusedError as error:
                raise placed_error(child, error) from None
            if opacity != first:
                message = "`stop-opacity` differs from stop to stop, which cannot be drawn"
                hint = "mix its color with the one below it"
                raise placed_error(child, RefusedError(message, None, hint))
            yield at, shown, opacity
            last = at


_GRADIENTS = {"linearGradient", "radialGradient"}
_ROUND = 3
_SHARED = {"gradientUnits", "gradientTransform", "spreadMethod"}
_OWN = {"x1", "y1", "x2", "y2", "cx", "cy", "r", "fx", "fy", "fr"}
_AXIS = {"x1": 0, "x2": 0, "cx": 0, "fx": 0, "y1": 1, "y2": 1, "cy": 1, "fy": 1, "r": 2, "fr": 2}
_WITHOUT_EFFECT = {"transform": "none", "clip-path": "none", "transform-origin": "0 0"}


def filled(
    outline: Outline, server: Server, matrix: Matrix, box: Outline, *, even_odd: bool
) -> FillPath | Group:
    """Return the op that fills an outline with a gradient.

    The op is in a group where a radial gradient is an ellipse. The group never enlarges, so that
    what is in it can be rounded as anything else.

    Args:
        outline: on the canvas.
        matrix: from the coordinates of the shape to those of the canvas.
        box: the outline that the gradient's box is around, in the coordinates of the shape.
    """
    if server.boxed:
        around = outlines.tight_bounds(box)
        matrix = times(matrix, (around.width, 0, 0, around.height, around.x, around.y))
    matrix = times(matrix, server.matrix)
    a, b, c, d, *_ = matrix
    area, squares = abs(a * d - b * c), a * a + b * b + c * c + d * d
    if not area > _ALIKE * _ALIKE * squares:
        message = "the gradient of the `fill` has no area"
        raise RefusedError(message, "fill")
    numbers = server.numbers
    if len(numbers) > _ROUND:
        start, end = _point(matrix, *numbers[:2]), _point(matrix, *numbers[2:])
        # Colors stay the same along the line across the gradient, wherever the matrix leads it.
        x, y = numbers[1] - numbers[3], numbers[2] - numbers[0]
        across = (a * x + c * y, b * x + d * y)
        way = end[0] - start[0], end[1] - start[1]
        part = (way[0] * across[1] - way[1] * across[0]) / (across[0] ** 2 + across[1] ** 2)
        end = start[0] + part * across[1], start[1] - part * across[0]
        return FillPath(outline, Gradient(start, end, server.stops), even_odd)
    cx, cy, r = numbers
    if squares - 2 * area <= _ALIKE * squares:
        centre = _point(matrix, cx, cy)
        edge = centre[0] + r * math.sqrt(area), centre[1]
        return FillPath(outline, Gradient(centre, edge, server.stops, radial=True), even_odd)
    most = math.sqrt((squares + math.sqrt(max(squares * squares - 4 * area * area, 0))) / 2)
    a, b, c, d, e, f = matrix
    level = a / most, b / most, c / most, d / most, e, f
    gradient = Gradient(
        (cx * most, cy * most), ((cx + r) * most, cy * most), server.stops, radial=True
    )
    inner = outlines.transformed(outline, _inverse(level))
    return Group((FillPath(inner, gradient, even_odd),), level)


def _inverse(matrix: Matrix) -> Matrix:
    a, b, c, d, e, f = matrix
    area = a * d - b * c
    return (
        d / area,
        -b / area,
        -c / area,
        a / area,
        (c * f - d * e) / area,
        (b * e - a * f) / area,
    )


def _point(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _check_focus(
    given: dict[str, str], numbers: tuple[float, ...], whole: tuple[float, ...]
) -> None:
    """Refuse a radial gradient that does not begin at its centre."""
    for name, usual in {"fx": numbers[0], "fy": numbers[1], "fr": 0.0}.items():
        if name in given and abs(length(given[name], name, whole[_AXIS[name]]) - usual) > _ALIKE:
            hint = "let the gradient begin at its centre"
            raise refusal(name, given[name], "which cannot be drawn", hint)
    if numbers[2] < 0:
        raise refusal("r", given["r"], "less than 0")


def _checked(node: Node, around: Style) -> Style:
    """Return the style of a part of a gradient, of which all must be known.

    Raises:
        RefusedError: if something is not.
    """
    tag = _tag(node)
    style = styled(tag, _plain(node), around)
    for name, usual in _WITHOUT_EFFECT.items():
        if name in style.own and style.own[name].lower() != usual:
            raise refusal(name, style.own[name], f"which cannot be drawn of a `{tag}`")
    return style


def _plain(node: Node) -> dict[str, str]:
    """Return the attributes of a gradient, with SVG 2's name of `href`."""
    return {("href" if name == _HREF else name): text for name, text in node.attributes.items()}


def _tag(node: Node) -> str:
    return node.tag.rpartition("}")[2]
