"""Cards on sheets, from the command line to the pixels."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import reduce
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops
from pypdf import PdfReader
from pypdf.generic import RectangleObject

from conftest import Run, edit
from hostile import write_all
from support import card, line, token_rule, write_game

MM = 72 / 25.4
DPI = 254  # ten pixels to the millimetre
Pick = Callable[[Image.Image, Image.Image], Image.Image]
"""Picks the darker or the lighter of each two pixels."""

FACE = """<face>
  <rect x="-2" y="-2" width="69" height="94" fill="#ffffff"/>
  <rect x="5" y="8" width="20" height="30" fill="#000000"/>
  <text x="10" y="50" font-size="9pt">{{ card.name }}</text>
</face>"""
BACK = """<face>
  <rect x="40" y="8" width="20" height="30" fill="#000000"/>
</face>"""


pytestmark = pytest.mark.usefixtures("game")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game whose backs show a block that lies behind that of the faces."""
    cards = [card("A1", "Ant"), card("A2", "Bee"), card("A3", "Cow")]
    decks = {"d": [line("A1", 7), line("A2", 3), line("A3", 1)]}
    folder = write_game(tmp_path / "game", cards, rules=[token_rule("r", "Egg")], decks=decks)
    write_all(folder, [("templates/card.xml", FACE), ("templates/back.xml", BACK)])
    edit(folder / "xml" / "game.xml", '<kind tag="card"', '<kind tag="card" back="back.xml"')
    monkeypatch.chdir(folder)
    return folder


def pictures(path: Path) -> list[Image.Image]:
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.render(scale=DPI / 72).to_pil().convert("L") for page in pdf]


def blocks(picture: Image.Image) -> Image.Image:
    """Return where large dark areas are: what is thinner than a millimetre is left out."""
    return of_square(picture.point(lambda v: 255 if v > 128 else 0), ImageChops.lighter, 2)


def of_square(picture: Image.Image, pick: Pick, reach: int) -> Image.Image:
    """Return for each pixel the one picked of the square around it.

    This is what filters of Pillow do, by rows and then by columns, in a tenth of the time. The
    edges of paper are white, so it does not matter what lies beyond them.
    """
    for across, down in ((1, 0), (0, 1)):
        steps = range(-reach, reach + 1)
        moved = (ImageChops.offset(picture, step * across, step * down) for step in steps)
        picture = reduce(pick, moved)
    return picture


def turned(picture: Image.Image, *, upright: bool) -> Image.Image:
    """Return what is seen of a back through the paper."""
    way = Image.Transpose.FLIP_LEFT_RIGHT if upright else Image.Transpose.FLIP_TOP_BOTTOM
    return picture.transpose(way)


def difference(first: Image.Image, second: Image.Image) -> int:
    """Return how many pixels differ by much, where three side by side do."""
    apart = of_square(ImageChops.difference(first, second), ImageChops.darker, 1)
    return sum(apart.histogram()[64:])


@pytest.mark.corpus(4)
@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize("sheet", ["a4-65x90", "letter-65x90", "a3-65x90"])
def test_backs_lie_behind_their_faces(game: Path, run: Run, flip: str, sheet: str) -> None:
    """The block on the back is where the block of the face is, for one who sees through paper."""
    result = run("deck", "d", "--backs", "--flip", flip, "--sheet", sheet, "--marks", "none",
                 "--no-footer", "--quiet")  # fmt: skip
    assert result.exit_code == 0, result.stderr
    pages = pictures(game / "out" / "deck_d.pdf")
    assert len(pages) == (4 if sheet != "a3-65x90" else 2)
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        upright = (flip == "long") == (front.height >= front.width)
        # On its head a back is behind its face, but its block is at the other end.
        if upright:
            assert difference(blocks(front), blocks(turned(back, upright=True))) == 0
        else:
            through = turned(back, upright=False)
            assert difference(blocks(front), blocks(through)) == 0
        assert blocks(front).histogram()[0] > 1000


