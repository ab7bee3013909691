"""What is looked at before cards are printed by others: edges, the safe zone, images and inks."""

from __future__ import annotations

import io
import random
from functools import lru_cache
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

import made_fonts
from conftest import SMALL
from deckwright.base.findings import Diagnostic, Location
from deckwright.base.geometry import Box
from deckwright.base.units import POINTS_PER_MM
from deckwright.faces.copies import NamedFace
from deckwright.images.store import ImageStore
from deckwright.ops.model import (
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    StrokePath,
    walk,
)
from deckwright.ops.moving import widen_lines
from deckwright.ops.outlines import ellipse, polygon, rectangle
from deckwright.outputs.press.flatten import FlatImages, flat_ops, flatten_face
from deckwright.outputs.press.inks import FULL_INK, InkConverter, max_ink
from deckwright.outputs.press.plates import convert_to_inks, find_black, format_shares
from deckwright.outputs.services.preflight import (
    EdgeInspector,
    check_fineness,
    check_fonts,
    check_images,
    check_safe_zone,
)
from deckwright.outputs.services.press import fit_face
from deckwright.outputs.services.profile import CardSize, FileKind, Service
from deckwright.text.fonts import Font
from icc import press_profile
from support import HalfEm, load_all

SERVICE = Service("own", "Own Press", FileKind.PICTURES, bleed=3, safe=4)
WIDE, HIGH = 66, 86
"""The card of these tests is 60 × 80 mm; with its bleed it has 10 pixels to the millimetre."""


@lru_cache
def side(*, back: bool = False) -> NamedFace:
    card = next(iter(load_all(SMALL).cards.values()))
    face = Face(60, 80, (), subject="card `X`")
    return NamedFace("x", "S", card, face, card.kind.source if back else None)


def look(*boxes: tuple[float, float, float, float], ground: str = "#ffffff") -> list[Diagnostic]:
    """Return the findings about a card with dark boxes, in mm from the corner of the bleed."""
    picture = Image.new("RGB", (WIDE * 10, HIGH * 10), ground)
    pen = ImageDraw.Draw(picture)
    for left, top, right, bottom in boxes:
        pen.rectangle((left * 10, top * 10, right * 10 - 1, bottom * 10 - 1), "#203040")
    edges = EdgeInspector(SERVICE)
    edges.inspect(side(), picture, WIDE)
    return list(edges.findings())


def codes(findings: list[Diagnostic]) -> list[str]:
    return [finding.code.id for finding in findings]


def test_a_card_that_fills_its_bleed_or_is_white_has_no_finding() -> None:
    assert look() == []
    assert look((0, 0, WIDE, HIGH)) == []
    # A white card with something in its middle.
    assert look((10, 10, 40, 40)) == []


@pytest.mark.parametrize(
    ("box", "edge"),
    [
        ((3, 0, WIDE, HIGH), "left"),
        ((0, 3, WIDE, HIGH), "upper"),
        ((0, 0, WIDE - 3, HIGH), "right"),
        ((0, 0, WIDE, HIGH - 3), "lower"),
        ((1.5, 0, WIDE, HIGH), "left"),
    ],
)
def test_an_edge_that_is_white_in_the_bleed_is_told(
    box: tuple[float, float, float, float], edge: str
) -> None:
    (finding,) = look(box)
    assert finding.code.id == "E033"
    assert f" mm of the {edge} edge, where" in finding.message


def test_what_ends_short_of_the_cut_or_is_a_line_has_no_finding() -> None:
    assert look((4, 10, 40, 60)) == []
    assert look((3, 10, 40, 10.8)) == []


def test_what_ends_at_the_cut_on_a_ground_is_told_once_for_a_kind() -> None:
    edges = EdgeInspector(SERVICE)
    for number in range(3):
        picture = Image.new("RGB", (WIDE * 10, HIGH * 10), "#e0c080")
        ImageDraw.Draw(picture).rectangle((30, 100 + number, 629, 399), "#203040")
        edges.inspect(side(), picture, WIDE)
    (finding,) = edges.findings()
    assert finding.code.id == "E041"
    assert "along 30 mm of the left edge, 30 mm of the right edge" in finding.message
    assert finding.message.endswith("(and on 2 more of its kind)")
    # Drawn to the end of the bleed, it is as it should be.
    assert look((0, 10, WIDE, 40), ground="#e0c080") == []


