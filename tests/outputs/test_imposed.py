"""Cards of foreign PDFs on sheets: boxes, rotation, backs, and files that cannot be used."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import FloatObject, NameObject, RectangleObject
from reportlab.pdfgen.canvas import Canvas

from conftest import Run
from deckwright.api import GameError
from deckwright.api.imposing import impose
from deckwright.base.geometry import Box
from deckwright.sheet.grid import SheetFormat

MM = 72 / 25.4
PER_MM = 2
WIDTH, HEIGHT, BLEED = 63, 88, 3
A4 = SheetFormat("x", 210, 297, 0, 0, 0, 0, margin=5).fit_to(WIDTH, HEIGHT)
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
WHITE = (255, 255, 255)
Color = tuple[int, int, int]


def pages_of(colors: Sequence[Color]) -> bytes:
    """Return a PDF of cards with bleed: black, a trim box of a color, and a white upper left."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=((WIDTH + 2 * BLEED) * MM, (HEIGHT + 2 * BLEED) * MM))
    for color in colors:
        canvas.rect(0, 0, 500, 500, fill=1)
        canvas.setFillColorRGB(*(part / 255 for part in color))
        canvas.rect(BLEED * MM, BLEED * MM, WIDTH * MM, HEIGHT * MM, fill=1, stroke=0)
        canvas.setFillColorRGB(1, 1, 1)
        canvas.rect(BLEED * MM, (BLEED + HEIGHT - 20) * MM, 20 * MM, 20 * MM, fill=1, stroke=0)
        canvas.setFillColorRGB(0, 0, 0)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("cards.pdf").write_bytes(pages_of([RED, GREEN, BLUE, RED]))
    return tmp_path


def pictures(path: str) -> list[Image.Image]:
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.render(scale=PER_MM / MM).to_pil().convert("RGB") for page in pdf]


def at(picture: Image.Image, x: float, y: float) -> object:
    """Return the color at a place, in mm."""
    return picture.getpixel((round(x * PER_MM), round(y * PER_MM)))


def test_cards_stand_in_their_slots_in_order(run: Run) -> None:
    done = run("impose", "cards.pdf", "--size", "63x88", "--copies", "2", "--marks", "none")
    assert done.exit_code == 0, done.stderr
    assert "1 sheet of cards, 1 slot empty" in done.stdout
    (sheet,) = pictures("cards_sheets.pdf")
    for slot, color in zip(
        A4.slots(), [c for c in (RED, GREEN, BLUE, RED) for _ in "ab"], strict=False
    ):
        assert at(sheet, slot.x + 40, slot.y + 50) == color
        assert at(sheet, slot.x + 5, slot.y + 5) == WHITE
        assert at(sheet, slot.right - 0.5, slot.bottom - 0.5) == color
    outer = A4.grid_box
    assert at(sheet, outer.x - 1, outer.y + 40) == WHITE


def test_what_is_beyond_the_size_is_bleed(run: Run) -> None:
    Path("xml/sheets").mkdir(parents=True)
    Path("xml/sheets/own.xml").write_text(
        '<sheet page-width="210" page-height="297" gutter="10" bleed="3" marks="none"/>',
        encoding="utf-8",
    )
    done = run("impose", "cards.pdf", "--size", "63x88", "--sheet", "own", "--no-footer")
    assert (done.exit_code, done.stderr) == (0, "")
    (sheet,) = pictures("cards_sheets.pdf")
    slot = SheetFormat("x", 210, 297, 0, 0, 0, 0, 10, bleed=3).fit_to(WIDTH, HEIGHT).slots()[0]
    assert at(sheet, slot.x + 40, slot.y - 2) == (0, 0, 0)
    assert at(sheet, slot.x + 40, slot.y - 4.5) == WHITE


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_pages_are_taken_as_viewers_show_them(run: Run, degrees: int) -> None:
    writer = PdfWriter(clone_from="cards.pdf")
    for page in writer.pages:
        page.rotate(degrees)
    writer.write("turned.pdf")
    assert run("impose", "turned.pdf", "--marks", "none", "--no-footer").exit_code == 0
    (sheet,) = pictures("turned_sheets.pdf")
    size = (69, 94) if degrees % 180 == 0 else (94, 69)
    fitted = SheetFormat("x", 210, 297, 0, 0, 0, 0, margin=5).fit_to(*size)
    slot = fitted.slots()[0]
    corners = {
        0: (slot.x + 8, slot.y + 8),
        90: (slot.right - 8, slot.y + 8),
        180: (slot.right - 8, slot.bottom - 8),
        270: (slot.x + 8, slot.bottom - 8),
    }
    seen = {corner: at(sheet, *place) for corner, place in corners.items()}
    assert [corner for corner, color in seen.items() if color == WHITE] == [degrees]
    assert {*seen.values()} == {RED, WHITE}


