"""Nothing is written through links that lead out of a game, but to what `--out` names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import Run, edit
from support import card, line, token_rule, write_game

MARKERS = """<markers face="marker.xml">
  <marker id="m" color="teal" label="m" name="M" size="20" count="2"/>
</markers></game>"""
BOOK = '<rulebook title="B"><chapter title="C"><p>text</p></chapter></rulebook>'

COMMANDS = {
    "build": "out",
    "deck d": "out",
    "tokens AA": "out",
    "markers": "out",
    "overview": "out",
    "rulebook": "out",
    "tuckbox d": "out",
    "proof": "out/proof",
    "export png": "out/png",
    "export svg": "out/svg",
    "export webp": "out/webp",
    "export csv": "out/csv",
    "export xlsx": "out",
    "export tts d": "out/tts",
    "export cockatrice": "out/cockatrice",
    "export mpc d --scale fit --anyway": "out",
    "diff ../old": "out",
    "schema": "xml/schema",
}
"""Commands, and the folders that they write to."""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game as the working folder, and what it was beside it."""
    folder = write_game(
        tmp_path / "game",
        [card("A1", "Ant", "AA", '<rule id="call"/>', costs=2), card("A2", "Bee")],
        rules=[token_rule("call", "Wolf")],
        decks={"d": [line("A1", 3), line("A2")]},
    )
    edit(folder / "xml" / "game.xml", "</game>", MARKERS)
    (folder / "templates" / "marker.xml").write_text("<face/>", encoding="utf-8")
    (folder / "xml" / "rulebook.xml").write_text(BOOK, encoding="utf-8")
    shutil.copytree(folder, tmp_path / "old")
    edit(folder / "xml" / "Factions" / "AA_cards.xml", "Bee", "Bees")
    (tmp_path / "outside").mkdir()
    monkeypatch.chdir(folder)
    return folder


def link(path: Path, target: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


LINKED = [
    *((command, folder) for command, folder in COMMANDS.items()),
    *((command, "out") for command, folder in COMMANDS.items() if folder.startswith("out/")),
]


@pytest.mark.corpus(3)
@pytest.mark.parametrize(("command", "linked"), LINKED)
def test_a_folder_that_is_a_link_out_of_the_game_is_not_written_to(
    game: Path, run: Run, command: str, linked: str
) -> None:
    outside, folder = game.parent / "outside", COMMANDS[command]
    link(game / linked, outside)
    result = run(*command.split(" "))
    assert list(outside.rglob("*")) == []
    assert " E075: cannot write the file: a link leads out of `game`" in result.stderr
    assert result.exit_code == 3
    options = ("--out", f"{folder}/")
    assert run(*command.split(" "), *options).exit_code == 0
    assert list(outside.rglob("*.*"))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_a_link_out_of_the_game_is_not_written_to(
    game: Path, run: Run, command: str
) -> None:
    """Also if `--out` names the folder that it is in."""
    run(*command.split(" "))
    target, outside = game / COMMANDS[command], game.parent / "outside"
    made = [path for path in target.rglob("*.*") if path.is_file()]
    assert made
    for path in made:
        path.unlink()
        link(path, outside / path.name)
    for out in ((), ("--out", f"{COMMANDS[command]}/")):
        result = run(*command.split(" "), *out)
        assert result.exit_code == 3
        assert " E075: " in result.stderr
    assert list(outside.iterdir()) == []


def test_a_file_that_out_names_is_written_to(game: Path, run: Run) -> None:
    outside = game.parent / "outside"
    link(game / "x.pdf", outside / "x.pdf")
    assert run("deck", "d", "--out", "x.pdf").exit_code == 0
    assert (outside / "x.pdf").is_file()
    assert (game / "x.pdf").is_symlink()


def test_what_is_printed_beside_a_file_that_out_names_is_written_to_its_folder(
    game: Path, run: Run
) -> None:
    outside = game.parent / "outside"
    link(game / "out", outside)
    assert run("deck", "d", "--out", "out/x.pdf").exit_code == 0
    assert {path.name for path in outside.iterdir()} == {"x.pdf", "x.manifest.json"}
    link(outside / "y.manifest.json", game.parent / "elsewhere.json")
    result = run("deck", "d", "--out", "out/y.pdf")
    assert " E075: " in result.stderr
    assert not (game.parent / "elsewhere.json").exists()


def test_a_link_that_stays_in_the_game_is_followed(game: Path, run: Run) -> None:
    (game / "made").mkdir()
    link(game / "out", game / "made")
    assert run("deck", "d").exit_code == 0
    assert (game / "made" / "deck_d.pdf").is_file()


def test_a_game_may_itself_be_a_link(game: Path, run: Run) -> None:
    link(game.parent / "linked", game)
    assert run("deck", "d", "--game", "../linked").exit_code == 0
    assert (game / "out" / "deck_d.pdf").is_file()


@pytest.mark.parametrize("folder", ["templates", "xml/Decks", "xml/Factions"])
@pytest.mark.parametrize("named", [True, False])
def test_fmt_writes_nothing_outside_of_the_game(
    game: Path, run: Run, folder: str, *, named: bool
) -> None:
    outside = game.parent / "outside"
    shutil.copytree(game / folder, outside / "x")
    shutil.rmtree(game / folder)
    link(game / folder, outside / "x")
    before = {path: path.read_bytes() for path in outside.rglob("*.xml")}
    names = [str(path.relative_to(game)) for path in (game / folder).iterdir()] if named else []
    refused = run("fmt", *names).exit_code != 0
    assert refused or (folder == "templates" and not named)  # then they are none of the game's
    assert {path: path.read_bytes() for path in outside.rglob("*.xml")} == before


def test_import_writes_nothing_outside_of_the_game(game: Path, run: Run) -> None:
    run("export", "csv")
    table = game / "out" / "csv" / "card.csv"
    table.write_text(table.read_text("utf-8").replace("Ant", "Ants"), encoding="utf-8")
    outside = game.parent / "outside" / "x"
    shutil.move(game / "xml" / "Factions", outside)
    link(game / "xml" / "Factions", outside)
    before = {path: path.read_bytes() for path in outside.iterdir()}
    assert run("import", "csv", str(table)).exit_code != 0
    assert {path: path.read_bytes() for path in outside.iterdir()} == before


def test_calibrate_follows_no_link_of_the_folder_that_it_is_called_in(game: Path, run: Run) -> None:
    link(game / "calibration.pdf", game.parent / "outside" / "x.pdf")
    result = run("calibrate")
    assert result.exit_code == 3
    assert " E075: " in result.stderr


def test_stale_files_are_removed_in_the_game_alone(game: Path, run: Run) -> None:
    import os

    outside = game.parent / "outside"
    stale = outside / ".deck_d.pdf.abc.tmp"
    stale.write_bytes(b"")
    os.utime(stale, (0, 0))
    link(game / "out", outside)
    run("deck", "d")
    assert stale.exists()
