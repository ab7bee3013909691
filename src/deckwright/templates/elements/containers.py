"""`g first pattern shadow block header footer`: elements that hold others."""

from __future__ import annotations

import math
from collections.abc import Iterator

from deckwright.base.geometry import Matrix, translation
from deckwright.base.units import Mm
from deckwright.ops import outlines
from deckwright.ops.model import ElementError, Group, Op, walk
from deckwright.templates.attributes import (
    AREA,
    PLACE,
    AttributeValues,
    choice,
    color,
    length,
    number,
    optional_length,
    role,
    size,
    string,
    tag_of,
    transform,
)
from deckwright.templates.elements import MIRROR, DrawingContext, container


@container(
    "g",
    **PLACE,
    rotate=number("0"),
    scale=number("1"),
    cx=length("0"),
    cy=length("0"),
    clip=string(""),
    opacity=number("1"),
    alt=string(""),
    role=role(),
    transform=transform(),
    mirror=optional_length(),
)
def group(values: AttributeValues, ops: tuple[Op, ...], _: DrawingContext) -> Iterator[Op]:
    """Elements moved by `x` and `y`, turned clockwise by `rotate` degrees and enlarged by `scale`.

    They are turned and enlarged about `cx`, `cy`. `clip` is path data; nothing outside that outline
    is drawn. `opacity` makes each element translucent; that of groups in groups is multiplied.
    `transform` comes around all of this.
    `alt` is the text for the whole group, such as "Strength 8" for an icon and a number: it is what
    gets copied, found by a search, or read out by a screen reader. On pages whose text flows,
    `role` is what the group is, [as for blocks](#block).

    With `mirror`, which is the width of what they are drawn on, all elements change sides in a
    language that is written from right to left: what is at the left edge is then at the right one.
    Shapes are mirrored; texts, pictures, icons and codes keep their looks.
    """
    try:
        clip = outlines.parse_svg_path(values["clip"]) if values["clip"] else None
        if clip and "mirrored" in values:
            clip = outlines.transform_outline(clip, MIRROR)
    except ValueError as error:
        raise ElementError("value", str(error), attribute="clip") from error
    opacity = min(max(values["opacity"], 0.0), 1.0)
    x, y, scale, angle = values["x"], values["y"], values["scale"], math.radians(values["rotate"])
    matrix: Matrix | None = None
    if x or y or angle or scale != 1:
        cos, sin = round(scale * math.cos(angle), 9), round(scale * math.sin(angle), 9)
        cx, cy = values["cx"], values["cy"]
        matrix = cos, sin, -sin, cos, x + cx - cos * cx + sin * cy, y + cy - sin * cx - cos * cy
    tag = tag_of(values)
    alt = "" if tag else values["alt"]
    if matrix or clip is not None or opacity != 1 or alt:
        ops = (Group(ops, matrix, clip, opacity, alt=alt),)
    yield from (Group(ops, tag=tag),) if tag else ops


@container("first", "first")
def first(_values: AttributeValues, ops: tuple[Op, ...], _: DrawingContext) -> Iterator[Op]:
    """The first of its elements that can be drawn, such as the longest text that fits.

    If none of them can be drawn, the error of the last one is reported.
    """
    yield from ops


_MAX_TILES = 10_000
_MAX_OPS = 100_000
"""How much a pattern may draw, with the patterns in it."""


