"""Slips for sleeves: what cards say, black on white, on a full sheet with shared cuts."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from pypdf import PdfReader

from conftest import ROOT, Run, edit
from deckwright.api import open_game
from deckwright.base.findings import Report
from deckwright.faces.card_text import to_grayscale
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, FillPath, StrokePath, walk
from deckwright.ops.outlines import rectangle, tight_bounds
from deckwright.outputs.decks import print_decks
from deckwright.outputs.pages import capture_layout
from deckwright.sheet.layout import DEFAULT_SHEET_OPTIONS
from deckwright.sheet.pages import Page
from support import card, line, load_all, uses, write_game

FACE = """<face>
  <rect width="65" height="90" fill="#204080"/>
  <text x="5" y="5" width="55" height="20" fill="#ffffff">{{ card.name }}</text>
</face>
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of dark cards with backs, as working folder."""
    cards = [card("A1", "Ant", "AA", uses("r1"), actions=2), card("A2", "Queen", "AA")]
    rule = '<rule id="r1" type="passive" effect="Swim."><label GEN="Wet"/></rule>'
    decks = {"hill": [line("A1", 8), line("A2", 2)]}
    folder = write_game(tmp_path / "game", cards, rules=[rule], decks=decks)
    monkeypatch.chdir(folder)
    return folder


def laid_out(game: Path, name: str, slips: float) -> tuple[Page, ...]:
    """Return the pages of a deck on slips that are so much smaller than cards."""
    folder, report = GameFolder(game), Report()
    with capture_layout() as documents:
        options = DEFAULT_SHEET_OPTIONS._replace(slips=slips)
        print_decks(folder, [folder.deck_file(name)], game / "x.pdf", report, options)
    assert report == []
    return documents[0].pages


def slips_in(path: Path) -> str:
    return " ".join(" ".join(page.extract_text().split()) for page in PdfReader(path).pages)


def test_a_slip_says_what_the_card_says_without_pictures_colors_or_backs(
    small: Path, run: Run
) -> None:
    (small / "templates" / "card.xml").write_text(FACE, encoding="utf-8")
    done = run("deck", "river", "--slips")
    assert (done.exit_code, done.stderr) == (0, "")
    said = slips_in(small / "out" / "deck_river_slips.pdf")
    assert "Mother Flood Level Pearl · Strength 7 · Actions 1 · Supplies 8" in said
    assert "Class: Elder" in said
    assert "Card · RW5" in said
    reader = PdfReader(small / "out" / "deck_river_slips.pdf")
    assert not any(page.images for page in reader.pages)
    with pypdfium2.PdfDocument(small / "out" / "deck_river_slips.pdf") as pdf:
        picture = pdf[0].render(scale=1).to_pil().convert("HSV")
        ink = 1 - sum(picture.convert("L").histogram()[200:]) / picture.width / picture.height
    assert picture.getchannel("S").getextrema() == (0, 0), "no color anywhere"
    assert ink < 0.12


def test_slips_lie_edge_to_edge_and_are_a_little_smaller_than_cards(game: Path, run: Run) -> None:
    made = open_game(game).deck("hill").print(game / "s.pdf", slips=True, marks="none")
    assert (made.pages, made.sheets, made.empty) == (2, 2, 8)
    faces = laid_out(game, "hill", 1)[0].faces
    assert {(placed.face.width, placed.face.height) for placed in faces} == {(64, 89)}
    assert [placed.x for placed in faces[:3]] == pytest.approx([9, 73, 137])
    assert {round(placed.y, 6) for placed in faces} == {15, 104, 193}
    (page, *_) = laid_out(game, "hill", 3)
    assert {placed.box[2:] for placed in page.faces} == {(62, 87)}
    lines = [tight_bounds(op.outline) for op in page.ops if isinstance(op, StrokePath)]
    cuts = [box for box in lines if max(box.width, box.height) > 3 * 60]
    assert len(cuts) == 8, "one cut for two slips"
    assert run("deck", "hill", "--slips", "--slip-trim", "11mm").exit_code == 2


def test_only_what_has_changed_is_printed_on_slips(game: Path, run: Run) -> None:
    assert run("deck", "hill", "--slips").exit_code == 0
    manifest = game / "out" / "deck_hill_slips.manifest.json"
    edit(game / "xml" / "Factions" / "AA_cards.xml", 'name="Queen"', 'name="Empress"')
    done = run("deck", "hill", "--slips", "--changed-since", str(manifest))
    assert done.exit_code == 0, done.stderr
    said = slips_in(game / "out" / "deck_hill_slips_changed.pdf")
    assert said.count("Empress") == 2
    assert "Ant " not in said


def test_a_long_text_is_made_smaller_and_markup_is_kept(game: Path, run: Run) -> None:
    rules = game / "xml" / "rules.xml"
    text = rules.read_text(encoding="utf-8")
    effect = text.partition('effect="')[2].partition('"')[0]
    rules.write_text(text.replace(effect, "Draw a *card*. " * 90), encoding="utf-8")
    done = run("deck", "hill", "--slips", "--only", "A1")
    assert done.exit_code == 0, done.stderr
    said = slips_in(game / "out" / "deck_hill_slips_part.pdf")
    assert said.count("Draw a card.") == 8 * 90


def test_a_game_can_have_slips_of_its_own(game: Path, run: Run) -> None:
    own = '<face><text fill="#c00000" width="60">{{ slip.name }} – {{ card.id }}!</text></face>'
    (game / "templates" / "slip.xml").write_text(own, encoding="utf-8")
    assert run("deck", "hill", "--slips").exit_code == 0
    assert "Ant – A1!" in slips_in(game / "out" / "deck_hill_slips.pdf")


@pytest.mark.parametrize(
    ("color", "gray"),
    [
        ("#d0d0d0", "#d0d0d0"),
        ("#cfcfcf", "#808080"),
        ("#ffffe7", "#fcfcfc"),
        ("#ffffe6", "#808080"),
        ("#7f7f7f", "#7f7f7f"),
        ("#00ff00", "#808080"),
        ("#204080", "#3e3e3e"),
    ],
)
def test_only_what_is_nearly_white_stays_light_on_slips(color: str, gray: str) -> None:
    (op,) = to_grayscale(Face(60, 80, (FillPath(rectangle(0, 0, 9, 9), color),))).ops
    assert isinstance(op, FillPath)
    assert op.color == gray


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--slips", "--backs"), "--slips and --backs cannot be used together"),
        (("--slips", "--backs-apart"), "--slips and --backs-apart cannot"),
        (("--slips", "--cut", "cricut"), "--slips and --cut cannot"),
        (("--slips", "--scale", "fit"), "--slips and --scale fit cannot"),
        (("--slips", "--reference"), "--slips and --reference cannot"),
        (("--slip-trim", "2mm"), "--slip-trim is for slips"),
    ],
)
def test_what_slips_cannot_have_is_told(
    game: Path, run: Run, options: tuple[str, ...], said: str
) -> None:
    done = run("deck", "hill", *options)
    assert done.exit_code == 2
    assert said in done.stderr
    assert not (game / "out").exists()


def test_symbols_of_any_color_are_gray_on_slips_and_numbers_without_a_name_are_there() -> None:
    """Heroes have red and blue symbols in their texts; units have a view, which print names not."""
    for example, name, expected in (("duel", "ford-wyrm", "Heroes on"), ("warlords", "", "view")):
        folder, report = GameFolder(ROOT / "examples" / example), Report()
        game = load_all(folder.path)
        factory = FaceFactory(game, folder, report)
        card = next(c for c in game.cards.values() if c.id == name or c.fields.get("view"))
        face = factory.compose_slip(card, card.faction_id, (60, 85), report)
        assert report == []
        assert face is not None
        colors = {
            op.color for op in walk(face.ops) if isinstance(op, DrawGlyphs | FillPath | StrokePath)
        }
        assert all(str(color)[1:3] == str(color)[3:5] == str(color)[5:7] for color in colors)
        assert not any(isinstance(op, DrawImage) for op in walk(face.ops))
        assert any(
            isinstance(op, DrawGlyphs) and expected.split()[0] in op.text for op in walk(face.ops)
        )
