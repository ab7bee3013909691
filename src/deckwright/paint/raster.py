"""Faces as pictures of any size.

The faces are painted as a PDF, one per page, which pdfium then draws: a picture shows what will
be printed, not what another painter would make of it.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple

import PIL
import pypdfium2
from PIL import Image, ImageDraw
from pypdfium2 import raw

from deckwright.base.units import MM_PER_UNIT, POINTS_PER_MM, Mm, resolve_date
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops.model import Face, Outline
from deckwright.paint.pdf.document import LIBRARY, write_pdf
from deckwright.paint.pdf.info import Info
from deckwright.sheet.pages import Page, PlacedFace
from deckwright.text.fonts import Font

_BATCH_SIZE = 32
"""How many faces are painted before they are drawn, so that memory does not grow with a game."""

_WHITE = 0xFFFFFFFF
_SUPERSAMPLING, _CURVE_PARTS = 4, 24
"""Into how many parts pixels and curves are cut for the edges of shapes."""
_PIXEL_TOLERANCE = 1e-3
"""A share of a pixel that is a rounding error, and no reason for one pixel more."""


LIBRARY_VERSIONS = f"{LIBRARY} {pypdfium2.PYPDFIUM_INFO} {pypdfium2.PDFIUM_INFO} {PIL.__version__}"
"""The libraries that pictures come from."""


class Raster(NamedTuple):
    """How fine faces are drawn.

    Attributes:
        dpi: pixels to the inch.
        size: the exact width and height in pixels instead. A face of another shape is drawn as
            large as fits, on white.
        bleed: how much is shown around the trim box, in mm.
    """

    dpi: float = 300
    size: tuple[int, int] | None = None
    bleed: Mm = 0

    def pixels(self, face: Face) -> tuple[int, int]:
        """Return how wide and high the picture of a face is."""
        if self.size is not None:
            return self.size
        width, height = face.width + 2 * self.bleed, face.height + 2 * self.bleed
        return _round_up(width * self.dpi / MM_PER_UNIT["in"]), _round_up(
            height * self.dpi / MM_PER_UNIT["in"]
        )

    def dpi_of(self, face: Face) -> float:
        """Return how many pixels to the inch the picture of a face has."""
        if self.size is None:
            return self.dpi
        width, height = face.width + 2 * self.bleed, face.height + 2 * self.bleed
        return min(self.size[0] / width, self.size[1] / height) * MM_PER_UNIT["in"]


def _round_up(pixels: float) -> int:
    return max(1, math.ceil(pixels - _PIXEL_TOLERANCE))


def draw(
    faces: Iterable[Face], fonts: Mapping[str, Font], images: ImageStore, raster: Raster
) -> Iterator[Image.Image]:
    """Yield the pictures of faces."""
    rest = iter(faces)
    while some := list(islice(rest, _BATCH_SIZE)):
        pdf = _paint_pages(some, fonts, images, raster.bleed)
        with pypdfium2.PdfDocument(pdf) as document:
            for face, page in zip(some, document, strict=True):
                yield _draw_page(page, raster.pixels(face))


def _paint_pages(
    faces: Sequence[Face], fonts: Mapping[str, Font], images: ImageStore, bleed: Mm
) -> bytes:
    """Return a PDF with a face on each page, and its bleed around it."""
    pages = [
        Page(
            face.width + 2 * bleed,
            face.height + 2 * bleed,
            (PlacedFace(face, bleed, bleed, reach=(bleed, bleed)),),
        )
        for face in faces
    ]
    stream = io.BytesIO()
    info = Info("pictures", "", "", "en", resolve_date(()))
    write_pdf(stream, pages, info, fonts, images, tagged=False)
    return stream.getvalue()


class PdfPages(NamedTuple):
    """The pages of a PDF file, to be drawn one by one.

    Attributes:
        sizes: their widths and heights in mm.
    """

    data: bytes
    sizes: tuple[tuple[Mm, Mm], ...]

    def png(self, number: int, dpi: float) -> bytes:
        """Return a page, from 0, as a PNG file."""
        face = Face(*self.sizes[number], ())
        with pypdfium2.PdfDocument(self.data) as document:
            picture = _draw_page(document[number], Raster(dpi).pixels(face))
        return Encoding("png").file(picture, dpi)


def cut_out(
    data: bytes, number: int, shapes: Iterable[Outline], dpi: float
) -> tuple[bytes, tuple[Mm, Mm]]:
    """Return what is within shapes of a page, from 0, as a PNG file with a transparent ground.

    With the width and height of the picture, whose edges are those of the shapes.
    """
    with pypdfium2.PdfDocument(data) as document:
        page = document[number]
        face = Face(page.get_width() / POINTS_PER_MM, page.get_height() / POINTS_PER_MM, ())
        picture = _draw_page(page, Raster(dpi).pixels(face))
    mask = Image.new("L", picture.size, 0)
    for shape in shapes:
        _fill(mask, shape, dpi)
    picture.putalpha(mask)
    part = picture.crop(mask.getbbox())
    width, height = (side * MM_PER_UNIT["in"] / dpi for side in part.size)
    return Encoding("png").file(part, dpi), (width, height)


def _fill(mask: Image.Image, shape: Outline, dpi: float) -> None:
    """Make what is within a shape white, its edge as smooth as pixels allow."""
    scale = dpi / MM_PER_UNIT["in"]
    points = [(x * scale, y * scale) for x, y, _ in outlines.flatten(shape, _CURVE_PARTS)]
    left, top = (math.floor(min(side)) for side in zip(*points, strict=True))
    right, bottom = (math.ceil(max(side)) for side in zip(*points, strict=True))
    fine = Image.new("L", ((right - left) * _SUPERSAMPLING, (bottom - top) * _SUPERSAMPLING), 0)
    moved = [
        ((x - left) * _SUPERSAMPLING - 0.5, (y - top) * _SUPERSAMPLING - 0.5) for x, y in points
    ]
    ImageDraw.Draw(fine).polygon(moved, fill=255)
    mask.paste(255, (left, top), fine.reduce(_SUPERSAMPLING))


def open_pages(data: bytes) -> PdfPages:
    """Return the pages of a PDF file."""
    with pypdfium2.PdfDocument(data) as document:
        sizes = [document.get_page_size(number) for number in range(len(document))]
    return PdfPages(
        data, tuple((width / POINTS_PER_MM, height / POINTS_PER_MM) for width, height in sizes)
    )


def _draw_page(page: pypdfium2.PdfPage, size: tuple[int, int]) -> Image.Image:
    """Return the picture of a page, in the middle of white if it has another shape."""
    width, height = size
    scale = min(width / page.get_width(), height / page.get_height())
    across = _round_side(page.get_width() * scale, width)
    down = _round_side(page.get_height() * scale, height)
    x, y = (width - across) // 2, (height - down) // 2
    bitmap = pypdfium2.PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGR)
    raw.FPDFBitmap_FillRect(bitmap.raw, 0, 0, width, height, _WHITE)
    raw.FPDF_RenderPageBitmap(bitmap.raw, page.raw, x, y, across, down, 0, raw.FPDF_ANNOT)
    picture: Image.Image = bitmap.to_pil().convert("RGB")
    bitmap.close()
    return picture


def _round_side(pixels: float, wanted: int) -> int:
    """Return a side in whole pixels: the one that is wanted, if it is off by no more than one."""
    whole = max(1, round(pixels))
    return wanted if abs(whole - wanted) <= 1 else whole


class Encoding(NamedTuple):
    """A file format of pictures.

    Attributes:
        ending: the ending of its files.
        quality: of lossy WebP and JPEG, 1 to 100.
        lossless: whether WebP keeps every pixel.
    """

    ending: Literal["png", "webp", "jpg"]
    quality: int = 90
    lossless: bool = False

    def file(self, picture: Image.Image, dpi: float) -> bytes:
        """Return the file of a picture; PNG and JPEG note how many pixels make an inch."""
        stream = io.BytesIO()
        if self.ending == "png":
            picture.save(stream, "PNG", dpi=(dpi, dpi), compress_level=6)
        elif self.ending == "jpg":
            # Full color resolution: colored text on white has no color to spare.
            whole = round(dpi), round(dpi)
            picture.save(stream, "JPEG", quality=self.quality, subsampling=0, dpi=whole)
        else:
            picture.save(stream, "WEBP", quality=self.quality, lossless=self.lossless, method=4)
        return stream.getvalue()

    @property
    def longest_side(self) -> int:
        """The most pixels that a side of a picture may have."""
        return 16_383 if self.ending == "webp" else 65_500
