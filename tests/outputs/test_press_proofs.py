"""Proofs of what a press does: plates, maps of inks, soft proofs, colors that it cannot print."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from conftest import Run
from deckwright.base.colors import rgb
from deckwright.base.geometry import Box
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawImage, Face, FillPath, Gradient, Group, StrokePath
from deckwright.ops.outlines import rectangle
from deckwright.outputs.press.icc import BUNDLED, load_named_profile
from deckwright.outputs.press.inks import InkConverter
from deckwright.outputs.press.plates import InkedImages
from deckwright.outputs.press.proofs import draw_ink_map, draw_plates
from deckwright.paint.raster import Raster
from deckwright.text.fonts import code_fonts
from icc import press_profile
from print_shop import hide_profiles, open_rgb, open_shop

FONTS = code_fonts()
DPI = 25.4
"""A pixel is a millimetre."""


def drawn(*ops: object, inks: tuple[str, ...] = (), folder: Path) -> dict[str, Image.Image]:
    face = Face(40, 40, ops)  # type: ignore[arg-type]
    store = ImageStore(folder)
    (found,) = draw_plates([face], inks, FONTS, store, folder, Raster(DPI))
    return found


def at(found: dict[str, Image.Image], x: int, y: int) -> tuple[int, ...]:
    """Return the inks of a pixel in percent."""
    return tuple(round(plate.getpixel((x, y)) / 2.55) for plate in found.values())  # type: ignore[operator]


def square(x: float, size: float, color: str) -> FillPath:
    return FillPath(rectangle(x, x, size, size), color)


def test_plates_have_the_inks_of_colors_and_what_lies_over_them_knocks_them_out(
    tmp_path: Path,
) -> None:
    below, above = square(0, 40, "1 0.2 0.4 0"), square(10, 20, "0 0 0 0.6")
    found = drawn(below, above, folder=tmp_path)
    assert [*found] == ["cyan", "magenta", "yellow", "black"]
    assert at(found, 5, 5) == (100, 20, 40, 0)
    assert at(found, 20, 20) == (0, 0, 0, 60)


def test_a_plate_has_every_share_of_an_ink(tmp_path: Path) -> None:
    levels = range(256)
    steps = [square(0, 40, "0 0 0 0")]
    for level in levels:
        across, down = level % 16 * 2.5, level // 16 * 2.5
        steps.append(FillPath(rectangle(across, down, 2.5, 2.5), f"{level / 255} 0 0 0"))
    cyan = drawn(*steps, folder=tmp_path)["cyan"]
    tile = cyan.width / 16
    middles = [
        cyan.getpixel((int((n % 16 + 0.5) * tile), int((n // 16 + 0.5) * tile))) for n in levels
    ]
    assert middles == [*levels]


def test_what_is_printed_over_the_ground_leaves_its_inks(tmp_path: Path) -> None:
    line = StrokePath(rectangle(10, 10, 20, 20), "0 0 0 1", 4)
    below = square(0, 40, "0.5 0.2 0 0")
    over = drawn(below, Group((line,), overprint=True), folder=tmp_path)
    gap = drawn(below, line, folder=tmp_path)
    assert (at(over, 10, 20), at(gap, 10, 20)) == ((50, 20, 0, 100), (0, 0, 0, 100))


def test_translucent_inks_mix_with_those_below(tmp_path: Path) -> None:
    veil = Group((square(10, 20, "0 0 0 0"),), opacity=0.5)
    found = drawn(square(0, 40, "1 0.2 0.4 0"), veil, folder=tmp_path)
    assert at(found, 20, 20) == pytest.approx((50, 10, 20, 0), abs=1)


def test_spot_inks_have_plates_and_only_some_leave_a_gap(tmp_path: Path) -> None:
    below, foil = square(0, 40, "0.5 0 0 0"), square(10, 20, "@foil 0.800")
    over = drawn(below, Group((foil,), overprint=True), inks=("foil",), folder=tmp_path)
    gap = drawn(below, foil, inks=("foil",), folder=tmp_path)
    assert (at(over, 20, 20), at(gap, 20, 20)) == ((50, 0, 0, 0, 80), (0, 0, 0, 0, 80))
    assert at(over, 2, 2) == (50, 0, 0, 0, 0)


def test_gradients_run_on_every_plate(tmp_path: Path) -> None:
    stops = ((0.0, "0 0 0 0"), (1.0, "1 0 0.5 0"))
    ramp = FillPath(rectangle(0, 0, 40, 40), Gradient((0, 0), (40, 0), stops))
    found = drawn(ramp, folder=tmp_path)
    assert at(found, 20, 20) == pytest.approx((51, 0, 26, 0), abs=2)


def test_a_map_tells_the_most_ink_and_how_much_is_above_the_limit(tmp_path: Path) -> None:
    ops = (square(0, 40, "0.5 0.5 0.5 0"), square(10, 20, "1 1 0.9 0.3"))
    heat = draw_ink_map(drawn(*ops, folder=tmp_path), 300, DPI * 6, FONTS["code-regular"].path)
    assert heat.max_ink == pytest.approx(320, abs=2)
    assert heat.share_above == pytest.approx(0.25, abs=0.03)
    pixels = [heat.picture.getpixel(place) for place in ((20, 20), (3, 3))]
    assert pixels[0] == (255, 196, 0)
    assert isinstance(pixels[1], tuple)
    assert pixels[1][2] > pixels[1][0], "less than the limit is blue"
    calm = draw_ink_map(drawn(*ops, folder=tmp_path), 320, DPI * 6, FONTS["code-regular"].path)
    assert calm.share_above == 0


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    hide_profiles(tmp_path, monkeypatch)
    return open_shop(tmp_path / "game", monkeypatch)


def test_proof_ink_draws_maps_and_says_where_too_much_is(game: Path, run: Run) -> None:
    result = run("proof", "A1", "--ink", "--icc", "press.icc", "--service", "dtc")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "1 face with more than 240 % of ink with the profile Press for tests" in result.output
    assert "card `A1`: " in result.output
    picture = open_rgb(game / "out" / "proof" / "ink" / "A1.png")
    assert (game / "out" / "proof" / "ink" / "contact_AA.png").is_file()
    # The bar of #102040 is too much, the ground of teal is not.
    bar, ground = (
        picture.getpixel((round(x * 150 / 25.4), round(43 * 150 / 25.4))) for x in (20, 55)
    )
    assert bar == (255, 196, 0)
    assert ground != bar
    calm = run("proof", "A1", "--ink", "--style", "none", "--icc", "fogra39")
    assert calm.exit_code == 2
    assert "at most" in run("proof", "A1", "--ink", "--icc", "fogra39").output


def test_proof_icc_shows_the_screen_and_the_print_beside_it(game: Path, run: Run) -> None:
    face = game / "templates" / "card.xml"
    bright = '<face><rect width="63.5" height="88.9" fill="#00e040"/></face>'
    face.write_text(bright, encoding="utf-8")
    result = run("proof", "A1", "A2", "--icc", "fogra39")
    assert result.exit_code == 0
    assert result.stderr.count("E081") == 1, "a color is told once"
    picture = open_rgb(game / "out" / "proof" / "press" / "A1.png")
    left, right = (picture.getpixel((x, 100)) for x in (50, picture.width - 50))
    assert left == (0, 0xE0, 0x40)
    printed = "#" + bytes(right).hex()  # type: ignore[arg-type]
    assert f"duller: #00e040 as {printed}" in result.stderr
    assert isinstance(right, tuple)
    assert right[0] > 40


def test_a_print_of_a_print_loses_nothing() -> None:
    inks = InkConverter(BUNDLED.read_bytes(), 300)
    for color in ("#204060", "#808080", "#b06040", "#ffffff"):
        dot = Image.new("RGB", (1, 1), rgb(color))
        assert inks.color_losses(dot)[0] < 5
        seen = inks.simulate(inks.convert_image(dot)).tobytes()
        assert tuple(seen) == pytest.approx(rgb(color), abs=14)
    assert inks.color_losses(Image.new("RGB", (1, 1), (0, 255, 0)))[0] > 30


@pytest.mark.usefixtures("game")
def test_a_service_that_takes_rgb_has_no_press_to_show(run: Run) -> None:
    result = run("proof", "A1", "--ink", "--service", "mpc")
    assert result.exit_code == 2
    assert "takes RGB, so its press is not known" in result.stderr


def test_a_profile_is_named_by_its_file_or_by_a_part_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "press.icc").write_bytes(press_profile())
    for given, name in ((tmp_path / "press.icc", "Press for tests"), (Path("FOGRA39"), "FOGRA39")):
        profile = load_named_profile(given, [])
        assert profile is not None
        assert name in profile.name
    report: list[object] = []
    assert load_named_profile(Path("nobody's press"), report) is None  # type: ignore[arg-type]
    assert len(report) == 1


def test_images_have_plates_of_their_own(tmp_path: Path) -> None:
    source = tmp_path / "red.png"
    Image.new("RGBA", (80, 80), (220, 20, 20, 255)).save(source)
    store, inks = ImageStore(tmp_path / "kept"), InkConverter(BUNDLED.read_bytes(), 300)
    image = DrawImage(source, Box(0, 0, 40, 40), cover=True)
    store.prepare([image], [])
    face = Face(40, 40, (image,))
    images = InkedImages(store, tmp_path, inks)
    (found,) = draw_plates([face], (), FONTS, images, tmp_path, Raster(DPI))
    wanted = tuple(round(ink / 2.55) for ink in inks.convert_color("#dc1414").cmyk)
    assert at(found, 20, 20) == pytest.approx(wanted, abs=1)