def test_the_boxes_of_pages_are_respected(run: Run) -> None:
    writer = PdfWriter(clone_from="cards.pdf")
    shift = 4
    for page in writer.pages:
        edges = [(BLEED + 1) * MM, (BLEED + 1) * MM, (BLEED + 51) * MM, (BLEED + 61) * MM]
        page[NameObject("/TrimBox")] = RectangleObject(edges)
        page[NameObject("/CropBox")] = RectangleObject(
            [edges[0] - shift, edges[1] - shift, edges[2] + shift, edges[3] + shift]
        )
        page[NameObject("/UserUnit")] = FloatObject(1)
    writer.write("boxed.pdf")
    assert run("impose", "boxed.pdf", "--marks", "none", "--no-footer").exit_code == 0
    (sheet,) = pictures("boxed_sheets.pdf")
    fitted = SheetFormat("x", 210, 297, 0, 0, 0, 0, margin=5).fit_to(50, 60)
    slot = fitted.slots()[0]
    # 60 mm from 1 mm above the lower edge of the card: the white corner is not on it.
    assert at(sheet, slot.x + 2, slot.y + 2) == RED
    refused = run("impose", "boxed.pdf", "--size", "63x88")
    assert refused.exit_code == 1
    assert (
        "E062: page 1 is cut to 50 × 60 mm, which does not fit cards of 63 × 88 mm"
        in refused.stderr
    )


def test_a_card_is_placed_with_its_unit(run: Run) -> None:
    writer = PdfWriter(clone_from="cards.pdf")
    for page in writer.pages:
        page[NameObject("/UserUnit")] = FloatObject(0.5)
    writer.write("half.pdf")
    done = run("impose", "half.pdf", "--size", "31.5x44")
    assert (done.exit_code, done.stderr) == (0, "")


def test_backs_lie_behind_their_faces(run: Run) -> None:
    run("impose", "cards.pdf", "--size", "63x88", "--backs", "alternate", "--marks", "none")
    front, back = pictures("cards_sheets.pdf")
    first, second, *_ = A4.slots()
    assert [at(front, s.x + 40, s.y + 50) for s in (first, second)] == [RED, BLUE]
    behind = [A4.mirrored(slot) for slot in (first, second)]
    assert [at(back, s.x + 40, s.y + 50) for s in behind] == [GREEN, RED]


def test_the_last_page_or_another_file_can_be_the_back_of_all(run: Run) -> None:
    run("impose", "cards.pdf", "--size", "63x88", "--backs", "last", "--pages", "1-3")
    assert at(pictures("cards_sheets.pdf")[1], *_middle(A4.mirrored(A4.slots()[1]))) == BLUE
    Path("back.pdf").write_bytes(pages_of([GREEN]))
    done = run("impose", "cards.pdf", "--size", "63x88", "--back", "back.pdf", "--backs-apart")
    assert "cards_sheets_backs.pdf" in done.stdout
    assert at(pictures("cards_sheets_backs.pdf")[0], *_middle(A4.mirrored(A4.slots()[3]))) == GREEN


def _middle(slot: Box) -> tuple[float, float]:
    return slot.x + slot.width / 2, slot.y + slot.height / 2


def test_pages_that_lie_are_turned_upright_their_backs_the_other_way(run: Run) -> None:
    writer = PdfWriter(clone_from="cards.pdf")
    for page in writer.pages:
        page.rotate(90)
    writer.write("lying.pdf")
    run("impose", "lying.pdf", "--size", "63x88", "--backs", "alternate", "--marks", "none")
    front, back = pictures("lying_sheets.pdf")
    slot, behind = A4.slots()[0], A4.mirrored(A4.slots()[0])
    # Its white corner, shown at the upper right, goes to the lower right, and to the upper left.
    assert at(front, slot.right - 5, slot.bottom - 5) == WHITE
    assert at(back, behind.x + 5, behind.y + 5) == WHITE


