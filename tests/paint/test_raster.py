"""Faces as pixels."""

from __future__ import annotations

import pytest

from deckwright.images.store import ImageStore
from deckwright.ops.model import Face, FillPath
from deckwright.ops.outlines import rectangle
from deckwright.paint.raster import Raster, draw
from rasters import fonts


@pytest.mark.parametrize(
    ("size", "box"),
    [
        ((300, 400), (0, 0, 300, 400)),
        ((300, 401), (0, 0, 300, 401)),
        ((301, 400), (0, 0, 301, 400)),
        ((300, 402), (0, 1, 300, 401)),
        ((302, 400), (1, 0, 301, 400)),
        ((300, 420), (0, 10, 300, 410)),
    ],
)
def test_a_face_fills_its_picture_also_where_a_pixel_is_missing(
    size: tuple[int, int], box: tuple[int, int, int, int]
) -> None:
    """One of another shape is in the middle of white."""
    face = Face(60, 80, (FillPath(rectangle(0, 0, 60, 80), "#000000"),))
    (picture,) = draw([face], fonts(), ImageStore(), Raster(300, size=size))
    black = picture.convert("L").point(lambda level: 255 if level < 128 else 0)
    assert picture.size == size
    assert black.getbbox() == box
