"""Cards and decks in tables: read as XML is, with findings at the cells."""

from __future__ import annotations

import json
import re
from pathlib import Path

import openpyxl
import pytest
from pypdf import PdfReader

from conftest import Run
from deckwright import GameError, open_game
from deckwright.base.colors import contrast
from deckwright.base.findings import Report, has_no_problems
from deckwright.checks.loading import load_checked_game
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card
from deckwright.game.read import make_table_factions
from support import load_all, write_game

GAME = """<?xml version="1.0" encoding="UTF-8"?>
<game name="Orchard" language="en">
  <kind tag="card" name="Card" width="65" height="90" face="face.xml">
    <field name="cost" type="integer" max="9" text="Cost"/>
    <field name="text" type="text" text="Rules" optional="true"/>
    <field name="rare" type="flag"/>
    <children tag="tag" plural="tags"><field name="of" type="text"/></children>
  </kind>
  {more}
</game>
"""
WHOLE = "must be a whole number from"
FACE = '<face><text x="4" y="4" width="55" height="10">{{ card.name }}</text></face>'
ROWS: list[list[object]] = [
    ["Name", "Cost", "Rules", "Tags", "amount"],
    ["Apple", 1, "Gain *two*.\nThen _rest_.", "fruit; red", 3],
    ["Pear", 2, "", "fruit", None],
    ["Ladder", 3, "Climb.", "", 1],
]


