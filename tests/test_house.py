"""Rules of the house that no linter knows."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from lxml import etree

from conftest import ROOT
from deckwright.base.discovery import load_all
from deckwright.base.findings import REGISTRY

SOURCES = sorted((ROOT / "src").rglob("*.py"))
XML = [
    path
    for folder in ("xml", "templates", "img", "src", "docs", "examples")
    for ending in ("xml", "xsd", "svg")
    for path in (ROOT / folder).rglob(f"*.{ending}")
]
WORDS = [
    path
    for folder in ("src", "docs", "templates", "xml", "benchmarks")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".md", ".xml", ".xsd", ".svg", ".txt", ".toml", ".typ"}
]
WORDS += [*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / "Makefile", ROOT / "LICENSE"]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_there_is_something_to_look_at() -> None:
    assert len(SOURCES) > 40
    assert len(XML) > 20
    assert len(WORDS) > len(SOURCES)


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        name_of(path)
        for path in SOURCES
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


@pytest.mark.parametrize("path", sorted(XML), ids=name_of)
def test_every_xml_file_is_well_formed(path: Path) -> None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    assert etree.fromstring(path.read_bytes(), parser).tag


def test_no_file_tells_of_the_place_where_it_was_written() -> None:
    told = [
        name_of(path)
        for path in WORDS
        if re.search(r"/(?:work|tmp|home|root|Users)/", path.read_text(encoding="utf-8"))
    ]
    assert told == []


LAYERS = {"click": "cli", "reportlab": "pdf", "lxml": "xmlio"}


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return names


def test_a_library_is_used_in_its_layer_alone() -> None:
    for library, layer in LAYERS.items():
        users = {
            path.relative_to(ROOT / "src" / "deckwright").parts[0]
            for path in SOURCES
            if any(name.split(".")[0] == library for name in imported(path))
        }
        assert users == {layer}, library


def test_what_a_game_is_knows_nothing_of_how_it_looks() -> None:
    """The stages are one direction: what comes first does not import what comes later."""
    later = {
        "xmlio": ("game", "checks", "face", "sheet", "pdf", "exporters", "reporters", "cli"),
        "game": ("checks", "face", "sheet", "pdf", "exporters", "reporters", "cli"),
        "checks": ("face", "sheet", "pdf", "exporters", "reporters", "cli"),
        "face": ("sheet", "pdf", "exporters", "reporters", "cli"),
        "sheet": ("pdf", "exporters", "reporters", "cli"),
        "pdf": ("exporters", "reporters", "cli"),
    }
    wrong = [
        f"{name_of(path)} imports {name}"
        for package, banned in later.items()
        for path in (ROOT / "src" / "deckwright" / package).rglob("*.py")
        for name in imported(path)
        if name.startswith(tuple(f"deckwright.{other}" for other in banned))
    ]
    assert wrong == []


def test_codes_are_of_a_family_and_say_what_they_are() -> None:
    load_all()
    for code in REGISTRY.values():
        assert re.fullmatch(r"[XSGRDTLIE]\d{3}", code.id)
        assert code.title[0].islower() or code.title.startswith(("SVG", "CMYK"))
        assert not code.title.endswith(".")


def test_every_attribute_of_the_shipped_game_is_told_of_in_its_schema() -> None:
    """Editors show these texts."""
    schema = etree.parse(ROOT / "xml" / "schema" / "cards.xsd")
    xs = "{http://www.w3.org/2001/XMLSchema}"
    told = {
        str(attribute.get("name"))
        for attribute in schema.iter(f"{xs}attribute")
        if attribute.find(f"{xs}annotation") is not None
    }
    assert {"id", "name", "faction_id", "level", "strength", "actions", "costs"} <= told
