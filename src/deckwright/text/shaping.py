"""Widths of text, kerned, by HarfBuzz; and the outlines of icons. Measures are in ems."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

import uharfbuzz as hb

from deckwright.base.geometry import Box, Matrix
from deckwright.ops.model import DrawGlyphs, DrawImage, FillPath, Op, Outline, Segment, StrokePath
from deckwright.ops.outlines import bounds_of, scale_and_move
from deckwright.text.fonts import Font, icon_font

if TYPE_CHECKING:
    import uharfbuzz as hb

_LONG_ARGUMENTS, _SCALE, _MORE, _TWO_SCALES, _MATRIX = 0x1, 0x8, 0x20, 0x40, 0x80
_GLYPH_HEAD_BYTES = 10
"""How many bytes say how many outlines a glyph has, and how large it is."""


def contains_itself(face: hb.Face, glyph: int) -> bool:
    """Return whether a glyph has itself, or one that has itself, as a part."""
    tables = _tables(face)
    known: dict[int, bool] = {}
    waiting = [(glyph, _parts(tables, glyph))]
    known[glyph] = True  # while its parts are looked at
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


@lru_cache(maxsize=64)
def _tables(face: hb.Face) -> tuple[bytes, bytes, bool]:
    """Return the glyphs of a font, where they begin, and whether that is said in four bytes."""
    head = face.reference_table("head").data
    return (
        face.reference_table("glyf").data,
        face.reference_table("loca").data,
        head[51:52] == b"\1",
    )


def _parts(tables: tuple[bytes, bytes, bool], glyph: int) -> Iterator[int]:
    """Yield the glyphs that a glyph is made of; none if it has outlines of its own."""
    glyphs, places, is_long = tables
    size = 4 if is_long else 2
    start, end = (
        int.from_bytes(places[at * size : at * size + size], "big") * (1 if is_long else 2)
        for at in (glyph, glyph + 1)
    )
    data = glyphs[start:end]
    if data[:1] < b"\x80":  # a number of outlines, which is negative for what is made of others
        return
    at, flags = _GLYPH_HEAD_BYTES, _MORE
    while flags & _MORE and at + 4 <= len(data):
        flags = int.from_bytes(data[at : at + 2], "big")
        yield int.from_bytes(data[at + 2 : at + 4], "big")
        at += 8 if flags & _LONG_ARGUMENTS else 6
        at += 2 * bool(flags & _SCALE) + 4 * bool(flags & _TWO_SCALES) + 8 * bool(flags & _MATRIX)


_DISABLED_FEATURES = ("liga", "clig", "dlig", "calt", "locl")
"""Print has the glyphs of the character map, and no others."""
_FEATURES = {"kern": True, **dict.fromkeys(_DISABLED_FEATURES, False)}


class ShapedText(NamedTuple):
    """A piece of text, shaped.

    Attributes:
        width: its advance in ems.
        kerns: for each character, what kerning adds to its advance, in thousandths of the em;
            empty if it adds nothing.
        missing: the characters that the font lacks, or has without an outline.
    """

    text: str
    width: float
    kerns: tuple[int, ...] = ()
    missing: str = ""

    def apart(self, spacing: float) -> ShapedText:
        """Return it with its letters set apart, in ems, and that space behind the last, too."""
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
    """What text layout must know of fonts; tests bring their own."""

    def shape(self, font: str, text: str) -> ShapedText:
        """Return `text` shaped in the font with this id."""

    def chain(self, font: str) -> tuple[str, ...]:
        """Return the ids of the families that have what the font with this id lacks."""

    def vertical(self, font: str) -> VerticalMetrics:
        """Return the heights of the font with this id."""

    def outline(self, font: str, text: str, kerns: tuple[int, ...]) -> Outline:
        """Return the outline of letters, in ems from where they begin on the baseline."""


class HarfBuzzMetrics:
    """Measure real fonts. Each text is shaped once per font."""

    def __init__(self, fonts: Mapping[str, Font], language: str = "") -> None:
        """Take the fonts by id; a font's file is opened when it is first used.

        Args:
            language: of the texts, "" if it is not known.
        """
        self._fonts = fonts
        self._language = language.replace("_", "-") or "und"
        self._opened: dict[str, hb.Font] = {}
        self._shaped: dict[tuple[str, str], ShapedText] = {}

    def _open(self, font: str) -> hb.Font:
        opened = self._opened.get(font)
        if opened is None:
            blob = hb.Blob.from_file_path(str(self._fonts[font].path))
            opened = self._opened[font] = hb.Font(hb.Face(blob))
        return opened

    def shape(self, font: str, text: str) -> ShapedText:
        """Return `text` shaped in the font with this id."""
        shaped = self._shaped.get((font, text))
        if shaped is None:
            shaped = self._shaped[font, text] = self._shape(self._open(font), text)
        return shaped

    def forget(self, most: int) -> None:
        """Forget the texts that were shaped if they are more than this."""
        if len(self._shaped) > most:
            self._shaped.clear()

    def chain(self, font: str) -> tuple[str, ...]:
        """Return the ids of the families that have what the font with this id lacks."""
        return self._fonts[font].chain

    def used(self, font: str) -> set[str]:
        """Return the characters of all texts that were shaped in the font with this id."""
        return {char for text in self.texts(font) for char in text}

    def color_characters(self, font: str) -> set[str]:
        """Return the characters of all texts in the font with this id that it has in colors."""
        if font not in self._opened:
            return set()
        opened, face = self._opened[font], self._opened[font].face
        if not (face.has_color_layers or face.has_color_paint or face.has_color_svg
                or face.has_color_png):  # fmt: skip
            return set()
        return {one for one in self.used(font) if _is_colored(opened, one)}

    def texts(self, font: str) -> Iterator[str]:
        """Yield the texts that were shaped in the font with this id, which has all of them."""
        found = self._shaped.items()
        return (text for (name, text), shaped in found if name == font and not shaped.missing)

    def _shape(self, font: hb.Font, text: str) -> ShapedText:
        text = unicodedata.normalize("NFC", text)
        buffer = hb.Buffer()
        buffer.add_str(text)
        # What is guessed for these comes from the process, or puts letters in another order.
        buffer.language, buffer.direction = self._language, "ltr"
        buffer.guess_segment_properties()
        hb.shape(font, buffer, _FEATURES)
        em = font.face.upem
        infos, places = buffer.glyph_infos, buffer.glyph_positions
        width = sum(place.x_advance for place in places) / em
        missing = "".join(text[info.cluster] for info in infos if info.codepoint == 0)
        missing += "".join(one for one in text if _is_blank(font, one))
        if len(infos) != len(text):
            return ShapedText(text, width, (), missing)
        kerns = tuple(
            round((place.x_advance - font.get_glyph_h_advance(info.codepoint)) * 1000 / em)
            for info, place in zip(infos, places, strict=True)
        )
        return ShapedText(text, width, kerns if any(kerns) else (), missing)

    def vertical(self, font: str) -> VerticalMetrics:
        """Return the heights of the font with this id."""
        return _vertical(self._open(font))

    def outline(self, font: str, text: str, kerns: tuple[int, ...]) -> Outline:
        """Return the outline of letters, in ems from where they begin on the baseline.

        They are those that print has: by the font's character map, without ligatures.
        """
        opened = self._open(font)
        segments: list[Segment] = []
        x = 0.0
        for index, character in enumerate(text):
            glyph = opened.get_nominal_glyph(ord(character)) or 0
            segments += scale_and_move(_glyph_outline(opened, glyph), x, 0, 1)
            x += opened.get_glyph_h_advance(glyph) / opened.face.upem
            x += kerns[index] / 1000 if index < len(kerns) else 0
        return tuple(segments)


_BLANK = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Characters without an outline that are neither white space nor signs of control."""