def game(folder: Path, more: str, **files: str) -> Path:
    """Write a game whose cards stand in tables; return its folder."""
    for name in ("xml/Factions", "templates"):
        (folder / name).mkdir(parents=True)
    (folder / "xml/game.xml").write_text(GAME.replace("{more}", more), encoding="utf-8")
    (folder / "templates/face.xml").write_text(FACE, encoding="utf-8")
    for name, text in files.items():
        (folder / "xml/Factions" / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return folder


def workbook(folder: Path, name: str = "cards.xlsx", **tabs: list[list[object]]) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in tabs.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(folder / "xml/Factions" / name)


def cards(folder: Path) -> dict[str, Card]:
    """Return the cards of a game without mistakes by their ids."""
    report: Report = []
    loaded = load_checked_game(GameFolder(folder), report)
    assert has_no_problems(report)
    assert loaded is not None
    return {card.id: card for card in loaded.cards.values()}


def told(folder: Path, *files: Path) -> list[str]:
    """Return what a check finds, from the file's name on, without hints."""
    try:
        findings = open_game(folder).inspect(files).findings
    except GameError as error:
        findings = error.findings
    lines = [str(finding).splitlines()[0] for finding in findings]
    return [re.sub("^.*/(?=[^ ]+: (error|warning))", "", line) for line in lines]


def test_rows_of_a_workbook_are_cards(tmp_path: Path) -> None:
    folder = game(tmp_path, '<table file="cards.xlsx" deck="Race"/>')
    workbook(folder, Deck=ROWS)
    found = cards(folder)
    assert [*found] == ["apple", "pear", "ladder"]
    apple = found["apple"]
    assert (apple.name, apple.faction_id, apple.fields["cost"]) == ("Apple", "ALL", 1)
    assert apple.fields["text"] == "Gain *two*.\nThen _rest_."
    assert [child.value for child in apple.children["tag"]] == ["fruit", "red"]
    assert apple.source.at("cost").spot == "Deck!B2"
    assert found["pear"].fields["text"] is None


def test_amounts_make_a_deck_that_is_printed_like_another(run: Run, tmp_path: Path) -> None:
    folder = game(tmp_path, '<table file="cards.xlsx" deck="Race"/>')
    workbook(folder, Deck=ROWS)
    (deck,) = open_game(folder).decks
    assert deck.name == "Race"
    assert run("deck", "race", "--game", str(folder)).exit_code == 3
    target = tmp_path / "race.pdf"
    result = run("deck", "Race", "--game", str(folder), "--out", str(target))
    assert result.exit_code == 0
    assert "info E019: 1 card has no number of copies and is once in the deck" in result.stderr
    assert target.is_file()
    said = run("stats", "Race", "--game", str(folder)).stdout
    assert "3x  Apple" in said
    assert "1x  Pear" in said


def test_a_deck_without_amounts_has_each_card_once(run: Run, tmp_path: Path) -> None:
    folder = game(tmp_path, '<table file="a.csv" deck="All"/>', a__csv="name,cost\nA,1\nB,2\n")
    assert "cards   2" in run("stats", "All", "--game", str(folder)).stdout


def test_the_tabs_of_a_workbook_make_one_deck(run: Run, tmp_path: Path) -> None:
    tables = "".join(
        f'<table file="cards.xlsx" tab="{tab}"><column name="Qty" to="amount"/></table>'
        for tab in ("Fruit", "tools")
    )
    folder = game(tmp_path, tables)
    head: list[object] = ["Name", "Cost", "Qty"]
    workbook(folder, Fruit=[head, ["Apple", 1, 2]], Tools=[head, ["Ladder", 2, 3]], Other=[["x"]])
    said = run("stats", "cards", "--game", str(folder)).stdout
    assert "cards   5" in said
    assert "3x  Ladder" in said


def test_findings_stand_at_sheet_row_and_column(run: Run, tmp_path: Path) -> None:
    folder = game(tmp_path, '<table file="cards.xlsx" deck="Race"/>')
    rows: list[list[object]] = [*ROWS[:2], ["Pear", "dear", "{pip}", "", "x"], ["", 1]]
    workbook(folder, Deck=rows)
    assert told(folder) == [
        f"cards.xlsx:Deck!B3: error S004: card `pear`: `cost` {WHOLE} 0 to 9, but is `dear`",
        f"cards.xlsx:Deck!E3: error S004: card `pear`: `amount` {WHOLE} 1 to 999, but is `x`",
        "cards.xlsx:Deck!A4: warning E018: row 4 has no name, so it is not read as a card",
    ]
    assert "fill the column `Name`" in run("check", "--game", str(folder)).stderr
    assert len(told(folder, folder / "xml/Factions/cards.xlsx")) == 3
    assert told(folder, folder / "xml/game.xml") == []
    found = json.loads(run("check", "--format", "json", "--game", str(folder)).stdout)["findings"]
    assert (found[0]["sheet"], found[0]["line"], found[0]["column"]) == ("Deck", 3, 2)
    assert "Deck!B3: card" in run("check", "--format", "github", "--game", str(folder)).stdout


def test_a_mistake_in_one_tab_leaves_the_cards_of_another(tmp_path: Path) -> None:
    tables = "".join(f'<table file="cards.xlsx" tab="{tab}"/>' for tab in ("A", "B"))
    folder = game(tmp_path, tables)
    workbook(
        folder, A=[["Name", "Cost", "tags"], ["Apple", 1, "()"]], B=[["Name", "Cost"], ["B", 1]]
    )
    opened = open_game(folder)
    assert [card.id for card in opened.cards] == ["b", "apple"]
    assert [f.location.spot for f in opened.check() if f.location] == ["A!C2"]


def test_findings_in_csv_have_line_and_column(tmp_path: Path) -> None:
    text = 'name;cost;text\nA;1;"two\nlines"\nB;none;\n'
    folder = game(tmp_path, '<table file="a.csv"/>', a__csv=text)
    assert told(folder) == [
        f"a.csv:4:3: error S004: card `b`: `cost` {WHOLE} 0 to 9, but is `none`"
    ]


def test_a_deck_of_a_table_is_called_by_its_name(run: Run, tmp_path: Path) -> None:
    text = "name;cost;amount\nA;1;2\nB;none;1\n"
    folder = game(tmp_path, '<table file="a.csv" deck="Long night"/>', a__csv=text)
    said = run("check", "--game", str(folder)).stderr
    assert "not checked: the limits of deck `Long night`\n" in said
    (folder / "xml/Factions/a.csv").write_text("name;amount\nA;2\n", encoding="utf-8")
    said = run("deck", "Long night", "--game", str(folder)).stderr
    assert "deck `Long night` was not printed" in said


def test_a_missing_column_is_told_once_and_the_rest_is_checked(run: Run, tmp_path: Path) -> None:
    text = "title,price,rare\nA,1,perhaps\nB,2,true\nC,3,\n"
    folder = game(tmp_path, '<table file="a.csv"/>', a__csv=text)
    said = run("check", "--game", str(folder)).stderr
    assert told(folder) == [
        "a.csv:1:1: error S012: the table has no columns `name`, `cost`, which every card needs",
        "a.csv:2:5: error S004: card `card1`: `rare` must be `true` or `false`, but is `perhaps`",
    ]
    assert '<column name="title" to="name"/> <column name="price" to="cost"/>' in said


def test_a_map_says_what_columns_hold(tmp_path: Path) -> None:
    table = """<table file="a.csv" kind="card" faction="RED">
      <column name="Karte" to="name"/><column name="Preis" to="cost"/>
      <column name="Arten" to="tags" separator=","/><column name="Art 2" to="tag"/>
      <column to="text" value="All alike."/><column name="Notiz"/>
    </table>"""
    text = 'Karte,Preis,Arten,Art 2,Notiz\nÄpfel,1,"a, b",c,to do\n'
    found = cards(game(tmp_path, table, a__csv=text))["aepfel"]
    assert (found.name, found.faction_id) == ("Äpfel", "RED")
    assert found.fields == {"cost": 1, "text": "All alike.", "rare": False}
    assert [child.value for child in found.children["tag"]] == ["a", "b", "c"]


def test_what_a_map_gets_wrong_is_told_in_game_xml(tmp_path: Path) -> None:
    table = """<table file="a.csv" kind="crd"><column name="Nme" to="name"/>
      <column name="x" to="costs"/><column to="text"/></table><table file="../a.doc"/>"""
    folder = game(tmp_path, table, a__csv="name,cost\nA,1\n")
    found = told(folder)
    codes = [line.split(": ", 2)[1].removeprefix("error ") for line in found]
    assert codes == ["G001", "G001", "G002", "G002"]
    path = folder / "xml/game.xml"
    path.write_text(GAME.replace("{more}", '<table file="a.csv" tab="x">'
                    '<column name="Nme" to="name"/></table>'), encoding="utf-8")  # fmt: skip
    assert told(folder)[-1] == "game.xml:9:39: error E015: the table `a.csv` has no column `Nme`"


def test_a_file_called_like_a_card_file_needs_no_word_in_game_xml(tmp_path: Path) -> None:
    found = cards(game(tmp_path, "", RED_cards__csv="id,name,cost\nr1,A,1\n"))
    assert found["r1"].faction_id == "RED"


def test_columns_that_nothing_reads_are_told_once(run: Run, tmp_path: Path) -> None:
    text = "name,cost,colour,amount\nA,1,red,2\n"
    folder = game(tmp_path, "", RED_cards__csv=text, more__csv=text)
    assert told(folder) == [
        "RED_cards.csv:1:11: warning E014: nothing reads the columns `colour`, `amount`",
        "more.csv: warning S011: the file is not used",
    ]
    assert '`deck="…"`' in run("check", "--game", str(folder)).stderr


def test_json_is_a_table_of_paths(tmp_path: Path) -> None:
    table = """<table file="a.json"><column name="attributes.title" to="name"/>
      <column name="attributes.cost.gold" to="cost"/><column name="types" to="tags"/>
      <column name="powers.text" to="text"/></table>"""
    objects = [
        {"id": 7, "attributes": {"title": "Ape", "cost": {"gold": 3.0}}, "rare": True,
         "types": ["beast", "a; b"], "powers": [{"text": "Bite."}, {"text": "Run."}]},
        {"id": 8, "attributes": {"title": "Bee", "cost": {"gold": 0}}, "rare": None, "x": [[1]]},
    ]  # fmt: skip
    text = json.dumps({"total": 2, "data": objects}, indent=1)
    folder = game(tmp_path, table, a__json=text)
    found = cards(folder)
    assert found["7"].fields == {"cost": 3, "text": "Bite., Run.", "rare": True}
    assert [child.value for child in found["7"].children["tag"]] == ["beast", "a; b"]
    assert found["8"].fields == {"cost": 0, "text": None, "rare": False}
    path = folder / "xml/Factions/a.json"
    path.write_text(text.replace('"gold": 0', '"gold": "many"'), encoding="utf-8")
    line = 1 + text[: text.index('"gold": 0')].count("\n")
    assert told(folder)[0].startswith(f"a.json:{line}:6: error S004: card `8`: `cost` must")


@pytest.mark.parametrize("text", ["[", "{}", "[1, 2]", '"x"', "[" * 100_000, '[{"a": 1}, [2]]'])
def test_json_that_is_no_list_of_objects_is_told(tmp_path: Path, text: str) -> None:
    folder = game(tmp_path, '<table file="a.json"/>', a__json=text)
    (finding,) = told(folder)
    assert finding.split(": ")[1] in {"error E016", "error E078"}


def test_a_change_of_a_table_is_seen(tmp_path: Path) -> None:
    folder = game(tmp_path, '<table file="a.csv" deck="All"/>', a__csv="name,cost\nA,1\n")
    opened = open_game(folder)
    assert opened.check() == ()
    assert [card.name for card in opened.cards] == ["A"]
    path = folder / "xml/Factions/a.csv"
    path.write_text("name,cost\nA,1\nBee,2\n", encoding="utf-8")
    assert [file.name for file in opened.reload().files] == ["a.csv"]
    assert [card.name for card in opened.cards] == ["A", "Bee"]
    path.write_text("name,cost\nA,99\nBee,2\n", encoding="utf-8")
    opened.reload()
    assert [f.code.id for f in opened.check()] == ["S004"]
    assert [f.code.id for f in open_game(folder).check()] == ["S004"]


def test_other_commands_pass_over_tables(run: Run, tmp_path: Path) -> None:
    folder = game(tmp_path, '<table file="a.csv" deck="All"/>', a__csv="name,cost\nA,1\n")
    run("fmt", "--game", str(folder))
    assert run("fmt", "--check", "--ids", "--game", str(folder)).exit_code == 0
    assert run("fmt", str(folder / "xml/Factions/a.csv"), "--game", str(folder)).exit_code == 0
    assert run("schema", "--game", str(folder)).exit_code == 0
    target = str(tmp_path / "all.xlsx")
    assert run("export", "xlsx", "--out", target, "--game", str(folder)).exit_code == 0


def test_a_table_that_is_a_link_out_of_the_game_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name,cost\nA,1\n", encoding="utf-8")
    folder = game(tmp_path / "game", '<table file="a.csv"/>')
    (folder / "xml/Factions/a.csv").symlink_to(tmp_path / "a.csv")
    (finding,) = told(folder)
    assert finding.startswith("a.csv: error X007: the file is a link to a place outside")


def test_a_bad_cell_marks_its_card_and_the_rest_is_printed(run: Run, tmp_path: Path) -> None:
    text = "name,cost,amount\nA,1,1\nB,none,1\nC,3,1\n"
    folder = game(tmp_path, '<table file="a.csv" deck="All"/>', a__csv=text)
    target = tmp_path / "all.pdf"
    result = run("deck", "All", "--game", str(folder), "--out", str(target))
    assert result.exit_code == 1
    assert "cost" in result.stderr
    assert "cards with errors are printed with marks" in result.stdout
    said = PdfReader(target).pages[-1].extract_text()
    assert all(name in said for name in "ABC")


def test_a_table_without_a_needed_column_prints_nothing(run: Run, tmp_path: Path) -> None:
    folder = game(tmp_path, '<table file="a.csv" deck="All"/>', a__csv="name,amount\nA,1\n")
    result = run("deck", "All", "--game", str(folder), "--out", str(tmp_path / "all.pdf"))
    assert "S012" in result.stderr
    assert not (tmp_path / "all.pdf").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name,cost\nA,1\n"B,2\n', "3:1: warning E018: a quotation mark is not closed"),
        ("name,cost\nA,1,x\nB,1\nC,1\n", "2:1: warning E018: the row has 3 cells, but there are 2"),
    ],
)
def test_what_looks_wrong_in_csv_is_a_warning(tmp_path: Path, text: str, said: str) -> None:
    folder = game(tmp_path, '<table file="a.csv" deck="All"/>', a__csv=text)
    assert any(said in line for line in told(folder)), told(folder)


