"""Paint a face as a standalone SVG file.

Letters are outlines and images are data of the file itself, so that it looks the same in every
browser and drawing program, as it does in print. What stands on the face can be read by programs
from the file's title and description.

After SVG 1.1 (https://www.w3.org/TR/SVG11/), with `href` of SVG 2.
"""

from __future__ import annotations

import base64
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deckwright.base.markup import escaped, quoted
from deckwright.base.units import Mm, decimal
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops.model import (
    CAPS,
    JOINS,
    MITER,
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
from deckwright.ops.readable import said_by
from deckwright.paint.svg.glyphs import Glyphs
from deckwright.sheet.pages import Page, Placed


class Look(NamedTuple):
    """What an SVG file says and shows besides the face.

    Attributes:
        title: what the picture is called.
        language: a code such as "de".
        bleed: how much is shown around the trim box, in mm.
        ground: the color below the face, None for nothing.
        ids: what the ids in the file begin with, for files that are put into one page.
    """

    title: str
    language: str = ""
    bleed: Mm = 0
    ground: str | None = "#ffffff"
    ids: str = ""


def face_svg(face: Face, glyphs: Glyphs, images: ImageStore, look: Look) -> str:
    """Return a face as the text of an SVG file, as large as it is printed."""
    painter = _Painter(glyphs, images, look.ids)
    painter.count(face.ops)
    body = "\n".join(painter.paint(face.ops))
    bleed = look.bleed
    width, height = decimal(face.width + 2 * bleed), decimal(face.height + 2 * bleed)
    title, text, corner = f"{look.ids}title", f"{look.ids}text", decimal(-bleed)
    root = [
        'xmlns="http://www.w3.org/2000/svg"',
        f'width="{width}mm" height="{height}mm" viewBox="{corner} {corner} {width} {height}"',
        f'role="img" aria-labelledby="{title} {text}"',
        f'stroke-miterlimit="{MITER}"',
        *([f"xml:lang={quoted(look.language)}"] if look.language else []),
    ]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<svg {' '.join(root)}>",
        f'<title id="{title}">{escaped(look.title)}</title>',
        f'<desc id="{text}">{escaped(said_by(face))}</desc>',
    ]
    if painter.definitions:
        lines += ["<defs>", *painter.definitions, "</defs>"]
    if look.ground is not None:
        box = f'x="{corner}" y="{corner}" width="{width}" height="{height}"'
        lines.append(f'<rect {box} fill="{look.ground}"/>')
    return "\n".join([*lines, *([body] if body else []), "</svg>", ""])


def page_svg(page: Page, glyphs: Glyphs, images: ImageStore, look: Look) -> str:
    """Return a page as the text of an SVG file: faces at their places, and what is beside them."""
    faces = (_at_its_place(placed) for placed in page.faces)
    return face_svg(Face(page.width, page.height, (*faces, *page.ops)), glyphs, images, look)


def _at_its_place(placed: Placed) -> Group:
    """Return a face as it stands on a page, cut off where no more of it is to be shown."""
    (across, down), face = placed.reach, placed.face
    clip = outlines.rectangle(-across, -down, face.width + 2 * across, face.height + 2 * down)
    # The group with the ops alone is what copies of a face share.
    return Group((Group(face.ops),), placed.matrix, clip)