def safe(*ops: Op) -> list[str]:
    face = Face(
        60, 80, (FillPath(rectangle(-3, -3, WIDE, HIGH), "#e0c080"), *ops), subject="card `X`"
    )
    return [f.message for f in check_safe_zone([side()._replace(face=face)], SERVICE, HalfEm())]


def glyphs(x: float, y: float, text: str = "abcd") -> DrawGlyphs:
    """Return a text of characters 1 mm wide; it reaches 1.5 mm above y and 0.5 mm below."""
    return DrawGlyphs("text-regular", 2, x, y, text, (), "#000000")


def test_a_text_must_be_in_the_safe_zone() -> None:
    assert safe(glyphs(4, 10), glyphs(52, 75), glyphs(10, 5.5)) == []
    for text in (glyphs(3.5, 10), glyphs(52.5, 10), glyphs(10, 5), glyphs(10, 76)):
        (message,) = safe(text)
        assert message.startswith(
            "card `X`: the text `abcd` is 3.5 mm from the cut, but Own Press requires 4"
        )
    assert "is 0 mm" in safe(glyphs(-2, 10))[0]
    assert safe(glyphs(1, 10, "   ")) == []


def test_a_text_is_looked_at_where_it_is_turned_to() -> None:
    turned = Group((glyphs(10, 10),), (0, 1, -1, 0, 12, 0))  # x becomes 12 - y, y becomes x
    assert "is 1.5 mm from the cut" in safe(turned)[0]
    moved = Group((glyphs(1, 10),), (1, 0, 0, 1, 10, 0))
    assert safe(moved) == []


def test_shapes_may_reach_the_cut_or_end_in_the_safe_zone() -> None:
    panel = FillPath(rectangle(5, 5, 50, 70), "#203040")
    through = FillPath(rectangle(-3, 20, 66, 10), "#203040")
    at_the_cut = FillPath(rectangle(0, 40, 60, 10), "#203040")
    assert safe(panel, through, at_the_cut) == []
    frame = StrokePath(rectangle(2, 2, 56, 76), "#203040", 1)
    near = FillPath(ellipse(57, 20, 1, 1), "#203040")
    (message,) = safe(near, frame)
    assert message.startswith("card `X`: a line ends 1.5 mm from the cut")
    # What is cut off by a clip is not printed.
    clipped = Group((FillPath(rectangle(1, 1, 58, 78), "#203040"),), clip=rectangle(5, 5, 50, 70))
    assert safe(clipped) == []


def test_a_pattern_is_judged_as_a_whole_and_not_by_its_tiles() -> None:
    def pattern(x: float, y: float, width: float, height: float) -> Group:
        tile = (FillPath(ellipse(2, 2, 1, 1), "#203040"),)
        tiles = tuple(
            Group(tile, (1, 0, 0, 1, x + 4 * column, y + 4 * row))
            for row in range(int(height / 4))
            for column in range(int(width / 4))
        )
        return Group(tiles, clip=rectangle(x, y, width, height))

    assert safe(pattern(-2, -2, 64, 84)) == []
    assert safe(pattern(4, 4, 52, 72)) == []
    (message,) = safe(pattern(2, 2, 56, 76))
    assert "a shape ends 2 mm from the cut" in message


def test_a_picture_that_runs_into_the_bleed_is_judged_as_a_whole_but_not_its_texts() -> None:
    tree = FillPath(rectangle(57, 10, 2, 10), "#203040")
    scene = Group((tree, Group((glyphs(1, 30),))), clip=rectangle(-3, -3, 66, 40))
    (message,) = safe(scene)
    assert "the text `abcd` is 1 mm from the cut" in message
    assert safe(scene._replace(ops=(tree,))) == []
    (message,) = safe(scene._replace(ops=(tree,), clip=rectangle(2, 2, 56, 40)))
    assert "a shape ends 2 mm from the cut" in message


def test_a_ground_that_lies_on_its_own_color_is_no_shape() -> None:
    assert safe(FillPath(rectangle(0.5, 0.5, 59, 79), "#e0c080")) == []


