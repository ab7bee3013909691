"""Computing with colors."""

from __future__ import annotations

import pytest

from deckwright.base.colors import contrast, darken_for_paper, parse_css_color


@pytest.mark.parametrize("color", ["#fff6dd", "#efb521", "#7fa889", "#ffffff", "#c2e1fe"])
@pytest.mark.parametrize("least", [3, 4.5, 21])
def test_pale_colors_become_darker_on_paper(color: str, least: float) -> None:
    shade = darken_for_paper(color, least)
    assert contrast(shade, "#ffffff") >= least
    assert shade != color


def test_dark_colors_stay_as_they_are_on_paper() -> None:
    assert darken_for_paper("#0d49a8", 4.5) == "#0d49a8"
    assert darken_for_paper("#efb521", 1) == "#efb521"


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("hsl(0, 150%, 25%)", "#800000"),
        ("hsl(0 50% 120%)", "#ffffff"),
        ("hsl(9 -5% 50%)", "#808080"),
    ],
)
def test_what_is_beyond_100_percent_is_100_percent(given: str, meant: str) -> None:
    assert parse_css_color(given) == (meant, 1)
