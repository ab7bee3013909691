"""Cards of tables are edited in their cells: nothing else in the file changes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font
from starlette.testclient import TestClient

from deckwright.base.findings import ChoiceError
from deckwright.grids.csv import edit_csv, read_csv
from deckwright.studio.answers import to_plain
from editors import editor_of, field, form_of, page_of, post_edit, save

GAME = """<?xml version="1.0" encoding="UTF-8"?>
<game name="Orchard" language="en">
  <vocabulary id="rows" name="Row">
    <term id="n" name="North"/><term id="s" name="South"/>
  </vocabulary>
  <symbols><symbol id="coin" name="Coin" icon="cash" text="[c]"/></symbols>
  <kind tag="tree" name="Tree" width="65" height="90" face="face.xml">
    <field name="cost" type="integer" max="9" text="Cost"/>
    <field name="text" type="text" text="Rules" optional="true"/>
    <field name="row" type="term" of="rows" optional="true"/>
    <field name="size" type="decimal" optional="true"/>
    <field name="rare" type="flag"/>
    <field name="marks" type="list" of="rows" optional="true"/>
    <children tag="tag" plural="tags"><field name="of" type="text"/></children>
    <children tag="bar" plural="bars">
      <field name="at" type="integer"/><field name="words" type="text" optional="true"/>
    </children>
  </kind>
  {more}
</game>
"""
FACE = (
    '<face><text x="4" y="4" width="55" height="60">{{ card.name }} {{ card.text }}</text></face>'
)
TABLE = """<table file="cards.csv" titles="2" deck="Race">
    <column name="Keywords" to="tags" separator=","/><column name="Notes"/>
    <column name="Qty" to="amount"/></table>"""
CARDS = "".join(
    f"{line}\r\n"
    for line in (
        "Trees of the orchard;;;;;;;;;;",
        "Name;Cost;Rules;Keywords;Notes;Qty;Row;Size;Rare;Marks;Bars",
        'Apple;1;"Gain *two*.";fruit, red;"a ""note""";3;north;1,5;x;South, North;"at=1 words=x"',
        '"Pear" ;2;;fruit',
        "Ladder;3;Climb [c].;;Bäh€;1x;South",
        ";;;;;3;;",
    )
)


def write_game(folder: Path, more: str, **files: bytes) -> Path:
    for name in ("xml/Factions", "templates"):
        (folder / name).mkdir(parents=True)
    (folder / "xml/game.xml").write_text(GAME.replace("{more}", more), encoding="utf-8")
    (folder / "templates/face.xml").write_text(FACE, encoding="utf-8")
    for name, data in files.items():
        (folder / "xml/Factions" / name.replace("__", ".")).write_bytes(data)
    return folder


Pages = Callable[[Path], TestClient]


@pytest.fixture
def open_page() -> Iterator[Pages]:
    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(contextmanager(page_of)(folder))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_game(tmp_path / "game", TABLE, cards__csv=CARDS.encode("cp1252"))


def tree(name: str, faction: str = "ALL") -> dict[str, Any]:
    return {"of": "card", "faction": faction, "id": name}


def text_of(folder: Path) -> str:
    return (folder / "xml/Factions/cards.csv").read_bytes().decode("cp1252")


def replace(folder: Path, old: bytes, new: bytes) -> None:
    """Change the table as another program does, which puts a new file in its place."""
    path = folder / "xml/Factions/cards.csv"
    beside = folder / "cards.new"
    beside.write_bytes(path.read_bytes().replace(old, new))
    beside.replace(path)


