"""The picture of a face."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.geometry import Box
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, FillPath, Op, walk
from deckwright.ops.outlines import ellipse, rectangle
from deckwright.ops.pictures import crop_to_picture

GROUND = FillPath(rectangle(-3, -3, 66, 96), "#f6efe0")
ART = DrawImage(Path("moth.png"), Box(0, 0, 60, 50), cover=True)
PLATE = FillPath(rectangle(0, 50, 60, 10), "#203040")
NAME = DrawGlyphs("title", 5, 10, 57, "Emperor", (), "#ffffff")
BADGE = FillPath(ellipse(8, 8, 6, 6), "#203040")
NUMBER = DrawGlyphs("text", 5, 6.5, 10, "3", (), "#ffffff")
TEXT = DrawGlyphs("text", 4, 5, 75, "Two moths more", (), "#000000")


def picture_of(*ops: Op) -> Face | None:
    """Return the picture of a face of 60 × 90 mm."""
    return crop_to_picture(Face(60, 90, ops))


def test_a_picture_ends_at_the_plate_of_a_name_and_has_no_badge() -> None:
    picture = picture_of(GROUND, ART, PLATE, NAME, BADGE, NUMBER, TEXT)
    assert picture is not None
    assert picture.width == 60
    assert picture.height == pytest.approx(50, abs=1.5)
    ops = [*walk(picture.ops)]
    assert ART in ops
    assert not {BADGE, NAME, NUMBER} & {*ops}


def test_a_picture_keeps_away_from_texts_that_stand_on_it() -> None:
    title = NAME._replace(y=9, text="Emperor of lamps")
    picture = picture_of(GROUND, ART, PLATE, NAME, title, TEXT)
    assert picture is not None
    assert picture.height == pytest.approx(50 - 9, abs=3)


def test_an_empty_part_is_no_picture() -> None:
    assert picture_of(GROUND, PLATE, NAME, BADGE, NUMBER, TEXT) is None


def test_a_small_part_is_no_picture() -> None:
    lines = [TEXT._replace(y=y) for y in range(5, 90, 12)]
    assert picture_of(GROUND, ART, *lines) is None
