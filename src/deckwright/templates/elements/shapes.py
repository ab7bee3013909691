"""`rect circle ellipse line path polygon box row`: shapes and boxes that fit."""

from __future__ import annotations

import math
from collections.abc import Iterator

from deckwright.base.geometry import Box, translation
from deckwright.base.units import TOLERANCE, Mm
from deckwright.ops import outlines
from deckwright.ops.model import (
    CAPS,
    JOINS,
    MITER_LIMIT,
    ElementError,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    StrokePath,
)
from deckwright.templates.attributes import (
    AREA,
    PLACE,
    AttributeType,
    AttributeValues,
    GradientSpec,
    choice,
    color,
    dashes,
    length,
    length_or_fit,
    optional_length,
    padding,
    paint,
    points,
    size,
    string,
    transform,
)
from deckwright.templates.elements import MIRROR, DrawingContext, container, element, is_rtl
from deckwright.text.placing import ANCHORS, extent

LINE: dict[str, AttributeType] = {
    "stroke_width": size("0.2"),
    "stroke_dasharray": dashes(),
    "stroke_dashoffset": length("0"),
    "stroke_linecap": choice(*CAPS),
    "stroke_linejoin": choice(*JOINS),
}
"""The attributes of a line."""
PAINT: dict[str, AttributeType] = {
    "fill": paint("none"),
    "stroke": color("none"),
    **LINE,
    "fill_rule": choice("nonzero", "evenodd"),
}
"""The attributes of a painted shape."""


def paint_outline(outline: Outline, values: AttributeValues) -> Iterator[Op]:
    """Yield the ops of an outline that is filled and stroked as an element's `PAINT` says."""
    if "mirrored" in values:
        outline = outlines.transform_outline(outline, MIRROR)
    fill = values["fill"]
    if fill is not None:
        if isinstance(fill, GradientSpec):
            # As in CSS, it is scaled to the outline's box.
            box = outlines.bounds_of(outline)
            x, y = (box.x + box.right) / 2, (box.y + box.bottom) / 2
            if fill.degrees is None:
                fill = Gradient((x, y), (box.right, box.bottom), fill.stops, radial=True)
            else:
                angle = math.radians(fill.degrees)
                across, down = math.sin(angle), -math.cos(angle)
                half = (abs(across) * box.width + abs(down) * box.height) / 2
                start = round(x - across * half, 4), round(y - down * half, 4)
                end = round(x + across * half, 4), round(y + down * half, 4)
                fill = Gradient(start, end, fill.stops)
        yield FillPath(outline, fill, values["fill-rule"] == "evenodd")
    if values["stroke"] is not None and values["stroke-width"] > 0:
        dashed = values["stroke-dasharray"]
        # An odd number of lengths is repeated to give an even period, as in SVG.
        round_ = sum(dashed) * (1 + len(dashed) % 2)
        yield StrokePath(
            outline,
            values["stroke"],
            values["stroke-width"],
            CAPS.index(values["stroke-linecap"]),
            JOINS.index(values["stroke-linejoin"]),
            MITER_LIMIT,
            dashed,
            values["stroke-dashoffset"] % round_ if dashed else 0,
        )


@element("rect", **AREA, rx=size("0"), **PAINT)
def rect(values: AttributeValues, _: DrawingContext) -> Iterator[Op]:
    """A rectangle; `rx` rounds its corners."""
    outline = outlines.rectangle(
        values["x"], values["y"], values["width"], values["height"], values["rx"]
    )
    return paint_outline(outline, values)


@element("circle", cx=length("0"), cy=length("0"), r=size(), **PAINT)
def circle(values: AttributeValues, _: DrawingContext) -> Iterator[Op]:
    """A circle."""
    r = values["r"]
    return paint_outline(outlines.ellipse(values["cx"], values["cy"], r, r), values)


@element("ellipse", cx=length("0"), cy=length("0"), rx=size(), ry=size(), **PAINT)
def ellipse(values: AttributeValues, _: DrawingContext) -> Iterator[Op]:
    """An ellipse."""
    outline = outlines.ellipse(values["cx"], values["cy"], values["rx"], values["ry"])
    return paint_outline(outline, values)


@element(
    "line",
    x1=length("0"),
    y1=length("0"),
    x2=length("0"),
    y2=length("0"),
    stroke=color("black"),
    **LINE,
)
def line(values: AttributeValues, _: DrawingContext) -> Iterator[Op]:
    """A straight line."""
    outline = outlines.line(values["x1"], values["y1"], values["x2"], values["y2"])
    return paint_outline(outline, {**values, "fill": None})


@element("polygon", points=points(), **PAINT)
def polygon(values: AttributeValues, _: DrawingContext) -> Iterator[Op]:
    """A closed polygon."""
    return paint_outline(outlines.polygon(values["points"]), values)


