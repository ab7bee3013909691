"""`shadow`: elements with a soft shadow behind them."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.ops.failing import ElementError
from deckwright.ops.model import Op
from deckwright.templates.attributes import Values, length, number, size
from deckwright.templates.elements import Studio, container
from deckwright.templates.paints import color

_MOST_POINTS = 10_000
"""How many points the shapes of a shadow may have: those of ten rich drawings."""


@container(
    "shadow",
    dx=length("0.4"),
    dy=length("0.6"),
    blur=size("1"),
    fill=color("black"),
    opacity=number("0.4"),
)
def shadow(values: Values, ops: tuple[Op, ...], _: Studio) -> Iterator[Op]:
    """Elements with a shadow, `dx` to the right and `dy` below, which fades out over `blur`.

    Shapes, drawings and images throw a shadow together, an image that of its box; lines and letters
    throw none. It consists of a few translucent shapes, so PDF files stay small. Files for print
    services, which take nothing translucent, have pixels there.
    """
    from deckwright.ops import shadows  # noqa: PLC0415 - rarely needed

    if shadows.size_of(ops) > _MOST_POINTS:
        message = f"the shapes with a shadow have more than {_MOST_POINTS:,} points"
        raise ElementError("value", message, "put something simpler of their size behind them")
    opacity = min(max(values["opacity"], 0.0), 1.0)
    if values["fill"] is not None:
        move = values["dx"], values["dy"]
        yield from shadows.shadow(ops, values["blur"], values["fill"], opacity, move)
    yield from ops
