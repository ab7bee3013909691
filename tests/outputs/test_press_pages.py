"""Books, boxes, markers and tokens for the press: inks, bleed, dies, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops
from pypdf import PdfReader

from conftest import Run, edit
from deckwright.api import open_game
from deckwright.ops.bleed import add_mirrored_bleed
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Group
from deckwright.ops.outlines import rectangle
from deckwright.outputs.press.pdfx import find_broken_rules
from deckwright.paint.pdf.metadata import X1A, X4
from print_shop import hide_profiles, write_poker_game

MM = 72 / 25.4
RULEBOOK = """<rulebook title="Ants" paper="a5" page="page.xml">
  <chapter id="a" title="A hill"><p>Dark words on paper.</p></chapter>
</rulebook>
"""
PAGE = """<face>
  <rect width="{{ page.width }}" height="9" fill="linear-gradient(90deg, #d0a040, #407050)"/>
  <rect x="-1" y="100" width="6" height="20" fill="#704030"/>
</face>
"""
MARKERS = """<markers face="marker.xml" paper="a4" margin="8">
    <marker id="coin" name="Coin" size="14" shape="circle" color="#a04020" label="1" count="3"/>
  </markers>
"""
MARKER = """<face><rect width="14" height="14" fill="{{ marker.color }}"/></face>"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_poker_game(tmp_path_factory.mktemp("pages") / "game")
    (folder / "xml" / "rulebook.xml").write_text(RULEBOOK, encoding="utf-8")
    (folder / "templates" / "page.xml").write_text(PAGE, encoding="utf-8")
    (folder / "img").mkdir()
    (folder / "templates" / "marker.xml").write_text(MARKER, encoding="utf-8")
    edit(folder / "xml" / "game.xml", "</game>", f"{MARKERS}</game>")
    return folder


