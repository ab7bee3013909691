"""What was released goes on working: names, games, and files that earlier versions have written.

The files in `released/` stay as they are. `names.txt` lists what a version knows: `--update-golden`
adds to the newest list what is new, and removes nothing.
"""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from inspect import isclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import click
import pytest
from lxml import etree

import deckwright
from conftest import HERE, Run, edit
from deckwright import api, open_game, runs
from deckwright.api.schemas import build_shapes
from deckwright.base.findings import REGISTRY, Report, register_all_codes
from deckwright.cli import deckwright as program
from deckwright.cli.terminal import FORMER_OPTIONS
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from deckwright.game.setup import game_shape
from deckwright.templates.elements import ELEMENTS
from deckwright.xmlio.shape import Shape, schema_bytes
from examples_of_codes import EXAMPLES, lay_over
from support import page_texts

RELEASED = HERE / "released"
VERSIONS = ["0.1", "1.0"]
GAMES = {"army": "army_HK_1", "duel": "blue", "starter": "cats"}
"""Games of 0.1, each with a deck; `army` has no `game.xml`."""

OF_ALL = {*dir(tuple), *dir(dict), *dir(Exception)}
"""What the classes of the library have from Python's own."""


def options(command: click.Command, *words: str) -> Iterator[tuple[str, str]]:
    """Yield the options of all commands, each with its command."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), name)
            assert found is not None
            yield from options(found, *words, name)
        return
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for option in (*parameter.opts, *parameter.secondary_opts):
                yield " ".join(["command", *words]), option


def parts(shape: Shape, file: str) -> Iterator[tuple[str, str]]:
    """Yield the attributes and children of all elements of a file, each with its element."""
    for attribute in shape.attributes:
        yield f"{file} {shape.tag}", attribute.name
    for child in shape.children:
        yield f"{file} {shape.tag}", f"<{child.shape.tag}>"
        yield from parts(child.shape, file)


@cache
def known_names() -> dict[str, set[str]]:
    """Return what programs, scripts and files may name, by what it belongs to."""
    register_all_codes()
    setup = load_setup(GameFolder(RELEASED / "0.1" / "starter"), [])
    assert setup is not None
    names = defaultdict(set, codes={*REGISTRY})
    for owner, name in options(program):
        names[owner] |= {name, *(old for old, now in FORMER_OPTIONS.items() if now == name)}
    for file, shape in build_shapes(setup).items():
        for owner, name in parts(shape, f"file {file}"):
            names[owner].add(name)
    for tag, element in ELEMENTS.items():
        names[f"template {tag}"] = {*element.attributes}
    for module in (api, runs):
        names[f"library {module.__name__.removesuffix('.api')}"] = {*module.__all__}
        for thing in (getattr(module, name) for name in module.__all__):
            if isclass(thing):
                annotated = {*getattr(thing, "__annotations__", ())}
                public = {name for name in {*dir(thing)} | annotated if not name.startswith("_")}
                names[f"library {thing.__name__}"] = public - OF_ALL
    return names


def read_names(version: str) -> dict[str, set[str]]:
    """Return the names in the list of a version."""
    path = RELEASED / version / "names.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {owner: {*names.split()} for owner, _, names in (line.partition(": ") for line in lines)}


@pytest.mark.parametrize("version", VERSIONS)
def test_released_names_are_known(version: str, request: pytest.FixtureRequest) -> None:
    known, names = known_names(), read_names(version)
    if request.config.getoption("--update-golden") and version == VERSIONS[-1]:
        for owner, more in known.items():
            names[owner] = names.get(owner, set()) | more
        lines = [f"{owner}: {' '.join(sorted(all_))}\n" for owner, all_ in sorted(names.items())]
        (RELEASED / version / "names.txt").write_text("".join(lines), encoding="utf-8")
    assert len(names) > 100
    assert {owner: gone for owner, all_ in names.items() if (gone := all_ - known[owner])} == {}


@pytest.fixture
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of what was released is the current folder."""
    shutil.copytree(RELEASED, tmp_path / "released")
    monkeypatch.chdir(tmp_path / "released")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.usefixtures("released")
def test_a_released_game_is_opened_checked_and_printed(name: str, run: Run) -> None:
    game, folder = open_game(f"0.1/{name}"), ["--game", f"0.1/{name}"]
    checked = run("check", *folder, "--strict")
    assert checked.exit_code == 0, checked.output
    printed = run("deck", GAMES[name], *folder, "-o", "deck.pdf", "-q")
    assert printed.exit_code == 0, printed.output
    pages = " ".join(page_texts(Path("deck.pdf")))
    list_ = ET.parse(Path("0.1", name, "xml/Decks", f"{GAMES[name]}.xml"))
    ids = {line.get("id") for line in list_.iter("card")}
    names = {card.name for card in game.cards if card.id in ids}
    assert len(names) > 3
    assert [each for each in names if each not in pages] == []


