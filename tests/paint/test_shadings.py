"""Gradients in PDF: one shading for all with the same colors, wherever they are."""

from __future__ import annotations

import io

import pypdfium2
import pytest

from deckwright.base.units import POINTS_PER_MM, resolve_date
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops.model import FillPath, Gradient
from deckwright.paint.pdf.content import shading
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.metadata import Info
from deckwright.sheet.pages import Page

Stops = tuple[tuple[float, str], ...]
RED, LIME, BLUE = "#ff0000", "#00ff00", "#0000ff"


def painted(*gradients: Gradient) -> bytes:
    """Return a PDF with a square of 40 mm for each gradient, side by side, each at 0 to 40."""
    stream = io.BytesIO()
    ops = tuple(
        FillPath(outlines.rectangle(40 * index, 0, 40, 40), gradient)
        for index, gradient in enumerate(gradients)
    )
    info = Info("gradients", "", "", "en", resolve_date(()))
    page = Page(40 * len(gradients), 40, ops=ops)
    write_pdf(stream, [page], info, {}, ImageStore(), tagged=False)
    return stream.getvalue()


def pixels(data: bytes, *xs: int) -> list[tuple[int, ...]]:
    document = pypdfium2.PdfDocument(data)
    try:
        page = document[0].render(scale=1 / POINTS_PER_MM).to_pil().convert("RGB")
        return [page.getpixel((x, 20)) for x in xs]
    finally:
        document.close()


def across(start: float, end: float, *stops: tuple[float, str]) -> Gradient:
    return Gradient((start, 20), (end, 20), stops)


def test_gradients_with_the_same_colors_share_a_shading() -> None:
    stops = (0, RED), (1, BLUE)
    three = painted(across(0, 40, *stops), across(50, 70, *stops), across(120, 80, *stops))
    assert three.count(b"/ShadingType") == 1
    first, last, second, reverse = pixels(three, 1, 38, 45, 118)
    assert first[0] > 240
    assert last[2] > 230
    assert second == (255, 0, 0)
    assert reverse[0] > 230
    assert painted(across(0, 9, *stops), across(0, 9, (0, RED), (1, LIME))).count(b"/ShadingT") == 2


@pytest.mark.parametrize(
    ("stops", "expected"),
    [
        (((0, RED), (1, RED)), (RED, RED, RED)),
        (((0.3, RED), (0.4, BLUE)), (RED, BLUE, BLUE)),
        (((0.5, RED), (0.5, BLUE)), (RED, BLUE, BLUE)),
        (((0, RED), (0, BLUE), (1, BLUE)), (RED, BLUE, BLUE)),
        (((0, RED), (1, RED), (1, BLUE)), (RED, RED, BLUE)),
        (((1, BLUE), (0, BLUE), (0, RED)), (BLUE, RED, BLUE)),
        (((0, RED),) * 60 + ((1, LIME),) * 60 + ((1, BLUE),), (RED, None, BLUE)),
    ],
)
def test_colors_begin_where_they_should(stops: Stops, expected: tuple[str | None, ...]) -> None:
    """Left of a gradient, a little right of its middle, and right of it."""
    found = pixels(painted(across(10, 30, *stops)), 4, 21, 36)
    for color, other in zip(found, expected, strict=True):
        if other is not None and not (other == RED and color == found[1]):
            assert color == pytest.approx(tuple(bytes.fromhex(other[1:])), abs=4)


def test_a_gradient_without_length_is_drawn() -> None:
    flat = Gradient((20, 20), (20, 20), ((0, RED), (1, BLUE)))
    both = pixels(painted(flat, flat._replace(radial=True)), 30, 70)
    assert [color[2] for color in both] == pytest.approx([255, 255], abs=4)


def test_inks_are_those_of_the_press() -> None:
    written = shading(True, ((0, "0 0 0 1"), (1, "0.5 0 0 0")))  # noqa: FBT003
    assert b"/DeviceCMYK" in written
    assert b"/C1[0.5 0 0 0]" in written
