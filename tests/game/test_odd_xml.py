"""What is odd but allowed, and what makes no sense, in files of the shipped game."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from conftest import edit
from damage import check_damaged, copy_part
from deckwright.api.schemas import build_shapes
from deckwright.base.findings import Report, has_errors
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.read import load_valid
from deckwright.game.setup import Setup

pytestmark = pytest.mark.usefixtures("shipped_checked")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_part(tmp_path_factory.mktemp("part"))


XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
SOUND = [
    ("xml/Factions/HK_cards.xml", '<card id="HK1"', "<!-- a --><?b c?><card id='HK1'"),
    ("xml/rules.xml", '<label GEN="Konstrukt"/>', '<label GEN="Konstrukt"> </label>'),
    ("xml/rules.xml", '<label GEN="Konstrukt"/>', '<label GEN="Konstrukt">\n<!-- a -->\n</label>'),
    ("xml/Decks/army_HK_1.xml", 'id="HK3" amount="1"/>', 'id="HK3" amount="1">\n  </card>'),
    ("xml/Decks/army_HK_1.xml", "<data>", f'<data {XSI} xsi:schemaLocation="urn:x x.xsd">'),
    (
        "xml/Decks/army_HK_1.xml",
        "<data>",
        f'<data {XSI} xsi:noNamespaceSchemaLocation="../schema/deck.xsd">',
    ),
    ("xml/game.xml", 'where="level=3" max="3"', 'where="faction_id=HK" max="30"'),
    ("xml/Decks/army_HK_1.xml", 'id="HK3" amount="1"', 'id="HK3" amount=" 01 "'),
]


@pytest.mark.corpus(5)
@pytest.mark.parametrize(("name", "old", "new"), SOUND)
def test_what_xml_allows_is_allowed(
    original: Path, tmp_path: Path, name: str, old: str, new: str
) -> None:
    game = shutil.copytree(original, tmp_path / "game")
    edit(game / name, old, new)
    assert check_damaged(game) == []


COSTS = '<field name="costs" type="integer"'
LEVEL = '<field name="level" type="term" of="levels"'
LABEL = '<label GEN="Konstrukt"/>'
UNSOUND = [
    ("xml/Decks/army_HK_1.xml", "<data>", f'<data {XSI} xsi:nil="true">'),
    ("xml/Decks/army_HK_1.xml", "<data>", f'<data {XSI} xsi:type="deck">'),
    ("xml/rules.xml", LABEL, '<label GEN=""/>'),
    ("xml/rules.xml", LABEL, '<label GROẞ="Konstrukt" GEN="x"/><x/>'),
    ("xml/rules.xml", LABEL, '<label 😀="Konstrukt" GEN="x"/><x/>'),
    ("xml/game.xml", COSTS, '<field name="2x" type="text" optional="true"/>' + COSTS),
    ("xml/game.xml", COSTS, '<field name="a:b" type="text" optional="true"/>' + COSTS),
    ("xml/game.xml", COSTS, '<field name="name" type="text" optional="true"/>' + COSTS),
    ("xml/game.xml", COSTS, COSTS + ' min="9" max="3"'),
    ("xml/game.xml", COSTS, COSTS + ' default="many"'),
    ("xml/game.xml", COSTS, COSTS + ' max="9" default="10"'),
    ("xml/game.xml", LEVEL, LEVEL + ' optional="true" default="9"'),
    ("xml/game.xml", '<kind tag="card"', '<kind tag="9"'),
    ("xml/game.xml", '<kind tag="token"', '<kind tag="a:b"'),
    ("xml/game.xml", '<kind tag="token"', '<kind tag="label"'),
    ("xml/game.xml", 'minimum="5" budget="actions"', 'minimum="5" budget="nothing"'),
    ("xml/game.xml", 'name="Karte" width="65"', 'name="Karte" width="0"'),
    ("xml/game.xml", 'format="a4-65x90"', f'format="{"a" * 300}"'),
    ("xml/game.xml", 'reference="reference.xml"', f'reference="{"a" * 300}"'),
]


@pytest.mark.corpus(5)
@pytest.mark.parametrize(("name", "old", "new"), UNSOUND)
def test_what_makes_no_sense_is_reported(
    original: Path, tmp_path: Path, name: str, old: str, new: str
) -> None:
    game = shutil.copytree(original, tmp_path / "game")
    edit(game / name, old, new)
    report = check_damaged(game)
    assert has_errors(report)
    assert any(f.location is not None and f.location.path == game / name for f in report)


@pytest.mark.parametrize("image", ["a" * 300 + ".png", "&#10;.png"])
def test_an_odd_name_of_an_image_is_that_of_a_missing_one(
    original: Path, tmp_path: Path, image: str
) -> None:
    game = shutil.copytree(original, tmp_path / "game")
    edit(game / "xml/Factions/HK_cards.xml", 'id="HK1"', f'id="HK1" image="{image}"')
    assert [finding.code.id for finding in check_damaged(game)] == ["R005"]


def test_a_file_that_a_document_names_as_its_schema_is_not_opened(
    original: Path, tmp_path: Path
) -> None:
    game = shutil.copytree(original, tmp_path / "game")
    broken = tmp_path / "broken.xsd"
    broken.write_text("<no schema", encoding="utf-8")
    new = f'<data {XSI} xsi:noNamespaceSchemaLocation="{broken.as_uri()}">'
    edit(game / "xml/Decks/army_HK_1.xml", "<data>", new)
    assert check_damaged(game) == []


@pytest.mark.parametrize("number", [0, 1, 30, 59])
@pytest.mark.parametrize("before", [" ", "\n\t", " x='bogus' y=\"bogus='1'\" "])
def test_an_attribute_is_found_where_it_stands(
    original: Path, tmp_path: Path, number: int, before: str
) -> None:
    game = shutil.copytree(original, tmp_path / "game")
    path = game / "xml/rules.xml"
    text = path.read_text(encoding="utf-8")
    start = [match.end() for match in re.finditer("<rule(?= id=.* type=)", text)][number]
    text = f"{text[:start]}{before}bogus='ä' {text[start:]}"
    path.write_text(text, encoding="utf-8")
    report: Report = []
    assert load_valid(path, build_shapes(_setup(game))["rules"], report) is None
    place = text.index("bogus='ä'")
    row = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    found = {(f.location.line, f.location.column) for f in report if f.location is not None}
    assert (row, column) in found


@pytest.mark.parametrize("head", ["", "\ufeff", "\ufeff<?xml version='1.0' encoding='UTF-8'?>"])
def test_a_byte_order_mark_is_no_column(original: Path, tmp_path: Path, head: str) -> None:
    game = shutil.copytree(original, tmp_path / "game")
    path = game / "xml/rules.xml"
    path.write_text(f'{head}<data ä="ö" x="1"/>', encoding="utf-8")
    report: Report = []
    assert load_valid(path, build_shapes(_setup(game))["rules"], report) is None
    start = len(head.removeprefix("\ufeff"))
    places = [f.location.column for f in report if f.location is not None]
    assert places == [start + 7, start + 13]


def _setup(game: Path) -> Setup:
    setup = load.load_setup(GameFolder(game), [])
    assert setup is not None
    return setup
