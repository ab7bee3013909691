"""What of SVG is drawn, as lists: elements, attributes and CSS properties.

Whatever is on no list is refused by its name. `docs/drawings.md` has the same lists for users.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

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
"""The elements that are drawn, with the attributes of their own."""

GRADIENTS: Mapping[str, frozenset[str]] = {
    tag: frozenset(names.split())
    for tag, names in {
        "linearGradient": "x1 y1 x2 y2 gradientUnits gradientTransform spreadMethod href",
        "radialGradient": "cx cy r fx fy fr gradientUnits gradientTransform spreadMethod href",
        "stop": "offset",
        "clipPath": "clipPathUnits",
    }.items()
}
"""What other elements refer to, with the attributes of their own."""

PASSED_OVER = frozenset({
    "title", "desc", "metadata", "defs",
    "symbol", "marker", "clipPath", "mask", "pattern", "linearGradient", "radialGradient", "filter",
})  # fmt: skip
"""Elements that show nothing by themselves: what refers to them is refused."""

ACTING = frozenset({
    "style", "script", "animate", "animateColor", "animateMotion", "animateTransform", "set",
    "discard", "handler", "listener", "prefetch",
})  # fmt: skip
"""Elements that change others from wherever they stand, also from `defs`."""

ACTING_NAMESPACES = frozenset({
    "", "http://www.w3.org/1999/xhtml", "http://www.w3.org/2001/XInclude",
    "http://www.w3.org/ns/xbl", "http://www.mozilla.org/xbl", "http://www.w3.org/2001/xml-events",
    "http://www.w3.org/1999/XSL/Transform",
})  # fmt: skip
"""Namespaces whose elements may show or change something. What drawing programs write in their own
namespaces does not."""

MEANINGLESS = frozenset({
    "id", "class", "style", "lang", "tabindex", "role", "focusable", "content",
    "{http://www.w3.org/XML/1998/namespace}lang", "{http://www.w3.org/XML/1998/namespace}space",
    "{http://www.w3.org/XML/1998/namespace}id",
})  # fmt: skip
"""Attributes of any element that show nothing; `style` is read by itself."""
MEANINGLESS_STARTS = ("aria-", "data-")
MEANING_NAMESPACES = ("{http://www.w3.org/1999/xlink}", "{http://www.w3.org/XML/1998/namespace}")
"""Attributes of any other namespace are notes of drawing programs."""


class Property(NamedTuple):
    """A CSS property that is drawn.

    Attributes:
        initial: its value where nothing gives one.
        inherited: whether the elements in an element inherit its value.
        attribute: whether an attribute can give it as well.
        only: the only values that are drawn; none means any that can be read.
    """

    initial: str
    inherited: bool = False
    attribute: bool = True
    only: frozenset[str] = frozenset()


_NONE = frozenset({"none"})
PROPERTIES: Mapping[str, Property] = {
    "color": Property("#000000", inherited=True),
    "fill": Property("#000000", inherited=True),
    "fill-opacity": Property("1", inherited=True),
    "fill-rule": Property("nonzero", inherited=True),
    "stroke": Property("none", inherited=True),
    "stroke-dasharray": Property("none", inherited=True),
    "stroke-dashoffset": Property("0", inherited=True),
    "stroke-linecap": Property("butt", inherited=True),
    "stroke-linejoin": Property("miter", inherited=True),
    "stroke-miterlimit": Property("4", inherited=True),
    "stroke-opacity": Property("1", inherited=True),
    "stroke-width": Property("1", inherited=True),
    "paint-order": Property("normal", inherited=True),
    "visibility": Property("visible", inherited=True),
    "display": Property("inline"),
    "opacity": Property("1"),
    "transform": Property("none"),
    "transform-origin": Property("0 0"),
    "transform-box": Property("view-box", attribute=False, only=frozenset({"view-box"})),
    "clip": Property("auto", only=frozenset({"auto"})),
    "clip-path": Property("none"),
    "clip-rule": Property("nonzero", inherited=True),
    "stop-color": Property("#000000"),
    "stop-opacity": Property("1"),
    "filter": Property("none", only=_NONE),
    "marker": Property("none", attribute=False, only=_NONE),
    "marker-end": Property("none", inherited=True, only=_NONE),
    "marker-mid": Property("none", inherited=True, only=_NONE),
    "marker-start": Property("none", inherited=True, only=_NONE),
    "mask": Property("none", only=_NONE),
    "mix-blend-mode": Property("normal", attribute=False, only=frozenset({"normal"})),
    "vector-effect": Property("none", only=_NONE),
}

GEOMETRY: Mapping[str, Property] = {
    **{name: Property("0") for name in ("x", "y", "cx", "cy", "r")},
    **{name: Property("auto") for name in ("width", "height", "rx", "ry")},
}
"""Attributes of shapes that are properties as well."""

UNSEEN = frozenset({
    # of text, of which there is none
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
    # of filters and masks, which are not drawn
    "color-interpolation", "color-interpolation-filters", "color-profile",
    "color-rendering", "flood-color", "flood-opacity", "image-rendering", "lighting-color",
    "mask-type", "solid-color", "solid-opacity",
    # of screens
    "cursor", "enable-background", "isolation", "overflow", "pointer-events", "shape-rendering",
    "user-select",
})  # fmt: skip
"""Properties that change nothing about what is drawn."""
UNSEEN_STARTS = ("-inkscape-",)
