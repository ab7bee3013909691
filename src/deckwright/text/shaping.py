"""Shape and measure text with HarfBuzz; outlines of glyphs and icons. Measures are in ems."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

import uharfbuzz as hb

from deckwright.base.geometry import Box, Matrix
from deckwright.ops.model import (
    DrawGlyphs,
    DrawImage,
    FillPath,
    Glyph,
    Op,
    Outline,
    Segment,
    StrokePath,
)
from deckwright.ops.outlines import bounds_of, cubic_of, scale_and_move
from deckwright.text.fonts import Font, icon_font
from deckwright.text.scripts import features_of, needs_rules

_LONG_ARGUMENTS, _SCALE, _MORE, _TWO_SCALES, _MATRIX = 0x1, 0x8, 0x20, 0x40, 0x80
_GLYPH_HEAD_BYTES = 10
"""The size of a glyph's header in `glyf`."""


def contains_itself(face: hb.Face, glyph: int) -> bool:
    """Return whether a glyph contains itself, or a component that does."""
    tables = _tables(face)
    known = {glyph: True}  # until its components are checked
    waiting = [(glyph, _parts(tables, glyph))]
    while waiting:
        current, parts = waiting[-1]
        part = next(parts, None)
        if part is None:
            known[current] = False
            waiting.pop()
        elif part not in known:
            known[part] = True
            waiting.append((part, _parts(tables, part)))
        elif known[part]:
            return True
    return False


def lacks_part(face: hb.Face, glyph: int) -> bool:
    """Return whether a glyph has a component, however deep, that the font does not have."""
    tables = _tables(face)
    known, waiting = {glyph}, [glyph]
    while waiting:
        parts = {*_parts(tables, waiting.pop())} - known
        if any(part >= face.glyph_count for part in parts):
            return True
        known |= parts
        waiting += parts
    return False


@lru_cache(maxsize=64)
def _tables(face: hb.Face) -> tuple[bytes, bytes, bool]:
    """Return `glyf`, `loca`, and whether the latter has 4-byte offsets."""
    head = face.reference_table("head").data
    return (
        face.reference_table("glyf").data,
        face.reference_table("loca").data,
        head[51:52] == b"\1",
    )


def _parts(tables: tuple[bytes, bytes, bool], glyph: int) -> Iterator[int]:
    """Yield the components of a composite glyph."""
    glyphs, places, is_long = tables
    size = 4 if is_long else 2
    start, end = (
        int.from_bytes(places[at * size : at * size + size], "big") * (1 if is_long else 2)
        for at in (glyph, glyph + 1)
    )
    data = glyphs[start:end]
    if data[:1] < b"\x80":  # the number of contours is negative for composite glyphs
        return
    at, flags = _GLYPH_HEAD_BYTES, _MORE
    while flags & _MORE and at + 4 <= len(data):
        flags = int.from_bytes(data[at : at + 2], "big")
        yield int.from_bytes(data[at + 2 : at + 4], "big")
        at += 8 if flags & _LONG_ARGUMENTS else 6
        at += 2 * bool(flags & _SCALE) + 4 * bool(flags & _TWO_SCALES) + 8 * bool(flags & _MATRIX)


class ShapedText(NamedTuple):
    """A shaped text.

    Attributes:
        width: its advance in ems.
        kerns: per character, the kerning added to its advance, in thousandths of the em; empty if
            there is none.
        missing: the characters that the font lacks, has without an outline, or cannot join.
        glyphs: what is drawn, from left to right; empty if it is a glyph a character.
    """

    text: str
    width: float
    kerns: tuple[int, ...] = ()
    missing: str = ""
    glyphs: tuple[Glyph, ...] = ()

    def add_spacing(self, spacing: float) -> ShapedText:
        """Return it with letter spacing in ems, also after the last letter."""
        kern = round(spacing * 1000)
        if not kern:
            return self
        kerns = tuple(own + kern for own in self.kerns or (0,) * len(self.text))
        return self._replace(width=self.width + len(self.text) * kern / 1000, kerns=kerns)