def test_each_page_is_one_form_and_the_same_input_gives_the_same_bytes(run: Run) -> None:
    options = ("impose", "cards.pdf", "--size", "63x88", "--copies", "40")
    run(*options, "-o", "one.pdf")
    run(*options, "-o", "two.pdf")
    assert Path("one.pdf").read_bytes() == Path("two.pdf").read_bytes()
    reader = PdfReader("one.pdf")
    forms = {
        reference.idnum
        for page in reader.pages
        for reference in page["/Resources"]["/XObject"].values()  # type: ignore[index]
    }
    assert len(reader.pages) == 18
    assert len(forms) <= 4


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--backs", "alternate", "--pages", "1-3"], "an even number of pages, not 3"),
        (["--backs", "last", "--pages", "2"], "a single page cannot be both"),
        (["--pages", "3-9"], "there is no page 5: the PDF has 4"),
        (["--back", "three.pdf"], "there are 3 backs for 4 faces"),
        (["--size", "20x20"], "which does not fit cards of 20 × 20 mm"),
        (["--size", "63x88", "--sheet", "a4-poker"], "but the slots of the sheet `a4-poker` are"),
        (["--sheet", "nosuch"], "nosuch"),
        (["--size", "wide"], "is not a size such as 63x88"),
        (["--pages", "x"], "is not a page or a range"),
        (["--back", "three.pdf", "--backs", "last"], "cannot be among the pages as well"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(run: Run, options: list[str], told: str) -> None:
    Path("three.pdf").write_bytes(pages_of([RED, RED, RED]))
    done = run("impose", "cards.pdf", *options)
    assert done.exit_code in {1, 2}
    assert told in done.stderr
    assert not Path("cards_sheets.pdf").exists()


def test_pages_of_other_sizes_can_be_scaled_to_the_slots(run: Run) -> None:
    done = run("impose", "cards.pdf", "--scale", "fit", "--sheet", "a4-poker", "--marks", "none")
    assert done.exit_code == 0, done.stderr
    assert "1 sheet of cards, 5 slots empty" in done.stdout


def test_an_encrypted_pdf_is_told_of(run: Run) -> None:
    writer = PdfWriter(clone_from="cards.pdf")
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write("locked.pdf")
    done = run("impose", "locked.pdf")
    assert done.exit_code == 3
    assert "E061: the PDF is encrypted" in done.stderr
    assert "qpdf --decrypt" in done.stderr


@pytest.mark.parametrize(
    ("data", "what", "hint"),
    [
        (
            b"\x89PNG\r\n\x1a\n" + bytes(9),
            "but a PNG picture",
            "`deckwright poster` takes pictures",
        ),
        (
            b"\xff\xd8\xff\xe0" + bytes(9),
            "but a JPEG picture",
            "`deckwright poster` takes pictures",
        ),
        (b"RIFF\0\0\0\0WEBPVP8 ", "but a WebP picture", "`deckwright poster` takes pictures"),
        (b'<?xml version="1.0"?>\n<svg/>', "but an SVG drawing", "`deckwright poster` takes"),
        (b"\xef\xbb\xbf<?xml version='1.0'?><data/>", "but XML", "with `deckwright deck`"),
        (b"<!DOCTYPE html><html>", "but HTML", "save it as one"),
        (b"PK\3\4" + bytes(30), "but a ZIP archive", "save it as one"),
        (b"", "but an empty file", "save it as one"),
        (b"Dear reader,\n", "this is not a PDF\n", "save it as one"),
    ],
)
def test_a_file_that_is_no_pdf_is_called_what_it_is(
    run: Run, data: bytes, what: str, hint: str
) -> None:
    Path("other.pdf").write_bytes(data)
    done = run("impose", "other.pdf")
    assert done.exit_code == 3
    assert "E061: this is not a PDF" in done.stderr
    assert what in done.stderr
    assert hint in done.stderr


def damaged(data: bytes) -> Iterator[bytes]:
    """Yield files like one that was cut off, or in which bytes have changed."""
    chance = random.Random(7)
    for _ in range(12):
        yield data[: chance.randrange(len(data))]
        broken = bytearray(data)
        for _ in range(chance.choice((1, 8, 60))):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        yield bytes(broken)


def test_a_broken_pdf_gives_sheets_or_a_finding(folder: Path) -> None:
    data, ends = (folder / "cards.pdf").read_bytes(), set[str]()
    for number, broken in enumerate(damaged(data)):
        path = folder / f"{number}.pdf"
        path.write_bytes(broken)
        try:
            impose(path, folder / "out.pdf", size=(63, 88))
        except GameError as error:
            ends |= {finding.code.id for finding in error.findings}
        else:
            ends.add("printed")
    assert {"E061", "printed"} <= ends <= {"E061", "E062", "E003", "printed"}


def test_the_library_does_what_the_command_does(run: Run, folder: Path) -> None:
    run("impose", "cards.pdf", "--size", "63x88", "--backs", "last", "-o", "by_command.pdf")
    printed = impose("cards.pdf", "by_library.pdf", size=(63, 88), order="last", folder=folder)
    assert (printed.pages, printed.sheets, printed.empty) == (2, 1, 6)
    assert Path("by_library.pdf").read_bytes() == Path("by_command.pdf").read_bytes()
