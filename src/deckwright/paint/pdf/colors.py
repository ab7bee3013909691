"""Color spaces of a PDF: separations and shadings."""

from __future__ import annotations

from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from deckwright.base.colors import rgb
from deckwright.base.units import format_decimal
from deckwright.paint.pdf.objects import encode_name


class Spot(NamedTuple):
    """A spot ink.

    Attributes:
        name: the name of the separation.
        alternate: its alternate color in CMYK, each channel from 0 to 1.
    """

    name: str
    alternate: tuple[float, float, float, float]

    def color_space(self) -> bytes:
        """Return the separation (ISO 32000-1, 8.6.6.4)."""
        shown = " ".join(f"{share:.3g}" for share in self.alternate)
        way = f"<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[{shown}]>>"
        return b"[/Separation %s/DeviceCMYK %s]" % (encode_name(self.name), way.encode())


_MIN_STOP_DISTANCE = 1e-4
"""The minimum distance of two stops: a function needs a domain of some width.
"""
_LAST_STOP_DISTANCE = 1 / 240
"""The distance from the end at which a final color starts that begins at the very end: PDFium
samples 256 colors, the last one at 255/256.
"""


def shading(radial: bool, stops: tuple[tuple[float, str], ...]) -> bytes:  # noqa: FBT001
    """Return a shading from x = 0 to x = 1, or from the origin to the unit circle.

    Args:
        stops: offsets from 0 to 1 with colors, as `#rrggbb` or four shares of inks.
    """
    space = "DeviceRGB" if stops[0][1][0] == "#" else "DeviceCMYK"
    kind = "3/Coords[0 0 0 0 0 1]" if radial else "2/Coords[0 0 1 0]"
    separated = _separate_stops(stops)
    colors = [color_operands(color) for _, color in separated]
    steps = [
        f"<</FunctionType 2/Domain[0 1]/N 1/C0[{start}]/C1[{end}]>>"
        for start, end in pairwise(colors)
    ]
    function = steps[0]
    if len(steps) > 1:
        bounds = " ".join(format_decimal(at, 4) for at, _ in separated[1:-1])
        encode = " ".join(["0 1"] * len(steps))
        function = (
            f"<</FunctionType 3/Domain[0 1]/Bounds[{bounds}]/Encode[{encode}]"
            f"/Functions[{''.join(steps)}]>>"
        )
    entries = f"/ShadingType {kind}/ColorSpace/{space}/Extend[true true]/Function{function}"
    return f"<<{entries}>>".encode()


def _separate_stops(stops: tuple[tuple[float, str], ...]) -> list[tuple[float, str]]:
    """Return stops from 0 to 1, no two of them at the same offset."""
    separated: list[tuple[float, str]] = []
    for _, there in groupby(sorted(stops, key=itemgetter(0)), itemgetter(0)):
        first, *others = there
        separated += [first, *others[-1:]]
    if len(separated) > 1 and separated[-2][0] > 1 - _LAST_STOP_DISTANCE:
        separated = [(min(at, 1 - _LAST_STOP_DISTANCE), color) for at, color in separated]
    if separated[0][0] > 0:
        separated.insert(0, (0.0, separated[0][1]))
    if separated[-1][0] < 1:
        separated.append((1.0, separated[-1][1]))
    at = -_MIN_STOP_DISTANCE
    for index, (place, color) in enumerate(separated):
        most = 1 - (len(separated) - 1 - index) * _MIN_STOP_DISTANCE
        at = min(max(place, at + _MIN_STOP_DISTANCE), most)
        separated[index] = at, color
    return separated


def color_operands(color: str) -> str:
    """Return a color's operands: shares of red, green and blue, or those of inks as they are."""
    if color[0] != "#":
        return color
    return " ".join(format_decimal(channel / 255) for channel in rgb(color))
