"""What templates draw in books: headings, the ground of pages, the last page; and styles."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from test_rulebook import chapter, pages_of, titles_of, write_book

from conftest import Run, edit

HEADING = """<face>
  <rect x="{{ 0 - page.left }}" y="{{ 0 - page.top }}" width="200" height="30" fill="#ff0000"/>
  <text width="80" height="9">{{ heading.number }}+{{ heading.title }}+{{ heading.id }}</text>
</face>"""
PAGE = '<face><rect width="{{ page.width }}" height="{{ page.height }}" fill="COLOR"/></face>'
BANNER = '<face><text width="90" height="9">{{ faction.id }}={{ heading.title }}</text></face>'


def drawn(folder: Path, templates: dict[str, str], *lines: str, head: str) -> None:
    write_book(folder, *lines, head=head)
    for name, text in templates.items():
        path = folder / "templates" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def color_at(path: Path, page: int, x: int, y: int) -> tuple[int, ...]:
    """Return the color of a page at a place in points."""
    with pypdfium2.PdfDocument(path) as pdf:
        found = pdf[page].render().to_pil().convert("RGB").getpixel((x, y))
    assert isinstance(found, tuple)
    return tuple(map(int, found))


def test_a_template_draws_the_headings_of_chapters_to_the_edges_of_the_page(
    tmp_path: Path, run: Run
) -> None:
    head = 'heading="heading.xml" heading-height="40"'
    text = " ".join(f"<term>Draw {number}</term>" for number in range(50))
    lines = [chapter("Play", f"<p>{text}</p>", anchor="play"), '<index title="Index"/>']
    drawn(tmp_path, {"heading.xml": HEADING}, *lines, head=head)
    assert run("rulebook", "--game", str(tmp_path)).exit_code == 0
    book = tmp_path / "out" / "rulebook.pdf"
    contents, play, index = pages_of(book)[1:]
    assert contents.startswith("+Contents+")
    assert play.startswith("1+Play+play")
    assert index.startswith("+Index+")
    assert titles_of(book) == ["Contents", "1 Play", "Index"]
    assert color_at(book, 2, 1, 1) == (255, 0, 0)


def test_a_template_draws_the_headings_of_sections_but_not_those_below(
    tmp_path: Path, run: Run
) -> None:
    head = 'section-heading="heading.xml" section-heading-height="12"'
    inner = '<section title="Hand" id="hand"><p>Five.</p></section>'
    lines = [chapter("Play", f'<section title="Draw" id="draw"><p>One.</p>{inner}</section>')]
    drawn(tmp_path, {"heading.xml": HEADING}, *lines, head=head)
    assert run("rulebook", "--game", str(tmp_path)).exit_code == 0
    book = tmp_path / "out" / "rulebook.pdf"
    text = pages_of(book)[2]
    assert "1.1+Draw+draw" in text
    assert "+Play+" not in text
    assert "+Hand+" not in text


def test_a_template_draws_beneath_the_pages_and_another_one_the_last(
    tmp_path: Path, run: Run
) -> None:
    sided = PAGE.replace("COLOR", "{{ '#00ff00' if page.side == 'left' else '#0000ff' }}")
    templates = {"page.xml": sided, "back.xml": PAGE.replace("COLOR", "#ff0000")}
    head = 'page="page.xml" back="back.xml"'
    drawn(tmp_path, templates, chapter("Play", "<p>Draw.</p>"), head=head)
    assert run("rulebook", "--game", str(tmp_path)).exit_code == 0
    book = tmp_path / "out" / "rulebook.pdf"
    assert len(pages_of(book)) == 4
    assert [color_at(book, page, 5, 5) for page in range(1, 4)] == [
        (0, 255, 0),
        (0, 0, 255),
        (255, 0, 0),
    ]
    assert "Draw." in pages_of(book)[2]


def test_a_template_draws_the_headings_of_factions_in_both_books(tmp_path: Path, run: Run) -> None:
    book = '<overview title="Sides"><p>They are two.</p></overview>'
    drawn(tmp_path, {"banner.xml": BANNER}, book, head="")
    file = tmp_path / "xml" / "game.xml"
    edit(file, "<sheet ", '<sheet banner="banner.xml" banner-height="20" ')
    for command in ("rulebook", "overview"):
        assert run(command, "--game", str(tmp_path)).exit_code == 0
        text = " ".join(pages_of(tmp_path / "out" / f"{command}.pdf"))
        assert "AA=" in text
        assert "BB=" in text


@pytest.mark.parametrize("attribute", ["page", "back", "heading", "section-heading", "cover"])
def test_a_template_that_is_not_there_is_told(tmp_path: Path, run: Run, attribute: str) -> None:
    text = '<section title="Draw"><p>One.</p></section>'
    write_book(tmp_path, chapter("Play", text), head=f'{attribute}="nothing.xml"')
    result = run("rulebook", "--game", str(tmp_path))
    assert result.stderr.count("error T010") == 1
    assert not (tmp_path / "out" / "rulebook.pdf").exists()


def test_a_check_draws_the_banners(tmp_path: Path, run: Run) -> None:
    drawn(tmp_path, {"banner.xml": "<face><text>{{ motto }}</text></face>"}, head="")
    edit(tmp_path / "xml" / "game.xml", "<sheet ", '<sheet banner="banner.xml" ')
    assert "error T006" in run("check", "--game", str(tmp_path)).stderr


@pytest.mark.parametrize(
    ("style", "shown"), [(None, "Usual. All."), ("plain", "Plain. All."), ("loud", "Usual. All.")]
)
def test_what_is_of_another_style_is_left_out(
    tmp_path: Path, run: Run, style: str | None, shown: str
) -> None:
    texts = ['<p except="plain">Usual.</p>', '<p only="plain">Plain.</p>', "<p>All.</p>"]
    write_book(tmp_path, chapter("Play", *texts))
    for name in ("plain", "loud"):
        (tmp_path / "templates" / name).mkdir()
    asked = ["--style", style] if style else []
    assert run("rulebook", "--game", str(tmp_path), *asked).exit_code == 0
    assert shown in pages_of(tmp_path / "out" / "rulebook.pdf")[2]


def test_a_style_that_is_not_there_is_told(tmp_path: Path, run: Run) -> None:
    write_book(tmp_path, chapter("Play", '<p only="plian">Plain.</p>'))
    (tmp_path / "templates" / "plain").mkdir()
    result = run("rulebook", "--game", str(tmp_path))
    assert "error R030: there is no style `plian`" in result.stderr
    assert "did you mean `plain`?" in result.stderr
