"""Posters: sheets that give the whole page again when they are cut and glued."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader
from reportlab.pdfgen.canvas import Canvas

from conftest import Run
from deckwright import poster
from deckwright.base.geometry import Box
from deckwright.base.units import PAPER_SIZES
from deckwright.ops.model import FillPath
from deckwright.ops.outlines import tight_bounds
from deckwright.sheet.flow import TextSetter
from deckwright.sheet.grid import Margins
from deckwright.sheet.poster import Tiling, draw_overview, plan_tiling, sheet_label, tile_area
from deckwright.text.break_opportunities import Hyphenator

MM = 72 / 25.4


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    canvas = Canvas("board.pdf", pagesize=(300 * MM, 200 * MM))
    for page in range(2):
        for number in range(150):
            x, y = number % 15, number // 15
            canvas.setFillColorRGB(x / 15, y / 10, (number * 7 + page) % 11 / 11)
            canvas.rect(x * 20 * MM, y * 20 * MM, 20 * MM, 20 * MM, fill=1, stroke=0)
        canvas.showPage()
    canvas.save()
    return tmp_path


def rendered(path: str, page: int, per_mm: float) -> np.ndarray:
    """Return the pixels of a page."""
    with pypdfium2.PdfDocument(path) as pdf:
        return np.asarray(pdf[page].render(scale=per_mm / MM).to_pil().convert("RGB"), int)


def glued(path: str, laid: Tiling, per_mm: int) -> np.ndarray:
    """Return what sheets show when each is cut at its left and top and lies on those before."""
    whole = np.zeros((round(laid.height * per_mm), round(laid.width * per_mm), 3), int)
    for number, tile in enumerate(laid.tiles()):
        sheet = rendered(path, number + 1, per_mm)
        left, top = round(tile.box.x * per_mm), round(tile.box.y * per_mm)
        x, y = round(tile.part.x * per_mm), round(tile.part.y * per_mm)
        width, height = round(tile.box.width * per_mm), round(tile.box.height * per_mm)
        part = sheet[top : top + height, left : left + width]
        room = whole[y : y + height, x : x + width]
        room[:] = part[: room.shape[0], : room.shape[1]]
    return whole


def test_glued_sheets_are_the_page(run: Run) -> None:
    done = run("poster", "board.pdf", "--size", "a2", "--overlap", "12mm")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "8 sheets of paper and a plan in board_poster.pdf" in done.stdout
    laid = plan_tiling(594, 396, PAPER_SIZES["a4"], Margins(), 12)
    assert laid is not None
    assert len(PdfReader("board_poster.pdf").pages) == laid.sheets + 1 == 9
    seen, wanted = glued("board_poster.pdf", laid, 2), rendered("board.pdf", 0, 2 * 1.98)
    # Pixels at the edges of colors are mixed; what a mark or a shift would change is far more.
    assert seen.shape == wanted.shape
    assert (abs(seen - wanted).max(axis=2) > 40).mean() < 0.02
    inner = np.ix_(range(20, 792, 79), range(20, 1188, 79))  # the middles of squares
    assert abs(seen[inner] - wanted[inner]).max() <= 3


def test_strips_have_marks_that_the_next_sheet_covers(run: Run) -> None:
    run("poster", "board.pdf", "--size", "a2")
    laid = plan_tiling(594, 396, PAPER_SIZES["a4"], Margins(), 10)
    assert laid is not None
    tile = next(laid.tiles())
    sheet, whole = rendered("board_poster.pdf", 1, 4), rendered("board.pdf", 0, 4 * 1.98)
    box = [round(side * 4) for side in (tile.box.x, tile.box.y, tile.box.right, tile.box.bottom)]
    part = sheet[box[1] : box[3], box[0] : box[2]]
    differs = abs(part - whole[: part.shape[0], : part.shape[1]]).max(axis=2) > 60
    strip = 10 * 4
    assert differs[:, -strip:].sum() > 500
    assert differs[-strip:].sum() > 500
    texts = [page.extract_text() for page in PdfReader("board_poster.pdf").pages]
    assert "A1 1/8" in texts[1].replace("\xa0", " ")
    assert {"A2", "B1"} <= set(texts[1].split())
    assert {"A3", "B2"} <= set(texts[2].split())
    assert set(texts[8].split()) & {"A4", "B3", "B5", "C4"} == set()
    assert {"A1", "B4"} <= set(texts[0].split())


sides = st.floats(5, 2000)


@given(
    sides,
    sides,
    st.sampled_from(sorted(PAPER_SIZES)),
    st.builds(Margins, *[st.floats(0, 15)] * 4),
    st.floats(5, 30),
)
def test_tiles_cover_the_poster(
    width: float, height: float, paper: str, margins: Margins, overlap: float
) -> None:
    laid = plan_tiling(width, height, PAPER_SIZES[paper], margins, overlap)
    assert laid is not None
    tiles = {(tile.row, tile.column): tile for tile in laid.tiles()}
    assert len(tiles) == laid.sheets == laid.columns * laid.rows
    room = tile_area(laid.paper, laid.edges)
    for (row, column), tile in tiles.items():
        assert (tile.part.width, tile.part.height) == (tile.box.width, tile.box.height)
        assert tile.box.intersection(room) == pytest.approx(tile.box)
        following = tiles.get((row, column + 1))
        right = following.part.x + overlap if following else width
        assert tile.part.right == pytest.approx(right)
        below = tiles.get((row + 1, column))
        assert tile.part.bottom == pytest.approx(below.part.y + overlap if below else height)
    # One row or column less would not do.
    for count, length, most in (
        (laid.columns, width, room.width),
        (laid.rows, height, room.height),
    ):
        fewer = count - 1
        assert fewer * (most - overlap) + overlap < length or fewer == 0


def test_sheets_lie_where_fewer_are_needed() -> None:
    lying = plan_tiling(270, 180, PAPER_SIZES["a4"], Margins(), 10)
    assert lying is not None
    assert (lying.paper, lying.sheets) == ((297, 210), 1)
    upright = plan_tiling(180, 270, PAPER_SIZES["a4"], Margins(), 10)
    assert upright is not None
    assert (upright.paper, upright.sheets) == ((210, 297), 1)


def test_rows_after_z_have_two_letters() -> None:
    assert [sheet_label(row, 0) for row in (0, 25, 26, 51, 52, 702)] == [
        *("A1", "Z1", "AA1", "AZ1", "BA1", "AAA1")
    ]


def test_a_picture_is_a_poster(run: Run) -> None:
    pixels = Image.new("RGB", (1200, 600), "#c02020")
    pixels.paste("#2020c0", (600, 0, 1200, 600))
    pixels.save("mat.png", dpi=(72, 72))
    run("poster", "mat.png")
    small = PdfReader("mat_poster.pdf").pages
    assert len(small) == 1  # 101.6 mm at 300 pixels to the inch
    done = run("poster", "mat.png", "--size", "500x500", "--paper", "a3")
    assert "printed at 61 dpi, but needs 100" in done.stderr
    assert "at least 1969 × 984 pixels" in done.stderr
    laid = plan_tiling(500, 250, PAPER_SIZES["a3"], Margins(), 10)
    assert laid is not None
    assert laid.sheets == 2
    seen = glued("mat_poster.pdf", laid, 2)
    assert list(seen[200, 100]) == pytest.approx([0xC0, 0x20, 0x20], abs=3)
    assert list(seen[200, 900]) == pytest.approx([0x20, 0x20, 0xC0], abs=3)


def test_a_picture_that_is_fine_from_a_meter_away_is_not_warned_of(run: Run) -> None:
    Image.new("RGB", (1200, 600), "#c02020").save("mat.png")
    done = run("poster", "mat.png", "--size", "300x150")  # 102 pixels to the inch
    assert (done.exit_code, done.stderr) == (0, "")


def drawing(shape: str, size: str = 'width="300mm" height="200mm"') -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 30 20">{shape}</svg>'


@pytest.mark.parametrize(
    ("size", "options", "wide"),
    [
        ('width="300mm" height="200mm"', (), 300),
        ('width="11.811in" height="7.874in"', (), 300),
        ('width="600" height="400"', (), 158.75),  # a pixel is the 96th part of an inch
        ("", ("--size", "300x300"), 300),
    ],
)
def test_a_drawing_is_a_poster_in_its_own_size(
    run: Run, size: str, options: tuple[str, ...], wide: float
) -> None:
    shapes = '<rect width="30" height="20" fill="#2020c0"/><path d="M3 4h6v8h-6z" fill="#c02020"/>'
    Path("mat.svg").write_text(drawing(shapes, size), encoding="utf-8")
    done = run("poster", "mat.svg", "--paper", "a3", *options)
    assert (done.exit_code, done.stderr) == (0, "")
    reader = PdfReader("mat_poster.pdf")
    assert not any(page.images for page in reader.pages)  # lines stay lines
    laid = plan_tiling(wide, wide * 2 / 3, PAPER_SIZES["a3"], Margins(), 10)
    assert laid is not None
    tile = next(laid.tiles())
    sheet, unit = rendered("mat_poster.pdf", 0, 4), 4 * wide / 30
    x, y = tile.box.x * 4, tile.box.y * 4
    row = sheet[round(y + 8 * unit), round(x) : round(x + wide * 4)]
    red = [number for number, pixel in enumerate(row) if pixel[0] > 0x70 > pixel[2]]
    assert [red[0], red[-1] + 1] == pytest.approx([3 * unit, 9 * unit], abs=2)


def test_a_drawing_that_cannot_be_drawn_is_told_of_or_turned_into_pixels(run: Run) -> None:
    Path("mat.svg").write_text(drawing('<text y="15">Hi</text>'), encoding="utf-8")
    done = run("poster", "mat.svg", "--paper", "a3")
    assert done.exit_code == 1
    assert "mat.svg:1:90: error I006: `text` cannot be drawn" in done.stderr
    assert not Path("mat_poster.pdf").exists()
    done = run("poster", "mat.svg", "--paper", "a3", "--rasterize")
    assert done.exit_code == 0, done.stderr
    assert (rendered("mat_poster.pdf", 0, 1) < 128).sum() > 1000
    assert poster("mat.svg", "again.pdf", paper="a3", rasterize=True).sheets == 1


def test_the_plan_speaks_the_language_of_the_game(small: Path) -> None:
    game = small / "xml" / "game.xml"
    text = game.read_text(encoding="utf-8")
    word = '<word id="poster-sheets" text="{count} Blatt, {columns} mal {rows} {x}"/>'
    words = f"<words>{word}</words>"
    if "<words>" in text:
        text = text.replace("<words>", f"<words>{word}")
    else:
        text = text.replace("</game>", f"{words}</game>")
    game.write_text(text, encoding="utf-8")
    made = poster(small.parent / "board.pdf", "out.pdf", size=(600, 400), page=2, folder=small)
    assert (made.pages, made.sheets) == (9, 8)
    said = PdfReader("out.pdf").pages[0].extract_text().replace("\xa0", " ")
    assert "600 × 400 mm · 8 Blatt, 4 mal 2 {x}" in said


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("board.pdf", ("--page", "3"), "there is no page 3: the file has 2"),
        (
            "board.pdf",
            ("--size", "2000x2000", "--paper", "a5", "--overlap", "50"),
            "sheets of paper `a5`",
        ),
        ("board.pdf", ("--overlap", "50", "--paper", "a5"), None),
        ("notes.txt", (), "is not an image"),
        ("broken.pdf", (), "the PDF is damaged"),
    ],
)
def test_what_cannot_be_laid_out_is_told(
    run: Run, name: str, options: tuple[str, ...], said: str | None
) -> None:
    Path("notes.txt").write_text("no picture", encoding="utf-8")
    Path("broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    done = run("poster", name, *options)
    if said is None:
        assert done.exit_code == 0
        return
    assert done.exit_code in {1, 3}
    assert said in done.stderr
    assert not Path(f"{Path(name).stem}_poster.pdf").exists()


def test_sheets_overlap() -> None:
    with pytest.raises(ValueError, match="leaves nothing to glue"):
        poster("board.pdf", "out.pdf", overlap=0)


def test_the_labels_of_the_plan_are_in_the_middle_of_what_sheets_add() -> None:
    """The last ones of rows and columns show their strips; those of the others are covered."""
    laid = plan_tiling(594, 396, PAPER_SIZES["a4"], Margins(), 10)
    assert laid is not None
    across, down = laid.step
    picture = Box(5, 7, laid.width / 2, laid.height / 2)
    ops = [*draw_overview(laid, picture, TextSetter({}, None, Hyphenator("en")))]
    grounds = [tight_bounds(op.outline) for op in ops if isinstance(op, FillPath)]
    middles = []
    for tile in laid.tiles():
        left, top = tile.column * across, tile.row * down
        right = laid.width if tile.column + 1 == laid.columns else left + across
        bottom = laid.height if tile.row + 1 == laid.rows else top + down
        middles.append((5 + (left + right) / 4, 7 + (top + bottom) / 4))
    assert [(box.x + box.width / 2, box.y + box.height / 2) for box in grounds] == [
        pytest.approx(middle) for middle in middles
    ]
