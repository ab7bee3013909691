"""Decimals, lists, other cards and worked-out fields in tables."""

from __future__ import annotations

import csv
from pathlib import Path

import openpyxl
import pytest

from conftest import Run, edit

FIELDS = """<field name="weight" type="decimal" default="1"/>
    <field name="words" type="list" separator="/" optional="true"/>
    <field name="friend" type="card" optional="true"/>
    <field name="double" type="decimal" value="{{ weight * 2 }}"/>
    <field name="level\""""


@pytest.fixture
def game(small: Path) -> Path:
    edit(small / "xml/game.xml", '<field name="level"', FIELDS)
    more = 'id="RW1" weight="0.25" words="Swift/At home" friend="RW2"'
    edit(small / "xml/Factions/RW_cards.xml", 'id="RW1"', more)
    return small


def rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_csv_has_them_and_gives_them_back(game: Path, run: Run) -> None:
    assert run("export", "csv").exit_code == 0
    table = game / "out/csv/card.csv"
    card = next(row for row in rows(table) if row["id"] == "RW1")
    assert [card[name].lstrip("'") for name in ("weight", "words", "friend", "double")] == [
        "0.25", "Swift/At home", "RW2", "0.5",
    ]  # fmt: skip
    assert "no changes" in run("import", "csv", str(table)).output.lower()


def test_a_changed_table_is_read_whatever_its_decimal_sign(game: Path, run: Run) -> None:
    run("export", "csv")
    table = game / "out/csv/card.csv"
    text = table.read_text(encoding="utf-8-sig")
    for old, new in (("'0.25", '"0,75"'), ("Swift/At home", "Swift / Wet"), ("0.5", "9")):
        text = text.replace(old, new)
    table.write_text(text, encoding="utf-8")
    result = run("import", "csv", str(table))
    assert result.exit_code == 0, result.output
    cards = (game / "xml/Factions/RW_cards.xml").read_text(encoding="utf-8")
    assert 'weight="0.75" words="Swift/Wet"' in cards


def test_a_workbook_has_numbers(game: Path, run: Run) -> None:
    assert run("export", "xlsx").exit_code == 0
    sheet = openpyxl.load_workbook(game / "out/cards.xlsx")["card"]
    titles = [cell.value for cell in sheet[1]]
    card = next(row for row in sheet.iter_rows(values_only=True) if row[0] == "RW1")
    found = dict(zip(titles, card, strict=True))
    assert (found["weight"], found["double"], found["words"]) == (0.25, 0.5, "Swift/At home")
    assert "no changes" in run("import", "xlsx", "out/cards.xlsx").output.lower()