@pytest.mark.parametrize("flip", ["long", "short"])
def test_backs_lie_behind_faces_that_are_turned(game: Path, run: Run, flip: str) -> None:
    sheet = '<sheet page-width="165" page-height="140" margin="5" marks="none" turn="true"/>'
    write_all(game, [("xml/sheets/own.xml", sheet)])
    run("deck", "d", "--backs", "--flip", flip, "--sheet", "own", "--no-footer")
    pages = pictures(game / "out" / "deck_d.pdf")
    assert len(pages) == 8  # three on a sheet that has room for two if they all stand
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        upright = (flip == "long") == (front.height >= front.width)
        through = turned(back, upright=upright)
        assert difference(blocks(front), blocks(through)) == 0
        assert blocks(front).histogram()[0] > 1000


def test_a_half_filled_sheet_is_mirrored_on_the_whole_grid(game: Path, run: Run) -> None:
    run("deck", "d", "--backs", "--marks", "none", "--no-footer", "--quiet")
    last = pictures(game / "out" / "deck_d.pdf")[-1]
    # Two copies: their backs are at the right of the sheet.
    left, _, right, _ = ImageChops.invert(blocks(last)).getbbox() or (0, 0, 0, 0)
    assert left > last.width / 3
    assert right > last.width * 2 / 3


