"""Drawings as pixels, drawn by us and by others. Nothing here is a test."""

from __future__ import annotations

import io
from pathlib import Path

import resvg_py
from PIL import Image, ImageChops, ImageFilter

from deckwright.images.drawings.cache import load_drawing
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face, Op
from deckwright.ops.moving import move_ops
from deckwright.paint.raster import Raster, draw
from deckwright.paint.svg import GlyphOutlines, SvgOptions, face_svg

HERE = Path(__file__).parent / "drawings"
SIDE = 96
"""Of a picture, in pixels: a drawing is as large as fits in it, and in its middle."""
_FINE = 4
"""PDFium moves edges to whole pixels, so it draws smaller ones."""
_EDGE = 3
_OFF = 60


def ops_of(path: Path) -> tuple[Op, ...]:
    """Return the ops of a drawing on a square of `SIDE` mm, as templates draw it."""
    drawing = load_drawing(path, path.stat().st_mtime_ns)
    scale = SIDE / max(drawing.width, drawing.height)
    left, top = (SIDE - drawing.width * scale) / 2, (SIDE - drawing.height * scale) / 2
    return tuple(move_ops(drawing.visible_ops, scale, left, top))


def in_print(path: Path) -> Image.Image:
    """Return a drawing as our PDF shows it."""
    face, raster = Face(SIDE, SIDE, ops_of(path)), Raster(size=(SIDE * _FINE, SIDE * _FINE))
    (picture,) = draw([face], {}, ImageStore(), raster)
    return picture.reduce(_FINE)


def as_svg(path: Path) -> Image.Image:
    """Return a drawing as our SVG shows it."""
    face = Face(SIDE, SIDE, ops_of(path))
    return _by_resvg(face_svg(face, GlyphOutlines({}), ImageStore(), SvgOptions("drawing")))


def by_resvg(path: Path) -> Image.Image:
    """Return a drawing as resvg draws it."""
    drawing = load_drawing(path, path.stat().st_mtime_ns)
    return _by_resvg(path.read_text(encoding="utf-8"), wide=drawing.width >= drawing.height)


def _by_resvg(text: str, *, wide: bool = True) -> Image.Image:
    width, height = (SIDE, None) if wide else (None, SIDE)
    data = resvg_py.svg_to_bytes(text, width=width, height=height, background="#ffffff", dpi=96.0)
    drawn = Image.open(io.BytesIO(data)).convert("RGB")
    picture = Image.new("RGB", (SIDE, SIDE), "#ffffff")
    picture.paste(drawn, ((SIDE - drawn.width) // 2, (SIDE - drawn.height) // 2))
    return picture


def by_chromium(path: Path) -> Image.Image:
    """Return a drawing as Chromium has drawn it: `drawings/chromium.py` keeps that."""
    return Image.open(HERE / "chromium" / f"{path.stem}.png").convert("RGB")


def wrong(one: Image.Image, other: Image.Image) -> int:
    """Return how many pixels are in one picture as they are nowhere near in the other.

    Edges may lie half a pixel off: a pixel is compared with the darkest and the lightest that
    are beside it in the other picture.
    """
    return max(_stray(one, other), _stray(other, one))


def _stray(one: Image.Image, other: Image.Image) -> int:
    above = ImageChops.subtract(one, other.filter(ImageFilter.MaxFilter(_EDGE)))
    below = ImageChops.subtract(other.filter(ImageFilter.MinFilter(_EDGE)), one)
    red, green, blue = ImageChops.add(above, below).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(most.histogram()[_OFF:])
