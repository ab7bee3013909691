"""`code`: QR codes and bar codes."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.ops.cells import cells
from deckwright.ops.model import FillPath, Group, Op
from deckwright.ops.outlines import rectangle
from deckwright.templates.attributes import (
    Values,
    choice,
    length,
    maybe_length,
    maybe_whole,
    size,
    string,
)
from deckwright.templates.codes import KINDS, LEVELS, MATRICES, encoded
from deckwright.templates.elements import Studio, element
from deckwright.templates.paints import color

_FLAT = 0.4
"""How high bar codes are unless it is said, as a share of their width."""


@element(
    "code",
    value=string(),
    kind=choice(*KINDS),
    x=length("0"),
    y=length("0"),
    width=size(above_zero=True),
    height=maybe_length(),
    level=choice("M", *(level for level in LEVELS if level != "M")),
    version=maybe_whole(1, 40),
    quiet=maybe_whole(0, 20),
    fill=color("black"),
    background=color("white"),
    alt=string(""),
)
def code(values: Values, _: Studio) -> Iterator[Op]:
    """A code that cameras read: a QR code (`qr`, or `micro-qr` for a few letters) or a bar code.

    It is as wide as `width`, with the quiet zone around it that its standard asks for: `quiet`
    modules, which are the squares or the narrowest bars. QR codes are square; bar codes are as high
    as `height`, by default two fifths of their width. `level` is how much of a QR code may be
    unreadable: about 7, 15, 25 or 30 percent; `version` is its size, by default the smallest that
    holds the value. `ean13`, `ean8` and `upca` are numbers whose last digit is a check, which may
    be left out; `code128` holds any ASCII text. `alt` is what is copied or read aloud, by default
    the value.

    The check warns of codes that may not be readable: of modules below 0.3 mm, too little contrast,
    or something that is drawn over them.
    """
    made = encoded(values["kind"], values["value"], values["level"], values["version"])
    around = made.quiet if values["quiet"] is None else values["quiet"]
    x, y, width = values["x"], values["y"], values["width"]
    module = width / (len(made.rows[0]) + 2 * around)
    if values["kind"] in MATRICES:
        height, tall, above = width, module, around * module
    else:
        height = tall = width * _FLAT if values["height"] is None else values["height"]
        above = 0.0
    zone = rectangle(x, y, width, height)
    ops: list[Op] = []
    if values["background"] is not None:
        ops.append(FillPath(zone, values["background"]))
    if values["fill"] is not None:
        dark = cells(made.rows, x + around * module, y + above, module, tall)
        ops.append(FillPath(dark, values["fill"]))
    yield Group(tuple(ops), clip=zone, alt=values["alt"] or values["value"], module=module)
