"""Tables and exports that nobody prepared come in by a map."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pytest

from conftest import Run, edit
from deckwright.checks.loading import load_checked_game
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card

GAME = """<?xml version="1.0" encoding="UTF-8"?>
<game name="Foreign" language="en">
  <kind tag="card" name="Card" width="65" height="90" face="face.xml">
    <field name="strength" type="integer" max="9" text="Strength"/>
    <field name="text" type="text" text="Text" optional="true"/>
    <children tag="tag" plural="tags"><field name="of" type="text"/></children>
  </kind>
</game>
"""
FACTION = '<faction id="{id}" race_name="{id}" faction_name="{id}" color="red"/>'
CARDS = '<data><card id="RED1" name="Ape" faction_id="RED" strength="1"/></data>'
FACE = '<face><text x="4" y="4" width="55" height="10">{{ card.name }}</text></face>'
MAPS = ("--kind", "card", "--map", "Card title=name", "--map", "Power=strength")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game of one faction with one card."""
    home = tmp_path / "game"
    (home / "xml/Factions").mkdir(parents=True)
    (home / "templates").mkdir()
    (home / "templates/face.xml").write_text(FACE, encoding="utf-8")
    (home / "xml/game.xml").write_text(GAME, encoding="utf-8")
    factions = f"<data>{FACTION.format(id='RED')}</data>"
    (home / "xml/factions_definition.xml").write_text(factions, encoding="utf-8")
    (home / "xml/Factions/RED_cards.xml").write_text(CARDS, encoding="utf-8")
    return home


def table(folder: Path, text: str) -> str:
    path = folder / "cards.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def cards(folder: Path) -> dict[str, Card]:
    loaded = load_checked_game(GameFolder(folder), [])
    assert loaded is not None
    return {card.id: card for card in loaded.cards.values()}


def test_a_map_a_default_faction_and_ids_bring_a_foreign_table_in(run: Run, folder: Path) -> None:
    file = table(folder, 'Card title,Power,tag\nBee,2,a; b\nape,3,\nApe,4,"x\ny"\n')
    result = run("import", "csv", file, *MAPS, "--game", str(folder))
    assert (result.exit_code, result.stderr) == (0, "")
    found = cards(folder)
    assert [(c.id, c.name, c.fields["strength"]) for c in found.values()] == [
        ("RED1", "Ape", 4),
        ("RED2", "Bee", 2),
        ("RED3", "ape", 3),
    ]
    assert [child.value for child in found["RED2"].children["tag"]] == ["a", "b"]
    again = run("import", "csv", file, *MAPS, "--game", str(folder))
    assert again.stdout == "the tables contain no changes\n"


def test_a_tab_of_a_foreign_workbook_comes_in(run: Run, folder: Path) -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = "to do"
    sheet = book.create_sheet("Beasts")
    for row in (["Card title", "Power"], ["Bee", 2]):
        sheet.append(row)
    path = folder / "x.xlsx"
    book.save(path)
    at = ("--game", str(folder))
    result = run("import", "xlsx", str(path), *MAPS, "--tab", "beasts", *at)
    assert (result.exit_code, result.stderr) == (0, "")
    assert cards(folder)["RED2"].name == "Bee"
    assert "no tab `Best`" in run("import", "xlsx", str(path), *MAPS, "--tab", "Best", *at).stderr
    assert run("import", "xlsx", str(path), "--tab", "Beasts", *at).exit_code == 2


def test_missing_columns_are_told_once_with_a_map_that_may_be_meant(run: Run, folder: Path) -> None:
    file = table(folder, "Titel,Stärke,x\nBee,2,1\nCat,3,1\nDog,4,1\n")
    ids = table(folder, "id,Titel,Stärke,x\nB,Bee,2,1\nC,Cat,3,1\nD,Dog,4,1\n")
    assert file == ids
    result = run("import", "csv", ids, "--kind", "card", "--game", str(folder))
    assert result.exit_code == 1
    assert result.stderr.count("E013") == 1
    assert "new cards need the columns `name`, `strength`" in result.stderr
    assert '`--map "Titel=name" --map "Stärke=strength"`' in result.stderr


