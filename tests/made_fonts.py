"""Fonts of a few square letters, made for tests."""

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
"""What is varied: a tag, with its least, usual and greatest number."""


def font(name: str, letters: str, axes: Iterable[Axis] = ()) -> bytes:
    """Return a TrueType font whose letters are squares that grow with what is varied.

    Args:
        axes: what is varied.
    """
    return _to_bytes(_build_font(name, letters, tuple(axes), cubic=False))


def opentype(name: str, letters: str, axes: Iterable[Axis] = ()) -> bytes:
    """Return the same as a font with cubic outlines (CFF), whose letters are round.

    Args:
        axes: one at most; its letters are square, and only their width is varied (CFF2).
    """
    return _to_bytes(_build_font(name, letters, tuple(axes), cubic=True))


def collection(letters: str, *names: str) -> bytes:
    """Return a collection of fonts of these names."""
    fonts = TTCollection()
    fonts.fonts = [_build_font(name, letters, (), cubic=True) for name in names]
    stream = io.BytesIO()
    fonts.save(stream)
    return stream.getvalue()


def _to_bytes(made: TTFont) -> bytes:
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def _draw_square(pen: Any, *, cubic: bool) -> Any:  # noqa: ANN401
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
    """Return an OpenType font with a letter "A" whose subroutines call each other.

    Args:
        calls: how often each of them calls the next.
        levels: how many there are.
    """
    made = _build_font("Bomb", "A", (), cubic=True)
    (top,) = made["CFF "].cff
    private, subrs = top.Private, SubrsIndex()
    for level in range(levels):
        call = [level + 1 - 107, "callsubr"] * calls if level + 1 < levels else [1, 1, "rlineto"]
        subrs.append(T2CharString(program=[*call, "return"], private=private))
    private.Subrs = subrs
    top.CharStrings["u0041"] = T2CharString(
        program=[_WIDE, 0, 0, "rmoveto", -107, "callsubr", "endchar"], private=private
    )
    made.recalcBBoxes = False  # that would draw it
    return _to_bytes(made)


def composite_font(letters: str, parts: dict[str, str]) -> bytes:
    """Return a TrueType font of which some letters are made of others; of "" they are blank."""
    made = _build_font("Parts", letters, (), cubic=False)
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
        made["glyf"].glyphs[f"u{ord(letter):04X}"] = glyph
    made.recalcBBoxes = False
    made["maxp"].recalc = lambda _: None
    return _to_bytes(made)


def color_font(letters: str, *, blank: bool = False) -> bytes:
    """Return a TrueType font whose last letter has two colors, of the glyph before it.

    Args:
        blank: whether it has no outline of its own.
    """
    made = _build_font("Colors", letters, (), cubic=False)
    before, last = (f"u{ord(letter):04X}" for letter in letters[-2:])
    made["COLR"] = buildCOLR({last: [(before, 0), (before, 1)]}, version=0)
    made["CPAL"] = buildCPAL([[(1, 0, 0, 1), (0, 0, 1, 1)]])
    if blank:
        made["glyf"].glyphs[last] = Glyph()
    return _to_bytes(made)


def endless_map(letters: str) -> bytes:
    """Return a TrueType font whose map has all characters a thousand times."""
    data = bytearray(font("Map", letters))
    made = TTFont(io.BytesIO(data))
    groups = struct.pack(">3I", 0, 0x10FFFF, 1) * 1000
    head = struct.pack(">HHHHI", 0, 1, 3, 10, 12)
    table = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, 1000)
    whole = DefaultTable("cmap")
    whole.data = head + table + groups
    made.tables["cmap"] = whole
    return _to_bytes(made)
