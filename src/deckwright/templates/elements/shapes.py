"""`rect circle ellipse line path polygon`: basic shapes, named as in SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator

from deckwright.ops import outlines
from deckwright.ops.failing import ElementError
from deckwright.ops.model import CAPS, JOINS, MITER, FillPath, Gradient, Op, Outline, StrokePath
from deckwright.templates.attributes import (
    Attr,
    Values,
    choice,
    dashes,
    length,
    points,
    size,
    string,
)
from deckwright.templates.elements import Studio, element
from deckwright.templates.paints import GradientSpec, color, paint

LINE: dict[str, Attr] = {
    "stroke_width": size("0.2"),
    "stroke_dasharray": dashes(),
    "stroke_dashoffset": length("0"),
    "stroke_linecap": choice(*CAPS),
    "stroke_linejoin": choice(*JOINS),
}
"""How a line is drawn."""
PAINT: dict[str, Attr] = {
    "fill": paint("none"),
    "stroke": color("none"),
    **LINE,
    "fill_rule": choice("nonzero", "evenodd"),
}
"""How a shape is painted."""


def painted(outline: Outline, values: Values) -> Iterator[Op]:
    """Yield the ops of an outline that is filled and stroked as an element's `PAINT` says."""
    fill = values["fill"]
    if fill is not None:
        color = _gradient(fill, outline) if isinstance(fill, GradientSpec) else fill
        yield FillPath(outline, color, values["fill-rule"] == "evenodd")
    if values["stroke"] is not None and values["stroke-width"] > 0:
        dashed = values["stroke-dasharray"]
        # What is repeated begins anew after an even number of lengths.
        round_ = sum(dashed) * (1 + len(dashed) % 2)
        yield StrokePath(
            outline,
            values["stroke"],
            values["stroke-width"],
            CAPS.index(values["stroke-linecap"]),
            JOINS.index(values["stroke-linejoin"]),
            MITER,
            dashed,
            values["stroke-dashoffset"] % round_ if dashed else 0,
        )


def _gradient(spec: GradientSpec, outline: Outline) -> Gradient:
    """Return a gradient in the size of the outline's box, as CSS sizes it."""
    box = outlines.bounds_of(outline)
    centre = (box.x + box.right) / 2, (box.y + box.bottom) / 2
    if spec.degrees is None:
        return Gradient(centre, (box.right, box.bottom), spec.stops, radial=True)
    angle = math.radians(spec.degrees)
    x, y = math.sin(angle), -math.cos(angle)
    half = (abs(x) * box.width + abs(y) * box.height) / 2
    start = round(centre[0] - x * half, 4), round(centre[1] - y * half, 4)
    end = round(centre[0] + x * half, 4), round(centre[1] + y * half, 4)
    return Gradient(start, end, spec.stops)


@element(
    "rect",
    x=length("0"),
    y=length("0"),
    width=size(),
    height=size(),
    rx=size("0"),
    **PAINT,
)
def rect(values: Values, _: Studio) -> Iterator[Op]:
    """A rectangle; `rx` rounds its corners."""
    outline = outlines.rectangle(
        values["x"], values["y"], values["width"], values["height"], values["rx"]
    )
    return painted(outline, values)


@element("circle", cx=length("0"), cy=length("0"), r=size(), **PAINT)
def circle(values: Values, _: Studio) -> Iterator[Op]:
    """A circle."""
    r = values["r"]
    return painted(outlines.ellipse(values["cx"], values["cy"], r, r), values)


@element("ellipse", cx=length("0"), cy=length("0"), rx=size(), ry=size(), **PAINT)
def ellipse(values: Values, _: Studio) -> Iterator[Op]:
    """An ellipse."""
    outline = outlines.ellipse(values["cx"], values["cy"], values["rx"], values["ry"])
    return painted(outline, values)


@element(
    "line",
    x1=length("0"),
    y1=length("0"),
    x2=length("0"),
    y2=length("0"),
    stroke=color("black"),
    **LINE,
)
def line(values: Values, _: Studio) -> Iterator[Op]:
    """A straight line."""
    outline = outlines.line(values["x1"], values["y1"], values["x2"], values["y2"])
    return painted(outline, {**values, "fill": None})


@element("polygon", points=points(), **PAINT)
def polygon(values: Values, _: Studio) -> Iterator[Op]:
    """A closed polygon."""
    return painted(outlines.polygon(values["points"]), values)


@element("path", d=string(), **PAINT)
def path(values: Values, _: Studio) -> Iterator[Op]:
    """An outline in SVG's path language, in mm."""
    try:
        outline = outlines.svg_path(values["d"])
    except ValueError as error:
        raise ElementError("value", str(error), attribute="d") from error
    return painted(outline, values)
