"""Findings that are alike are told as one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from conftest import Run
from support import card, line, write_game

pytestmark = pytest.mark.child

NUMBER = 40


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game of many cards that all name the same picture, which is missing."""
    cards = [card(f"A{n}", f"Ant {n}", image="ant.png") for n in range(NUMBER)]
    decks = {name: [line(f"A{n}") for n in range(NUMBER)] for name in ("one", "two")}
    write_game(tmp_path, cards, decks=decks)
    return tmp_path


def test_check_tells_the_finding_once_with_the_places_of_the_others(run: Run, game: Path) -> None:
    said = run("check", "--ignore", "R020", "--game", str(game)).stderr
    assert len(said.splitlines()) < 14
    said = " ".join(said.split())
    assert said.count(" R005: ") == 1
    assert f"{NUMBER - 1} more like this: " in said
    lines = (game / "xml/Factions/AA_cards.xml").read_text("utf-8").splitlines()
    second = next(n for n, text in enumerate(lines, 1) if 'id="A1"' in text)
    assert f"AA_cards.xml: {second} `A1`, " in said
    assert said.endswith(f" and {NUMBER - 1 - 30} more {NUMBER} warnings")


def test_reports_for_programs_keep_every_place(run: Run, game: Path) -> None:
    for output, mark in (("json", '"code": "R005"'), ("sarif", '"ruleId": "R005"')):
        report = run("check", "--game", str(game), "--format", output).stdout
        assert json.loads(report)
        assert report.count(mark) == NUMBER


def test_what_is_mended_otherwise_is_told_by_itself(run: Run, game: Path) -> None:
    (game / "img").mkdir(exist_ok=True)
    (game / "img" / "ant.jpg").write_bytes(b"")
    file = game / "xml/Factions/AA_cards.xml"
    file.write_text(file.read_text("utf-8").replace("ant.png", "anti.gif", 1), "utf-8")
    said = run("check", "--game", str(game), "--select", "R005").stderr
    assert said.count(" R005: ") == said.count("hint: ") >= 1


def test_a_command_that_prints_shows_each_kind_once(run: Run, game: Path) -> None:
    result = run("deck", "one", "two", "--ignore-limits", "--game", str(game))
    assert result.exit_code == 0, result.stderr
    assert sorted(re.findall(r" ([A-Z]\d{3}): ", result.stderr)) == ["R005", "R020"]
    assert f"  {NUMBER - 1} more like this\n" in result.stderr
    assert "`deckwright check` lists the others\n" in result.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("build",),
        ("tuckbox", "one", "two"),
        ("tokens", "one", "two"),
        ("stats", "one", "two"),
        ("export", "tts"),
        ("export", "mpc", "one", "two", "--check", "--anyway"),
    ],
)
def test_of_several_decks_a_finding_is_shown_with_the_first(
    run: Run, game: Path, command: tuple[str, ...]
) -> None:
    result = run(*command, "--game", str(game))
    codes = re.findall(r"^.*? ([A-Z]\d{3}): .*", result.stderr, re.MULTILINE)
    assert codes.count("R005") == 1, result.stderr
