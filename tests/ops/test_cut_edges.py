"""Where faces end on a sheet: at their trim box, with square corners, whatever they draw."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops

from conftest import Run, edit
from deckwright.base.geometry import Box, Crop
from deckwright.ops.bleed import add_bleed, square_corners
from deckwright.ops.model import DrawImage, Face, FillPath, Group, StrokePath
from deckwright.ops.outlines import ellipse, polygon, rectangle
from hostile import write_all
from support import card, line, write_game

pytestmark = pytest.mark.usefixtures("shipped_checked")

DPI = 254  # ten pixels to the millimetre
WHITE, DARK, RED = (255, 255, 255), (32, 64, 96), (255, 0, 0)
LEFT, TOP = 75, 135  # of the grid of a4-65x90, in tenths of a millimetre
ROUND = '<rect width="65" height="90" rx="4" fill="#204060"/>'
WIDE = '<circle cx="0" cy="45" r="12" fill="#204060"/>'


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with a deck of one card four times, and of four that it has once."""
    cards = [card(f"A{number}", f"Ant {number}") for number in range(1, 6)]
    lines = [line("A1", 4), *(line(f"A{number}") for number in range(2, 6))]
    folder = write_game(tmp_path / "game", cards, decks={"d": lines})
    monkeypatch.chdir(folder)
    return folder


def printed(run: Run, *options: str) -> Image.Image:
    """Return the first page of the deck."""
    always = ("--marks", "none", "--no-footer", "--quiet", "--no-backs", "--out", "deck.pdf")
    result = run("deck", "d", *always, *options)
    assert result.exit_code == 0, result.stderr
    with pypdfium2.PdfDocument("deck.pdf") as pdf:
        picture: Image.Image = pdf[0].render(scale=DPI / 72).to_pil()
        return picture.convert("RGB")


def face(*inside: str) -> str:
    return f"<face>{''.join(inside)}</face>"


