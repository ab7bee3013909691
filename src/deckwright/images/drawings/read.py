"""Read SVG drawings as ops.

Supported features, listed in `css.py`, are drawn as browsers draw them; anything else is refused
with its name and location rather than drawn wrongly.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

from deckwright.base.geometry import IDENTITY, Box, Matrix, multiply, translation
from deckwright.images.drawings.css import (
    ACTIVE_ELEMENTS,
    ACTIVE_NAMESPACES,
    ELEMENTS,
    IGNORED_ELEMENTS,
    INITIAL,
    CssStyle,
    Size,
    compute_style,
    diagonal,
    transform_matrix,
    variable_names,
)
from deckwright.images.drawings.model import (
    MAX_COORDINATE,
    MAX_SEGMENTS,
    SVG,
    Drawing,
    DrawingError,
    Palette,
    RefusedError,
    count_segments,
    load_root,
    locate_error,
    locating,
    op_bounds,
    parse_length,
    parse_numbers,
    parse_share,
    refusal,
    split_tag,
)
from deckwright.images.drawings.normalize import normalize_drawing
from deckwright.images.drawings.paint import (
    Definitions,
    paint_outline,
    to_nonzero_winding,
    unite,
    with_opacity,
)
from deckwright.ops import outlines
from deckwright.ops.model import Group, Op, Outline
from deckwright.ops.outlines import read_path, transform_outline
from deckwright.xmlio.node import Node, find_instruction

_ALIGN = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}


def read_canvas(root: Node, style: CssStyle) -> tuple[Size, Size, Matrix]:
    """Return the canvas of the root element.

    That is its size in px, the size of the view box, for percentages, and the matrix from the
    coordinates of the view box to those of the canvas.

    Raises:
        RefusedError: if it has no size, or a malformed one.
    """
    box, sides = _view_box(root), list[float | None]()
    for name in ("width", "height"):
        if name in style.css:
            message = f"`{name}` in the style of the `svg` cannot be drawn"
            raise RefusedError(message, "style", f"give the `svg` an attribute `{name}`")
        in_percent = style.get(name).endswith("%")  # the view box decides, as where it is missing
        sides.append(None if in_percent else measure(name, style, (0, 0)))
    width, height = sides
    if box is None:
        if width is None or height is None:
            hint = "give it `viewBox`, for example `0 0 100 100`"
            raise RefusedError("the `svg` has no viewBox, and no width and height", None, hint)
        box = (0.0, 0.0, width, height)
    if width is None and height is None:
        width, height = box[2], box[3]
    elif width is None or height is None:
        if (root.get("preserveAspectRatio") or "").split()[:1] == ["none"]:
            message = "`preserveAspectRatio` is `none`, which needs both width and height"
            raise RefusedError(message, "preserveAspectRatio")
        ratio = box[2] / box[3]
        width, height = width or (height or 0) * ratio, height or (width or 0) / ratio
    for what, (across, down) in {"canvas": (width, height), "view box": box[2:]}.items():
        if not all(1 / MAX_COORDINATE <= side <= MAX_COORDINATE for side in (across, down)):
            message = f"the {what} is {across:g} × {down:g}"
            raise RefusedError(message, None, "make both sides between 1 and 1000")
    return (width, height), (box[2], box[3]), _fit_view_box(root, box, (width, height))


def _view_box(root: Node) -> tuple[float, float, float, float] | None:
    text = root.get("viewBox")
    if text is None:
        return None
    found, right = parse_numbers(text)
    if not right or len(found) != 4 or not (found[2] > 0 and found[3] > 0):  # x, y, w, h
        raise refusal("viewBox", text, "not x, y, width and height")
    if not all(map(math.isfinite, found)):
        raise refusal("viewBox", text, "which is too large")
    return found[0], found[1], found[2], found[3]


def _fit_view_box(root: Node, box: tuple[float, float, float, float], size: Size) -> Matrix:
    """Return the matrix that fits a view box into the canvas by `preserveAspectRatio`."""
    text = root.get("preserveAspectRatio") or ""
    words = text.split() or ["xMidYMid"]
    x, y, width, height = box
    across, down = size[0] / width, size[1] / height
    if words[0] == "none":
        align = (0.0, 0.0)
    else:
        align = _alignment(words[0], text)
        slice_it = words[-1] == "slice"
        across = down = max(across, down) if slice_it else min(across, down)
    if words[1:] not in ([], ["meet"], ["slice"]):
        raise refusal("preserveAspectRatio", text, "which cannot be read")
    left = (size[0] - width * across) * align[0]
    top = (size[1] - height * down) * align[1]
    return across, 0, 0, down, left - x * across, top - y * down


def _alignment(word: str, text: str) -> tuple[float, float]:
    """Return the view box's alignment on the canvas, across and down, 0 to 1."""
    if len(word) == 8 and word[0] == "x" and word[4] == "Y":  # as xMidYMid
        across, down = _ALIGN.get(word[1:4]), _ALIGN.get(word[5:])
        if across is not None and down is not None:
            return across, down
    raise refusal("preserveAspectRatio", text, "which cannot be read")