@cache
def _is_blank(font: hb.Font, character: str) -> bool:
    """Return whether a font has a character, but nothing to print for it where there should be."""
    glyph = font.get_nominal_glyph(ord(character))
    if not glyph or unicodedata.category(character)[0] in "ZC" or character in _BLANK:
        return False
    # Some programs draw what they can of a glyph that has itself as a part, others nothing.
    return not _glyph_outline(font, glyph) or contains_itself(font.face, glyph)


def _is_colored(font: hb.Font, character: str) -> bool:
    face, glyph = font.face, font.get_nominal_glyph(ord(character)) or 0
    return bool(
        face.get_glyph_color_layers(glyph)
        or face.glyph_has_color_paint(glyph)
        or face.get_glyph_color_svg(glyph)
        or font.get_glyph_color_png(glyph)
    )


@cache
def _vertical(font: hb.Font) -> VerticalMetrics:
    em = font.face.upem
    extents = font.get_font_extents("ltr")
    cap = font.get_metric_position_with_fallback(hb.OTMetricsTag.CAP_HEIGHT)
    # The bundled fonts ask for very wide lines; an em, split as the font splits its own height,
    # is what their type is drawn for.
    height = extents.ascender - extents.descender
    return VerticalMetrics(extents.ascender / height, -extents.descender / height, cap / em)


