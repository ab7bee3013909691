"""The CSS cascade in drawings, with lists of accepted properties, and transforms."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from deckwright.base.findings import nearest_hint
from deckwright.base.geometry import IDENTITY, Matrix, multiply, translation
from deckwright.images.drawings.model import (
    HREF,
    Palette,
    RefusedError,
    parse_angle,
    parse_length,
    parse_number,
    parse_numbers,
    refusal,
)
from deckwright.ops.outlines import SPACE
from deckwright.xmlio.node import Node

_CANVAS = "viewBox preserveAspectRatio version baseProfile zoomAndPan x y contentStyleType"
ELEMENTS: Mapping[str, frozenset[str]] = {
    tag: frozenset(names.split())
    for tag, names in {
        "svg": f"{_CANVAS} contentScriptType width height",
        "g": "",
        "path": "d pathLength",
        "rect": "x y width height rx ry pathLength",
        "circle": "cx cy r pathLength",
        "ellipse": "cx cy rx ry pathLength",
        "line": "x1 y1 x2 y2 pathLength",
        "polyline": "points pathLength",
        "polygon": "points pathLength",
    }.items()
}
"""The elements that are drawn, with their own attributes."""

_GRADIENT = f"gradientUnits gradientTransform spreadMethod href {HREF}"
GRADIENTS: Mapping[str, frozenset[str]] = {
    tag: frozenset(names.split())
    for tag, names in {
        "linearGradient": f"x1 y1 x2 y2 {_GRADIENT}",
        "radialGradient": f"cx cy r fx fy fr {_GRADIENT}",
        "stop": "offset",
        "clipPath": "clipPathUnits",
    }.items()
}
"""Elements that others refer to, with their own attributes."""

IGNORED_ELEMENTS = frozenset({
    "title", "desc", "metadata", "defs",
    "symbol", "marker", "clipPath", "mask", "pattern", "linearGradient", "radialGradient", "filter",
})  # fmt: skip
"""Elements that show nothing by themselves; references to unsupported ones are refused."""

ACTIVE_ELEMENTS = frozenset({
    "style", "script", "animate", "animateColor", "animateMotion", "animateTransform", "set",
    "discard", "handler", "listener", "prefetch",
})  # fmt: skip
"""Elements that affect others from anywhere, even from `defs`."""

ACTIVE_NAMESPACES = frozenset({
    "", "http://www.w3.org/1999/xhtml", "http://www.w3.org/2001/XInclude",
    "http://www.w3.org/ns/xbl", "http://www.mozilla.org/xbl", "http://www.w3.org/2001/xml-events",
    "http://www.w3.org/1999/XSL/Transform",
})  # fmt: skip
"""Namespaces whose elements may show or change something, unlike those of drawing programs."""

IGNORED_ATTRIBUTES = frozenset({
    "id", "class", "style", "lang", "tabindex", "role", "focusable", "content",
    "{http://www.w3.org/XML/1998/namespace}lang", "{http://www.w3.org/XML/1998/namespace}space",
    "{http://www.w3.org/XML/1998/namespace}id",
})  # fmt: skip
"""Attributes of any element without a visible effect; `style` is parsed separately."""
IGNORED_PREFIXES = ("aria-", "data-")
RELEVANT_NAMESPACES = ("{http://www.w3.org/1999/xlink}", "{http://www.w3.org/XML/1998/namespace}")
"""Attributes in any other namespace are notes of drawing programs."""


class Property(NamedTuple):
    """A supported CSS property.

    Attributes:
        initial: its initial value.
        inherited: whether children inherit its value.
        attribute: whether a presentation attribute exists.
        only: the only supported values; empty if all valid ones are.
    """

    initial: str
    inherited: bool = False
    attribute: bool = True
    only: frozenset[str] = frozenset()


_NONE = frozenset({"none"})
_INHERITED = {
    "color": "#000000", "fill": "#000000", "fill-opacity": "1", "fill-rule": "nonzero",
    "stroke": "none", "stroke-dasharray": "none", "stroke-dashoffset": "0",
    "stroke-linecap": "butt", "stroke-linejoin": "miter", "stroke-miterlimit": "4",
    "stroke-opacity": "1", "stroke-width": "1", "paint-order": "normal", "visibility": "visible",
    "clip-rule": "nonzero",
}  # fmt: skip
PROPERTIES: Mapping[str, Property] = {
    **{name: Property(initial, inherited=True) for name, initial in _INHERITED.items()},
    "display": Property("inline"),
    "opacity": Property("1"),
    "transform": Property("none"),
    "transform-origin": Property("0 0"),
    "transform-box": Property("view-box", attribute=False, only=frozenset({"view-box"})),
    "clip": Property("auto", only=frozenset({"auto"})),
    "clip-path": Property("none"),
    "stop-color": Property("#000000"),
    "stop-opacity": Property("1"),
    "marker": Property("none", attribute=False, only=_NONE),
    **{
        f"marker-{n}": Property("none", inherited=True, only=_NONE) for n in ("end", "mid", "start")
    },
    "mix-blend-mode": Property("normal", attribute=False, only=frozenset({"normal"})),
    **{name: Property("none", only=_NONE) for name in ("filter", "mask", "vector-effect")},
}

GEOMETRY: Mapping[str, Property] = {
    **{name: Property("0") for name in ("x", "y", "cx", "cy", "r")},
    **{name: Property("auto") for name in ("width", "height", "rx", "ry")},
}
"""Attributes of shapes that are also CSS properties."""

IGNORED_PROPERTIES = frozenset({
    # text, which is not supported
    "alignment-baseline", "baseline-shift", "direction", "dominant-baseline", "font",
    "font-family", "font-feature-settings", "font-kerning", "font-size", "font-size-adjust",
    "font-stretch", "font-style", "font-variant", "font-variant-alternates", "font-variant-caps",
    "font-variant-east-asian", "font-variant-ligatures", "font-variant-numeric",
    "font-variant-position", "font-variation-settings", "font-weight",
    "glyph-orientation-horizontal", "glyph-orientation-vertical", "inline-size", "kerning",
    "letter-spacing", "line-height", "line-spacing", "block-progression", "shape-inside",
    "shape-margin", "shape-padding", "shape-subtract", "text-align", "text-anchor",
    "text-decoration", "text-decoration-color", "text-decoration-line", "text-decoration-skip-ink",
    "text-decoration-style", "text-decoration-thickness", "text-underline-offset",
    "text-indent", "text-orientation", "text-overflow", "text-rendering", "text-transform",
    "unicode-bidi", "vertical-align", "white-space", "word-spacing", "writing-mode",
    # filters and masks, which are not supported
    "color-interpolation", "color-interpolation-filters", "color-profile",
    "color-rendering", "flood-color", "flood-opacity", "image-rendering", "lighting-color",
    "mask-type", "solid-color", "solid-opacity",
    # screens
    "cursor", "enable-background", "isolation", "overflow", "pointer-events", "shape-rendering",
    "user-select",
})  # fmt: skip
"""Properties that do not change what is drawn."""
IGNORED_PROPERTY_PREFIXES = ("-inkscape-",)


_MAX_VALUE_LENGTH = 1000
"""The longest value, in characters: nested variables may multiply."""
_MAX_VARIABLE_DEPTH = 20
_USE = re.compile(r"var\(")
_SIMPLE = re.compile(r"var\(\s*--([\w-]{1,100})\s*(?:,([^()]*))?\)")
"""A `var()` whose fallback has no brackets: nearly every one."""
_NAME = re.compile(r"\s*--([\w-]{1,100})\s*(,|$)")
_USED = re.compile(r"var\(\s*--([\w-]{1,100})")
_DECLARED = re.compile(r"(?:^|[;\s])--([\w-]{1,100})\s*:")


def variable_names(root: Node) -> frozenset[str]:
    """Return the variables that a drawing uses anywhere or declares at its root."""
    used = (
        name
        for node in root.walk()
        for text in node.attributes.values()
        if "var(" in text
        for name in _USED.findall(text)
    )
    return frozenset([*used, *_DECLARED.findall(root.get("style") or "")])


def resolve_variables(
    own: Mapping[str, str], around: Mapping[str, str], palette: Palette
) -> Mapping[str, str]:
    """Return an element's variables with their values, by their names with dashes.

    Args:
        around: the inherited variables, among other properties.
        palette: variables given from outside, which override those of the root.
    """
    raw = {**own, **{f"--{name}": value for name, value in palette}}
    everyone = {**around, **raw}
    values: dict[str, str] = {}
    open_: list[str] = []

    def value(name: str) -> str | None:
        if name in values or name not in raw:
            return values.get(name) or around.get(name)
        if name in open_ or len(open_) > _MAX_VARIABLE_DEPTH:
            made_of = "itself" if name in open_ else f"more than {_MAX_VARIABLE_DEPTH} others"
            raise RefusedError(f"the variable `{name}` refers to {made_of}", "style")
        open_.append(name)
        values[name] = substitute_variables(raw[name], name, everyone, value)
        open_.pop()
        return values[name]

    for name in raw:
        value(name)
    return values


def substitute_variables(
    text: str, name: str, known: Mapping[str, str], value: Callable[[str], str | None] | None = None
) -> str:
    """Return the value of the property `name` with its variables substituted.

    Args:
        known: the variables by name.
        value: returns the value of a variable, if `known` has those that are not substituted.

    Raises:
        RefusedError: if a variable has no value.
    """
    while (use := _USE.search(text)) is not None:
        if len(text) > _MAX_VALUE_LENGTH:
            message = f"`{name}` with its variables is longer than {_MAX_VALUE_LENGTH:,} characters"
            raise RefusedError(message, name)
        simple = _SIMPLE.match(text, use.start())
        if simple is not None:
            variable, otherwise, end = f"--{simple[1]}", simple[2], simple.end()
        else:
            depth, end = 1, use.end()
            while depth and end < len(text):
                depth += (text[end] == "(") - (text[end] == ")")
                end += 1
            if depth:
                raise refusal(name, text, "which has a bracket that is not closed")
            inside = text[use.end() : end - 1]
            match = _NAME.match(inside)
            if match is None:
                raise refusal(name, text, "which cannot be read", "write `var(--name, #7a3b2e)`")
            variable, otherwise = f"--{match[1]}", inside[match.end() :] if match[2] else None
        replacement = value(variable) if value else known.get(variable)
        if replacement is None and otherwise is None:
            near = nearest_hint(variable, [name for name in known if name.startswith("--")])
            hint = near or f"give it a default value: `var({variable}, #7a3b2e)`"
            raise RefusedError(f"`{name}` is `var({variable})`, which has no value", name, hint)
        replacement = (otherwise or "").strip() if replacement is None else replacement
        text = text[: use.start()] + replacement + text[end:]
    return text


_INITIAL = {name: known.initial for name, known in PROPERTIES.items() if known.inherited}
_OWN = {**ELEMENTS, **GRADIENTS}
_ATTRIBUTES = frozenset(name for name, known in PROPERTIES.items() if known.attribute)


class CssStyle(NamedTuple):
    """The properties of an element.

    Attributes:
        inherited: everything that its children inherit, including variables such as `--cloth`.
        own: other properties that are set.
        css: the names in `own` that come from a style instead of an attribute.
    """

    inherited: Mapping[str, str]
    own: Mapping[str, str]
    css: frozenset[str] = frozenset()

    def get(self, name: str) -> str:
        """Return the value of a property."""
        known = PROPERTIES.get(name) or GEOMETRY[name]
        return self.inherited[name] if known.inherited else self.own.get(name, known.initial)


INITIAL = CssStyle(_INITIAL, {})
"""The style around the root element."""


def compute_style(
    tag: str, attributes: Mapping[str, str], around: CssStyle, palette: Palette = ()
) -> CssStyle:
    """Return the style of an element.

    Args:
        palette: variables given to the root element.

    Raises:
        RefusedError: for an unsupported attribute, property or value.
    """
    given = {name: value for name, value in attributes.items() if _is_property(name, tag)}
    css = parse_declarations(attributes["style"]) if "style" in attributes else {}
    variables: dict[str, str] = {}
    for name, value in css.items():
        if name.startswith("--"):
            variables[name] = value
            continue
        if name in GEOMETRY and name not in ELEMENTS.get(tag, ()):
            raise RefusedError(f"the property `{name}` of `{tag}` cannot be drawn", "style")
        given[name] = value
    if not (given or variables or palette):
        return CssStyle(around.inherited, {})
    inherited = dict(around.inherited)
    if variables or palette:
        inherited.update(resolve_variables(variables, inherited, palette))
    own: dict[str, str] = {}
    for name, text in given.items():
        known = PROPERTIES.get(name) or GEOMETRY[name]
        if "var(" in text:
            text = substitute_variables(text, name, inherited)  # noqa: PLW2901
        value = text.strip()
        word = value.lower()
        own_color = name == "color" and word == "currentcolor"
        if word == "inherit" or own_color or (word == "unset" and known.inherited):
            value = around.get(name)
        elif word in {"initial", "unset"}:
            value = known.initial
        if known.only and value.lower() not in known.only:
            raise refusal(name, value, "which cannot be drawn")
        (inherited if known.inherited else own)[name] = value
    return CssStyle(inherited, own, frozenset(css.keys() & own.keys()))


def _is_property(name: str, tag: str) -> bool:
    """Return whether an attribute is a presentation attribute; an unknown one is refused."""
    if name in _ATTRIBUTES:
        return True
    if name in _OWN[tag]:
        return name in GEOMETRY and tag in ELEMENTS
    if (
        name in IGNORED_ATTRIBUTES
        or name in IGNORED_PROPERTIES
        or name.startswith(IGNORED_PREFIXES)
    ):
        return False
    if name.startswith(("{", "xsi:")) and not name.startswith(RELEVANT_NAMESPACES):
        return False  # a note of a drawing program
    plain, hint = name.rpartition("}")[2], nearest_hint(name, sorted(_OWN[tag] | _ATTRIBUTES))
    raise RefusedError(f"the attribute `{plain}` of `{tag}` cannot be drawn", plain, hint)


@lru_cache(maxsize=1024)
def parse_declarations(text: str) -> Mapping[str, str]:
    """Return the supported properties in a style's declarations, by name; others are refused."""
    usual: dict[str, str] = {}
    important: dict[str, str] = {}
    for given, value, is_important in _declarations(text):
        name = given if given.startswith("--") else given.lower()
        if name in IGNORED_PROPERTIES or name.startswith(IGNORED_PROPERTY_PREFIXES):
            continue
        if name not in PROPERTIES and name not in GEOMETRY and not name.startswith("--"):
            message = f"the property `{name}` cannot be drawn"
            raise RefusedError(message, "style", nearest_hint(name, sorted(PROPERTIES)))
        (important if is_important else usual)[name] = value
    return {**usual, **important}


