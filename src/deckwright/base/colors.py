"""Named colors and color arithmetic. A color is a string `#rrggbb`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

_LIST = Path(__file__).with_name("colors.txt").read_text(encoding="utf-8")
NAMED_COLORS: dict[str, str] = dict(line.split() for line in _LIST.splitlines())
"""The 148 color names of CSS Color Module Level 4, which include the LaTeX base colors' names."""


_MAX_COLOR_LENGTH = 100
"""Longer texts are not parsed as colors."""


@lru_cache(maxsize=4096)
def parse_css_color(text: str) -> tuple[str, float] | None:
    """Return a CSS color as `#rrggbb` and its opacity, 0 to 1; None if it is not a color.

    Accepted are names, `#rgb` and `#rrggbb`, both with an optional alpha, `rgb()`, `hsl()` and
    `hwb()`, after CSS Color Level 4 (https://www.w3.org/TR/css-color-4/). Colors outside of sRGB
    are refused.
    """
    named = NAMED_COLORS.get(text.lower())
    if named is not None:
        return named, 1
    if re.fullmatch("#[0-9a-fA-F]{6}", text):
        return text.lower(), 1
    if re.fullmatch("#[0-9a-fA-F]{3}", text):
        return "#" + "".join(2 * digit for digit in text[1:].lower()), 1
    from tinycss2.color4 import Color, parse_color  # rarely needed

    parsed = parse_color(text) if len(text) <= _MAX_COLOR_LENGTH else None
    if not isinstance(parsed, Color) or parsed.space not in {"srgb", "hsl", "hwb"}:
        return None
    if parsed.space == "hsl":  # browsers clamp shares to 100 %
        hue, *shares = parsed.coordinates
        shares = [min(max(share or 0, 0), 100) for share in shares]
        parsed = Color("hsl", (hue, *shares), parsed.alpha)
    color = _to_hex((channel or 0) * 255 for channel in parsed.to("srgb").coordinates)
    return color, min(max(float(parsed.alpha), 0), 1)


def _to_hex(channels: Iterable[float]) -> str:
    """Return red, green and blue, each limited to 0 to 255, as `#rrggbb`."""
    return "#" + "".join(f"{round(min(max(channel, 0), 255)):02x}" for channel in channels)


def split_at_commas(text: str) -> Iterator[str]:
    """Yield the parts of a text between commas that are outside of brackets."""
    start = depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            yield text[start:place]
            start = place + 1
    yield text[start:]


def rgb(color: str) -> tuple[int, int, int]:
    """Return red, green and blue of `color`, each from 0 to 255.

    Raises:
        ValueError: if it is not `#rrggbb`.
    """
    if len(color) != 7 or color[0] != "#":  # #rrggbb
        raise ValueError(f"`{color}` is not a color of the form `#rrggbb`")
    number = int(color[1:], 16)
    return number >> 16, number >> 8 & 255, number & 255


@lru_cache(maxsize=1024)
def mix(color: str, other: str, share: float) -> str:
    """Return `color` with a `share` (0 to 1) of `other` in it, mixed in sRGB."""
    pairs = zip(rgb(color), rgb(other), strict=True)
    return _to_hex(mine + (theirs - mine) * share for mine, theirs in pairs)


def resolve_color(color: str, palette: Mapping[str, str] | None = None) -> str:
    """Return a color name or `#rrggbb` as `#rrggbb`; names of the palette win."""
    if palette and color in palette:
        return palette[color]
    return NAMED_COLORS.get(color, color).lower()


def lighten(color: str, share: float) -> str:
    """Return `color` with a `share` (0 to 1) of white in it."""
    return mix(color, "#ffffff", share)


def darken(color: str, share: float) -> str:
    """Return `color` with a `share` (0 to 1) of black in it."""
    return mix(color, "#000000", share)


def luminance(color: str) -> float:
    """Return the relative luminance of `color`, 0 to 1, as WCAG 2.2 defines it."""

    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(channel) for channel in rgb(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(color: str, other: str) -> float:
    """Return the contrast ratio of two colors, 1 to 21, as WCAG 2.2 defines it."""
    lighter, darker = sorted((luminance(color), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=1024)
def contrasting_color(color: str, light: str = "#ffffff", dark: str = "#000000") -> str:
    """Return whichever of `light` and `dark` is easier to read on `color`."""
    return light if contrast(color, light) >= contrast(color, dark) else dark


_SOLIDS = ("#24211e", "#2b3f94", "#2f8f46", "#2f9fb8", "#c4302b", "#b8367e", "#ecc931", "#f1ece0")
"""How black, blue, green, cyan, red, magenta, yellow and white look in print."""


@lru_cache(maxsize=1024)
def moderate(color: str) -> str:
    """Return a color as a background of cards: one that inks can print and that is not white.

    The more glaring it is, the more it changes. Black or white text on it is legible.
    """
    shares = [channel / 255 for channel in rgb(color)]
    solid = [0.0, 0.0, 0.0]
    for corner, ink in enumerate(_SOLIDS):
        lit = (corner >> 2 & 1, corner >> 1 & 1, corner & 1)
        weight = math.prod(s if on else 1 - s for s, on in zip(shares, lit, strict=True))
        solid = [sum_ + weight * part for sum_, part in zip(solid, rgb(ink), strict=True)]
    extreme = min(abs(2 * share - 1) for share in shares)
    ground = mix(color, _to_hex(solid), max(0, extreme - 0.4) / 0.6)
    ground = darken_for_paper(ground, 1.25)
    is_between = 0.17 < luminance(ground) < 0.23  # neither black nor white is legible on it
    return darken_for_paper(ground, 4.8) if is_between else ground


@lru_cache(maxsize=1024)
def darken_for_paper(color: str, min_contrast: float) -> str:
    """Return `color`, darkened until its contrast with white is at least `min_contrast`."""
    shades = (darken(color, share / 20) for share in range(21))
    return next(shade for shade in shades if contrast(shade, "#ffffff") >= min_contrast)