def test_values_are_written_as_their_column_has_them(page: TestClient, folder: Path) -> None:
    values = {
        "text": "Gain **3**; [c].",
        "cost": "4",
        "size": "2.25",
        "row": "s",
        "amount.0": "2",
    }
    answer = save(page, tree("apple"), values={**values, "rare": "false", "marks": "n"})
    wanted = CARDS.replace('Apple;1;"Gain *two*."', 'Apple;4;"Gain **3**; [c]."')
    wanted = wanted.replace(";3;north;1,5;x;South, North;", ";2;South;2,25;false;North;")
    assert text_of(folder) == wanted
    assert field(answer["form"], "text")["value"] == values["text"]
    assert field(answer["form"], "row")["value"] == "s"
    save(page, tree("apple"), values={"rare": "true"})
    assert text_of(folder) == wanted.replace(";false;", ";true;")


def test_children_are_written_with_the_separator_of_their_column(
    page: TestClient, folder: Path
) -> None:
    tags = [{"from": 1}, {"values": {"of": "blue"}}]
    bars = [{"from": 0, "values": {"words": "c d"}}, {"values": {"at": "2"}}]
    save(page, tree("apple"), children={"tag": tags, "bar": bars})
    wanted = CARDS.replace("fruit, red", "red, blue")
    wanted = wanted.replace("at=1 words=x", 'at=1 words=""c d""; at=2')
    assert text_of(folder) == wanted
    refused = post_edit(
        page,
        "save",
        {
            **tree("pear"),
            "state": form_of(page, tree("pear"))["state"],
            "children": {"tag": [{"values": {"of": "a, b"}}]},
        },
        422,
    )
    assert refused["findings"][0]["child"] == "tag"
    assert "cannot hold this" in refused["message"]
    assert text_of(folder) == wanted


def test_cells_that_are_missing_at_the_end_of_a_row_are_added(
    page: TestClient, folder: Path
) -> None:
    save(page, tree("pear"), values={"row": "n", "text": "A; B"})
    assert text_of(folder) == CARDS.replace(
        '"Pear" ;2;;fruit\r', '"Pear" ;2;"A; B";fruit;;;north\r'
    )


def test_what_has_no_column_says_so(open_page: Pages, tmp_path: Path) -> None:
    folder = write_game(tmp_path / "game", "", ALL_cards__csv=b"id,name,cost\n1,A,2\n")
    page = open_page(folder)
    form = form_of(page, tree("1"))
    locks = {each["name"]: each["lock"] for each in form["fields"]}
    assert (locks["id"], locks["cost"], locks["text"], locks["tag"]) == ("", "", "column", "column")
    assert form["children"] == []
    draft = {**tree("1"), "state": form["state"], "values": {"text": "x"}}
    assert "cannot be changed here" in post_edit(page, "save", draft, 400)["message"]


def test_a_new_name_is_a_new_id_where_no_column_has_ids(page: TestClient, folder: Path) -> None:
    answer = save(page, tree("apple"), values={"name": "Old Apple"})
    assert answer["thing"] == tree("old-apple")
    assert field(answer["form"], "name")["value"] == "Old Apple"
    assert text_of(folder) == CARDS.replace("\nApple", "\nOld Apple")
    nameless = {**tree("pear"), "state": form_of(page, tree("pear"))["state"]}
    refused = post_edit(page, "save", {**nameless, "values": {"name": ""}}, 422)
    assert refused["findings"][0]["field"] == "name"


def test_a_new_card_is_a_new_row_below_the_others(page: TestClient, folder: Path) -> None:
    listed = page.get("/api/edit/list").json()["factions"]
    assert [each["editable"] for each in listed] == [True]
    new: dict[str, Any] = {"of": "card", "new": True, "kind": "tree", "faction": "ALL"}
    form = form_of(page, new)
    assert "id" not in [each["name"] for each in form["fields"]]
    shown = post_edit(page, "preview", {**new, "values": {}})
    assert not shown["ok"]
    draft = {**new, "values": {"name": "Plum", "cost": "5", "amount.0": "2"}}
    shown = post_edit(page, "preview", draft)
    assert (shown["ok"], shown["id"]) == (True, "plum")
    assert shown["faces"][0]["hash"]
    assert post_edit(page, "save", draft)["thing"] == tree("plum")
    row = "Plum;5;;;;2;\r\n"
    wanted = CARDS.replace(";1x;South\r\n", f";1x;South\r\n{row}")
    assert text_of(folder) == wanted
    copy = {**new, "like": "apple", "values": {"name": "Quince"}}
    assert post_edit(page, "save", copy)["thing"] == tree("quince")
    apple = next(line for line in CARDS.split("\r\n") if line.startswith("Apple"))
    twin = (
        apple.replace("Apple", "Quince")
        .replace('"Gain *two*."', "Gain *two*.")
        .replace('"at=1 words=x"', "at=1 words=x")
    )
    assert text_of(folder) == wanted.replace(row, f"{row}{twin}\r\n")


