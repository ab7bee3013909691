"""`symbol`: a symbol of the game."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import known_hint
from deckwright.ops.failing import ElementError
from deckwright.ops.model import Op
from deckwright.templates.attributes import Values, length, size, string
from deckwright.templates.elements import Studio, element
from deckwright.templates.paints import color


@element("symbol", name=string(), x=length("0"), y=length("0"), width=size(), fill=color("black"))
def symbol(values: Values, studio: Studio) -> Iterator[Op]:
    """A symbol from `game.xml`, by its id, in a square of `width`.

    `fill` colors symbols that have no color of their own.
    """
    art = studio.symbols.get(values["name"])
    if art is None:
        message = f"the game has no symbol `{values['name']}`"
        raise ElementError("value", message, known_hint(values["name"], studio.symbols), "name")
    side = values["width"]
    height = side / max(1, art.aspect)
    x = values["x"] + (side - height * art.aspect) / 2
    y = values["y"] + (side - height) / 2
    return art.ops(x, y, height, values["fill"] or "#000000")