@container(
    "pattern",
    **AREA,
    rx=size("0"),
    step_x=size(above_zero=True),
    step_y=size(above_zero=True),
)
def pattern(values: AttributeValues, ops: tuple[Op, ...], _: DrawingContext) -> Iterator[Op]:
    """Elements repeated at intervals of `step-x` and `step-y` to fill the box.

    Elements that extend beyond their tile continue in the next one, also along the box's edges.
    """
    step_x, step_y = values["step-x"], values["step-y"]
    columns = math.ceil(round(values["width"] / step_x, 6))
    rows = math.ceil(round(values["height"] / step_y, 6))
    box = outlines.extent(ops)
    left, right = _count_overlapping_tiles(box.x, box.right, step_x) if box else (0, 0)
    above, below = _count_overlapping_tiles(box.y, box.bottom, step_y) if box else (0, 0)
    tiles_in_all = (columns + left + right) * (rows + above + below)
    if tiles_in_all > _MAX_TILES:
        message = f"the pattern has {tiles_in_all} tiles, more than {_MAX_TILES}"
        raise ElementError("value", message, "make the steps larger")
    drawn = tiles_in_all * sum(1 for _ in walk(ops))
    if drawn > _MAX_OPS:
        message = f"the pattern draws {drawn:,} elements, more than {_MAX_OPS:,}"
        raise ElementError("value", message, "make the steps larger, or put less into a tile")
    x, y = values["x"], values["y"]
    tiles = tuple(
        Group(ops, translation(round(x + column * step_x, 4), round(y + row * step_y, 4)))
        for row in range(-above, rows + below)
        for column in range(-left, columns + right)
    )
    clip = outlines.rectangle(x, y, values["width"], values["height"], values["rx"])
    yield Group(tiles, clip=clip)


def _count_overlapping_tiles(start: Mm, end: Mm, step: Mm) -> tuple[int, int]:
    """Return how many tiles before and behind a box reach into it, along one axis."""
    before = math.ceil(round(max(end - step, 0) / step, 6))
    return before, math.ceil(round(max(-start, 0) / step, 6))


_MAX_POINTS = 10_000
"""How many points the shapes of a shadow may have: those of ten rich drawings."""


@container(
    "shadow",
    dx=length("0.4"),
    dy=length("0.6"),
    blur=size("1"),
    fill=color("black"),
    opacity=number("0.4"),
)
def shadow(values: AttributeValues, ops: tuple[Op, ...], _: DrawingContext) -> Iterator[Op]:
    """Elements with a shadow, `dx` to the right and `dy` down, which fades out over `blur`.

    Shapes, drawings and images cast one shadow together, an image that of its box; lines and
    letters cast none. It consists of a few translucent shapes, so PDF files stay small. Files for
    print services, which accept no transparency, contain pixels instead.
    """
    if outlines.count_points(ops) > _MAX_POINTS:
        message = f"the shapes with a shadow have more than {_MAX_POINTS:,} points"
        hint = "give the shadow to a simpler shape of the same size behind them"
        raise ElementError("value", message, hint)
    opacity = min(max(values["opacity"], 0.0), 1.0)
    if values["fill"] is not None:
        move = values["dx"], values["dy"]
        yield from outlines.cast_shadow(ops, values["blur"], values["fill"], opacity, move)
    yield from ops


@container(
    "block",
    height=length("0"),
    space_after=length("0"),
    keep=choice("none", "together", "next"),
    role=role(),
    alt=string(""),
)
def block(_values: AttributeValues, ops: tuple[Op, ...], _: DrawingContext) -> Iterator[Op]:
    """Texts that flow one below the other, and drawings placed from its top left corner.

    It is at least `height` high. `keep="together"` keeps it in one column if possible;
    `keep="next"` also keeps it with what follows.

    `role` describes it to people who cannot see the page, in HTML's terms: a heading (`h1` to
    `h4`), a paragraph (`p`), a `table`, its rows (`tr`) and cells (`th`, `td`), or a `figure`,
    described by `alt`. By default, texts and drawings with words are paragraphs, and drawings
    without words are decoration.
    """
    yield from ops


@container("header")
def header(_values: AttributeValues, ops: tuple[Op, ...], _: DrawingContext) -> Iterator[Op]:
    """Drawn on every page, in the page's coordinates. It sees `page.number` and `page.count`.

    Screen readers read elements with a `role` only once, on the first page.
    """
    yield from ops


@container("footer")
def footer(_values: AttributeValues, ops: tuple[Op, ...], _: DrawingContext) -> Iterator[Op]:
    """Drawn on every page, in the page's coordinates. It sees `page.number` and `page.count`."""
    yield from ops
