"""Files of the shipped game, damaged in every way: there are findings or success, nothing else."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from conftest import ROOT, edit
from deckwright import pipeline
from deckwright.cli.schema import shapes_of
from deckwright.diagnostics import Location, Report, has_errors
from deckwright.game import load
from deckwright.game.folder import GameFolder
from support import print_deck

FILES = {
    "xml/game.xml": "game",
    "xml/factions_definition.xml": "factions",
    "xml/rules.xml": "rules",
    "xml/Factions/HK_cards.xml": "cards",
    "xml/Factions/NW_cards.xml": "cards",
    "xml/Decks/army_HK_1.xml": "deck",
}
"""A part of the shipped game, each file with the name of its shape."""

TEMPLATES = ("templates/card.xml", "templates/reference.xml", "templates/styles.xml")

VALUES = [
    "",
    " ",
    "0",
    "-1",
    "3",
    "03",
    " 3 ",
    "+3",
    "1.5",
    "1e3",
    "99999",
    "9" * 12,
    "9" * 40,
    "true",
    "off",
    "own",
    "HK",
    "Menschen",
    "CLOSE",
    "card.xml",
    "level=3 and level_2>1",
    "faction_id=HK",
    "#12345g",
    "DarkBlue",
    "a b",
    "a\nb\tc",
    "\N{NO-BREAK SPACE}",
    "\N{LATIN CAPITAL LETTER SHARP S}",
    "\N{PILE OF POO}",
    "x" * 300,
    "../../x",
    "/",
    "{{ 1/0 }}",
    "{% for",
    "<&>\"'",
    "icon",
    "2x",
    "a:b",
]
NAMES = [
    "x",
    "_",
    "id",
    "name",
    "card",
    "rule",
    "row",
    "data",
    "Größe",
    "\N{CJK UNIFIED IDEOGRAPH-4E00}",
]

Element = etree._Element  # noqa: SLF001 - lxml's only name for it
Mutation = Callable[[Element, random.Random], None]


def elements(root: Element) -> list[Element]:
    return [element for element in root.iter() if isinstance(element.tag, str)]


def drop(root: Element, rng: random.Random) -> None:
    element = rng.choice(elements(root))
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def double(root: Element, rng: random.Random) -> None:
    element = rng.choice(elements(root))
    parent = element.getparent()
    if parent is not None:
        parent.insert(rng.randint(0, len(parent)), deepcopy(element))


def rename(root: Element, rng: random.Random) -> None:
    rng.choice(elements(root)).tag = rng.choice(NAMES)


def shuffle(root: Element, rng: random.Random) -> None:
    element = rng.choice(elements(root))
    children = list(element)
    rng.shuffle(children)
    element[:] = children


def move(root: Element, rng: random.Random) -> None:
    element, target = rng.choice(elements(root)), rng.choice(elements(root))
    if element not in list(target.iterancestors()) and element is not target:
        target.append(element)


def drop_attribute(root: Element, rng: random.Random) -> None:
    element = rng.choice(elements(root))
    if element.attrib:
        del element.attrib[rng.choice(list(element.attrib))]


def rename_attribute(root: Element, rng: random.Random) -> None:
    element = rng.choice(elements(root))
    if element.attrib:
        value = str(element.attrib.pop(rng.choice(list(element.attrib))))
        element.set(rng.choice([*NAMES, "{urn:x}y"]), value)


def change_value(root: Element, rng: random.Random) -> None:
    element = rng.choice(elements(root))
    if element.attrib:
        element.set(rng.choice(list(element.attrib)), rng.choice(VALUES))


def add_attribute(root: Element, rng: random.Random) -> None:
    rng.choice(elements(root)).set(rng.choice(NAMES), rng.choice(VALUES))


def add_text(root: Element, rng: random.Random) -> None:
    element = rng.choice(elements(root))
    if rng.random() < 0.5:
        element.text = (element.text or "") + rng.choice(VALUES)
    else:
        element.tail = (element.tail or "") + rng.choice(VALUES)
    if element.getparent() is None:
        element.tail = None


MUTATIONS: list[Mutation] = [
    drop,
    double,
    rename,
    shuffle,
    move,
    drop_attribute,
    rename_attribute,
    change_value,
    change_value,
    add_attribute,
    add_text,
]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A part of the shipped game that is quick to check."""
    folder = tmp_path_factory.mktemp("part")
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    (folder / "templates").mkdir()
    for path in (ROOT / "templates").glob("*.xml"):
        shutil.copyfile(path, folder / "templates" / path.name)
    shutil.copytree(ROOT / "img", folder / "img")
    return folder


def inside(place: Location) -> bool:
    """Return whether a place is in its file; a carriage return alone may count as a line or not."""
    text = place.path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    for lines in (text.split("\n"), text.replace("\r", "\n").split("\n")):
        if place.line == 0 or (
            1 <= place.line <= len(lines) and 1 <= place.column <= len(lines[place.line - 1]) + 1
        ):
            return True
    return False


