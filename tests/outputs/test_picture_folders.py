"""Folders of pictures that others made, as cards: names, tables, bleed, and hostile folders."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageDraw

from conftest import Run
from deckwright.api import GameError
from deckwright.api.imposing import impose
from deckwright.base.findings import ChoiceError, Report
from deckwright.base.output import report_failure
from deckwright.outputs.foreign_cards import CardPictures, _infer_bleed, read_folder

PER_MM = 4
MM = 72 / 25.4
SIZE = ("--size", "63x88")
Color = tuple[int, int, int]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    made = tmp_path / "pics"
    made.mkdir()
    return made


def picture(
    path: Path, color: str = "#cc4422", bleed: float = 0, size: tuple[int, int] = (63, 88)
) -> None:
    """Make a picture with an upper edge, a left edge and a corner of other colors, 3 mm wide."""
    path.parent.mkdir(parents=True, exist_ok=True)
    width, height = (round((side + 2 * bleed) * 12) for side in size)
    made = Image.new("RGB", (width, height), color)
    ImageDraw.Draw(made).rectangle((0, 0, width, (bleed + 1.5) * 12), fill="#000080")
    made.save(path)


def plain(path: Path, color: str = "#cc4422") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (756, 1056), color).save(path)


def told(folder: Path, back: Path | None = None) -> dict[str, tuple[str | None, int]]:
    """Return the back and the copies of each face, by name."""
    report: Report = []
    cards = read_folder(folder, back, report)
    assert report == []
    assert cards is not None
    return {card.face.name: (card.back.name if card.back else None, card.copies) for card in cards}


def faults(folder: Path) -> list[str]:
    report: Report = []
    with report_failure(report):
        read_folder(folder, None, report)
    return [f"{finding.code.id} {finding.message}" for finding in report]


def touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_names_say_sides_and_amounts(folder: Path) -> None:
    touch(folder, "Fox.png", "Fox_back.png", "Owl x3.JPG", "2x Bear.jpeg", "4 × Elk.png")
    touch(folder, "Ape_front.png", "Ape-Back.png", "Cat (back).png", "Cat_x2.png", "back.jpg")
    touch(folder, ".hidden.png", "notes.txt", "Feedback.png", "Axe 3.png", "Mix.png", "x3.png")
    assert told(folder) == {
        "2x Bear.jpeg": ("back.jpg", 2),
        "4 × Elk.png": ("back.jpg", 4),
        "Ape_front.png": ("Ape-Back.png", 1),
        "Axe 3.png": ("back.jpg", 1),
        "Cat_x2.png": ("Cat (back).png", 2),
        "Feedback.png": ("back.jpg", 1),
        "Fox.png": ("Fox_back.png", 1),
        "Mix.png": ("back.jpg", 1),
        "Owl x3.JPG": ("back.jpg", 3),
        "x3.png": ("back.jpg", 1),
    }
    assert told(folder, Path("mine.png"))["Mix.png"] == ("mine.png", 1)


def test_cards_are_in_the_order_of_their_numbers(folder: Path) -> None:
    touch(folder, "10.png", "9.png", "b1.png", "2.png", "²3.png")
    assert [*told(folder)] == ["2.png", "9.png", "10.png", "b1.png", "²3.png"]


def test_folders_say_sides(folder: Path) -> None:
    touch(folder, "fronts/A1.png", "fronts/A2 x2.png", "backs/AA_card.png")
    assert told(folder) == {"A1.png": ("AA_card.png", 1), "A2 x2.png": ("AA_card.png", 2)}
    touch(folder, "double_sided/A1.png", "other/B.png")
    assert told(folder)["A1.png"] == ("A1.png", 1)
    touch(folder, "backs/more.png")
    assert faults(folder) == ["E063 the picture is a back without a face"] * 2


def test_a_table_says_what_is_printed(folder: Path) -> None:
    touch(folder, "fronts/A1.png", "fronts/A2.png", "fronts/A3.png", "backs/one.png")
    table = folder / "cards.csv"
    for text in (
        "name,front,back,quantity\nAnt,fronts/A1.png,backs/one.png,3\nBee,A2,,1\nCow,A3.png,one,0\n",
        "\ufefffront;quantity\r\nA1;3\r\n;\r\nA2.png;\r\n",
        "Picture\tCopies\nfronts\\A1.png\t3\na2\t1\n",
    ):
        table.write_text(text, encoding="utf-8")
        assert told(folder) == {"A1.png": ("one.png", 3), "A2.png": ("one.png", 1)}


def test_what_is_wrong_in_a_table_is_told_where_it_is(folder: Path) -> None:
    touch(folder, "Ant.png", "Bee.png")
    table = folder / "order.csv"
    table.write_text("front,back,quantity\nAnd,,1\nBee,../../x.png,2\nBee,,many\nBee,,1000\n")
    report: Report = []
    with report_failure(report):
        read_folder(folder, None, report)
    assert [(f.location and f.location.line, f.message) for f in report] == [
        (2, "there is no picture `And` in the folder"),
        (3, "there is no picture `../../x.png` in the folder"),
        (4, "`many` is not a number of copies"),
        (5, "`1000` is not a number of copies"),
    ]
    table.write_text("what\nAnt\n")
    assert faults(folder) == ["E063 the table has no column `front` for the pictures of faces"]
    touch(folder, "other.csv")
    assert "several CSV files" in faults(folder)[0]


@pytest.mark.parametrize("bleed", [0, 1.5, 2, 3, 3.175, 6])
@pytest.mark.parametrize("size", [(63, 88), (63.5, 88.9), (70, 120), (120, 70), (44, 68)])
def test_the_shape_tells_the_bleed(bleed: float, size: tuple[float, float]) -> None:
    width, height = (round((side + 2 * bleed) * 300 / 25.4) for side in size)
    found = _infer_bleed(width / height, *size)
    assert found == pytest.approx(bleed, abs=0.25)


def test_another_shape_is_no_card() -> None:
    assert _infer_bleed(1, 63, 88) is None
    assert _infer_bleed(0.5, 63, 88) is None
    assert _infer_bleed(1, 70, 70) == 0
    assert _infer_bleed(1.1, 70, 70) is None


def drawn(path: str) -> list[Image.Image]:
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.render(scale=PER_MM / MM).to_pil().convert("RGB") for page in pdf]


def colors(sheet: Image.Image, *places: tuple[float, float]) -> list[object]:
    return [sheet.getpixel((round(x * PER_MM), round(y * PER_MM))) for x, y in places]


RED, BLUE, PAPER = (204, 68, 34), (0, 0, 128), (255, 255, 255)
LEFT, TOP = 15.5 + 3, 28.5 + 3
"""The corner of the first card on a sheet of `card-3mm`, whose page is the card with bleed."""


@pytest.mark.parametrize(
    ("mend", "beyond", "corner"),
    [
        ("mirror", [BLUE, RED, RED], BLUE),
        ("stretch", [BLUE, BLUE, RED], BLUE),
        ("none", [PAPER, PAPER, PAPER], PAPER),
    ],
)
def test_bleed_that_is_missing_is_made_of_the_edges(
    mend: str, beyond: list[Color], corner: Color, folder: Path, run: Run
) -> None:
    picture(folder / "Fox.png")
    result = run(
        "impose", "pics", *SIZE, "--sheet", "card-3mm", "--mend-bleed", mend, "--no-footer"
    )
    assert result.exit_code == 0, result.stderr
    code = {"none": "L012"}.get(mend, "E082")
    assert f"warning {code}" in result.stderr
    (card,) = drawn("pics_sheets.pdf")
    assert card.size == pytest.approx((69 * PER_MM, 94 * PER_MM), abs=1)
    # Above the cut: a mirror shows the 1.5 mm of blue, and then red.
    assert colors(card, (30, 2.5), (30, 0.6), (0.6, 40)) == beyond
    assert colors(card, (0.6, 2.5), (30, 3.5), (30, 6)) == [corner, BLUE, RED]


def test_bleed_that_pictures_have_is_used(folder: Path, run: Run) -> None:
    picture(folder / "Fox.png", bleed=3)
    result = run("impose", "pics", *SIZE, "--sheet", "card-3mm", "--no-footer")
    assert result.exit_code == 0, result.stderr
    assert "E082" not in result.stderr
    (card,) = drawn("pics_sheets.pdf")
    assert colors(card, (30, 0.6), (30, 4), (30, 5)) == [BLUE, BLUE, RED]
    # It is the user's to say that there is none: then the picture is the card.
    arguments = ("--picture-bleed", "0", "--scale", "fit")
    result = run("impose", "pics", *SIZE, "--sheet", "card-3mm", "--no-footer", *arguments)
    assert (
        "warning E082: `Fox.png` has no bleed, but the sheet needs 3 mm"
        in result.stderr.replace("pics: ", "")
    )


def test_a_little_bleed_is_made_more(folder: Path, run: Run) -> None:
    picture(folder / "Fox.png", bleed=1)
    result = run("impose", "pics", *SIZE, "--sheet", "card-3mm", "--no-footer")
    assert "`Fox.png` has 1 mm of bleed, but the sheet needs 3 mm: the edges fill the gap" in (
        " ".join(result.stderr.split())
    )
    (card,) = drawn("pics_sheets.pdf")
    # The picture ends 1 mm above the cut, and shows 2.5 mm of blue from there on.
    assert colors(card, (30, 0.5), (30, 2.5), (30, 4), (30, 5)) == [BLUE, BLUE, BLUE, RED]


def test_pictures_that_lie_are_turned_upright(folder: Path, run: Run) -> None:
    picture(folder / "Fox.png", size=(88, 63))
    picture(folder / "back.png", size=(88, 63))
    result = run("impose", "pics", *SIZE, "--sheet", "card-3mm", "--no-footer")
    assert result.exit_code == 0, result.stderr
    front, back = drawn("pics_sheets.pdf")
    assert colors(front, (65.4, 40), (4, 40)) == [BLUE, RED]
    assert colors(back, (65.4, 40), (4, 40)) == [RED, BLUE]


def test_a_picture_of_another_shape_is_refused_or_cut(folder: Path, run: Run) -> None:
    picture(folder / "Fox.png", size=(63, 70))
    result = run("impose", "pics", *SIZE)
    assert result.exit_code == 1
    assert (
        "error E063: the picture has 756 × 840 pixels, not the shape of cards of" in result.stderr
    )
    assert run("impose", "pics", *SIZE, "--scale", "fit").exit_code == 0


def test_letters_near_the_cut_are_told(folder: Path, run: Run) -> None:
    plain(folder / "Plain.png")
    for name, at in (("Near.png", 14), ("Far.png", 60)):
        made = Image.new("RGB", (756, 1056), "#ffffff")
        pen = ImageDraw.Draw(made)
        for row in range(5):
            pen.text((at, 14 + 200 * row + at), "Nobody cuts here", fill="#000000", font_size=30)
        for column in range(4):
            pen.text((at + 150 * column, at), "MMMM", fill="#000000", font_size=30)
            pen.text((at, at + 250 * column), "MM", fill="#000000", font_size=30)
        made.save(folder / name)
    result = run("impose", "pics", *SIZE)
    assert result.exit_code == 0
    assert "warning E083: `Near.png` has sharp edges less than 3 mm from the cut" in result.stderr


def test_a_folder_needs_a_size_and_takes_no_pages(folder: Path, run: Run) -> None:
    plain(folder / "Fox.png")
    result = run("impose", "pics")
    assert result.exit_code == 1
    assert "error E063: the size of cards cannot be read from pictures" in result.stderr
    for arguments in ({"pages": (1,)}, {"order": "last"}):
        with pytest.raises(ChoiceError, match="is a folder of pictures"):
            impose("pics", "x.pdf", size=(63, 88), **arguments)
    Path("cards.pdf").write_bytes(b"%PDF-")
    with pytest.raises(ChoiceError, match="not a folder of pictures"):
        impose("cards.pdf", "x.pdf", picture_bleed=3)


def test_an_empty_folder_is_told(folder: Path) -> None:
    assert faults(folder) == ["E063 the folder has no picture of a card, PNG or JPEG"]


def test_the_same_folder_gives_the_same_bytes(folder: Path) -> None:
    for name in ("Fox.png", "Owl x3.png", "back.png"):
        picture(folder / name)
    made = []
    for target in ("one.pdf", "two.pdf"):
        assert impose("pics", target, size=(63, 88), sheet="a4-tcg-bleed").sheets == 1
        made.append(Path(target).read_bytes())
    assert made[0] == made[1]


def bomb(width: int, height: int) -> bytes:
    """Return a small PNG that says that it has so many pixels."""

    def chunk(tag: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(10_000_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def test_a_hostile_folder_is_told_of_and_harms_nobody(folder: Path, run: Run) -> None:
    """Bombs, pipes, devices, folders called as pictures, links out, odd names, thousands."""
    (folder / "bomb.png").write_bytes(bomb(63_000, 88_000))
    (folder / "short.png").write_bytes(bomb(630, 880)[:200])
    (folder / "text.jpg").write_text("no picture")
    (folder / "empty.png").touch()
    os.mkfifo(folder / "pipe.png")
    os.mkfifo(folder / "pipe.csv")
    (folder / "folder.png").mkdir()
    result = run("impose", "pics", *SIZE)
    assert result.exit_code in {1, 3}
    assert "Traceback" not in result.output
    assert not Path("pics_sheets.pdf").exists()
    (folder / "pipe.csv").unlink()
    with pytest.raises(GameError) as refused:
        impose("pics", "x.pdf", size=(63, 88))
    found = {
        f"{each.location.path.name} {each.code.id}"
        for each in refused.value.findings
        if each.location
    }
    assert found == {
        "bomb.png I003",
        "short.png I001",
        "empty.png I002",
        "pipe.png I004",
        "folder.png I004",
        "text.jpg I002",
    }
    for path in folder.iterdir():
        path.rmdir() if path.is_dir() else path.unlink()
    plain(folder.parent / "secret.png")
    (folder / "link.png").symlink_to(folder.parent / "secret.png")
    (folder / "fronts").symlink_to(folder.parent)
    assert set(faults(folder)) == {"E063 the picture is a link that leads out of the folder"}


def test_odd_names_are_names(folder: Path, run: Run) -> None:
    names = ["a\nb.png", "\x1b[31mred.png", "%s {x}.png", "'; rm.png", "ä ü 漢字 x2.png", "-x3.png"]
    for name in names:
        plain(folder / name)
    plain(Path(os.fsdecode(os.fsencode(folder) + b"/\xff\xfe.png")))
    result = run("impose", "pics", *SIZE, "--sheet", "a4-tcg-bleed")
    assert result.exit_code == 0, result.output
    assert "\x1b[31m" not in result.stderr
    with pypdfium2.PdfDocument("pics_sheets.pdf") as pdf:
        assert len(pdf) == 1


def test_thousands_of_pictures_are_many_sheets_or_too_many(folder: Path, run: Run) -> None:
    Image.new("RGB", (63, 88), "#cc4422").save(folder / "0.png")
    for number in range(1, 1200):
        (folder / f"{number}.png").hardlink_to(folder / "0.png")
    result = run("impose", "pics", *SIZE, "--copies", "2")
    assert result.exit_code == 0, result.stderr
    assert "267 sheets" in result.stdout
    for number in range(1200, 5001):
        (folder / f"{number}.png").hardlink_to(folder / "0.png")
    assert faults(folder) == ["E063 there are 5,001 pictures, more than the 5,000 allowed"]


def test_the_order_of_an_export_is_laid_out_again(small: Path, run: Run) -> None:
    xml = '<service name="Own" files="pictures" bleed="3" pages="front" order="table" dpi="100"/>'
    (small / "xml" / "services").mkdir()
    (small / "xml" / "services" / "own.xml").write_text(xml)
    assert run("export", "service", "own", "ember", "--anyway").exit_code == 0
    report: Report = []
    cards = read_folder(small / "out" / "own_ember", None, report)
    assert report == []
    assert cards is not None
    assert sum(card.copies for card in cards) > len(cards) > 3
    assert all(isinstance(card, CardPictures) for card in cards)
    done = run("impose", "out/own_ember", "--size", "65x90", "--sheet", "a4-65x90-bleed")
    assert done.exit_code == 0, done.stderr
    assert "E082" not in done.stderr


def test_a_back_of_no_face_is_told(folder: Path) -> None:
    touch(folder, "Fox.png", "Fux_back.png", "cardback.png")
    report: Report = []
    with report_failure(report):
        read_folder(folder, None, report)
    (finding,) = report
    assert finding.message == "the picture is a back without a face"
    assert finding.location is not None
    assert finding.location.path.name == "Fux_back.png"
    (folder / "Fux_back.png").unlink()
    assert told(folder) == {"Fox.png": ("cardback.png", 1)}