def test_a_deleted_row_comes_back(page: TestClient, folder: Path) -> None:
    thing = tree("pear")
    deleted = post_edit(
        page, "delete", {**thing, "state": form_of(page, thing)["state"], "anyway": True}
    )
    assert text_of(folder) == CARDS.replace('"Pear" ;2;;fruit\r\n', "")
    assert page.get("/api/edit/form", params=thing).status_code == 400
    post_edit(page, "restore", {**thing, "undo": deleted["undo"]})
    assert text_of(folder) == CARDS


def test_what_others_have_changed_is_not_overwritten(page: TestClient, folder: Path) -> None:
    state = form_of(page, tree("apple"))["state"]
    replace(folder, b"Apple;1", b"Apple;7")
    draft = {**tree("apple"), "state": state, "values": {"text": "x"}}
    refused = post_edit(page, "save", draft, 409)
    assert field(refused["form"], "cost")["value"] == "7"
    now = text_of(folder)
    replace(folder, b"Ladder;3", b"Ladder;4")
    post_edit(page, "save", {**draft, "state": refused["form"]["state"]})
    assert text_of(folder) == now.replace("Ladder;3", "Ladder;4").replace('"Gain *two*."', '"x"')


def test_mistakes_are_said_at_their_fields(page: TestClient) -> None:
    state = form_of(page, tree("apple"))["state"]
    for name, value in (("cost", "many"), ("row", "west")):
        draft = {**tree("apple"), "state": state, "values": {name: value}}
        findings = post_edit(page, "preview", draft)["findings"]
        assert [(each["field"], each["here"]) for each in findings] == [(name, True)], name


def test_what_the_encoding_lacks_is_refused(page: TestClient, folder: Path) -> None:
    draft = {**tree("apple"), "state": form_of(page, tree("apple"))["state"]}
    refused = post_edit(page, "save", {**draft, "values": {"text": "A → B"}}, 422)
    assert "Windows-1252, which has no `→`" in refused["message"]
    assert text_of(folder) == CARDS


@pytest.mark.parametrize("lock", ["~$cards.csv", ".~lock.cards.csv#"])
def test_a_table_that_is_open_elsewhere_is_saved_only_if_asked(
    page: TestClient, folder: Path, lock: str
) -> None:
    (folder / "xml/Factions" / lock).touch()
    draft = {**tree("apple"), "state": form_of(page, tree("apple"))["state"]}
    draft["values"] = {"cost": "2"}
    shown = post_edit(page, "preview", draft)
    assert shown["ok"]
    assert "open in a spreadsheet program" in shown["findings"][0]["message"]
    refused = post_edit(page, "save", draft, 422)
    assert (refused["anyway"], refused["message"]) == (True, shown["findings"][0]["message"])
    assert text_of(folder) == CARDS
    post_edit(page, "save", {**draft, "anyway": True})
    assert text_of(folder) == CARDS.replace("Apple;1", "Apple;2")