class VerticalMetrics(NamedTuple):
    """Heights above (and depth below) the baseline, in ems."""

    ascent: float
    descent: float
    cap_height: float


class Metrics(Protocol):
    """The properties of fonts that layout needs; tests supply their own."""

    def shape(self, font: str, text: str, script: str = "", *, rtl: bool = False) -> ShapedText:
        """Return `text` shaped in the font with this id.

        Args:
            script: the code of the script that HarfBuzz arranges; "" for a glyph a character.
            rtl: whether it runs from right to left.
        """

    def chain(self, font: str) -> tuple[str, ...]:
        """Return the ids of the fallback families of the font with this id."""

    def vertical(self, font: str) -> VerticalMetrics:
        """Return the heights of the font with this id."""

    def outline(self, run: DrawGlyphs) -> Outline:
        """Return the outline of letters, in ems from where they begin on the baseline."""


class HarfBuzzMetrics:
    """Measures real fonts. Each text is shaped once per font."""

    def __init__(self, fonts: Mapping[str, Font], language: str = "") -> None:
        """Take the fonts by id; their files are opened on first use.

        Args:
            language: the texts' language, "" if unknown.
        """
        self._fonts = fonts
        self._language = language.replace("_", "-") or "und"
        self._opened: dict[str, hb.Font] = {}
        self._shaped: dict[tuple[str, str, str, bool], ShapedText] = {}

    def _open(self, font: str) -> hb.Font:
        opened = self._opened.get(font)
        if opened is None:
            path = self._fonts[font].path
            opened = self._opened[font] = _open_font(path, path.stat().st_mtime_ns)
        return opened

    def shape(self, font: str, text: str, script: str = "", *, rtl: bool = False) -> ShapedText:
        """Return `text` shaped in the font with this id, as `Metrics` says."""
        key = font, text, script, rtl
        known = self._shaped.get(key)
        if known is not None:
            return known
        opened, normal = self._open(font), unicodedata.normalize("NFC", text)
        buffer = hb.Buffer()
        buffer.cluster_level = hb.BufferClusterLevel.MONOTONE_CHARACTERS
        buffer.add_str(normal)
        # Guessed values would depend on the process's locale, or reorder letters.
        buffer.language, buffer.direction = self._language, "rtl" if rtl else "ltr"
        if script:
            buffer.script = script
        buffer.guess_segment_properties()
        hb.shape(opened, buffer, features_of(script))
        em = opened.face.upem
        infos, places = buffer.glyph_infos, buffer.glyph_positions or []  # it is None without text
        width = sum(place.x_advance for place in places) / em
        missing = "".join(normal[info.cluster] for info in infos if info.codepoint == 0)
        missing += "".join(one for one in normal if _is_blank(opened, one))
        kerns: tuple[int, ...] = ()
        glyphs: tuple[Glyph, ...] = ()
        if script:
            if needs_rules(normal, script) and not _has_rules(opened.face, script):
                missing = normal
            glyphs = tuple(_arrange(normal, infos, places, em))
            width = sum(glyph[1] for glyph in glyphs) / 1000
        elif len(infos) == len(normal):
            kerns = tuple(
                round((place.x_advance - opened.get_glyph_h_advance(info.codepoint)) * 1000 / em)
                for info, place in zip(infos, places, strict=True)
            )
        else:  # the font has composed letters
            glyphs = tuple(_arrange(normal, infos, places, em))
        shaped = ShapedText(normal, width, kerns if any(kerns) else (), missing, glyphs)
        self._shaped[key] = shaped
        return shaped

    def forget(self, max_texts: int) -> None:
        """Forget the shaped texts if there are more than `max_texts`."""
        if len(self._shaped) > max_texts:
            self._shaped.clear()

    def chain(self, font: str) -> tuple[str, ...]:
        """Return the ids of the fallback families of the font with this id."""
        return self._fonts[font].chain

    def used_characters(self, font: str) -> set[str]:
        """Return the characters of all texts shaped in the font with this id."""
        return {char for text in self.shaped_texts(font) for char in text}

    def color_characters(self, font: str) -> set[str]:
        """Return the used characters that the font with this id has in color."""
        if font not in self._opened:
            return set()
        opened, face = self._opened[font], self._opened[font].face
        if not (face.has_color_layers or face.has_color_paint or face.has_color_svg
                or face.has_color_png):  # fmt: skip
            return set()
        nominal = opened.get_nominal_glyph
        glyphs = {one: nominal(ord(one)) or 0 for one in self.used_characters(font)}
        return {
            one
            for one, glyph in glyphs.items()
            if face.get_glyph_color_layers(glyph)
            or face.glyph_has_color_paint(glyph)
            or face.get_glyph_color_svg(glyph)
            or opened.get_glyph_color_png(glyph)
        }

    def shaped_texts(self, font: str) -> Iterator[str]:
        """Yield the texts shaped in the font with this id that it has completely."""
        found = self._shaped.items()
        return (text for (name, text, *_), shaped in found if name == font and not shaped.missing)

    def vertical(self, font: str) -> VerticalMetrics:
        """Return the heights of the font with this id."""
        return _vertical(self._open(font))

    def outline(self, run: DrawGlyphs) -> Outline:
        """Return the outline of letters, in ems from the start of the baseline.

        Like print, it takes glyphs from the font's character map where HarfBuzz arranges none.
        """
        opened = self._open(run.font)
        segments: list[Segment] = []
        x = 0.0
        for glyph, advance, right, up, _ in run.glyphs:
            outline = _glyph_outline(opened, glyph)
            segments += scale_and_move(outline, x + right / 1000, -up / 1000, 1)
            x += advance / 1000
        for index, character in enumerate("" if run.glyphs else run.text):
            glyph = opened.get_nominal_glyph(ord(character)) or 0
            segments += scale_and_move(_glyph_outline(opened, glyph), x, 0, 1)
            x += opened.get_glyph_h_advance(glyph) / opened.face.upem
            x += run.kerns[index] / 1000 if index < len(run.kerns) else 0
        return tuple(segments)


