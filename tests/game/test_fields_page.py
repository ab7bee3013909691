"""The game of the page about fields is sound, and says what the page says."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import ROOT, Run
from deckwright.base.findings import Report
from deckwright.game.context import ContextBuilder
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_game, load_setup

FACTIONS = '<faction id="POND" race_name="Beasts" faction_name="Pond" color="teal"/>'


def write(folder: Path) -> None:
    page = (ROOT / "docs/tables.md").read_text(encoding="utf-8").partition("\n## Fields\n")[2]
    game, cards, face = re.findall(r"```xml\n(.*?)```", page, re.DOTALL)
    files = {
        "xml/game.xml": game,
        "xml/Factions/POND_cards.xml": cards,
        "xml/factions_definition.xml": f"<data>{FACTIONS}</data>",
        "templates/beast.xml": face,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def test_it_has_no_findings(tmp_path: Path, run: Run) -> None:
    write(tmp_path)
    result = run("check", "--game", tmp_path)
    assert result.exit_code == 0, result.output
    assert "warning" not in result.output


def test_it_says_what_the_page_says(tmp_path: Path) -> None:
    write(tmp_path)
    folder, report = GameFolder(tmp_path), Report()
    setup = load_setup(folder, report)
    assert setup is not None
    game = load_game(folder, setup, report)
    frog = ContextBuilder(game).card_context(game.cards["POND", "B2"], "POND")
    assert f"{frog['set_number']}/{frog['set_size']}" == "2/3"
    assert (frog["price"], frog["gain"], frog["young"]["name"]) == (6, 2, "Tadpole")
    assert frog["words"] == ["Leap", "Sing"]
