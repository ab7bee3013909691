"""Shadings: colors that run into each other, as PDF writes them (ISO 32000-1, 8.7.4.5)."""

from __future__ import annotations

from itertools import groupby, pairwise
from operator import itemgetter

from reportlab.pdfbase.pdfdoc import PDFObject

from deckwright.base.colors import rgb
from deckwright.base.units import decimal
from deckwright.paint.pdf.objects import Written

_LEAST = 1e-4
"""How far two colors lie apart at least: those at one place would leave a function without width.
"""
_LAST = 1 / 240
"""How far before the end the last color begins, if it does so at once: PDFium computes 256 colors,
the last at 255/256.
"""


def shading(radial: bool, stops: tuple[tuple[float, str], ...]) -> PDFObject:  # noqa: FBT001
    """Return the shading of stops: from x = 0 to x = 1, or from the origin to a circle of radius 1.

    Args:
        stops: places from 0 to 1, and colors as `#rrggbb` or as four shares of inks.
    """
    space = "DeviceRGB" if stops[0][1][0] == "#" else "DeviceCMYK"
    kind = "3/Coords[0 0 0 0 0 1]" if radial else "2/Coords[0 0 1 0]"
    function = _function(_apart(stops))
    return Written(
        f"<</ShadingType {kind}/ColorSpace/{space}/Extend[true true]/Function{function}>>".encode()
    )


def _apart(stops: tuple[tuple[float, str], ...]) -> list[tuple[float, str]]:
    """Return stops that begin at 0 and end at 1, no two at one place."""
    made: list[tuple[float, str]] = []
    for _, there in groupby(sorted(stops, key=itemgetter(0)), itemgetter(0)):
        first, *others = there
        made += [first, *others[-1:]]
    if len(made) > 1 and made[-2][0] > 1 - _LAST:
        made = [(min(at, 1 - _LAST), color) for at, color in made]
    if made[0][0] > 0:
        made.insert(0, (0.0, made[0][1]))
    if made[-1][0] < 1:
        made.append((1.0, made[-1][1]))
    at = -_LEAST
    for index, (place, color) in enumerate(made):
        most = 1 - (len(made) - 1 - index) * _LEAST
        at = min(max(place, at + _LEAST), most)
        made[index] = at, color
    return made


def _function(stops: list[tuple[float, str]]) -> str:
    steps = [_step(one, other) for (_, one), (_, other) in pairwise(stops)]
    if len(steps) == 1:
        return steps[0]
    bounds = " ".join(decimal(at, 4) for at, _ in stops[1:-1])
    encode = " ".join(["0 1"] * len(steps))
    return (
        f"<</FunctionType 3/Domain[0 1]/Bounds[{bounds}]/Encode[{encode}]"
        f"/Functions[{''.join(steps)}]>>"
    )


def _step(start: str, end: str) -> str:
    return f"<</FunctionType 2/Domain[0 1]/N 1/C0[{_color(start)}]/C1[{_color(end)}]>>"


def _color(color: str) -> str:
    if color[0] != "#":
        return color
    return " ".join(decimal(channel / 255) for channel in rgb(color))
