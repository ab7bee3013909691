"""What prints in spite of faulty cards: markers, the rulebook, the overview, proofs."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from conftest import Run, edit
from deckwright.faces.faulty import add_frame, add_mark, make_stand_in
from deckwright.ops.model import Face
from deckwright.text.fonts import default_fonts
from deckwright.text.shaping import HarfBuzzMetrics
from ops_as_text import format_face

CARDS = Path("xml/Factions/RW_cards.xml")
RED = (200, 16, 46)


@pytest.fixture
def faulty(small: Path) -> Path:
    """The small game with a card that is left out, and one with an unknown rule."""
    edit(CARDS, 'id="RW2" ', 'id="RW2" colour="red" ')
    edit(CARDS, '<rule id="ra002"/>', '<rule id="ra0002"/>')
    return small


def red(picture: Path) -> int:
    with Image.open(picture) as opened:
        colors = opened.convert("RGB").getcolors(1 << 24) or []
    return sum(number for number, color in colors if color == RED)


@pytest.mark.usefixtures("faulty")
def test_a_proof_frames_and_names_what_is_faulty(run: Run) -> None:
    result = run("proof", "RW")
    assert result.exit_code == 1
    assert " S002: " in result.stderr
    assert " R003: " in result.stderr
    folder = Path("out/proof")
    marked = {path.stem: red(path) > 0 for path in folder.glob("RW*.png")}
    assert marked == {"RW1": False, "RW2": True, "RW3": False, "RW4": True, "RW5": False}


@pytest.mark.usefixtures("faulty")
def test_a_card_that_was_left_out_can_be_asked_for_by_name(run: Run) -> None:
    result = run("proof", "RW2", "Ferryman")
    assert " S002: " in result.stderr
    assert "R019" not in result.stderr
    assert red(Path("out/proof/RW2.png")) > 0
    result = run("proof", "RW22")
    assert "did you mean `RW2`?" in result.stderr


@pytest.mark.parametrize("command", ["proof", "overview", "deck"])
def test_without_the_template_of_its_face_a_card_has_a_stand_in(
    run: Run, small: Path, command: str
) -> None:
    face = next((small / "templates").glob("card.xml"))
    edit(face, "</face>", "<g></face>")
    options = {"deck": ("river", "--draft")}
    result = run(command, *options.get(command, ()))
    assert result.exit_code == 1
    assert result.stderr.count(" X001: ") == 1
    if command == "proof":
        assert red(Path("out/proof/RW1.png")) > 0
    else:
        assert len(list(Path("out").glob("*.pdf"))) == 1


LISTS = """<pages width="210" height="297">
  <text x="20" y="20" width="150" height="20">{{ zones[0].cards }} cards</text>
  <g each="zone in zones"><text each="line in zone.lines" x="20" y="{{ 40 + loop.index * 8 }}"
    width="150" height="7">{{ line.card.name }}{{ FIELD }}</text></g>
</pages>
"""


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize(
    ("field", "missing"),
    [("''", set()), ("line.card.level.name", {"Ferryman", "RW99"})],
    ids=["known", "unknown"],
)
def test_a_draft_has_a_deck_list_whatever_its_template_asks_for(
    run: Run, small: Path, field: str, missing: set[str]
) -> None:
    edit(small / "xml/Decks/river.xml", 'id="RW1" amount="2"', 'id="RW99" amount="2"')
    (small / "templates/deck.xml").write_text(LISTS.replace("FIELD", field), encoding="utf-8")
    edit(small / "xml/game.xml", 'deck="no"', 'deck="deck.xml"')
    result = run("deck", "river", "--draft")
    assert "T006" not in result.stderr
    with pypdfium2.PdfDocument("out/deck_river_draft.pdf") as document:
        text = document[0].get_textpage().get_text_bounded()
    assert " cards" in text
    assert {name for name in ("Ferryman", "Mother Flood", "RW99") if name not in text} == missing


@pytest.mark.usefixtures("small")
def test_a_face_that_cannot_be_drawn_has_a_stand_in(run: Run) -> None:
    size = "{{ '13pt' if card.id != 'RW5' else 'no' }}"
    edit(Path("templates/card.xml"), 'font-size="13pt"', f'font-size="{size}"')
    result = run("proof", "RW")
    assert result.exit_code == 1
    assert " T004: " in result.stderr
    assert red(Path("out/proof/RW5.png")) > 0
    assert red(Path("out/proof/RW1.png")) == 0


@pytest.mark.usefixtures("faulty")
def test_the_overview_shows_all_cards_and_names_the_faulty_ones(run: Run) -> None:
    result = run("overview")
    assert result.exit_code == 1
    assert " S002: " in result.stderr
    with pypdfium2.PdfDocument("out/overview.pdf") as document:
        texts = " ".join(page.get_textpage().get_text_bounded() for page in [*document][1:])
    names = ("Ferryman", "Otter Caller", "Mother Flood")
    assert [name for name in names if name not in " ".join(texts.split())] == []


BOOK = """<?xml version="1.0" encoding="UTF-8"?>
<rulebook title="Rules"><chapter title="Cards">
  <p>Look at this one.</p>
  <figure title="A card"><card id="RW2"/><card id="RW5"/></figure>
