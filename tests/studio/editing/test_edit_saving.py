"""Saving what was edited: only what changed is written, and only over what was read."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from conftest import edit
from deckwright.studio import answers
from editors import (
    CARDS,
    card,
    cards_of,
    field,
    form_of,
    post_edit,
    save,
)


def text_of(folder: Path) -> str:
    return cards_of(folder).read_text(encoding="utf-8")


def test_only_what_changed_is_written(page: TestClient, folder: Path) -> None:
    answer = save(
        page, card(), values={"actions": "4", "name": "Ant's", "text": "Draw __one__.\nNow."}
    )
    wanted = CARDS.replace('actions="2"', 'actions="4"')
    wanted = wanted.replace("'Ant &amp; \"Son\"'", "'Ant&apos;s'")
    wanted = wanted.replace("Draw <b>two</b> cards.", "Draw <i>one</i>.<br/>Now.")
    assert text_of(folder) == wanted
    assert field(answer["form"], "actions")["value"] == "4"
    assert field(answer["form"], "text")["value"] == "Draw __one__.\nNow."
    assert field(answer["form"], "sum")["value"] == "7"
    wall = page.get("/api/wall").json()["faces"]
    assert wall[0]["name"] == "Ant's"


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (errno.ENOSPC, "disk-full"),
        (errno.EROFS, "not-allowed"),
        (errno.EACCES, "not-allowed"),
        (errno.EIO, "disk-failed"),
    ],
)
def test_what_the_system_refuses_is_said_without_its_numbers_and_paths(
    page: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch, number: int, word: str
) -> None:
    def refuse(files: Mapping[Path, bytes]) -> None:
        raise OSError(number, os.strerror(number), str(next(iter(files))))

    draft = {**card(), "state": form_of(page, card())["state"], "values": {"name": "Emmet"}}
    monkeypatch.setattr(answers, "replace_files", refuse)
    answer = post_edit(page, "save", draft, 500)
    assert (answer["word"], answer["given"]) == (word, ["AA_cards.xml"])
    assert "AA_cards.xml" in answer["message"]
    assert str(folder) not in answer["message"]
    assert text_of(folder) == CARDS


def test_a_value_goes_where_it_belongs_and_away_again(page: TestClient, folder: Path) -> None:
    save(page, card("A2"), values={"rare": "true", "text": "A\nB", "image": ""})
    new = 'level="2" actions="0" costs="9" text="A&#10;B" rare="true"/>'
    assert new in text_of(folder)
    save(page, card("A2"), values={"rare": None, "text": "", "image": "a.png"})
    assert text_of(folder) == CARDS


def test_spaces_alone_are_no_change(page: TestClient, folder: Path) -> None:
    save(page, card(), values={"text": "  Draw   **two** cards. ", "name": 'Ant  & "Son" '})
    assert text_of(folder) == CARDS


def test_odd_spaces_of_a_file_stay(page: TestClient, folder: Path) -> None:
    edit(cards_of(folder), 'name="Queen"', 'name="Queen  of&#10;ants "')
    before = text_of(folder)
    name = field(form_of(page, card("A2")), "name")["value"]
    save(page, card("A2"), values={"name": name, "actions": " 0 "})
    assert text_of(folder) == before


def test_children_are_moved_with_what_they_have(page: TestClient, folder: Path) -> None:
    bars = [
        {"from": 1, "values": {"words": "high"}},
        {"from": 0},
        {"from": None, "values": {"at": "1", "words": "<new>"}},
    ]
    answer = save(page, card(), children={"bar": bars, "rule": []})
    assert text_of(folder) == CARDS.replace(
        '    <bar at="1" words="low"/> <!-- first -->\n    <bar at="2"/>\n    <rule id="dig"/>\n',
        '    <bar at="2" words="high"/> <!-- first -->\n    <bar at="1" words="low"/>\n'
        '    <bar at="1" words="&lt;new>"/>\n',
    )
    assert [each["from"] for each in answer["form"]["children"][0]["items"]] == [0, 1, 2]


def test_a_first_child_has_a_line_of_its_own(page: TestClient, folder: Path) -> None:
    save(page, card("A2"), children={"rule": [{"from": None, "values": {"id": "dig"}}]})
    assert 'image="a.png">\n    <rule id="dig"/>\n  </card>\n' in text_of(folder)


def test_what_somebody_else_changed_is_a_conflict(page: TestClient, folder: Path) -> None:
    before = form_of(page, card())["state"]
    edit(cards_of(folder), 'actions="2"', 'actions="5"')
    draft = {**card(), "state": before, "values": {"costs": "4"}}
    now = post_edit(page, "save", draft, 409)["form"]
    assert field(now, "actions")["value"] == "5"
    assert 'costs="3"' in text_of(folder)
    post_edit(page, "save", {**draft, "state": now["state"]})
    assert 'actions="5" costs="4"' in text_of(folder)


def test_what_is_changed_beside_it_is_no_conflict(page: TestClient, folder: Path) -> None:
    before = form_of(page, card())["state"]
    edit(cards_of(folder), 'name="Queen"', 'name="Empress"')
    post_edit(page, "save", {**card(), "state": before, "values": {"costs": "4"}})
    assert 'name="Empress"' in text_of(folder)
    assert 'costs="4"' in text_of(folder)


def test_what_is_gone_is_told_so(page: TestClient, folder: Path) -> None:
    before = form_of(page, card("A2"))["state"]
    text = text_of(folder)
    cards_of(folder).write_text(
        text[: text.index('  <card id="A2"')] + "</data>\n", encoding="utf-8"
    )
    draft = {**card("A2"), "state": before, "values": {"name": "Empress"}}
    assert post_edit(page, "save", draft, 400)["message"].startswith("there is no card `A2`")


def test_a_mistake_is_saved_only_if_that_is_asked_for(page: TestClient, folder: Path) -> None:
    draft = {**card(), "state": form_of(page, card())["state"], "values": {"actions": "many"}}
    refused = post_edit(page, "save", draft, 422)
    assert refused["anyway"]
    assert "many" in refused["message"]
    assert refused["findings"][0]["field"] == "actions"
    assert text_of(folder) == CARDS
    answer = post_edit(page, "save", {**draft, "anyway": True})
    assert 'actions="many"' in text_of(folder)
    assert field(answer["form"], "actions")["value"] == "many"
    save(page, card(), values={"actions": "2"})
    assert text_of(folder) == CARDS


def test_a_new_card_has_the_next_id(page: TestClient, folder: Path) -> None:
    new = {"of": "card", "new": "true", "faction": "AA", "kind": "card"}
    form = form_of(page, new)
    assert (field(form, "id")["value"], field(form, "id")["type"]) == ("A3", "id")
    values = {"name": "Digger", "level": "1", "actions": "0", "costs": "1"}
    bars = [{"from": None, "values": {"at": "2"}}]
    answer = post_edit(page, "save", {**new, "values": values, "children": {"bar": bars}})
    assert answer["thing"] == card("A3")
    assert text_of(folder) == CARDS.replace(
        "</data>",
        '  <card id="A3" name="Digger" faction_id="AA" level="1" actions="0" costs="1">\n'
        '    <bar at="2"/>\n  </card>\n</data>',
    )
    taken = post_edit(page, "save", {**new, "values": {**values, "id": "A1"}}, 422)
    assert (taken["findings"][0]["field"], taken["anyway"]) == ("id", False)


def test_a_copy_has_all_that_its_original_has(page: TestClient, folder: Path) -> None:
    copy = {"of": "card", "new": "true", "faction": "AA", "kind": "card", "like": "A1"}
    form = form_of(page, copy)
    assert field(form, "text")["value"] == "Draw **two** cards."
    post_edit(page, "save", {**copy, "values": {"name": "Twin", "id": "A9"}})
    original = CARDS[CARDS.index("<card id='A1'") : CARDS.index("</card>") + len("</card>")]
    twin = original.replace("'A1'", "'A9'").replace("'Ant &amp; \"Son\"'", "'Twin'")
    assert text_of(folder) == CARDS.replace(
        original, f"{original}\n\n  {twin}".replace("\n\n  <", "\n  <")
    )


def test_a_card_of_decks_is_deleted_only_if_that_is_asked_for(
    page: TestClient, folder: Path
) -> None:
    gone = {**card("A2"), "state": form_of(page, card("A2"))["state"]}
    refused = post_edit(page, "delete", gone, 422)
    decks = [{"deck": "Deck", "file": "other.xml", "copies": 1}]
    assert refused["uses"] == {"decks": decks, "cards": []}
    assert refused["anyway"]
    assert text_of(folder) == CARDS
    former = {**gone, "state": form_of(page, card())["state"], "anyway": True}
    assert post_edit(page, "delete", former, 409)["form"]["state"] == gone["state"]
    post_edit(page, "delete", {**gone, "anyway": True})
    text = text_of(folder)
    assert "A2" not in text
    assert text == CARDS[: CARDS.index('\n  <card id="A2"')] + "</data>\n"
    assert [face["card"] for face in page.get("/api/wall").json()["faces"]] == ["A1"]


def test_rules_factions_and_words_are_saved_alike(page: TestClient, folder: Path) -> None:
    labels = [{"from": 0, "values": {"GEN": "Burrows"}}]
    save(page, {"of": "rule", "id": "dig"}, values={"effect": "Deep."}, children={"label": labels})
    rules = (folder / "xml" / "rules.xml").read_text(encoding="utf-8")
    assert '<rule id="dig" type="passive" effect="Deep."><label GEN="Burrows"/></rule>' in rules
    save(page, {"of": "faction", "id": "BB"}, values={"faction_name": "Comb"})
    factions = (folder / "xml" / "factions_definition.xml").read_text(encoding="utf-8")
    assert '<faction id="BB" race_name="Bees" faction_name="Comb" color="orange"/>' in factions
    save(page, {"of": "texts", "id": "vocabulary:levels"}, values={"2:name": "Upper"})
    assert '<term id="2" name="Upper"/>' in (folder / "xml" / "game.xml").read_text(
        encoding="utf-8"
    )
    assert page.get("/api/wall").json()["game"]["filters"][0]["values"][1]["name"] == "Upper"


def test_a_token_is_a_card_of_its_rule(page: TestClient, folder: Path) -> None:
    save(page, card(), children={"rule": [{"from": None, "values": {"id": "call"}}]})
    token = {"of": "card", "faction": "AA", "id": "call/1"}
    form = form_of(page, token)
    assert form["links"][-1]["thing"] == {"of": "rule", "id": "call"}
    save(page, token, values={"name": "Grub"})
    assert '<token name="Grub" actions="0"/>' in (folder / "xml" / "rules.xml").read_text(
        encoding="utf-8"
    )
