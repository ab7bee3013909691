"""A spreadsheet that somebody has becomes a game that prints."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import openpyxl
import pytest

from conftest import Run, edit
from deckwright import open_game

ROWS: list[list[object]] = [
    ["Title", "Qty", "Cost", "Type", "Weight", "2nd name", "Rare?", "Art", "Rules text", "Notes"],
    ["Baker", 3, 1, "Guest", 0.5, "x", "yes", "a.png", "When you play the *Baker*, draw.", "hm"],
    ["Old Oven", 2, -3, "", 2, "y", "no", "b.png", "The oven & the <fire> never move.", ""],
]


def test_a_workbook_becomes_a_game_without_mistakes(run: Run, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.create_sheet("Cards")
    for row in ROWS:
        book["Cards"].append(row)
    book.save(tmp_path / "my cards.xlsx")
    folder = tmp_path / "bakery"
    result = run("new", str(folder), "--from", str(tmp_path / "my cards.xlsx"), "--name", "B & C")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Title: name\nQty: amount\nCost: cost, an integer\n" in result.stdout
    opened = open_game(folder)
    assert [f.code.id for f in opened.check()] == ["R005", "R005"]
    assert opened.name == "B & C"
    card = opened.card("old-oven")
    assert card.fields == {
        "cost": -3,
        "type": None,
        "weight": 2,
        "f_2nd_name": "y",
        "rare": False,
        "art": "b.png",
        "art-focus": None,
        "art-zoom": None,
        "rules_text": "The oven & the <fire> never move.",
    }
    assert [deck.name for deck in opened.decks] == ["my cards"]
    assert run("fmt", "--check", "--game", str(folder)).exit_code == 0
    assert "started with the cards in my cards.xlsx" in (folder / "README.md").read_text("utf-8")


def test_an_export_in_json_becomes_a_game(run: Run, tmp_path: Path) -> None:
    cards = [
        {"uuid": f"u{n}", "stats": {"attack": n, "half": n / 2}, "name": name, "tags": ["a", "b"],
         "gone": None, "skills": [{"text": "Bite."}]}
        for n, name in enumerate(("Ape", "Bee"))
    ]  # fmt: skip
    path = tmp_path / "db.json"
    path.write_text(json.dumps({"data": {"cards": cards}, "sets": [{"a": 1}]}), encoding="utf-8")
    folder = tmp_path / "db"
    result = run("new", str(folder), "--from", str(path), "--tab", "data.cards")
    assert (result.exit_code, result.stderr) == (0, "")
    opened = open_game(folder)
    assert opened.check() == ()
    bee = opened.card("u1")
    assert bee.name == "Bee"
    assert bee.fields["attack"] == 1
    assert "gone" not in bee.fields


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "", "there is no table with a row of titles and rows of cards"),
        ("a.csv", "name,cost\n", "there is no table with a row of titles and rows of cards"),
        ("a.csv", "x,y\n1,2\n", "no column has the names of cards"),
        ("a.json", "{}", "no list of objects"),
        ("a.xlsx", "x", "not a workbook"),
        ("a.doc", "x", "is no table"),
    ],
)
def test_what_is_no_table_of_cards_makes_no_game(
    run: Run, tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    result = run("new", str(tmp_path / "game"), "--from", str(tmp_path / name))
    assert result.exit_code in {1, 2}
    assert said in result.stderr
    assert not (tmp_path / "game").exists()


TEXT = "Elusive.\vReap: gain 1."
"""As word processors and exports of databases break lines."""
KEEPER = {"card_title": "Keeper", "card_number": 201, "card_text": TEXT, "amber": 0}


@pytest.mark.parametrize("kind", ["json", "csv", "xlsx"])
def test_columns_of_cards_are_known_and_breaks_are_lines(
    run: Run, tmp_path: Path, kind: str
) -> None:
    cards = [KEEPER, {**KEEPER, "card_title": "Faerie", "card_number": 350, "amber": 1}]
    path = tmp_path / f"cards.{kind}"
    if kind == "json":
        path.write_text(json.dumps(cards), encoding="utf-8")
    elif kind == "csv":
        rows = [KEEPER, *(each.values() for each in cards)]
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(rows)
    else:
        book = openpyxl.Workbook()
        sheet = book.create_sheet("Cards", 0)
        sheet.append([*KEEPER])
        for each in cards:
            # openpyxl takes no such characters: it is written as OOXML has it.
            sheet.append([str(v).replace("\v", "_x000B_") for v in each.values()])
        book.save(path)
    result = run("new", str(tmp_path / "game"), "--from", str(path))
    assert result.exit_code == 0, result.stderr
    assert "card_title: name\n" in result.output
    assert "card_number: id\n" in result.output
    game = open_game(tmp_path / "game")
    assert game.check() == ()
    first = next(iter(game.model.cards.values()))
    assert (first.name, first.id, first.fields["amber"]) == ("Keeper", "201", 0)
    assert first.fields["card_text"] == "Elusive.\nReap: gain 1."


def test_a_column_of_factions_is_a_field(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_text("Name,Faction,Power\nAnt,Fire,3\nBee,Water,2\n", encoding="utf-8")
    folder = tmp_path / "game"
    assert run("new", str(folder), "--from", str(path)).exit_code == 0
    opened = open_game(folder)
    assert opened.check() == ()
    assert opened.card("ant").fields == {"card_faction": "Fire", "power": 3}


def test_numbers_are_no_names(run: Run, tmp_path: Path) -> None:
    cards = [{"amber": n, "called": f"Card {n}", "power": n} for n in (1, 2)]
    path = tmp_path / "cards.json"
    path.write_text(json.dumps(cards), encoding="utf-8")
    assert "called: name\n" in run("new", str(tmp_path / "game"), "--from", str(path)).output


def test_a_game_without_a_file_of_factions_is_told_how_to_have_them(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "cards.json"
    path.write_text(json.dumps([{**KEEPER, "house": "Dis"}]), encoding="utf-8")
    game = tmp_path / "game"
    assert run("new", str(game), "--from", str(path)).exit_code == 0
    edit(game / "xml" / "game.xml", 'to="id"/>', 'to="id"/><column name="house" to="faction_id"/>')
    edit(game / "xml" / "game.xml", '<field name="house" type="text" text="house"/>', "")
    edit(game / "templates" / "card.xml", "card.house", "card.faction.name")
    told = run("check", "-g", str(game)).stderr
    assert "list them in xml/factions_definition.xml" in told
    line = '<faction id="Dis" race_name="…" faction_name="…" color="#335577"/>'
    assert line in told
    definition = game / "xml" / "factions_definition.xml"
    definition.write_text(f"<data>{line}</data>", encoding="utf-8")
    assert run("check", "-g", str(game)).exit_code == 0
