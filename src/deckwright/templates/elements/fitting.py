"""`box row`: a ground that is as large as what is on it, and things beside each other."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.geometry import Box, shifted
from deckwright.base.units import HAIR, Mm
from deckwright.ops import outlines
from deckwright.ops.failing import ElementError
from deckwright.ops.model import Group, Op
from deckwright.templates.attributes import (
    Values,
    choice,
    fitting,
    length,
    maybe_length,
    padding,
    size,
    transform,
)
from deckwright.templates.elements import Studio, container
from deckwright.templates.elements.shapes import PAINT, painted
from deckwright.text.extent import extent
from deckwright.text.placing import ANCHORS

_SHARES = {"top": 0.0, "middle": 0.5, "bottom": 1.0}
_ANCHOR = choice(*ANCHORS)


@container(
    "box",
    x=length("0"),
    y=length("0"),
    width=fitting(),
    height=fitting(),
    min_width=size("0"),
    max_width=maybe_length(),
    padding=padding("0.8 1.4"),
    rx=size("0"),
    text_anchor=_ANCHOR,
    **PAINT,
    transform=transform(),
)
def box(values: Values, ops: tuple[Op, ...], studio: Studio) -> Iterator[Op]:
    """A rectangle around the elements in it, which come to lie in its middle: a chip or a banner.

    It is as large as they are, with `padding` around them; texts count from their capitals to their
    baseline. `x` is its left edge, its middle or its right edge, as `text-anchor` says. `rx` rounds
    its corners. Without anything in it, it is not drawn.
    """
    inner = extent(ops, studio.metrics)
    if inner is None:
        return
    down, across = values["padding"]
    needed = inner.width + 2 * across
    width = max(values["width"] or needed, values["min-width"])
    height = values["height"] or inner.height + 2 * down
    most = values["width"] or values["max-width"]
    if most is not None and needed > most + HAIR and not studio.lenient:
        message = f"what is in a box needs {needed:.1f} mm with its padding, of {most:.1f} mm"
        hint = "give its text a `width` at which it wraps, and a `min-font-size` to shrink to"
        raise ElementError("overflow", message, hint)
    left, top = values["x"] - ANCHORS[values["text-anchor"]] * width, values["y"]
    yield from painted(outlines.rectangle(left, top, width, height, values["rx"]), values)
    yield _moved(ops, inner, left + (width - inner.width) / 2, top + (height - inner.height) / 2)


@container(
    "row",
    "apart",
    x=length("0"),
    y=length("0"),
    width=maybe_length(),
    gap=size("1"),
    line_gap=size("1"),
    text_anchor=_ANCHOR,
    valign=choice("middle", "top", "bottom"),
    transform=transform(),
)
def row(values: Values, ops: tuple[Op, ...], studio: Studio) -> Iterator[Op]:
    """Elements beside each other, `gap` apart, however wide they are, such as chips of keywords.

    With `width`, they wrap into lines that are `line-gap` apart, each of which begins, is centered
    or ends in it as `text-anchor` says; without it, that is how they lie to `x`. What is lower than
    its line stands in it as `valign` says.
    """
    room, y = values["width"], values["y"]
    share = ANCHORS[values["text-anchor"]]
    for line in _lines(ops, room, values["gap"], studio):
        wide = sum(box.width for _, box in line) + values["gap"] * (len(line) - 1)
        high = max(box.height for _, box in line)
        x = values["x"] + share * ((room or 0) - wide)
        for op, box in line:
            yield _moved((op,), box, x, y + _SHARES[values["valign"]] * (high - box.height))
            x += box.width + values["gap"]
        y += high + values["line-gap"]


def _lines(
    ops: tuple[Op, ...], room: Mm | None, gap: Mm, studio: Studio
) -> Iterator[list[tuple[Op, Box]]]:
    """Yield the lines of a row, each element with the box around it."""
    line: list[tuple[Op, Box]] = []
    width = 0.0
    for op in ops:
        box = extent((op,), studio.metrics)
        if box is None:
            continue
        if room is not None and box.width > room + HAIR and not studio.lenient:
            message = f"something in a row is {box.width:.1f} mm wide, the row {room:.1f} mm"
            raise ElementError("overflow", message, "make the row wider, or what is in it smaller")
        if line and room is not None and width + gap + box.width > room + HAIR:
            yield line
            line, width = [], 0.0
        width += box.width + (gap if line else 0)
        line.append((op, box))
    if line:
        yield line


def _moved(ops: tuple[Op, ...], inner: Box, x: Mm, y: Mm) -> Op:
    """Return ops moved so that the box around them begins at a point."""
    return Group(ops, shifted(round(x - inner.x, 4), round(y - inner.y, 4)))
