"""The picture of a face."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from deckwright.base.geometry import IDENTITY, Box
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, FillPath, Group, Op, walk
from deckwright.ops.outlines import bounds_of, ellipse, rectangle
from deckwright.ops.pictures import choose_grid, crop_to_picture, fill_place

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


SCENE = Group((GROUND, ART), clip=rectangle(0, 5, 60, 60))


def test_a_picture_ends_at_the_plate_of_a_name_and_has_no_badge() -> None:
    picture = picture_of(GROUND, ART, PLATE, NAME, BADGE, NUMBER, TEXT)
    assert picture is not None
    assert (picture.width, picture.height) == (60, 50)
    ops = [*walk(picture.ops)]
    assert ART in ops
    assert not {BADGE, NAME, NUMBER, GROUND} & {*ops}


def test_a_clipped_group_is_a_picture_as_a_whole() -> None:
    picture = picture_of(SCENE, BADGE, NUMBER, TEXT)
    assert picture is not None
    assert (picture.width, picture.height) == (60, 60)
    assert {GROUND, ART} <= {*walk(picture.ops)}
    # What covers its top or bottom takes it away; frames and narrow plates do not.
    head, foot = (FillPath(rectangle(0, y, 60, 12), "#203040") for y in (0, 58))
    frame = FillPath((*rectangle(0, 0, 60, 90), *rectangle(3, 3, 54, 84)), "#203040", even_odd=True)
    narrow = FillPath(rectangle(0, 20, 20, 20), "#203040")
    picture = picture_of(SCENE, head, foot, frame, narrow)
    assert picture is not None
    assert picture.height == 58 - 12


def test_a_group_with_a_text_is_no_picture_but_its_parts_are() -> None:
    picture = picture_of(Group((GROUND, ART, NAME), clip=rectangle(0, 0, 60, 90)))
    assert picture is not None
    assert picture.height == 50
    assert GROUND not in [*walk(picture.ops)]


def test_an_empty_or_small_part_is_no_picture() -> None:
    assert picture_of(GROUND, PLATE, NAME, BADGE, NUMBER, TEXT) is None
    assert picture_of(GROUND, Group((GROUND,), clip=rectangle(0, 0, 60, 50)), TEXT) is None
    assert picture_of(GROUND, ART._replace(box=Box(0, 0, 30, 30)), TEXT) is None
    assert picture_of(GROUND, ART, PLATE._replace(outline=rectangle(0, 10, 60, 80))) is None


@pytest.mark.parametrize(
    ("width", "height", "number", "grid"),
    [(60, 45, 6, (1, 1)), (190, 40, 6, (1, 4)), (60, 90, 6, (2, 1)), (190, 130, 1, (1, 1))],
)
def test_pictures_fill_a_place(
    width: float, height: float, number: int, grid: tuple[int, int]
) -> None:
    picture = Face(60, 45, (ART,))
    share, *found = choose_grid([picture] * number, width, height, 3)
    assert tuple(found) == grid
    assert 0.5 < share <= 1
    place = Box(10, 20, width, height)
    ops = fill_place([picture] * number, place, found, 3, 0)
    assert len(ops) == math.prod(grid)
    clips = [
        bounds_of(op.clip, op.inner_matrix(IDENTITY))
        for op in ops
        if isinstance(op, Group) and op.clip
    ]
    assert Box.around(clips) == pytest.approx(place)
