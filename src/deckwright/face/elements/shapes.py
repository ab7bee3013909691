"""`rect circle ellipse line path polygon`: basic shapes, named as in SVG."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.face import outlines
from deckwright.face.attributes import Attr, Values, color, length, points, string
from deckwright.face.elements import ElementError, Studio, element
from deckwright.face.ops import FillPath, Op, Outline, StrokePath

_PAINT: dict[str, Attr] = {
    "fill": color("none"),
    "stroke": color("none"),
    "stroke_width": length("0.2"),
}


def _painted(outline: Outline, values: Values) -> Iterator[Op]:
    if values["fill"] is not None:
        yield FillPath(outline, values["fill"])
    if values["stroke"] is not None and values["stroke-width"] > 0:
        yield StrokePath(outline, values["stroke"], values["stroke-width"])


@element(
    "rect",
    x=length("0"),
    y=length("0"),
    width=length(),
    height=length(),
    rx=length("0"),
    **_PAINT,
)
def rect(values: Values, _: Studio) -> Iterator[Op]:
    """A rectangle; `rx` rounds its corners."""
    outline = outlines.rectangle(
        values["x"], values["y"], values["width"], values["height"], values["rx"]
    )
    return _painted(outline, values)


@element("circle", cx=length("0"), cy=length("0"), r=length(), **_PAINT)
def circle(values: Values, _: Studio) -> Iterator[Op]:
    """A circle."""
    r = values["r"]
    return _painted(outlines.ellipse(values["cx"], values["cy"], r, r), values)


@element("ellipse", cx=length("0"), cy=length("0"), rx=length(), ry=length(), **_PAINT)
def ellipse(values: Values, _: Studio) -> Iterator[Op]:
    """An ellipse."""
    outline = outlines.ellipse(values["cx"], values["cy"], values["rx"], values["ry"])
    return _painted(outline, values)


@element(
    "line",
    x1=length("0"),
    y1=length("0"),
    x2=length("0"),
    y2=length("0"),
    stroke=color("black"),
    stroke_width=length("0.2"),
)
def line(values: Values, _: Studio) -> Iterator[Op]:
    """A straight line."""
    outline: Outline = (("M", values["x1"], values["y1"]), ("L", values["x2"], values["y2"]))
    yield StrokePath(outline, values["stroke"], values["stroke-width"])


@element("polygon", points=points(), **_PAINT)
def polygon(values: Values, _: Studio) -> Iterator[Op]:
    """A closed polygon."""
    return _painted(outlines.polygon(values["points"]), values)


@element("path", d=string(), **_PAINT)
def path(values: Values, _: Studio) -> Iterator[Op]:
    """An outline in SVG's path language, in mm."""
    try:
        outline = outlines.svg_path(values["d"])
    except ValueError as error:
        raise ElementError("value", str(error), attribute="d") from error
    return _painted(outline, values)
