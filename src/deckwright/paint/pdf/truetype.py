"""Fonts with PostScript outlines, converted to TrueType for the glyphs that a PDF embeds."""

from __future__ import annotations

import io
import struct
import sys
from array import array
from collections.abc import Iterable
from typing import NamedTuple

import uharfbuzz as hb

_PRECISION = 1 / 1000
"""The maximum deviation of TrueType curves from PostScript's, in ems."""
_FORMAT, _METRICS = slice(50, 52), slice(34, 36)
"""The places of the format of `loca` in `head`, and of the number of metrics in `hhea`."""
_MAX_ZONES = 1
"""The value of fonts without instructions."""


class _Outline(NamedTuple):
    """A glyph's entry in the table `glyf`, with its left edge in font units."""

    data: bytes
    left: int
    points: int
    contours: int


class TrueTypeConverter:
    """Converts glyphs of a font, each once."""

    def __init__(self, font: hb.Font) -> None:
        """Take a font with PostScript outlines."""
        self._font = font
        self._outlines: dict[int, _Outline] = {}

    def convert(self, glyphs: Iterable[int]) -> bytes:
        """Return a font with these glyphs alone, under their ids."""
        from fontTools.ttLib import TTFont  # heavy, and fonts with TrueType outlines need none
        from fontTools.ttLib.tables.DefaultTable import DefaultTable

        face, wanted = self._font.face, sorted(glyphs) or [0]
        count = wanted[-1] + 1
        metrics, places, data = array("h", bytes(4 * count)), array("I"), bytearray()
        points = contours = 0
        for glyph in wanted:
            known = self._outlines.get(glyph)
            outline = known or self._outlines.setdefault(glyph, self._convert(glyph))
            places.extend([len(data)] * (glyph + 1 - len(places)))
            data += outline.data + bytes(-len(outline.data) % 4)
            metrics[2 * glyph] = self._font.get_glyph_h_advance(glyph)
            metrics[2 * glyph + 1] = outline.left
            points, contours = max(points, outline.points), max(contours, outline.contours)
        places.append(len(data))
        if sys.byteorder == "little":
            metrics.byteswap()
            places.byteswap()
        head, hhea = (bytearray(face.reference_table(tag).data) for tag in ("head", "hhea"))
        head[_FORMAT], hhea[_METRICS] = b"\0\1", count.to_bytes(2, "big")
        limits = (count, points, contours, 0, 0, _MAX_ZONES, *(0,) * 8)
        font = TTFont(sfntVersion="\0\1\0\0", recalcTimestamp=False)
        for tag, content in {
            "glyf": data,
            "head": head,
            "hhea": hhea,
            "hmtx": metrics.tobytes(),
            "loca": places.tobytes(),
            "maxp": struct.pack(">I14H", 0x10000, *limits),
        }.items():
            font[tag] = DefaultTable(tag)
            font[tag].data = bytes(content)
        stream = io.BytesIO()
        font.save(stream)
        return stream.getvalue()

    def _convert(self, glyph: int) -> _Outline:
        from fontTools.pens.cu2quPen import Cu2QuPen  # as above
        from fontTools.pens.ttGlyphPen import TTGlyphPen

        pen = TTGlyphPen(None)
        most = self._font.face.upem * _PRECISION
        self._font.draw_glyph_with_pen(glyph, Cu2QuPen(pen, most, reverse_direction=True))
        drawn = pen.glyph()
        if not drawn.numberOfContours:
            return _Outline(b"", 0, 0, 0)
        data = drawn.compile(None)
        return _Outline(data, drawn.xMin, len(drawn.coordinates), drawn.numberOfContours)
