"""Paint ops as self-contained SVG for screens; glyphs are paths, so no font is needed."""

from __future__ import annotations

import base64
import io
import logging
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckwright.base.strings import escape_text, quote_attribute
from deckwright.base.units import Mm, format_decimal
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops.model import (
    CAPS,
    JOINS,
    MITER_LIMIT,
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    StrokePath,
)
from deckwright.ops.readable import alt_text
from deckwright.sheet.pages import Page
from deckwright.text.fonts import Font


class GlyphOutlines:
    """Fonts by id; their files are read on first use."""

    def __init__(self, fonts: Mapping[str, Font]) -> None:
        """Take the fonts by id."""
        self.fonts = fonts
        self._files: dict[Path, OutlineFont] = {}

    def open(self, font_id: str) -> OutlineFont:
        """Return the open file of a font; several ids may share it."""
        path = self.fonts[font_id].path
        if path not in self._files:
            self._files[path] = OutlineFont(path)
        return self._files[path]


class OutlineFont:
    """An open font file, with the outlines of its glyphs in units, of which an em has `em`."""

    def __init__(self, path: Path) -> None:
        """Read the file."""
        from fontTools.ttLib import TTFont  # heavy, only where glyphs are drawn

        # fontTools warns of odd dates and the like, which do not matter here.
        logging.getLogger("fontTools").setLevel(logging.ERROR)
        # Read into memory, so that no file stays open.
        font = TTFont(io.BytesIO(path.read_bytes()), lazy=True)
        self.path, self.em = path, int(font["head"].unitsPerEm)
        self._glyphs: Any = font.getGlyphSet()
        self._outlines: dict[str, str] = {}
        self._names: list[str] = font.getGlyphOrder()
        self._characters: dict[int, str] = font.getBestCmap() or {}
        self._advances: Any = font["hmtx"]

    def place_run(self, run: DrawGlyphs) -> Iterator[tuple[str, float, float]]:
        """Yield the names of the glyphs of a run with their positions, in font units, upwards.

        Empty glyphs are left out.
        """
        x, unit = 0.0, self.em / 1000
        for number, advance, right, up, _ in run.glyphs:
            glyph = self._names[number]
            if self.outline(glyph):
                yield glyph, x + right * unit, up * unit
            x += advance * unit
        for index, char in enumerate("" if run.glyphs else run.text):
            glyph = self._characters.get(ord(char), self._names[0])
            if self.outline(glyph):
                yield glyph, x, 0
            kern = run.kerns[index] if index < len(run.kerns) else 0
            x += self._advances[glyph][0] + kern * unit

    def outline(self, glyph: str) -> str:
        """Return a glyph's outline as path data, in font units with the y axis upwards."""
        if glyph not in self._outlines:
            from fontTools.pens.svgPathPen import SVGPathPen  # goes with TTFont

            pen = SVGPathPen(self._glyphs, ntos=lambda number: f"{number:g}")
            self._glyphs[glyph].draw(pen)
            self._outlines[glyph] = pen.getCommands()
        return self._outlines[glyph]


class SvgOptions(NamedTuple):
    """Options of an SVG file.

    Attributes:
        title: the title of the picture.
        language: a code such as "de".
        bleed: the visible bleed around the trim box.
        ground: the color behind the face, None for transparent.
        ids: the prefix of ids, for files embedded in one page.
    """

    title: str
    language: str = ""
    bleed: Mm = 0
    ground: str | None = "#ffffff"
    ids: str = ""


