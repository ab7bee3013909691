"""Fonts with a few square letters, generated for tests."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable
from typing import Any

from fontTools.cffLib import SubrsIndex
from fontTools.colorLib.builder import buildCOLR, buildCPAL
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent
from fontTools.ttLib.tables.DefaultTable import DefaultTable
from fontTools.ttLib.tables.TupleVariation import TupleVariation

_EM, _WIDE, _SIDE = 1000, 600, 400

Axis = tuple[str, float, float, float]
"""A variation axis: its tag, minimum, default and maximum."""


def font(name: str, letters: str, axes: Iterable[Axis] = ()) -> bytes:
    """Return a TrueType font of square letters.

    Args:
        axes: the variation axes, along which the letters grow.
    """
    return _to_bytes(_build_font(name, letters, tuple(axes), cubic=False))


def opentype(name: str, letters: str, axes: Iterable[Axis] = ()) -> bytes:
    """Return the same font with cubic outlines (CFF) and round letters.

    Args:
        axes: at most one; then the letters are square and only their width varies (CFF2).
    """
    return _to_bytes(_build_font(name, letters, tuple(axes), cubic=True))


def collection(letters: str, *names: str) -> bytes:
    """Return a font collection with these names."""
    fonts = TTCollection()
    fonts.fonts = [_build_font(name, letters, (), cubic=True) for name in names]
    stream = io.BytesIO()
    fonts.save(stream)
    return stream.getvalue()


def _to_bytes(made_font: TTFont) -> bytes:
    stream = io.BytesIO()
    made_font.save(stream)
    return stream.getvalue()


def _draw_square(pen: Any, *, cubic: bool) -> Any:
    pen.moveTo((0, 0))
    if cubic:
        pen.curveTo((0, _SIDE), (0, _SIDE), (_SIDE, _SIDE))
        pen.curveTo((_SIDE, 0), (_SIDE, 0), (0, 0))
    else:
        for point in ((0, _SIDE), (_SIDE, _SIDE), (_SIDE, 0)):
            pen.lineTo(point)
    pen.closePath()
    return pen


def _build_font(name: str, letters: str, axes: tuple[Axis, ...], *, cubic: bool) -> TTFont:
    builder = FontBuilder(_EM, isTTF=not cubic)
    glyphs = {letter: f"u{ord(letter):04X}" for letter in letters}
    names = [".notdef", "space", *glyphs.values()]
    called = name.replace(" ", "")
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({32: "space", **{ord(one): n for one, n in glyphs.items()}})
    builder.setupNameTable(
        {"familyName": name, "styleName": "Regular", "fullName": name, "psName": called}
    )
    if axes:
        builder.setupFvar([(*axis, axis[0]) for axis in axes], [])
    if cubic and axes:
        ((tag, *_),) = axes
        square = [0, "hmoveto", _SIDE, 100, 1, "blend", "hlineto", _SIDE, "vlineto",
                  -_SIDE, -100, 1, "blend", "hlineto"]  # fmt: skip
        strings = {n: T2CharString(program=square if n != "space" else []) for n in names}
        builder.setupCFF2(strings, regions=[{tag: (0, 1, 1)}])
    elif cubic:
        shapes = {n: T2CharStringPen(_WIDE, None) for n in names}
        drawn = {n: (_draw_square(p, cubic=True) if n != "space" else p) for n, p in shapes.items()}
        strings = {n: pen.getCharString() for n, pen in drawn.items()}
        builder.setupCFF(called, {"FullName": name}, strings, {})
    else:
        pens = {n: TTGlyphPen(None) for n in names}
        for n, pen in pens.items():
            if n != "space":
                _draw_square(pen, cubic=False)
        builder.setupGlyf({n: pen.glyph() for n, pen in pens.items()})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (_WIDE, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2()
    builder.setupPost()
    if axes and not cubic:
        # Points of the square, then those of its advance.
        wider = [(0, 0), (0, 100), (100, 100), (100, 0), (0, 0), (100, 0), (0, 0), (0, 0)]
        deltas = [TupleVariation({axis[0]: (0, 1, 1)}, wider) for axis in axes]
        builder.setupGvar(dict.fromkeys(glyphs.values(), deltas))
    return builder.font


def subroutine_bomb(calls: int, levels: int) -> bytes:
    """Return an OpenType font with a letter "A" whose nested subroutines take exponential time.

    Args:
        calls: how often each subroutine calls the next.
        levels: the number of subroutines.
    """
    made_font = _build_font("Bomb", "A", (), cubic=True)
    (top,) = made_font["CFF "].cff
    private, subrs = top.Private, SubrsIndex()
    for level in range(levels):
        call = [level + 1 - 107, "callsubr"] * calls if level + 1 < levels else [1, 1, "rlineto"]
        subrs.append(T2CharString(program=[*call, "return"], private=private))
    private.Subrs = subrs
    top.CharStrings["u0041"] = T2CharString(
        program=[_WIDE, 0, 0, "rmoveto", -107, "callsubr", "endchar"], private=private
    )
    made_font.recalcBBoxes = False  # it would draw the letter
    return _to_bytes(made_font)


def composite_font(letters: str, parts: dict[str, str]) -> bytes:
    """Return a TrueType font in which some letters are composed of others; "" makes them blank."""
    made_font = _build_font("Parts", letters, (), cubic=False)
    for letter, others in parts.items():
        glyph = Glyph()
        if others:
            glyph.numberOfContours, glyph.components = -1, []
            glyph.xMin = glyph.yMin = 0
            glyph.xMax = glyph.yMax = _SIDE
        for other in others:
            component = GlyphComponent()
            component.glyphName, component.flags = f"u{ord(other):04X}", 4
            component.x = component.y = 0
            glyph.components.append(component)
        made_font["glyf"].glyphs[f"u{ord(letter):04X}"] = glyph
    made_font.recalcBBoxes = False
    made_font["maxp"].recalc = lambda _: None
    return _to_bytes(made_font)


def color_font(letters: str, *, blank: bool = False) -> bytes:
    """Return a TrueType font whose last letter has two color layers of the preceding glyph.

    Args:
        blank: whether the letter has no outline of its own.
    """
    made_font = _build_font("Colors", letters, (), cubic=False)
    before, last = (f"u{ord(letter):04X}" for letter in letters[-2:])
    made_font["COLR"] = buildCOLR({last: [(before, 0), (before, 1)]}, version=0)
    made_font["CPAL"] = buildCPAL([[(1, 0, 0, 1), (0, 0, 1, 1)]])
    if blank:
        made_font["glyf"].glyphs[last] = Glyph()
    return _to_bytes(made_font)


def endless_map(letters: str) -> bytes:
    """Return a TrueType font whose character map covers all of Unicode a thousand times."""
    data = bytearray(font("Map", letters))
    made_font = TTFont(io.BytesIO(data))
    groups = struct.pack(">3I", 0, 0x10FFFF, 1) * 1000
    head = struct.pack(">HHHHI", 0, 1, 3, 10, 12)
    table = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, 1000)
    cmap = DefaultTable("cmap")
    cmap.data = head + table + groups
    made_font.tables["cmap"] = cmap
    return _to_bytes(made_font)