def test_texts_in_html_are_edited_as_they_stand(open_page: Pages, tmp_path: Path) -> None:
    data = "name\tcost\ttext\nA\t1\t<b>Pay</b> [c].\n".encode("utf-16")
    folder = write_game(tmp_path / "g", '<table file="a.tsv" markup="html"/>', a__tsv=data)
    page = open_page(folder)
    assert field(form_of(page, tree("a")), "text")["value"] == "<b>Pay</b> [c]."
    save(page, tree("a"), values={"text": "<i>Pay</i> [c]."})
    path = folder / "xml/Factions/a.tsv"
    assert path.read_bytes() == data.replace("b>".encode("utf-16-le"), "i>".encode("utf-16-le"))


def test_several_columns_hold_the_children_of_a_tag(open_page: Pages, tmp_path: Path) -> None:
    table = '<table file="a.csv"><column name="T1" to="tag"/><column name="T2" to="tag"/></table>'
    folder = write_game(tmp_path / "g", table, a__csv=b"name,cost,T1,T2\nA,1,x,y\n")
    page = open_page(folder)
    save(page, tree("a"), children={"tag": [{"from": 1}]})
    assert (folder / "xml/Factions/a.csv").read_bytes() == b"name,cost,T1,T2\nA,1,y,\n"
    save(page, tree("a"), children={"tag": [{"values": {"of": each}} for each in "abc"]})
    assert (folder / "xml/Factions/a.csv").read_bytes() == b"name,cost,T1,T2\nA,1,a,b; c\n"


def test_a_table_of_several_factions_names_them_as_its_rows_do(
    open_page: Pages, tmp_path: Path
) -> None:
    factions = '<data><faction id="R" race_name="Reds" faction_name="Red" color="red"/>'
    factions += '<faction id="B" race_name="Blues" faction_name="Blue" color="blue"/></data>'
    data = b"id,name,faction,cost\n1,A,Red,1\n2,B,Blue,2\n"
    folder = write_game(tmp_path / "g", '<table file="a.csv"/>', a__csv=data)
    (folder / "xml/factions_definition.xml").write_text(factions, encoding="utf-8")
    page = open_page(folder)
    assert field(form_of(page, tree("2", faction="B")), "name")["value"] == "B"
    new = {"of": "card", "new": True, "kind": "tree", "faction": "R"}
    post_edit(page, "save", {**new, "values": {"id": "3", "name": "C", "cost": "3"}})
    save(page, tree("2", faction="B"), values={"cost": "4"})
    wanted = data.replace(b"Blue,2", b"Blue,4") + b"3,C,Red,3\n"
    assert (folder / "xml/Factions/a.csv").read_bytes() == wanted