def _arrange(
    text: str, infos: Sequence[hb.GlyphInfo], places: Sequence[hb.GlyphPosition], em: int
) -> Iterator[Glyph]:
    """Yield the glyphs of a text with their letters."""
    starts = sorted({info.cluster for info in infos})
    ends = dict(zip(starts, [*starts[1:], len(text)], strict=True))
    before = -1
    for info, place in zip(infos, places, strict=True):
        start = info.cluster
        letters = text[start : ends[start]] if start != before else ""
        lengths = (place.x_advance, place.x_offset, place.y_offset)
        advance, right, up = (round(1000 * length / em) for length in lengths)
        yield info.codepoint, advance, right, up, letters
        before = start


@lru_cache(maxsize=64)
def _open_font(path: Path, _modified_ns: int) -> hb.Font:
    """Return the font in a file; games that use the same one share it and its outlines."""
    return hb.Font(hb.Face(hb.Blob.from_file_path(str(path))))


@lru_cache(maxsize=256)
def _has_rules(face: hb.Face, script: str) -> bool:
    """Return whether a font has rules to join, reorder or stack the letters of a script."""
    tags = face.get_table_script_tags("GSUB")
    return any(hb.ot_tag_to_script(tag) == script for tag in tags)


_BLANK = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Characters without an outline that are neither white space nor controls."""


@lru_cache(maxsize=32768)
def _is_blank(font: hb.Font, character: str) -> bool:
    """Return whether a font has a character whose glyph is unexpectedly empty."""
    glyph = font.get_nominal_glyph(ord(character))
    if not glyph or unicodedata.category(character)[0] in "ZC" or character in _BLANK:
        return False
    # Some programs draw parts of a glyph that contains itself, others nothing.
    return not _glyph_outline(font, glyph) or contains_itself(font.face, glyph)


@lru_cache(maxsize=64)
def _vertical(font: hb.Font) -> VerticalMetrics:
    em = font.face.upem
    extents = font.get_font_extents("ltr")
    cap = font.get_metric_position_with_fallback(hb.OTMetricsTag.CAP_HEIGHT)
    # The bundled fonts ask for very large line gaps; an em, split in proportion of ascent and
    # descent, suits their design.
    height = extents.ascender - extents.descender
    return VerticalMetrics(extents.ascender / height, -extents.descender / height, cap / em)


@cache
def _icons() -> hb.Font:
    return _open_font(icon_font().path, 0)


@cache
def icon_names() -> tuple[str, ...]:
    """Return the names of all icons."""
    font = _icons()
    names = (font.get_glyph_name(glyph) for glyph in range(1, font.face.glyph_count))
    return tuple(name for name in names if name)


@cache
def icon_outline(name: str) -> Outline:
    """Return an icon's outline in a square of 1 × 1, y downwards.

    Raises:
        KeyError: if there is no icon of that name.
    """
    font = _icons()
    glyph = font.get_glyph_from_name(name)
    if not glyph:
        raise KeyError(name)
    # The icons stand in a square of one em, from the font's descent to its ascent.
    return _glyph_outline(font, glyph, font.get_font_extents("ltr").ascender)


@lru_cache(maxsize=32768)
def _glyph_outline(font: hb.Font, glyph: int, top: int = 0) -> Outline:
    """Return a glyph's outline in ems, y downwards from `top` font units above the baseline."""
    em = font.face.upem
    segments: list[Segment] = []
    last = (0.0, 0.0)

    def at(x: float, y: float) -> tuple[float, float]:
        return round(x / em, 4), round((top - y) / em, 4)

    def move(x: float, y: float, _: object) -> None:
        nonlocal last
        last = at(x, y)
        segments.append(("M", *last))

    def line(x: float, y: float, _: object) -> None:
        nonlocal last
        last = at(x, y)
        segments.append(("L", *last))

    def quadratic(cx: float, cy: float, x: float, y: float, _: object) -> None:
        nonlocal last
        end = at(x, y)
        segments.append(("C", *cubic_of(last, at(cx, cy), end)))
        last = end

    def cubic(ax: float, ay: float, bx: float, by: float, x: float, y: float, _: object) -> None:
        nonlocal last
        last = at(x, y)
        segments.append(("C", *at(ax, ay), *at(bx, by), *last))

    def close(_: object) -> None:
        segments.append(("Z",))

    functions = hb.DrawFuncs()
    functions.set_move_to_func(move)
    functions.set_line_to_func(line)
    functions.set_quadratic_to_func(quadratic)
    functions.set_cubic_to_func(cubic)
    functions.set_close_path_func(close)
    font.draw_glyph(glyph, functions)
    return tuple(segments)


