"""What is printed, as two engines draw it: each face is where its sheet has it, to 0.05 mm.

Faces are white with a black disc; where that should be is told by its op, or by the page of
the other PDF that it is on, and by the place of the face on the sheet.
"""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pypdfium2
import pytest
from PIL import Image, ImageDraw
from reportlab.pdfgen.canvas import Canvas

from conftest import Run, edit
from deckwright.base.geometry import Box
from deckwright.ops.model import FillPath, walk
from deckwright.ops.outlines import tight_bounds
from deckwright.outputs import imposed
from deckwright.outputs.pages import extend_faces
from deckwright.paint.pdf.document import PdfWriter
from deckwright.paint.pdf.foreign import PageCrops, write_foreign_pages
from deckwright.sheet.pages import Page
from support import card, line, write_game

POINT = 25.4 / 72
DOTS_PER_INCH = 254
"""Ten to the millimetre."""
OFF = 0.05
"""How far print may be from where it should be, in mm."""
NEAR = 1.0
"""What is white around each disc at least, in mm."""
FACE = """<face>
  <rect width="{0}.width" height="{0}.height" fill="#ffffff"/>
  <circle cx="{1}" cy="{2}" r="{3}" fill="#000000"/>
</face>
"""
MARKERS = """<markers face="marker.xml">
  <marker id="luck" name="Luck" label="l" color="red" size="20" count="9"/>
  <marker id="fog" name="Fog" label="f" color="blue" size="15" count="3"/>
</markers>
"""


Found = list[list[list[Box]]]
"""Where there should be black on the pages of each file that is painted."""


def in_faces(page: Page) -> Iterator[Box]:
    """Yield where faces of a page have black, as their ops say."""
    for placed in page.faces:
        for op in walk(placed.face.ops):
            if isinstance(op, FillPath) and op.color == "#000000":
                yield tight_bounds(op.outline).transform(placed.matrix)


def in_leaves(page: Page, leaves: PageCrops) -> Iterator[Box]:
    """Yield where pages of another PDF have black that are on a page."""
    for placed in page.faces:
        leaf = leaves[id(placed.face)]
        inside = Box(0, 0, placed.face.width, placed.face.height).expand(-STRIP)
        for disc in drawn_on(leaf.page.width, leaf.page.height):
            box = disc.transform(leaf.matrix)
            if inside.intersection(box) == box:
                yield box.transform(placed.matrix)


STRIP = 2.0
"""So near to its edges nothing on a leaf is looked at."""


def drawn_on(width: float, height: float) -> list[Box]:
    """Return the boxes of discs on a page of other PDFs, in points from its lower left corner."""
    count = max(1, round(width / 40))
    return [
        Box((7 + 40 * column) / POINT, (9 + 40 * row) / POINT, 12 / POINT, 12 / POINT)
        for column in range(count)
        for row in range(max(1, round(height / 40)))
    ]


