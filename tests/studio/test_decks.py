"""What the deck builder's page is answered."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from deck_game import deck_game
from deckwright import open_game
from deckwright.studio.desk import Desk
from visitors import ORIGIN, let_in, stranger_of

solver = pytest.mark.skipif(find_spec("highspy") is None, reason="needs the extra solve")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return deck_game(tmp_path / "game")


@pytest.fixture(name="page")
def _page(folder: Path) -> Iterator[TestClient]:
    with stranger_of(Desk(open_game(folder), check=False)) as client:
        page = let_in(client)
        page.headers["origin"] = ORIGIN
        yield page


def opened(page: TestClient, deck: str = "hill") -> dict[str, Any]:
    draft: dict[str, Any] = page.get(f"/api/decks/deck?id={deck}").json()
    return draft


def asked(page: TestClient, what: str, draft: dict[str, Any], **more: object) -> dict[str, Any]:
    answer = page.post(f"/api/decks/{what}", json={"draft": draft, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def entry(card: str, copies: int, zone: str | None = "main") -> dict[str, Any]:
    return {"card": card, "zone": zone, "copies": copies, "note": ""}


def test_decks_are_listed_with_what_is_wrong(page: TestClient) -> None:
    told = page.get("/api/decks").json()
    hill, queens = told["decks"]
    assert (hill["id"], hill["name"], hill["cards"], hill["ok"]) == ("hill", "Hill", 6, False)
    assert len(hill["problems"]) == 1
    assert queens["ok"]
    assert hill["first"][0] == "AA:A1"
    assert told["opening"]["hand"] == 3


def test_a_path_is_no_id(page: TestClient) -> None:
    for name in ("../game", "/etc/passwd", "hill.xml", ""):
        assert page.get("/api/decks/deck", params={"id": name}).status_code == 404
    draft = {**opened(page), "id": "../../game"}
    assert page.post("/api/decks/save", json={"draft": draft}).status_code == 409
    restored = {"id": "../game", "content": ""}
    assert page.post("/api/decks/restore", json=restored).status_code == 400


def test_a_draft_is_judged(page: TestClient) -> None:
    told = asked(page, "judge", opened(page))
    limits = {limit["id"]: limit for limit in told["limits"]}
    assert limits["size"]["by"] == 1
    assert not limits["size"]["keeps"]
    pool = {offer["card"]: offer for offer in told["pool"]}
    assert pool["AA:A1"]["why"] == ["copies"]
    assert pool["AA:A1"]["zones"] == ["main", "side"]
    assert pool["AA:A3"]["room"] == 1
    assert pool["GG:G1"]["zones"] == ["side"]


@pytest.mark.parametrize(
    "broken",
    [
        {"faction": "ZZ"},
        {"entries": [entry("AA:A1", -1)]},
        {"entries": [entry("AA:A1", 1, "attic")]},
        {"entries": [{"card": "A1", "copies": 1}]},
        {"entries": "all"},
        {"name": "\x00"},
    ],
)
def test_what_is_no_draft_is_refused(page: TestClient, broken: dict[str, Any]) -> None:
    answer = page.post("/api/decks/judge", json={"draft": {**opened(page), **broken}})
    assert answer.status_code == 400
    assert answer.json()["message"]


def test_saving_writes_only_what_changed(page: TestClient, folder: Path) -> None:
    path = folder / "xml/Decks/hill.xml"
    before = path.read_text(encoding="utf-8")
    draft = opened(page)
    draft["entries"][0] |= {"copies": 2, "note": "holds"}
    saved = asked(page, "save", draft)
    assert path.read_text(encoding="utf-8") == before.replace(
        'id="A1" amount="3"', 'id="A1" amount="2" note="holds"'
    )
    again = page.post("/api/decks/save", json={"draft": draft})
    assert again.status_code == 409
    assert again.json()["theirs"]["before"] == saved["before"]


def test_a_new_deck_is_named_by_the_server(page: TestClient, folder: Path) -> None:
    draft = {**opened(page), "id": None, "before": None, "name": "../Hill Ü"}
    saved = asked(page, "save", draft)
    assert sorted(path.stem for path in (folder / "xml/Decks").iterdir()) == sorted(
        ["hill", "queens", saved["id"]]
    )
    assert opened(page, saved["id"])["name"] == "../Hill Ü"


def test_a_deleted_deck_comes_back_as_it_was(page: TestClient, folder: Path) -> None:
    path = folder / "xml/Decks/hill.xml"
    before = path.read_bytes()
    told = {"id": "hill", "before": opened(page)["before"]}
    undo = page.post("/api/decks/delete", json=told).json()["undo"]
    assert not path.exists()
    assert page.post("/api/decks/restore", json=undo).status_code == 200
    assert path.read_bytes() == before
    assert page.post("/api/decks/restore", json=undo).status_code == 400


def test_odds_and_hands_come_from_the_main_zone(page: TestClient) -> None:
    draft = opened(page)
    odds = asked(page, "odds", draft)
    (cards,) = (section for section in odds["sections"] if section["id"] == "cards")
    ant = next(group for group in cards["groups"] if group["card"] == "AA:A1")
    assert ant["atOnce"]["some"] == pytest.approx(1 - 0)  # of five cards three are ants: one of 3
    hand = asked(page, "hand", draft, seed=7)
    assert hand == asked(page, "hand", draft, seed=7)
    assert len(hand["hand"]) == 3
    later = asked(page, "hand", draft, seed=7, turns=2)
    assert [len(turn) for turn in later["turns"]] == [1, 1]
    assert later["left"] == 0
    assert page.post("/api/decks/hand", json={"draft": draft, "turns": 99}).status_code == 400
    refused = page.post("/api/decks/hand", json={"draft": draft, "redraw": ["AA:A1"] * 2})
    assert refused.status_code == 400


def test_decks_and_drafts_are_compared(page: TestClient) -> None:
    draft = opened(page)
    draft["entries"] = draft["entries"][:1]
    told = page.post("/api/decks/compare", json={"decks": [{"draft": draft}, {"id": "queens"}]})
    main = told.json()["zones"][0]
    lines = {line["card"]: line["copies"] for line in main["lines"]}
    assert lines == {"AA:A1": [3, 2], "AA:A2": [0, 2], "AA:A3": [0, 2]}
    assert {"zone": "main", "card": "AA:A1", "copies": -1} in told.json()["changes"][0]
    for decks in ([{"id": "queens"}], [{"id": "queens"}, {"id": "none"}], "queens"):
        assert page.post("/api/decks/compare", json={"decks": decks}).status_code == 400


@pytest.mark.parametrize("form", ["text", "ids", "cockatrice", "xml"])
def test_a_text_is_read_as_it_was_written(page: TestClient, form: str) -> None:
    draft = opened(page)
    draft["entries"].append(entry("AA:A1", 1, "side"))
    written = asked(page, "text", draft, form=form)
    read = page.post("/api/decks/read", json={"text": written["text"], "faction": "AA"}).json()
    known = {(line["card"], line["zone"], line["copies"]) for line in read["entries"]}
    assert known == {(e["card"], e["zone"], e["copies"]) for e in draft["entries"]}
    assert read["problems"] == []
    assert written["file"].startswith("hill.")


def test_lists_as_people_write_them_are_understood(page: TestClient) -> None:
    text = "# mine\n3x ant\nDigger x2\nScout\n\nSide:\n1 G1\nSB: 2 Ant\n9 Queen Amt\n0 Bee\n"
    read = page.post("/api/decks/read", json={"text": text, "faction": "AA"}).json()
    known = [(line["card"], line["zone"], line["copies"]) for line in read["entries"]]
    assert known == [
        ("AA:A1", "main", 3),
        ("AA:A3", "main", 2),
        ("AA:A4", "main", 1),
        ("GG:G1", "side", 1),
        ("AA:A1", "side", 2),
    ]
    assert [(each["kind"], each["line"], each["candidates"]) for each in read["problems"]] == [
        ("unknown", 9, ["AA:A2"]),
        ("number", 10, []),
    ]


def test_a_hostile_xml_text_resolves_nothing(page: TestClient, folder: Path) -> None:
    secret = folder / "secret.txt"
    secret.write_text("a secret", encoding="utf-8")
    text = f'<!DOCTYPE d [<!ENTITY x SYSTEM "file://{secret}">]><data>&x;</data>'
    answer = page.post("/api/decks/read", json={"text": text})
    assert answer.status_code == 200
    assert "a secret" not in answer.text
    assert answer.json()["entries"] == []


@solver
def test_a_draft_is_completed_with_reasons(page: TestClient) -> None:
    draft = opened(page)
    draft["entries"][0]["note"] = "holds"
    found = asked(page, "complete", draft)
    assert found["possible"]
    assert found["proven"]
    (change,) = found["changes"]
    assert change["by"] == 1
    assert change["why"] == ["size"]
    assert found["entries"][0] == draft["entries"][0]
    legal = asked(page, "complete", {**draft, "entries": found["entries"]})
    assert legal["changes"] == []


@solver
def test_what_fits_and_why_not_agree(page: TestClient) -> None:
    draft = opened(page)
    fits = asked(page, "fits", draft)
    assert fits["sure"]
    assert "AA:A4" in fits["cards"]
    draft["entries"] = [entry("AA:A2", 3), entry("AA:A1", 3)]
    why = asked(page, "why", draft, card="AA:A2")
    assert why["now"] == ["costs", "copies"]
    assert why["possible"], "in the side deck"
    draft["entries"] += [entry("AA:A2", 1, "side"), entry("GG:G1", 1, "side")]
    never = asked(page, "why", draft, card="GG:G1")
    assert not never["possible"]
    parts = never["conflict"]["parts"]
    assert "side" in [part.get("limit") for part in parts]
    assert [part["wish"] for part in parts if "wish" in part] == ["deck", "card"]
    assert "GG:G1" not in asked(page, "fits", draft)["cards"]
    assert page.post("/api/decks/why", json={"draft": draft, "card": "AA:A9"}).status_code == 400
