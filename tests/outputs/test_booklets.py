"""Booklets and zines: which page is where when the sheets are folded."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from reportlab.pdfgen.canvas import Canvas

from conftest import Run
from deckwright.api import open_game
from deckwright.sheet.impose import ZINE_ROWS, FoldedSheet, impose_booklet

MM = 72 / 25.4


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, pages, size in (("book", 6, (148, 210)), ("tiny", 8, (74, 105))):
        canvas = Canvas(f"{name}.pdf", pagesize=[side * MM for side in size])
        for number in range(pages):
            canvas.setFillGray(number / 10)
            canvas.rect(0, 0, 2000, 2000, fill=1, stroke=0)
            canvas.showPage()
        canvas.save()
    return tmp_path


@given(st.integers(1, 200), st.integers(0, 9))
def test_a_folded_booklet_is_read_in_order(pages: int, signature: int) -> None:
    """Leaves of a signature, from the outside in, then out again: each has a page on each side."""
    sheets = list(impose_booklet(pages, signature))
    read: list[int] = []
    group: list[FoldedSheet] = []
    for sheet in [*sheets, None]:
        if sheet is None or (sheet.depth == 0 and group):
            for outer in group:
                read += [outer.front[1], outer.back[0]]
            for inner in reversed(group):
                read += [inner.back[1], inner.front[0]]
            group = []
        if sheet is not None:
            group.append(sheet)
            assert not signature or sheet.depth < signature
    assert read == list(range(1, 4 * -(-pages // 4) + 1))


def gray(path: str, page: int, x: float, y: float) -> int:
    """Return the number of the page that is seen at a place of a sheet, 10 for white."""
    with pypdfium2.PdfDocument(path) as pdf:
        picture = pdf[page].render(scale=1 / MM * 2).to_pil().convert("L")
    value = picture.getpixel((round(2 * x), round(2 * y)))
    assert isinstance(value, int)
    return round(value / 25.5)


def test_the_pages_of_a_rulebook_are_on_the_smallest_paper(run: Run) -> None:
    done = run("booklet", "book.pdf", "--creep", "0")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "2 sheets of paper in book_booklet.pdf" in done.stdout
    reader = PdfReader("book_booklet.pdf")
    assert [float(n) / MM for n in reader.pages[0].mediabox[2:]] == pytest.approx([297, 210])
    seen = [[gray("book_booklet.pdf", side, x, 100) for x in (70, 220)] for side in range(4)]
    assert seen == [[10, 0], [1, 10], [5, 2], [3, 4]]


def test_what_is_made_of_a_game_s_output_is_written_beside_it(run: Run) -> None:
    for path in ("game/xml/game.xml", "game/out/book.pdf"):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(Path("book.pdf").read_bytes())
    assert "in game/out/book_booklet.pdf" in run("booklet", "game/out/book.pdf").stdout


def test_the_back_cover_stays_the_last_page(run: Run) -> None:
    run("booklet", "book.pdf", "--back-cover")
    assert [gray("book_booklet.pdf", 0, x, 100) for x in (70, 220)] == [5, 0]


def test_inner_sheets_are_nearer_to_the_fold(run: Run) -> None:
    run("booklet", "book.pdf", "--creep", "2mm")
    # The outer sheet's page ends at 296.5 mm, that of the next one 2 mm before.
    assert [gray("book_booklet.pdf", side, 295.5, 100) for side in (0, 2)] == [0, 10]
    assert gray("book_booklet.pdf", 2, 148.5 + 1, 100) == 2


def test_backs_stand_on_their_heads_for_the_long_edge(run: Run) -> None:
    run("booklet", "book.pdf", "--flip", "long")
    assert [gray("book_booklet.pdf", 3, x, 100) for x in (70, 220)] == [4, 3]


def test_pages_are_made_smaller_but_not_larger(run: Run) -> None:
    run("booklet", "book.pdf", "--paper", "a5")
    assert [gray("book_booklet.pdf", 2, x, 70) for x in (50, 160)] == [5, 2]
    run("booklet", "tiny.pdf", "--paper", "a4")
    assert [gray("tiny_booklet.pdf", 0, x, 105) for x in (60, 100, 200, 240)] == [10, 7, 0, 10]


def test_a_zine_has_eight_pages_on_one_side_of_a_sheet(run: Run) -> None:
    assert run("booklet", "tiny.pdf", "--zine").exit_code == 0
    assert len(PdfReader("tiny_zine.pdf").pages) == 1
    seen = [
        [gray("tiny_zine.pdf", 0, 37 + 74.25 * column, y) + 1 for column in range(4)]
        for y in (50, 160)
    ]
    assert seen == [list(row) for row in ZINE_ROWS]


def bind_at_the_right(name: str) -> None:
    with pikepdf.open(name, allow_overwriting_input=True) as pdf:
        pdf.Root.ViewerPreferences = pikepdf.Dictionary(Direction=pikepdf.Name.R2L)
        pdf.save(name)


def test_a_pdf_that_is_read_from_right_to_left_is_bound_at_the_right(run: Run) -> None:
    bind_at_the_right("book.pdf")
    run("booklet", "book.pdf", "--creep", "2mm")
    seen = [[gray("book_booklet.pdf", side, x, 100) for x in (70, 220)] for side in range(4)]
    assert seen == [[0, 10], [10, 1], [2, 5], [4, 3]]
    # Inner pages are nearer to the fold here, too.
    assert [gray("book_booklet.pdf", side, 1.5, 100) for side in (0, 2)] == [0, 10]
    bind_at_the_right("tiny.pdf")
    run("booklet", "tiny.pdf", "--zine")
    seen = [
        [gray("tiny_zine.pdf", 0, 37 + 74.25 * column, y) + 1 for column in range(4)]
        for y in (50, 160)
    ]
    assert seen == [[*reversed(row)] for row in ZINE_ROWS]


def test_a_zine_of_more_pages_is_told_of(run: Run) -> None:
    canvas = Canvas("nine.pdf")
    for _ in range(9):
        canvas.showPage()
    canvas.save()
    refused = run("booklet", "nine.pdf", "--zine")
    assert refused.exit_code == 1
    assert "has 8 pages, but the PDF has 9" in refused.stderr
    assert not Path("nine_zine.pdf").exists()


def test_a_rulebook_is_printed_as_a_booklet(run: Run, small: Path) -> None:
    (small / "xml" / "rulebook.xml").write_text(
        '<rulebook title="Rules"><chapter title="One"><p>Draw.</p></chapter></rulebook>',
        encoding="utf-8",
    )
    done = run("rulebook", "--booklet", "--game", str(small), "-o", "one.pdf")
    assert (done.exit_code, done.stderr) == (0, "")
    reader = PdfReader("one.pdf")
    assert [float(n) / MM for n in reader.pages[0].mediabox[2:]] == pytest.approx([297, 210])
    assert "Draw" in "".join(page.extract_text() for page in reader.pages)
    open_game(small).print_rulebook("two.pdf", booklet=True)
    assert Path("one.pdf").read_bytes() == Path("two.pdf").read_bytes()