def test_the_offset_moves_backs_alone(run: Run) -> None:
    options = ["--backs", "--marks", "none", "--no-footer", "--quiet"]
    run("deck", "d", *options, "--out", "plain.pdf")
    run("deck", "d", *options, "--back-offset", "2mm,-1mm", "--out", "moved.pdf")
    plain, moved = pictures(Path("plain.pdf")), pictures(Path("moved.pdf"))
    assert difference(plain[0], moved[0]) == 0
    boxes = [ImageChops.invert(blocks(pages[1])).getbbox() for pages in (plain, moved)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    steps = [b - a for a, b in zip(boxes[0], boxes[1], strict=True)]
    assert steps == pytest.approx([20, -10, 20, -10], abs=1)


def test_a_folded_sheet_has_its_backs_behind_the_fold(game: Path, run: Run) -> None:
    result = run("deck", "d", "--sheet", "a4-gutterfold", "--marks", "none", "--no-footer")
    assert result.exit_code == 0
    pages = pictures(game / "out" / "deck_d.pdf")
    assert len(pages) == 3  # 11 copies, four on a sheet
    for page in pages:
        seen = blocks(page)
        half = (0, 0, page.width // 2, page.height)
        other = (page.width - page.width // 2, 0, page.width, page.height)
        assert difference(seen.crop(half), turned(seen.crop(other), upright=True)) == 0


def test_backs_apart_are_a_file_of_their_own(run: Run) -> None:
    assert run("deck", "d", "--backs", "--quiet", "--out", "both.pdf", "--no-footer").exit_code == 0
    result = run("deck", "d", "--backs-apart", "--out", "apart.pdf", "--no-footer")
    assert result.exit_code == 0
    assert "apart.pdf" in result.stdout
    assert "apart_backs.pdf" in result.stdout
    both = pictures(Path("both.pdf"))
    for pages, name in ((both[::2], "apart.pdf"), (both[1::2], "apart_backs.pdf")):
        alone = pictures(Path(name))
        assert [difference(*pair) for pair in zip(pages, alone, strict=True)] == [0, 0]


def boxes(page: object) -> tuple[RectangleObject, RectangleObject, RectangleObject]:
    return page.mediabox, page.trimbox, page.bleedbox  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("sheet", "bleed"), [("card-3mm", 3), ("card-eighth-inch", 3.175), ("card", 0)]
)
def test_a_card_a_page_has_its_boxes(game: Path, run: Run, sheet: str, bleed: float) -> None:
    assert run("deck", "d", "--sheet", sheet, "--backs", "--quiet").exit_code == 0
    reader = PdfReader(game / "out" / "deck_d.pdf")
    assert len(reader.pages) == 22
    for page in reader.pages:
        media, trim, bleed_box = ([float(n) / MM for n in box] for box in boxes(page))
        assert media == pytest.approx([0, 0, 65 + 2 * bleed, 90 + 2 * bleed], abs=0.01)
        assert trim == pytest.approx([bleed, bleed, 65 + bleed, 90 + bleed], abs=0.01)
        assert bleed_box == pytest.approx(media, abs=0.01)


def test_a_ground_that_fills_the_face_is_made_larger_for_the_bleed(game: Path, run: Run) -> None:
    face = '<face><rect width="65" height="90" rx="4" fill="#246"/></face>'
    write_all(game, [("templates/card.xml", face)])
    run("deck", "d", "--sheet", "card-3mm", "--no-backs", "--quiet")
    first = pictures(game / "out" / "deck_d.pdf")[0]
    assert first.getextrema()[0] == first.getextrema()[1]


def test_a_face_drawn_beyond_its_bleed_is_cut_off(game: Path, run: Run) -> None:
    wide = '<face><rect x="-9" y="-9" width="83" height="108" fill="#204060"/></face>'
    write_all(game, [("templates/card.xml", wide)])
    edit(game / "xml" / "game.xml", '<kind tag="card" back', '<kind tag="card" bleed="9" back')
    run("deck", "d", "--only", "Cow", "--no-backs", "--marks", "none", "--no-footer", "--quiet")
    box = ImageChops.invert(pictures(game / "out" / "deck_d_part.pdf")[0]).getbbox()
    assert box == pytest.approx([75, 135, 725, 1035], abs=1)


def test_scale_fit_fills_the_slots_of_other_cards(game: Path, run: Run) -> None:
    refused = run("deck", "d", "--sheet", "a4-poker", "--quiet")
    assert refused.exit_code == 1
    assert "65 × 90 mm" in refused.stderr
    assert "--scale fit" in refused.stderr
    assert run("deck", "d", "--sheet", "a4-poker", "--scale", "fit", "--quiet").exit_code == 0
    contents = PdfReader(game / "out" / "deck_d.pdf").pages[0].get_contents()
    assert contents is not None
    scale = f"{63.5 / 65:.8g}"
    assert contents.get_data().decode("latin-1").count(f"q {scale} 0 0 {scale} ") == 9


def test_a_sheet_with_a_ruler_of_a_hundred_millimetres_and_a_footer(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert run("deck", "d", "--quiet").exit_code == 0
    page = PdfReader(game / "out" / "deck_d.pdf").pages[1]
    text = page.extract_text()
    assert "Test · Deck · Page 2/2 · 14 November 2023 · print at 100 %" in text.replace("\n", " ")
    assert "100 mm" in text
    contents = page.get_contents()
    assert contents is not None
    # The ruler begins with a line of 100 mm in a system of millimetres.
    assert b"5 289.4 m 105 289.4 l " in contents.get_data()
    assert run("deck", "d", "--quiet", "--no-footer").exit_code == 0
    assert "100 mm" not in PdfReader(game / "out" / "deck_d.pdf").pages[1].extract_text()


def test_the_date_is_that_of_the_newest_file(game: Path, run: Run) -> None:
    for path in game.rglob("*"):
        os.utime(path, (1e9, 1e9))
    os.utime(game / "templates" / "card.xml", (1.1e9, 1.1e9))
    assert run("deck", "d", "--quiet").exit_code == 0
    assert "9 November 2004" in PdfReader(game / "out" / "deck_d.pdf").pages[0].extract_text()


def words_in(path: Path) -> list[str]:
    words = " ".join(page.extract_text() for page in PdfReader(path).pages).split()
    return [word for word in words if word in {"Ant", "Bee", "Cow"}]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--only", "A2,Cow"], ["Bee"] * 3 + ["Cow"]),
        (["--only", "A3", "--only", "A2", "--copies", "2"], ["Bee"] * 2 + ["Cow"] * 2),
        (["--copies", "1"], ["Ant", "Bee", "Cow"]),
    ],
)
def test_some_cards_alone(game: Path, run: Run, options: list[str], expected: list[str]) -> None:
    assert run("deck", "d", "--quiet", "--no-footer", *options).exit_code == 0
    assert words_in(game / "out" / "deck_d_part.pdf") == expected
    assert not list((game / "out").glob("*.json"))


def test_a_card_that_is_not_in_the_deck_is_named(game: Path, run: Run) -> None:
    result = run("deck", "d", "--only", "A2,Amt")
    assert result.exit_code == 1
    assert "R019: there is no card `Amt` in the deck" in result.stderr
    assert "did you mean `Ant`?" in result.stderr
    assert not (game / "out").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--sheet", "a4-pokr"], "did you mean `a4-poker`?"),
        (["--back-offset", "1"], "not of the form X,Y"),
        (["--backs-apart", "--no-backs"], "cannot be used together"),
        (["--copies", "0"], "0"),
    ],
)
def test_wrong_usage(game: Path, run: Run, options: list[str], words: str) -> None:
    result = run("deck", "d", *options)
    assert result.exit_code == 2
    assert words in result.stderr
    assert not (game / "out").exists()