_PLAIN = r"(?:[\w\s#%.,;:+-]++|\((?:[\w\s#%.,+-]++|\([\w\s#%.,+-]*+\))*+\))*+"
_PROPERTY_NAME = r"-{0,2}[a-zA-Z_][\w-]*"
_COMMENT = r"(?s)/\*.*?\*/"


def _declarations(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield name, value and importance of declarations."""
    if re.fullmatch(_PLAIN, text):
        for declaration in filter(None, map(str.strip, text.split(";"))):
            name, colon, value = (side.strip() for side in declaration.partition(":"))
            if not colon or not re.fullmatch(_PROPERTY_NAME, name):
                raise _no_declaration()
            yield name, value, False
        return
    from tinycss2 import parse_blocks_contents, serialize  # slow, rarely needed

    try:
        for part in parse_blocks_contents(text, skip_comments=True, skip_whitespace=True):
            if part.type != "declaration":
                raise _no_declaration()
            yield part.name, re.sub(_COMMENT, " ", serialize(part.value)).strip(), part.important
    except RecursionError:
        raise RefusedError("the `style` has brackets nested too deeply", "style") from None


def _no_declaration() -> RefusedError:
    message = "the `style` contains something other than declarations"
    return RefusedError(message, "style", "write declarations as `fill: red`")


Size = tuple[float, float]


def diagonal(view: Size) -> float:
    """Return the reference of percentages that are neither horizontal nor vertical."""
    return math.hypot(*view) / math.sqrt(2)


_FUNCTION = re.compile(
    rf"[{SPACE}]*+,?+[{SPACE}]*+([a-zA-Z]{{1,10}})[{SPACE}]*+\(([^()]{{0,300}})\)"
)
_COUNTS = {"matrix": {6}, "translate": {1, 2}, "scale": {1, 2}, "rotate": {1, 3}, "skewX": {1},
           "skewY": {1}}  # fmt: skip
_CSS_COUNTS = {"matrix": {6}, "translate": {1, 2}, "translatex": {1}, "translatey": {1},
               "scale": {1, 2}, "scalex": {1}, "scaley": {1}, "rotate": {1}, "skew": {1, 2},
               "skewx": {1}, "skewy": {1}}  # fmt: skip


def transform_matrix(style: CssStyle, view: Size) -> Matrix:
    """Return the matrix of an element's own transform; `view` is for percentages."""
    css = "transform" in style.css
    matrix = parse_transform(style.get("transform"), view if css else None)
    if matrix == IDENTITY:
        return matrix
    x, y = _origin(style, view)
    return multiply(multiply(translation(x, y), matrix), translation(-x, -y)) if x or y else matrix


def parse_transform(text: str, css: Size | None = None) -> Matrix:
    """Return the matrix of a list of transforms.

    Args:
        css: the size of the view box if a style gives the transform, whose syntax differs.
    """
    text = text.strip(SPACE)
    if text.lower() in {"", "none"}:
        return IDENTITY
    matrix, at = IDENTITY, 0
    while at < len(text):
        match = _FUNCTION.match(text, at)
        if match is None or ("," in text[at : match.start(1)] and (css or not at)):
            raise refusal("transform", text, "which cannot be read")
        name = match[1].lower() if css else match[1]
        matrix = multiply(matrix, _step(name, match[2], css))
        at = match.end()
    if not all(map(math.isfinite, matrix)):
        raise refusal("transform", text, "which is too large")
    return matrix


def _step(name: str, inside: str, view: Size | None) -> Matrix:
    """Return the matrix of a transform function, in a style if there is a view box."""
    kind, axis = (name[:-1], name[-1].lower()) if name[-1] in "xyXY" else (name, "")
    if view is None:
        values, right = parse_numbers(inside)
        if not right or len(values) not in _COUNTS.get(name, ()):
            raise refusal("transform", f"{name}({inside})", "which cannot be read")
        if not all(map(math.isfinite, values)):
            raise refusal("transform", f"{name}({inside})", "which is too large")
    else:
        parts = inside.split(",")
        if len(parts) not in _CSS_COUNTS.get(name, ()):
            raise refusal("transform", f"{name}({inside})", "which cannot be drawn")
        if kind == "translate":
            sides = (view[axis == "y"],) if axis else view
            values = [
                parse_length(part, "transform", side, css=True)
                for part, side in zip(parts, sides, strict=False)
            ]
        else:
            parse = parse_angle if kind in {"rotate", "skew"} else parse_number
            values = [parse(part, "transform") for part in parts]
    if name == "matrix":
        return (*values,)  # type: ignore[return-value]
    if kind == "rotate":
        degrees, cx, cy = (*values, 0.0, 0.0)[:3]
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        return cos, sin, -sin, cos, cx - cos * cx + sin * cy, cy - sin * cx - cos * cy
    neutral = 1 if kind == "scale" else 0
    if axis:
        x, y = (values[0], neutral) if axis == "x" else (neutral, values[0])
    else:
        x, y = values[0], values[-1] if kind == "scale" else (*values, neutral)[1]
    if kind == "translate":
        return translation(x, y)
    if kind == "skew":
        return 1, math.tan(math.radians(y)), math.tan(math.radians(x)), 1, 0, 0
    return x, 0, 0, y, 0, 0


_SIDES = {"left": (0, "0%"), "right": (0, "100%"), "top": (1, "0%"), "bottom": (1, "100%")}


def _origin(style: CssStyle, view: Size) -> tuple[float, float]:
    """Return the fixed point of a transform."""
    text = style.get("transform-origin")
    parts = text.lower().split()
    sides = [_SIDES.get(part) for part in parts]
    # Two keywords may come in any order; a length is horizontal if it comes first.
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
        parse_length(place, "transform-origin", side, css=css)
        for place, side in zip(places, view, strict=True)
    )
    return x, y