class _Painter:
    """Turns ops into elements; what they share is defined once."""

    def __init__(self, glyphs: Glyphs, images: ImageStore, prefix: str) -> None:
        self._glyphs = glyphs
        self._images = images
        self._prefix = prefix
        self._scale = 1.0
        self._known: dict[object, str] = {}
        self._counts: Counter[int] = Counter()
        self.definitions: list[str] = []

    def count(self, ops: tuple[Op, ...]) -> None:
        """Find which lists of ops are drawn more than once, as the tiles of patterns are."""
        for op in ops:
            if isinstance(op, Group):
                self._counts[id(op.ops)] += 1
                if self._counts[id(op.ops)] == 1:
                    self.count(op.ops)

    def paint(self, ops: Iterable[Op], opacity: float = 1) -> Iterator[str]:
        """Yield an element for each op.

        Args:
            opacity: that of the groups around, which images do not inherit.
        """
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
        """Return the id of a definition, made once; `element` has a place for it."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = f"{self._prefix}{kind}{len(self._known) + 1}"
            self.definitions.append(element.replace("ID", f'id="{known}"', 1))
        return known

    def _paint(self, color: str | Gradient) -> str:
        if isinstance(color, str):
            return color
        stops = "".join(
            f'<stop offset="{decimal(at)}" stop-color="{stop}"/>' for at, stop in color.stops
        )
        (x1, y1), (x2, y2) = color.start, color.end
        if color.radial:
            tag, radius = "radialGradient", math.dist(color.start, color.end)
            place = f'cx="{decimal(x1)}" cy="{decimal(y1)}" r="{decimal(radius)}"'
        else:
            tag = "linearGradient"
            place = f'x1="{decimal(x1)}" y1="{decimal(y1)}" x2="{decimal(x2)}" y2="{decimal(y2)}"'
        element = f'<{tag} ID gradientUnits="userSpaceOnUse" {place}>{stops}</{tag}>'
        return f"url(#{self._define(color, 'gradient', element)})"

    def _stroke(self, op: StrokePath) -> str:
        ends = f' stroke-width="{decimal(op.seen_width(self._scale))}"'
        if op.cap:
            ends += f' stroke-linecap="{CAPS[op.cap]}"'
        if op.join:
            ends += f' stroke-linejoin="{JOINS[op.join]}"'
        elif op.miter != MITER:
            ends += f' stroke-miterlimit="{decimal(op.miter)}"'
        if op.dashes:
            ends += f' stroke-dasharray="{" ".join(map(decimal, op.dashes))}"'
            ends += f' stroke-dashoffset="{decimal(op.offset)}"' if op.offset else ""
        return f'<path d="{path_data(op.outline)}" fill="none" stroke="{op.color}"{ends}/>'

    def _text(self, op: DrawGlyphs) -> str:
        scale = op.size / self._glyphs.em(op.font)
        place = f"matrix({_fine(scale)} 0 0 {_fine(-scale)} {decimal(op.x)} {decimal(op.y)})"
        uses = []
        for glyph, x in self._glyphs.run(op.font, op.text, op.kerns):
            key = self._glyphs.file(op.font), glyph
            if key not in self._known:
                outline = self._glyphs.outline(op.font, glyph)
                self._define(key, "glyph", f'<path ID d="{outline}"/>')
            uses.append(f'<use href="#{self._known[key]}" x="{decimal(x)}"/>')
        return f'<g fill="{op.color}" transform="{place}">{"".join(uses)}</g>'

    def _image(self, op: DrawImage, opacity: float) -> str:
        image, box = self._images.of(op), op.box
        columns, rows = image.width_px, image.height_px
        across, down = box.width / columns, box.height / rows
        if not op.cover:
            across = down = min(across, down)
        x = box.x + (box.width - columns * across) / 2
        y = box.y + (box.height - rows * down) / 2
        if image.path not in self._known:
            kind = "png" if image.path.suffix == ".png" else "jpeg"
            data = base64.b64encode(image.path.read_bytes()).decode()
            size = f'width="{columns}" height="{rows}" preserveAspectRatio="none"'
            element = f'<image ID {size} href="data:image/{kind};base64,{data}"/>'
            self._define(image.path, "image", element)
        place = f"matrix({_fine(across)} 0 0 {_fine(down)} {decimal(x)} {decimal(y)})"
        seen = f' opacity="{_fine(opacity)}"' if opacity < 1 else ""
        return f'<use href="#{self._known[image.path]}" transform="{place}"{seen}/>'

    def _group(self, op: Group, opacity: float) -> Iterator[str]:
        """Yield a group. What its ops inherit is their opacity: its own times that around it."""
        attributes = ""
        if op.matrix is not None:
            attributes += f' transform="matrix({" ".join(map(_fine, op.matrix))})"'
        if op.clip is not None:
            data = path_data(op.clip)
            clip = self._define(
                ("clip", data), "clip", f'<clipPath ID><path d="{data}"/></clipPath>'
            )
            attributes += f' clip-path="url(#{clip})"'
        if op.alt:
            attributes += f' role="img" aria-label={quoted(op.alt)}'
        if op.opacity < 1:
            opacity *= op.opacity
            seen = _fine(opacity)
            attributes += f' fill-opacity="{seen}" stroke-opacity="{seen}"'
        around, self._scale = self._scale, round(self._scale * op.scale, 6)
        if self._counts[id(op.ops)] > 1:
            key = "ops", id(op.ops), opacity, self._scale
            if key not in self._known:
                inner = "\n".join(self.paint(op.ops, opacity))
                self._define(key, "group", f"<g ID>{inner}</g>")
            yield f'<use href="#{self._known[key]}"{attributes}/>'
        else:
            yield f"<g{attributes}>"
            yield from self.paint(op.ops, opacity)
            yield "</g>"
        self._scale = around


def path_data(outline: Outline) -> str:
    """Return an outline as path data."""
    return "".join(segment[0] + " ".join(map(decimal, segment[1:])) for segment in outline)


def _fine(value: float) -> str:
    """Return a number that others are multiplied with."""
    return decimal(value, 9)