_AXES = {"x": 0, "cx": 0, "x1": 0, "x2": 0, "width": 0, "rx": 0,
         "y": 1, "cy": 1, "y1": 1, "y2": 1, "height": 1, "ry": 1}  # fmt: skip
_SIZES = {"width", "height", "r", "rx", "ry"}


def measure(name: str, style: CssStyle, view: Size) -> float | None:
    """Return a length of a shape, None for `auto`; a negative size is a RefusedError."""
    text = style.get(name)
    if text.lower() == "auto" and (name in style.css or name not in style.own):
        return None
    whole = view[_AXES[name]] if name in _AXES else diagonal(view)
    value = parse_length(text, name, whole, css=name in style.css)
    if value < 0 and name in _SIZES:
        raise refusal(name, text, "less than 0")
    return value


def shape_outline(tag: str, node: Node, style: CssStyle, view: Size) -> Outline:
    """Return the outline of a shape in its own coordinates; empty if SVG does not draw it.

    After SVG 2, "Basic Shapes" (https://www.w3.org/TR/SVG2/shapes.html).
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


_SHOWN = frozenset({"inline", "block", "inline-block"})
_TOLERANCE = 1e-6
_MAX_CLIP_DEPTH = 20
_DESCRIPTIVE_TAGS = frozenset({"title", "desc", "metadata"})
_EMPTY_CLIP: Outline = (("M", 0, 0), ("Z",))
"""A clip that hides everything."""


def read_drawing(path: Path, palette: Palette = ()) -> Drawing:
    """Return the drawing in the file at `path`, with variables given from outside.

    Raises:
        DrawingError: if it cannot be read, or contains anything that is not supported.
    """
    root = load_root(path)
    place = find_instruction(root.source.document.text, "xml-stylesheet")
    if place is not None:
        message = "a style sheet in another file (`xml-stylesheet`) cannot be used"
        raise DrawingError(message, root.source.at()._replace(line=place[0], column=place[1]))
    try:
        root = normalize_drawing(root)
        drawing = _Reader().drawing(root, palette)
    except RecursionError:
        raise locate_error(root, RefusedError("the drawing is nested too deeply")) from None
    return drawing._replace(variables=variable_names(root)) if palette else drawing


class _Reader:
    """Reads one drawing."""

    def __init__(self) -> None:
        self._ops: list[Op] = []
        self._remaining = MAX_SEGMENTS
        self._view: Size = (0, 0)
        self._definitions: Definitions

    def drawing(self, root: Node, palette: Palette) -> Drawing:
        """Return the drawing with this root; the first unsupported feature is a DrawingError."""
        namespace, tag = split_tag(root.tag)
        with locating(root):
            if tag != "svg":
                raise RefusedError(f"the root element is `{tag}`, not `svg`")
            if namespace != SVG:
                hint = f'write `<svg xmlns="{SVG}" …>`'
                raise RefusedError("the `svg` lacks the namespace of SVG", None, hint)
            style = compute_style(tag, root.attributes, INITIAL, palette)
            (width, height), self._view, matrix = read_canvas(root, style)
            without_effect = {
                "transform": transform_matrix(style, self._view) == IDENTITY,
                "opacity": _opacity(style) == 1,
                "display": style.get("display").lower() in _SHOWN,
                "clip-path": style.get("clip-path").lower() == "none",
            }
            for name, right in without_effect.items():
                if not right:
                    value = style.get(name)
                    raise refusal(name, value, "which cannot be drawn on the `svg` itself")
            self._definitions = Definitions(root, self._view, palette)
        self._draw_children(root, style, matrix)
        beyond = (
            min(box.x, box.y, width - box.right, height - box.bottom)
            < -_TOLERANCE * max(width, height)
            for box in map(op_bounds, self._ops)
        )
        return Drawing(width, height, tuple(self._ops), overflows=any(beyond))

    def _draw_children(self, node: Node, style: CssStyle, matrix: Matrix) -> None:
        for child in node.children:
            namespace, tag = split_tag(child.tag)
            with locating(child):
                if namespace == SVG and tag in ELEMENTS:
                    self._draw(tag, child, style, matrix)
                else:
                    _skip_invisible(child)

    def _draw(self, tag: str, node: Node, around: CssStyle, matrix: Matrix) -> None:
        """Draw a group or a shape."""
        style = compute_style(tag, node.attributes, around)
        if not _is_shown(style):
            for child in node.children:
                _check_inert(child)
            return
        placed = multiply(matrix, transform_matrix(style, self._view))
        clips = self._clips(style, placed)
        start = len(self._ops)
        if tag == "svg":
            self._draw_inner(node, style, placed)
        elif tag == "g":
            self._draw_children(node, style, placed)
        else:
            for child in node.children:
                _skip_invisible(child)
            drawn = shape_outline(tag, node, style, self._view)
            if node.get("pathLength") and style.get("stroke-dasharray").lower() != "none":
                length_of = node.get("pathLength") or ""
                raise refusal("pathLength", length_of, "which cannot be drawn with dashes")
            self._ops += paint_outline(drawn, style, placed, self._view, self._definitions)
            self._count(max(len(drawn) + 1, count_segments(tuple(self._ops[start:])) // 2))
        if clips or _opacity(style) < 1:
            ops = self._ops[start:]
            del self._ops[start:]
            self._ops += _combine(ops, clips, style, tag)

    def _draw_inner(self, node: Node, style: CssStyle, matrix: Matrix) -> None:
        """Draw a nested `svg`, clipped at its own canvas; percentages refer to the outer one."""
        outer, start = self._view, len(self._ops)
        names = ("x", "y", "width", "height")
        x, y, width, height = (measure(name, style, outer) for name in names)
        across = outer[0] if width is None else width
        down = outer[1] if height is None else height
        if not across or not down:
            return
        place = Box(x or 0, y or 0, across, down)
        box = _view_box(node) or (0.0, 0.0, across, down)
        fitted = multiply(translation(place.x, place.y), _fit_view_box(node, box, (across, down)))
        self._view = box[2], box[3]
        try:
            self._draw_children(node, style, multiply(matrix, fitted))
        finally:
            self._view = outer
        css = f"overflow:{node.get('overflow') or ''};{node.get('style') or ''}"
        edge = transform_outline(outlines.rectangle(*place), matrix)
        around = outlines.bounds_of(edge)
        tolerance = _TOLERANCE * max(around.width, around.height)
        leaves = any(
            around.intersection(inner).expand(tolerance).intersection(inner) != inner
            for inner in map(op_bounds, self._ops[start:])
        )
        if leaves and not re.search(r"(?:^|;)\s*overflow\s*:\s*(?:visible|auto)\b", css):
            ops = tuple(self._ops[start:])
            self._ops[start:] = [Group(ops, clip=edge)]

    def _count(self, segments: int) -> None:
        self._remaining -= segments
        if self._remaining < 0:
            raise RefusedError(f"the drawing has more than {MAX_SEGMENTS:,} lines and curves")

    def _clips(self, style: CssStyle, matrix: Matrix, depth: int = 0) -> list[Outline]:
        """Return the clips of an element, all of which apply, on the canvas."""
        text = style.get("clip-path")
        if text.lower() == "none":
            return []
        node = self._definitions.clip(text, "clip-path")
        if depth > _MAX_CLIP_DEPTH:
            raise refusal("clip-path", text, "which refers to itself")
        with locating(node):
            units = node.get("clipPathUnits", "userSpaceOnUse") or ""
            if units != "userSpaceOnUse":
                raise refusal("clipPathUnits", units, "which cannot be drawn")
            clip = compute_style("clipPath", node.attributes, self._definitions.style(node))
            _check_clip(clip)
            placed = multiply(matrix, transform_matrix(clip, self._view))
            shapes = [*self._clip_shapes(node, clip, placed)]
            return [unite(shapes), *self._clips(clip, matrix, depth + 1)]

    def _clip_shapes(self, node: Node, style: CssStyle, matrix: Matrix) -> Iterator[Outline]:
        """Yield the outlines of the shapes in a `clipPath`, or in a group made from a `use`."""
        for child in node.children:
            namespace, tag = split_tag(child.tag)
            if namespace != SVG or tag in _DESCRIPTIVE_TAGS:
                continue
            with locating(child):
                if tag not in ELEMENTS.keys() - {"svg"}:
                    raise RefusedError(f"`{tag}` in a `clipPath` cannot be drawn")
                own = compute_style(tag, child.attributes, style)
                _check_clip(own)
                inner = own.get("clip-path")
                if inner.lower() != "none":
                    raise refusal("clip-path", inner, "which cannot be drawn in a `clipPath`")
                if not _is_shown(own):
                    continue
                placed = multiply(matrix, transform_matrix(own, self._view))
                if tag == "g":
                    yield from self._clip_shapes(child, own, placed)
                    continue
                for part in child.children:
                    _skip_invisible(part)
                if own.get("visibility").lower() == "visible":
                    drawn = shape_outline(tag, child, own, self._view)
                    self._count(len(drawn) + 1)
                    if own.get("clip-rule").lower() == "evenodd":
                        drawn = to_nonzero_winding(drawn)
                    yield transform_outline(drawn, placed)


def _is_shown(style: CssStyle) -> bool:
    """Return whether an element is drawn at all."""
    display = style.get("display").lower()
    if display == "none":
        return False
    if display not in _SHOWN:
        raise refusal("display", display, "which cannot be drawn")
    return _opacity(style) > 0


def _check_clip(style: CssStyle) -> None:
    """Refuse properties that are not supported in clips."""
    drawn = {"clip-rule": {"nonzero", "evenodd"}, "opacity": {"1"}}
    for name, values in drawn.items():
        if style.get(name).lower() not in values:
            hint = "draw the outline of the part that stays visible"
            raise refusal(name, style.get(name), "which cannot be drawn in a `clipPath`", hint)


def _opacity(style: CssStyle) -> float:
    return parse_share(style.get("opacity"), "opacity")


def _combine(ops: list[Op], clips: list[Outline], style: CssStyle, tag: str) -> Iterator[Op]:
    """Yield an element's ops with its clips and opacity.

    Raises:
        RefusedError: if the opacity would have to apply to overlapping ops as a group.
    """
    opacity = _opacity(style)
    if opacity < 1 and len(ops) > 1:
        boxes = [op_bounds(op) for op in ops]
        for index, box in enumerate(boxes):
            if any(
                box.x < other.right
                and other.x < box.right
                and box.y < other.bottom
                and other.y < box.bottom
                for other in boxes[:index]
            ):
                what = "a fill and a stroke" if tag != "g" else "parts that touch"
                hint = "give its parts opacities of their own, or mix its colors with those below"
                why = f"with {what}, which cannot be drawn"
                raise refusal("opacity", style.get("opacity"), why, hint)
    result = [with_opacity(op, opacity) for op in ops]
    for clip in clips if result else ():
        result = [Group(tuple(result), clip=clip or _EMPTY_CLIP)]
    yield from result


def _skip_invisible(node: Node) -> None:
    """Refuse an element that may show something, or change what is shown."""
    namespace, tag = split_tag(node.tag)
    if namespace == SVG and tag not in IGNORED_ELEMENTS:
        raise RefusedError(f"`{tag}` cannot be drawn")
    _check_inert(node)


def _check_inert(node: Node) -> None:
    """Raise a DrawingError if anything in an element may affect something outside of it."""
    for inner in node.walk():
        namespace, tag = split_tag(inner.tag)
        if namespace in ACTIVE_NAMESPACES or (namespace == SVG and tag in ACTIVE_ELEMENTS):
            raise locate_error(inner, RefusedError(f"`{tag}` cannot be drawn"))
