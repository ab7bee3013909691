"""Paint ops with ReportLab.

Only here do millimetres become points and does the y axis turn upwards. Faces are painted in mm
with the origin at their top left corner, so that the operators of an op do not depend on where the
face is placed and can be cached.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from reportlab.pdfgen.canvas import Canvas

from deckwright.base.cache import truncate_dict
from deckwright.base.colors import rgb
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
from deckwright.paint.pdf.colors import Separations, Spot
from deckwright.paint.pdf.fonts import PdfFonts

_LETTER_WIDTH, _ASCENT = 0.5, 0.8
"""The approximate width of a letter and the ascent of a line, in ems."""
_MIN_GRADIENT_LENGTH = 0.001
"""The minimum length of a gradient, in mm."""
_PRIVATE_USE, _REPLACEMENT = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]"), "\ufffd"
_SEGMENT_FORMATS = {"M": "%.3f %.3f m", "L": "%.3f %.3f l", "C": f"{'%.3f ' * 6}c", "Z": "h"}
"""The formats of segments, with all decimals."""


class Painter:
    """Paints ops onto a canvas whose coordinate system is mm, y downwards."""

    def __init__(
        self,
        canvas: Canvas,
        fonts: PdfFonts,
        images: ImageStore,
        spots: Mapping[str, Spot] = MappingProxyType({}),
    ) -> None:
        """Paint onto `canvas`, with spot inks by id."""
        self._canvas = canvas
        self._separations = Separations(canvas, spots)
        self._fonts = fonts
        self._images = images
        self._scale = 1.0
        self._cached: dict[tuple[int, float], tuple[Op, str | None]] = {}
        self._shadings: dict[tuple[bool, tuple[tuple[float, str], ...]], str] = {}

    def forget(self, limit: int = 0) -> None:
        """Forget the shadings, and the cached operators if they exceed a number of ops.

        Anything that is drawn again is built again.
        """
        self._shadings.clear()
        if len(self._cached) > limit:
            self._cached.clear()

    @property
    def cached_count(self) -> int:
        """The number of ops with cached operators."""
        return len(self._cached)

    def forget_after(self, count: int) -> None:
        """Keep only the first `count` ops in the cache."""
        truncate_dict(self._cached, count)

    @contextmanager
    def at_scale(self, factor: float) -> Iterator[None]:
        """Scale hairlines within the context for ops that are printed larger by a factor."""
        before = self._scale
        self._scale = round(before * factor, 6)
        yield
        self._scale = before

    def paint(self, ops: Iterable[Op], opacity: float = 1) -> None:
        """Paint ops in order.

        Args:
            opacity: the combined opacity of the enclosing groups, which is set already.
        """
        for op in ops:
            operators = self._operators(op)
            if operators is not None:
                self._canvas.addLiteral(operators)
            elif isinstance(op, Group):
                self.paint_group(op, opacity, self.paint)
            elif isinstance(op, DrawImage):
                self._paint_image(op)
            elif is_spot(op.color):
                self._paint_spot(op)
            elif isinstance(op, FillPath):
                self._paint_gradient(op)

    def _operators(self, op: Op) -> str | None:
        """Return the cached operators of an op; None if it needs the canvas, as images do."""
        key = id(op), self._scale
        known = self._cached.get(key)
        if known is None:
            # The op is kept alive with its operators, so that its id stays unique.
            known = self._cached[key] = op, self._make(op)
        return known[1]

    def _make(self, op: Op) -> str | None:
        if _needs_canvas(op):
            return None
        return self._plain_operators(op)

    def _plain_operators(self, op: Op) -> str | None:
        """Return the operators of an op without resources; None for a group that contains some."""
        if isinstance(op, Group):
            with self.at_scale(op.scale):
                inner = [self._operators(child) for child in op.ops]
            if None in inner:
                return None
            return "\n".join(
                [_begin_group(op), *filter(None, inner), *self._end_actual_text(op), "Q"]
            )
        if isinstance(op, FillPath):
            assert isinstance(op.color, str)
            return f"{_fill_color(op.color)} {_path(op.outline)} f{'*' if op.even_odd else ''}"
        if isinstance(op, StrokePath):
            return _stroke_operators(op, op.visible_width(self._scale))
        assert isinstance(op, DrawGlyphs)
        private = not op.text.isascii() and _PRIVATE_USE.search(op.text)
        # Private-use characters have no meaning of their own: ISO 19005-2, 6.2.11.7.3, requires an
        # ActualText.
        shown = self._text_operators(op)
        return (
            f"{_begin_actual_text(_PRIVATE_USE.sub(_REPLACEMENT, op.text))} {shown} EMC"
            if private
            else shown
        )

    def _text_operators(self, op: DrawGlyphs) -> str:
        """Return the operators of a run, with kerns as adjustments in its string.

        Letter spacing goes into the text state: text extraction takes many wide adjustments for
        spaces.
        """
        spacing = 0
        if op.kerns and 0 not in op.kerns:
            spacing = max(op.kerns, key=op.kerns.count)
        parts = [
            f"BT {_fill_color(op.color)} 1 0 0 -1 {format_decimal(op.x)} {format_decimal(op.y)} Tm"
        ]
        if spacing:
            parts.append(f"{format_decimal(spacing / 1000 * op.size)} Tc")
        start = 0
        for name, codes in self._fonts.encode(op.font, op.text):
            kerns = [kern - spacing for kern in op.kerns[start : start + len(codes)]]
            start += len(codes)
            parts.append(f"{name} {format_decimal(op.size)} Tf")
            if not any(kerns):
                parts.append(f"({_escape(codes)}) Tj")
                continue
            shown, begin = [], 0
            for index, kern in enumerate(kerns, 1):
                if kern:
                    shown.append(f"({_escape(codes[begin:index])}){-kern}")
                    begin = index
            if begin < len(codes):
                shown.append(f"({_escape(codes[begin:])})")
            parts.append(f"[{''.join(shown)}] TJ")
        return " ".join(parts) + (" 0 Tc ET" if spacing else " ET")

    def _end_actual_text(self, op: Group) -> Iterator[str]:
        """Yield the operators that end the alternative text of a group.

        The text is the ActualText of marked content (ISO 32000-1, 14.9.4). Programs locate it only
        by glyphs: if the group draws none, the text itself is added invisibly.
        """
        if op.alt:
            if not any(isinstance(inner, DrawGlyphs) for inner in walk(op.ops)):
                yield self._invisible_text(op)
            yield "EMC"

    def _invisible_text(self, op: Group) -> str:
        """Return the operators of the alternative text, invisible and as wide as the group."""
        box = outlines.extent(op.ops)
        if box is None or not (box.width and box.height):
            return ""
        left, top, width, height = box
        stretch = 100 * width / (len(op.alt) * _LETTER_WIDTH * height)
        shown = (
            f"{name} {format_decimal(height)} Tf ({_escape(codes)}) Tj"
            for name, codes in self._fonts.encode(self._fonts.first, op.alt)
        )
        place = f"1 0 0 -1 {format_decimal(left)} {format_decimal(top + height * _ASCENT)} Tm"
        return f"BT 3 Tr {format_decimal(stretch)} Tz {place} {' '.join(shown)} ET"

    def paint_group(
        self, op: Group, opacity: float, paint: Callable[[Iterable[Op], float], None]
    ) -> None:
        """Paint a group.

        Args:
            opacity: the combined opacity of the enclosing groups, which is set already.
            paint: paints its children, given their combined opacity.
        """
        self._canvas.saveState()
        self._canvas.addLiteral(_begin_group(op).removeprefix("q").strip())
        if op.opacity < 1:
            opacity *= op.opacity
            self._canvas.setFillAlpha(opacity)
            self._canvas.setStrokeAlpha(opacity)
        if op.overprint:
            self._canvas.setFillOverprint(True)
            self._canvas.setStrokeOverprint(True)
            # An ink that an op does not contain leaves the ink below untouched.
            self._canvas.setOverprintMask(1)
        with self.at_scale(op.scale):
            paint(op.ops, opacity)
        for operators in self._end_actual_text(op):
            self._canvas.addLiteral(operators)
        self._canvas.restoreState()

    def _paint_spot(self, op: FillPath | StrokePath | DrawGlyphs) -> None:
        """Paint an op in a spot ink."""
        assert isinstance(op.color, str)
        ink_id, share = parse_spot(op.color)
        name = self._separations.name_of(ink_id)
        operators = self._plain_operators(op._replace(color=f"/{name} {format_decimal(share)}"))
        assert operators is not None
        self._canvas.addLiteral(operators)

    def _paint_gradient(self, op: FillPath) -> None:
        """Paint a gradient with a shading that gradients of the same colors share."""
        gradient = op.color
        assert isinstance(gradient, Gradient)
        canvas, known = self._canvas, (gradient.radial, gradient.stops)
        if known not in self._shadings:
            self._shadings[known] = self._shading(*known)
        name = self._shadings[known]
        canvas._shadingUsed[name] = name  # noqa: SLF001 - no other way
        (x, y), (to_x, to_y) = gradient.start, gradient.end
        across, down = to_x - x, to_y - y
        if gradient.radial or not (across or down):
            across, down = math.hypot(across, down) or _MIN_GRADIENT_LENGTH, 0
        rule = "*" if op.even_odd else ""
        way = _matrix((across, down, -down, across, x, y))
        canvas.addLiteral(f"q {_path(op.outline)} W{rule} n {way} cm /{name} sh Q")

    def _shading(self, radial: bool, stops: tuple[tuple[float, str], ...]) -> str:  # noqa: FBT001
        """Enter a shading in the document and return its name."""
        from deckwright.paint.pdf.colors import shading  # noqa: PLC0415 - only for gradients

        # ReportLab gives it a name, and enters it wherever it is used.
        name: str = self._canvas._doc.addShading(shading(radial, stops))  # noqa: SLF001
        return name

    def _paint_image(self, op: DrawImage) -> None:
        image = self._images.get(op)
        box = op.box
        scale = min(box.width / image.width_px, box.height / image.height_px)
        width, height = box.width, box.height
        if not op.cover:
            width, height = image.width_px * scale, image.height_px * scale
        x, y = box.x + (box.width - width) / 2, box.y + (box.height - height) / 2
        canvas = self._canvas
        if op.ink or image.alpha:
            ink_id = parse_spot(op.ink)[0] if op.ink else ""
            drawn = self._separations.image_operator(image, ink_id)
            box_of = (width, 0, 0, -height, x, y + height)
            canvas.addLiteral(f"q {_matrix(box_of)} cm {drawn} Q")
            return
        canvas.saveState()
        canvas.addLiteral(f"1 0 0 -1 {format_decimal(x)} {format_decimal(y + height)} cm")
        canvas.drawImage(_NamedPath(image.path), 0, 0, width, height, mask="auto")
        canvas.restoreState()


class _NamedPath(str):
    """The path of a prepared image, which ReportLab identifies by the file name alone.

    The name is a digest of the content. The full path would depend on the location of the cache,
    and the PDF would not be reproducible.
    """

    __slots__ = ()

    def __str__(self) -> str:
        """Return the file's name."""
        return Path(str.__str__(self)).name