def bounding_box(op: Op, matrix: Matrix, metrics: Metrics, *, capitals: bool = False) -> Box:
    """Return the bounding box of an op that is not a group.

    Args:
        matrix: the matrix of the enclosing groups.
        capitals: whether texts reach up to their cap height only, instead of the ascent.
    """
    if isinstance(op, DrawGlyphs):
        heights = metrics.vertical(op.font)
        up = heights.cap_height if capitals else heights.ascent
        return text_box(op, metrics, up, heights.descent).transform(matrix)
    if isinstance(op, FillPath):
        return bounds_of(op.outline, matrix)
    if isinstance(op, StrokePath):
        return bounds_of(op.outline).expand(op.width / 2).transform(matrix)
    assert isinstance(op, DrawImage)
    return op.box.transform(matrix)


def text_box(op: DrawGlyphs, metrics: Metrics, up: float, down: float) -> Box:
    """Return the box of a run of text.

    Args:
        up, down: its extent above and below the baseline, in ems.
    """
    if op.glyphs:
        width = sum(glyph[1] for glyph in op.glyphs) / 1000
    else:
        shaped = metrics.shape(op.font, op.text)
        # Letter spacing and the stretched spaces of justified lines are part of the kerns.
        width = shaped.width + (sum(op.kerns) - sum(shaped.kerns)) / 1000
    return Box(op.x, op.y - up * op.size, width * op.size, (up + down) * op.size)
