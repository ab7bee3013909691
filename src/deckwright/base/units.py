"""Lengths, and how numbers are written. Every length in Deckwright is a number of millimetres."""

from __future__ import annotations

import re

Mm = float

PER_UNIT: dict[str, Mm] = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72}

PAPERS: dict[str, tuple[Mm, Mm]] = {
    "a5": (148.0, 210.0),
    "a4": (210.0, 297.0),
    "a3": (297.0, 420.0),
    "letter": (215.9, 279.4),
    "12x12": (304.8, 304.8),
}
"""Width and height of sheets of paper, upright, by name (ISO 216 and ANSI Y14.1).

12 × 12 inch is the size of craft paper, and of the mats of cutting machines.
"""

POSTERS: dict[str, tuple[Mm, Mm]] = {
    "a0": (841.0, 1189.0),
    "a1": (594.0, 841.0),
    "a2": (420.0, 594.0),
    **PAPERS,
}
"""Width and height of posters, upright, by name (ISO 216 besides those of paper)."""

CARDS: dict[str, tuple[Mm, Mm]] = {
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
"""Width and height of cards by name, as sheet formats are called after them."""

POINTS = 1 / PER_UNIT["pt"]
"""Points to a millimetre."""
HAIR: Mm = 1e-6
"""The tolerance for rounding errors."""

LONGEST: Mm = 100_000.0
"""No length on paper is longer than a hundred metres."""

_LENGTH = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*([a-z]*)\s*", re.ASCII)


def parse_length(text: str) -> Mm:
    """Return the length `text` in millimetres.

    Args:
        text: a number and its unit, "63mm", "2.5in" or "9pt". Without a unit it is in mm.

    Raises:
        ValueError: if `text` has no number or an unknown unit.
    """
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise ValueError(f"`{text}` is not a length")
    number, unit = match.groups()
    if unit and unit not in PER_UNIT:
        raise ValueError(f"`{unit}` is not a unit of length (mm, cm, in or pt)")
    length = float(number) * PER_UNIT[unit or "mm"]
    if abs(length) > LONGEST:
        raise ValueError(f"`{number[:12]}{unit}` is too long")
    return length


def pixels(length: Mm, dpi: float) -> float:
    """Return how many pixels a length has."""
    return length / PER_UNIT["in"] * dpi


def decimal(number: float, places: int = 3) -> str:
    """Return a number with at most so many decimals, as short as can be."""
    if number == int(number):
        return str(int(number))
    text = f"{number:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


_MEGA, _GIGA = 1e6, 1e9


def size_told(size: float) -> str:
    """Return a size in bytes as people say it, with decimal prefixes (IEC 80000-13)."""
    if size < _GIGA / 10:
        return f"{size / _MEGA:,.1f} MB"
    return f"{size / _GIGA:,.1f} GB"