def test_in_a_scene_that_runs_into_the_bleed_anything_may_end_at_the_cut() -> None:
    picture = Image.new("RGB", (WIDE * 10, HIGH * 10), "#e0c080")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((30, 100, 629, 399), "#203040")

    def look_at(*clips: tuple[float, float, float, float]) -> list[str]:
        scenes = tuple(Group((), clip=rectangle(*clip)) for clip in clips)
        edges = EdgeInspector(SERVICE)
        edges.inspect(side()._replace(face=Face(60, 80, (Group(scenes),))), picture, WIDE)
        return [finding.message for finding in edges.findings()]

    assert look_at((-3, -3, 66, 50)) == []
    (message,) = look_at((-3, -3, 40, 50))
    assert "along 30 mm of the right edge" in message
    (message,) = look_at((-3, 20, 66, 50))
    assert "along 13 mm of the left edge, 13 mm of the right edge" in message
    (message,) = look_at((0, -3, 60, 50))
    assert "along 30 mm of the left edge, 30 mm of the right edge" in message


def test_what_is_near_the_cut_on_many_cards_is_told_once_with_their_number() -> None:
    frame = StrokePath(rectangle(2, 2, 56, 76), "#203040", 1)
    faces = [Face(60, 80, (frame,), subject=f"card `{number}`") for number in range(3)]
    sides = [side()._replace(face=face) for face in faces]
    for count, others in (
        (1, "4 mm"),
        (2, "on 1 more of its kind)"),
        (3, "on 2 more of its kind)"),
    ):
        (finding,) = check_safe_zone(sides[:count] * 2, SERVICE, HalfEm())
        assert finding.message.startswith("card `0`: ")
        assert finding.message.endswith(others)


def test_a_picture_that_lies_on_the_same_one_is_no_shape() -> None:
    """A card that was scaled has its ground twice: at its own size, and around it."""

    def look_at(name: str) -> list[Diagnostic]:
        ground = DrawImage(Path("a.png"), Box(-3, -3, WIDE, HIGH), cover=True)
        inner = DrawImage(Path(name), Box(2, 2, 56, 76), cover=True)
        face = Face(60, 80, (ground, inner), subject="card `X`")
        return list(check_safe_zone([side()._replace(face=face)], SERVICE, HalfEm()))

    assert look_at("a.png") == []
    (finding,) = look_at("b.png")
    assert "the image `b.png` ends 2 mm from the cut" in finding.message


@pytest.mark.parametrize("text", [(4, 5.5), (52, 5.5), (4, 75.5), (52, 75.5)])
def test_a_text_must_be_in_the_safe_zone_of_a_rounded_corner(text: tuple[float, float]) -> None:
    """It has 4 mm to both edges; to a quarter of a circle of 12 mm it has 12 − 8 · √2."""
    face = Face(60, 80, (glyphs(*text),), subject="card `X`")

    def look_at(radius: float) -> list[Diagnostic]:
        service = SERVICE._replace(radius=radius)
        return list(check_safe_zone([side()._replace(face=face)], service, HalfEm()))

    assert look_at(0) == look_at(4) == []
    (finding,) = look_at(12)
    assert "the text `abcd` is 0.69 mm from the cut" in finding.message


@pytest.mark.parametrize(
    ("rights", "said"),
    [
        (0x0000, []),
        (0x0004, []),
        (0x0008, []),
        (0x0002, ["may not be embedded, according"]),
        (0x0100, ["may only be embedded whole"]),
        (0x0208, ["may only be embedded as pixels"]),
    ],
)
def test_a_font_that_may_not_be_embedded_is_told_once(
    rights: int, said: list[str], tmp_path: Path
) -> None:
    with TTFont(io.BytesIO(made_fonts.font("Own", "abcd"))) as font:
        font["OS/2"].fsType = rights
        font.save(tmp_path / "own.ttf")
    fonts = {"text-regular": Font("text-regular", tmp_path / "own.ttf")}
    face = Face(60, 80, (glyphs(9, 10), glyphs(9, 20)), subject="card `X`")
    found = list(check_fonts([side()._replace(face=face)] * 2, fonts))
    assert len(found) == len(said)
    for words, finding in zip(said, found, strict=True):
        assert f"card `X`: the font `own.ttf` {words}" in finding.message


