"""What Ghostscript and other readers make of PDFs for the press: the same plates as our own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageDraw

from conftest import edit
from deckwright.api import open_game
from deckwright.game.folder import GameFolder
from deckwright.outputs.pictures import PictureOptions, choose_faces
from deckwright.outputs.press.icc import BUNDLED, read_profile
from deckwright.outputs.press.inks import InkConverter
from deckwright.outputs.press.proofs import draw_side_plates
from print_shop import write_poker_game

FACE = """<face>
  <rect x="-3" y="-3" width="69.5" height="94.9" fill="#408060"/>
  <rect x="8" y="50" width="30" height="10" fill="#2030ff" ink="reflex"/>
  <rect x="20" y="20" width="30" height="12" fill="#e0a0b0"/>
  <text x="9" y="52" width="28" height="7" fill="#ffffff">over it</text>
  <text x="8" y="22" width="48" height="8" fill="#000000">black above</text>
  <text x="8" y="8" width="48" height="14" fill="#c9a227" ink="foil">{{ card.name }}</text>
  <image href="seal.png" x="40" y="66" width="14" height="14" ink="foil"/>
  <g opacity="0.5" ink="varnish"><rect x="8" y="30" width="20" height="12" fill="#123456"/></g>
  <rect width="63.5" height="88.9" rx="3" stroke="#ff00ff" stroke-width="0.5" ink="cut"/>
</face>
"""
PER_MM = 8
DPI = PER_MM * 25.4
BLEED = 3 * PER_MM
Plates = dict[str, Image.Image]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A card with a Pantone ink among its colors, and foil, varnish and a die above them."""
    folder = write_poker_game(tmp_path_factory.mktemp("plates") / "game")
    (folder / "img").mkdir()
    seal = Image.new("RGBA", (200, 200), (255, 255, 255, 0))
    ImageDraw.Draw(seal).ellipse((20, 20, 180, 180), fill=(200, 160, 40, 255))
    seal.save(folder / "img" / "seal.png")
    (folder / "templates" / "card.xml").write_text(FACE, encoding="utf-8")
    inks = '<inks><ink id="reflex" name="PANTONE 286 C" color="#0032a0"/></inks>'
    edit(folder / "xml" / "game.xml", '<kind tag="card"', f'{inks}<kind tag="card"')
    return folder


@pytest.fixture(scope="module")
def own(game: Path) -> Plates:
    """Its plates as proofs have them, by the names of the inks."""
    profile = read_profile(BUNDLED, [])
    chosen = choose_faces(GameFolder(game), PictureOptions(("A2",), plates=True), [])
    assert profile is not None
    assert chosen is not None
    spots, inks = chosen.factory.game.setup.inks, InkConverter(profile.data, 300)
    ((_, plates),) = draw_side_plates(chosen.faces, chosen.factory, inks, DPI)
    return {spots[ink].name if ink in spots else ink.title(): plates[ink] for ink in plates}


@pytest.fixture(scope="module", params=["x-4", "x-1a"])
def pdf(game: Path, request: pytest.FixtureRequest) -> Path:
    folder: Path = game / request.param
    deck, icc = open_game(game).deck("hill"), BUNDLED
    deck.export_service("press", folder, only=["A2"], tokens=False, pdfx=request.param, icc=icc)
    return folder / "press_hill.pdf"


def share_off(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that differ by more than an eighth of full ink."""
    histogram = ImageChops.difference(one, other).histogram()
    return sum(histogram[33:]) / sum(histogram)


def test_plates_have_what_each_ink_prints(own: Plates) -> None:
    """Foil is above all, also as an image; a Pantone ink leaves no other ink below it."""
    seal, box = (47 * PER_MM, 73 * PER_MM), (36 * PER_MM, 51 * PER_MM)
    varnished = (9 * PER_MM, 32 * PER_MM)
    assert [own[ink].getpixel(seal) for ink in ("Foil", "Varnish")] == [255, 0]
    assert own["PANTONE 286 C"].getpixel(box) == 255
    assert own["Cyan"].getpixel(box) == 0
    under = own["Cyan"].getpixel((1, 1))
    assert own["Cyan"].getpixel(seal) == under
    assert own["Varnish"].getpixel(varnished) == pytest.approx(128, abs=2)
    assert own["Cyan"].getpixel(varnished) == under


@pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript, gs, is not installed")
def test_ghostscript_separates_the_same_plates(pdf: Path, own: Plates, tmp_path: Path) -> None:
    device = ["-sDEVICE=tiffsep", f"-r{DPI * 4:g}", "-dDownScaleFactor=4", "-dLastPage=1"]
    # Large pages are drawn in bands otherwise, which loses plates.
    quiet = ["-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dMaxBitmap=500000000"]
    command = ["gs", *quiet, *device, f"-sOutputFile={tmp_path / 'plate'}", str(pdf)]
    subprocess.run(command, check=True, timeout=60)
    made = {path.name[len("plate(") : -len(").tif")] for path in tmp_path.glob("plate(*).tif")}
    assert made == set(own)
    for name, plate in own.items():
        with Image.open(tmp_path / f"plate({name}).tif") as opened:
            found = ImageChops.invert(opened.convert("L"))
        found = found.crop((BLEED, BLEED, BLEED + plate.width, BLEED + plate.height))
        assert share_off(found, plate) < 0.01, name


def test_other_readers_see_the_same_page(pdf: Path, tmp_path: Path) -> None:
    """pdfium and poppler turn inks into light in their own ways, so colors may differ a little."""
    with pypdfium2.PdfDocument(pdf) as document:
        seen = document[0].render(scale=100 / 72).to_pil().convert("RGB")
    ground = seen.getpixel((20, 200))
    assert all(abs(a - b) < 40 for a, b in zip(ground, (0x40, 0x80, 0x60), strict=True))
    if shutil.which("pdftoppm"):
        stem = tmp_path / "page"
        command = ["pdftoppm", "-r", "100", "-f", "1", "-l", "1", "-png", "-singlefile"]
        subprocess.run([*command, str(pdf), str(stem)], check=True, timeout=60)
        with Image.open(stem.with_suffix(".png")) as opened:
            other = opened.convert("RGB").resize(seen.size)
        off = [share_off(one, two) for one, two in zip(seen.split(), other.split(), strict=True)]
        assert max(off) < 0.05
