"""Numbers as languages write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

PLACES = 6
"""Decimals have at most so many places; more are the noise of sums."""
_LEAST = 0.0005
"""Shares below this would be no part in a thousand."""
_POINT = frozenset(
    "bn cy en ga gu he hi ja kn ko ml mr ms mt ne pa si sw ta te th ur yo zh".split()  # noqa: SIM905
)
"""The languages that write 2.5; all others write 2,5. (Unicode CLDR, `numbers/symbols/decimal`.)"""


def counted(number: float, one: str, many: str = "") -> str:
    """Return a number with its noun: "1 error", "2,000 errors"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def exact(number: float) -> int | float:
    """Return a number without the noise of its last places; a whole one is an `int`."""
    rounded = round(number, PLACES)
    return int(rounded) if rounded == int(rounded) else rounded


def plain(number: float) -> str:
    """Return a number as files have it: `2`, `2.5`."""
    text = f"{number:.{PLACES}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def measured(number: float, unit: str, language: str) -> str:
    """Return a number with its unit, "" for none, as a language writes both: `2,5 kg`."""
    apart = unit[:1].isalpha() or (unit == "%" and not language.startswith("en"))
    return written(number, language) + ("\N{NO-BREAK SPACE}" if apart else "") + unit


def written(number: float, language: str) -> str:
    """Return a number as a language writes it: `2,5` in `de`, `de-AT` or `de_AT`."""
    return plain(number) if _has_point(language) else plain(number).replace(".", ",")


def _has_point(language: str) -> bool:
    return re.split("[-_]", language)[0] in _POINT


def decimals(number: float, places: int, language: str) -> str:
    """Return a number with just so many places, as a language writes it: `2.50`."""
    text = f"{number:.{places}f}"
    return text if _has_point(language) else text.replace(".", ",")


def percent(share: float | Fraction, language: str) -> str:
    """Return a share of 1 in percent: `87.5%`; `100%` and `0%` of just 1 and 0, else `>99.9%`."""
    if share in {0, 1}:
        return measured(int(share) * 100, "%", language)
    shown = min(max(round(float(share) * 100, 1), 0.1), 99.9)
    sign = "<" if share < _LEAST else ">" if share > 1 - _LEAST else ""
    return sign + decimals(shown, 1, language) + measured(0, "%", language).removeprefix("0")