</chapter></rulebook>
"""


def test_the_rulebook_prints_whatever_its_cards_are_like(run: Run, faulty: Path) -> None:
    (faulty / "xml" / "rulebook.xml").write_text(BOOK, encoding="utf-8")
    result = run("rulebook")
    assert result.exit_code == 1
    assert "R023" not in result.stderr
    with pypdfium2.PdfDocument("out/rulebook.pdf") as document:
        texts = " ".join(page.get_textpage().get_text_bounded() for page in document)
    assert "Ferryman (RW2)" in " ".join(texts.split())


@pytest.mark.parametrize("command", ["overview", "rulebook"])
def test_cards_are_judged_though_a_book_cannot_be_printed(
    run: Run, faulty: Path, command: str
) -> None:
    (faulty / "xml" / "rulebook.xml").write_text("<rulebook>", encoding="utf-8")
    edit(Path("xml/game.xml"), "<fonts>", '<fonts><font id="no" family="No Such Font"/>')
    result = run(command)
    assert result.exit_code == 1
    assert " S002: " in result.stderr
    assert " R003: " in result.stderr


def test_markers_need_no_cards_at_all(run: Run, small: Path) -> None:
    marker = '<face><text width="20" height="20">{{ marker.label }}</text></face>'
    (small / "templates" / "marker.xml").write_text(marker, encoding="utf-8")
    edit(
        small / "xml" / "game.xml",
        "</game>",
        '<markers face="marker.xml"><marker id="gold" name="Gold" label="1" color="yellow" '
        'size="20" count="3"/></markers></game>',
    )
    for path in (small / "xml" / "Factions").iterdir():
        path.write_text("<data", encoding="utf-8")
    (small / "xml" / "rules.xml").unlink()
    result = run("markers")
    assert (result.exit_code, result.stderr) == (0, "")
    assert Path("out/markers.pdf").is_file()


@pytest.mark.parametrize("name", ["", "Otter", "{fish} <b>", "x" * 300, "\N{SNOWMAN} and more"])
def test_any_name_can_stand_on_a_faulty_face(name: str) -> None:
    metrics = HarfBuzzMetrics({font.id: font for font in default_fonts().values()})
    for face in (
        make_stand_in(name, (65, 90), 3, "text", metrics),
        add_frame(Face(12, 12, ()), name, "text", metrics),
    ):
        assert "stroke" in format_face(face)


@pytest.mark.usefixtures("faulty")
def test_a_draft_is_printed_in_spite_of_errors_and_says_so(run: Run) -> None:
    deck = Path("xml/Decks/river.xml")
    edit(deck, 'id="RW1" amount="2"', 'id="RW99" amount="2"')
    assert run("deck", "river").exit_code == 1
    assert not Path("out").exists()
    result = run("deck", "river", "--draft")
    assert result.exit_code == 1
    for code in ("S002", "R003", "R002"):
        assert f" {code}: " in result.stderr
    assert [path.name for path in Path("out").iterdir()] == ["deck_river_draft.pdf"]
    with pypdfium2.PdfDocument("out/deck_river_draft.pdf") as document:
        texts = [page.get_textpage().get_text_bounded() for page in document]
        assert document.get_metadata_dict()["Title"].startswith("Draft: High Water")
    whole = " ".join(" ".join(texts).split())
    assert "Draft · Lantern Tide · High Water" in whole
    assert whole.count("RW99 (RW99)") == 2
    assert whole.count("Ferryman") == 1


@pytest.mark.usefixtures("small")
def test_a_wrong_value_is_shown_as_it_stands_and_sound_cards_are_not_marked(run: Run) -> None:
    edit(CARDS, 'id="RW2" name="Ferryman" faction_id="RW" level="1" strength="',
         'id="RW2" name="Ferryman" faction_id="RW" level="two" strength="x')  # fmt: skip
    assert run("proof", "RW").exit_code == 1
    marked = {path.stem: red(path) > 0 for path in Path("out/proof").glob("RW*.png")}
    assert {name for name, is_red in marked.items() if is_red} == {"RW2"}
    result = run("build", "--draft")
    assert result.exit_code == 1
    assert "deck_river_draft.pdf: 2 pages, cards with errors are marked" in result.stdout
    with pypdfium2.PdfDocument("out/deck_river_draft.pdf") as document:
        text = " ".join(page.get_textpage().get_text_bounded() for page in document)
    assert " x" in " ".join(text.split())


def test_a_mark_lies_across_a_faulty_face_of_a_draft_alone() -> None:
    face = Face(65, 90, ())
    lines = format_face(add_mark(face)).splitlines()
    assert sum("#c8102e" in line for line in lines) == 2
    assert format_face(face).count("#c8102e") == 0


def test_a_proof_of_a_game_without_cards_says_so(run: Run, small: Path) -> None:
    assert run("new", str(small / "empty"), "--like", "blank").exit_code == 0
    result = run("proof", "-g", str(small / "empty"))
    assert (result.exit_code, result.output) == (0, "there is nothing to draw\n")
