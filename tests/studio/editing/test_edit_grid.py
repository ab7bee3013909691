"""Many cells of cards are read, checked, changed and saved in one go."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from starlette.testclient import TestClient

from editors import CARDS, cards_of, page_of, session_of
from support import card, write_game
from visitors import ORIGIN, authorize, stranger_of

Row = dict[str, Any]
ROWS = """id;name;level;actions;costs;rules;Notes
A1;Digger;Low;2;3;;'first
A2;"Queen";High;0;9;;"a ""note\"\"\"
A3;Guard;1;1;4
"""
CSV = ROWS.replace("\n", "\r\n")
ANTS = "xml/Factions/AA_cards"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A game whose cards are in a CSV file."""
    game = write_game(tmp_path / "table", [card("B1", "Bee", "BB", costs=5)])
    (game / f"{ANTS}.xml").unlink()
    (game / f"{ANTS}.csv").write_bytes(CSV.encode())
    return game


def rows_of(page: TestClient) -> dict[str, Row]:
    answer = page.get("/api/grid")
    assert answer.status_code == 200, answer.text
    return {row["id"]: row for row in answer.json()["rows"]}


def drafts_of(page: TestClient, **values: Mapping[str, str | None]) -> list[Row]:
    """Return drafts of cards by their id, as they are now."""
    rows = rows_of(page)
    known = ("faction", "id", "state")
    return [{**{n: rows[i][n] for n in known}, "values": given} for i, given in values.items()]


def post(page: TestClient, what: str, body: Row, status: int = 200) -> Row:
    answer = page.post(f"/api/grid/{what}", json=body)
    assert answer.status_code == status, answer.text
    data: Row = answer.json()
    return data


def test_rows_have_values_as_they_are_written(page: TestClient) -> None:
    answer = page.get("/api/grid").json()
    assert [row["id"] for row in answer["rows"]] == ["A1", "A2"]
    (kind,) = answer["kinds"]
    names = [field["name"] for field in kind["fields"]]
    assert names[:3] == ["id", "name", "level"]
    assert "old" not in names
    assert [each["tag"] for each in kind["children"]] == ["bar", "rule"]
    (level,) = (field for field in kind["fields"] if field["name"] == "level")
    assert [option["name"] for option in level["options"]] == ["Low", "High"]
    first = answer["rows"][0]
    assert first["values"]["name"] == 'Ant & "Son"'
    assert first["values"]["text"] == "Draw **two** cards."
    assert first["values"]["sum"] == "5"
    assert first["locks"] == {"id": "", "sum": ""}
    assert first["children"]["rule"] == [{"id": "dig"}]
    assert first["place"] == {"path": "xml/Factions/AA_cards.xml", "line": 4}
    assert (answer["readOnly"], answer["hasWorth"]) == (False, False)


def test_tokens_are_rows_of_their_kind(folder: Path) -> None:
    cards_of(folder).write_text(CARDS.replace('id="dig"', 'id="call"'), encoding="utf-8")
    for page in page_of(folder):
        row = rows_of(page)["call/1"]
        assert (row["kind"], row["place"]["path"]) == ("token", "xml/rules.xml")
        draft = {"faction": "AA", "id": "call/1", "state": row["state"], "values": {"actions": "2"}}
        post(page, "save", {"cards": [draft]})
    assert 'name="Larva" actions="2"' in (folder / "xml/rules.xml").read_text(encoding="utf-8")


def test_many_cells_are_saved_and_nothing_else_changes(page: TestClient, folder: Path) -> None:
    one, other = {"costs": "5", "text": "Draw."}, {"name": "Empress", "rare": "true"}
    cards = drafts_of(page, A1=one, A2=other)
    answer = post(page, "save", {"cards": cards})
    assert answer["things"] == [{"of": "card", "faction": "AA", "id": i} for i in ("A1", "A2")]
    wanted = CARDS.replace('costs="3"', 'costs="5"').replace("Draw <b>two</b> cards.", "Draw.")
    wanted = wanted.replace('"Queen"', '"Empress"')
    wanted = wanted.replace('costs="9" image="a.png"', 'costs="9" image="a.png" rare="true"')
    assert cards_of(folder).read_text(encoding="utf-8") == wanted
    assert rows_of(page)["A1"]["state"] != cards[0]["state"]


