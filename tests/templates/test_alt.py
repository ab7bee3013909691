"""What icons say, to those who copy, search or are read to."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import ImageChops

from conftest import ROOT, Run
from deckwright.ops.model import DrawGlyphs, FillPath, Group, Op
from deckwright.ops.outlines import rectangle
from deckwright.ops.readable import extract_text
from support import card, compose, line, ops_of, write_game


def spoken(path: Path) -> list[str]:
    """Return what a PDF says, line by line."""
    with pypdfium2.PdfDocument(path) as document:
        pages = [page.get_textpage().get_text_range() for page in document]
    return [line.strip() for page in pages for line in page.splitlines()]


def test_a_printed_card_says_what_its_numbers_and_icons_mean(tmp_path: Path, run: Run) -> None:
    target = tmp_path / "deck.pdf"
    result = run("deck", "army_HK_1", "-g", str(ROOT), "--only", "HK3", "-o", str(target))
    assert result.exit_code == 0, result.stderr
    said = spoken(target)
    start = said.index("Erst die Ordnung, dann der Ruhm")
    assert said[start - 1] == "Held"
    assert said[start + 1].startswith("Kampfrausch Immun gegen Moralmali.")
    whole = " ".join(said[start:])
    assert "Kaiserreich Gold Proviant 17" in whole
    assert "Stärke 8 Nahkampf" in whole


def write_cards(folder: Path, inside: str, copies: int = 1, symbols: str = "") -> Path:
    """Print cards with this on their faces."""
    face = f'<face><rect width="65" height="90" fill="white"/>{inside}</face>'
    write_game(folder, [card("A1", "Ant")], decks={"deck": [line("A1", copies)]}, face=face)
    game = folder / "xml" / "game.xml"
    text = game.read_text(encoding="utf-8").replace("</fonts>", f"</fonts>{symbols}")
    game.write_text(text, encoding="utf-8")
    return folder / "out" / "deck_deck.pdf"


ICON = '<icon name="sword" x="10" y="10" width="12" fill="blue" stroke="red"'


@pytest.mark.parametrize("copies", [1, 3], ids=["painted once", "a form"])
@pytest.mark.parametrize(
    ("inside", "said"),
    [
        (f'{ICON} alt="Kraft (größer)"/>', "Kraft (größer)"),
        (f'<g x="9" rotate="90" cx="9" cy="9" alt="Kraft">{ICON}/></g>', "Kraft"),
        (f'<g opacity="0.5" alt="Kraft">{ICON}/></g>', "Kraft"),
        (f'<g alt="Kraft 8">{ICON}/><text y="30" width="60" height="9">8</text></g>', "Kraft 8"),
        ('<symbol name="sun" x="9" y="9" width="9"/>', "Sonne"),
        ('<text x="5" y="9" width="50" height="9">{sun}</text>', "Sonne"),
    ],
)
def test_what_is_drawn_says_its_alt_and_looks_the_same(
    inside: str, said: str, copies: int, tmp_path: Path, run: Run
) -> None:
    symbols = '<symbols><symbol id="sun" name="Sonne" icon="weather-sunny"/></symbols>'
    pages = []
    for folder, drawn in (("with", inside), ("without", inside.replace(f' alt="{said}"', ""))):
        target = write_cards(tmp_path / folder, drawn, copies, symbols)
        assert run("deck", "deck", "-g", str(tmp_path / folder), "--no-footer").exit_code == 0
        with pikepdf.open(target) as pdf:
            assert pdf.check_pdf_syntax() == []
        with pypdfium2.PdfDocument(target) as document:
            pages.append(document[0].render(scale=2).to_pil().convert("RGB"))
        if folder == "with":
            assert " ".join(spoken(target)).count(said) == copies
    assert ImageChops.difference(*pages).getbbox() is None


def test_an_icon_without_a_word_says_nothing(tmp_path: Path) -> None:
    assert not any(isinstance(op, Group) for op in ops_of(tmp_path, f"{ICON}/>"))
    face, report = compose(tmp_path, f'<g alt="{{{{ 1 + 1 }}}}">{ICON}/></g>')
    assert report == []
    assert face is not None
    (group,) = face.ops
    assert isinstance(group, Group)
    assert group.alt == "2"


def test_an_svg_of_a_face_says_it_too(tmp_path: Path, run: Run) -> None:
    write_cards(tmp_path, f'{ICON} alt="&quot;Kraft&quot; &amp; Mut"/>')
    result = run("export", "svg", "-g", str(tmp_path), "-o", str(tmp_path / "svg"))
    assert result.exit_code == 0, result.stderr
    (path,) = (tmp_path / "svg").rglob("A1.svg")
    label = 'role="img" aria-label=\'"Kraft" &amp; Mut\''
    text = path.read_text(encoding="utf-8")
    assert label in text
    assert '<desc id="text">Ant (Card)</desc>' in text


def test_the_description_of_an_svg_says_all_that_the_card_says(tmp_path: Path, run: Run) -> None:
    result = run("export", "svg", "HK3", "-g", str(ROOT), "-o", str(tmp_path))
    assert result.exit_code == 0, result.stderr
    (path,) = tmp_path.rglob("HK3*.svg")
    description = path.read_text(encoding="utf-8").partition("</desc>")[0]
    said = description.partition('<desc id="text">')[2].splitlines()
    assert said[1:5] == ["Stufe: Gold", "Stärke: 8", "Aktionen: 0", "Proviant: 17"]
    assert "Reihen: Nahkampf" in said


def test_symbols_are_said_within_their_line_and_numbers_by_themselves() -> None:
    def text(text: str, y: float) -> DrawGlyphs:
        return DrawGlyphs("text-regular", 4, 5, y, text, (), "#123456")

    def sign(alt: str, y: float) -> Group:
        return Group((FillPath(rectangle(9, y, 4, 4), "#123456"),), alt=alt)

    numbers: list[Op] = [Group((text(n, 3),), (1, 0, 0, 1, 40, 9 * int(n))) for n in "12"]
    line: list[Op] = [sign("Sun", 7), text("for 2", 10), sign("Moon", 7), text("only", 10)]
    said = extract_text([*line, text("below", 15), sign("Star", 30), *numbers])
    assert said.splitlines() == ["Sun for 2 Moon only", "below", "Star", "1", "2"]
