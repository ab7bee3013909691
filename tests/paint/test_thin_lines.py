"""No line is printed finer than a quarter of a point, however small it is drawn or placed."""

from __future__ import annotations

import datetime as dt
import io
import math
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pikepdf
import pytest

import svgread
from deckwright.base.geometry import determinant
from deckwright.base.units import POINTS_PER_MM
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face, Group, Op, StrokePath
from deckwright.ops.outlines import line
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.metadata import Info
from deckwright.paint.svg import GlyphOutlines, SvgOptions, page_svg
from deckwright.sheet.pages import Page, PlacedFace
from rasters import fonts

HAIR = StrokePath(line(0, 1, 10, 1), "#000000", 0.02)
BOLD = StrokePath(line(0, 3, 10, 3), "#000000", 0.5)
ZERO = StrokePath(line(0, 5, 10, 5), "#000000", 0)
SMALL = Group((HAIR, BOLD, Group((HAIR,), (0, -0.5, 0.5, 0, 0, 9))), (0.3, 0, 0, 0.3, 0, 6))
DATE = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
FACE = Face(10, 10, (HAIR, BOLD, ZERO, SMALL))
DRAWN = [0.02, 0.5, 0, 0.3 * 0.02, 0.3 * 0.5, 0.15 * 0.02]
"""How wide the lines of the face are drawn in mm where it is as large as it is."""


def page(*scales: float) -> Page:
    faces = (PlacedFace(FACE, 12 * at, 0, scale) for at, scale in enumerate(scales))
    return Page(100, 20, tuple(faces), (HAIR,))


def widths_in_pdf(drawn: Page) -> list[float]:
    """Return how wide the lines of a page are in points, those of forms where they are placed."""
    stream = io.BytesIO()
    write_pdf(stream, [drawn], Info("lines", "", "", "en", DATE), fonts(), ImageStore())
    found: list[float] = []

    def read(holder: pikepdf.Object, scale: float) -> None:
        around: list[float] = []
        for operands, operator in pikepdf.parse_content_stream(holder):
            name = str(operator)
            if name == "q":
                around.append(scale)
            elif name == "Q":
                scale = around.pop()
            elif name == "cm":
                a, b, c, d, e, f = map(float, operands)
                scale *= math.sqrt(abs(determinant((a, b, c, d, e, f))))
            elif name == "w":
                found.append(float(operands[0]) * scale)
            elif name == "Do":
                read(holder.Resources.XObject[str(operands[0])], scale)

    with pikepdf.open(stream) as pdf:
        read(pdf.pages[0].obj, 1)
    return found


def widths_in_svg(drawn: Page) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        text = page_svg(drawn, GlyphOutlines(fonts()), ImageStore(), SvgOptions("lines"))
        face, _ = svgread.read(text, Path(folder))

    def read(ops: Iterable[Op], scale: float) -> Iterator[float]:
        for op in ops:
            if isinstance(op, Group):
                yield from read(op.ops, scale * op.scale)
            elif isinstance(op, StrokePath):
                yield op.width * scale * POINTS_PER_MM

    return [*read(face.ops, 1)]


@pytest.mark.parametrize("widths", [widths_in_pdf, widths_in_svg])
@pytest.mark.parametrize("scales", [(1,), (1, 1), (0.2,), (0.2, 0.2), (1, 0.2, 1, 0.2), (3,)])
def test_no_line_is_finer_than_a_quarter_point(
    scales: tuple[float, ...], widths: Callable[[Page], list[float]]
) -> None:
    found = widths(page(*scales))
    assert len(found) == 6 * len(scales) + 1
    *found, beside = found
    assert beside == pytest.approx(0.25, rel=0.02)
    for at, scale in enumerate(scales):
        wanted = [max(0.25, width * scale * POINTS_PER_MM) for width in DRAWN]
        assert found[6 * at : 6 * at + 6] == pytest.approx(wanted, rel=0.03)
    assert min(found) >= 0.25
