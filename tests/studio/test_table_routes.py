"""The routes of the table: games are begun, played, kept in their logs and told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from conftest import edit
from deckwright import open_game
from deckwright.studio.session import StudioSession
from table_game import write_table_game
from visitors import page_of


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return write_table_game(tmp_path / "game")


@pytest.fixture(name="page")
def _page(folder: Path) -> Iterator[TestClient]:
    with page_of(StudioSession(open_game(folder), check=False)) as page:
        yield page


def begin(page: TestClient, *decks: object, seed: int = 7) -> dict[str, Any]:
    given = {"decks": [*(decks or [{"id": "queens"}])], "seed": seed}
    answer = page.post("/api/play/begin", json=given)
    assert answer.status_code == 200, answer.text
    game: dict[str, Any] = answer.json()
    return game


def do(page: TestClient, name: str, status: int = 200, **event: object) -> dict[str, Any]:
    answer = page.post("/api/play/do", json={"name": name, "event": event})
    assert answer.status_code == status, answer.text
    said: dict[str, Any] = answer.json()
    return said


def log_of(folder: Path, name: str) -> Path:
    return folder / "out" / "play" / f"{name}.jsonl"


def test_the_table_is_of_the_game(page: TestClient) -> None:
    about = page.get("/api/play").json()
    assert about["names"]["front"] == "Front"
    assert about["names"]["discard"] == "Grave"
    assert [each["card"] for each in about["markers"]] == [
        "marker:wound", "marker:coin/1", "marker:coin/5",
    ]  # fmt: skip
    assert page.get(f"/faces/{about['markers'][0]['face']}.svg").status_code == 200
    assert about["creates"] == {"AA:A1": ["AA:call/1"]}
    assert about["tokens"] == ["AA:call/1"]


def test_an_area_with_the_id_of_a_zone_only_names_it(folder: Path) -> None:
    edit(folder / "xml" / "game.xml", "<tabletop>", '<tabletop><area id="main" name="Draw"/>')
    with page_of(StudioSession(open_game(folder), check=False)) as page:
        assert page.get("/api/play").json()["names"]["main"] == "Draw"
        assert begin(page)["setting"]["areas"]["0/main"] == "pile"


def test_a_mat_is_a_picture_of_the_game(folder: Path) -> None:
    (folder / "img").mkdir(exist_ok=True)
    (folder / "img" / "mat.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', encoding="utf-8"
    )
    edit(folder / "xml" / "game.xml", "<tabletop>", '<tabletop mat="mat.svg">')
    session = StudioSession(open_game(folder), check=False)
    with page_of(session) as page:
        mat = page.get("/api/play").json()["mat"]
        assert page.get(f"/faces/picture/{mat}").headers["content-type"] == "image/svg+xml"


def test_every_event_is_in_the_log_at_once(page: TestClient, folder: Path) -> None:
    game = begin(page)
    assert game["name"] == "queens-7"
    assert game["table"]["areas"]["0/hand"]
    first = game["table"]["areas"]["0/hand"][0]
    moved = do(page, "queens-7", do="move", cards=[first], to="0/front")
    assert moved["count"] == 1
    assert [entry["do"] for entry in moved["entries"]] == ["move"]
    assert do(page, "queens-7", do="undo")["entries"] == []
    assert do(page, "queens-7", do="redo")["since"] == 1
    lines = log_of(folder, "queens-7").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["do"] for line in lines] == ["begin", "move", "undo", "redo"]
    with page_of(StudioSession(open_game(folder), check=False)) as again:
        opened = again.get("/api/play/game?name=queens-7").json()
    assert opened["table"] == moved["table"]


def test_what_is_refused_is_not_in_the_log(page: TestClient, folder: Path) -> None:
    begin(page)
    assert do(page, "queens-7", 400, do="flip", cards=[99])["message"].startswith("there is no")
    assert page.post("/api/play/do", json={"name": "queens-7", "event": 3}).status_code == 400
    assert len(log_of(folder, "queens-7").read_text("utf-8").splitlines()) == 1
    for name in ("../queens-7", "nothing", "queens-7.jsonl"):
        assert do(page, name, 400, do="next_turn")["word"] == "play-gone"


def test_rows_add_up_what_their_cards_count(page: TestClient) -> None:
    game = begin(page)
    hand = game["table"]["areas"]["0/hand"]
    costs = {"AA:A1": 3, "AA:A2": 9, "AA:A3": 4}
    card = {piece["id"]: costs[piece["card"]] for piece in game["table"]["pieces"]}
    do(page, "queens-7", do="move", cards=hand[:2], to="0/front")
    both = card[hand[0]] + card[hand[1]]
    said = do(page, "queens-7", do="create", card="marker:coin/5", to="0/front", on=hand[0])
    assert said["sums"]["0/front"] == [{"name": "Costs", "value": both + 5}]
    said = do(page, "queens-7", do="create", card="marker:wound", to="0/front", on=hand[0])
    assert said["sums"]["0"] == [{"name": "Costs", "value": both + 4}]
    said = do(page, "queens-7", do="flip", cards=[hand[0]])
    assert said["sums"]["0"] == [{"name": "Costs", "value": card[hand[1]]}]


def test_a_draft_and_two_decks(page: TestClient) -> None:
    draft = page.get("/api/decks/deck?id=hill").json()
    draft["entries"][0]["copies"] = 9
    draft["name"] = "Taller Hill"
    game = begin(page, {"draft": draft}, {"id": "queens"}, seed=3)
    assert game["name"] == "Taller_Hill-queens-3"
    assert [player["name"] for player in game["setting"]["players"]] == ["Taller Hill", "Queens"]
    assert len(game["table"]["areas"]["0/main"]) == 8
    assert begin(page, {"draft": draft}, {"id": "queens"}, seed=3)["name"].endswith("-3_2")
    listed = page.get("/api/play").json()["games"]
    assert {each["name"] for each in listed} == {"Taller_Hill-queens-3", "Taller_Hill-queens-3_2"}
    assert page.post("/api/play/delete", json={"name": "Taller_Hill-queens-3_2"}).json()["ok"]
    assert len(page.get("/api/play").json()["games"]) == 1
    wrong: list[list[object]] = [[], [{"id": "none"}], [{}, {}, {}]]
    for decks in wrong:
        assert page.post("/api/play/begin", json={"decks": decks}).status_code == 400


def test_a_line_that_was_not_written_to_its_end_is_written_over(
    page: TestClient, folder: Path
) -> None:
    begin(page)
    log = log_of(folder, "queens-7")
    with log.open("a", encoding="utf-8") as stream:
        stream.write('{"do":"note","text":"a long line that was not written')
    with page_of(StudioSession(open_game(folder), check=False)) as again:
        assert again.get("/api/play/game?name=queens-7").json()["count"] == 0
        assert do(again, "queens-7", do="next_turn")["table"]["turn"] == 1
    lines = log.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["do"] for line in lines] == ["begin", "next_turn"]


def test_lines_that_are_no_events_are_told(page: TestClient, folder: Path) -> None:
    begin(page)
    log = log_of(folder, "queens-7")
    with log.open("a", encoding="utf-8") as stream:
        stream.write('{"do":"jump"}\n{"do":"next_turn"}\n')
    with page_of(StudioSession(open_game(folder), check=False)) as again:
        game = again.get("/api/play/game?name=queens-7").json()
    assert game["table"]["turn"] == 1
    (finding,) = game["findings"]
    assert (finding["code"], finding["path"], finding["line"]) == (
        "E124", "out/play/queens-7.jsonl", 2,
    )  # fmt: skip


def test_an_earlier_moment_can_be_seen(page: TestClient) -> None:
    begin(page)
    do(page, "queens-7", do="next_turn")
    do(page, "queens-7", do="next_turn")
    game = page.get("/api/play/game?name=queens-7&at=1").json()
    assert (game["table"]["turn"], game["count"], len(game["entries"])) == (1, 2, 3)
    assert page.get("/api/play/game?name=queens-7&at=x").json()["table"]["turn"] == 2


def test_what_happened_is_told(page: TestClient) -> None:
    game = begin(page)
    hand = game["table"]["areas"]["0/hand"]
    do(page, "queens-7", do="next_turn")
    do(page, "queens-7", do="move", cards=hand[:1], to="0/front")
    told = page.get("/api/play/summary?name=queens-7").json()
    (player,) = told["players"]
    assert (player["drawn"], player["played"], player["left"], player["pile"]) == (4, 1, 3, 2)


def test_a_studio_that_only_looks_keeps_games_until_it_ends(folder: Path) -> None:
    with page_of(StudioSession(open_game(folder), check=False, read_only=True)) as page:
        begin(page)
        assert do(page, "queens-7", do="next_turn")["table"]["turn"] == 1
    assert not (folder / "out").exists()


def test_a_link_leads_nowhere_else(page: TestClient, folder: Path, tmp_path: Path) -> None:
    (folder / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (folder / "out" / "play").symlink_to(tmp_path / "elsewhere")
    answer = page.post("/api/play/begin", json={"decks": [{"id": "queens"}]})
    assert answer.status_code >= 400
    assert [*(tmp_path / "elsewhere").iterdir()] == []
