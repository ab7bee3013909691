"""Faces with a fault in a text: the rest stays, and the fault is seen."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from conftest import Run, edit
from deckwright.base.findings import Diagnostic
from deckwright.faces.factory import FaceFactory
from deckwright.faces.faulty import replace_missing_letters
from deckwright.game.folder import GameFolder
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Op, walk
from deckwright.text.fonts import default_fonts
from deckwright.text.placing import FAULT_COLOR
from deckwright.text.shaping import HarfBuzzMetrics
from support import load_all

CARDS = Path("xml/Factions/RW_cards.xml")
LONG = "Mother " + "Floodfloodfloodflood" * 10
RULES = '<p each="rule in card.rules">'


def composed(game: Path, card_id: str) -> tuple[Face | None, list[Diagnostic]]:
    faults: list[Diagnostic] = []
    read = load_all(game)
    factory = FaceFactory(read, GameFolder(game), [], faults=faults)
    return factory.card_face(read.cards["RW", card_id], "RW", []), faults


def texts(face: Face | None) -> list[DrawGlyphs]:
    assert face is not None
    return [op for op in walk(face.ops) if isinstance(op, DrawGlyphs)]


def said(face: Face | None, color: str | None = None) -> str:
    return " ".join(op.text for op in texts(face) if color in (None, op.color))


def ops_of(face: Face | None) -> set[Op]:
    assert face is not None
    return {op for op in walk(face.ops) if isinstance(op, FillPath)}


def test_a_text_without_room_runs_over_in_red_and_the_rest_stays(small: Path) -> None:
    sound, _ = composed(small, "RW5")
    edit(CARDS, "Mother Flood", LONG)
    face, faults = composed(small, "RW5")
    assert [fault.code.id for fault in faults] == ["L001"]
    red = [op for op in texts(face) if op.color == FAULT_COLOR]
    assert "".join(op.text for op in red).replace("-", "") == LONG.replace(" ", "")
    assert {round(op.size / 25.4 * 72) for op in red} == {8}
    assert any(op.x < 5 or op.x + len(op.text) * op.size / 3 > 51 for op in red)
    assert ops_of(sound) <= ops_of(face)
    assert said(sound, "#595249") in said(face, "#595249")
    assert "L001: a text that does not fit its box" in said(face)


def test_a_letter_that_no_font_has_is_a_number_in_a_box(small: Path) -> None:
    sound, _ = composed(small, "RW5")
    edit(CARDS, "Mother Flood", "Mother 漢 F\u0301lood\U0001f409")
    face, faults = composed(small, "RW5")
    assert [fault.code.id for fault in faults] == ["L002"]
    assert said(face, FAULT_COLOR) == "6F22 1F409"
    assert "漢" not in said(face)
    assert "Mother" in said(face)
    assert ops_of(sound) <= ops_of(face)


def test_letters_of_scripts_that_cannot_be_set_are_numbers_too(small: Path) -> None:
    edit(CARDS, "Mother Flood", "Mother \u1820")
    face, faults = composed(small, "RW5")
    assert [fault.code.id for fault in faults] == ["L013"]
    assert said(face, FAULT_COLOR) == "1820"


def test_only_drafts_are_lenient(small: Path) -> None:
    edit(CARDS, "Mother Flood", LONG)
    report: list[Diagnostic] = []
    read = load_all(small)
    factory = FaceFactory(read, GameFolder(small), report)
    assert factory.card_face(read.cards["RW", "RW5"], "RW", report) is None
    assert [finding.code.id for finding in report] == ["L001"]


def test_the_last_of_alternatives_runs_over(small: Path) -> None:
    edit(Path("templates/card.xml"), "<face>", '<face><first><text width="9" height="2" '
         'font-size="12pt">long</text><text width="5" height="2" font-size="12pt">short</text>'
         "</first>")  # fmt: skip
    face, _ = composed(small, "RW5")
    assert said(face, FAULT_COLOR) == "short"


@pytest.mark.usefixtures("small")
def test_a_draft_says_what_is_wrong_and_prints_the_rest(run: Run) -> None:
    edit(CARDS, "Mother Flood", "Mother 漢 Flood")
    assert run("deck", "river").exit_code == 1
    assert not Path("out").exists()
    assert run("deck", "river", "--draft").exit_code == 1
    with pypdfium2.PdfDocument("out/deck_river_draft.pdf") as document:
        text = " ".join(page.get_textpage().get_text_bounded() for page in document)
    whole = " ".join(text.split())
    assert "L002: a character that the font does not have" in whole
    assert "Mother 6F22 Flood" in whole
    assert "Elder" in whole


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Otter", "Otter"),
        ("O\u0308l", "Öl"),
        ("Z\u0336\u0489 漢", "Z U+6F22"),
        ("\u0645", "U+0645"),
    ],
)
def test_the_name_on_a_stand_in_can_be_read(name: str, expected: str) -> None:
    metrics = HarfBuzzMetrics({font.id: font for font in default_fonts().values()})
    assert replace_missing_letters(name, "text", metrics) == expected