def test_children_are_saved_with_them(page: TestClient, folder: Path) -> None:
    (draft,) = drafts_of(page, A1={"costs": "4"})
    draft["children"] = {"rule": [{"from": 0, "values": {"id": "dig"}}, {"values": {"id": "call"}}]}
    post(page, "save", {"cards": [draft]})
    text = cards_of(folder).read_text(encoding="utf-8")
    assert '<rule id="dig"/>\n    <rule id="call"/>' in text
    assert 'costs="4"' in text


def test_one_wrong_cell_saves_none(page: TestClient, folder: Path) -> None:
    cards = drafts_of(page, A1={"costs": "5"}, A2={"costs": "many", "level": "7"})
    checked = post(page, "check", {"cards": cards})
    refused = post(page, "save", {"cards": cards}, 422)
    for answer in (checked, refused):
        found = {(each["target"], each["field"]) for each in answer["findings"] if each["here"]}
        assert found == {(1, "costs"), (1, "level")}
    assert not checked["ok"]
    assert refused["anyway"]
    assert "`many`" in str(refused["findings"])
    assert cards_of(folder).read_text(encoding="utf-8") == CARDS
    post(page, "save", {"cards": cards, "anyway": True})
    assert 'costs="many"' in cards_of(folder).read_text(encoding="utf-8")


def test_what_no_file_can_hold_is_told_of_its_cell(page: TestClient, folder: Path) -> None:
    cards = drafts_of(page, A1={"costs": "5"}, A2={"name": "Que\u0001en"})
    refused = post(page, "save", {"cards": cards, "anyway": True}, 422)
    first = refused["findings"][0]
    assert (first["target"], first["field"]) == (1, "name")
    assert cards_of(folder).read_text(encoding="utf-8") == CARDS


def test_a_card_that_others_have_changed_is_a_conflict(page: TestClient, folder: Path) -> None:
    cards = drafts_of(page, A1={"costs": "5"}, A2={"costs": "8"})
    changed = CARDS.replace('costs="9"', 'costs="7"')
    cards_of(folder).write_text(changed, encoding="utf-8")
    post(page, "save", {"cards": cards}, 409)
    assert cards_of(folder).read_text(encoding="utf-8") == changed
    post(page, "save", {"cards": cards[:1]})  # of a card that nobody has changed
    assert cards_of(folder).read_text(encoding="utf-8") == changed.replace('costs="3"', 'costs="5"')


@pytest.mark.parametrize(
    "card", [{"id": "A9"}, {"values": {"sum": "4"}}, {"values": {"nothing": "4"}}, {"state": ""}]
)
def test_what_is_not_there_is_refused(page: TestClient, folder: Path, card: Row) -> None:
    (draft,) = drafts_of(page, A1={"costs": "5"})
    assert post(page, "save", {"cards": [{**draft, **card}]}, 400)["message"]
    assert cards_of(folder).read_text(encoding="utf-8") == CARDS


def test_cells_of_several_files_are_saved_together(table: Path) -> None:
    for page in page_of(table):
        cards = drafts_of(
            page,
            A1={"level": "2", "costs": "4"},
            A3={"name": "Guard; old", "costs": "5"},
            B1={"costs": "6"},
        )
        post(page, "save", {"cards": cards})
        wanted = CSV.replace("Digger;Low;2;3", "Digger;High;2;4")
        assert (table / f"{ANTS}.csv").read_bytes().decode() == wanted.replace(
            "Guard;1;1;4", '"Guard; old";1;1;5'
        )
        bees = (table / "xml/Factions/BB_cards.xml").read_text(encoding="utf-8")
        assert 'costs="6"' in bees
        cards = drafts_of(page, A2={"costs": "1"}, B1={"costs": "many"})
        post(page, "save", {"cards": cards}, 422)
        assert ";0;9;" in (table / f"{ANTS}.csv").read_text(encoding="utf-8")


