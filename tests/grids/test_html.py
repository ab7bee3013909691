"""Texts with HTML tags get the markup of texts in data."""

from __future__ import annotations

import pytest

from deckwright.grids.html import html_to_markup


@pytest.mark.parametrize(
    ("html", "markup"),
    [
        ("<b>Revelation -</b> Take <i>1</i>.<br>Go &amp; stay.",
         "**Revelation -** Take __1__.\nGo & stay."),
        ("<p>One</p>\n<p>x<sup>2</sup> H<sub>2</sub></p>", "One\nx² H₂"),
        ("Choose:<ul><li>a</li><li>b</li></ul>End", "Choose:\n• a\n• b\nEnd"),
        ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"),
        ("<strong>x</strong>y <em>a <u>b</u></em>", "**x**y __a__ __++b++__"),
        ("<b>one\ntwo</b>", "**one**\n**two**"),
        ("a*b_c \\", r"a\*b\_c \\"),
        ("<n> and <line/> stay; 2 < 3 <b>open", "<n> and <line/> stay; 2 < 3 **open**"),
        ("", ""),
    ],
)  # fmt: skip
def test_tags_become_markup(html: str, markup: str) -> None:
    assert html_to_markup(html) == markup
