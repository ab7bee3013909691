"""Colors: their names, and computing with them. A color is a string `#rrggbb`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_LIST = Path(__file__).with_name("colors.txt").read_text(encoding="utf-8")
NAMED_COLORS: dict[str, str] = dict(line.split() for line in _LIST.splitlines())
"""The 148 color names of CSS Color Module Level 4, which include the LaTeX base colors' names."""


def rgb(color: str) -> tuple[int, int, int]:
    """Return red, green and blue of `color`, each from 0 to 255.

    Raises:
        ValueError: if it is not `#rrggbb`.
    """
    if len(color) != 7 or color[0] != "#":  # noqa: PLR2004 - #rrggbb
        raise ValueError(f"`{color}` is not a color as #rrggbb")
    number = int(color[1:], 16)
    return number >> 16, number >> 8 & 255, number & 255


@lru_cache(maxsize=1024)
def mix(color: str, other: str, share: float) -> str:
    """Return `color` with a `share` (0 to 1) of `other` in it, mixed in sRGB."""
    mixed = (
        round(mine + (theirs - mine) * share)
        for mine, theirs in zip(rgb(color), rgb(other), strict=True)
    )
    return "#" + "".join(f"{min(max(channel, 0), 255):02x}" for channel in mixed)


def tint(color: str, palette: Mapping[str, str] | None = None) -> str:
    """Return `color`, a name or `#rrggbb`, as `#rrggbb`; the palette's names come first."""
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
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4  # noqa: PLR2004

    red, green, blue = (linear(channel) for channel in rgb(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(color: str, other: str) -> float:
    """Return the contrast ratio of two colors, 1 to 21, as WCAG 2.2 defines it."""
    lighter, darker = sorted((luminance(color), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=1024)
def on(color: str, light: str = "#ffffff", dark: str = "#000000") -> str:
    """Return that one of `light` and `dark` which reads better on `color`."""
    return light if contrast(color, light) >= contrast(color, dark) else dark


@lru_cache(maxsize=1024)
def on_paper(color: str, least: float) -> str:
    """Return `color`, as much darker as it takes to have a contrast of `least` with white paper."""
    shades = (darken(color, share / 20) for share in range(21))
    return next(shade for shade in shades if contrast(shade, "#ffffff") >= least)
