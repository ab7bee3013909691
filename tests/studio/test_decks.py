"""What the deck builder's page is answered."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from conftest import edit
from deck_game import write_deck_game
from deckwright import open_game
from deckwright.api.session import GameSession
from deckwright.base.extras import install_command
from deckwright.studio.decks import solver_worker
from deckwright.studio.session import StudioSession
from support import card, write_game
from visitors import page_of

solver = pytest.mark.skipif(find_spec("highspy") is None, reason="needs the extra solve")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return write_deck_game(tmp_path / "game")


@pytest.fixture(name="page")
def _page(folder: Path) -> Iterator[TestClient]:
    with page_of(StudioSession(open_game(folder), check=False)) as page:
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
    pool = {offer["card"]: offer["zones"] for offer in told["pool"]}
    assert pool["AA:A1"] == [
        {"zone": "main", "why": ["copies"], "room": 0},
        {"zone": "side", "why": [], "room": 1},
    ]
    assert pool["AA:A3"][0]["room"] == 1
    assert [spot["zone"] for spot in pool["GG:G1"]] == ["side"]


def test_what_is_wrong_besides_limits_is_told_by_its_kind(page: TestClient) -> None:
    drafts = {
        "empty": [],
        "faction": [entry("AB:A1", 1)],
        "unknown": [entry("AA:a1", 1)],
        "zone": [entry("GG:G1", 1, "main")],
    }
    found = {
        kind: asked(page, "judge", {**opened(page), "entries": entries})["findings"]
        for kind, entries in drafts.items()
    }
    assert {kind: [one["kind"] for one in of] for kind, of in found.items()} == {
        kind: [kind] for kind in drafts
    }
    assert found["unknown"][0]["near"] == "A1"
    assert found["zone"][0]["name"] == "Main"


def test_a_mistake_names_the_words_that_the_page_has_for_it(page: TestClient) -> None:
    broken = {
        ("judge", "faction"): ("ZZ", "decks-no-faction"),
        ("judge", "format"): ("none", "decks-no-format"),
        ("save", "name"): (" ", "decks-no-name"),
        ("hand", "entries"): ([entry("GG:G1", 1, "side")], "decks-no-pile"),
        ("odds", "entries"): ([entry("GG:G1", 1, "side")], "decks-no-pile"),
    }
    for (what, name), (value, word) in broken.items():
        answer = page.post(f"/api/decks/{what}", json={"draft": {**opened(page), name: value}})
        assert answer.status_code == 400
        assert answer.json()["word"] == word


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
    ant = next(group for group in odds["groups"] if (group["faction"], group["id"]) == ("AA", "A1"))
    assert ant["at_once_1"] == pytest.approx(1 - 0)  # of five cards three are ants: one of 3
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
    decks = [deck["deck"] for deck in told.json()["decks"]]
    lines = {f"{line['faction']}:{line['id']}": [line[deck] for deck in decks]
             for line in told.json()["cards"] if line["zone"] == "main"}  # fmt: skip
    assert lines == {"AA:A1": [3, 2], "AA:A2": [0, 2], "AA:A3": [0, 2]}
    changes = [(each["zone"], each["id"], each["copies"]) for each in told.json()["changes"]]
    assert ("main", "A1", -1) in changes
    for wrong in ([{"id": "queens"}], [{"id": "queens"}, {"id": "none"}], "queens"):
        assert page.post("/api/decks/compare", json={"decks": wrong}).status_code == 400


def test_a_deck_of_a_faction_that_is_gone_is_not_compared(page: TestClient, folder: Path) -> None:
    edit(folder / "xml/Decks/hill.xml", 'main_faction_id="AA"', 'main_faction_id="ZZ"')
    answer = page.post("/api/decks/compare", json={"decks": [{"id": "hill"}, {"id": "queens"}]})
    assert (answer.status_code, answer.json()["word"]) == (400, "decks-no-faction")


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
def test_what_fits_and_why_not_agree_in_each_zone(page: TestClient) -> None:
    draft = opened(page)
    fits = asked(page, "fits", draft)
    assert fits["sure"]
    assert fits["cards"]["AA:A4"] == ["main", "side"]
    assert fits["cards"]["AA:A1"] == ["side"], "of three ants in the main deck there is no fourth"
    draft["entries"] = [entry("AA:A2", 3), entry("AA:A1", 3)]
    main, side = asked(page, "why", draft, card="AA:A2")["zones"]
    assert main["why"] == ["costs", "copies"]
    assert main["possible"] is False
    assert [part.get("limit", part.get("wish")) for part in main["conflict"]["parts"]]
    assert (side["why"], side["possible"], side["conflict"]) == ([], True, None)
    assert asked(page, "fits", draft)["cards"]["AA:A2"] == ["side"]
    draft["entries"] += [entry("AA:A2", 1, "side"), entry("GG:G1", 1, "side")]
    (never,) = asked(page, "why", draft, card="GG:G1")["zones"]
    assert never["possible"] is False
    parts = never["conflict"]["parts"]
    assert never["conflict"]["least"]
    assert "side" in [part.get("limit") for part in parts]
    assert [part["wish"] for part in parts if "wish" in part] == ["deck", "card"]
    assert "GG:G1" not in asked(page, "fits", draft)["cards"]
    assert page.post("/api/decks/why", json={"draft": draft, "card": "AA:A9"}).status_code == 400


@solver
def test_what_there_is_no_time_for_is_not_known(
    page: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver_worker, "SEARCH_SECONDS", -1.0)
    said = {"draft": opened(page), "card": "AA:A1"}
    game = GameSession(folder, keep=True)
    answers = {
        name: ask(solver_worker.SolverRequest(game, said))
        for name, ask in solver_worker.HANDLERS.items()
    }
    assert answers["complete"]["possible"] is None
    assert (answers["fits"]["cards"], answers["fits"]["sure"]) == ({}, False)
    assert answers["why"]["zones"] == {
        zone: {"possible": None, "conflict": None} for zone in ("main", "side")
    }


def test_without_the_solver_it_is_said_and_the_limits_are(
    page: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    told = page.get("/api/decks").json()
    assert (told["solver"], told["howto"]) == (False, install_command("solve"))
    draft = opened(page)
    for what in ("complete", "fits"):
        answer = page.post(f"/api/decks/{what}", json={"draft": draft})
        assert answer.status_code == 400
        assert answer.json()["hint"] == told["howto"]
    why = asked(page, "why", draft, card="AA:A1")
    assert [(zone["why"], zone["possible"]) for zone in why["zones"]] == [
        (["copies"], None),
        ([], None),
    ]
    assert why["hint"] == told["howto"]


def test_the_same_id_in_two_factions_is_two_cards(tmp_path: Path) -> None:
    cards = [card("A1", "Ant"), card("A2", "Digger"), card("A1", "Bee", "BB")]
    opening = '<opening zone="main" hand="3" redraws="1"/>'
    folder = write_game(tmp_path / "twins", cards, limits=opening)
    entries = [entry("AA:A1", 2), entry("BB:A1", 1), entry("AA:A2", 2)]
    draft = {"name": "Twins", "faction": "AA", "entries": entries}
    with page_of(StudioSession(open_game(folder), check=False)) as page:
        odds = asked(page, "odds", draft)
        groups = [group for group in odds["groups"] if group["of"] == "cards"]
        assert {f"{group['faction']}:{group['id']}": group["cards"] for group in groups} == {
            each["card"]: each["copies"] for each in entries
        }
        for twin in ("AA:A1", "BB:A1"):
            hands = (asked(page, "hand", draft, seed=seed) for seed in range(99))
            both = next(each for each in hands if {"AA:A1", "BB:A1"} <= {*each["hand"]})
            laid = asked(page, "hand", draft, seed=both["seed"], redraw=[twin])
            assert laid["aside"] == [twin]


def test_a_game_without_opening_hands_shows_seven_cards(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "plain", [card("A1", "Ant")])
    draft = {"name": "Plain", "faction": "AA", "entries": [entry("AA:A1", 9)]}
    with page_of(StudioSession(open_game(folder), check=False)) as page:
        told = asked(page, "hand", draft)
        assert (len(told["hand"]), told["left"], told["opening"]["hand"]) == (7, 2, 7)
        assert page.get("/api/decks").json()["opening"] is None
        assert page.post("/api/decks/odds", json={"draft": draft}).status_code == 400


def test_a_thousand_copies_on_several_lines_are_edited_and_saved(
    page: TestClient, folder: Path
) -> None:
    path = folder / "xml/Decks/hill.xml"
    ant = '<card faction_id="AA" id="A1" amount="3"/>'
    edit(path, ant, ant.replace("3", "600") * 2)
    draft = opened(page)
    assert draft["entries"][0]["copies"] == 1200
    assert asked(page, "judge", draft)["cards"] == 1203
    for copies, amounts in {1300: [700, 600], 2000: [999, 999, 2], 5: [5]}.items():
        draft = opened(page)
        draft["entries"][0]["copies"] = copies
        asked(page, "save", draft)
        text = path.read_text(encoding="utf-8")
        assert [*map(int, re.findall(r'id="A1" amount="(\d+)"', text))] == amounts
    new = {**draft, "id": None, "before": None, "entries": [entry("AA:A1", 1001)]}
    assert opened(page, asked(page, "save", new)["id"])["entries"] == new["entries"]
