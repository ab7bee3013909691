"""Computing with colors."""

from __future__ import annotations

from itertools import product

import pytest

from deckwright.base.colors import contrast, darken_for_paper, moderate, parse_css_color, rgb


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


def test_a_moderate_color_differs_from_paper_and_letters_are_legible_on_it() -> None:
    for channels in product(range(0, 256, 15), repeat=3):
        color = "#{:02x}{:02x}{:02x}".format(*channels)
        ground = moderate(color)
        assert contrast(ground, "#ffffff") >= 1.25, color
        legible = max(contrast(ground, "#fff8e8"), contrast(ground, "#1d1a16"))
        assert legible >= 4.5, color


@pytest.mark.parametrize("color", ["#ff0000", "#00ff00", "#0000ff", "#00ffff", "#ff00ff"])
def test_a_glaring_color_becomes_one_that_inks_can_print(color: str) -> None:
    least, middle, most = sorted(rgb(moderate(color)))
    assert most - least <= 160
    assert middle < 200


@pytest.mark.parametrize("color", ["#abcdef", "#29675f", "#7fa889", "#c4461b", "#3b2208"])
def test_a_quiet_color_is_moderate_already(color: str) -> None:
    moderated = zip(rgb(color), rgb(moderate(color)), strict=True)
    assert max(abs(was - now) for was, now in moderated) <= 12
