"""Rules of the house that no linter knows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lxml import etree

from conftest import ROOT
from deckwright.base.findings import REGISTRY, register_all_codes

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


@cache
def tree_of(path: Path) -> ast.Module:
    """Return what Python reads in a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def test_there_is_something_to_look_at() -> None:
    assert len(SOURCES) > 40
    assert len(XML) > 20
    assert len(WORDS) > len(SOURCES)


def test_every_module_says_what_it_is_for() -> None:
    silent = [name_of(path) for path in SOURCES if not ast.get_docstring(tree_of(path))]
    assert silent == []


def faults_of(path: Path) -> list[str]:
    """Return why an XML file is not well-formed."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        etree.fromstring(path.read_bytes(), parser)
    except etree.XMLSyntaxError as error:
        return [f"{name_of(path)}: {error}"]
    return []


def test_every_xml_file_is_well_formed() -> None:
    assert [fault for path in XML for fault in faults_of(path)] == []


def test_no_file_tells_of_the_place_where_it_was_written() -> None:
    told = [
        name_of(path)
        for path in WORDS
        if re.search(r"/(?:work|tmp|home|root|Users)/", path.read_text(encoding="utf-8"))
    ]
    assert told == []


def test_tests_lie_in_the_folder_of_the_room_that_they_test() -> None:
    rooms = {path.name for path in (ROOT / "src" / "deckwright").iterdir() if path.is_dir()}
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert folders - {"browser"} == rooms - {"blank", "plain", "repository", "__pycache__"}


def module_of(path: Path) -> str:
    """Return the name of a module, such as `deckwright.game.model`."""
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in SOURCES}
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOMS = re.findall(r"^\| `(\w+)/` \|", MAP, re.MULTILINE)
"""The rooms of the map, from the ground up: each may use those before it."""
ABOVE = {"__main__"}
"""Modules that stand above the rooms."""
LIBRARIES = {
    "click": "cli",
    "reportlab": "paint",
    "lxml": "xmlio",
    "starlette": "studio",
    "uvicorn": "studio",
    "watchfiles": "studio",
    "distributed": "runs",
}


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the modules that a file imports anywhere, `from deckwright import x` included."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & MODULES.keys() or {node.module or ""}
    return frozenset(found)


def room_of(module: str) -> str:
    """Return the room of a module, "" if it is in none."""
    name = module.split(".")[1] if "." in module else ""
    return "" if name in ABOVE else name


def test_every_module_is_in_a_room_of_the_map() -> None:
    assert len(ROOMS) > 10
    assert {room_of(module) for module in MODULES} - {""} == set(ROOMS)


def test_a_library_is_used_in_its_room_alone() -> None:
    for library, room in LIBRARIES.items():
        users = {
            room_of(module)
            for module, path in MODULES.items()
            if any(name.split(".")[0] == library for name in imported(path))
        }
        assert users == {room}, library


def test_only_pull_uses_the_internet() -> None:
    """The studio connects to itself; Dask's own library connects a run to its workers."""
    libraries = {"socket", "ssl", "http.client", "urllib.request", "ftplib", "smtplib"}
    connecting = {module for module, path in MODULES.items() if imported(path) & libraries}
    assert connecting == {"deckwright.studio.server", "deckwright.tables.download"}
    for inner, outer in (("tables.download", "tables.pulling"), ("tables.pulling", "cli.pull")):
        users = {m for m, path in MODULES.items() if f"deckwright.{inner}" in imported(path)}
        assert users == {f"deckwright.{outer}"}


def test_no_room_uses_one_above_it() -> None:
    rooms = [*ROOMS, ""]
    assert ROOMS[-4:] == ["api", "runs", "studio", "cli"]
    height = {room: number for number, room in enumerate(rooms)}
    wrong = [
        f"{module} imports {name}"
        for module, path in MODULES.items()
        for name in imported(path) & MODULES.keys()
        if module not in {"deckwright", "deckwright.__main__"}
        if name != "deckwright" and height[room_of(name)] > height[room_of(module)]
    ]
    assert wrong == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Packages count as the modules that they import, and what is imported late counts as well.

    But for `deckwright` itself: what it gives of the library is imported when it is asked for.
    """
    uses = {module: imported(path) & MODULES.keys() for module, path in MODULES.items()}
    uses["deckwright"] = frozenset()
    free: set[str] = set()
    while ready := {m for m in uses if m not in free and uses[m] - {m} <= free}:
        free |= ready
    assert sorted(uses.keys() - free) == []


def test_codes_are_of_a_family_and_say_what_they_are() -> None:
    register_all_codes()
    for code in REGISTRY.values():
        assert re.fullmatch(r"[XSGRDTLIEP]\d{3}", code.id)
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


def test_settings_travel_as_one_value_that_is_called_options_everywhere() -> None:
    """What users ask for is a NamedTuple `…Options`; no other name is to be learned.

    The keyword arguments of the library are TypedDicts `…Print`, called `how` until resolved.
    """
    called: dict[str, set[str]] = {}
    for path in MODULES.values():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.arg) and isinstance(node.annotation, ast.Name):
                called.setdefault(node.annotation.id, set()).add(node.arg)
    words = {"options", "asked", "wishes"}
    kinds = {name for name, names in called.items() if names & words} - {"Any", "object", "str"}
    assert len(kinds) >= 6
    assert [name for name in kinds if not name.endswith(("Options", "Print"))] == []
    assert {word for name in kinds for word in called[name]} - {"how"} == {"options"}


BANNED = frozenset(
    """
    adding asked asked_of beginnings bringing brought chosen closed completed
    demand_installed demand_whole desk drafted fitting found_in gone hair heard held held_by
    held_of homes idless instead judged judging kept_in laid lean lenders looked looked_over
    looking made_by made_of meant missed much opened packed picked picked_of playing riddle
    said_by sent shelf sifted so_many spliced spread supposed taken tell_all thinking
    told_in told_of tried understood unfit unread unsaid wall works_of
    """.split()  # noqa: SIM905 - a line for each would be long
)
"""Names that do not say what a thing is or a function does; docs/architecture.md has ours."""
BANNED_CONSTANTS = {"_MOST", "_NEAR", "_HAIR", "_FEW"}
"""Say `_MAX_…`, `_MIN_…` or `…_TOLERANCE`."""


def definitions_of(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the functions, classes, methods and constants of a module."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
    for assignment in tree.body:
        if isinstance(assignment, (ast.Assign, ast.AnnAssign)):
            targets = (
                assignment.targets if isinstance(assignment, ast.Assign) else [assignment.target]
            )
            for target in targets:
                yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name))


def test_no_name_is_banned() -> None:
    names = {
        f"{module}:{name}"
        for module, path in MODULES.items()
        for name in (*definitions_of(tree_of(path)), module.rpartition(".")[2])
    }
    assert len(names) > 1000
    called = {each: each.rpartition(":")[2] for each in names}
    banned = [
        each
        for each, name in called.items()
        if name in BANNED_CONSTANTS or name.strip("_").lower() in BANNED
    ]
    assert sorted(banned) == []
