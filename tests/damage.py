"""Mutations that damage the files of a part of the shipped game."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

from lxml import etree

from conftest import ROOT
from deckwright.base.findings import Location, Report, has_errors
from deckwright.checking import stages
from deckwright.checks.loading import LimitOptions
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
"""A part of the shipped game: its files, with the names of their shapes."""

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


def duplicate(root: Element, rng: random.Random) -> None:
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
    duplicate,
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


def copy_part(folder: Path) -> Path:
    """Copy a part of the shipped game that is quick to check; return `folder`."""
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    shutil.copytree(ROOT / "img", folder / "img")
    (folder / "templates").mkdir()
    for path in (ROOT / "templates").glob("*.xml"):
        shutil.copyfile(path, folder / "templates" / path.name)
    return folder


def is_inside(place: Location) -> bool:
    """Return whether a location is within its file; a lone carriage return may end a line."""
    text = place.path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    for lines in (text.split("\n"), text.replace("\r", "\n").split("\n")):
        if place.line == 0 or (
            1 <= place.line <= len(lines) and 1 <= place.column <= len(lines[place.line - 1]) + 1
        ):
            return True
    return False


def check_damaged(folder: Path) -> Report:
    """Check and print a game, and assert that all findings are well-formed and well located."""
    report: Report = []
    stages.check_files(GameFolder(folder), None, LimitOptions(), report)
    printed, printing = print_deck(folder, "army_HK_1", folder / "deck.pdf")
    assert (printed is None) == has_errors(printing)
    for finding in [*report, *printing]:
        assert "\n" not in finding.message
        if finding.location is not None and finding.location.path.exists():
            assert is_inside(finding.location), finding
    # Other factions of this part have no cards.
    return [finding for finding in report if finding.code.id != "R036"]
