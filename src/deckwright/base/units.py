"""Lengths in millimetres, numbers formatted by language, and the date of a print."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.base.locales import find_locale

if TYPE_CHECKING:
    from fractions import Fraction


Mm = float

MM_PER_UNIT: dict[str, Mm] = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72}

PAPER_SIZES: dict[str, tuple[Mm, Mm]] = {
    "a5": (148.0, 210.0),
    "a4": (210.0, 297.0),
    "a3": (297.0, 420.0),
    "letter": (215.9, 279.4),
    "12x12": (304.8, 304.8),
}
"""Width and height of papers by name, portrait (ISO 216 and ANSI Y14.1).

12 × 12 inch is the size of craft paper and of cutting mats.
"""

POSTER_SIZES: dict[str, tuple[Mm, Mm]] = {
    "a0": (841.0, 1189.0),
    "a1": (594.0, 841.0),
    "a2": (420.0, 594.0),
    **PAPER_SIZES,
}
"""Width and height of posters by name, portrait (the papers, and larger ISO 216 sizes)."""

CARD_SIZES: dict[str, tuple[Mm, Mm]] = {
    "65x90": (65.0, 90.0),
    "poker": (63.5, 88.9),
    "tcg": (63.0, 88.0),
    "bridge": (57.15, 88.9),
    "tarot": (70.0, 120.0),
    "mini": (44.45, 63.5),
    "mini-euro": (44.0, 68.0),
    "euro": (59.0, 92.0),
    "usa": (56.0, 87.0),
    "square": (70.0, 70.0),
}
"""Width and height of cards by name; sheet formats are named after them."""

POINTS_PER_MM = 1 / MM_PER_UNIT["pt"]
"""Points per millimetre."""
TOLERANCE: Mm = 1e-6
"""The tolerance for rounding errors."""

MAX_LENGTH: Mm = 100_000.0
"""A hundred metres: no length on paper is longer."""

_LENGTH = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*([a-z]*)\s*", re.ASCII)


def parse_length(text: str) -> Mm:
    """Return the length `text` in millimetres.

    Args:
        text: a number with a unit, "63mm", "2.5in" or "9pt"; millimetres without one.

    Raises:
        ValueError: if `text` has no number or an unknown unit, or is too long.
    """
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise ValueError(f"`{text}` is not a length")
    number, unit = match.groups()
    if unit and unit not in MM_PER_UNIT:
        raise ValueError(f"`{unit}` is not a unit of length (mm, cm, in or pt)")
    length = float(number) * MM_PER_UNIT[unit or "mm"]
    if abs(length) > MAX_LENGTH:
        raise ValueError(f"`{number[:12]}{unit}` is too long")
    return length


MAX_SIDE: Mm = 2000
"""The largest width or height in mm."""


def parse_size(text: str, known: Mapping[str, tuple[Mm, Mm]] = CARD_SIZES) -> tuple[Mm, Mm]:
    """Parse a width and a height: "63x88", "2.5x3.5in", or a name.

    Args:
        known: sizes by name; those of cards by default.

    Raises:
        ValueError: if the text is no size.
    """
    if text.lower() in known:
        return known[text.lower()]
    sides = text.lower().replace("×", "x").split("x")
    if len(sides) != 2:  # width and height
        raise ValueError(f"`{text}` is not a size such as 63x88 or 2.5x3.5in")
    unit = sides[1].strip().lstrip("0123456789. ")
    width, height = (parse_length(s if s.strip()[-1:].isalpha() else s + unit) for s in sides)
    for side in (width, height):
        if not 1 <= side <= MAX_SIDE:
            raise ValueError(f"a side of `{text}` is not within 1 to {MAX_SIDE:g} mm")
    return width, height


def to_pixels(length: Mm, dpi: float) -> float:
    """Return a length in pixels."""
    return length / MM_PER_UNIT["in"] * dpi


@lru_cache(maxsize=65_536)  # of a million numbers in the SVG files of a game, 1 % are different
def format_decimal(number: float, places: int = 3) -> str:
    """Return a number with at most `places` decimals, without trailing zeros."""
    if number == int(number):
        return str(int(number))
    text = f"{number:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


_MEGA, _GIGA = 1e6, 1e9


def format_bytes(size: float) -> str:
    """Return a size in bytes with a decimal prefix (IEC 80000-13)."""
    if size < _GIGA / 10:
        return f"{size / _MEGA:,.1f} MB"
    return f"{size / _GIGA:,.1f} GB"


MAX_DECIMALS = 6
"""The most decimals shown; further ones are rounding noise."""
_MIN_SHARE = 0.0005
"""Smaller shares would be rounded to 0.0 %."""


def pluralize(number: float, one: str, plural: str = "") -> str:
    """Return a number with its noun: "1 error", "2,000 errors"."""
    return f"{number:,} {one if number == 1 else plural or one + 's'}"


def round_number(number: float) -> int | float:
    """Return a number without rounding noise; whole ones as `int`."""
    rounded = round(number, MAX_DECIMALS)
    return int(rounded) if rounded == int(rounded) else rounded


def format_plain(number: float) -> str:
    """Return a number as files have it: `2`, `2.5`."""
    text = f"{number:.{MAX_DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def format_measure(number: float, unit: str, language: str) -> str:
    """Return a number and its unit ("" for none) in a language's notation: `2,5 kg`."""
    text = format_number(number, language)
    if unit == "%":
        return find_locale(language).percent.replace("{}", text)
    return text + ("\N{NO-BREAK SPACE}" if unit[:1].isalpha() else "") + unit