def test_faces_end_at_their_trim_box_printed_once_or_often(game: Path, run: Run) -> None:
    """Half a circle at the left edge of each card is seen on this card alone."""
    write_all(game, [("templates/card.xml", face(WIDE))])
    page = printed(run)
    for number in range(8):
        x, y = LEFT + 650 * (number % 3), TOP + 900 * (number // 3) + 450
        assert page.getpixel((x + 100, y)) == DARK, number
        assert page.getpixel((x - 3, y)) == WHITE, number
        assert page.getpixel((x + 3, y)) == DARK, number


def test_faces_end_at_their_bleed_on_sheets_with_some(game: Path, run: Run) -> None:
    sheet = '<sheet page-width="210" page-height="297" columns="2" rows="2" gutter="8" bleed="3"/>'
    write_all(game, [("templates/card.xml", face(WIDE)), ("xml/sheets/wide.xml", sheet)])
    page = printed(run, "--sheet", "wide")
    left, top = (2100 - 2 * 650 - 80) // 2, (2970 - 2 * 900 - 80) // 2
    for number in range(4):
        x, y = left + 730 * (number % 2), top + 980 * (number // 2) + 450
        assert page.getpixel((x - 27, y)) == DARK, number
        assert page.getpixel((x - 33, y)) == WHITE, number


def test_a_scaled_face_ends_at_its_slot(game: Path, run: Run) -> None:
    """A card of 65 x 90 mm leaves 0.5 mm of a poker slot free; its ground fills that, too."""
    tall = '<rect x="20" y="-9" width="9" height="200" fill="red"/>'
    write_all(game, [("templates/card.xml", face(ROUND, tall))])
    page = printed(run, "--sheet", "a4-poker", "--scale", "fit")
    top = round((2970 - 3 * 889) / 2)
    assert page.getpixel((330, top + 3)) in {DARK, RED}
    assert page.getpixel((90 + round(240 * 63.5 / 65), top - 4)) == WHITE
    # Where the first two rows meet nothing is white.
    column = [page.getpixel((140, top + 889 + step)) for step in range(-8, 9)]
    assert set(column) == {DARK}


def test_round_grounds_are_squared_off_and_outlines_stay(game: Path, run: Run) -> None:
    outline = '<rect x="1" y="1" width="63" height="88" rx="4" stroke="red" stroke-width="0.6"/>'
    write_all(game, [("templates/card.xml", face(ROUND, outline))])
    page = printed(run)
    corner = [page.getpixel((LEFT + 650 + x, TOP + 900 + y)) for x in (-4, 4) for y in (-4, 4)]
    assert corner == [DARK] * 4
    assert page.getpixel((LEFT + 10, TOP + 450)) == RED
    # The outline is round: at its corner the ground is seen.
    assert page.getpixel((LEFT + 11, TOP + 11)) == DARK


BOOK = """<rulebook title="T"><chapter title="C"><figure><card faction="AA" id="A1">
<callout x="50" y="9">Here.</callout></card></figure></chapter></rulebook>"""


@pytest.mark.parametrize("book", ["overview", "rulebook"])
def test_faces_in_books_end_at_their_trim_box(game: Path, run: Run, book: str) -> None:
    """Half a circle at the left edge of each card is half as wide as high."""
    write_all(game, [("templates/card.xml", face(WIDE)), ("xml/rulebook.xml", BOOK)])
    result = run(book, "--quiet", "--out", "all.pdf")
    assert result.exit_code == 0, result.stderr
    widest = highest = 0
    with pypdfium2.PdfDocument("all.pdf") as pdf:
        for page in pdf:
            picture = page.render(scale=DPI / 2 / 72).to_pil().convert("RGB")
            dark = picture.point([255 * (v == 32) for v in range(256)]  # the red of the circle
                                 + [255 * (v == 64) for v in range(256)]
                                 + [255 * (v == 96) for v in range(256)])  # fmt: skip
            mask = ImageChops.darker(ImageChops.darker(*dark.split()[:2]), dark.split()[2])
            widest = max(widest, *map(_run, _lines(mask)))
            highest = max(highest, *map(_run, _lines(mask.transpose(Image.Transpose.ROTATE_90))))
    assert highest > 50
    assert widest == pytest.approx(highest / 2, rel=0.1)


def _lines(mask: Image.Image) -> list[bytes]:
    data, width = mask.tobytes(), mask.width
    return [data[start : start + width] for start in range(0, len(data), width)]


def _run(line: bytes) -> int:
    """Return the length of the longest run of what is not black."""
    return max(map(len, line.split(b"\0")))


def test_a_picture_alone_keeps_its_round_corners(game: Path, run: Run) -> None:
    write_all(game, [("templates/card.xml", face(ROUND))])
    assert run("export", "png", "A1", "--dpi", "100", "--out", "png/").exit_code == 0
    picture = Image.open(next(Path("png").rglob("*.png"))).convert("RGB")
    assert picture.getpixel((0, 0)) == WHITE


GROUND = FillPath(rectangle(0, 0, 60, 90, 4), "#204060")


@pytest.mark.parametrize(
    "op",
    [
        FillPath(rectangle(0, 0, 60, 90), "#204060"),
        FillPath(rectangle(-3, -3, 66, 96), "#204060"),
        Group((FillPath(rectangle(-10, -10, 70, 100), "#204060"),), (1, 0, 0, 1, 5, 5)),
        # These cover nothing.
        FillPath(rectangle(9, 9, 40, 70, 4), "#204060"),
        StrokePath(rectangle(0, 0, 60, 90, 4), "#204060", 1),
        FillPath((*rectangle(0, 0, 60, 90, 4), *rectangle(3, 3, 54, 84)), "#204060", even_odd=True),
        FillPath(polygon([(0, 0), (60, 0), (30, 45), (60, 90), (0, 90), (30, 45)]), "#204060"),
    ],
)  # fmt: skip
def test_what_needs_no_larger_ground_stays_as_it_is(op: FillPath) -> None:
    plain = Face(60, 90, (op,))
    assert square_corners(plain, 0, 0) is plain


@pytest.mark.parametrize(
    "op",
    [
        GROUND,
        FillPath(ellipse(30, 45, 30, 45), "#204060"),
        FillPath(polygon([(15, 0), (45, 0), (60, 45), (45, 90), (15, 90), (0, 45)]), "#204060"),
        FillPath(rectangle(0.2, 0.2, 59.6, 89.6), "#204060"),
        Group((FillPath(rectangle(0, 0, 60, 90), "#204060"),), clip=rectangle(0, 0, 60, 90, 4)),
    ],
)
def test_a_ground_that_leaves_corners_or_edges_free_is_laid_below(op: FillPath) -> None:
    plain = Face(60, 90, (op, StrokePath(rectangle(1, 1, 58, 88, 4), "#ff0000", 1)))
    assert square_corners(plain, 0, 0).ops == (
        FillPath(rectangle(0, 0, 60, 90), "#204060"),
        *plain.ops,
    )
    assert square_corners(plain, 1, 2).ops[0] == FillPath(rectangle(-1, -2, 62, 94), "#204060")
    assert add_bleed(plain, 0) is plain


def test_a_picture_in_a_round_frame_is_laid_below(tmp_path: Path) -> None:
    image = DrawImage(tmp_path / "a.png", Box(0, 0, 60, 90), cover=True)
    plain = Face(60, 90, (Group((image,), clip=rectangle(0, 0, 60, 90, 4)),))
    assert square_corners(plain, 0, 0).ops[0] == image


def test_a_template_that_draws_its_own_bleed_is_left_alone() -> None:
    plain = Face(60, 90, (GROUND,), bleed=3)
    assert square_corners(plain, 0, 0) is square_corners(plain, 3, 3) is plain
    assert square_corners(plain, 4, 4).ops[0] == FillPath(rectangle(-4, -4, 68, 98), "#204060")


def test_a_picture_has_no_seam_where_the_cut_should_be(tmp_path: Path) -> None:
    image = DrawImage(tmp_path / "a.png", Box(0, 0, 60, 93), cover=True, crop=Crop(0.5, 0.2, 2))
    above = FillPath(rectangle(5, 5, 9, 9), "#204060")
    wide = square_corners(Face(60, 90, (image, above)), 3, 2)
    assert wide.ops == (image._replace(box=Box(-3, -2, 66, 95)), above)


def test_the_corners_of_markers_are_squared_off(run: Run, game: Path) -> None:
    ground = '<rect width="20" height="20" rx="3" fill="#204060"/>'
    write_all(game, [("templates/marker.xml", face(ground))])
    edit(
        game / "xml" / "game.xml", "</game>",
        '<markers face="marker.xml"><marker id="m" count="90" size="20" name="M" label="M" '
        'color="red"/></markers></game>',
    )  # fmt: skip
    result = run("markers", "--quiet", "--out", "markers.pdf")
    assert result.exit_code == 0, result.stderr
    with pypdfium2.PdfDocument("markers.pdf") as pdf:
        page = pdf[0].render(scale=DPI / 72).to_pil().convert("RGB")
    # Between the cut lines of four markers there is no white.
    middle = {page.getpixel((1050 + x, y)) for x in (-4, 4) for y in range(1000, 2000)}
    assert WHITE not in middle
