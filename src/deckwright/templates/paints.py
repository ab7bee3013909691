"""The attributes of template elements that hold colors: plain ones, gradients, palettes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deckwright.base.colors import css_color, top_level
from deckwright.templates.attributes import Attr, Palette


def color(default: str | None = None) -> Attr:
    """A color as `#rrggbb`, or as `#rrggbbaa` if it is translucent; or `none` (None)."""

    def parse(text: str, palette: Palette) -> str | None:
        text = text.strip()
        if text == "none":
            return None
        if text in palette:
            return palette[text]
        known = css_color(text)
        if known is None:
            raise ValueError(f"`{text}` is not a color")
        seen, opacity = known
        if opacity < 1:
            return f"{seen}{round(opacity * 255):02x}" if opacity else None
        return seen

    return Attr(parse, default, f"{_COLOR}, or `none`")


_COLOR = "a color such as `#a33`, `teal`, `rgba(0, 0, 0, 0.5)`"


def maybe_color() -> Attr:
    """A color that may be left out (None)."""
    plain = color()
    return Attr(lambda text, palette: plain.parse(text, palette) if text else None, "", _COLOR)


class GradientSpec(NamedTuple):
    """A gradient as a template writes it; the shape that it fills gives it its size.

    Attributes:
        degrees: its direction as in CSS, 0 upwards, 90 to the right; None for a radial one.
        stops: the colors with their places from 0 to 1.
    """

    degrees: float | None
    stops: tuple[tuple[float, str], ...]


def paint(default: str | None = None) -> Attr:
    """A color, a gradient written as in CSS, or `none` (None)."""
    plain = color(default)

    def parse(text: str, palette: Palette) -> object:
        match = re.fullmatch(r"\s*(linear|radial)-gradient\((.*)\)\s*", text)
        if match is None:
            return plain.parse(text, palette)
        parts = [part.strip() for part in top_level(match[2])]
        degrees: float | None = None
        if match[1] == "linear":
            angle = re.fullmatch(r"([+-]?[\d.]+)deg", parts[0])
            degrees = float(angle[1]) if angle else 180.0
            parts = parts[1:] if angle else parts
        if len(parts) < 2:  # noqa: PLR2004 - a gradient runs from one color to another
            raise ValueError(f"`{text}` does not have two colors")
        return GradientSpec(degrees, tuple(_stops(parts, plain, palette)))

    says = f"{_COLOR}, `linear-gradient(90deg, #fff, #000 80%)`, "
    return Attr(parse, default, says + "`radial-gradient(#fff, #000)`, or `none`")


def _stops(parts: list[str], plain: Attr, palette: Palette) -> Iterator[tuple[float, str]]:
    for index, part in enumerate(parts):
        found = _STOP.fullmatch(part)
        if found is None:
            raise ValueError(f"`{part}` is not a color with a place such as 80%")
        at = float(found[2]) / 100 if found[2] else index / (len(parts) - 1)
        color = str(plain.parse(found[1], palette) or "#ffffff")
        if len(color) > len("#rrggbb"):
            raise ValueError(f"`{found[1]}` is translucent, which colors of a gradient cannot be")
        yield min(at, 1.0), color


_STOP = re.compile(r"([^\s(]*(?:\([^()]*\))?)(?:\s+([0-9.]{1,8})%)?")


def palette() -> Attr:
    """Colors by names, `cloth: #a33; metal: none`, sorted by them."""
    plain = color()

    def parse(text: str, tints: Palette) -> tuple[tuple[str, str], ...]:
        found: dict[str, str] = {}
        for part in filter(None, map(str.strip, text.split(";"))):
            name, colon, value = (piece.strip() for piece in part.partition(":"))
            if not colon or not re.fullmatch(r"[\w-]{1,100}", name):
                message = f"`{part}` is not a name with a color, such as `cloth: #a33`"
                raise ValueError(message)
            if name in found:
                message = f"`{name}` has two colors"
                raise ValueError(message)
            found[name] = str(plain.parse(value, tints) or "none")
        return tuple(sorted(found.items()))

    return Attr(parse, "", "colors by name, `cloth: #a33; metal: none`")