@pytest.mark.parametrize(
    ("pixels", "cover", "dpi"),
    [
        ((473, 709), True, 300),
        ((236, 709), True, 150),
        ((236, 709), False, 300),
        ((469, 704), True, 298),
        ((468, 702), True, 297),
        ((118, 177), True, 75),
    ],
)
def test_an_image_needs_the_pixels_of_the_service(
    pixels: tuple[int, int],
    cover: bool,  # noqa: FBT001
    dpi: int,
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.png"
    Image.new("RGB", pixels, "#808080").save(path)
    drawing = DrawImage(path, Box(10, 10, 40, 60), cover)
    images = ImageStore(tmp_path / "cache")
    images.prepare([drawing], [])
    face = Face(60, 80, (drawing,), subject="card `X`")
    found = [f.message for f in check_images(side()._replace(face=face), images, SERVICE)]
    wanted = [f"card `X`: the image `a.png` is printed at {dpi} dpi, but Own Press requires 300"]
    assert found == (wanted if dpi < 298 else [])


# Leaves and flattening


def cover(op: Op, box: Box) -> bool:
    (leaf,) = flat_ops([op], HalfEm())
    return leaf.covers(box)


def test_what_covers_a_box_is_known_for_sure() -> None:
    box = Box(10, 10, 4, 4)
    assert cover(FillPath(rectangle(8, 8, 10, 10), "#ff0000"), box)
    assert cover(FillPath(rectangle(8, 8, 10, 10, 1), "#ff0000"), box)
    assert cover(FillPath(ellipse(12, 12, 5, 5), "#ff0000"), box)
    assert not cover(FillPath(ellipse(12, 12, 2.5, 2.5), "#ff0000"), box)
    assert not cover(FillPath(rectangle(11, 8, 10, 10), "#ff0000"), box)
    dented = polygon([(0, 0), (30, 0), (30, 30), (12, 12), (0, 30)])
    assert not cover(FillPath(dented, "#ff0000"), box)
    two = (*rectangle(0, 0, 30, 30), *rectangle(5, 5, 20, 20))
    assert not cover(FillPath(two, "#ff0000"), box)
    shifted = Group((FillPath(rectangle(0, 0, 10, 10), "#ff0000"),), (1, 0, 0, 1, 8, 8))
    assert cover(shifted, box)
    clipped = Group((FillPath(rectangle(8, 8, 10, 10), "#ff0000"),), clip=rectangle(0, 0, 12, 30))
    assert not cover(clipped, box)


def test_a_face_without_transparency_stays_as_it_is(tmp_path: Path) -> None:
    face = Face(60, 80, (FillPath(rectangle(0, 0, 60, 80), "#ff0000"), glyphs(5, 5)))
    images = FlatImages(ImageStore(), tmp_path)
    assert flatten_face(face, HalfEm(), images, lambda _: Image.new("RGB", (1, 1)))[0] is face


def test_only_texts_under_a_veil_become_pixels(tmp_path: Path) -> None:
    under, beside, above = (
        glyphs(20, 20, "under"),
        glyphs(20, 60, "beside"),
        glyphs(22, 22, "above"),
    )
    lower = FillPath(rectangle(0, 0, 60, 22), "#203040")
    veil = Group((FillPath(rectangle(10, 10, 30, 30), "#ffffff"),), opacity=0.5)
    face = Face(60, 80, (lower, under, beside, veil, above))
    drawn: list[Face] = []

    def draw(part: Face) -> Image.Image:
        drawn.append(part)
        return Image.new("RGB", (600, 800), "#808080")

    flat, texts = flatten_face(face, HalfEm(), FlatImages(ImageStore(), tmp_path), draw)
    assert texts == ("under",)
    assert drawn[0].ops == (lower, under, Group((veil.ops[0],), opacity=0.5))
    below, text, image, *rest = flat.ops
    assert (below, text) == (lower, under)
    assert isinstance(image, DrawImage)
    assert image.box == pytest.approx(Box(10, 10, 30, 30))
    assert rest == [beside, above]


# Inks


@lru_cache
def inks(limit: int = 240) -> InkConverter:
    return InkConverter(press_profile(), limit)


COLORS = st.tuples(*[st.integers(0, 255)] * 3).map("#{0[0]:02x}{0[1]:02x}{0[2]:02x}".format)


@given(COLORS, st.sampled_from([100, 180, 240, 300, 400]))
def test_no_color_takes_more_ink_than_the_limit(color: str, limit: int) -> None:
    ink = inks(limit).convert_color(color)
    assert all(0 <= one <= FULL_INK for one in ink.cmyk)
    assert sum(ink.cmyk) <= limit * FULL_INK / 100
    assert sum(map(float, format_shares(ink.cmyk).split())) <= limit / 100
    if ink.unlimited <= limit:
        assert ink.shift == 0


def test_paper_stays_paper_and_the_limit_leaves_light_colors_alone() -> None:
    assert inks().convert_color("#ffffff").cmyk == (0, 0, 0, 0)
    assert inks().convert_color("#f0d080") == inks(400).convert_color("#f0d080")


def test_black_takes_the_place_of_other_inks() -> None:
    free, limited = inks(400).convert_color("#203040").cmyk, inks().convert_color("#203040").cmyk
    assert limited[3] > free[3]
    assert all(less < more for less, more in zip(limited[:3], free[:3], strict=True))
    assert sum(limited) > 2.3 * FULL_INK


def test_dark_and_gray_texts_are_printed_with_black_alone() -> None:
    for color in ("#000000", "#1c1a19", "#281810", "#606060", "#b0b0b0"):
        assert inks().convert_text(color)[:3] == (0, 0, 0), color
    blacks = [
        inks().convert_text(color)[3]
        for color in ("#000000", "#303030", "#606060", "#b0b0b0", "#ffffff")
    ]
    assert blacks == sorted(blacks, reverse=True)
    assert (blacks[0], blacks[-1]) == (FULL_INK, 0)
    for color in ("#a02020", "#fbf7ec", "#204060"):
        assert inks().convert_text(color) == inks().convert_color(color).cmyk


def test_small_text_is_black_if_its_color_is_hardly_one() -> None:
    for color in ("#4a4238", "#5d5347", "#6b5c49", "#39424e"):
        assert inks().convert_text(color, small=True)[:3] == (0, 0, 0), color
        assert 0 < inks().convert_text(color, small=True)[3] < FULL_INK
        assert any(inks().convert_text(color)[:3]), color
    for color in ("#6a1c1c", "#204060", "#b0a494"):
        assert inks().convert_text(color, small=True) == inks().convert_color(color).cmyk


def test_small_text_and_what_is_like_it_is_printed_with_black_alone() -> None:
    def printed(*ops: Op) -> list[str]:
        ground = FillPath(rectangle(-3, -3, WIDE, HIGH), "#f0e0c0")
        face = convert_to_inks(Face(60, 80, (ground, *ops)), inks(), HalfEm())
        return [
            "black" if op.color.startswith("0 0 0 ") else "four"
            for op in walk(face.ops[1:])
            if isinstance(op, DrawGlyphs | StrokePath | FillPath) and isinstance(op.color, str)
        ]

    gray, half = "#5d5347", (0.5, 0, 0, 0.5, 0, 0)
    assert printed(sized(8, gray), sized(10, gray)) == ["black", "four"]
    assert printed(Group((sized(16, gray), sized(20, gray)), half)) == ["black", "four"]
    line = StrokePath(rectangle(10, 10, 20, 20), gray, 0.4)
    assert printed(line, line._replace(width=0.6)) == ["black", "four"]
    assert printed(Group((line._replace(width=0.8),), half)) == ["black"]
    symbol = FillPath(ellipse(20, 20, 1, 1), gray)
    assert printed(symbol, FillPath(ellipse(20, 40, 5, 5), gray)) == ["black", "four"]
    assert printed(FillPath(ellipse(20, 20, 1, 1), "#b0a494")) == ["four"], "it is light"
    # A small part of a picture is as deep as what is around it.
    panel = FillPath(rectangle(10, 10, 30, 30), "#405060")
    assert printed(panel, symbol) == ["four", "four"]
    photo = DrawImage(Path("photo.jpg"), Box(0, 0, 60, 80), cover=True)
    assert printed(photo, symbol) == ["four"]
    code = FillPath(rectangle(10, 10, 20, 20), "#101010")
    assert printed(Group((code,), clip=rectangle(8, 8, 24, 24), module=1)) == ["black"]
    assert printed(code) == ["four"]


def test_small_black_shapes_overprint_as_letters_do() -> None:
    ground = FillPath(rectangle(-3, -3, WIDE, HIGH), "#f0e0c0")
    symbol, spot = (FillPath(ellipse(x, 20, 1, 1), "#000000") for x in (20, 50))
    dark = FillPath(rectangle(40, 10, 20, 20), "#706050")
    black = find_black(Face(60, 80, (ground, dark, symbol, spot)), inks(), HalfEm())
    assert black.over == black.shapes == {id(symbol)}


def test_an_image_is_limited_like_its_colors() -> None:
    noise = Image.frombytes("RGB", (64, 64), random.Random(7).randbytes(64 * 64 * 3))
    limited = inks().convert_image(noise.point(lambda channel: channel // 2))
    assert limited.mode == "CMYK"
    assert max_ink(inks().convert_unlimited(noise)) > 2.4 * FULL_INK
    assert 2.3 * FULL_INK < max_ink(limited) <= 2.4 * FULL_INK
    assert inks().keeps_limit(limited)
    assert max_ink(inks().convert_image(noise, headroom=10)) <= 2.3 * FULL_INK
    dot = Image.new("RGB", (2, 2), "#203040")
    assert inks().convert_image(dot).tobytes()[:4] == bytes(inks().convert_color("#203040").cmyk)


def test_most_ink_is_the_sum_in_one_pixel() -> None:
    image = Image.new("CMYK", (2, 1), (200, 10, 0, 0))
    image.putpixel((1, 0), (100, 100, 100, 255))
    assert max_ink(image) == 555
    buffer = io.BytesIO()
    image.save(buffer, "TIFF")
    assert max_ink(Image.open(buffer)) == 555


# How fine texts and lines are


def fine(*ops: Op, ground: str = "#203040") -> list[str]:
    service = SERVICE._replace(min_text=6, min_light_text=7, min_line=0.5)
    face = Face(60, 80, (FillPath(rectangle(-3, -3, WIDE, HIGH), ground), *ops), subject="card `X`")
    found = check_fineness([side()._replace(face=face)], service, HalfEm())
    return [f"{finding.code.id} {finding.message}" for finding in found]


def sized(points: float, color: str = "#000000", text: str = "abcd") -> DrawGlyphs:
    return DrawGlyphs("text-regular", points / POINTS_PER_MM, 20, 20, text, (), color)


def test_a_text_has_the_size_that_the_service_prints() -> None:
    assert fine(sized(6), ground="#ffffff") == []
    assert fine(sized(5.5, text=" "), ground="#ffffff") == []
    assert fine(sized(5.5), sized(5.5, text="efgh"), ground="#ffffff") == [
        "E044 card `X`: the text `abcd` has 5.5 pt, but Own Press requires at least 6 pt"
    ]
    scaled_down = Group((Group((sized(10),), (0.8, 0, 0, 0.8, 1, 1)),), (0, 0.7, -0.7, 0, 60, 0))
    assert fine(scaled_down) == [
        "E044 card `X`: the text `abcd` has 5.6 pt, but Own Press requires at least 6 pt"
    ]
    small = side()._replace(face=Face(60, 80, (sized(6), sized(5.5))))
    (finding,) = check_fineness([small], SERVICE, HalfEm())
    assert "has 5.5 pt, but Own Press requires at least 6 pt" in finding.message


def test_a_light_text_on_something_dark_must_be_larger() -> None:
    told = ["E046 card `X`: the light text `abcd` has 6.5 pt, but Own Press requires at least 7 pt"]
    panel = FillPath(rectangle(10, 10, 40, 40), "#fbf7ec")
    shade = Gradient((0, 0), (60, 0), ((0, "#ffffff"), (1, "#203040")))
    photo = DrawImage(Path("photo.jpg"), Box(0, 0, 60, 80), cover=True)
    aside = DrawImage(Path("photo.jpg"), Box(0, 40, 60, 40), cover=True)
    assert fine(sized(7, "#ffffff")) == []
    assert fine(sized(6.5, "#ffffff")) == told
    assert fine(sized(6.5, "#000000")) == []
    assert fine(panel, sized(6.5, "#203040")) == []
    assert fine(FillPath(rectangle(10, 10, 40, 40), shade), sized(6.5, "#ffffff")) == told
    assert fine(photo, sized(6.5, "#ffffff")) == told
    assert fine(photo, sized(6.5, "#000000")) == []
    assert fine(aside, sized(6.5, "#000000"), ground="#ffffff") == []


def test_a_line_has_the_width_that_the_service_prints() -> None:
    def line(points: float) -> StrokePath:
        return StrokePath(rectangle(10, 10, 20, 20), "#000000", points / POINTS_PER_MM)

    # The export widens lines; those twice as wide look different.
    assert fine(line(0.5), line(0.26)) == []
    told = ["E045 card `X`: a line has 0.18 pt, but Own Press requires at least 0.5 pt"]
    assert fine(line(0.18), line(0.18)) == told
    assert fine(Group((line(0.36),), (0.5, 0, 0, 0.5, 0, 0))) == told
    # A thin rectangle stays as thin as it is.
    rule = FillPath(rectangle(10, 10, 20, 0.4 / POINTS_PER_MM), "#000000")
    assert fine(rule) == [told[0].replace("0.18", "0.4")]
    assert fine(rule._replace(outline=ellipse(20, 20, 9, 0.1))) == []


def test_a_light_line_on_something_dark_must_be_wider() -> None:
    def line(points: float, color: str) -> StrokePath:
        return StrokePath(rectangle(10, 10, 20, 20), color, points / POINTS_PER_MM)

    def find(*ops: Op, ground: str) -> list[str]:
        face = Face(60, 80, (FillPath(rectangle(-3, -3, WIDE, HIGH), ground), *ops))
        found = check_fineness([side()._replace(face=face)], SERVICE, HalfEm())
        return [finding.message.split(": ")[-1] for finding in found]

    told = ["a light line has 0.4 pt, but Own Press requires at least 0.5 pt"]
    assert find(line(0.4, "#ffffff"), ground="#203040") == told
    assert find(line(0.5, "#ffffff"), ground="#203040") == []
    assert find(line(0.4, "#000000"), ground="#203040") == []
    assert find(line(0.4, "#ffffff"), ground="#f0e0c0") == []
    rule = FillPath(rectangle(10, 10, 20, 0.4 / POINTS_PER_MM), "#ffffff")
    assert find(rule, ground="#203040") == told


def test_a_finding_names_the_element_that_drew_the_text_however_the_card_was_fitted() -> None:
    drawn = Face(60, 80, (FillPath(rectangle(0, 0, 60, 80), "#e0c080"), sized(7), sized(3)))
    fitted = fit_face(drawn, CardSize("large", "", 66, 88), 3)
    assert len(fitted.ops) == 4, "bleed lies below"
    places = {id(op): Location(Path("card.xml"), line) for line, op in enumerate(drawn.ops, 1)}
    fitting = side()._replace(face=fitted, drawn=drawn)
    found = check_fineness([fitting], SERVICE, HalfEm(), lambda op: places.get(id(op)))
    assert [finding.message.rsplit(" ", 1)[-1] for finding in found] == ["(card.xml:3)"]


def test_what_runs_off_a_fitted_card_reaches_the_cut_in_its_mirrored_bleed() -> None:
    """Only the frame, which ends on the card, and the text are reported, each once."""
    sky = FillPath(rectangle(-3, -3, 66, 86), "#e0c080")
    ribbon = StrokePath(rectangle(10, -3, 10, 30), "#203040", 1)
    frame = StrokePath(rectangle(1, 1, 58, 78), "#203040", 1)
    drawn = Face(60, 80, (sky, ribbon, sized(3), frame), bleed=3)
    near = "a line ends 0.45 mm from the cut, but Own Press requires 4 mm"
    small = "the text `abcd` has 2.7 pt, but Own Press requires at least 6 pt"
    for ops, found in ((drawn.ops[:2], []), (drawn.ops, [near, small])):
        face = drawn._replace(ops=ops)
        fitted = fit_face(face, CardSize("narrow", "", 54, 80), 3)
        assert any(isinstance(op, Group) for op in fitted.ops)
        fitting = side()._replace(face=fitted, drawn=face)
        checks = (check_safe_zone, check_fineness)
        told = [each for check in checks for each in check([fitting], SERVICE, HalfEm())]
        assert [finding.message.split(": ")[-1] for finding in told] == found


def test_lines_are_as_wide_as_the_service_asks_for() -> None:
    def widths(least: float) -> list[float]:
        ops = (line(0.3), Group((line(0.3), line(4)), (0.25, 0, 0, 0.25, 0, 0)))
        return [
            round(op.width * POINTS_PER_MM, 2)
            for op in walk(widen_lines(Face(60, 80, ops), least / POINTS_PER_MM).ops)
            if isinstance(op, StrokePath)
        ]

    def line(points: float) -> StrokePath:
        return StrokePath(rectangle(10, 10, 20, 20), "#000000", points / POINTS_PER_MM)

    assert widths(0.5) == pytest.approx([0.5, 2, 4], abs=0.01)
    assert widths(0.25) == pytest.approx([0.3, 1, 4], abs=0.01)
