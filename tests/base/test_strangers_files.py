"""What others wrote, or what stands in place of a file, is told of; it never crashes or blocks."""

from __future__ import annotations

import json
import marshal
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Run
from deckwright.base.cache import Cache
from deckwright.base.files import cache_folder
from support import card, line, write_game

FACE = """<face><image href="a.svg" x="1" y="1" width="20" height="20"/>
<text x="5" y="45" width="55" height="20">{{ card.name }}</text></face>"""
CONTENTS = {
    "empty": b"",
    "text": b"none of ours",
    "number": pickle.dumps(1),
    "dict": pickle.dumps({}),
    "cut": pickle.dumps(list(range(1000)))[:-9],
    "code": marshal.dumps((1, 2)),
    "none": marshal.dumps(None),
}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_game(tmp_path / "game", [card("A1", "Ant")], decks={"one": [line("A1")]},
                        face=FACE)  # fmt: skip
    (folder / "img").mkdir()
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}"/>'
    (folder / "img" / "a.svg").write_text(drawing.format(10))
    monkeypatch.chdir(folder)
    return folder


def forget() -> None:
    """Forget what this process has read."""
    from deckwright.images.drawings.cache import forget_drawings

    forget_drawings()


@pytest.mark.usefixtures("game")
@pytest.mark.corpus(3)
@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_an_entry_of_the_cache_with_something_else_in_it_is_none(run: Run, content: bytes) -> None:
    commands = "check", "deck one", "proof"
    assert [run(*command.split()).exit_code for command in commands] == [0, 0, 0]
    entries = [path for path in cache_folder().rglob("*") if path.is_file()]
    kinds = {path.parent.name for path in entries}
    assert kinds >= {"checked", "drawings", "pictures", "programs"}
    for path in entries:
        Cache(path.parent.name).write(path.name, content)
    for command in commands:
        forget()
        result = run(*command.split())
        assert (result.exit_code, result.exception) == (0, None), result.stderr


def test_an_entry_is_read_only_from_its_own_place() -> None:
    Cache("things").write("one", b"1")
    (cache_folder() / "things" / "one").rename(cache_folder() / "things" / "two")
    assert Cache("things").read("two") is None
    Cache("things").write("one", b"1")
    assert Cache("things").read("one") == b"1"


@pytest.mark.parametrize("height", ["0", "-1", "1e-9"])
def test_a_drawing_without_a_height_is_refused(game: Path, run: Run, height: str) -> None:
    (game / "img" / "a.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="{height}"/>'
    )
    result = run("check")
    assert result.exit_code == 1
    assert "the canvas is 10 × " in result.stderr or "`height`" in result.stderr


def test_objects_among_other_values_of_a_cell_are_read(game: Path, run: Run) -> None:
    rules = [1, {"b": 2}, {"id": None, "c": [3]}]
    cards = [{"id": "CAT1", "name": "Cat", "rules": rules, "level": 1, "actions": 1, "costs": 1}]
    (game / "xml" / "Factions" / "BB_cards.json").write_text(json.dumps(cards))
    result = run("check")
    assert result.exit_code == 1
    assert " error " in result.stderr


@pytest.mark.usefixtures("game")
def test_a_limit_of_very_many_digits_is_no_number(run: Run) -> None:
    result = run("check", "--limit", "size=" + "1" * 5000)
    assert result.exit_code == 2
    assert "is not of the form ID=NUMBER" in result.stderr
    assert len(result.stderr) < 500


def piped(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def linked_to_a_pipe(path: Path) -> None:
    piped(path.with_name("pipe"))
    path.unlink(missing_ok=True)
    path.symlink_to("pipe")


PLACES = {
    "xml/Factions/AA_cards.csv": "check",
    "xml/Factions/BB_cards.json": "check",
    "xml/Factions/BB_cards.xlsx": "check",
    "xml/Decks/one.xml": "check",
    "xml/rulebook.xml": "check",
    "xml/sheets/a.xml": "deck one --sheet a",
    "xml/services/a.xml": "export a one",
    "img/a.svg": "check",
    "img/a.png": "check",
    "templates/other.xml": "check",
    "templates/styles.xml": "check",
    "templates/own.ttf": "check",
    "xml/schema/cards.xsd": "schema",
    "a.pdf": "impose a.pdf",
    "b.pdf": "poster b.pdf",
    "c.pdf": "booklet c.pdf",
    "d.csv": "import csv d.csv",
    "out/deck_one.manifest.json": "deck one --changed-since out/deck_one.manifest.json",
    "package/SHA256SUMS": "package --out package",
}


@pytest.mark.corpus(3)
@pytest.mark.parametrize("stopped", [piped, linked_to_a_pipe])
@pytest.mark.parametrize("place", PLACES)
def test_a_pipe_in_place_of_a_file_stops_nothing(
    game: Path, run: Run, place: str, stopped: Callable[[Path], None]
) -> None:
    if place == "img/a.png":
        (game / "templates/card.xml").write_text(FACE.replace("a.svg", "a.png"))
    stopped(game / place)
    result = run(*PLACES[place].split())
    assert result.exit_code in {0, 1, 2, 3}, result.exception
    assert (result.exit_code == 0) == (place in {"templates/other.xml", "templates/own.ttf"}) or (
        place == "xml/schema/cards.xsd"
    ), result.stderr


def test_a_pipe_in_place_of_the_printers_is_told_of(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(game))
    piped(game / "deckwright" / "printers.toml")
    result = run("deck", "one", "--printer", "home")
    assert result.exit_code == 1
    assert (
        "printers.toml: error E004: cannot read the printers: it is not a regular" in result.stderr
    )
