"""Render faces as pictures of any size.

Faces are painted as a PDF, one per page, and pdfium renders it, so that a picture shows exactly
what will be printed.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Literal, NamedTuple

import PIL
import pypdfium2
from PIL import Image, ImageDraw
from pypdfium2 import raw

from deckwright.base.units import MM_PER_UNIT, POINTS_PER_MM, Mm, resolve_date, to_pixels
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops.model import Face, Outline
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.metadata import Info
from deckwright.sheet.pages import Page, PlacedFace
from deckwright.text.fonts import Font

_BATCH_SIZE = 32
"""The number of faces per batch, so that memory does not grow with the game."""

_WHITE = 0xFFFFFFFF
_SUPERSAMPLING, _CURVE_PARTS = 4, 24
"""Subdivisions of pixels and of curves for smooth edges."""
_PIXEL_TOLERANCE = 1e-3
"""The rounding error, as a share of a pixel, that does not add a pixel."""

LIBRARY_VERSIONS = f"{pypdfium2.PYPDFIUM_INFO} {pypdfium2.PDFIUM_INFO} {PIL.__version__}"
"""The libraries that make pictures, with their versions."""


class Raster(NamedTuple):
    """The resolution of pictures.

    Attributes:
        dpi: pixels per inch.
        size: the exact width and height in pixels instead; a face of another shape is fitted into
            it, on white.
        bleed: the visible bleed around the trim box.
    """

    dpi: float = 300
    size: tuple[int, int] | None = None
    bleed: Mm = 0

    def pixels(self, face: Face) -> tuple[int, int]:
        """Return the width and height of a face's picture."""
        if self.size is not None:
            return self.size
        across, down = (
            max(1, math.ceil(to_pixels(side + 2 * self.bleed, self.dpi) - _PIXEL_TOLERANCE))
            for side in (face.width, face.height)
        )
        return across, down

    def dpi_of(self, face: Face) -> float:
        """Return the resolution of a face's picture in pixels per inch."""
        if self.size is None:
            return self.dpi
        width, height = face.width + 2 * self.bleed, face.height + 2 * self.bleed
        return min(self.size[0] / width, self.size[1] / height) * MM_PER_UNIT["in"]


def draw(
    faces: Iterable[Face], fonts: Mapping[str, Font], images: ImageStore, raster: Raster
) -> Iterator[Image.Image]:
    """Yield the pictures of faces."""
    rest, bleed = iter(faces), raster.bleed
    info = Info("pictures", "", "", "en", resolve_date(()))
    while some := list(islice(rest, _BATCH_SIZE)):
        pages = [
            Page(
                face.width + 2 * bleed,
                face.height + 2 * bleed,
                (PlacedFace(face, bleed, bleed, reach=(bleed, bleed)),),
            )
            for face in some
        ]
        stream = io.BytesIO()
        write_pdf(stream, pages, info, fonts, images, tagged=False)
        with pypdfium2.PdfDocument(stream.getvalue()) as document:
            for face, page in zip(some, document, strict=True):
                yield _draw_page(page, raster.pixels(face))


class PdfPages(NamedTuple):
    """The pages of a PDF file, rendered on demand.

    Attributes:
        sizes: their widths and heights in mm.
    """

    data: bytes
    sizes: tuple[tuple[Mm, Mm], ...]

    def png(self, number: int, dpi: float) -> bytes:
        """Return a page, counted from 0, as a PNG file."""
        return Encoding("png").encode(_draw_number(self.data, number, dpi), dpi)


def cut_out(
    data: bytes, number: int, shapes: Iterable[Outline], dpi: float
) -> tuple[bytes, tuple[Mm, Mm]]:
    """Return the parts of a page inside of shapes as a PNG file with a transparent ground.

    Pages count from 0. The picture is cropped to the shapes; its width and height are returned too.
    """
    picture = _draw_number(data, number, dpi)
    mask = Image.new("L", picture.size, 0)
    scale = dpi / MM_PER_UNIT["in"]
    for shape in shapes:
        # Each shape is filled at a higher resolution, so that its edge becomes smooth.
        points = [(x * scale, y * scale) for x, y, _ in outlines.flatten(shape, _CURVE_PARTS)]
        left, top = (math.floor(min(side)) for side in zip(*points, strict=True))
        right, bottom = (math.ceil(max(side)) for side in zip(*points, strict=True))
        fine = Image.new("L", ((right - left) * _SUPERSAMPLING, (bottom - top) * _SUPERSAMPLING), 0)
        moved = [
            ((x - left) * _SUPERSAMPLING - 0.5, (y - top) * _SUPERSAMPLING - 0.5) for x, y in points
        ]
        ImageDraw.Draw(fine).polygon(moved, fill=255)
        mask.paste(255, (left, top), fine.reduce(_SUPERSAMPLING))
    picture.putalpha(mask)
    part = picture.crop(mask.getbbox())
    width, height = (side * MM_PER_UNIT["in"] / dpi for side in part.size)
    return Encoding("png").encode(part, dpi), (width, height)


def open_pages(data: bytes) -> PdfPages:
    """Return the pages of a PDF file."""
    with pypdfium2.PdfDocument(data) as document:
        sizes = [document.get_page_size(number) for number in range(len(document))]
    return PdfPages(data, tuple((x / POINTS_PER_MM, y / POINTS_PER_MM) for x, y in sizes))


def _draw_number(data: bytes, number: int, dpi: float) -> Image.Image:
    """Return the picture of a page of a PDF, counted from 0."""
    with pypdfium2.PdfDocument(data) as document:
        page = document[number]
        face = Face(page.get_width() / POINTS_PER_MM, page.get_height() / POINTS_PER_MM, ())
        return _draw_page(page, Raster(dpi).pixels(face))


def _draw_page(page: pypdfium2.PdfPage, size: tuple[int, int]) -> Image.Image:
    """Return the picture of a page, centered on white if it has another shape."""
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


def _round_side(pixels: float, target: int) -> int:
    """Return a side in whole pixels, snapped to the target if it is within one pixel."""
    whole = max(1, round(pixels))
    return target if abs(whole - target) <= 1 else whole


class Encoding(NamedTuple):
    """A file format of pictures.

    Attributes:
        extension: the ending of its files.
        quality: the quality of lossy WebP and JPEG, 1 to 100.
        lossless: whether WebP is lossless.
    """

    extension: Literal["png", "webp", "jpg"]
    quality: int = 90
    lossless: bool = False

    def encode(self, picture: Image.Image, dpi: float) -> bytes:
        """Return an encoded picture; PNG and JPEG record the resolution."""
        stream = io.BytesIO()
        if self.extension == "png":
            picture.save(stream, "PNG", dpi=(dpi, dpi), compress_level=6)
        elif self.extension == "jpg":
            # No chroma subsampling: it would blur colored text.
            whole = round(dpi), round(dpi)
            picture.save(stream, "JPEG", quality=self.quality, subsampling=0, dpi=whole)
        else:
            picture.save(stream, "WEBP", quality=self.quality, lossless=self.lossless, method=4)
        return stream.getvalue()

    @property
    def longest_side(self) -> int:
        """The maximum side of a picture in pixels."""
        return 16_383 if self.extension == "webp" else 65_500