def checked(folder: Path) -> Report:
    """Check a game as `deckwright check` and `deckwright deck` do; check what they say."""
    report: Report = []
    pipeline.check(GameFolder(folder), [], pipeline.Rules(), report, everything=True)
    printed, printing = print_deck(folder, "army_HK_1", folder / "deck.pdf")
    assert (printed is None) == has_errors(printing)
    for finding in [*report, *printing]:
        assert "\n" not in finding.message
        if finding.location is not None and finding.location.path.exists():
            assert inside(finding.location), finding
    return report


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(st.sampled_from([*FILES, *TEMPLATES]), st.integers(0, 2**32), st.integers(1, 4))
def test_damaged_elements_give_findings_or_success(
    original: Path, name: str, seed: int, count: int
) -> None:
    rng = random.Random(seed)
    source = original / name
    before = source.read_bytes()
    root = etree.fromstring(before)
    for _ in range(count):
        rng.choice(MUTATIONS)(root, rng)
    try:
        source.write_bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True))
        checked(original)
    finally:
        source.write_bytes(before)


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from([*FILES, *TEMPLATES]),
    st.lists(st.tuples(st.integers(0, 2**20), st.binary(max_size=3)), min_size=1, max_size=3),
    st.sampled_from([None, 0, 10, 300, 1500]),
)
def test_damaged_bytes_give_findings_or_success(
    original: Path, name: str, flips: list[tuple[int, bytes]], cut: int | None
) -> None:
    source = original / name
    before = source.read_bytes()
    data = bytearray(before[:cut])
    for position, new in flips:
        place = position % (len(data) + 1)
        data[place : place + len(new)] = new
    try:
        source.write_bytes(bytes(data))
        checked(original)
    finally:
        source.write_bytes(before)


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(list(FILES)), st.integers(0, 2**32), st.integers(1, 4))
def test_the_schema_refuses_just_what_is_explained(
    original: Path, name: str, seed: int, count: int
) -> None:
    setup = load.load_setup(GameFolder(original), [])
    assert setup is not None
    shape = shapes_of(setup)[FILES[name]]
    rng = random.Random(seed)
    root = etree.fromstring((original / name).read_bytes())
    for _ in range(count):
        rng.choice(MUTATIONS)(root, rng)
    path = original / "damaged.xml"
    path.write_bytes(etree.tostring(root))
    report: Report = []
    assert (load.load_valid(path, shape, report) is None) == has_errors(report)


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


@pytest.mark.parametrize(("name", "old", "new"), SOUND)
def test_what_xml_allows_is_allowed(
    original: Path, tmp_path: Path, name: str, old: str, new: str
) -> None:
    game = shutil.copytree(original, tmp_path / "game")
    edit(game / name, old, new)
    assert checked(game) == []


COSTS = '<field name="costs" type="integer"'
LEVEL = '<field name="level" type="term" of="levels"'
LABEL = '<label GEN="Konstrukt"/>'
UNSOUND = [
    ("xml/Decks/army_HK_1.xml", "<data>", f'<data {XSI} xsi:nil="true">'),
    ("xml/Decks/army_HK_1.xml", "<data>", f'<data {XSI} xsi:type="deck">'),
    ("xml/rules.xml", LABEL, '<label GEN=""/>'),
    ("xml/rules.xml", LABEL, '<label GROẞ="Konstrukt" GEN="x"/><x/>'),
    ("xml/rules.xml", LABEL, '<label 😀="Konstrukt" GEN="x"/><x/>'),
    ("xml/Factions/HK_cards.xml", 'id="HK1"', f'id="HK1" image="{"a" * 300}.png"'),
    ("xml/Factions/HK_cards.xml", 'id="HK1"', 'id="HK1" image="&#10;.png"'),
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


@pytest.mark.parametrize(("name", "old", "new"), UNSOUND)
def test_what_makes_no_sense_is_reported(
    original: Path, tmp_path: Path, name: str, old: str, new: str
) -> None:
    game = shutil.copytree(original, tmp_path / "game")
    edit(game / name, old, new)
    report = checked(game)
    assert has_errors(report)
    assert any(f.location is not None and f.location.path == game / name for f in report)


def test_a_file_that_a_document_names_as_its_schema_is_not_opened(
    original: Path, tmp_path: Path
) -> None:
    game = shutil.copytree(original, tmp_path / "game")
    broken = tmp_path / "broken.xsd"
    broken.write_text("<no schema", encoding="utf-8")
    new = f'<data {XSI} xsi:noNamespaceSchemaLocation="{broken.as_uri()}">'
    edit(game / "xml/Decks/army_HK_1.xml", "<data>", new)
    assert checked(game) == []
