"""What the studio answers to its own page."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from posixpath import dirname, normpath
from typing import TypeVar

import pytest
from starlette.testclient import TestClient

from conftest import edit
from deckwright.studio.app import VIEWS, load_assets
from deckwright.studio.session import StudioSession
from visitors import TOKEN, authorize, small_session, stranger_of

T = TypeVar("T")
ANT = "AA:A1:1:face"


@pytest.fixture(name="desk")
def _desk(tmp_path: Path) -> StudioSession:
    return small_session(tmp_path)


@pytest.fixture(name="page")
def _page(desk: StudioSession) -> Iterator[TestClient]:
    with stranger_of(desk) as client:
        yield authorize(client)


def until(what: Callable[[], T | None]) -> T:
    """Return what is there at last."""
    for _ in range(2000):
        if found := what():
            return found
        time.sleep(0.005)
    raise AssertionError("it never came")


def hash_of(page: TestClient, key: str = ANT) -> str | None:
    faces = page.get("/api/wall").json()["faces"]
    (found,) = (face["hash"] for face in faces if face["key"] == key)
    return None if found is None else str(found)


def test_the_page_itself_tells_nothing_of_the_game(desk: StudioSession, page: TestClient) -> None:
    answer = page.get("/")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    name = page.get("/api/game").json()["name"]
    assert name == desk.live_game.game.name
    for word in (name, str(desk.folder.path), "Ant", TOKEN):
        assert word not in answer.text


def test_the_page_has_what_it_asks_for(page: TestClient) -> None:
    for name, kind in (
        ("studio.css", "text/css"),
        ("decks/decks.css", "text/css"),
        ("studio.js", "text/javascript"),
    ):
        assert f"/assets/{name}" in page.get("/").text
        answer = page.get(f"/assets/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == f"{kind}; charset=utf-8"


def test_modules_find_what_they_import() -> None:
    files = load_assets()
    scripts = [name for name in files if name.endswith(".js") and not name.startswith("vendor/")]
    assert {f"{view}/{view}.js" for view in VIEWS} <= set(scripts)
    for name in scripts:
        text = files[name].content.decode()
        for path in re.findall(r'(?:from|import|import\()\s*"(\.[^"]+)"', text):
            assert normpath(f"{dirname(name)}/{path}").removeprefix("/") in files, name


def test_faces_are_there_for_good(page: TestClient) -> None:
    name = until(lambda: hash_of(page))
    answer = page.get(f"/faces/{name}.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none';")
    assert "<script" not in answer.text
    assert "<svg" in answer.text


def test_a_saved_file_is_on_the_wall(page: TestClient, tmp_path: Path) -> None:
    before = until(lambda: hash_of(page))
    edit(tmp_path / "xml" / "Factions" / "AA_cards.xml", 'name="Ant"', 'name="Anteater"')
    until(lambda: hash_of(page) not in {before, None})


def test_a_search_finds_cards_or_says_why_not(page: TestClient) -> None:
    found = page.get("/api/search", params={"q": "level:2"}).json()
    assert found == {"cards": ["AA:A1"]}
    assert page.get("/api/search").json()["message"]
    long = page.get("/api/search", params={"q": "x" * 9999}).json()["message"]
    assert long == "a search has at most 500 characters"


def test_a_style_that_there_is_not_is_told(page: TestClient) -> None:
    answer = page.get("/api/wall", params={"style": "../x"})
    assert answer.status_code == 404
    assert answer.json()["message"] == "there is no style `../x`"


def test_nothing_is_written_to_the_folder_of_the_game(page: TestClient, tmp_path: Path) -> None:
    def state() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}

    before = state()
    name = until(lambda: hash_of(page))
    for path in ("/", f"/faces/{name}.svg", "/api/search?q=level=1", "/nothing"):
        page.get(path)
    assert state() == before


def test_no_more_than_some_may_listen(desk: StudioSession, page: TestClient) -> None:
    first = desk.live_game.empty_event()
    for _ in range(12):
        desk.streams.subscribe(first)
    answer = page.get("/api/events")
    assert answer.status_code == 503
    assert json.loads(answer.text)["message"]