def format_number(number: float, language: str) -> str:
    """Return a number in a language's notation: `2,5` in `de`, `de-AT` or `de_AT`."""
    return localize_number(format_plain(number), language)


def localize_number(text: str, language: str) -> str:
    """Return a number as files have it in a language's notation."""
    return text.replace(".", find_locale(language).decimal) if "." in text else text


def format_fixed(number: float, places: int, language: str) -> str:
    """Return a number with exactly `places` decimals in a language's notation: `2.50`."""
    return localize_number(f"{number:.{places}f}", language)


def format_percent(share: float | Fraction, language: str) -> str:
    """Return a share in percent, never rounded to `0%` or `100%`: `87.5%`, `>99.9%`."""
    if share in {0, 1}:
        return format_measure(int(share) * 100, "%", language)
    rounded = min(max(round(float(share) * 100, 1), 0.1), 99.9)
    sign = "<" if share < _MIN_SHARE else ">" if share > 1 - _MIN_SHARE else ""
    return sign + find_locale(language).percent.replace("{}", format_fixed(rounded, 1, language))


_MAX_EPOCH_DIGITS = 11
"""The digits of the seconds until the year 5138; datetime ends in 9999."""


def resolve_date(inputs: Iterable[Path]) -> datetime:
    """Return SOURCE_DATE_EPOCH, or the latest modification time of some files, in UTC.

    An invalid SOURCE_DATE_EPOCH is ignored: https://reproducible-builds.org/specs/. Some file
    systems have times before 1970 and beyond any date.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if given.isascii() and given.isdecimal() and len(given) <= _MAX_EPOCH_DIGITS:
        return datetime.fromtimestamp(int(given), UTC)
    newest = 0.0
    for path in inputs:
        with suppress(OSError):  # just deleted
            newest = max(newest, path.stat().st_mtime)
    return datetime.fromtimestamp(int(min(newest, 10**_MAX_EPOCH_DIGITS - 1)), UTC)


@contextmanager
def freeze_date(seconds: int) -> Iterator[None]:
    """Give all prints within the block a fixed date, in seconds since 1970."""
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = str(seconds)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("SOURCE_DATE_EPOCH", None)
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before


def format_date(date: datetime, pattern: str, language: str) -> str:
    """Return a date in a language.

    Args:
        pattern: with `{day}`, `{month}` and `{year}` as digits, `{name}` as the month.
    """
    month = find_locale(language).months[date.month - 1] if "{name}" in pattern else ""
    parts = {"day": date.day, "month": date.month, "year": date.year, "name": month}
    for name, value in parts.items():
        pattern = pattern.replace(f"{{{name}}}", str(value))
    return pattern
