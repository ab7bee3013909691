"""Crops: a card says which part of its picture is seen; templates say it for all."""

from __future__ import annotations

from pathlib import Path

import pytest
from one_image import BLUE, GREEN, RED, YELLOW, Bench, Color, codes, face, near
from PIL import Image

from conftest import Run
from deckwright.base.geometry import Crop, add_crop, split_crop
from deckwright.ops.model import DrawImage, FillPath
from support import ops_of


@pytest.fixture
def bench(tmp_path: Path, run: Run) -> Bench:
    return Bench(tmp_path / "game", run)


def bands() -> Image.Image:
    """Four bands, red, yellow, green and blue, three boxes high."""
    image = Image.new("RGB", (600, 1800))
    for number, color in enumerate((RED, YELLOW, GREEN, BLUE)):
        image.paste(color, (0, 450 * number, 600, 450 * number + 450))
    return image


SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 12">
<rect width="4" height="3" fill="red"/>
<rect y="3" width="4" height="3" fill="yellow"/><rect y="6" width="4" height="3" fill="lime"/>
<rect y="9" width="4" height="3" fill="blue"/></svg>"""


@pytest.mark.parametrize("kind", ["png", "jpg", "svg"])
@pytest.mark.parametrize(
    ("fields", "top", "bottom"),
    [
        ({}, YELLOW, GREEN),
        ({"image-focus": "0.5 0.1"}, RED, YELLOW),
        ({"image-focus": "0.5 1"}, GREEN, BLUE),
        ({"image-focus": "0.5 .375", "image-zoom": "2"}, YELLOW, YELLOW),
        ({"image-zoom": "2.5"}, YELLOW, GREEN),
    ],
)
def test_a_card_says_which_part_of_its_picture_is_seen(
    bench: Bench, kind: str, fields: dict[str, object], top: Color, bottom: Color
) -> None:
    if kind == "svg":
        bench.write(SVG.encode(), "picture.svg")
    else:
        bench.save(bands(), f"picture.{kind}")
    bench.fields = fields
    at = bench.look()
    assert (near(at(30, 12), top), near(at(30, 48), bottom)) == (True, True)
    assert near(at(30, 8), GREEN)  # the ground around the box
    assert near(at(30, 52), GREEN)


def test_what_the_card_says_comes_before_what_the_template_says(bench: Bench) -> None:
    bench.save(bands())
    low = face().replace('fit="cover"', 'focus="0.5 1" zoom="1"')
    assert near(bench.look(low)(30, 48), BLUE)
    bench.fields = {"image-focus": "0 0"}
    assert near(bench.look(low)(30, 12), RED)
    bench.fields = {"image-zoom": "3"}
    assert near(bench.look(low)(30, 12), BLUE)  # its zoom, the template's focus


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_focus_is_of_the_picture_as_it_is_seen(bench: Bench, orientation: int) -> None:
    turns = [
        None,
        Image.Transpose.FLIP_LEFT_RIGHT,
        Image.Transpose.ROTATE_180,
        Image.Transpose.FLIP_TOP_BOTTOM,
        Image.Transpose.TRANSPOSE,
        Image.Transpose.ROTATE_90,
        Image.Transpose.TRANSVERSE,
        Image.Transpose.ROTATE_270,
    ]
    upright = Image.new("RGB", (600, 600), RED)
    upright.paste(BLUE, (0, 0, 150, 150))
    turn = turns[orientation - 1]
    lying = upright if turn is None else upright.transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation
    bench.save(lying, "picture.jpg", exif=exif, quality=95)
    bench.fields = {"image-focus": "0.1 0.1", "image-zoom": "5"}
    at = bench.look()
    assert near(at(15, 15), BLUE)
    assert near(at(45, 45), BLUE)


def test_pixels_are_counted_in_the_part_that_is_seen(bench: Bench) -> None:
    bench.save(Image.new("RGB", (500, 500), RED))
    bench.fields = {"image-focus": "0.3 0.3"}
    assert codes(bench.print()[1]) == []
    bench.fields = {"image-zoom": "2"}
    said = bench.print()[1]
    assert codes(said) == ["I007"]
    assert "printed at 159 dpi" in said
    assert "at least 944 × 944 pixels" in said


def test_a_crop_that_cannot_be_is_told_with_its_place(bench: Bench) -> None:
    bench.save(bands())
    bench.fields = {"image-focus": "0.5 20%", "image-zoom": "0.5"}
    code, said = bench.print()
    assert code == 1
    assert "`image-focus` must be two numbers from 0 to 1, such as `0.5 0.2`" in said
    assert "`image-zoom` must be a number from 1 to 99, such as `1.3`" in said
    bench.fields = {}
    assert "`1 2` is not two numbers" in bench.print(face().replace("fit=", 'focus="1 2" fit='))[1]


def test_svg_and_pixels_show_the_same_part(bench: Bench, run: Run, tmp_path: Path) -> None:
    bench.save(bands())
    bench.fields = {"image-focus": "0.5 0"}
    bench.print()
    out = tmp_path / "out"
    for kind in ("png", "svg"):
        run("export", kind, "--game", str(bench.folder), "-o", str(out / kind), "--quiet")
    (png,) = (path for path in (out / "png").rglob("*.png") if "A1" in path.name)
    with Image.open(png) as image:
        scale = image.width / 65
        pixel = image.convert("RGB").getpixel((round(30 * scale), round(12 * scale)))
    assert pixel == RED


def test_the_name_of_a_picture_carries_its_crop() -> None:
    assert add_crop("a.png", None, None) == "a.png"
    assert add_crop("a.png", "0.5  0.2", None) == "a.png#focus=0.5,0.2"
    assert add_crop("a.png", "0 1", "1.5") == "a.png#focus=0,1&zoom=1.5"
    assert split_crop("a.png#focus=0,1&zoom=1.5") == ("a.png", Crop(0, 1, 1.5))
    assert split_crop("a.png#zoom=2", Crop(0.1, 0.2)) == ("a.png", Crop(0.1, 0.2, 2))
    assert split_crop("a#.png") == ("a#.png", Crop())
    assert split_crop("a.png#") == ("a.png#", Crop())


def scene() -> Image.Image:
    """A picture that fills its canvas."""
    return Image.linear_gradient("L").convert("RGB")


def figure(ground: str | tuple[int, int, int, int], mode: str = "RGB") -> Image.Image:
    """A red square on a ground."""
    image = Image.new(mode, (100, 100), ground)
    image.paste("red", (30, 30, 70, 70))
    return image


@pytest.mark.parametrize(
    ("picture", "crop", "color", "cover"),
    [
        (scene(), "", None, True),
        (figure("white"), "", "#ffffff", False),
        (figure((255, 0, 255, 0), "RGBA"), "", None, False),
        (figure("white"), "#focus=0.3,0.5", None, True),
    ],
    ids=["scene", "figure on white", "cut-out figure", "figure with a crop"],
)
def test_a_figure_on_a_plain_ground_is_shown_whole(
    tmp_path: Path, picture: Image.Image, crop: str, color: str | None, *, cover: bool
) -> None:
    (tmp_path / "img").mkdir()
    picture.save(tmp_path / "img/a.png")
    element = f'<image href="a.png{crop}" x="1" y="2" width="30" height="20"'
    *ground, drawn = ops_of(tmp_path, f'{element} fit="auto" padding="2 3"/>')
    assert [op.color for op in ground if isinstance(op, FillPath)] == ([color] if color else [])
    assert isinstance(drawn, DrawImage)
    assert drawn.cover is cover
    assert drawn.box == ((1, 2, 30, 20) if cover else (4, 4, 24, 16))


def test_a_changed_ground_is_seen(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    element = '<image href="a.png" width="30" height="20" fit="auto"/>'
    for ground in ("#ffffff", "#00ff00"):
        figure(ground).save(tmp_path / "img/a.png")
        first, _ = ops_of(tmp_path, element)
        assert isinstance(first, FillPath)
        assert first.color == ground
