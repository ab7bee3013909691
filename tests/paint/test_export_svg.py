"""The second painter: SVG files that need no font, and show what is printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

import svgread
from conftest import ROOT
from deckwright.base.geometry import Box
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces
from deckwright.game.folder import GameFolder
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
from deckwright.ops.outlines import ellipse, rectangle, scale_and_move
from deckwright.ops.readable import extract_text
from deckwright.paint.raster import Raster, draw
from deckwright.paint.svg import GlyphOutlines, SvgOptions, face_svg
from deckwright.text.fonts import icon_font
from deckwright.text.shaping import HarfBuzzMetrics
from rasters import different_share, fonts
from support import load_all

pytestmark = pytest.mark.usefixtures("shipped_checked")

EXAMPLES = ["duel", "festival", "orbit", "starter", "warlords", "woodland"]
SQUARE = rectangle(1, 2, 10, 20)


def shown(face: Face, images: ImageStore) -> Image.Image:
    """Return a face at 100 dpi, reduced so that how edges are smoothed makes no difference."""
    return next(draw([face], fonts(), images, Raster(300))).reduce(3)


def redrawn(face: Face, images: ImageStore, folder: Path, look: SvgOptions) -> Image.Image:
    """Return what the SVG file of a face shows, painted by the painter of PDF."""
    text = face_svg(face, GlyphOutlines(fonts()), images, look)
    again, own_images = svgread.read(text, folder)
    return shown(again, own_images)


TITLED = SvgOptions("A <title> & more")


def svg_of(*ops: Op, look: SvgOptions = TITLED) -> svgread.Element:
    text = face_svg(Face(65, 90, ops), GlyphOutlines(fonts()), ImageStore(), look)
    return svgread.parse_svg(text)


def named(root: svgread.Element, tag: str) -> list[svgread.Element]:
    return list(root.iter(f"{svgread.SVG}{tag}"))


# --- SVG: an element for each op


def test_a_file_is_as_large_as_the_face_and_says_what_it_shows() -> None:
    run = DrawGlyphs("text-regular", 4, 5, 10, "Straße", (), "#123456")
    root = svg_of(run, run._replace(x=30, text="& <Weg>"), run._replace(y=20, text="2"))
    assert root.attrib["width"] == "65mm"
    assert root.attrib["height"] == "90mm"
    assert root.attrib["viewBox"] == "0 0 65 90"
    assert root.attrib["role"] == "img"
    labels = {element.get("id"): element.text for element in root.iter() if element.get("id")}
    title, text = str(root.get("aria-labelledby")).split()
    assert labels[title] == "A <title> & more"
    assert labels[text] == "Straße & <Weg>\n2"


def test_the_language_the_bleed_the_ground_and_the_ids_are_as_wished() -> None:
    look = SvgOptions("A", bleed=3, language="de", ground=None, ids="hk3-")
    root = svg_of(FillPath(SQUARE, "#123456"), look=look)
    assert root.attrib["width"] == "71mm"
    assert root.attrib["viewBox"] == "-3 -3 71 96"
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "de"
    assert named(root, "rect") == []
    assert all(e.get("id", "").startswith("hk3-") for e in root.iter() if e.get("id"))
    (ground,) = named(svg_of(look=SvgOptions("A", bleed=3)), "rect")
    assert [ground.get(name) for name in ("x", "y", "width", "height", "fill")] == [
        "-3", "-3", "71", "96", "#ffffff",
    ]  # fmt: skip


def test_fills_and_strokes() -> None:
    root = svg_of(
        FillPath(SQUARE, "#aa0000", even_odd=True),
        StrokePath(SQUARE, "#00bb00", 0.25, cap=1, join=2),
        StrokePath(SQUARE, "#0000cc", 0),
        StrokePath(SQUARE, "#0000cc", 1, dashes=(2, 0.5), offset=1),
    )
    filled, stroked, hair, dashed = named(root, "path")
    assert dashed.get("stroke-dasharray") == "2 0.5"
    assert dashed.get("stroke-dashoffset") == "1"
    assert filled.get("d") == "M1 2L11 2L11 22L1 22Z"
    assert (filled.get("fill"), filled.get("fill-rule")) == ("#aa0000", "evenodd")
    assert (stroked.get("fill"), stroked.get("stroke")) == ("none", "#00bb00")
    assert stroked.get("stroke-width") == "0.25"
    assert stroked.get("stroke-linecap") == "round"
    assert stroked.get("stroke-linejoin") == "bevel"
    assert hair.get("stroke-width") == "0.089"


def test_gradients_are_defined_once() -> None:
    line = Gradient((0, 0), (10, 5), ((0, "#ffffff"), (0.5, "#ff0000"), (1, "#000000")))
    ring = line._replace(radial=True)
    root = svg_of(FillPath(SQUARE, line), FillPath(SQUARE, ring), FillPath(SQUARE, line))
    (linear,), (radial,) = named(root, "linearGradient"), named(root, "radialGradient")
    assert [linear.get(name) for name in ("x1", "y1", "x2", "y2")] == ["0", "0", "10", "5"]
    assert [radial.get(name) for name in ("cx", "cy", "r")] == ["0", "0", "11.18"]
    assert [stop.get("offset") for stop in linear] == ["0", "0.5", "1"]
    assert [stop.get("stop-color") for stop in linear] == ["#ffffff", "#ff0000", "#000000"]
    fills = [path.get("fill") for path in named(root, "path")]
    assert fills == [f"url(#{element.get('id')})" for element in (linear, radial, linear)]


def test_letters_stand_where_print_has_them() -> None:
    text, kerns = "AV Ärger", (-40, 0, 0, 0, 0, 12, 0, 0)
    root = svg_of(DrawGlyphs("text-regular", 4, 5, 10, text, kerns, "#123456"))
    (run,) = (group for group in named(root, "g") if group.get("fill") == "#123456")
    scale, *_, x, y = map(float, run.get("transform", "")[7:-1].split())
    assert scale == pytest.approx(0.004)
    assert (x, y) == (5, 10)
    metrics = HarfBuzzMetrics(fonts())
    expected = [
        sum(metrics.shape("text-regular", char).width * 1000 for char in text[:index])
        + sum(kerns[:index])
        for index, char in enumerate(text)
        if char != " "
    ]
    assert [float(use.get("x", 0)) for use in run] == pytest.approx(expected)
    outlines = {use.get("href") for use in run}
    assert len(outlines) == len(set(text) - {" "})


def test_a_letter_is_defined_once_for_all_ids_of_a_font() -> None:
    run = DrawGlyphs("text-regular", 4, 5, 10, "aa", (), "#123456")
    root = svg_of(run, run._replace(y=20), run._replace(font="text-bold"))
    assert len(named(root, "defs")[0]) == 2
    assert len(named(root, "use")) == 6


def test_clips_groups_and_opacity() -> None:
    inner = Group((FillPath(SQUARE, "#aa0000"),), opacity=0.25)
    outer = Group((inner,), (0, 1, -1, 0, 3, 4), ellipse(5, 5, 2, 2), 0.5)
    root = svg_of(outer)
    group, within = (g for g in named(root, "g") if g.get("fill-opacity"))
    assert group.get("transform") == "matrix(0 1 -1 0 3 4)"
    assert group.get("clip-path") == f"url(#{named(root, 'clipPath')[0].get('id')})"
    assert (group.get("fill-opacity"), group.get("stroke-opacity")) == ("0.5", "0.5")
    assert (within.get("fill-opacity"), within.getparent()) == ("0.125", group)


def test_the_tiles_of_a_pattern_are_defined_once() -> None:
    ops = (FillPath(SQUARE, "#aa0000"), FillPath(ellipse(1, 1, 1, 1), "#bb0000"))
    tiles = tuple(Group(ops, (1, 0, 0, 1, x, 0)) for x in range(40))
    root = svg_of(*tiles)
    assert len(named(root, "path")) == 2
    assert len(named(root, "use")) == 40


def test_tiles_with_other_content_or_opacity_are_other_tiles(tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    Image.new("RGB", (30, 30), "#208040").save(photo)
    one, other = ((FillPath(SQUARE, color),) for color in ("#aa0000", "#0000bb"))
    image = (DrawImage(photo, Box(0, 30, 9, 9), cover=True),)
    tiles = [Group(ops, (1, 0, 0, 1, x, 0)) for ops in (one, other, image) for x in (0, 12)]
    pale = Group(tuple(tiles), (1, 0, 0, 1, 30, 40), opacity=0.4)
    face = Face(65, 90, (*tiles, pale))
    images = prepared(face)
    again = redrawn(face, images, tmp_path, SvgOptions(""))
    assert different_share(shown(face, images), again, off_by=16) < 0.01


def test_text_without_letters_is_not_read_aloud() -> None:
    run = DrawGlyphs("text-regular", 4, 5, 10, " \ue000 ", (), "#123456")
    assert extract_text([run, run._replace(y=11, text="a\ue000b")]) == "ab"


# --- SVG: the same picture as in print


def painted_ops(folder: Path) -> list[Op]:
    """Return ops of every kind, with all that may be asked of them."""
    photo = folder / "photo.png"
    image = Image.linear_gradient("L").convert("RGB")
    image.paste("#cc2200", (20, 40, 120, 90))
    image.save(photo)
    Image.new("RGBA", (50, 30), (0, 80, 200, 200)).save(folder / "glass.png")
    sky = Gradient((0, 0), (0, 40), ((0, "#3377cc"), (1, "#ffeecc")))
    sun = Gradient((50, 12), (58, 12), ((0, "#ffffff"), (0.6, "#ffcc00"), (1, "#3377cc")), True)  # noqa: FBT003
    run = DrawGlyphs("title-bold", 6, 4, 52, "Grüße, „Wälder“", (), "#222222")
    pale = Group((run._replace(x=40, y=50),), opacity=0.6)
    star = (("M", 10, 5), ("L", 16, 23), ("L", 1, 12), ("L", 19, 12), ("L", 4, 23), ("Z",))
    corner = (("M", 25, 60), ("L", 40, 60), ("L", 26, 64))
    inside = (FillPath(rectangle(0, 0, 12, 12), "#116633"), StrokePath(star, "#ffffff", 0.8))
    return [
        FillPath(rectangle(0, 0, 65, 40), sky),
        FillPath(ellipse(50, 12, 8, 8), sun),
        FillPath(star, "#771133", even_odd=True),
        FillPath(scale_and_move(star, 22, 0, 1), "#771133"),
        run,
        run._replace(y=58, kerns=(60, -30, 0, 90), text="AVAT", size=5, color="#aa0000"),
        StrokePath(corner, "#000000", 2, cap=1, join=1),
        Group((StrokePath(corner, "#004488", 2, cap=2, join=0),), (1, 0, 0, 1, 0, 7)),
        Group((StrokePath(corner, "#448800", 2, cap=0, join=2),), (1, 0, 0, 1, 0, 14)),
        StrokePath(corner, "#883300", 1, cap=1, dashes=(2.0, 1.5, 0.5), offset=1.2),
        Group((StrokePath(corner, "#883300", 1, dashes=(2.0, 1.0)),), (1, 0, 0.5, 1, 0, 0)),
        Group(inside, (0.866025404, 0.5, -0.5, 0.866025404, 12, 62), ellipse(6, 6, 6, 6)),
        Group((FillPath(rectangle(48, 42, 12, 12), "#aa00aa"), pale), opacity=0.7),
        DrawImage(photo, Box(45, 60, 15, 20), cover=True),
        DrawImage(photo, Box(2, 76, 20, 12), cover=False),
        Group((DrawImage(folder / "glass.png", Box(40, 55, 20, 30), cover=True),), opacity=0.5),
        Group((DrawImage(folder / "glass.png", Box(5, 30, 10, 10), cover=True),)),
    ]  # fmt: skip


def prepared(face: Face) -> ImageStore:
    images = ImageStore()
    images.prepare((op for op in walk(face.ops) if isinstance(op, DrawImage)), [])
    return images


def test_an_svg_shows_what_is_printed(tmp_path: Path) -> None:
    face = Face(65, 90, tuple(painted_ops(tmp_path)))
    images = prepared(face)
    again = redrawn(face, images, tmp_path, SvgOptions(""))
    assert different_share(shown(face, images), again, off_by=64) < 0.0005


def test_the_comparison_sees_every_op(tmp_path: Path) -> None:
    ops = painted_ops(tmp_path)
    whole = Face(65, 90, tuple(ops))
    images = prepared(whole)
    picture = shown(whole, images)
    for number in range(len(ops)):
        less = Face(65, 90, (*ops[:number], *ops[number + 1 :]))
        again = redrawn(less, images, tmp_path, SvgOptions(""))
        assert different_share(picture, again, off_by=64) > 0.0005, ops[number]


@pytest.mark.corpus(4)
@pytest.mark.parametrize("game", [".", *(f"examples/{name}" for name in EXAMPLES)])
def test_the_svg_of_every_card_shows_what_is_printed(game: str, tmp_path: Path) -> None:
    folder = GameFolder(ROOT / game)
    factory = FaceFactory(load_all(folder.path), folder, [])
    every = [*compose_faces(factory, []),
             *compose_faces(factory, [], backs=True)][::9]  # fmt: skip
    glyphs, images = GlyphOutlines(factory.fonts), ImageStore()
    drawn = draw((n.face for n in every), factory.fonts, images, Raster(300))
    for one, picture in zip(every, drawn, strict=True):
        text = face_svg(one.face, glyphs, images, SvgOptions(one.name))
        again, own = svgread.read(text, tmp_path)
        redone = next(draw([again], factory.fonts, own, Raster(300)))
        assert different_share(picture.reduce(3), redone.reduce(3), off_by=64) < 0.0005, one.name


def test_icons_of_any_plane_are_drawn() -> None:
    font = GlyphOutlines({"icons": icon_font()}).open("icons")
    ((glyph, *_),) = font.place_run(DrawGlyphs("icons", 1, 0, 0, "\U000f04e5", (), "#000000"))
    assert font.outline(glyph)


def test_a_character_that_the_font_lacks_is_drawn_as_in_print() -> None:
    run = DrawGlyphs("text-regular", 1, 0, 0, "\u4e00", (), "#000000")
    ((glyph, *_),) = GlyphOutlines(fonts()).open("text-regular").place_run(run)
    assert glyph == ".notdef"