def write_discs(path: Path, width: float, height: float, number: int) -> None:
    canvas = Canvas(str(path), pagesize=(width / POINT, height / POINT))
    for _ in range(number):
        for box in drawn_on(width, height):
            disc = wanted(box)
            canvas.circle(disc.x, disc.y, disc.radius, fill=1, stroke=0)
        canvas.showPage()
    canvas.save()


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_game(tmp_path / "game", [card("A1", "Ant")], decks={"hill": [line("A1", 20)]})
    setup = folder / "xml" / "game.xml"
    text = setup.read_text(encoding="utf-8")
    text = text.replace('face="card.xml"', 'face="card.xml" back="b.xml"')
    setup.write_text(text, encoding="utf-8")
    edit(setup, "  <sheet", f"{MARKERS}  <sheet")
    black = (17, 37, 8)
    for name, (width, height), place in (
        ("card", (65, 90), black),
        ("b", (65, 90), (33, 25, 7)),
        ("slip", (64, 89), black),
        ("marker", ("{{ marker.width }}", "{{ marker.height }}"), (6, 7, 3)),
    ):
        face = FACE.format("", *place).replace('".width"', f'"{width}"')
        face = face.replace('".height"', f'"{height}"')
        (folder / "templates" / f"{name}.xml").write_text(face, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Found:
    """What is painted to each file while the test runs."""
    sheets: Found = []

    def noted(made: Iterable[Page], black: Callable[[Page], Iterator[Box]]) -> None:
        sheets.append([[*black(page)] for page in made])

    paint: Callable[..., None] = PdfWriter.write
    place: Callable[..., None] = write_foreign_pages

    def painted(
        writer: PdfWriter, stream: object, made: Sequence[Page], *others: object, **more: object
    ) -> None:
        # Foreign pages are placed on sheets without faces.
        if any(page.faces for page in made):
            noted(extend_faces(made), in_faces)
        paint(writer, stream, made, *others, **more)

    def placed(stream: object, made: Sequence[Page], leaves: PageCrops, *others: object) -> None:
        noted(made, lambda page: in_leaves(page, leaves))
        place(stream, made, leaves, *others)

    monkeypatch.setattr(PdfWriter, "write", painted)
    monkeypatch.setattr(imposed, "write_foreign_pages", placed)
    return sheets


Drawn = tuple[Image.Image, tuple[float, float]]
"""A page, and how many dots it has to the millimetre, across and down."""


def by_pdfium(path: Path, page: int) -> Drawn:
    """Return a page as pdfium draws it, which stretches it to whole dots."""
    with pypdfium2.PdfDocument(path) as pdf:
        picture = pdf[page].render(scale=DOTS_PER_INCH / 72, grayscale=True).to_pil()
        width, height = (side * POINT for side in pdf[page].get_size())
        return picture, (picture.width / width, picture.height / height)


def by_poppler(path: Path, page: int) -> Drawn:
    """Return a page as poppler draws it, which adds to it what lacks of whole dots."""
    number = str(page + 1)
    command = ["pdftoppm", "-gray", "-r", str(DOTS_PER_INCH), "-f", number, "-l", number, str(path)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    return Image.open(io.BytesIO(done.stdout)), (DOTS_PER_INCH / 25.4, DOTS_PER_INCH / 25.4)


ENGINES = {"pdfium": by_pdfium, "poppler": by_poppler}


class Disc(NamedTuple):
    """A black disc, in mm."""

    x: float
    y: float
    radius: float


def seen(picture: Image.Image, dots: tuple[float, float], box: Box) -> Disc:
    """Return the black disc that is seen where one should fill `box`, to a share of a dot.

    Args:
        dots: how many there are to the millimetre, across and down.
    """
    across, down = dots
    near = box.expand(NEAR)
    left, top = round(near.x * across), round(near.y * down)
    part = picture.crop((left, top, round(near.right * across), round(near.bottom * down)))
    dark = 1 - np.asarray(part.convert("L"), float) / 255
    ink = dark.sum()
    x = (dark.sum(axis=0) * (np.arange(dark.shape[1]) + 0.5)).sum() / ink
    y = (dark.sum(axis=1) * (np.arange(dark.shape[0]) + 0.5)).sum() / ink
    return Disc((left + x) / across, (top + y) / down, (ink / across / down / np.pi) ** 0.5)


def wanted(box: Box) -> Disc:
    """Return the disc that fills a box."""
    return Disc(box.x + box.width / 2, box.y + box.height / 2, box.width / 2)


CASES = {
    "a sheet": ("deck", "hill", "--backs", "--sheet", "a4-bleed"),
    "turned": ("deck", "hill", "--sheet", "a4", "--turn"),
    "folded": ("deck", "hill", "--sheet", "a4-gutterfold"),
    "labels": ("deck", "hill", "--sheet", "avery-l7165", "--scale", "fit"),
    "a machine": ("deck", "hill", "--cut", "silhouette"),
    "turned for a machine": ("deck", "hill", "--cut", "silhouette", "--sheet", "a4", "--turn"),
    "slips": ("deck", "hill", "--slips"),
    "markers": ("markers",),
    "markers on labels": ("markers", "--sheet", "avery-5293", "--scale", "fit"),
    "imposed": ("impose", "cards.pdf", "--size", "63x88", "--backs", "last", "--turn"),
    "a booklet": ("booklet", "book.pdf"),
    "a zine": ("booklet", "book.pdf", "--zine"),
    "a poster": ("poster", "board.pdf", "--size", "a3"),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CASES)
def test_faces_are_drawn_where_their_sheet_has_them(
    game: Path, run: Run, found: Found, case: str, engine: str
) -> None:
    if engine == "poppler" and shutil.which("pdftoppm") is None:
        pytest.skip("poppler's pdftoppm is not installed")
    if case.startswith("turned"):
        setup = game / "xml" / "game.xml"
        text = setup.read_text(encoding="utf-8").replace('width="65"', 'width="44"')
        setup.write_text(text.replace('height="90"', 'height="68"'), encoding="utf-8")
    for name, width, height, number in (
        ("cards", 63, 88, 12),
        ("book", 105, 148, 8),
        ("board", 210, 148, 1),
    ):
        write_discs(game / f"{name}.pdf", width, height, number)
    done = run(*CASES[case], "--out", "made.pdf")
    assert (done.exit_code, done.stderr) == (0, "")
    (made,) = found
    shown = [number for number, black in enumerate(made) if black][-2:]
    assert shown
    for number in shown:
        picture, dots = ENGINES[engine](game / "made.pdf", number)
        for box in made[number]:
            assert [*seen(picture, dots, box)] == pytest.approx([*wanted(box)], abs=OFF)


def test_the_comparison_sees_a_shift_of_more_than_it_allows() -> None:
    picture = Image.new("L", (500, 500), 255)
    ImageDraw.Draw(picture).ellipse((100, 150, 299, 349), fill=0)
    dots, box = (10, 10), Box(10, 15, 20, 20)
    assert [*seen(picture, dots, box)] == pytest.approx([20, 25, 10], abs=0.01)
    for off in (box._replace(x=10.07), box._replace(y=14.93), box.expand(0.07)):
        assert [*seen(picture, dots, off)] != pytest.approx([*wanted(off)], abs=OFF)
