"""Numbers as languages write them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from deckwright.base.units import format_fixed, format_percent


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"), (1, "100%"), (Fraction(1), "100%"), (Fraction(1, 10**30), "<0.1%"),
        (1 - Fraction(1, 10**30), ">99.9%"), (0.0005, "0.1%"), (0.9994, "99.9%"),
        (0.99951, ">99.9%"), (Fraction(1, 3), "33.3%"), (0.5, "50.0%"),
    ],
)  # fmt: skip
def test_only_what_is_certain_is_a_hundred_percent(share: float | Fraction, text: str) -> None:
    assert format_percent(share, "en") == text


def test_percent_and_decimals_are_as_the_language_has_them() -> None:
    assert format_percent(Fraction(7, 8), "de") == "87,5\N{NO-BREAK SPACE}%"
    assert (format_fixed(2.5, 2, "de"), format_fixed(2.5, 2, "en")) == ("2,50", "2.50")