def test_a_new_name_is_a_new_id_where_no_column_has_ids(table: Path) -> None:
    text = "name,level,actions,costs\nDigger,1,2,3\nQueen,1,2,3\n"
    (table / f"{ANTS}.csv").write_text(text, encoding="utf-8")
    for page in page_of(table):
        cards = drafts_of(page, digger={"costs": "4"}, queen={"name": "Old Queen"})
        things = post(page, "save", {"cards": cards})["things"]
        assert [thing["id"] for thing in things] == ["digger", "old-queen"]
        refused = post(page, "save", {"cards": drafts_of(page, digger={"name": ""})}, 422)
        assert [(each["target"], each["field"]) for each in refused["findings"]] == [(0, "name")]


def test_a_letter_that_the_file_cannot_have_is_told_of_its_card(table: Path) -> None:
    (table / f"{ANTS}.csv").write_bytes(CSV.replace("Guard", "Wächter").encode("cp1252"))
    for page in page_of(table):
        cards = drafts_of(page, A1={"name": "Größe"}, A2={"name": "Łódź"})
        refused = post(page, "save", {"cards": cards}, 422)
        assert [each["target"] for each in refused["findings"]] == [1]
        assert "has no `Ł`" in refused["message"]


def test_rows_of_a_workbook_are_written_into_their_cells(table: Path) -> None:
    (table / f"{ANTS}.csv").unlink()
    path = table / f"{ANTS}.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for line in (["id", "name", "level", "actions", "costs"], ["A1", "Ant", 1, 2, 3]):
        sheet.append(line)
    sheet.append(["A2", "Queen", 2, 0, 9])
    sheet.append(["A3", "Guard", 2, "=1+1", 4])
    book.save(path)
    for page in page_of(table):
        locks = rows_of(page)["A3"]["locks"]
        assert (locks["actions"], locks["rule"]) == ("formula", "column")
        cards = drafts_of(page, A1={"costs": "4", "name": "Emmet"}, A2={"costs": "8"})
        post(page, "save", {"cards": cards})
    saved = openpyxl.load_workbook(path).active
    assert saved is not None
    assert [[cell.value for cell in row] for row in saved.iter_rows(min_row=2)] == [
        ["A1", "Emmet", 1, 2, 4],
        ["A2", "Queen", 2, 0, 8],
        ["A3", "Guard", 2, "=1+1", 4],
    ]


def test_a_file_that_cannot_be_read_leaves_out_its_cards(folder: Path) -> None:
    bees = folder / "xml/Factions/BB_cards.xml"
    bees.write_text(f"<data>{card('B1', 'Bee', 'BB')}</data>", encoding="utf-8")
    for page in page_of(folder):
        cards_of(folder).write_text("<data>", encoding="utf-8")
        assert [*rows_of(page)] == ["B1"]


def test_nothing_is_saved_where_one_only_looks(folder: Path) -> None:
    with stranger_of(session_of(folder, read_only=True)) as client:
        page = authorize(client)
        page.headers["origin"] = ORIGIN
        assert page.get("/api/grid").json()["readOnly"]
        cards = drafts_of(page, A1={"costs": "5"})
        assert post(page, "save", {"cards": cards}, 400)["word"] == "looks-only"


# Changes of many cells.


def change(
    page: TestClient, field: str, by: str, where: str = "", cards: list[Row] | None = None
) -> Row:
    """Return what a change of all cards gives."""
    among = [f"{row['faction']}:{row['id']}" for row in rows_of(page).values()]
    line = {"kind": "card", "field": field, "change": by, "where": where, "among": among}
    answer = page.post("/api/grid/change", json={"cards": cards or [], "change": line})
    data: Row = answer.json()
    assert answer.status_code == (200 if "cells" in data else 400)
    return data


