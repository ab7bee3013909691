"""Drawings with what cannot be drawn are printed as pixels where that is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from one_image import GREEN, RED, Bench, codes, face, near

import deckwright
from conftest import Run
from deckwright.base.extras import install_command
from deckwright.base.geometry import Box
from deckwright.images.drawings import rasterize as made
from deckwright.images.drawings.model import DrawingError

MASKED = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<mask id="m"><rect width="20" height="40" fill="white"/></mask>
<rect width="40" height="40" fill="{color}" mask="url(#m)"/></svg>"""
BOX = Box(0, 0, 25.4, 25.4)


@pytest.fixture
def bench(tmp_path: Path, run: Run) -> Bench:
    return Bench(tmp_path / "game", run)


def picture(path: Path, content: str = MASKED.format(color="red"), **given: object) -> Path:
    path.write_text(content, encoding="utf-8")
    asked = {"cover": False, "palette": (), "fonts": (), **given}
    return made.rasterize(path, BOX, 1, **asked)  # type: ignore[arg-type]


def test_what_cannot_be_drawn_is_printed_as_pixels(bench: Bench) -> None:
    bench.write(MASKED.format(color="red").encode(), "picture.svg")
    template = face().replace('when="card.image"', "")
    code, said = bench.print(template)
    assert code == 1
    assert codes(said) == ["I010"]
    assert "`--rasterize`" in said
    bench.options = ["--rasterize"]
    at = bench.look(template)
    assert near(at(15, 30), RED)
    assert near(at(45, 30), GREEN)  # what is seen through it
    (embedded,) = bench.embedded()
    assert abs(embedded.width - 472) <= 1  # 40 mm at 300 dpi


def test_what_can_be_drawn_stays_as_it_is(bench: Bench) -> None:
    bench.write(MASKED.format(color="red").replace(' mask="url(#m)"', "").encode(), "picture.svg")
    bench.options = ["--rasterize"]
    assert near(bench.look()(45, 30), RED)
    assert bench.embedded() == []


def test_a_crop_is_of_the_pixels_too(bench: Bench) -> None:
    bench.write(MASKED.format(color="red").encode(), "picture.svg")
    bench.options = ["--rasterize"]
    bench.fields = {"image-focus": "0 0.5", "image-zoom": "2"}
    at = bench.look()
    assert near(at(15, 30), RED)
    assert near(at(47, 30), RED)
    assert bench.embedded()[0].width == 472


def test_a_check_takes_it_as_well(bench: Bench, run: Run) -> None:
    bench.write(MASKED.format(color="red").encode(), "picture.svg")
    bench.print()
    assert "I0" in run("check", "--game", str(bench.folder)).stderr
    assert "I0" not in run("check", "--game", str(bench.folder), "--rasterize").stderr
    assert "I0" in run("check", "--game", str(bench.folder)).stderr


def test_a_game_can_be_opened_for_it(bench: Bench) -> None:
    bench.write(MASKED.format(color="red").encode(), "picture.svg")
    bench.print()
    with pytest.raises(deckwright.GameError, match="I010"):
        deckwright.open_game(bench.folder).card("A1").face()
    draft = deckwright.open_game(bench.folder).card("A1").draft()
    assert draft is not None
    assert "<image" not in draft.svg()
    opened = deckwright.open_game(bench.folder, rasterize=True)
    assert "<image" in opened.card("A1").face().svg()
    assert not [found for found in opened.inspect().findings if found.code.id.startswith("I")]


def test_the_same_drawing_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = picture(tmp_path / "a.svg", MASKED.format(color="#123456"))
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", None)
        assert picture(tmp_path / "b.svg", MASKED.format(color="#123456")) == first
    first.write_bytes(b"damaged")
    assert picture(tmp_path / "a.svg", MASKED.format(color="#123456")).read_bytes() != b"damaged"


def test_colors_by_name_are_those_of_the_palette(tmp_path: Path) -> None:
    content = MASKED.format(color="var(--cloth, rgb(255, 0, 0))")
    usual = picture(tmp_path / "a.svg", content).read_bytes()
    assert usual == picture(tmp_path / "b.svg").read_bytes()
    blue = picture(tmp_path / "a.svg", content, palette=(("cloth", "blue"),)).read_bytes()
    assert blue == picture(tmp_path / "b.svg", MASKED.format(color="blue")).read_bytes()


@pytest.mark.parametrize(
    "link",
    ["a.png", "/etc/hostname", "file:///a.png", "http://127.0.0.1/a.png", " ../a.png",
     "data:image/svg+xml;base64,PHN2Zy8+", "data:text/xml,x"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["href", "xlink:href"])
def test_nothing_is_read_from_elsewhere(tmp_path: Path, link: str, name: str) -> None:
    image = f'<image {name}="{link}" width="9" height="9"/>'
    content = MASKED.format(color="red").replace("</svg>", f"\n{image}</svg>")
    content = content.replace("viewBox", 'xmlns:xlink="http://www.w3.org/1999/xlink" viewBox')
    with pytest.raises(DrawingError, match="links to another file") as caught:
        picture(tmp_path / "a.svg", content)
    assert caught.value.place.line == 4


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("import time; time.sleep(60)", "takes more than"),
        ("raise ValueError('no such thing')", "no such thing"),
        ("print('something else')", "too much time or memory"),
    ],
)
def test_a_child_that_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, says: str
) -> None:
    child = tmp_path / "child.py"
    child.write_text(program, encoding="utf-8")
    monkeypatch.setattr(made, "_CHILD", child)
    monkeypatch.setattr(made, "_TIMEOUT_SECONDS", 2)
    with pytest.raises(DrawingError, match=says):
        picture(tmp_path / "a.svg", MASKED.format(color="#abcdef"))


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no limits")
def test_a_child_has_limits(tmp_path: Path) -> None:
    huge = MASKED.format(color="red").replace(
        "<mask", '<filter id="f"><feGaussianBlur stdDeviation="9"/></filter><mask'
    )
    assert picture(tmp_path / "a.svg", huge).exists()
    child = Path(made.__file__).with_name("raster_child.py").read_text("utf-8")
    program = f"{child.partition('if __name__')[0]}\n_limit()\nb'x' * (2 << 30)"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, check=False)
    assert b"MemoryError" in done.stderr


def test_without_the_library_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made, "find_spec", lambda _: None)
    with pytest.raises(DrawingError, match="not installed") as caught:
        picture(tmp_path / "a.svg")
    assert caught.value.hint == install_command("rasterize")
