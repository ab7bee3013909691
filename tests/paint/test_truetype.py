"""Outlines of OpenType become those of TrueType, for the glyphs that a PDF embeds."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path
from typing import Any

import pytest
import uharfbuzz as hb
from fontTools.pens.areaPen import AreaPen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

from deckwright.paint.pdf.truetype import TrueTypeConverter

LETTERS = "永あA字"


@pytest.fixture(scope="module")
def japanese() -> hb.Font:
    """A font of 65,535 glyphs, whose outlines are cubic and vary."""
    spec = importlib.util.find_spec("manimgx_fonts_cjk")
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).parent / "NotoSansCJK-VF.otf.ttc"
    return hb.Font(hb.Face(hb.Blob.from_file_path(str(path)), 0))


def test_converted_glyphs_have_the_same_shape_at_the_same_place(japanese: hb.Font) -> None:
    glyphs = [japanese.get_nominal_glyph(ord(letter)) for letter in LETTERS]
    data = TrueTypeConverter(japanese).convert({0, *glyphs})
    font: Any = TTFont(io.BytesIO(data))
    assert len(data) < 300_000
    assert font.sfntVersion == "\0\1\0\0"
    assert font["maxp"].numGlyphs == max(glyphs) + 1
    drawn, names = font.getGlyphSet(), font.getGlyphOrder()
    for glyph in glyphs:
        area, bounds = AreaPen(), BoundsPen(None)
        drawn[names[glyph]].draw(area)
        drawn[names[glyph]].draw(bounds)
        cubic_area, cubic_bounds = AreaPen(), BoundsPen(None)
        japanese.draw_glyph_with_pen(glyph, cubic_area)
        japanese.draw_glyph_with_pen(glyph, cubic_bounds)
        assert area.value == pytest.approx(-cubic_area.value, rel=0.005)  # the other way round
        assert bounds.bounds == pytest.approx(cubic_bounds.bounds, abs=1)
        advance, left = font["hmtx"][names[glyph]]
        # Programs move a glyph whose left edge is not where the metrics say.
        assert (advance, left) == (japanese.get_glyph_h_advance(glyph), bounds.bounds[0])
        assert left != 0
    shapes, points = font["glyf"], 0
    for number, name in enumerate(names):
        if number not in {0, *glyphs}:
            assert shapes[name].numberOfContours == 0
        else:
            points = max(points, len(shapes[name].coordinates))
    assert font["maxp"].maxPoints == points
