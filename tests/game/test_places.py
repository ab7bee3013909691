"""Where a game's files are: in other capitals, missing, or where they are not used."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from conftest import HERE, SMALL, Run
from support import card, line, write_game

NOTE = "there is no xml/game.xml, so the shipped game's is used\n"


@pytest.mark.parametrize(("name", "other"), [("Decks", "decks"), ("Factions", "FACTIONS")])
def test_folders_are_found_in_any_capitals(small: Path, run: Run, name: str, other: str) -> None:
    whole = run("check")
    assert re.match(r"\d+ cards and decks checked", whole.stdout)
    (small / "xml" / name).rename(small / "xml" / other)
    assert run("check").stdout == whole.stdout
    assert run("check").stderr == ""
    assert run("deck", "river").exit_code == 0


def test_of_two_folders_the_exact_one_is_read_and_the_other_is_named(small: Path, run: Run) -> None:
    (small / "xml/decks").mkdir()
    if (small / "xml/decks/river.xml").exists():
        pytest.skip("this file system does not tell capitals apart")
    (small / "xml/Decks/ember.xml").rename(small / "xml/decks/ember.xml")
    result = run("check")
    assert result.exit_code == 0
    assert "xml/decks: warning S011: the folder is not used" in result.stderr
    assert "move its contents to `Decks`" in result.stderr


@pytest.mark.corpus(4)
@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("xml/Factions/EC.xml", "move its contents to `EC_cards.xml`"),
        ("xml/Factions/EC_Cards.XML", "move its contents to `EC_cards.xml`"),
        ("xml/Factions/Owls_card.xml", "rename it to `Owls_cards.xml`"),
        ("xml/Deck/new.xml", "move its contents to `Decks`"),
        ("xml/sheet/new.xml", "rename it to `sheets`"),
        ("xml/rulesbook.xml", "rename it to `rulebook.xml`"),
        ("xml/factions_definitions.xml", "remove one of the two"),
        ("xml/rules_old.xml", None),
        ("xml/notes.txt", None),
        ("xml/rules.xml~", None),
        ("xml/#rules.xml#", None),
        ("xml/Factions/notes.txt", None),
        ("xml/Factions/.EC.xml", None),
        ("xml/schema/cards.xsd", None),
    ],
)
def test_files_that_nothing_reads_are_named(
    small: Path, run: Run, path: str, hint: str | None
) -> None:
    (small / path).parent.mkdir(exist_ok=True)
    source = small / "xml/factions_definition.xml"
    (small / path).write_bytes(source.read_bytes() if "factions" in path else b"<data/>")
    result = run("check")
    assert result.exit_code == 0
    assert ("S011" in result.stderr) == (hint is not None)
    assert hint is None or f"hint: {hint}\n" in result.stderr


def test_a_game_without_rules_needs_no_file_of_rules(tmp_path: Path, run: Run) -> None:
    game = write_game(tmp_path, [card("A1", "Ant")], decks={"d": [line("A1")]})
    (game / "xml/rules.xml").unlink()
    at = ("-g", str(game))
    assert run("check", *at).stderr == ""
    for command in (("deck", "d"), ("export", "csv"), ("overview",), ("schema",), ("fmt",)):
        assert run(*command, *at).exit_code == 0, command
    csv = game / "out/csv/card.csv"
    assert run("import", "csv", *at, str(csv)).stdout == "the tables contain no changes\n"


def test_a_game_whose_cards_have_rules_needs_their_file(small: Path, run: Run) -> None:
    (small / "xml/rules.xml").unlink()
    result = run("check")
    assert result.exit_code == 3
    assert "xml/rules.xml: error X006: there is no such file" in result.stderr
    assert run("deck", "river").exit_code == 3


def test_a_folder_without_game_xml_says_whose_is_used(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "game"
    shutil.copytree(HERE / "games/foreign", game)
    monkeypatch.chdir(game)
    assert run("check").stderr.startswith(NOTE)
    assert run("check", "--format", "json").stdout.startswith("{")
    shutil.copytree(SMALL, tmp_path / "own")
    assert run("check", "-g", str(tmp_path / "own")).stderr == ""
