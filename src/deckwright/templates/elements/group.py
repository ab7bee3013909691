"""`g`: elements moved, turned, clipped or made translucent as one."""

from __future__ import annotations

import math
from collections.abc import Iterator

from deckwright.base.geometry import Matrix
from deckwright.ops import outlines
from deckwright.ops.failing import ElementError
from deckwright.ops.model import Group, Op
from deckwright.templates.attributes import Values, length, number, string, transform
from deckwright.templates.elements import Studio, container
from deckwright.templates.roles import role, tag_of


@container(
    "g",
    x=length("0"),
    y=length("0"),
    rotate=number("0"),
    scale=number("1"),
    cx=length("0"),
    cy=length("0"),
    clip=string(""),
    opacity=number("1"),
    alt=string(""),
    role=role(),
    transform=transform(),
)
def group(values: Values, ops: tuple[Op, ...], _: Studio) -> Iterator[Op]:
    """Elements moved by `x` and `y`, turned clockwise by `rotate` degrees and enlarged by `scale`.

    They are turned and enlarged about `cx`, `cy`. `clip` is path data; nothing outside that outline
    is drawn. `opacity` makes each element translucent; that of groups in groups is multiplied.
    `transform` comes around all of this.
    `alt` is the text for the whole group, such as "Strength 8" for an icon and a number: it is what
    gets copied, found by a search, or read out by a screen reader. On pages whose text flows,
    `role` is what the group is, [as for blocks](#block).
    """
    tag = tag_of(values)
    if tag is not None:
        yield Group((*_grouped(values, ops),), tag=tag)
    else:
        yield from _grouped(values, ops)


def _grouped(values: Values, ops: tuple[Op, ...]) -> Iterator[Op]:
    """Yield the ops, in a group if they need one."""
    outline = _clip(values["clip"])
    opacity = min(max(values["opacity"], 0.0), 1.0)
    matrix = _matrix(values)
    alt = "" if values["role"] else values["alt"]
    if matrix is None and outline is None and opacity == 1 and not alt:
        yield from ops
    else:
        yield Group(ops, matrix, outline, opacity, alt=alt)


def _clip(data: str) -> tuple[tuple[str, *tuple[float, ...]], ...] | None:
    try:
        return outlines.svg_path(data) if data else None
    except ValueError as error:
        raise ElementError("value", str(error), attribute="clip") from error


def _matrix(values: Values) -> Matrix | None:
    x, y, scale, angle = values["x"], values["y"], values["scale"], math.radians(values["rotate"])
    if not (x or y or angle) and scale == 1:
        return None
    cos, sin = round(scale * math.cos(angle), 9), round(scale * math.sin(angle), 9)
    cx, cy = values["cx"], values["cy"]
    return (cos, sin, -sin, cos, x + cx - cos * cx + sin * cy, y + cy - sin * cx - cos * cy)