def face_svg(face: Face, glyphs: GlyphOutlines, images: ImageStore, options: SvgOptions) -> str:
    """Return a face as an SVG document in its printed size."""
    painter = _SvgPainter(glyphs, images, options.ids)
    painter.count(face.ops)
    body = "\n".join(painter.paint(face.ops))
    bleed = options.bleed
    width, height = format_decimal(face.width + 2 * bleed), format_decimal(face.height + 2 * bleed)
    title, text, corner = f"{options.ids}title", f"{options.ids}text", format_decimal(-bleed)
    root = [
        'xmlns="http://www.w3.org/2000/svg"',
        f'width="{width}mm" height="{height}mm" viewBox="{corner} {corner} {width} {height}"',
        f'role="img" aria-labelledby="{title} {text}"',
        f'stroke-miterlimit="{MITER_LIMIT}"',
        *([f"xml:lang={quote_attribute(options.language)}"] if options.language else []),
    ]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<svg {' '.join(root)}>",
        f'<title id="{title}">{escape_text(options.title)}</title>',
        f'<desc id="{text}">{escape_text(alt_text(face))}</desc>',
    ]
    if painter.definitions:
        lines += ["<defs>", *painter.definitions, "</defs>"]
    if options.ground is not None:
        box = f'x="{corner}" y="{corner}" width="{width}" height="{height}"'
        lines.append(f'<rect {box} fill="{options.ground}"/>')
    return "\n".join([*lines, *([body] if body else []), "</svg>", ""])


def page_svg(page: Page, glyphs: GlyphOutlines, images: ImageStore, options: SvgOptions) -> str:
    """Return a page as an SVG document, with its faces and its own ops."""
    faces = []
    for placed in page.faces:
        (across, down), face = placed.reach, placed.face
        clip = outlines.rectangle(-across, -down, face.width + 2 * across, face.height + 2 * down)
        # The inner group is what the copies of a face share.
        faces.append(Group((Group(face.ops),), placed.matrix, clip))
    whole = Face(page.width, page.height, (*page.lines_below, *faces, *page.ops))
    return face_svg(whole, glyphs, images, options)