def _stroke_operators(op: StrokePath, width: Mm) -> str:
    """Return the operators of a stroke, and reset caps, joins and dashes afterwards."""
    stroke = f"{_stroke_color(op.color)} {format_decimal(width)} w {_path(op.outline)} S"
    if op.cap or op.join:
        stroke = f"{op.cap} J {op.join} j {stroke} 0 J 0 j"
    if op.dashes:
        dashes = " ".join(map(format_decimal, op.dashes))
        stroke = f"[{dashes}] {format_decimal(op.offset)} d {stroke} [] 0 d"
    if op.join or op.miter == MITER_LIMIT:
        return stroke
    return f"{format_decimal(op.miter)} M {stroke} {MITER_LIMIT} M"


def _needs_canvas(op: Op) -> bool:
    """Return whether an op uses page resources, which only the canvas can enter."""
    if isinstance(op, DrawImage):
        return True
    if isinstance(op, Group):
        return op.opacity < 1 or op.overprint
    return isinstance(op.color, Gradient) or is_spot(op.color)


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
    factors, moves = matrix[:4], matrix[4:]
    return " ".join([*(f"{factor:.7g}" for factor in factors), *map(format_decimal, moves)])


def _is_rgb(color: str) -> bool:
    """Return whether a color is `#rrggbb` rather than four shares of inks."""
    return color[0] == "#"


