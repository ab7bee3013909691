"""A text across all faces, on whatever they are printed."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from conftest import Run, edit
from deckwright.faces.copies import Copy
from deckwright.faces.watermark import Watermark
from deckwright.ops.model import Face
from deckwright.ops.outlines import extent
from support import HalfEm, card, line, load_all, token_rule, uses, write_game

EMPTY = "<face/>"
GRAY = "#6e6e6e"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A German game of faces and backs on which there is nothing."""
    cards = [card("A1", "Ant", "AA", uses("call")), card("A2", "Ameise")]
    decks = {"d": [line("A1", 2), line("A2")]}
    rules = [token_rule("call", "Wolf")]
    folder = write_game(tmp_path / "game", cards, rules=rules, decks=decks, face=EMPTY)
    (folder / "templates" / "back.xml").write_text(EMPTY, encoding="utf-8")
    setup = folder / "xml" / "game.xml"
    for kind in ("card", "token"):
        edit(setup, f'<kind tag="{kind}"', f'<kind tag="{kind}" back="back.xml"')
    edit(setup, 'language="en">', 'language="de"><words><word id="draft" text="Entwurf"/></words>')
    monkeypatch.chdir(folder)
    return folder


@given(
    text=st.text("AEMW", min_size=1, max_size=60),
    width=st.floats(20, 300),
    height=st.floats(20, 300),
)
def test_it_is_within_the_face_whatever_its_length(text: str, width: float, height: float) -> None:
    face = Watermark(text, "text-bold", HalfEm()).apply(Face(width, height, ()))
    box = extent(face.ops)
    assert box is not None
    assert min(box.x, box.y) > 0
    assert box.right < width
    assert box.bottom < height
    assert (box.x + box.right) / 2 == pytest.approx(width / 2, abs=0.1)


def test_one_face_is_marked_once_and_faces_of_one_size_share_the_mark(game: Path) -> None:
    mark = Watermark("DRAFT", "text-bold", HalfEm())
    first, second = Face(65, 90, ()), Face(65, 90, (), subject="another")
    assert mark.apply(first) is mark.apply(first)
    assert mark.apply(first).ops[-1] is mark.apply(second).ops[-1]
    ant = load_all(game).cards["AA", "A1"]
    (copy,) = mark.apply_to_copies([Copy(ant, "AA", first, second)])
    assert (copy.face, copy.back) == (mark.apply(first), mark.apply(second))
    assert Watermark("", "text-bold", HalfEm()).apply(first) is first


def pages(path: Path) -> list[Image.Image]:
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.render(scale=2).to_pil().convert("L") for page in pdf]


def gray(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        return picture.convert("L")


def marked(picture: Image.Image) -> bool:
    return min(picture.tobytes()) < 160


@pytest.mark.parametrize("option", [["--watermark", "PLAYTEST"], ["--draft"]])
@pytest.mark.usefixtures("game")
def test_all_that_is_drawn_has_it(run: Run, option: list[str]) -> None:
    bare = ["--no-footer", "--marks", "none", "--sheet", "card", "--quiet"]
    commands = {
        "cards.pdf": ["deck", "d", "--backs", *bare],
        "tokens.pdf": ["tokens", "d", *bare],
        "png": ["export", "png", "--both", "--dpi", "80"],
        "webp": ["export", "webp", "--both", "--dpi", "80"],
        "svg": ["export", "svg", "--both"],
        "proof": ["proof", "--dpi", "80"],
        ".": ["export", "tgc", "d", "--scale", "fit", "--anyway"],
    }
    for target, command in commands.items():
        result = run(*command, *option, "--out", f"new/{target}")
        assert result.exit_code == 0, result.stderr
    cards = [marked(picture) for picture in pages(Path("new/cards.pdf"))]
    # Of a draft of a deck, only faulty cards have a mark.
    assert {*cards} == {option != ["--draft"]}
    found = [*pages(Path("new/tokens.pdf"))]
    files = [path for path in Path("new").rglob("*.*p*g") if path.suffix != ".svg"]
    found += [gray(path) for path in files if not path.name.startswith("contact")]
    assert len(cards) + len(found) > 20
    assert [marked(picture) for picture in found] == [True] * len(found)
    drawings = [path.read_text(encoding="utf-8") for path in Path("new/svg").rglob("*.svg")]
    assert len(drawings) == 5
    assert all(GRAY in drawing for drawing in drawings)


def test_it_looks_the_same_in_pdf_and_as_a_picture(run: Run, game: Path) -> None:
    options = ["--watermark", "PLAYTEST"]
    run("deck", "d", *options, "--no-footer", "--marks", "none", "--sheet", "card", "-o", "d.pdf")
    run("export", "png", "A1", *options, "--size", "650x900", "-o", "png")
    (picture,) = (game / "png").rglob("*.png")
    page = pages(Path("d.pdf"))[0].resize((650, 900))
    apart = ImageChops.difference(page, gray(picture))
    assert sum(apart.histogram()[128:]) < 650 * 900 * 0.002


def strokes(game: Path, run: Run, *options: str) -> str:
    """Return the drawing of a card."""
    assert run("export", "svg", "A1", *options, "-o", "out/svg").exit_code == 0
    return (game / "out" / "svg" / "A1.svg").read_text(encoding="utf-8")


def test_a_game_can_say_it_of_itself(game: Path, run: Run) -> None:
    asked = strokes(game, run, "--watermark", "PLAYTEST")
    draft, bare = strokes(game, run, "--draft"), strokes(game, run)
    word = strokes(game, run, "--watermark", "ENTWURF")
    assert draft == word
    edit(game / "xml" / "game.xml", 'name="Test"', 'name="Test" watermark="PLAYTEST"')
    assert strokes(game, run) == asked
    assert strokes(game, run, "--watermark", "ENTWURF") == word
    assert strokes(game, run, "--watermark", "") == bare
    assert len({asked, draft, bare}) == 3
    assert run("export", "tts", "d", "-o", "tts").exit_code == 0
    assert all(marked(gray(path)) for path in (game / "tts" / "pictures").glob("d_1.*"))


def test_a_letter_that_the_font_lacks_is_told_where_it_stands(game: Path, run: Run) -> None:
    result = run("export", "svg", "A1", "--watermark", "試")
    assert result.exit_code == 1
    assert "error L002" in result.stderr
    edit(game / "xml" / "game.xml", 'name="Test"', 'name="Test" watermark="試"')
    result = run("check")
    assert result.exit_code == 1
    assert "xml/game.xml:2:19: error L002" in result.stdout + result.stderr


def test_what_has_changed_is_told_by_what_is_below_it(game: Path, run: Run) -> None:
    assert run("deck", "d", "--watermark", "ONE", "-o", "old.pdf").exit_code == 0
    assert run("deck", "d", "-o", "bare.pdf").exit_code == 0
    old, bare = (game / f"{name}.manifest.json" for name in ("old", "bare"))
    assert old.read_bytes() == bare.read_bytes()
    result = run("deck", "d", "--changed-since", "old.pdf", "--watermark", "TWO", "-o", "new.pdf")
    assert result.exit_code == 0
    assert "nothing that is printed" in result.stdout
