"""The deck builder with the decks of all games that are here, and with what nobody should send."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from conftest import ROOT
from deck_game import write_deck_game
from deckwright import open_game
from deckwright.base.findings import is_error
from deckwright.studio.session import StudioSession
from random_games import random_game
from visitors import page_of

EXAMPLES = sorted((ROOT / "examples").glob("*/"))
HARD: tuple[Any, ...] = (
    None, True, -1, 0, 1000, 10**30, 1.5, "", "../x", "AA:", "::", "\ud800", "\x00", "a\nb", [],
    [[]], {}, {"a": 1}, "x" * 5000,
)  # fmt: skip
"""What values are replaced with."""
JSON = {"content-type": "application/json"}


def studio(folder: Path, *, read_only: bool = False) -> AbstractContextManager[TestClient]:
    """Return the page of a studio for a game."""
    return page_of(StudioSession(open_game(folder), check=False, read_only=read_only))


@pytest.fixture(name="home", params=[ROOT, *EXAMPLES], ids=lambda path: str(path.name))
def _home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a game that comes with Deckwright."""
    copy = tmp_path / "game"
    for name in ("xml", "img", "templates"):
        if (request.param / name).is_dir():
            shutil.copytree(request.param / name, copy / name)
    return copy


def drafts(page: TestClient) -> Iterator[dict[str, Any]]:
    for deck in page.get("/api/decks").json()["decks"]:
        yield page.get("/api/decks/deck", params={"id": deck["id"]}).json()


def test_decks_are_judged_as_the_check_does(home: Path) -> None:
    game = open_game(home)
    with studio(home) as page:
        for draft in drafts(page):
            told = page.post("/api/decks/judge", json={"draft": draft}).json()
            broken = {each["id"] for each in told["limits"] if each["by"] and not each["warning"]}
            stats = game.deck(draft["id"]).stats()
            states = [state for state in stats.limits if not state.limit.warning]
            assert broken == {state.id for state in states if not state.keeps}
            errors = [each for each in game.deck(draft["id"]).check() if is_error(each)]
            assert bool(broken or told["findings"]) == bool(errors)
            assert told["cards"] == stats.cards


@pytest.mark.corpus(3)
def test_what_did_not_change_is_not_written_and_all_texts_come_back(home: Path) -> None:
    with studio(home) as page:
        for draft in drafts(page):
            path = home / "xml" / "Decks" / f"{draft['id']}.xml"
            before = path.read_bytes() if path.exists() else b""
            saved = page.post("/api/decks/save", json={"draft": draft})
            assert saved.status_code == (200 if before else 400)
            assert not before or path.read_bytes() == before
            for form in ("text", "ids", "cockatrice", "xml"):
                asked = {"draft": draft, "form": form}
                text = page.post("/api/decks/text", json=asked).json()["text"]
                said = {"text": text, "faction": draft["faction"]}
                found = page.post("/api/decks/read", json=said).json()
                had = {(line["card"], line["copies"]) for line in draft["entries"]}
                has = {(line["card"], line["copies"]) for line in found["entries"]}
                missed = {card for each in found["problems"] for card in each["candidates"]}
                assert has <= had
                assert {card for card, _ in had - has} <= missed


@pytest.mark.corpus(3)
def test_a_saved_copy_is_the_same_deck(home: Path) -> None:
    with studio(home) as page:
        for draft in [*drafts(page)]:
            copy = page.post("/api/decks/save", json={"draft": {**draft, "id": None}}).json()
            assert copy["id"] != draft["id"]
            assert copy["draft"]["entries"] == draft["entries"]
            assert copy["draft"]["name"] == draft["name"]
            codes = [
                {each.code.id for each in open_game(home).deck(each_id).check()}
                for each_id in (draft["id"], copy["id"])
            ]
            assert codes[0] == codes[1]


@pytest.mark.corpus(3)
def test_half_a_deck_is_completed_to_a_legal_one(home: Path) -> None:
    pytest.importorskip("highspy")
    with studio(home) as page:
        draft = next(drafts(page))
        half = {**draft, "id": None, "entries": draft["entries"][::2]}
        found = page.post("/api/decks/complete", json={"draft": half})
        if found.status_code == 400:  # nothing may limit how many copies there are
            assert "no limit restricts" in found.json()["message"]
            return
        told = found.json()
        whole = {**half, "entries": told["entries"]}
        judged = page.post("/api/decks/judge", json={"draft": whole}).json()
        assert all(each["keeps"] or each["warning"] for each in judged["limits"])
        assert judged["findings"] == []