@pytest.mark.usefixtures("released")
def test_what_was_written_is_read(run: Run) -> None:
    """A manifest and a table of 0.1, of the game as it is now."""
    changed = "0.1/written/deck_cats.manifest.json"
    edit(Path("0.1/starter/xml/Factions/CAT_cards.xml"), 'power="7"', 'power="8"')
    result = run("deck", "cats", "--game", "0.1/starter", "--changed-since", changed)
    assert result.exit_code == 0, result.output
    assert "CAT4 Captain Tom: power 7 → 8" in result.output
    table = ("import", "csv", "0.1/written/card.csv", "--game", "0.1/starter", "--dry-run")
    assert "CAT4 Captain Tom: power 8 → 7" in run(*table).output


REPORTS = {
    "0.1/written/check.json": "check",
    "1.0/written/check.json": "check",
    "1.0/written/compare.json": "compare cats gulls",
    "1.0/written/diff.json": "diff ../written/deck_cats.manifest.json --no-pdf",
    "1.0/written/hand.json": "hand cats --hand 5 --seed 7",
    "1.0/written/odds.json": "odds cats --hand 5",
    "1.0/written/play.json": "play ../../1.0/written/cat-7.jsonl",
    "1.0/written/solve.json": "solve CAT --maximize power",
    "1.0/written/stats.json": "stats cats",
}
"""Reports about the starter of 0.1, and the commands that gave them."""


def differences(old: object, new: object, place: str = "") -> Iterator[str]:
    """Yield what a report has lost: keys, rows, and values other than prose and addresses."""
    if isinstance(old, dict) and isinstance(new, dict):
        yield from (f"{place}/{key}" for key in old.keys() - new.keys())
        for key in old.keys() & new.keys():
            yield from differences(old[key], new[key], f"{place}/{key}")
    elif isinstance(old, list) and isinstance(new, list):
        yield from (f"{place}/{row}" for row in old[len(new) :])
        for number, both in enumerate(zip(old, new, strict=False)):
            yield from differences(*both, f"{place}/{number}")
    elif not (isinstance(old, str) and isinstance(new, str) and {" ", "/"} & {*old}) and old != new:
        yield f"{place}: {old} → {new}"


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.usefixtures("released")
def test_a_report_keeps_its_form(report: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    old = json.loads(Path(report).read_text(encoding="utf-8"))
    monkeypatch.chdir("0.1/starter")
    if report.startswith("0.1"):  # with a mistake
        edit(
            Path("xml/Factions/CAT_cards.xml"),
            '"CAT" cost="2" power="2"',
            '"CAT" cots="2" power="2"',
        )
    result = run(*REPORTS[report].split(), "--format", "json")
    assert [*differences(old, json.loads(result.stdout))] == []


@pytest.mark.parametrize("option", [["--language", "de"], ["--language=de"]])
def test_a_former_option_works_and_says_so(option: list[str], small: Path, run: Run) -> None:
    assert small.is_dir()
    result = run("check", *option, "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["errors"] == 0
    assert result.stderr == (
        "`--language` is now `--messages`; Deckwright 2.0 will not know the former name\n"
    )
    assert run("schema", *option).exit_code == 2  # which never had it


@pytest.mark.parametrize("module", [deckwright, runs])
def test_a_former_name_of_the_library_works_and_says_so(module: Any) -> None:
    assert vars(module)["_FORMER_NAMES"]
    for former, name in vars(module)["_FORMER_NAMES"].items():
        with pytest.warns(DeprecationWarning, match=f"`{former}` is now `{name}`") as warned:
            assert getattr(module, former) is getattr(module, name)
        assert warned[0].filename == __file__


def test_a_former_attribute_works_in_the_game_and_in_its_schema(small: Path, run: Run) -> None:
    lay_over(small, EXAMPLES / "S013" / "bad")
    assert run("check").exit_code == 0
    folder = GameFolder(small)
    setup = load_setup(folder, [])
    assert setup is not None
    assert setup.public_key.startswith("AOQQPP")
    schema = etree.XMLSchema(etree.fromstring(schema_bytes(game_shape())))
    assert schema.validate(etree.parse(folder.game_file)), schema.error_log
    edit(folder.game_file, "public_key=", f'public-key="{setup.public_key}" public_key=')
    assert "has an unknown attribute `public_key`" in run("check").stderr


@pytest.mark.parametrize(
    ("needs", "installed", "code"),
    [
        ("1", "1.0.0", None), ("1.1", "1.1.0.dev2", None), ("1.1", "1.10.0", None),
        ("1.1", "1.0.9", "X008"), ("1.1.1", "1.1.0", "X008"), ("2", "1.9.0", "X008"),
        ("new", "1.0.0", "S004"), ("", "1.0.0", "S004"), ("1.1.", "1.0.0", "S004"),
    ],
)  # fmt: skip
def test_a_game_says_which_version_it_needs(
    needs: str, installed: str, code: str | None, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckwright.game.load.__version__", installed)
    edit(small / "xml/game.xml", "<game ", f'<game needs="{needs}" ')
    edit(small / "xml/game.xml", "</game>", "<portals/></game>" if code == "X008" else "</game>")
    report: Report = []
    assert (load_setup(GameFolder(small), report) is None) == (code is not None)
    assert [finding.code.id for finding in report] == [code] * bool(code)
    assert [f.location.spot for f in report if f.location] == ["3:7"] * bool(code)
