"""Soft shadows: steps that grow, hold no gaps, and fade out."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from deckwright.base.geometry import Box
from deckwright.base.units import POINTS_PER_MM, resolve_date
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops import outlines as outlines_module
from deckwright.ops.model import (
    DrawGlyphs,
    DrawImage,
    FillPath,
    Group,
    Op,
    Outline,
    StrokePath,
)
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.metadata import Info
from deckwright.sheet.pages import Page
from support import compose, ops_of

STAR = outlines.parse_svg_path("M20 4L24 16L36 16L26 23L30 36L20 28L10 36L14 23L4 16L16 16Z")
CRAB = outlines.parse_svg_path("M8 8H32V32H22V14H18V32H8Z")
ROUND = outlines.ellipse(20, 20, 12, 8)


def steps(*ops: Op, blur: float = 2, opacity: float = 0.5) -> tuple[FillPath, ...]:
    (group,) = outlines_module.cast_shadow(ops, blur, "#000000", opacity, (0, 0))
    assert isinstance(group, Group)
    assert all(isinstance(op, FillPath) for op in group.ops)
    return group.ops  # type: ignore[return-value]


def drawn(*ops: Op) -> Image.Image:
    """Return a picture of a square of 40 mm, 10 pixels a mm."""
    stream = io.BytesIO()
    info = Info("shadow", "", "", "en", resolve_date(()))
    write_pdf(stream, [Page(40, 40, ops=ops)], info, {}, ImageStore(), tagged=False)
    document = pypdfium2.PdfDocument(stream.getvalue())
    try:
        picture: Image.Image = document[0].render(scale=10 / POINTS_PER_MM).to_pil().convert("L")
        return picture
    finally:
        document.close()


@pytest.mark.parametrize("shape", [STAR, CRAB, ROUND, STAR[:-1], CRAB[::-1]], ids=str)
def test_a_step_is_the_shape_with_a_line_around_it(shape: Outline) -> None:
    """A line with round corners, twice as wide as the step is far away, covers the same."""
    if shape[0][0] == "Z":  # the other way round
        numbers = [segment[1:] for segment in shape[1:]]
        shape = outlines.polygon([(float(x), float(y)) for x, y in numbers])
    for step in steps(FillPath(shape, "#ff0000"), blur=3):
        box, own = outlines.bounds_of(step.outline), outlines.tight_bounds(shape)
        distance = own[0] - box[0]
        assert distance > 0
        by_line = StrokePath((*shape, ("Z",)), "#000000", 2 * distance, join=1)
        expected = drawn(FillPath(shape, "#000000"), by_line)
        found = drawn(step)
        stray = sum(
            abs(one - other) > 128
            for one, other in zip(found.tobytes(), expected.tobytes(), strict=True)
        )
        assert stray < 500, distance  # of 160,000: arcs are cut into straight parts


def test_a_shadow_fades_out_and_is_as_dark_as_it_should_be() -> None:
    picture = drawn(
        *outlines_module.cast_shadow([FillPath(CRAB, "#ff0000")], 4, "#000000", 0.6, (0, 0))
    )
    inside = picture.getpixel((120, 120))
    assert inside == pytest.approx(255 * 0.4, abs=3)
    row = [int(picture.getpixel((x, 200))) for x in range(30, 80, 5)]  # type: ignore[arg-type]
    assert row == sorted(row, reverse=True)
    assert row[0] == 255
    assert len(set(row)) > 5


def test_what_throws_a_shadow() -> None:
    letters = DrawGlyphs("text-regular", 4, 0, 4, "a", (), "#000000")
    line = StrokePath(STAR, "#000000", 1)
    flat = FillPath((("M", 0, 0), ("L", 9, 9), ("Z",)), "#000000")
    assert not list(outlines_module.cast_shadow([letters, line, flat], 1, "#000000", 0.5, (0, 0)))
    assert not list(
        outlines_module.cast_shadow([FillPath(STAR, "#000000")], 1, "#000000", 0, (0, 0))
    )
    image = DrawImage(Path("a.png"), Box(1, 2, 3, 4), cover=True)
    clipped = Group(
        (FillPath(STAR, "#000000"),), (2, 0, 0, 2, 1, 1), outlines.rectangle(0, 0, 3, 3)
    )
    (only,) = steps(image, clipped, blur=0)
    assert outlines.bounds_of(only.outline) == Box(1, 1, 6, 6)


def test_the_element_puts_its_shadow_below(tmp_path: Path) -> None:
    body = '<shadow dx="1" dy="2" blur="0" fill="navy" opacity="0.3"><rect width="4" height="4"'
    shade, rect = ops_of(tmp_path, f'{body} fill="red"/></shadow>')
    assert isinstance(shade, Group)
    assert shade.opacity == 0.3
    (step,) = shade.ops
    assert isinstance(step, FillPath)
    assert step.color == "#000080"
    assert outlines.bounds_of(step.outline) == Box(1, 2, 4, 4)
    assert isinstance(rect, FillPath)


def test_the_shapes_of_a_shadow_are_not_too_many(tmp_path: Path) -> None:
    circles = '<circle each="x in range(500)" cx="{{ x }}" r="3" fill="red"/>'
    _, report = compose(tmp_path, f"<shadow>{circles}</shadow>")
    assert "more than 10,000 points" in report[0].message
