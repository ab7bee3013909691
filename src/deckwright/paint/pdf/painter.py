"""Paint ops as operators of a PDF.

Faces are painted in mm with the origin at their top left corner, y downwards, so that the operators
of an op do not depend on where the face is placed and can be cached.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType

from deckwright.base.geometry import Matrix
from deckwright.base.units import Mm, format_decimal
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops.model import (
    MITER_LIMIT,
    DrawGlyphs,
    DrawImage,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    Segment,
    StrokePath,
    is_spot,
    parse_spot,
    walk,
)
from deckwright.paint.pdf.content import Content, Picture, Resource, Spot, color_operands, shading
from deckwright.paint.pdf.fonts import PdfFonts
from deckwright.paint.pdf.objects import encode_name

_LETTER_WIDTH, _ASCENT = 0.5, 0.8
"""The approximate width of a letter and the ascent of a line, in ems."""
_MIN_GRADIENT_LENGTH: Mm = 0.001
_PRIVATE_USE, _REPLACEMENT = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]"), "\ufffd"
_SEGMENT_FORMATS = {"M": "%.3f %.3f m", "L": "%.3f %.3f l", "C": f"{'%.3f ' * 6}c", "Z": "h"}
"""The formats of segments, with all decimals."""
_DIGEST_BYTES = 12


class Painter:
    """Paints ops in a coordinate system in mm, y downwards.

    Attributes:
        content: what has been painted.
        cache: the operators of ops, None for those that name resources, by their ids and scales.
    """

    def __init__(
        self, fonts: PdfFonts, images: ImageStore, spots: Mapping[str, Spot] = MappingProxyType({})
    ) -> None:
        """Start with nothing painted; `spots` are the spot inks by id."""
        self.content = Content()
        self._fonts, self._images, self._spots = fonts, images, spots
        self._scale = 1.0
        self.cache: dict[tuple[int, float], tuple[Op, str | None]] = {}
        self._shadings: dict[tuple[bool, tuple[tuple[float, str], ...]], tuple[str, bytes]] = {}

    @contextmanager
    def record(self) -> Iterator[Content]:
        """Paint onto the yielded content within the context."""
        before, self.content = self.content, Content()
        try:
            yield self.content
        finally:
            self.content = before

    @contextmanager
    def at_scale(self, factor: float) -> Iterator[None]:
        """Scale hairlines within the context for ops that are printed larger by a factor."""
        before = self._scale
        self._scale = round(before * factor, 6)
        yield
        self._scale = before

    def paint(self, ops: Iterable[Op], opacity: float = 1) -> None:
        """Paint ops in order; the `opacity` of the enclosing groups is set already."""
        for op in ops:
            if isinstance(op, DrawGlyphs):
                if op.glyphs:
                    self._paint_glyphs(op)
                else:
                    self._paint_text(op)
                continue
            operators = self._operators(op)
            if operators is not None:
                self.content.add(operators)
            elif isinstance(op, Group):
                self.paint_group(op, opacity, self.paint)
            elif isinstance(op, DrawImage):
                self._paint_image(op)
            elif isinstance(op.color, Gradient):
                self._paint_gradient(op.outline, op.even_odd, op.color)
            else:
                color = self._spot(op.color)
                self.content.add(_path_operators(op._replace(color=color), self._scale))

    def _operators(self, op: Op) -> str | None:
        """Return the cached operators of an op; None if they name resources, such as fonts."""
        key = id(op), self._scale
        known = self.cache.get(key)
        if known is None:
            operators = None
            if isinstance(op, Group):
                # The alternative text may need a font.
                if not (op.opacity < 1 or op.overprint or op.alt):
                    with self.at_scale(op.scale):
                        inner = [self._operators(child) for child in op.ops]
                    if None not in inner:
                        operators = "\n".join([_begin_group(op), *filter(None, inner), "Q"])
            elif isinstance(op, FillPath | StrokePath) and not (
                isinstance(op.color, Gradient) or is_spot(op.color)
            ):
                operators = _path_operators(op, self._scale)
            # The op is kept alive with its operators, so that its id stays unique.
            known = self.cache[key] = op, operators
        return known[1]

    def _paint_glyphs(self, op: DrawGlyphs) -> None:
        """Paint a run of arranged glyphs.

        Letters that glyphs do not tell are an ActualText: that of the run; or if it runs from right
        to left, of each letter, since readers expect all texts from left to right.
        """
        color = self._spot(op.color) if is_spot(op.color) else op.color
        place = f"1 0 0 -1 {format_decimal(op.x)} {format_decimal(op.y)} Tm"
        setting = self._font(op.font, [glyph for glyph, *_ in op.glyphs], op.size)
        parts = [f"BT {_set_color(color)} {place} {setting}"]
        font = self._fonts[op.font]
        is_ltr = "".join(letters for *_, letters in op.glyphs) == op.text
        shown: list[str] = []
        rise = move = 0
        is_marked = False

        def show(operator: str) -> None:
            """Show the collected glyphs, then apply an operator."""
            if shown:
                parts.append(f"[{''.join(shown)}] TJ")
                shown.clear()
            parts.append(operator)

        if is_ltr:
            show(_begin_actual_text(op.text))
        for index, (glyph, advance, right, up, letters) in enumerate(op.glyphs):
            if is_marked and letters:
                show("EMC")
                is_marked = False
            is_alone = index + 1 == len(op.glyphs) or op.glyphs[index + 1][-1]
            if letters and not (is_ltr or (is_alone and font.letters.get(glyph) == letters)):
                show(_begin_actual_text(letters))
                is_marked = True
            if up != rise:
                show(f"{format_decimal(up / 1000 * op.size)} Ts")
                rise = up
            move -= right
            shown.append(f"{move or ''}{_string([glyph])}")
            move = right + font.advance(glyph) - advance
        for operator in ["EMC"] * (is_marked or is_ltr) + ["0 Ts"] * (rise != 0) + ["ET"]:
            show(operator)
        self.content.add(" ".join(parts))

    def _paint_text(self, op: DrawGlyphs) -> None:
        """Paint a run of text, with kerns as adjustments in its string.

        Letter spacing goes into the text state: text extraction takes many wide adjustments for
        spaces.
        """
        color = self._spot(op.color) if is_spot(op.color) else op.color
        glyphs, is_plain = self._fonts[op.font].encode(op.text)
        is_spaced = op.kerns and 0 not in op.kerns
        spacing = max(op.kerns, key=op.kerns.count) if is_spaced else 0
        place = f"1 0 0 -1 {format_decimal(op.x)} {format_decimal(op.y)} Tm"
        parts = [f"BT {_set_color(color)} {place}"]
        if spacing:
            parts.append(f"{format_decimal(spacing / 1000 * op.size)} Tc")
        parts.append(self._font(op.font, glyphs, op.size))
        kerns = [kern - spacing for kern in op.kerns]
        if any(kerns):
            shown, begin = [], 0
            for index, kern in enumerate(kerns, 1):
                if kern:
                    shown.append(f"{_string(glyphs[begin:index])}{-kern}")
                    begin = index
            if begin < len(glyphs):
                shown.append(_string(glyphs[begin:]))
            parts.append(f"[{''.join(shown)}] TJ")
        else:
            parts.append(f"{_string(glyphs)} Tj")
        parts.append("0 Tc ET" if spacing else "ET")
        operators = " ".join(parts)
        if not is_plain or (not op.text.isascii() and _PRIVATE_USE.search(op.text)):
            # Private-use characters have no meaning of their own: ISO 19005-2, 6.2.11.7.3, requires
            # an ActualText. Other characters may share a glyph.
            text = _PRIVATE_USE.sub(_REPLACEMENT, op.text)
            operators = f"{_begin_actual_text(text)} {operators} EMC"
        self.content.add(operators)

    def _font(self, font_id: str, glyphs: Sequence[int], size: Mm) -> str:
        """Return the operator that sets a font, which shows glyphs."""
        self.content.use_glyphs(font_id, glyphs)
        return f"{encode_name(font_id).decode()} {format_decimal(size)} Tf"

    def _invisible_text(self, op: Group) -> str:
        """Return the operators of the alternative text, invisible and as wide as the group."""
        box = outlines.extent(op.ops)
        if box is None or not (box.width and box.height):
            return ""
        left, top, width, height = box
        stretch = 100 * width / (len(op.alt) * _LETTER_WIDTH * height)
        first = next(iter(self._fonts.fonts))
        glyphs, _ = self._fonts[first].encode(op.alt)
        place = f"1 0 0 -1 {format_decimal(left)} {format_decimal(top + height * _ASCENT)} Tm"
        font = self._font(first, glyphs, height)
        return f"BT 3 Tr {format_decimal(stretch)} Tz {place} {font} {_string(glyphs)} Tj ET"

    def paint_group(
        self, op: Group, opacity: float, paint: Callable[[Iterable[Op], float], None]
    ) -> None:
        """Paint a group; `paint` paints its children, given their combined opacity."""
        content = self.content
        content.add(_begin_group(op))
        if op.opacity < 1:
            opacity *= op.opacity
            share = format_decimal(opacity)
            self._use_state(f"a{share}", f"/ca {share}/CA {share}")
        if op.overprint:
            # An ink that an op does not contain leaves the ink below untouched.
            self._use_state("overprint", "/OP true/op true/OPM 1")
        with self.at_scale(op.scale):
            paint(op.ops, opacity)
        if op.alt:
            # The text is the ActualText of marked content (ISO 32000-1, 14.9.4). Programs locate it
            # only by glyphs: if the group draws none, the text itself is added invisibly.
            if not any(isinstance(inner, DrawGlyphs) for inner in walk(op.ops)):
                content.add(self._invisible_text(op))
            content.add("EMC")
        content.add("Q")

    def _use_state(self, name: str, entries: str) -> None:
        """Set entries of the graphics state."""
        self.content.use("ExtGState", name, f"<<{entries}>>".encode())
        self.content.add(f"/{name} gs")

    def _spot(self, color: str) -> str:
        """Return the operand of a color in a spot ink."""
        ink_id, share = parse_spot(color)
        ink = self._separation(ink_id)
        self.content.use(*ink)
        return f"/{ink.name} {format_decimal(share)}"

    def _separation(self, ink_id: str) -> Resource:
        number = [*self._spots].index(ink_id)
        return Resource("ColorSpace", f"Ink{number}", self._spots[ink_id].color_space())

    def _paint_gradient(self, outline: Outline, even_odd: bool, gradient: Gradient) -> None:  # noqa: FBT001
        """Fill an outline with a gradient; those of the same colors share a shading."""
        key = gradient.radial, gradient.stops
        if key not in self._shadings:
            body = shading(*key)
            self._shadings[key] = f"Sh{_digest(body)}", body
        name, body = self._shadings[key]
        self.content.use("Shading", name, body)
        (x, y), (to_x, to_y) = gradient.start, gradient.end
        across, down = to_x - x, to_y - y
        if gradient.radial or not (across or down):
            across, down = math.hypot(across, down) or _MIN_GRADIENT_LENGTH, 0
        rule, place = "*" if even_odd else "", _matrix((across, down, -down, across, x, y))
        self.content.add(f"q {_path(outline)} W{rule} n {place} cm /{name} sh Q")

    def _paint_image(self, op: DrawImage) -> None:
        image, box = self._images.get(op), op.box
        width, height = box.width, box.height
        if not op.cover:
            scale = min(box.width / image.width_px, box.height / image.height_px)
            width, height = image.width_px * scale, image.height_px * scale
        x, y = box.x + (box.width - width) / 2, box.y + (box.height - height) / 2
        picture = Picture(image)
        if op.ink:
            ink = self._separation(parse_spot(op.ink)[0])
            picture = Picture(image, ink=ink)
        elif image.alpha:
            picture = Picture(image, b"/DeviceCMYK")
        # The file's name is a digest of its content; its path depends on where the cache is.
        inks = picture.ink.name if picture.ink else picture.space.decode()
        name = f"Im{_digest(f'{image.path.name} {inks}'.encode())}"
        self.content.use("XObject", name, picture)
        drawn = _matrix((width, 0, 0, -height, x, y + height))
        self.content.add(f"q {drawn} cm /{name} Do Q")


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()


def _path_operators(op: FillPath | StrokePath, scale: float) -> str:
    """Return the operators of a path in a single color."""
    if isinstance(op, FillPath):
        assert isinstance(op.color, str)
        return f"{_set_color(op.color)} {_path(op.outline)} f{'*' if op.even_odd else ''}"
    width, color = format_decimal(op.visible_width(scale)), _set_color(op.color, stroke=True)
    # Caps, joins and dashes are reset afterwards.
    stroke = f"{color} {width} w {_path(op.outline)} S"
    if op.cap or op.join:
        stroke = f"{op.cap} J {op.join} j {stroke} 0 J 0 j"
    if op.dashes:
        dashes = " ".join(map(format_decimal, op.dashes))
        stroke = f"[{dashes}] {format_decimal(op.offset)} d {stroke} [] 0 d"
    if op.join or op.miter == MITER_LIMIT:
        return stroke
    return f"{format_decimal(op.miter)} M {stroke} {MITER_LIMIT} M"


def _begin_group(group: Group) -> str:
    """Return the operators that begin a group."""
    matrix = f" {_matrix(group.matrix)} cm" if group.matrix else ""
    clip = f" {_path(group.clip)} W n" if group.clip else ""
    return f"q{matrix}{clip}" + (f" {_begin_actual_text(group.alt)}" if group.alt else "")


def _begin_actual_text(text: str) -> str:
    """Return the operators that begin marked content with an ActualText."""
    digits = f"\ufeff{text}".encode("utf-16-be").hex()
    return f"/Span<</ActualText<{digits}>>>BDC"


def _matrix(matrix: Matrix) -> str:
    """Return a matrix as operands; factors get more digits, since they multiply lengths."""
    factors = [f"{factor:.7g}" for factor in matrix[:4]]
    # PDF knows no exponents, as a quarter turn would have: its cosine is 6e-17.
    factors = [f"{float(text):.9f}" if "e" in text else text for text in factors]
    return " ".join([*factors, *map(format_decimal, matrix[4:])])


@lru_cache(maxsize=2048)
def _set_color(color: str, *, stroke: bool = False) -> str:
    """Return the operators that set a color: `#rrggbb`, four shares of inks, or an ink's tint."""
    rgb, cmyk, space, tint = ("RG", "K", "CS", "SCN") if stroke else ("rg", "k", "cs", "scn")
    if color[0] == "/":
        name, share = color.split(" ")
        return f"{name} {space} {share} {tint}"
    return f"{color_operands(color)} {rgb if color[0] == '#' else cmyk}"


def _path(outline: Outline) -> str:
    """Return the operators of an outline. Speed matters: drawings have thousands of numbers."""
    # Lines back to the start are dropped: `h` draws them anyway.
    segments: list[Segment] = []
    back: tuple[object, ...] = ()
    for segment in outline:
        if segment[0] == "M":
            back = ("L", *segment[1:])
        elif segment[0] == "Z" and segments[-1:] == [back] and segments[-2][0] != "M":
            segments.pop()
        segments.append(segment)
    form = " ".join([_SEGMENT_FORMATS[segment[0]] for segment in segments])
    text = form % tuple([number for segment in segments for number in segment[1:]])
    # Integers are set aside first, so that every other zero before a space can be dropped.
    text = text.replace(".000 ", "\0").replace("-0\0", "0\0")
    return text.replace("00 ", " ").replace("0 ", " ").replace("\0", " ")


def _string(glyphs: Sequence[int]) -> str:
    """Return glyph ids as a PDF string of two bytes each."""
    return f"<{struct.pack(f'>{len(glyphs)}H', *glyphs).hex().upper()}>"