@pytest.fixture(autouse=True)
def _in(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_profiles(tmp_path, monkeypatch)
    monkeypatch.chdir(game)


@pytest.fixture(scope="module")
def made(game: Path) -> dict[str, Path]:
    """All that is printed for a press besides decks, by what it is."""
    out = {name: game / f"{name}.pdf" for name in ("rulebook", "overview", "markers", "tokens")}
    out["box"] = game / "box.pdf"
    opened, deck = open_game(game), open_game(game).deck("hill")
    opened.print_rulebook(out["rulebook"], press={"service": "press", "state_pdfx": True})
    opened.print_overview(out["overview"], factions=["AA"], press={"service": "press"})
    opened.print_markers(out["markers"], press={"service": "press"})
    opened.print_tokens("hill", out["tokens"], press={"service": "press"})
    deck.print_box(out["box"], cards=30, press={"service": "press", "pdfx": "x-1a"})
    return out


def boxes(path: Path) -> list[tuple[list[float], list[float]]]:
    """Return the trim and the media box of each page, in mm."""

    def in_mm(box: Sequence[Any]) -> list[float]:
        return [round(float(number) / MM, 1) for number in box]

    return [(in_mm(page.trimbox), in_mm(page.mediabox)) for page in PdfReader(path).pages]


def strokes(path: Path) -> dict[str, int]:
    """Return how many lines there are in each separation."""
    found: dict[str, int] = {}
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            names = page.Resources.get("/ColorSpace") or {}
            space = ""
            for operands, operator in pikepdf.parse_content_stream(page):
                if str(operator) == "CS":
                    space = str(names[str(operands[0])][1])
                elif str(operator) in {"S", "s"} and space:
                    found[space] = found.get(space, 0) + 1
    return found


@pytest.mark.parametrize("name", ["rulebook", "overview", "markers", "tokens", "box"])
def test_all_of_it_keeps_the_rules_of_pdfx(name: str, made: dict[str, Path]) -> None:
    data = made[name].read_bytes()
    with pikepdf.open(made[name]) as pdf:
        assert pdf.check_pdf_syntax() == []
    assert list(find_broken_rules(data, X1A if name == "box" else X4)) == []
    assert (b"GTS_PDFXVersion>PDF/X-4<" in data) == (name == "rulebook")


def test_pages_of_a_book_have_bleed_and_the_same_words(
    made: dict[str, Path], tmp_path: Path
) -> None:
    open_game(".").print_rulebook(tmp_path / "home.pdf")
    for_people = [page.extract_text().split() for page in PdfReader(tmp_path / "home.pdf").pages]
    assert [page.extract_text().split() for page in PdfReader(made["rulebook"]).pages] == for_people
    sheets = boxes(made["rulebook"])
    assert sheets == [([3, 3, 151, 213], [0, 0, 154, 216])] * len(for_people)


def test_what_reaches_the_edge_goes_on_in_the_bleed(made: dict[str, Path]) -> None:
    """A gradient goes on as in a mirror; what is drawn beyond the edge comes on top of that."""
    with pypdfium2.PdfDocument(made["rulebook"]) as pdf:
        drawn = pdf[len(pdf) - 1].render(scale=4 / MM).to_pil().convert("RGB")

    def at(x: float, y: float) -> tuple[int, ...]:
        pixel = drawn.getpixel((round((x + 3) * 4), round((y + 3) * 4)))
        assert isinstance(pixel, tuple)
        return pixel

    for beyond, within in (((30, -2), (30, 2)), ((-2, 5), (2, 5)), ((150, -2), (146, 2))):
        assert at(*beyond) == pytest.approx(at(*within), abs=3)
        assert max(at(*within)) < 240
    assert at(-0.5, 110) == pytest.approx(at(2, 110), abs=3)
    assert at(75, 212) == (255, 255, 255)


def test_only_what_reaches_an_edge_is_mirrored_and_never_letters() -> None:
    inner = FillPath(rectangle(1, 40, 5, 5), "#112233")
    band = FillPath(rectangle(0, 10, 5, 5), "#332211")
    text = DrawGlyphs("text", 4, 0, 12, "edge", (), "#000000")
    plain = Face(60, 90, (inner, text))
    assert add_mirrored_bleed(plain, 3).ops == plain.ops
    made = add_mirrored_bleed(Face(60, 90, (inner, Group((band, text)))), 3)
    lap = 0.1
    matrix = (-1, 0, 0, 1, 2 * lap, 0)
    mirrored = Group((inner, Group((band,))), matrix, rectangle(lap, 0, 3 + lap, 90))
    assert made.ops == (mirrored, inner, Group((band, text)))


def test_a_drawn_bleed_is_mirrored_at_its_own_edge() -> None:
    sky = FillPath(rectangle(-2, -2, 64, 94), "#112233")
    sun = FillPath(rectangle(20, -2, 5, 9), "#ffdd33")
    made = add_mirrored_bleed(Face(60, 90, (sky, sun), bleed=2), 6)
    assert made.ops[-2:] == (sky, sun)
    assert made.bleed == 6
    above = next(op for op in made.ops if isinstance(op, Group) and sun in op.ops)
    assert above.matrix is not None
    edge, top = (above.matrix[3] * y + above.matrix[5] for y in (-2, 2))
    assert (edge, top) == pytest.approx((-2, -6), abs=0.21)


def test_a_box_is_as_large_as_its_net_with_a_die_in_inks_of_its_own(made: dict[str, Path]) -> None:
    ((trim, media),) = boxes(made["box"])
    assert [side - 3 for side in media[2:]] == trim[2:]
    assert media[2] > 150
    with pikepdf.open(made["box"]) as pdf:
        spaces = pdf.pages[0].Resources.ColorSpace
        assert {str(space[1]) for space in spaces.values()} == {"/CutContour", "/Crease"}
    found = strokes(made["box"])
    assert found["/CutContour"] == 1
    assert found["/Crease"] >= 8
    # Nothing is printed where there will be glue, as it is at home.
    with pypdfium2.PdfDocument(made["box"]) as document:
        drawn = document[0].render(scale=2).to_pil().convert("RGB")
    corners = (5 * MM, 60 * MM, 11 * MM, 110 * MM)
    seam = drawn.crop(tuple(round(2 * corner) for corner in corners))
    assert seam.convert("L").getextrema() == (255, 255)


def test_markers_are_cut_in_their_shapes_with_bleed_between_them(made: dict[str, Path]) -> None:
    assert strokes(made["markers"]) == {"/CutContour": 3}
    assert boxes(made["markers"]) == [([3, 3, 213, 300], [0, 0, 216, 303])]
    assert not PdfReader(made["markers"]).pages[0].extract_text().strip()
    with pypdfium2.PdfDocument(made["markers"]) as document:
        drawn = document[0].render(scale=4 / MM).to_pil().convert("RGB")
    left, upper, right, lower = ImageChops.invert(drawn.convert("L")).getbbox() or (0, 0, 0, 0)
    across, down = (right - left) / 4, (lower - upper) / 4
    # Three of them with 3 mm of bleed around each.
    assert down == pytest.approx(60, abs=0.5)
    assert across == pytest.approx(20, abs=0.5)
    assert left / 4 - 3 >= 8 - 0.25


def test_tokens_are_pages_with_their_backs(made: dict[str, Path]) -> None:
    texts = [page.extract_text() for page in PdfReader(made["tokens"]).pages]
    assert texts == ["Wolf", "REVERSE"] * (len(texts) // 2)
    assert boxes(made["tokens"])[0][1] == [0, 0, 69.5, 94.9]


@pytest.mark.parametrize(
    ("inks", "said", "files"),
    [
        ("pages", "as masks in box_crease.pdf, box_cut.pdf", ["box_crease.pdf", "box_cut.pdf"]),
        ("none", "as separations", []),
    ],
)
def test_a_die_reaches_a_print_shop_that_knows_no_separations(
    inks: str, said: str, files: list[str], run: Run, tmp_path: Path, game: Path
) -> None:
    """It is on pages of its own where inks are; one that has no foil wants a die all the same."""
    path = game / "xml" / "services" / f"{inks}.xml"
    path.parent.mkdir(exist_ok=True)
    shop = '<service name="Corner" files="pdf" bleed="2" color="cmyk" pdfx="PDF/X-4" inks="{}"/>'
    path.write_text(shop.format(inks), encoding="utf-8")
    result = run("tuckbox", "hill", "--service", inks, "-o", str(tmp_path / "box.pdf"))
    assert result.exit_code == 0, result.stderr
    assert f"Crease, CutContour, {said}" in result.output
    assert sorted(path.name for path in tmp_path.glob("*.pdf")) == ["box.pdf", *files]


def test_the_summary_says_what_it_was_made_ready_for(run: Run, tmp_path: Path) -> None:
    result = run("rulebook", "--service", "press", "-o", str(tmp_path / "book.pdf"))
    assert (result.exit_code, result.stderr) == (0, "")
    pages, lacking, first, *rows = (line.strip() for line in result.output.splitlines())
    assert pages.startswith("3 pages in ")
    assert lacking.startswith("a stapled book would need 1 empty page more")
    assert first == "ready for a print shop"
    colors = "CMYK for FOGRA39 with the profile FOGRA39 coated (Deckwright), at most 300% ink"
    state = "made as PDF/X-4, though the file does not state it; have it checked, Deckwright cannot"
    assert rows == [f"colors  {colors}", f"PDF/X   {state}"]


def test_tokens_are_scaled_to_what_a_service_makes(run: Run, tmp_path: Path, game: Path) -> None:
    path = game / "xml" / "services" / "bridge.xml"
    path.parent.mkdir(exist_ok=True)
    size = '<size id="bridge" name="bridge" width="57" height="89"/>'
    path.write_text(f'<service name="B" files="pdf" bleed="2">{size}</service>', encoding="utf-8")
    asked = ("tokens", "hill", "--service", "bridge", "-o", str(tmp_path / "t.pdf"))
    result = run(*asked)
    assert result.exit_code == 1
    assert "scale cards to the nearest of these with `--scale fit`" in result.stderr
    assert run(*asked, "--scale", "fit").exit_code == 0
    assert boxes(tmp_path / "t.pdf")[0] == ([2, 2, 59, 91], [0, 0, 61, 93])


def test_files_for_a_press_do_not_replace_those_for_people(run: Run, game: Path) -> None:
    for asked, name in (
        (("rulebook",), "rulebook"),
        (("overview", "AA"), "overview_AA"),
        (("markers",), "markers"),
        (("tokens", "hill"), "tokens_hill"),
        (("tuckbox", "hill"), "box_hill"),
    ):
        result = run(*asked, "--service", "press", "--quiet")
        assert (result.exit_code, result.output) == (0, "")
        assert (game / "out" / f"press_{name}.pdf").exists()
        assert not (game / "out" / f"{name}.pdf").exists()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("rulebook", "--icc", "fogra39"), "--icc is for a press"),
        (("overview", "--state-pdfx"), "--state-pdfx is for a press"),
        (("rulebook", "--service", "presss"), "there is no print service `presss`"),
        (("rulebook", "--service", "mpc"), "takes only pictures of cards"),
        (("rulebook", "--booklet", "--service", "press"), "--booklet and --service cannot be used"),
        (("tuckbox", "hill", "--cut", "none", "--service", "press"), "--cut and --service cannot"),
    ],
)
def test_what_makes_no_sense_for_a_press_is_told(
    asked: tuple[str, ...], said: str, run: Run, tmp_path: Path
) -> None:
    result = run(*asked, "-o", str(tmp_path))
    assert result.exit_code == 2
    assert said in result.stderr
    assert not [*tmp_path.iterdir()]


