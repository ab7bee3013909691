"""Foil, varnish, white and other inks: separations, masks, and prints without them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageDraw

from conftest import Run, edit
from deckwright.game.setup import BUILTIN_INKS
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Group, walk
from deckwright.ops.outlines import rectangle
from deckwright.outputs.press.plates import in_own_colors, remove_inks, separate_inks
from print_shop import hide_profiles, open_rgb, write_poker_game

FACE = """<face>
  <rect x="-3" y="-3" width="69.5" height="94.9" fill="#408060"/>
  <rect x="8" y="50" width="30" height="10" fill="#2030ff" ink="reflex"/>
  <text x="9" y="52" width="28" height="7" fill="#ffffff">over it</text>
  <text x="8" y="8" width="48" height="14" fill="#c9a227" ink="foil">{{ card.name }}</text>
  <image href="seal.png" x="40" y="66" width="14" height="14" ink="foil"/>
  <g opacity="0.5" ink="varnish"><rect x="8" y="30" width="20" height="12" fill="#123456"/></g>
  <rect width="63.5" height="88.9" rx="3" stroke="#ff00ff" stroke-width="0.1" ink="cut"/>
</face>
"""
NAMES = {"/CutContour", "/Foil", "/PANTONE 286 C", "/Varnish"}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_poker_game(tmp_path_factory.mktemp("foil") / "game")
    (folder / "img").mkdir()
    seal = Image.new("RGBA", (200, 200), (255, 255, 255, 0))
    ImageDraw.Draw(seal).ellipse((20, 20, 180, 180), fill=(200, 160, 40, 255))
    seal.save(folder / "img" / "seal.png")
    (folder / "templates" / "card.xml").write_text(FACE, encoding="utf-8")
    inks = '<inks><ink id="reflex" name="PANTONE 286 C" color="#0032a0"/></inks>'
    edit(folder / "xml" / "game.xml", '<kind tag="card"', f'{inks}<kind tag="card"')
    return folder


@pytest.fixture(autouse=True)
def _in(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_profiles(tmp_path, monkeypatch)
    monkeypatch.chdir(game)


def spaces(pdf: pikepdf.Pdf) -> dict[str, Any]:
    """Return the separations of a PDF by their names, in all pages and forms."""
    forms = [o for o in pdf.objects if isinstance(o, pikepdf.Stream) and "/Resources" in o]
    found = {}
    for holder in (*pdf.pages, *forms):
        for space in (holder.Resources.get("/ColorSpace") or {}).values():
            found[str(space[1])] = space
    return found


def shown(pdf: pikepdf.Pdf) -> list[tuple[str, float, bool]]:
    """Return what is painted with separations: their names, how full, whether over all else."""
    forms = [o for o in pdf.objects if isinstance(o, pikepdf.Stream) and "/Resources" in o]
    found = []
    for holder in (*pdf.pages, *forms):
        names = holder.Resources.get("/ColorSpace") or {}
        states = holder.Resources.get("/ExtGState") or {}
        stack, over = list[bool](), False
        for operands, operator in pikepdf.parse_content_stream(holder):
            name = str(operator)
            if name == "q":
                stack.append(over)
            elif name == "Q":
                over = stack.pop()
            elif name == "gs":
                over = over or bool(states[str(operands[0])].get("/op", False))
            elif name in {"cs", "CS"}:
                space = str(names[str(operands[0])][1])
            elif name in {"scn", "SCN"}:
                found.append((space, float(operands[0]), over))
    return found


@pytest.mark.parametrize("part", ["x-4", "x-1a"])
def test_inks_are_separations_under_their_names(part: str, tmp_path: Path, run: Run) -> None:
    result = run("export", "press", "hill", "--no-tokens", "--pdfx", part, "-o", str(tmp_path))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "CutContour, Foil, PANTONE 286 C, Varnish, as separations" in result.output
    with pikepdf.open(tmp_path / "press_hill.pdf") as pdf:
        found = spaces(pdf)
        assert {name.replace("#20", " ") for name in found} == NAMES
        assert all(space[2] == "/DeviceCMYK" for space in found.values())
        painted = set(shown(pdf))
        assert ("/Foil", 1, True) in painted
        assert ("/Varnish", 0.5, True) in painted
        assert ("/CutContour", 1, True) in painted
        # What is no foil or finish takes its turn: nothing is below it.
        assert {over for name, _, over in painted if name.startswith("/PANTONE")} == {False}
        seals = [o for o in pdf.objects if isinstance(o, pikepdf.Stream) and "/Height" in o]
        (seal,) = (image for image in seals if "/Separation" in str(list(image.ColorSpace)[:1]))
        data, width = seal.read_bytes(), int(seal.Width)
    middle, corner = data[(width // 2) * width + width // 2], data[0]
    assert (middle, corner) == (255, 0)


def test_masks_lie_over_the_pages_of_the_cards(tmp_path: Path, run: Run) -> None:
    result = run("export", "press", "hill", "--no-tokens", "--inks", "pages", "-o", str(tmp_path))
    assert (result.exit_code, result.stderr) == (0, "")
    names = {path.name for path in tmp_path.iterdir()}
    apart = {f"press_hill_{ink}.pdf" for ink in ("foil", "varnish", "cut", "reflex")}
    assert names == {"press_hill.pdf", *apart}
    pages = {}
    for name in names:
        with pypdfium2.PdfDocument(tmp_path / name) as pdf:
            pages[name] = [page.render(scale=2).to_pil().convert("L") for page in pdf]
    assert {len(drawn) for drawn in pages.values()} == {6}
    foil = pages["press_hill_foil.pdf"]
    seal = tuple(round((3 + at) * 2 * 72 / 25.4) for at in (47, 73))
    assert [foil[0].getpixel(seal), foil[0].getpixel((100, 200))] == [pytest.approx(0, abs=40), 255]
    # A back has no foil, and keeps its page.
    assert foil[1].getextrema() == (255, 255)
    with pikepdf.open(tmp_path / "press_hill.pdf") as pdf:
        assert spaces(pdf) == {}


def test_pictures_come_with_masks_where_there_is_any_of_an_ink(tmp_path: Path, run: Run) -> None:
    result = run("export", "mpc", "hill", "--inks", "pages", "-o", str(tmp_path))
    assert result.exit_code == 0, result.stderr
    masks = sorted((tmp_path / "mpc_hill" / "varnish").rglob("*.png"))
    assert [path.relative_to(tmp_path).as_posix() for path in masks[:2]] == [
        "mpc_hill/varnish/fronts/A1.png",
        "mpc_hill/varnish/fronts/A2.png",
    ]
    assert not (tmp_path / "mpc_hill" / "varnish" / "backs").exists()
    with Image.open(masks[0]) as mask:
        assert mask.size == open_rgb(tmp_path / "mpc_hill" / "fronts" / "A1.png").size
        # Half of the varnish is half of the black.
        assert mask.getextrema() == (128, 255)


def test_elsewhere_foil_has_its_own_colors_and_the_rest_is_not_seen(
    tmp_path: Path, run: Run
) -> None:
    assert run("proof", "A1", "-o", str(tmp_path), "--dpi", "100").exit_code == 0
    face = open_rgb(tmp_path / "A1.png")

    def at(x: float, y: float) -> tuple[int, ...]:
        pixel = face.getpixel((round(x / 25.4 * 100), round(y / 25.4 * 100)))
        assert isinstance(pixel, tuple)
        return pixel

    assert at(20, 36) == (0x40, 0x80, 0x60)
    assert at(47, 73) == pytest.approx((200, 160, 40), abs=3)
    assert at(36, 51) == (0x20, 0x30, 0xFF)
    result = run("export", "dtc", "hill", "--no-tokens", "-o", str(tmp_path))
    assert "varnish" not in result.output
    with pikepdf.open(tmp_path / "dtc_hill.pdf") as pdf:
        assert spaces(pdf) == {}


def test_an_ink_that_nobody_has_is_told_of_with_the_nearest(game: Path, run: Run) -> None:
    face = game / "templates" / "card.xml"
    before = face.read_text(encoding="utf-8")
    try:
        face.write_text(before.replace('ink="foil"', 'ink="foill"', 1), encoding="utf-8")
        result = run("check")
    finally:
        face.write_text(before, encoding="utf-8")
    assert "card.xml:5" in result.stderr
    assert "the game has no ink `foill`" in result.stderr
    assert "did you mean `foil`" in result.stderr


def test_separations_are_not_for_pictures_nor_pdfx_for_rgb(run: Run) -> None:
    for options, message in (
        (["mpc", "hill", "--inks", "separations"], "pictures, which have no separations"),
        (["mpc", "hill", "--pdfx", "x-4"], "takes no PDF in CMYK"),
    ):
        result = run("export", *options)
        assert result.exit_code == 2
        assert message in result.stderr


def test_what_is_inked_within_groups_keeps_their_places_and_clips() -> None:
    plain, foil = (FillPath(rectangle(0, 0, n, n), "#112233") for n in (5, 6))
    clip, matrix = rectangle(0, 0, 3, 3), (1.0, 0.0, 0.0, 1.0, 7.0, 7.0)
    inner = Group((foil,), opacity=0.5, ink="foil")
    face = Face(60, 90, (Group((plain, inner), matrix, clip, 0.8, alt="both"), plain))
    below, above, last = (
        separate_inks(face, BUILTIN_INKS).ops[0],
        *separate_inks(face, BUILTIN_INKS).ops[:0:-1],
    )
    assert below == Group((plain,), matrix, clip, 0.8)
    assert last == plain
    assert isinstance(above, Group)
    assert (above.matrix, above.clip, above.opacity) == (matrix, clip, 1)
    (painted,) = (op for op in walk([above]) if isinstance(op, FillPath))
    assert painted.color == "@foil 0.400"
    assert [op for op in walk(remove_inks(face).ops) if op is foil] == []
    assert [op for op in walk(in_own_colors(face, BUILTIN_INKS).ops) if op is foil] == [foil]


def test_a_face_without_inks_is_the_very_same() -> None:
    face = Face(60, 90, (DrawGlyphs("text", 4, 1, 1, "a", (), "#000000"),))
    assert separate_inks(face, BUILTIN_INKS) is face
    assert in_own_colors(face, BUILTIN_INKS) is face
