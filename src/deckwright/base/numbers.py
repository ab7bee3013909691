"""Numbers as languages write them."""

from __future__ import annotations

import re

PLACES = 6
"""Decimals have at most so many places; more are the noise of sums."""
_POINT = frozenset(
    "bn cy en ga gu he hi ja kn ko ml mr ms mt ne pa si sw ta te th ur yo zh".split()  # noqa: SIM905
)
"""The languages that write 2.5; all others write 2,5. (Unicode CLDR, `numbers/symbols/decimal`.)"""


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
    point = re.split("[-_]", language)[0] in _POINT
    return plain(number) if point else plain(number).replace(".", ",")