def test_a_column_without_a_title_goes_by_its_letter(tmp_path: Path) -> None:
    table = '<table file="a.csv" titles="2"><column name="B" to="text"/></table>'
    folder = game(tmp_path, table, a__csv="My game,,\nname,,cost\nA,Draw.,1\n")
    assert cards(folder)["a"].fields["text"] == "Draw."
    table = '<table file="a.csv" titles="0">{}</table>'.format(
        "".join(f'<column name="{a}" to="{b}"/>' for a, b in (("A", "name"), ("B", "cost")))
    )
    folder = game(tmp_path / "b", table, a__csv="A,1\nB,2\n")
    assert [*cards(folder)] == ["a", "b"]


def test_html_and_codes_of_databases_become_markup_and_symbols(tmp_path: Path) -> None:
    text = "name,cost,text,tag\nA,1,<b>Pay</b> [credit].,<i>x</i>\n"
    symbol = '<symbols><symbol id="credit" name="Credit" icon="cash" text="[credit]"/></symbols>'
    table = '<table file="a.csv" markup="html"/>'
    folder = game(tmp_path, f"{symbol}{table}", a__csv=text)
    assert cards(folder)["a"].fields["text"] == "**Pay** {credit}."
    table = '<table file="a.csv"><column name="text" to="text" markup="html"/></table>'
    folder = game(tmp_path / "b", table, a__csv="name,cost,text\nA<i>,1,<i>So</i>.\n")
    card = next(iter(open_game(folder).cards))
    assert (card.name, card.fields["text"]) == ("A<i>", "__So__.")


def test_cells_merged_downwards_are_in_each_row(tmp_path: Path) -> None:
    folder = game(tmp_path, '<table file="cards.xlsx" deck="Race"/>')
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for line in (["Name", "Cost", "Rules"], ["A", 1, "Both."], ["B", 2], ["C", 3]):
        sheet.append(line)
    sheet.merge_cells("C2:C3")
    book.save(folder / "xml/Factions/cards.xlsx")
    found = cards(folder)
    assert [card.fields["text"] for card in found.values()] == ["Both.", "Both.", None]


def test_factions_that_only_tables_name_have_colors_of_their_own(tmp_path: Path) -> None:
    setup = load_all(write_game(tmp_path, [])).setup
    factions = make_table_factions(setup, [None, *"ABCDEFG", "A"])
    assert list(factions) == ["ALL", *"ABCDEFG"]
    colors = {faction.color for faction in factions.values()}
    assert len(colors) == len(factions)
    assert all(contrast(color, "#ffffff") >= 4.5 for color in colors)