def test_a_read_only_studio_writes_nothing(tmp_path: Path) -> None:
    home = write_deck_game(tmp_path / "game")
    before = {path: path.read_bytes() for path in home.rglob("*.xml")}
    with studio(home, read_only=True) as page:
        draft = page.get("/api/decks/deck", params={"id": "hill"}).json()
        assert page.get("/api/decks").json()["readOnly"]
        for asked in ({**draft, "name": "Other"}, {**draft, "id": None}):
            answer = page.post("/api/decks/save", json={"draft": asked})
            assert answer.json()["message"] == "this studio is read-only"
        gone = {"id": "hill", "before": draft["before"]}
        assert page.post("/api/decks/delete", json=gone).status_code == 400
    assert {path: path.read_bytes() for path in home.rglob("*.xml")} == before


def test_a_deck_that_is_gone_is_a_conflict(tmp_path: Path) -> None:
    home = write_deck_game(tmp_path / "game")
    with studio(home) as page:
        draft = page.get("/api/decks/deck", params={"id": "hill"}).json()
        (home / "xml/Decks/hill.xml").unlink()
        answer = page.post("/api/decks/save", json={"draft": {**draft, "name": "Other"}})
        assert answer.status_code == 409
        assert (answer.json()["now"], answer.json()["theirs"]) == (None, None)
        assert not (home / "xml/Decks/hill.xml").exists()


def mutated(chance: random.Random, value: object) -> object:
    """Return a value with some of what is in it replaced or left out."""
    if chance.random() < 0.04:
        return chance.choice(HARD)
    if isinstance(value, dict):
        inside = value.items()
        return {name: mutated(chance, each) for name, each in inside if chance.random() > 0.02}
    return [mutated(chance, each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_sent_has_an_answer_and_stays_in_its_folder(tmp_path: Path, seed: int) -> None:
    home = tmp_path / "game"
    if random_game(home, seed) is None:
        write_deck_game(home)
    chance = random.Random(seed)
    game = open_game(home)
    own = next(iter(game.model.factions))
    entries = [
        {"card": ":".join(key), "zone": None, "copies": chance.randint(1, 3), "note": "n"}
        for key in game.model.cards
    ]
    draft = {
        "id": None, "name": "N", "faction": own, "format": None, "before": None, "entries": entries
    }  # fmt: skip
    asked = {
        "judge": {"draft": draft},
        "odds": {"draft": draft, "turn": 1},
        "hand": {"draft": draft, "seed": 3, "mulligan": 0, "redraw": ["AA:a"], "turns": 1},
        "compare": {"decks": [{"draft": draft}, {"id": "n"}, {"draft": draft}]},
        "read": {"text": "3 Ann\n2x Bob\n<x>", "faction": own},
        "text": {"draft": draft, "form": chance.choice(["text", "ids", "cockatrice", "xml"])},
        "save": {"draft": draft},
        "delete": {"id": "n", "before": "x"},
        "restore": {"id": "n", "content": "PGRhdGEvPg=="},
    }
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    with studio(home) as page:
        for _ in range(80):
            what = chance.choice([*asked])
            sent = json.dumps(mutated(chance, asked[what]))
            answer = page.post(f"/api/decks/{what}", content=sent, headers=JSON)
            assert answer.status_code in {200, 400, 409}, (what, answer.text)
            assert answer.status_code == 200 or answer.json()["message"]
    new = {path for path in tmp_path.rglob("*") if path.is_file()} - before
    assert all(path.parent == home / "xml" / "Decks" for path in new)
    assert all(path.suffix == ".xml" for path in new)


def test_lists_of_numbers_are_nothing_to_filter_by(tmp_path: Path) -> None:
    assert random_game(tmp_path, 0) is not None
    with studio(tmp_path) as page:
        told = page.get("/api/wall")
        assert told.status_code == 200
        assert [each["name"] for each in told.json()["game"]["filters"]] == ["level"]
