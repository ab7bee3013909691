"""The attributes of template elements: their names, types and defaults."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from deckwright.base.colors import NAMED_COLORS
from deckwright.base.crops import read_focus, read_zoom
from deckwright.base.units import parse_length

Values = dict[str, Any]
"""The values of an element's attributes by name, parsed."""

Palette = Mapping[str, str]
"""The game's own tints of color names."""


class Attr(NamedTuple):
    """An attribute of a template element.

    Attributes:
        parse: turns its text into a value, with the game's palette; raises ValueError with a
            message for the designer.
        default: its text where it is left out; None if it must be given.
        says: what it holds, in words.
    """

    parse: Callable[[str, Palette], object]
    default: str | None
    says: str


def length(default: str | None = None) -> Attr:
    """A length, in mm or with a unit; may be negative."""
    says = "a length in mm, or with a unit, such as 9pt"
    return Attr(lambda text, _: parse_length(text), default, says)


def size(default: str | None = None, *, above_zero: bool = False) -> Attr:
    """A length that is not negative."""

    def parse(text: str, _: Palette) -> float:
        value = parse_length(text)
        if value < 0 or (above_zero and value < _LEAST):
            raise ValueError(f"`{text}` is {'too small' if value >= 0 else 'negative'}")
        return value

    return Attr(parse, default, "a length in mm, or with a unit, such as 9pt, at least 0")


_LEAST = 0.05
"""The smallest type, in mm: a tenth of what anyone can read."""


def maybe_length() -> Attr:
    """A length that may be left out (None)."""

    def parse(text: str, _: Palette) -> float | None:
        return float(str(size().parse(text, _))) if text else None

    return Attr(parse, "", "a length in mm, or with a unit, such as 9pt")


def spacing() -> Attr:
    """A distance between letters: a part of it in ems, and one in mm."""

    def parse(text: str, _: Palette) -> tuple[float, float]:
        found = re.fullmatch(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))em\s*", text)
        ems, mm = (float(found[1]), 0.0) if found else (0.0, parse_length(text))
        if not -_CLOSEST <= ems <= _WIDEST:
            message = f"`{text}` is not within -{_CLOSEST:g}em and {_WIDEST:g}em"
            raise ValueError(message)
        return ems, mm

    return Attr(parse, "0", "a share of the type size, such as 0.05em, or a length")


_CLOSEST, _WIDEST = 0.3, 3.0


def number(default: str | None = None) -> Attr:
    """A number without unit."""

    def parse(text: str, _: Palette) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isfinite(value):
            return value
        raise ValueError(f"`{text}` is not a number")

    return Attr(parse, default, "a number")


def color(default: str | None = None) -> Attr:
    """A color, or `none` (None)."""

    def parse(text: str, palette: Palette) -> str | None:
        text = text.strip()
        if text == "none":
            return None
        if re.fullmatch("#[0-9a-fA-F]{3}", text):
            return "#" + "".join(2 * digit for digit in text[1:].lower())
        if re.fullmatch("#[0-9a-fA-F]{6}", text):
            return text.lower()
        named = palette.get(text) or NAMED_COLORS.get(text)
        if named is None:
            raise ValueError(f"`{text}` is not a color")
        return named

    return Attr(parse, default, "a color as #rrggbb or by name, or `none`")


def maybe_color() -> Attr:
    """A color that may be left out (None)."""
    plain = color()
    says = "a color as #rrggbb or by name"
    return Attr(lambda text, palette: plain.parse(text, palette) if text else None, "", says)


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
        parts = [part.strip() for part in match[2].split(",")]
        degrees: float | None = None
        if match[1] == "linear":
            angle = re.fullmatch(r"([+-]?[\d.]+)deg", parts[0])
            degrees = float(angle[1]) if angle else 180.0
            parts = parts[1:] if angle else parts
        if len(parts) < 2:  # noqa: PLR2004 - a gradient runs from one color to another
            raise ValueError(f"`{text}` does not have two colors")
        return GradientSpec(degrees, tuple(_stops(parts, plain, palette)))

    says = "a color as #rrggbb or by name, `linear-gradient(90deg, #fff, #000 80%)`, "
    return Attr(parse, default, says + "`radial-gradient(#fff, #000)`, or `none`")


def _stops(parts: list[str], plain: Attr, palette: Palette) -> Iterator[tuple[float, str]]:
    for index, part in enumerate(parts):
        name, _, place = part.partition(" ")
        at = index / (len(parts) - 1)
        if place:
            percent = re.fullmatch(r"\s*([0-9.]{1,8})%", place)
            if percent is None:
                raise ValueError(f"`{part}` is not a color with a place such as 80%")
            at = float(percent[1]) / 100
        yield min(at, 1.0), str(plain.parse(name, palette) or "#ffffff")


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


def choice(*options: str) -> Attr:
    """One of some words; the first is the default."""

    def parse(text: str, _: Palette) -> str:
        if text not in options:
            raise ValueError(f"`{text}` is not one of {', '.join(options)}")
        return text

    return Attr(parse, options[0], "one of " + ", ".join(f"`{option}`" for option in options))


def focus(default: str = "0.5 0.5") -> Attr:
    """A point of a picture, as shares of its width and height."""
    says = "two numbers from 0 to 1: how far across and how far down"
    return Attr(lambda text, _: read_focus(text or default), default, says)


def zoom(default: str = "1") -> Attr:
    """How many times larger than needed a picture is."""
    return Attr(lambda text, _: read_zoom(text or default), default, "a number, at least 1")


def string(default: str | None = None) -> Attr:
    """Any text."""
    return Attr(lambda text, _: text, default, "text")


def points() -> Attr:
    """Points of a polygon, "x,y x,y …"."""

    def parse(text: str, _: Palette) -> list[tuple[float, float]]:
        numbers = re.split(r"[\s,]+", text.strip())
        try:
            values = [float(item) for item in numbers]
        except ValueError:
            values = []
        if len(values) % 2 or not values or not all(map(math.isfinite, values)):
            raise ValueError(f"`{text}` is not a list of points")
        return list(zip(values[::2], values[1::2], strict=True))

    return Attr(parse, None, "points as `x,y x,y …` in mm")