class _SvgPainter:
    """Converts ops to SVG elements, with shared definitions."""

    def __init__(self, glyphs: GlyphOutlines, images: ImageStore, prefix: str) -> None:
        self._glyphs, self._images, self._prefix = glyphs, images, prefix
        self._scale = 1.0
        self._ids: dict[object, str] = {}
        self._counts: Counter[int] = Counter()
        self.definitions: list[str] = []

    def count(self, ops: tuple[Op, ...]) -> None:
        """Count lists of ops, to find those that are drawn more than once."""
        for op in ops:
            if isinstance(op, Group):
                self._counts[id(op.ops)] += 1
                if self._counts[id(op.ops)] == 1:
                    self.count(op.ops)

    def paint(self, ops: Iterable[Op], opacity: float = 1) -> Iterator[str]:
        """Yield an element for each op; images do not inherit the `opacity` of groups around."""
        for op in ops:
            match op:
                case FillPath(outline, color, even_odd):
                    rule = ' fill-rule="evenodd"' if even_odd else ""
                    yield f'<path d="{path_data(outline)}" fill="{self._paint(color)}"{rule}/>'
                case StrokePath():
                    yield self._stroke(op)
                case DrawGlyphs():
                    yield self._text(op)
                case DrawImage():
                    yield self._image(op, opacity)
                case Group():
                    yield from self._group(op, opacity)

    def _define(self, key: object, kind: str, element: str) -> str:
        """Return the id of a definition, added on first use; `ID` in `element` is replaced."""
        known = self._ids.get(key)
        if known is None:
            known = self._ids[key] = f"{self._prefix}{kind}{len(self._ids) + 1}"
            self.definitions.append(element.replace("ID", f'id="{known}"', 1))
        return known

    def _paint(self, color: str | Gradient) -> str:
        if isinstance(color, str):
            return color
        stops = "".join(
            f'<stop offset="{format_decimal(at)}" stop-color="{stop}"/>' for at, stop in color.stops
        )
        (x1, y1), (x2, y2) = ends = color.start, color.end
        if color.radial:
            tag, numbers = "radialGradient", {"cx": x1, "cy": y1, "r": math.dist(*ends)}
        else:
            tag, numbers = "linearGradient", {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
        place = " ".join(f'{name}="{format_decimal(number)}"' for name, number in numbers.items())
        element = f'<{tag} ID gradientUnits="userSpaceOnUse" {place}>{stops}</{tag}>'
        return f"url(#{self._define(color, 'gradient', element)})"

    def _stroke(self, op: StrokePath) -> str:
        look = f' stroke-width="{format_decimal(op.visible_width(self._scale))}"'
        look += f' stroke-linecap="{CAPS[op.cap]}"' if op.cap else ""
        if op.join:
            look += f' stroke-linejoin="{JOINS[op.join]}"'
        elif op.miter != MITER_LIMIT:
            look += f' stroke-miterlimit="{format_decimal(op.miter)}"'
        if op.dashes:
            look += f' stroke-dasharray="{" ".join(map(format_decimal, op.dashes))}"'
            look += f' stroke-dashoffset="{format_decimal(op.offset)}"' if op.offset else ""
        return f'<path d="{path_data(op.outline)}" fill="none" stroke="{op.color}"{look}/>'

    def _text(self, op: DrawGlyphs) -> str:
        font = self._glyphs.open(op.font)
        scale = op.size / font.em
        place = _scaling(scale, -scale, op.x, op.y)
        uses = []
        for glyph, x, y in font.place_run(op):
            key = font.path, glyph
            if key not in self._ids:
                self._define(key, "glyph", f'<path ID d="{font.outline(glyph)}"/>')
            up = f' y="{format_decimal(y)}"' if y else ""
            uses.append(f'<use href="#{self._ids[key]}" x="{format_decimal(x)}"{up}/>')
        return f'<g fill="{op.color}" transform="{place}">{"".join(uses)}</g>'

    def _image(self, op: DrawImage, opacity: float) -> str:
        image, box = self._images.get(op), op.box
        columns, rows = image.width_px, image.height_px
        across, down = box.width / columns, box.height / rows
        if not op.cover:
            across = down = min(across, down)
        x = box.x + (box.width - columns * across) / 2
        y = box.y + (box.height - rows * down) / 2
        if image.path not in self._ids:
            kind = "png" if image.path.suffix == ".png" else "jpeg"
            data = base64.b64encode(image.path.read_bytes()).decode()
            size = f'width="{columns}" height="{rows}" preserveAspectRatio="none"'
            element = f'<image ID {size} href="data:image/{kind};base64,{data}"/>'
            self._define(image.path, "image", element)
        place = _scaling(across, down, x, y)
        seen = f' opacity="{_format_factor(opacity)}"' if opacity < 1 else ""
        return f'<use href="#{self._ids[image.path]}" transform="{place}"{seen}/>'

    def _group(self, op: Group, opacity: float) -> Iterator[str]:
        """Yield a group; its ops inherit its opacity multiplied by that of the enclosing groups."""
        attributes = ""
        if op.matrix is not None:
            attributes += f' transform="matrix({" ".join(map(_format_factor, op.matrix))})"'
        if op.clip is not None:
            data = path_data(op.clip)
            element = f'<clipPath ID><path d="{data}"/></clipPath>'
            attributes += f' clip-path="url(#{self._define(("clip", data), "clip", element)})"'
        if op.alt:
            attributes += f' role="img" aria-label={quote_attribute(op.alt)}'
        if op.opacity < 1:
            opacity *= op.opacity
            seen = _format_factor(opacity)
            attributes += f' fill-opacity="{seen}" stroke-opacity="{seen}"'
        around, self._scale = self._scale, round(self._scale * op.scale, 6)
        if self._counts[id(op.ops)] > 1:
            key = "ops", id(op.ops), opacity, self._scale
            if key not in self._ids:
                inner = "\n".join(self.paint(op.ops, opacity))
                self._define(key, "group", f"<g ID>{inner}</g>")
            yield f'<use href="#{self._ids[key]}"{attributes}/>'
        else:
            yield f"<g{attributes}>"
            yield from self.paint(op.ops, opacity)
            yield "</g>"
        self._scale = around


def path_data(outline: Outline) -> str:
    """Return an outline as path data."""
    return "".join(segment[0] + " ".join(map(format_decimal, segment[1:])) for segment in outline)


def _scaling(across: float, down: float, x: Mm, y: Mm) -> str:
    """Return the matrix that scales and then moves by x, y."""
    factors = f"{_format_factor(across)} 0 0 {_format_factor(down)}"
    return f"matrix({factors} {format_decimal(x)} {format_decimal(y)})"


def _format_factor(value: float) -> str:
    """Return a factor with more digits than lengths need."""
    return format_decimal(value, 9)