def test_colors_that_the_press_cannot_print_are_told_at_once(
    run: Run, tmp_path: Path, game: Path
) -> None:
    """Exporting says so without being asked, with the card that shows the worst of them."""
    face = game / "templates" / "card.xml"
    before = face.read_text(encoding="utf-8")
    face.write_text(
        before.replace("#102040", "{{ '#00f040' if card.id == 'A1' else '#f000ff' }}"),
        encoding="utf-8",
    )
    for asked in (("--check",), ("-o", str(tmp_path))):
        result = run("export", "press", "hill", "--no-tokens", *asked)
        assert result.exit_code == 0, result.stderr
        assert result.stderr.count("E081") == 1
        assert (
            "card `A2` and 1 more: FOGRA39 coated (Deckwright) prints these colors duller: "
            "#f000ff as #" in result.stderr
        )
        assert ", #00f040 as #" in result.stderr
    face.write_text(before, encoding="utf-8")


def test_an_image_is_called_by_its_name_also_where_it_is_flattened(run: Run, game: Path) -> None:
    Image.new("RGB", (300, 300), "#00ff30").save(game / "img" / "bright.png")
    face = game / "templates" / "card.xml"
    before = face.read_text(encoding="utf-8")
    over = '<g opacity="0.5"><circle cx="30" cy="60" r="8" fill="#204060"/></g>'
    image = '<image href="bright.png" x="20" y="50" width="20" height="20"/>'
    face.write_text(before.replace("</face>", f"{image}{over}</face>"), encoding="utf-8")
    result = run("export", "press", "hill", "--only", "A1", "--pdfx", "x-1a", "--check")
    face.write_text(before, encoding="utf-8")
    assert result.exit_code == 0, result.stderr
    assert "100% of the image `bright.png` duller" in result.stderr
    assert "part" not in result.stderr
