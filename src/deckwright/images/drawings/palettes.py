"""One reading of a drawing for all of its palettes.

A drawing is read with colors that are not known yet. Whatever is painted with one keeps the text
that says what it will be, `color-mix(in srgb, …cloth… 70%, black)`, and a palette turns these texts
into colors. It is as if the drawing had been read with that palette, only faster.
"""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.images.drawings.model import Drawing, Palette, RefusedError
from deckwright.images.drawings.values import UNKNOWN, color
from deckwright.ops.model import FillPath, StrokePath, walk
from deckwright.ops.moving import recolored


def unknown(palette: Palette) -> Palette:
    """Return a palette of the same names, of which no color is known yet."""
    return tuple((name, f"{UNKNOWN}{name}{UNKNOWN}") for name, _ in palette)


def with_palette(drawing: Drawing, palette: Palette) -> Drawing | None:
    """Return a drawing that was read with `unknown(palette)` as it is with that palette.

    None if that takes another reading: something is not painted at all, or not with a color.
    """
    known: dict[str, str] = {}
    for text in set(_unknown(drawing)):
        full = text
        for name, value in palette:
            full = full.replace(f"{UNKNOWN}{name}{UNKNOWN}", value)
        try:
            shown = color(full, "")
        except RefusedError:
            shown = None
        if shown is None:
            return None
        known[text] = shown
    return drawing._replace(ops=recolored(drawing.ops, known))


def _unknown(drawing: Drawing) -> Iterator[str]:
    """Yield the colors of a drawing that are not known yet."""
    for op in walk(drawing.ops):
        if isinstance(op, FillPath | StrokePath):
            colors = op.colors if isinstance(op, FillPath) else [op.color]
            yield from (color for color in colors if UNKNOWN in color)
