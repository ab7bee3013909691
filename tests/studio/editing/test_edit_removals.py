"""What is deleted: who needs it is said before, and it can come back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from conftest import edit
from deckwright.studio.drafts import make_undo
from editors import CARDS, card, cards_of, form_of, post_edit, save


def deleted(page: TestClient, thing: dict[str, Any]) -> dict[str, Any]:
    """Delete a thing, whoever needs it; return what brings it back."""
    said = {**thing, "state": form_of(page, thing)["state"], "anyway": True}
    return {**thing, "undo": post_edit(page, "delete", said)["undo"]}


def state(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*.xml")}


@pytest.mark.parametrize(
    "thing",
    [
        card("A1"),
        card("A2"),
        {"of": "rule", "id": "dig"},
        {"of": "rule", "id": "call"},
        {"of": "faction", "id": "GG"},
        {"of": "card", "id": "call/1"},
    ],
)
def test_what_was_deleted_comes_back_as_it_was(
    page: TestClient, folder: Path, thing: dict[str, str]
) -> None:
    before = state(folder)
    back = deleted(page, thing)
    assert state(folder) != before
    assert page.get("/api/edit/form", params=thing).status_code == 400
    assert post_edit(page, "restore", back)["thing"] == thing
    assert state(folder) == before
    assert form_of(page, thing)["editable"]


def test_two_that_were_deleted_come_back_one_after_the_other(
    page: TestClient, folder: Path
) -> None:
    first, second = deleted(page, card("A1")), deleted(page, card("A2"))
    assert "A1" in post_edit(page, "restore", first, 409)["message"] or cards_of(folder).exists()
    post_edit(page, "restore", second)
    post_edit(page, "restore", first)
    assert cards_of(folder).read_text(encoding="utf-8") == CARDS


def test_nothing_comes_back_into_a_file_that_has_changed(page: TestClient, folder: Path) -> None:
    back = deleted(page, card("A1"))
    edit(cards_of(folder), "Queen", "Empress")
    before = state(folder)
    refused = post_edit(page, "restore", back, 409)
    assert "AA_cards.xml has changed since" in refused["message"]
    cards_of(folder).unlink()
    post_edit(page, "restore", back, 409)
    del before[cards_of(folder)]
    assert state(folder) == before


def test_the_cards_that_need_a_rule_are_named_before(page: TestClient, folder: Path) -> None:
    rule = {"of": "rule", "id": "dig"}
    said = {**rule, "state": form_of(page, rule)["state"]}
    refused = post_edit(page, "delete", said, 422)
    assert refused["uses"] == {
        "decks": [],
        "cards": [{"faction": "AA", "id": "A1", "name": 'Ant & "Son"'}],
    }
    assert refused["anyway"]
    save(page, card(), children={"rule": []})
    post_edit(page, "delete", said)
    assert '"dig"' not in (folder / "xml" / "rules.xml").read_text(encoding="utf-8")


def test_the_cards_and_decks_of_a_faction_are_named_before(page: TestClient) -> None:
    hill = {"of": "faction", "id": "AA"}
    refused = post_edit(page, "delete", {**hill, "state": form_of(page, hill)["state"]}, 422)
    assert [each["id"] for each in refused["uses"]["cards"]] == ["A1", "A2"]
    assert [each["copies"] for each in refused["uses"]["decks"]] == [3, 1]


@pytest.mark.parametrize(
    ("thing", "decks", "cards"),
    [
        (card(), ["hill.xml"], []),
        ({"of": "rule", "id": "dig"}, [], ["A1"]),
        ({"of": "rule", "id": "call"}, [], []),
    ],
)
def test_who_needs_a_thing_is_known_before_it_is_to_be_deleted(
    page: TestClient, folder: Path, thing: dict[str, str], decks: list[str], cards: list[str]
) -> None:
    before = state(folder)
    answer = page.get("/api/edit/uses", params=thing).json()
    assert answer.get("anyway", False) == bool(decks or cards)
    uses = answer.get("uses", {"decks": [], "cards": []})
    assert [each["file"] for each in uses["decks"]] == decks
    assert [each["id"] for each in uses["cards"]] == cards
    assert state(folder) == before
    assert page.get("/api/edit/uses", params={"of": "texts", "id": "game"}).status_code == 400


def test_names_and_new_things_cannot_be_deleted(page: TestClient, folder: Path) -> None:
    before = state(folder)
    for thing in (
        {"of": "texts", "id": "words"},
        {"of": "card", "new": True, "faction": "AA", "kind": "card"},
        {"of": "rule", "new": True, "like": "dig"},
    ):
        post_edit(page, "delete", {**thing, "state": "", "anyway": True}, 400)
    assert state(folder) == before


@pytest.mark.parametrize(
    "undo",
    [
        None,
        [],
        "x",
        {},
        {"at": -1},
        {"at": "1"},
        {"length": 0.5},
        {"former": "no base"},
        {"former": 7},
        {"former": "PGI+"},  # other XML than what was there
        {"former": "AAAA"},
        {"state": None},
        {"at": 10**30},
    ],
)
def test_what_brings_nothing_back_is_refused(page: TestClient, folder: Path, undo: object) -> None:
    back = deleted(page, card("A1"))
    before = state(folder)
    given = {**back["undo"], **undo} if undo and isinstance(undo, dict) else undo
    answer = page.post("/api/edit/restore", json={**back, "undo": given})
    assert answer.status_code in {400, 422}
    assert answer.json()["message"]
    assert state(folder) == before


@given(before=st.binary(max_size=30), after=st.binary(max_size=30))
def test_an_undo_makes_of_a_file_what_it_was(before: bytes, after: bytes) -> None:
    assert make_undo(before, after).apply(after) == before
