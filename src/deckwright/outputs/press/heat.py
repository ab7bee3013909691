"""A map of how much ink is where: the more, the darker; what is above the limit is bright."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont, ImageMath

from deckwright.base.units import Mm, pixels
from deckwright.outputs.press.inks import FULL
from deckwright.outputs.press.separations import FOUR

_LIGHT, _DARK, _ABOVE = (255, 255, 255), (16, 42, 84), (255, 196, 0)
"""No ink, as much as is allowed, and more. In gray as well, what is above stands out of the dark.
"""
_TEXT = (32, 32, 32)
_STEP = 4
"""How many percent of ink a level of the map is, of which there are 101."""
_LEGEND: Mm = 5
"""How high the scale below a map is."""
_ROUNDING = 3
"""By how many percent rounding and smoothed edges exceed a limit that is kept."""


class Heat(NamedTuple):
    """How much ink a face has.

    Attributes:
        picture: the map.
        most: the most ink in one place, in percent.
        above: the share of the face that has more than the limit.
    """

    picture: Image.Image
    most: float
    above: float


def heat_of(plates: Mapping[str, Image.Image], limit: int, dpi: float, font: Path) -> Heat:
    """Return the map of a face's ink, given its plates.

    Args:
        limit: the most ink that is allowed, in percent.
        font: for the numbers of its scale.
    """
    total = ImageMath.lambda_eval(
        lambda args: (args["a"] + args["b"] + args["c"] + args["d"]) * 100 / FULL,
        **dict(zip("abcd", (plates[ink] for ink in FOUR), strict=True)),
    )
    levels = ImageMath.lambda_eval(lambda args: args["convert"](args["t"] / _STEP, "L"), t=total)
    counts = levels.histogram()
    allowed = (limit + _ROUNDING) // _STEP
    above = sum(counts[allowed + 1 :]) / max(1, sum(counts))
    levels.putpalette(_palette(allowed))
    face = levels.convert("RGB")
    most = float(total.getextrema()[1])
    return Heat(_with_scale(face, limit, most, dpi, font), most, above)


def _palette(allowed: int) -> list[int]:
    """Return the colors of the levels."""
    colors: list[int] = []
    for level in range(256):
        share = min(1, level / allowed)
        mixed = (round(a + (b - a) * share) for a, b in zip(_LIGHT, _DARK, strict=True))
        colors += _ABOVE if level > allowed else mixed
    return colors


def _with_scale(face: Image.Image, limit: int, most: float, dpi: float, font: Path) -> Image.Image:
    """Return a map with its scale below: from no ink to four in full, and the most there is."""
    height = max(12, round(pixels(_LEGEND, dpi)))
    sheet = Image.new("RGB", (face.width, face.height + height), _LIGHT)
    sheet.paste(face, (0, 0))
    draw = ImageDraw.Draw(sheet)
    letters = ImageFont.truetype(str(font), round(height * 0.5))
    said = f"max {most:.0f} %"
    room = round(draw.textlength(said, letters)) + height
    left, right = height // 3, face.width - room
    top, bottom = face.height + round(height * 0.2), face.height + round(height * 0.48)
    ramp = Image.new("L", (max(1, right - left), 1))
    ramp.putdata([round(x * 400 / ramp.width / _STEP) for x in range(ramp.width)])
    ramp.putpalette(_palette((limit + _ROUNDING) // _STEP))
    sheet.paste(ramp.convert("RGB").resize((ramp.width, bottom - top)), (left, top))
    draw.rectangle((left, top, left + ramp.width, bottom), outline=_TEXT)
    at = left + ramp.width * limit // 400
    small = ImageFont.truetype(str(font), round(height * 0.42))
    draw.line((at, top, at, bottom + 1), fill=_TEXT)
    draw.text((at, bottom), f"{limit} %", _TEXT, small, anchor="ma")
    draw.text((left, bottom), "0", _TEXT, small, anchor="la")
    middle = face.height + height // 2
    draw.text((face.width - height // 3, middle), said, _TEXT, letters, anchor="rm")
    return sheet