@pytest.mark.parametrize(
    ("field", "by", "where", "cells"),
    [
        ("costs", "+1", "", [["AA:A1", "4"], ["AA:A2", "10"]]),
        ("costs", "- 2", "level=2", [["AA:A2", "7"]]),
        ("costs", "*1.5", "", [["AA:A1", "5"], ["AA:A2", "14"]]),
        ("costs", "=actions - 10", "rules:dig", [["AA:A1", "-8"]]),
        ("costs", "=card.sum|string", "", [["AA:A1", "5"], ["AA:A2", "9"]]),
        ("rare", "=costs > 5", "", [["AA:A1", "false"], ["AA:A2", "true"]]),
        ("name", "{{ name }} II", "Queen:x or name=Queen", None),
        ("name", "{{ name }} II", "name=Queen", [["AA:A2", "Queen II"]]),
        ("level", "1", "level=High", [["AA:A2", "1"]]),
        ("costs", "+1", "costs>9 and level=1", []),
    ],
)
def test_a_line_changes_the_cards_that_it_means(
    page: TestClient, field: str, by: str, where: str, cells: list[list[str]] | None
) -> None:
    answer = change(page, field, by, where)
    if cells is None:
        assert "`Queen`" in answer["message"]
    else:
        assert answer["cells"] == cells


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("=costs +", "cannot be read"),
        ("=cost + 1", "did you mean `costs`?"),
        ("=name + 1", "card `A1`: `=name + 1` cannot be computed"),
        ("+ wings", "cannot be computed"),
    ],
)
def test_what_cannot_be_computed_is_said(page: TestClient, by: str, said: str) -> None:
    answer = change(page, "costs", by)
    assert said in f"{answer['message']} {answer['hint']}"


def test_a_change_counts_from_what_is_not_saved_yet(page: TestClient, folder: Path) -> None:
    cards = drafts_of(page, A1={"costs": "7", "level": "2"})
    cells = change(page, "costs", "+1", "level=2", cards)["cells"]
    assert cells == [["AA:A1", "8"], ["AA:A2", "10"]]
    assert cards_of(folder).read_text(encoding="utf-8") == CARDS


def test_cards_without_a_value_are_no_part_of_a_sum(folder: Path) -> None:
    game = folder / "xml/game.xml"
    text = game.read_text(encoding="utf-8")
    field = '<field name="hits" type="decimal" optional="true"/><field name="image"'
    game.write_text(text.replace('<field name="image"', field, 1), encoding="utf-8")
    text = CARDS.replace('costs="9"', 'costs="9" hits="2.5"')
    cards_of(folder).write_text(text, encoding="utf-8")
    for page in page_of(folder):
        assert change(page, "hits", "+1")["cells"] == [["AA:A2", "3.5"]]
        doubled = change(page, "hits", "=(hits or 0) * 2")["cells"]
        assert doubled == [["AA:A1", "0"], ["AA:A2", "5"]]


def test_the_balance_is_compared(folder: Path) -> None:
    game = folder / "xml/game.xml"
    text = game.read_text(encoding="utf-8")
    measures = '<deck worth="actions" cost="costs">'
    game.write_text(text.replace("<deck>", measures, 1), encoding="utf-8")
    more = (f'<card id="A{n}" name="Ant {n}" faction_id="AA" level="1" actions="{n}" costs="{n}"/>'
            for n in range(3, 6))  # fmt: skip
    text = CARDS.replace("</data>", "".join((*more, "</data>")))
    cards_of(folder).write_text(text, encoding="utf-8")
    for page in page_of(folder):
        assert page.get("/api/grid").json()["hasWorth"]
        after = drafts_of(page, A5={"costs": "3"})
        answer = post(page, "balance", {"before": [], "after": after})
        one, other = answer["before"], answer["after"]
        assert one["line"] != other["line"]
        assert one["compared"]
        assert ["AA:A3", "Ant 3: beaten by Ant 5: actions +2, Sum +2"] in other["beaten"]
        assert "AA:A3" not in [key for key, _ in one["beaten"]]
        assert [name for name, _ in one["factions"]] == ["Hill"]
        wrong = drafts_of(page, A5={"costs": "many"})
        assert post(page, "balance", {"before": [], "after": wrong})["after"] is None


def test_a_game_without_worth_has_no_balance(page: TestClient) -> None:
    assert "worth" in post(page, "balance", {"before": [], "after": []}, 400)["message"]