def test_cards_of_two_sizes_have_sheets_of_their_own(game: Path, run: Run) -> None:
    setup = game / "xml" / "game.xml"
    edit(setup, '<kind tag="token" name="Token" token="true" width="65" height="90"',
         '<kind tag="token" name="Token" token="true" width="44" height="68"')  # fmt: skip
    cards = game / "xml" / "Factions" / "AA_cards.xml"
    cow = 'name="Cow" faction_id="AA" level="1" actions="0" costs="0">'
    edit(cards, cow, cow + '<rule id="r"/>')
    edit(cards, 'name="Bee" faction_id="AA" level="1"', 'name="Bee" faction_id="AA" level="2"')
    result = run("deck", "d", "--sheet", "a4")
    assert result.exit_code == 0, result.stderr
    assert "tokens  5 (Egg 5)" in result.stdout
    assert "3 sheets of cards" in result.stdout
    assert run("deck", "d", "--quiet").exit_code == 1


def test_what_has_changed_since_a_print(game: Path, run: Run) -> None:
    assert run("deck", "d", "--quiet").exit_code == 0
    kept = (game / "out" / "deck_d.pdf").read_bytes()
    edit(game / "xml" / "Factions" / "AA_cards.xml", 'name="Bee"', 'name="Bat"')
    edit(game / "xml" / "Decks" / "d.xml", 'id="A1" amount="7"', 'id="A1" amount="9"')
    result = run("deck", "d", "--changed-since", "out/deck_d.manifest.json")
    assert result.exit_code == 0, result.stderr
    assert "  A1 Ant: 7 → 9 copies\n" in result.stdout
    assert "  A2 Bat: name Bee → Bat\n" in result.stdout
    words = " ".join(
        page.extract_text() for page in PdfReader(game / "out" / "deck_d_changed.pdf").pages
    ).split()
    assert [word for word in words if word in {"Ant", "Bat", "Cow"}] == ["Ant"] * 2 + ["Bat"] * 3
    assert (game / "out" / "deck_d.pdf").read_bytes() == kept
    # The next print is compared with this one; the PDF stands for its manifest.
    again = run("deck", "d", "--changed-since", "out/deck_d_changed.pdf")
    assert again.exit_code == 0
    assert "nothing that is printed" in again.stdout
    assert "file" not in again.stdout


def test_a_manifest_that_is_none_is_reported(game: Path, run: Run) -> None:
    (game / "x.json").write_text("{}", encoding="utf-8")
    result = run("deck", "d", "--changed-since", "x.json")
    assert result.exit_code in {1, 3}
    assert "x.json" in result.stderr
    assert not (game / "out").exists()
