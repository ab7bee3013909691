"""Numbers in PDFs are as short as can be."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deckwright.base.units import format_decimal
from deckwright.images.drawings.css import parse_transform
from deckwright.images.store import ImageStore
from deckwright.ops.model import FillPath, Group, Outline, Segment
from deckwright.paint.pdf.fonts import PdfFonts
from deckwright.paint.pdf.painter import Painter

NUMBERS = st.floats(-1e6, 1e6) | st.integers(-1000, 1000) | st.decimals(-9, 9, places=2).map(float)


def segments(kind: str, count: int) -> st.SearchStrategy[Segment]:
    return st.tuples(st.just(kind), *[NUMBERS] * count)


OUTLINES = st.lists(
    st.one_of(segments("M", 2), segments("L", 2), segments("C", 6), segments("Z", 0)), min_size=1
).map(tuple)


def painted(outline: Outline) -> str:
    painter = Painter(PdfFonts({}), ImageStore())
    painter.paint([FillPath(outline, "#000000")])
    return painter.content.operators[0].removeprefix("0 0 0 rg ").removesuffix(" f")


def test_the_line_that_closing_draws_is_not_drawn() -> None:
    triangle: Outline = (("M", 0, 0), ("L", 2, 0), ("L", 1, 1), ("L", 0, 0), ("Z",))
    assert painted(triangle) == "0 0 m 2 0 l 1 1 l h"
    assert painted(triangle[:-1]) == "0 0 m 2 0 l 1 1 l 0 0 l"
    point: Outline = (("M", 0, 0), ("L", 0, 0), ("Z",))
    assert painted((*triangle, *point)) == "0 0 m 2 0 l 1 1 l h 0 0 m 0 0 l h"


@given(OUTLINES)
@example((("M", -0.0001, 100), ("L", 10.5, -0.0), ("C", 0.05, 1000.0, 99.9996, -10, 20.5, 0.1)))
def test_outlines_are_painted_with_numbers_as_short_as_can_be(outline: Outline) -> None:
    words = painted(outline).split()
    expected = [
        word
        for kind, *numbers in outline
        for word in (*map(format_decimal, numbers), {"M": "m", "L": "l", "C": "c", "Z": "h"}[kind])
    ]
    if "Z" not in [segment[0] for segment in outline]:
        assert words == expected
    else:
        left = iter(expected)
        assert all(word in left for word in words)


@pytest.mark.parametrize("turn", [0, 30, 90, 180, 270, 0.000001])
def test_factors_have_no_exponents(turn: float) -> None:
    """A quarter turn has a cosine of 6e-17, which no PDF can say."""
    triangle: Outline = (("M", 0, 0), ("L", 2, 0), ("L", 1, 1), ("Z",))
    group = Group((FillPath(triangle, "#000000"),), matrix=parse_transform(f"rotate({turn})"))
    painter = Painter(PdfFonts({}), ImageStore())
    painter.paint([group])
    numbers = painter.content.operators[0].split()[1:5]
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    assert not any("e" in number for number in numbers)
    assert [*map(float, numbers)] == pytest.approx([cosine, sine, -sine, cosine], abs=1e-7)
