"""Lengths in finished PDFs, to a hundredth of a millimetre, as pypdf reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream

from conftest import Run, edit
from deckwright.ops.model import Face
from deckwright.sheet.grid import Fold, SheetFormat
from deckwright.sheet.impose import place_back, place_face
from deckwright.sheet.layout import list_formats, load_format
from hostile import write_all
from support import card, line, write_game

MM = 72 / 25.4
Matrix = tuple[float, float, float, float, float, float]
Edges = tuple[float, float, float, float]
"""Left, upper, right and lower."""

FACE = '<face><rect width="{}" height="{}" fill="#204060"/></face>'


def times(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s,
            e * p + f * r + t, e * q + f * s + u)  # fmt: skip


def operators(page: PageObject) -> Iterator[tuple[str, list[float], Matrix, int]]:
    """Yield what a page draws: operator, operands, the matrix in force, and how deep it is."""
    contents = page.get_contents()
    assert contents is not None
    stack: list[Matrix] = [(1, 0, 0, 1, 0, 0)]
    for operands, operator in ContentStream(contents, None).operations:
        name = operator.decode()
        numbers = [float(n) for n in operands if isinstance(n, (int, float))]
        if name == "q":
            stack.append(stack[-1])
        elif name == "Q":
            stack.pop()
        elif name == "cm":
            a, b, c, d, e, f = numbers
            stack[-1] = times((a, b, c, d, e, f), stack[-1])
        yield name, numbers, stack[-1], len(stack)


def on_page(x: float, y: float, matrix: Matrix, page: PageObject) -> tuple[float, float]:
    """Return a point in mm from the top left corner of the page."""
    a, b, c, d, e, f = matrix
    height = float(page.mediabox.height)
    return (a * x + c * y + e) / MM, (height - (b * x + d * y + f)) / MM


def corners(page: PageObject, width: float, height: float) -> list[Edges]:
    """Return the left, upper, right and lower edges of all faces of a page, in order."""
    found = []
    for name, _, matrix, depth in operators(page):
        if name == "cm" and depth == 3:
            x1, y1 = on_page(0, 0, matrix, page)
            x2, y2 = on_page(width, height, matrix, page)
            found.append((min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)))
    return found


def lines(page: PageObject) -> list[Edges]:
    """Return all lines of a page that are no part of a face."""
    found, start = [], (0.0, 0.0)
    for name, numbers, matrix, depth in operators(page):
        if depth == 2 and name == "m":
            start = on_page(numbers[0], numbers[1], matrix, page)
        elif depth == 2 and name == "l":
            found.append((*start, *on_page(numbers[0], numbers[1], matrix, page)))
    return found


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cards = [card("A1", "Ant"), card("A2", "Bee")]
    folder = write_game(tmp_path / "game", cards, decks={"d": [line("A1", 4), line("A2", 1)]})
    monkeypatch.chdir(folder)
    return folder


def sized(game: Path, width: float, height: float) -> None:
    """Make the cards of a game of this size, with backs."""
    face = FACE.format(width, height)
    write_all(game, [("templates/card.xml", face), ("templates/back.xml", face)])
    setup = game / "xml" / "game.xml"
    for tag in ("card", "token"):
        text = setup.read_text(encoding="utf-8")
        start = text.index(f'<kind tag="{tag}"')
        old = text[start : text.index(">", start)]
        new = old.replace('width="65"', f'back="back.xml" width="{width}"')
        edit(setup, old, new.replace('height="90"', f'height="{height}"'))


SIZES = {
    "65x90": (65, 90), "poker": (63.5, 88.9), "tcg": (63, 88), "bridge": (57.15, 88.9),
    "tarot": (70, 120), "mini": (44.45, 63.5), "mini-euro": (44, 68), "euro": (59, 92),
    "usa": (56, 87), "square": (70, 70),
}  # fmt: skip


def size_for(name: str) -> tuple[float, float]:
    if name.startswith("avery"):
        return (30, 10)
    known = name.partition("-")[2].removesuffix("-bleed")
    return SIZES.get(known, (63, 88))


@pytest.mark.corpus(3)
@pytest.mark.parametrize("name", list_formats(Path("nowhere")))
def test_faces_and_backs_are_where_the_format_has_them(game: Path, run: Run, name: str) -> None:
    width, height = size_for(name)
    sized(game, width, height)
    options = ["--sheet", name, "--backs", "--back-offset", "0.7mm,-0.4mm", "--quiet"]
    assert run("deck", "d", *options, "--no-footer").exit_code == 0
    loaded = load_format(name, game / "xml", None, [])
    assert loaded is not None
    sheet = loaded.fit_to(width, height)
    pages = PdfReader(game / "out" / "deck_d.pdf").pages
    expected = expected_pages(sheet, Face(width, height, ()), 5)
    assert len(pages) == len(expected)
    for page, boxes in zip(pages, expected, strict=True):
        assert float(page.mediabox.width) / MM == pytest.approx(sheet.page_width, abs=0.01)
        assert float(page.mediabox.height) / MM == pytest.approx(sheet.page_height, abs=0.01)
        found = corners(page, width, height)
        assert len(found) == len(boxes)
        for edges, box in zip(found, boxes, strict=True):
            assert edges == pytest.approx(box, abs=0.01)


def expected_pages(sheet: SheetFormat, face: Face, copies: int) -> list[list[Edges]]:
    """Return the edges of all faces on all pages."""
    pages: list[list[Edges]] = []
    slots = sheet.slots()
    for first in range(0, copies, len(slots)):
        used = slots[: copies - first]
        fronts = [place_face(face, slot, sheet).box for slot in used]
        offset = (0.0, 0.0) if sheet.fold is not Fold.NONE else (0.7, -0.4)
        backs = [place_back(face, slot, sheet, offset).box for slot in used]
        both = [fronts + backs] if sheet.is_folded else [fronts, backs]
        pages += [[(b.x, b.y, b.right, b.bottom) for b in side] for side in both]
    return pages


@pytest.mark.parametrize("marks", ["crop", "lines", "corners"])
@pytest.mark.parametrize("name", ["a4-65x90", "letter-poker", "a3-tarot", "a4-mini"])
def test_every_cut_is_marked_where_it_is(game: Path, run: Run, name: str, marks: str) -> None:
    width, height = size_for(name)
    sized(game, width, height)
    options = ["--sheet", name, "--marks", marks, "--quiet", "--no-footer"]
    assert run("deck", "d", *options).exit_code == 0
    sheet = load_format(name, game / "xml", None, [])
    assert sheet is not None
    drawn = lines(PdfReader(game / "out" / "deck_d.pdf").pages[0])
    upright = {round(x1, 2) for x1, _, x2, _ in drawn if abs(x1 - x2) < 1e-3}
    level = {round(y1, 2) for _, y1, _, y2 in drawn if abs(y1 - y2) < 1e-3}
    filled = sheet.slots()[:5]
    edges_x = [x for slot in filled for x in (slot.x, slot.right)]
    edges_y = [y for slot in filled for y in (slot.y, slot.bottom)]
    for found, edges in ((upright, edges_x), (level, edges_y)):
        assert all(min(abs(edge - mark) for mark in found) <= 0.01 for edge in edges)
        assert all(min(abs(edge - mark) for edge in edges) <= 0.01 for mark in found)


@pytest.mark.parametrize("name", ["a4-65x90", "letter-65x90", "a3-mini", "a4-bridge", "a4"])
def test_the_ruler_is_a_hundred_millimetres_long_and_outside_of_all_cards(
    game: Path, run: Run, name: str
) -> None:
    width, height = size_for(name)
    sized(game, width, height)
    assert run("deck", "d", "--sheet", name, "--marks", "none", "--quiet").exit_code == 0
    loaded = load_format(name, game / "xml", None, [])
    assert loaded is not None
    sheet = loaded.fit_to(width, height)
    page = PdfReader(game / "out" / "deck_d.pdf").pages[0]
    found = []
    for operator, numbers, matrix, _ in operators(page):
        if operator in {"m", "l"}:
            found.append(on_page(numbers[0], numbers[1], matrix, page))
    ends = list(zip(found[::2], found[1::2], strict=True))
    lengths = [abs(x2 - x1) + abs(y2 - y1) for (x1, y1), (x2, y2) in ends]
    assert sum(abs(length - 100) <= 0.01 for length in lengths) == 1
    slots = sheet.slots()
    inside = [
        (x, y) for pair in ends for x, y in pair
        if any(s.x + 0.01 < x < s.right - 0.01 and s.y + 0.01 < y < s.bottom - 0.01 for s in slots)
    ]  # fmt: skip
    assert inside == []
    edge = 3.99
    assert all(edge <= x <= sheet.page_width - edge for pair in ends for x, _ in pair)
    assert all(edge <= y <= sheet.page_height - edge for pair in ends for _, y in pair)
