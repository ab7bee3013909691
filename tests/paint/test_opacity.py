"""Groups in groups: their opacities are multiplied, as those of SVG are, whoever paints them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

import svgread
from deckwright.images.drawings.read import read_drawing
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face, FillPath, Group, Op, StrokePath
from deckwright.ops.outlines import rectangle
from deckwright.outputs.press.flatten import FlatImages, flatten_face
from deckwright.paint.raster import Raster, draw
from deckwright.paint.svg import GlyphOutlines, SvgOptions, face_svg
from rasters import fonts
from support import HalfEm

SQUARE = FillPath(rectangle(0, 0, 10, 10), "#000000")
STROKE = StrokePath((("M", 0, 5), ("L", 10, 5)), "#000000", 10)
SIDE_BY_SIDE = tuple(FillPath(rectangle(x, 0, 5, 10), "#ffffff") for x in (0, 5))
DRAWN = """<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">
  <clipPath id="c"><path d="M0 0H10V10H0Z"/></clipPath>
  <g opacity="0.5"><g clip-path="url(#c)"><path fill-opacity="0.5" d="M0 0H10V10H0Z"/></g></g>
</svg>"""


def drawn(face: Face, images: ImageStore) -> Image.Image:
    return next(draw([face], fonts(), images, Raster(100)))


def printed(face: Face, folder: Path) -> Image.Image:
    assert folder.is_dir()
    return drawn(face, ImageStore())


def in_svg(face: Face, folder: Path) -> Image.Image:
    again, images = svgread.read(
        face_svg(face, GlyphOutlines(fonts()), ImageStore(), SvgOptions("")), folder
    )
    return drawn(again, images)


def flat(face: Face, folder: Path) -> Image.Image:
    images = FlatImages(ImageStore(), folder)
    return drawn(flatten_face(face, HalfEm(), images, lambda part: drawn(part, images))[0], images)


def nested(op: Op, *opacities: float) -> Op:
    for opacity in opacities:
        op = Group((op,), opacity=opacity)
    return op


@pytest.mark.parametrize("show", [printed, in_svg, flat])
@pytest.mark.parametrize("ground", [(), SIDE_BY_SIDE], ids=["mixed", "pixels"])
@pytest.mark.parametrize(
    ("op", "seen"),
    [
        (nested(SQUARE, 0.5), 0.5),
        (nested(SQUARE, 0.5, 0.5), 0.25),
        (nested(SQUARE, 0.5, 1, 0.8), 0.4),
        (nested(STROKE, 0.8, 0.5), 0.4),
        (Group((nested(SQUARE, 0.5), SQUARE), opacity=0.6), 1 - 0.7 * 0.4),
    ],
)
def test_opacities_are_multiplied(
    show: Callable[[Face, Path], Image.Image],
    ground: tuple[Op, ...],
    op: Op,
    seen: float,
    tmp_path: Path,
) -> None:
    shade = show(Face(10, 10, (*ground, op)), tmp_path).getpixel((12, 20))
    assert shade == pytest.approx((255 * (1 - seen),) * 3, abs=2)


def test_those_of_drawings_are(tmp_path: Path) -> None:
    (tmp_path / "drawn.svg").write_text(DRAWN, encoding="utf-8")
    face = Face(10, 10, read_drawing(tmp_path / "drawn.svg").ops)
    assert [printed(face, tmp_path).getpixel(at) for at in ((5, 5), (30, 30))] == [
        pytest.approx((191, 191, 191), abs=2)
    ] * 2
