"""Faces as PNG, WebP and SVG files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import svgread
from conftest import ROOT, Run
from deckwright.faces.copies import NamedFace
from deckwright.game.model import Game
from deckwright.images.store import ImageStore
from deckwright.ops.model import (
    Face,
    FillPath,
)
from deckwright.ops.outlines import rectangle
from deckwright.outputs.pictures import file_names
from deckwright.paint.raster import Raster, draw
from rasters import different_share, fonts
from support import card, load_all, write_game


def test_png_files_have_the_names_of_cards_and_the_size_in_print(small: Path, run: Run) -> None:
    result = run("export", "png", "RW", "--dpi", "100")
    assert result.exit_code == 0, result.stderr
    pictures = sorted((small / "out" / "png").iterdir())
    assert "RW1.png" in [path.name for path in pictures]
    assert result.stdout == f"{len(pictures)} pictures in out/png\n"
    with Image.open(pictures[0]) as picture:
        assert picture.size == (256, 355)
        assert picture.info["dpi"] == pytest.approx((100, 100), abs=0.1)


def test_png_shows_what_proof_shows(small: Path, run: Run) -> None:
    assert run("proof", "RW1", "--dpi", "90", "--out", "proof").exit_code == 0
    assert run("export", "png", "RW1", "--dpi", "90", "--out", "png", "-q").stdout == ""
    with Image.open(small / "proof" / "RW1.png") as one, Image.open(small / "png/RW1.png") as other:
        assert one.tobytes() == other.tobytes()


@pytest.mark.corpus(3)
@pytest.mark.parametrize("kind", ["png", "webp", "svg"])
@pytest.mark.parametrize(("option", "names"), [
    ((), {"VM4"}), (("--backs",), {"back_VM_card"}), (("--both",), {"VM4", "back_VM_card"}),
])  # fmt: skip
def test_faces_backs_or_both(
    kind: str, option: tuple[str, ...], names: set[str], tmp_path: Path, run: Run
) -> None:
    game = str(ROOT / "examples" / "festival")
    result = run("export", kind, "VM4", "-g", game, "-o", str(tmp_path / "new"), *option)
    assert result.exit_code == 0
    assert {path.name for path in (tmp_path / "new").iterdir()} == {f"{n}.{kind}" for n in names}


def test_backs_and_both_exclude_each_other(small: Path, run: Run) -> None:
    result = run("export", "png", "--backs", "--both")
    assert result.exit_code == 2
    assert not (small / "out" / "png").exists()


def test_lossless_webp_keeps_every_pixel_and_lossy_is_small(small: Path, run: Run) -> None:
    run("export", "png", "RW1", "-o", "a")
    run("export", "webp", "RW1", "-o", "b", "--lossless")
    run("export", "webp", "RW1", "-o", "c", "--quality", "40")
    with Image.open("a/RW1.png") as png, Image.open("b/RW1.webp") as webp:
        assert webp.format == "WEBP"
        assert webp.convert("RGB").tobytes() == png.tobytes()
    with Image.open("a/RW1.png") as png, Image.open("c/RW1.webp") as webp:
        assert 0 < different_share(png, webp, off_by=2) < 0.5
        assert different_share(png, webp, off_by=100) < 0.001
    assert Path("c/RW1.webp").stat().st_size < Path("b/RW1.webp").stat().st_size
    assert small == Path.cwd()


@pytest.mark.parametrize("kind", ["png", "webp", "svg"])
def test_the_same_input_gives_the_same_bytes(kind: str, small: Path, run: Run) -> None:
    for name in ("a", "b"):
        assert run("export", kind, "RW1", "--out", name).exit_code == 0
    assert Path("a", f"RW1.{kind}").read_bytes() == Path("b", f"RW1.{kind}").read_bytes()
    assert small == Path.cwd()


def test_pictures_of_an_exact_size(small: Path, run: Run) -> None:
    run("export", "png", "RW1", "--size", "411x569", "-o", "exact")
    run("export", "png", "RW1", "--size", "600x569", "-o", "wide")
    with Image.open("exact/RW1.png") as exact, Image.open("wide/RW1.png") as wide:
        assert exact.size == (411, 569)
        assert wide.size == (600, 569)
        # It is as large as it can be, and nothing is bent: the rest is white.
        middle = wide.crop((94, 0, 94 + 411, 569))
        assert different_share(middle, exact, off_by=64) < 0.02
        assert wide.crop((0, 0, 93, 569)).getcolors() == [(93 * 569, (255, 255, 255))]
        assert wide.crop((507, 0, 600, 569)).getcolors() == [(93 * 569, (255, 255, 255))]
    assert small == Path.cwd()


@pytest.mark.parametrize("size", ["750", "750x", "0x10", "-1x5", "750x1050px", "1e3x10"])
def test_a_size_that_is_none(size: str, small: Path, run: Run) -> None:
    assert run("export", "png", "--size", size).exit_code == 2
    assert not (small / "out" / "png").exists()


@pytest.mark.parametrize("bleed", ["3parsec", "-1mm", "60mm", ""])
def test_a_bleed_that_is_none(bleed: str, small: Path, run: Run) -> None:
    assert run("export", "svg", "--bleed", bleed).exit_code == 2
    assert not (small / "out" / "svg").exists()


def test_bleed_adds_to_the_page_and_does_not_move_the_face(tmp_path: Path, run: Run) -> None:
    dot = '<circle cx="20" cy="30" r="9" fill="orange"/>'
    face = f'<face><rect width="65" height="90" fill="teal"/>{dot}</face>'
    game = str(write_game(tmp_path, [card("A1", "Ant")], face=face))
    for name, bleed in (("a", "0mm"), ("b", "5.08mm")):
        out = str(tmp_path / name)
        assert run("export", "png", "A1", "-g", game, "-o", out, "--bleed", bleed).exit_code == 0
        assert run("export", "svg", "A1", "-g", game, "-o", out, "--bleed", bleed).exit_code == 0
    with Image.open(tmp_path / "a/A1.png") as trim, Image.open(tmp_path / "b/A1.png") as wide:
        assert wide.width - trim.width == 120
        assert wide.height - trim.height == 120
        assert (
            different_share(wide.crop((60, 60, 60 + trim.width, 60 + trim.height)), trim, 64)
            < 0.005
        )
        assert wide.getpixel((2, 2)) == trim.getpixel((2, 2))
    root = svgread.parse_svg((tmp_path / "b" / "A1.svg").read_text("utf-8"))
    assert root.get("viewBox") == "-5.08 -5.08 75.16 100.16"


def test_a_card_that_does_not_exist(small: Path, run: Run) -> None:
    result = run("export", "png", "RW1", "Lantren")
    assert result.exit_code == 1
    assert "error R019: there is no card `Lantren`" in result.stderr
    assert not (small / "out" / "png").exists()


def test_a_game_with_an_error_is_not_drawn(tmp_path: Path, run: Run) -> None:
    face = '<face><image href="folder.png" width="9" height="9"/></face>'
    game = write_game(tmp_path, [card("A1", "Ant")], face=face)
    (game / "img" / "folder.png").mkdir(parents=True)
    result = run("export", "webp", "-g", str(game))
    assert result.exit_code == 3
    assert "I004" in result.stderr
    assert not (game / "out").exists()


def test_a_folder_that_cannot_be_written(small: Path, run: Run) -> None:
    (small / "file").write_text("")
    result = run("export", "svg", "RW1", "--out", "file/below")
    assert result.exit_code == 3
    assert "E002" in result.stderr


def test_cards_of_two_factions_with_one_id_do_not_overwrite_each_other(
    tmp_path: Path, run: Run
) -> None:
    cards = [card("X1", "Ant"), card("X1", "Bee", "BB"), card("x1", "Guest", "GG"),
             card("BB_X1", "Bumblebee", "BB")]  # fmt: skip
    game = write_game(tmp_path, cards)
    assert run("export", "svg", "-g", str(game), "-o", str(tmp_path / "svg")).exit_code == 0
    titles = {
        path.name: svgread.parse_svg(path.read_text("utf-8"))[0].text
        for path in (tmp_path / "svg").iterdir()
    }
    assert titles == {
        "AA_X1.svg": "Ant", "BB_X1_2.svg": "Bee", "GG_x1.svg": "Guest", "BB_X1.svg": "Bumblebee",
    }  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(["a", "A", "b", "g_a", "G_a_2"]),
                          st.sampled_from(["g", "G", "h"])), max_size=9))  # fmt: skip
def test_no_two_files_have_one_name(names: list[tuple[str, str]]) -> None:
    face, some_card = Face(1, 1, ()), next(iter(shipped().cards.values()))
    faces = [NamedFace(name, group, some_card, face) for name, group in names]
    result = file_names(faces)
    assert len({name.casefold() for name in result}) == len(names)
    lower = [name.casefold() for name, _ in names]
    for given_name, name in zip((name for name, _ in names), result, strict=True):
        assert (name == given_name) == (lower.count(given_name.casefold()) == 1)


@cache
def shipped() -> Game:
    return load_all(ROOT)


@given(width=st.floats(5, 300), height=st.floats(5, 300), dpi=st.floats(20, 120))
def test_pictures_are_as_large_as_the_face(width: float, height: float, dpi: float) -> None:
    pixels = Raster(dpi).pixels(Face(width, height, ()))
    for side, length in zip(pixels, (width, height), strict=True):
        assert length * dpi / 25.4 - 0.01 <= side <= length * dpi / 25.4 + 1


def test_faces_are_drawn_in_portions_without_a_difference() -> None:
    colors = [f"#{number:02x}{255 - number:02x}80" for number in range(70)]
    faces = [Face(5, 5, (FillPath(rectangle(0, 0, 5, 5), color),)) for color in colors]
    drawn = draw(faces, fonts(), ImageStore(), Raster(25.4))
    assert [picture.getpixel((2, 2)) for picture in drawn] == [
        tuple(bytes.fromhex(color[1:])) for color in colors
    ]


def test_drawing_is_lazy() -> None:
    taken: list[int] = []

    def faces() -> Iterator[Face]:
        for number in range(1000):
            taken.append(number)
            yield Face(5, 5, ())

    next(draw(faces(), fonts(), ImageStore(), Raster(25.4)))
    assert len(taken) < 100