@cache
def _icons() -> hb.Font:
    return hb.Font(hb.Face(hb.Blob.from_file_path(str(icon_font().path))))


@cache
def icon_names() -> tuple[str, ...]:
    """Return the names of all icons."""
    font = _icons()
    names = (font.get_glyph_name(glyph) for glyph in range(1, font.face.glyph_count))
    return tuple(name for name in names if name)


@cache
def icon_outline(name: str) -> Outline:
    """Return the outline of an icon in a square of 1 × 1, y downwards.

    Raises:
        KeyError: if there is no icon of that name.
    """
    font = _icons()
    glyph = font.get_glyph_from_name(name)
    if not glyph:
        raise KeyError(name)
    # The icons stand in a square of one em, from the font's descent to its ascent.
    return _glyph_outline(font, glyph, font.get_font_extents("ltr").ascender)


@cache
def _glyph_outline(font: hb.Font, glyph: int, top: int = 0) -> Outline:
    """Return the outline of a glyph in ems, y downwards from `top` font units up."""
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
        control, end = at(cx, cy), at(x, y)
        first = (last[0] + 2 * (control[0] - last[0]) / 3, last[1] + 2 * (control[1] - last[1]) / 3)
        second = (end[0] + 2 * (control[0] - end[0]) / 3, end[1] + 2 * (control[1] - end[1]) / 3)
        segments.append(("C", *first, *second, *end))
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
    """Return the box around what an op draws that is no group.

    Args:
        matrix: that of the groups around it.
        capitals: whether texts reach as high as their capitals do, not as the font allows.
    """
    if isinstance(op, DrawGlyphs):
        heights = metrics.vertical(op.font)
        up = heights.cap_height if capitals else heights.ascent
        return text_box(op, metrics, up, heights.descent).moved(matrix)
    if isinstance(op, FillPath):
        return bounds_of(op.outline, matrix)
    if isinstance(op, StrokePath):
        return bounds_of(op.outline).grown(op.width / 2).moved(matrix)
    assert isinstance(op, DrawImage)
    return op.box.moved(matrix)


def text_box(op: DrawGlyphs, metrics: Metrics, up: float, down: float) -> Box:
    """Return the box of a run of text.

    Args:
        up, down: how far it reaches above and below the baseline, in ems.
    """
    shaped = metrics.shape(op.font, op.text)
    # Letters that are set apart, and the spaces of lines that are justified, are in its kerns.
    width = (shaped.width + (sum(op.kerns) - sum(shaped.kerns)) / 1000) * op.size
    return Box(op.x, op.y - up * op.size, width, (up + down) * op.size)