def _fill_color(color: str) -> str:
    if color[0] == "/":
        name, share = color.split(" ")
        return f"{name} cs {share} scn"
    return f"{_color(color)} rg" if _is_rgb(color) else f"{color} k"


def _stroke_color(color: str) -> str:
    if color[0] == "/":
        name, share = color.split(" ")
        return f"{name} CS {share} SCN"
    return f"{_color(color)} RG" if _is_rgb(color) else f"{color} K"


def _color(color: str) -> str:
    return " ".join(format_decimal(channel / 255) for channel in rgb(color))


def _path(outline: Outline) -> str:
    """Return the operators of an outline. Speed matters: drawings have thousands of numbers."""
    segments = _drop_closing_lines(outline)
    form = " ".join([_SEGMENT_FORMATS[segment[0]] for segment in segments])
    text = form % tuple([number for segment in segments for number in segment[1:]])
    # Integers are set aside first, so that every other zero before a space can be dropped.
    text = text.replace(".000 ", "\0").replace("-0\0", "0\0")
    return text.replace("00 ", " ").replace("0 ", " ").replace("\0", " ")


def _drop_closing_lines(outline: Outline) -> list[Segment]:
    """Return an outline without the lines back to its start, which `h` draws anyway."""
    left: list[Segment] = []
    back: tuple[object, ...] = ()
    for segment in outline:
        if segment[0] == "M":
            back = ("L", *segment[1:])
        elif segment[0] == "Z" and left[-1:] == [back] and left[-2][0] != "M":
            left.pop()
        left.append(segment)
    return left


def _escape(codes: bytes) -> str:
    """Return bytes escaped for a PDF string."""
    return "".join(
        f"\\{chr(code)}" if code in b"()\\" else chr(code) if 32 <= code < 127 else f"\\{code:03o}"  # noqa: PLR2004
        for code in codes
    )
