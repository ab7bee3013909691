"""`icon`: a symbol of the icon font, as a vector drawing."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.ops import outlines
from deckwright.ops.model import FillPath, Group, Op, StrokePath
from deckwright.templates.attributes import Values, length, size, string
from deckwright.templates.elements import Studio, element
from deckwright.templates.paints import color
from deckwright.text.icons import named_outline


@element(
    "icon",
    name=string(),
    x=length("0"),
    y=length("0"),
    width=size(),
    fill=color("black"),
    stroke=color("none"),
    stroke_width=size("0.3"),
    alt=string(""),
)
def icon(values: Values, _: Studio) -> Iterator[Op]:
    """An icon in a square of `width` with its top left corner at `x`, `y`.

    `stroke` sets it off from what is behind it; the line lies around the icon, not on it. `alt` is
    its text: what gets copied, found by a search, or read out by a screen reader.
    """
    unit = named_outline(values["name"])
    outline = outlines.placed(unit, values["x"], values["y"], values["width"])
    ops: list[Op] = []
    if values["stroke"] is not None:
        ops.append(StrokePath(outline, values["stroke"], 2 * values["stroke-width"]))
    if values["fill"] is not None:
        ops.append(FillPath(outline, values["fill"]))
    yield from [Group(tuple(ops), alt=values["alt"])] if values["alt"] else ops