def test_captions_are_titles_unless_the_fields_have_columns(run: Run, folder: Path) -> None:
    edit(folder / "xml/game.xml", 'max="9" text="Strength"', 'max="9" text="Power"')
    file = table(folder, "id,power,Text\nRED1,5,Roar\n")
    at = ("--kind", "card", "--game", str(folder))
    result = run("import", "csv", file, *at)
    assert (result.exit_code, result.stderr) == (0, "")
    assert cards(folder)["RED1"].fields == {"strength": 5, "text": "Roar"}
    table(folder, "id,power,strength\nRED1,7,6\n")
    result = run("import", "csv", file, *at)
    assert result.stdout.startswith("RED1 Ape: strength 5 → 6\n")
    assert "the column `power` is not read" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--map", "Power"), "write it as `TITLE=FIELD`"),
        (("--map", "Power=strenght"), "did you mean `strength`?"),
        (("--faction", "BLUE"), "there is no faction `BLUE`"),
        (("--map", "Pwr=strength"), "the table has no column `Pwr`"),
    ],
)
def test_a_map_that_cannot_be_is_told(
    run: Run, folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    file = table(folder, "name,Power\nBee,2\n")
    result = run("import", "csv", file, "--kind", "card", *arguments, "--game", str(folder))
    assert result.exit_code in {1, 2}
    assert said in result.stderr


def test_the_export_of_a_database_comes_in_by_a_map_alone(run: Run, folder: Path) -> None:
    export = [
        {"code": "01", "attributes": {"title": "Bee", "power": 2.0}, "kinds": ["a", "b; c"],
         "text": None, "unused": {"x": [1, 2]}},
        {"code": "02", "attributes": {"title": "Cat", "power": 3}, "kinds": [], "text": "1.\n2."},
    ]  # fmt: skip
    path = folder / "db.json"
    path.write_text(json.dumps({"total": 2, "data": export}), encoding="utf-8")
    maps = ("code=id", "attributes.title=name", "attributes.power=strength", "kinds=tags")
    arguments = [word for pair in maps for word in ("--map", pair)]
    result = run("import", "json", str(path), *arguments, "--game", str(folder))
    assert (result.exit_code, result.stderr) == (0, "")
    found = cards(folder)
    assert found["01"].fields == {"strength": 2, "text": None}
    assert [child.value for child in found["01"].children["tag"]] == ["a", "b; c"]
    assert found["02"].fields["text"] == "1.\n2."
    wrong = run("import", "json", str(path), "--list", "nix", "--game", str(folder))
    assert "E078" in wrong.stderr


def test_paragraphs_go_out_to_a_table_and_back(run: Run, folder: Path) -> None:
    path = folder / "xml/Factions/RED_cards.xml"
    path.write_text(CARDS.replace('strength="1"', 'strength="1" text="A.&#10;B."'), "utf-8")
    at = ("--game", str(folder), "--out", str(folder / "card.csv"))
    assert run("export", "csv", *at).exit_code == 0
    written = folder / "card.csv"
    text = written.read_text("utf-8")
    assert '"A.\nB."' in text
    again = run("import", "csv", str(written), "--game", str(folder))
    assert again.stdout == "the tables contain no changes\n"
    written.write_text(text.replace("A.\nB.", "A. B.\n*C.*"), "utf-8")
    assert run("import", "csv", str(written), "--game", str(folder)).exit_code == 0
    assert 'text="A. B.&#10;*C.*"' in path.read_text("utf-8")


def test_an_export_without_a_map_is_told_what_it_may_be(run: Run, folder: Path) -> None:
    path = folder / "db.json"
    path.write_text('[{"title": "Bee", "power": 2, "x": 1}]', encoding="utf-8")
    result = run("import", "json", str(path), "--game", str(folder))
    assert result.exit_code == 1
    assert '`--map "title=name" --map "power=strength"`' in result.stderr
    assert "`x`" not in result.stderr