def workbook() -> bytes:
    """Return a workbook with formats, a chart, a formula, merged cells and a second tab."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for line in (
        ["Name", "Cost", "Rules", "Row", "Size"],
        ["A", 1, "x", "North", 2],
        ["B", 2, "y"],
    ):
        sheet.append(line)
    sheet["A2"].font = Font(bold=True)
    sheet["B3"] = "=B2+1"
    sheet.merge_cells("C2:C3")
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart, "H2")
    book.create_sheet("Other").append(["note"])
    result = io.BytesIO()
    book.save(result)
    # Spreadsheet programs save the results of formulas, and need not compute them again.
    fixed = io.BytesIO()
    with zipfile.ZipFile(result) as source, zipfile.ZipFile(fixed, "w") as target:
        for info in source.infolist():
            data = source.read(info).replace(b' fullCalcOnLoad="1"', b"")
            target.writestr(info, data.replace(b"</f><v />", b"</f><v>2</v>"))
    return fixed.getvalue()


def parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_only_the_cells_of_a_workbook_change(open_page: Pages, tmp_path: Path) -> None:
    before = workbook()
    folder = write_game(tmp_path / "g", '<table file="a.xlsx"/>', a__xlsx=before)
    page = open_page(folder)
    form = form_of(page, tree("b"))
    locks = {each["name"]: each["lock"] for each in form["fields"]}
    assert (locks["name"], locks["cost"], locks["text"]) == ("", "formula", "merged")
    assert form["place"] == {"path": "xml/Factions/a.xlsx", "line": 3}
    save(page, tree("a"), values={"name": "A & Ö", "cost": "3", "size": None, "row": "s"})
    path = folder / "xml/Factions/a.xlsx"
    old, new = parts(before), parts(path.read_bytes())
    differ = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    assert differ == {"xl/worksheets/sheet1.xml", "xl/workbook.xml"}
    assert b'fullCalcOnLoad="1"' in new["xl/workbook.xml"]
    sheet = openpyxl.load_workbook(path).worksheets[0]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(max_row=3)]
    assert rows[1:] == [["A & Ö", 3, "x", "South", None], ["B", "=B2+1", None, None, None]]
    assert sheet["A2"].font.bold


def test_a_workbook_gets_a_new_row_and_keeps_the_others(open_page: Pages, tmp_path: Path) -> None:
    folder = write_game(tmp_path / "g", '<table file="a.xlsx"/>', a__xlsx=workbook())
    page = open_page(folder)
    new = {"of": "card", "new": True, "kind": "tree", "faction": "ALL"}
    draft = {**new, "values": {"name": "C", "cost": "7", "row": "n", "text": "z"}}
    assert post_edit(page, "save", draft)["thing"] == tree("c")
    sheet = openpyxl.load_workbook(folder / "xml/Factions/a.xlsx").worksheets[0]
    assert [cell.value for cell in sheet[4]] == ["C", 7, "z", "North", None]
    gone = {**tree("c"), "state": form_of(page, tree("c"))["state"]}
    refused = post_edit(page, "delete", gone, 400)
    assert refused["word"] == "edit-row-stays"


RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="x/{}" Target="{}"/></Relationships>'
)
PREFIXED = (
    '<x:worksheet xmlns:x="y"><x:sheetData><x:row>{}</x:row>'
    '<x:row r="3" spans="1:2"><x:c r="A3" t="str"><x:v>A</x:v></x:c>'
    '<x:c r="B3"><x:f t="array" ref="B3:B4">C3</x:f><x:v>1</x:v></x:c></x:row>'
    '<x:row r="4"><x:c r="A4" t="str"><x:v>B</x:v></x:c><x:c r="B4"><x:v>2</x:v></x:c></x:row>'
    '<x:row r="5" ht="9"/></x:sheetData></x:worksheet>'
)
HEAD = "".join(f'<x:c t="str"><x:v>{name}</x:v></x:c>' for name in ("Name", "Cost", "", "Rules"))


def test_an_unusual_workbook_is_edited(open_page: Pages, tmp_path: Path) -> None:
    sheets = '<workbook xmlns:r="z"><sheets><sheet name="T" r:id="r1"/></sheets></workbook>'
    contents = {
        "_rels/.rels": RELATIONS.format("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": sheets,
        "xl/_rels/workbook.xml.rels": RELATIONS.format("worksheet", "sheet.xml"),
        "xl/sheet.xml": PREFIXED.format(HEAD),
    }
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w") as target:
        for name, text in contents.items():
            target.writestr(name, text)
    folder = write_game(tmp_path / "g", '<table file="a.xlsx"/>', a__xlsx=result.getvalue())
    page = open_page(folder)
    assert field(form_of(page, tree("b")), "cost")["lock"] == "formula"
    save(page, tree("b"), values={"text": "<_x0041_>\n2"})
    new = {"of": "card", "new": True, "kind": "tree", "faction": "ALL"}
    post_edit(page, "save", {**new, "values": {"name": "C", "cost": "7"}})
    sheet = parts((folder / "xml/Factions/a.xlsx").read_bytes())
    text = '<x:is><x:t xml:space="preserve">{}</x:t></x:is></x:c>'
    cells = ('<x:c r="A5" t="inlineStr">' + text.format("C"), '<x:c r="B5"><x:v>7</x:v></x:c>')
    rules = '<x:c r="D4" t="inlineStr">' + text.format("&lt;_x005F_x0041_&gt;\n2")
    wanted = PREFIXED.format(HEAD).replace(
        '<x:row r="5" ht="9"/>', '<x:row r="5" ht="9">{}</x:row>'
    )
    wanted = wanted.replace("<x:v>2</x:v></x:c>", f"<x:v>2</x:v></x:c>{rules}")
    assert sheet["xl/sheet.xml"].decode() == wanted.replace("{}", "".join(cells))
    assert sheet["xl/workbook.xml"].decode() == sheets.replace(
        "</sheets>", '</sheets><calcPr fullCalcOnLoad="1"/>'
    )


def test_a_deleted_row_comes_back_into_its_own_table(open_page: Pages, tmp_path: Path) -> None:
    tables = '<table file="a.csv"/><table file="b.csv"/>'
    data = b"id,name,cost\n2,B,2"
    folder = write_game(tmp_path / "g", tables, a__csv=b"id,name,cost\n1,A,1\n", b__csv=data)
    page = open_page(folder)
    thing = {**tree("2"), "state": form_of(page, tree("2"))["state"]}
    undo = post_edit(page, "delete", thing)["undo"]
    assert (folder / "xml/Factions/b.csv").read_bytes() == b"id,name,cost\n"
    post_edit(page, "restore", {**tree("2"), "undo": undo})
    assert (folder / "xml/Factions/b.csv").read_bytes() == data
    copy = {"of": "card", "new": True, "kind": "tree", "faction": "ALL"}
    post_edit(page, "save", {**copy, "values": {"id": "3", "name": "C", "cost": "3"}})
    assert (folder / "xml/Factions/a.csv").read_bytes() == b"id,name,cost\n1,A,1\n3,C,3\n"


@pytest.mark.parametrize(
    ("table", "data"),
    [
        ('<table file="a.json"/>', b'[{"name": "A", "cost": 1}]'),
        ('<table file="a.csv" url="https://example.org/a.csv"/>', b"name,cost\nA,1\n"),
    ],
)
def test_cards_of_json_and_of_published_tables_are_only_shown(
    tmp_path: Path, table: str, data: bytes
) -> None:
    name = "a.csv" if "csv" in table else "a.json"
    folder = write_game(tmp_path / "g", table, **{name: data})
    editor = editor_of(folder)
    form: dict[str, Any] = to_plain(editor.form(tree("a")))
    assert (form["editable"], form["table"]) == (False, name)
    assert field(form, "name")["value"] == "A"
    draft = {**tree("a"), "state": form["state"], "values": {"cost": "2"}}
    with pytest.raises(ChoiceError, match=f"it is in the table {name}: edit it there"):
        editor.save(draft)
    shown: dict[str, Any] = to_plain(editor.preview(tree("a")))
    assert (shown["ok"], shown["changed"]) == (True, False)
    assert all(face["hash"] for face in shown["faces"])


def cells_in(path: Path, data: bytes) -> list[list[str]]:
    path.write_bytes(data)
    return [[cell.text for cell in row] for row in read_csv(path, "a", []).rows]


texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=8).filter(
    lambda text: text == text.strip()
)


@given(
    rows=st.lists(st.lists(texts, min_size=3, max_size=3), min_size=2, max_size=4),
    text=texts,
    at=st.integers(0, 1),
    column=st.integers(0, 2),
    ending=st.sampled_from(["\n", "\r\n"]),
)
def test_an_edited_cell_of_csv_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory,
    rows: Sequence[list[str]],
    text: str,
    at: int,
    column: int,
    ending: str,
) -> None:
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    lines = (['"' + each.replace('"', '""') + '"' for each in row] for row in rows)
    data = ending.join(";".join(line) for line in lines).encode()
    before = cells_in(path, data)
    after = cells_in(path, edit_csv(data, ";", {at: {column: text}}))
    before[at][column] = text
    assert after == before
