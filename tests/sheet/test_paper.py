"""The paper of a print: the same for all pages, with texts set anew and one numbering."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from conftest import ROOT, Run
from deckwright.base.findings import Report
from deckwright.ops.model import DrawGlyphs, Group, walk
from deckwright.sheet.flow import lay_out_flow
from deckwright.sheet.pages import Page
from support import composer, load_all, load_deck, page_texts, texts

pytestmark = pytest.mark.usefixtures("shipped_checked")

MM = 72 / 25.4
SHEETS = {
    "a4-65x90": (210, 297),
    "letter-65x90": (215.9, 279.4),
    "a3-65x90": (420, 297),
    "a4-gutterfold": (297, 210),  # it lies, so that more cards fit
}


def printed(run: Run, target: Path, *options: str) -> PdfReader:
    """Print a deck of the shipped game, and return its pages."""
    always = ("deck", "army_HK_1", "--game", str(ROOT), "--quiet", "--out", str(target))
    result = run(*always, *options)
    assert result.exit_code == 0, result.stderr
    return PdfReader(target)


def sizes(reader: PdfReader) -> set[tuple[float, float]]:
    boxes = [page.mediabox for page in reader.pages]
    return {(round(float(b.width) / MM, 1), round(float(b.height) / MM, 1)) for b in boxes}


@pytest.mark.corpus(4)
@pytest.mark.parametrize("name", SHEETS)
def test_every_page_has_the_paper_of_the_sheets(run: Run, tmp_path: Path, name: str) -> None:
    reader = printed(run, tmp_path / "deck.pdf", "--sheet", name, "--backs", "--reference")
    assert sizes(reader) == {SHEETS[name]}
    # The deck list and the rules are among them.
    assert "Deckliste" in reader.pages[0].extract_text()
    assert "Sonderregeln" in reader.pages[-1].extract_text()


@pytest.mark.corpus(3)
@pytest.mark.parametrize("game", ["duel", "festival", "orbit", "warlords", "woodland"])
def test_the_examples_print_on_letter(run: Run, tmp_path: Path, game: str) -> None:
    folder = ROOT / "examples" / game
    deck = min(folder.glob("xml/Decks/*.xml"))
    result = run("deck", str(deck), "--game", str(folder), "--sheet", "letter", "--out",
                 str(tmp_path / "deck.pdf"), "--quiet")  # fmt: skip
    assert result.exit_code == 0, result.stderr
    # A sheet for cards of any size may lie; the texts lie as the first sheet does.
    found = sizes(PdfReader(tmp_path / "deck.pdf"))
    assert found <= {(215.9, 279.4), (279.4, 215.9)}


@pytest.mark.parametrize(("sheet", "columns"), [("a4-65x90", 2), ("a3-65x90", 4)])
def test_texts_are_set_anew_and_not_scaled(
    run: Run, tmp_path: Path, sheet: str, columns: int
) -> None:
    """Larger paper has more columns; the line below a heading is as long as its column."""
    reader = printed(run, tmp_path / "deck.pdf", "--sheet", sheet)
    width = float(reader.pages[0].mediabox.width) / MM
    column = f"{(width - 36 - (columns - 1) * 9) / columns:.3f}".rstrip("0").rstrip(".")
    contents = reader.pages[0].get_contents()
    assert contents is not None
    operators = contents.get_data().decode("latin-1")
    assert f"0 7.2 m {column} 7.2 l S" in operators
    # No type is larger than on the paper that it was drawn for.
    sizes_mm = {float(size) for size in re.findall(r" ([\d.]+) Tf", operators)}
    assert max(sizes_mm) == pytest.approx(16.5 / MM, abs=0.01)


def test_cards_a_page_have_no_texts_between(run: Run, tmp_path: Path) -> None:
    reader = printed(run, tmp_path / "deck.pdf", "--sheet", "card-3mm")
    assert sizes(reader) == {(71, 96)}
    deck = load_deck(ROOT, load_all(ROOT), "army_HK_1")
    assert len(reader.pages) == sum(entry.copies for entry in deck.entries)


@pytest.mark.corpus(2)
@pytest.mark.parametrize("options", [[], ["--backs"], ["--sheet", "a3-65x90", "--backs"]])
def test_pages_are_numbered_from_the_first_to_the_last(
    run: Run, tmp_path: Path, options: list[str]
) -> None:
    printed(run, tmp_path / "deck.pdf", *options)
    pages = page_texts(tmp_path / "deck.pdf")
    for number, text in enumerate(pages, 1):
        if not text:
            continue  # the back of the deck list
        found = re.findall(r"Seite (\d+) ?/ ?(\d+)", text)
        assert found == [(str(number), str(len(pages)))], number


def flowed(folder: Path, root: str, paper: tuple[float, float], body: str) -> list[Page]:
    report: Report = []
    maker = composer(folder, f"<pages {root}>{body}</pages>", report)
    assert maker is not None
    found = lay_out_flow(maker, {}, paper)
    assert report == []
    assert found is not None
    return found.pages()


LINES = "<br/>".join(f"line {number}" for number in range(300))
BODY = f"""<header><text x="20" y="5">head</text></header>
  <footer><text x="20" y="90">foot {{{{ page.number }}}}/{{{{ page.count }}}}</text></footer>
  <text font-size="2" line-height="1">{LINES}</text>"""


def lefts(page: Page) -> list[float]:
    """Return where the columns of a page begin."""
    strips = [op for op in page.ops if isinstance(op, Group) and "line" in texts((op,))[0]]
    return sorted({op.matrix[4] for op in strips if op.matrix is not None})


def places(page: Page) -> dict[str, tuple[float, float]]:
    """Return where header and footer stand."""
    found = {}
    for op in page.ops:
        move = op.matrix[4:] if isinstance(op, Group) and op.matrix is not None else (0, 0)
        for glyphs in walk([op]):
            if isinstance(glyphs, DrawGlyphs) and glyphs.text.split()[0] in {"head", "foot"}:
                found[glyphs.text.split()[0]] = (glyphs.x + move[0], glyphs.y + move[1])
    return found


def test_a_template_without_a_size_takes_the_paper(tmp_path: Path) -> None:
    root = 'margin-x="10" margin-top="20" margin-bottom="20" column-width="30" gap="5"'
    small, *_ = flowed(tmp_path, root, (100, 100), BODY)
    large, *_ = flowed(tmp_path, root, (200, 100), BODY)
    assert (small.width, large.width) == (100, 200)
    assert lefts(small) == [10, 52.5]
    assert lefts(large) == [10, 47, 84, 121, 158]


def test_a_template_for_another_paper_keeps_its_columns_and_edges(tmp_path: Path) -> None:
    root = (
        'width="100" height="100" margin-x="10" margin-top="20" margin-bottom="20" columns="2" '
        'gap="10"'
    )
    own, *_ = flowed(tmp_path, root, (100, 100), BODY)
    large, *_ = flowed(tmp_path, root, (220, 150), BODY)
    assert (large.width, large.height) == (220, 150)
    assert lefts(own) == [10, 55]
    # Four columns of 35 mm with gaps of 10 mm have room in 200 mm.
    assert lefts(large) == [25, 70, 115, 160]
    before, after = places(own), places(large)
    assert after["head"] == pytest.approx((before["head"][0] + 60, before["head"][1]))
    assert after["foot"] == pytest.approx((before["foot"][0] + 60, before["foot"][1] + 50))


def test_a_template_for_larger_paper_is_set_on_smaller(tmp_path: Path) -> None:
    root = 'width="200" height="100" margin-x="10" margin-top="20" margin-bottom="20" columns="2"'
    pages = flowed(tmp_path, root, (70, 100), BODY)
    assert lefts(pages[0]) == [10]
    words = " ".join(text for page in pages for text in texts(page.ops) if "line" in text)
    assert words == " ".join(f"line {number}" for number in range(300))
    assert all(0 <= x <= 70 for x, _ in places(pages[0]).values())


def test_templates_see_the_paper_and_their_columns(tmp_path: Path) -> None:
    body = "<text>{{ page.width }} {{ page.height }} {{ page.column }}</text>"
    root = 'margin-x="10" columns="2" gap="10"'
    (page,) = flowed(tmp_path, root, (120, 90), body)
    assert [float(number) for number in texts(page.ops)[0].split()] == [120, 90, 45]