@element("path", d=string(), **PAINT)
def path(values: AttributeValues, _: DrawingContext) -> Iterator[Op]:
    """An outline in SVG's path language, in mm."""
    try:
        outline = outlines.parse_svg_path(values["d"])
    except ValueError as error:
        raise ElementError("value", str(error), attribute="d") from error
    return paint_outline(outline, values)


_SHARES = {"top": 0.0, "middle": 0.5, "bottom": 1.0}
_ANCHOR = choice(*ANCHORS)


@container(
    "box",
    **PLACE,
    width=length_or_fit(),
    height=length_or_fit(),
    min_width=size("0"),
    max_width=optional_length(),
    padding=padding("0.8 1.4"),
    rx=size("0"),
    text_anchor=_ANCHOR,
    **PAINT,
    transform=transform(),
)
def box(values: AttributeValues, ops: tuple[Op, ...], context: DrawingContext) -> Iterator[Op]:
    """A rectangle with elements centered in it, such as a chip or a banner.

    It is as large as its contents and the `padding` around them; texts count from the top of their
    capitals to their baseline. `x` is its left edge, its middle or its right edge, depending on
    `text-anchor`. `rx` rounds its corners. A box without contents is not drawn.
    """
    inner = extent(ops, context.metrics)
    if inner is None:
        return
    down, across = values["padding"]
    needed = inner.width + 2 * across
    width = max(values["width"] or needed, values["min-width"])
    height = values["height"] or inner.height + 2 * down
    most = values["width"] or values["max-width"]
    if most is not None and needed > most + TOLERANCE and not context.lenient:
        message = f"the contents of a box need {needed:.1f} mm with padding, "
        message += f"but it has {most:.1f} mm"
        hint = "give its text a `width` to wrap at and a `min-font-size` to shrink to"
        raise ElementError("overflow", message, hint)
    left, top = values["x"] - ANCHORS[values["text-anchor"]] * width, values["y"]
    yield from paint_outline(outlines.rectangle(left, top, width, height, values["rx"]), values)
    left = -left - width if "mirrored" in values else left
    yield _move_to(ops, inner, left + (width - inner.width) / 2, top + (height - inner.height) / 2)


@container(
    "row",
    "apart",
    **PLACE,
    width=optional_length(),
    gap=size("1"),
    line_gap=size("1"),
    text_anchor=_ANCHOR,
    direction=choice("auto", "ltr", "rtl"),
    valign=choice("middle", "top", "bottom"),
    transform=transform(),
)
def row(values: AttributeValues, ops: tuple[Op, ...], context: DrawingContext) -> Iterator[Op]:
    """Elements side by side, `gap` apart, whatever their widths, such as chips of keywords.

    With `width`, they wrap into lines `line-gap` apart, and `text-anchor` aligns each line within
    it; otherwise, `text-anchor` aligns the row at `x`. `valign` aligns each element within
    the height of its line. With the direction `rtl`, by default that of the game's language, the
    first element is at the right.
    """
    room, y = values["width"], values["y"]
    rtl = is_rtl(values, context)
    share = 1 - ANCHORS[values["text-anchor"]] if rtl else ANCHORS[values["text-anchor"]]
    for line in _break_lines(ops, room, values["gap"], context):
        wide = sum(box.width for _, box in line) + values["gap"] * (len(line) - 1)
        high = max(box.height for _, box in line)
        x = values["x"] + share * ((room or 0) - wide)
        for op, box in reversed(line) if rtl else line:
            yield _move_to((op,), box, x, y + _SHARES[values["valign"]] * (high - box.height))
            x += box.width + values["gap"]
        y += high + values["line-gap"]


def _break_lines(
    ops: tuple[Op, ...], room: Mm | None, gap: Mm, context: DrawingContext
) -> Iterator[list[tuple[Op, Box]]]:
    """Yield the lines of a row, each element with the box around it."""
    line: list[tuple[Op, Box]] = []
    width = 0.0
    for op in ops:
        box = extent((op,), context.metrics)
        if box is None:
            continue
        if room is not None and box.width > room + TOLERANCE and not context.lenient:
            message = f"an element in a row is {box.width:.1f} mm wide, but the row {room:.1f} mm"
            raise ElementError("overflow", message, "make the row wider or the element smaller")
        if line and room is not None and width + gap + box.width > room + TOLERANCE:
            yield line
            line, width = [], 0.0
        width += box.width + (gap if line else 0)
        line.append((op, box))
    if line:
        yield line


def _move_to(ops: tuple[Op, ...], inner: Box, x: Mm, y: Mm) -> Op:
    """Return ops moved so that the box around them begins at a point."""
    return Group(ops, translation(round(x - inner.x, 4), round(y - inner.y, 4)))
