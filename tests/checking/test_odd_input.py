"""Odd fonts, names, settings and patterns end in findings, not in faults."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from conftest import HERE, Run
from deckwright.sheet.printers import load_printers, settings_file
from support import card, line, write_game

BROKEN = HERE / "diagnostics" / "E077" / "bad" / "templates" / "boxes.ttf"


@pytest.mark.parametrize("command", ["check", "build", "overview", "deck d", "rulebook"])
def test_a_font_that_cannot_be_embedded_is_told(tmp_path: Path, run: Run, command: str) -> None:
    folder = write_game(tmp_path / "game", [card("A1", "Bee")], decks={"d": [line("A1", 3)]})
    book = '<rulebook title="Bee"><chapter title="Bee"><p>Bee</p></chapter></rulebook>'
    (folder / "xml" / "rulebook.xml").write_text(book, encoding="utf-8")
    shutil.copy(BROKEN, folder / "templates")
    game = folder / "xml" / "game.xml"
    written = game.read_text("utf-8").replace('family="Source Sans Pro"', 'regular="boxes.ttf"')
    game.write_text(written, encoding="utf-8")
    result = run(*command.split(" "), "--game", str(folder))
    assert result.exit_code == 1
    assert "templates/boxes.ttf: error E077: the font cannot be embedded" in result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode elsewhere")
@pytest.mark.parametrize(
    "command",
    ["export tts", "export csv", "export xlsx", "export cockatrice", "export png",
     "export mpc DECK --scale fit --anyway", "build", "proof", "stats DECK", "diff .", "check",
     "tuckbox DECK", "fmt"],
)  # fmt: skip
def test_names_that_are_not_utf_8_are_no_fault(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    odd = os.fsdecode(b"caf\xe9")
    folder = write_game(tmp_path / odd, [card("A1", "Bee")], decks={odd: [line("A1")]})
    monkeypatch.chdir(folder)
    result = run(*(part.replace("DECK", odd) for part in command.split(" ")))
    assert result.exit_code in {0, 1}, result.output
    result.output.encode()
    if command == "export tts":
        made = json.loads((folder / "out" / "tts" / f"{odd}.json").read_text("utf-8"))
        assert made["ObjectStates"]
    if command == "export csv":
        assert "caf\\xe9" in (folder / "out" / "csv" / "decks.csv").read_text("utf-8")


@pytest.mark.parametrize(
    "text",
    ["x = " + "[" * 9_000, "x = " + "[" * 2_000_000, "a." * 1_000_000 + "a = 1",
     "[" + "a." * 9_000 + "a]", "a." * 9_000 + "a = 1", "x = " + "{a = " * 3_000,
     "[[a]]\n" * 3_000],
    ids=["lists", "many lists", "many dots", "table", "dots", "tables", "arrays of tables"],
)  # fmt: skip
def test_settings_that_are_nested_or_dotted_deep_are_told(small: Path, text: str) -> None:
    assert small.is_dir()
    path = settings_file()
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    report: list[object] = []
    assert load_printers(report) is None  # type: ignore[arg-type]
    assert report


NESTED = """<face><pattern width="65" height="90" step-x="1" step-y="1">
  <pattern width="65" height="90" step-x="1" step-y="1"><rect width="1" height="1"/></pattern>
</pattern></face>"""


def test_a_pattern_in_a_pattern_is_bounded(tmp_path: Path, run: Run) -> None:
    folder = write_game(tmp_path, [card("A1", "Ant")], decks={"d": [line("A1")]}, face=NESTED)
    for command in ("check", "proof", "deck d"):
        result = run(*command.split(" "), "--game", str(folder))
        assert result.exit_code == 1
        assert "the pattern draws " in result.stderr
