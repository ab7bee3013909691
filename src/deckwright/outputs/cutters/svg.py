"""Cut files as SVG, in millimetres: a layer is a group, as in Inkscape, in a color of its own.

Programs that know no layers tell the lines apart by color. The marks are a layer that is not shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.markup import escaped
from deckwright.base.units import decimal
from deckwright.paint.svg.painter import path_data
from deckwright.sheet.cutting import Cut, Layer

_NAMESPACES = (
    'xmlns="http://www.w3.org/2000/svg" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
)
COLORS = {
    Layer.CUT: "#ff0000",
    Layer.KISS_CUT: "#ff00ff",
    Layer.CREASE: "#0000ff",
    Layer.PERFORATION: "#008000",
}
MARKS = "regmarks"
"""The layer of the marks; extensions of Inkscape for cutters leave it out by this name."""


def cut_svg(cut: Cut, title: str) -> bytes:
    """Return an SVG file as large as the sheet, whose top left corner is 0, 0."""
    width, height = decimal(cut.width), decimal(cut.height)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg {_NAMESPACES} width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">',
        f"<title>{escaped(title)}</title>",
        *_layers(cut),
        "</svg>",
        "",
    ]
    return "\n".join(lines).encode()


def _layers(cut: Cut) -> Iterator[str]:
    """Yield the lines of the groups."""
    for layer, outlines in cut.layers:
        look = f'fill="none" stroke="{COLORS[layer]}" stroke-width="0.1"'
        yield f'<g id="{layer.value}" {_named(layer.value)} {look}>'
        yield from (f'<path d="{path_data(outline)}"/>' for outline in outlines)
        yield "</g>"
    if cut.marks:
        yield f'<g id="{MARKS}" {_named(MARKS)} fill="#000000" display="none">'
        yield from (f'<path d="{path_data(outline)}"/>' for outline in cut.marks)
        yield "</g>"


def _named(layer: str) -> str:
    return f'inkscape:groupmode="layer" inkscape:label="{layer.capitalize()}"'
