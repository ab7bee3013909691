"""Jobs, their files and the user's printers, as the page asks for them."""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from deckwright import open_game
from deckwright.studio.session import StudioSession
from support import write_decks
from visitors import page_of

Json = dict[str, Any]
Pages = Callable[..., TestClient]


@pytest.fixture(name="pages")
def _pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    """Opens the page of a studio, which runs until the test is over."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with ExitStack() as opened:

        def page(*, read_only: bool = False) -> TestClient:
            game = open_game(write_decks(tmp_path / "game"))
            return opened.enter_context(
                page_of(StudioSession(game, check=False, read_only=read_only))
            )

        yield page


def told(page: TestClient, path: str, said: object) -> Json:
    answer = page.post(path, json=said)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def ended(page: TestClient, thing: str, *of: str, **options: object) -> Json:
    """Make something, and return its job when it is over."""
    begun = told(page, "/api/print/jobs", {"thing": thing, "of": of, "options": options})
    while True:
        (job,) = (j for j in page.get("/api/print/jobs").json()["jobs"] if j["id"] == begun["id"])
        if job["ended"] is not None:
            return dict(job)
        time.sleep(0.05)


def test_a_pdf_is_made_and_offered(pages: Pages, tmp_path: Path) -> None:
    page = pages()
    job = ended(page, "decks", "good")
    assert (job["state"], job["findings"]) == ("done", [])
    (file,) = job["files"]
    made = tmp_path / "game" / "out" / "deck_good.pdf"
    answer = page.get(f"/files/{file['id']}")
    assert answer.content == made.read_bytes()
    assert answer.headers["content-disposition"] == 'attachment; filename="deck_good.pdf"'
    assert page.get(f"/files/{file['id']}?open").headers["content-disposition"].startswith("inline")
    changes = page.get("/api/print/changes?deck=good").json()
    assert changes["last"]["when"]
    assert changes["cards"] == []


def test_files_are_what_jobs_have_made_and_nothing_else(pages: Pages, tmp_path: Path) -> None:
    page = pages()
    (file,) = ended(page, "decks", "good")["files"]
    for name in ("deck_good.pdf", "..%2F..%2Fxml%2Fgame.xml", "%2Fetc%2Fpasswd", file["id"][:-1]):
        assert page.get(f"/files/{name}").status_code == 404
    (tmp_path / "game" / "out" / "deck_good.pdf").write_bytes(b"something else")
    assert page.get(f"/files/{file['id']}").status_code == 410


@pytest.mark.parametrize(
    "said",
    [
        {"thing": "secrets"},
        {"thing": "decks", "of": ["../good"]},
        {"thing": "decks", "of": []},
        {"thing": "decks", "of": ["good"], "options": {"sheet": "../../etc/passwd"}},
        {"thing": "decks", "of": ["good"], "options": {"copies": 100_000}},
        {"thing": "decks", "of": ["good"], "options": {"out": "/tmp/x"}},
        {"thing": "decks", "of": "good", "options": []},
    ],
)
def test_what_cannot_be_asked_for_is_refused(pages: Pages, said: Json) -> None:
    page = pages()
    for path in ("/api/print/jobs", "/api/print/preview"):
        answer = page.post(path, json=said)
        assert answer.status_code == 400, answer.text
        assert answer.json()["message"]
    assert page.get("/api/print/jobs").json() == {"jobs": []}


def test_what_goes_wrong_is_told_with_its_place(pages: Pages) -> None:
    job = ended(pages(), "service-mpc", "good")
    assert job["state"] == "failed"
    assert "E042" in {finding["code"] for finding in job["findings"]}
    assert all(finding["path"] for finding in job["findings"] if finding["code"] == "E042")


def test_a_job_is_cancelled_and_forgotten(pages: Pages) -> None:
    page = pages()
    begun = told(page, "/api/print/jobs", {"thing": "pictures", "options": {"dpi": 1200}})
    path = f"/api/print/jobs/{begun['id']}"
    assert told(page, f"{path}/cancel", {})["state"] == "cancelled"
    told(page, f"{path}/forget", {})
    assert page.get("/api/print/jobs").json() == {"jobs": []}
    assert page.post(f"{path}/cancel", json={}).status_code == 404


def test_a_studio_that_only_looks_writes_nothing_of_the_game(pages: Pages, tmp_path: Path) -> None:
    page = pages(read_only=True)
    assert page.get("/api/print").json()["goes"] == "temporary"
    (file,) = ended(page, "decks", "good")["files"]
    assert page.get(f"/files/{file['id']}").content.startswith(b"%PDF")
    assert not (tmp_path / "game" / "out").exists()
    refused = page.post("/api/print/printers", json={"name": "attic", "offset": [1, 0]})
    assert refused.status_code == 400
    assert not (tmp_path / "config").exists()


def test_printers_are_remembered_as_the_command_does(pages: Pages, tmp_path: Path) -> None:
    page = pages()
    told(page, "/api/print/printers", {"name": "attic", "offset": [0.7, -0.4], "flip": "long"})
    known = told(page, "/api/print/printers", {"name": "attic", "margins": [3, 4, 5, 4.2]})
    printer = {"name": "attic", "offset": [0.7, -0.4], "flip": "long", "margins": [3, 4, 5, 4.2]}
    assert known["printers"] == [printer]
    saved = tomllib.loads((tmp_path / "config/deckwright/printers.toml").read_text("utf-8"))
    assert saved["attic"]["back-offset"] == "0.7mm,-0.4mm"
    assert told(page, "/api/print/printers/forget", {"name": "attic"}) == {"printers": []}


@pytest.mark.parametrize(
    "said",
    [
        {"name": "../attic", "offset": [0, 0]},
        {"name": "attic", "offset": [0, 21]},
        {"name": "attic", "offset": ["a", 0]},
        {"name": "attic", "margins": [1, 2]},
        {"name": "attic", "margins": [-1, 2, 3, 4]},
        {"name": "attic", "flip": "twice"},
        {"name": 3},
    ],
)
def test_printers_that_cannot_be_are_refused(pages: Pages, tmp_path: Path, said: Json) -> None:
    answer = pages().post("/api/print/printers", content=json.dumps(said).encode(),
                          headers={"content-type": "application/json"})  # fmt: skip
    assert answer.status_code == 400
    assert not (tmp_path / "config").exists()
