"""What no page sends, to all that takes something: it is refused in words and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from deckwright.studio import guard
from deckwright.studio.app import create_app
from editors import card, session_of, write_game_to_edit
from visitors import ORIGIN, PORT, TOKEN, authorize

_SAID = """
    action after anyway back backs before card card_id cards changes children content copies deck
    decks draft exclude faction file files form format from hand id include job key keys kind like
    limits list mark moves name named new note now number of on options other output part path
    printer round rule seed state steps style text thing undo values what work zone
"""
NAMES = _SAID.split()
"""What requests say, and more."""
DEEP = "[" * 300 + "]" * 300
ODD = {
    "half of a character": '"\\ud800"',
    "the other half": '"x\\udfffy"',
    "a zero": '"\\u0000"',
    "a sequence of terminals": '"\\u001b[2J"',
    "no character": '"\\uffff"',
    "marks without end": '"' + "\\u0300" * 5_000 + '"',
    "a long text": '"' + "x" * 90_000 + '"',
    "a path": '"../../../../etc/passwd"',
    "an expression": '"{{ 7 * 7 }}"',
    "not a number": "NaN",
    "without end": "-Infinity",
    "a large number": "1e400",
    "a longer number": "9" * 400,
    "the longest number": "9" * 5000,
    "less than nothing": "-1",
    "a part": "0.5",
    "nothing": "null",
    "truth": "true",
    "a list": "[]",
    "lists": "[[[]], [null], [{}]]",
    "an object": "{}",
    "objects": '{"id": {"id": []}, "": 7, "\\u0000": "x"}',
    "a list of much": "[" + "null," * 2_000 + "7]",
    "deep lists": DEEP,
    "deeper lists": "[" * 9_000 + "]" * 9_000,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game_to_edit(tmp_path_factory.mktemp("odd") / "game")


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guard, "_RATE_LIMIT", (10**9, 10**9))  # nobody waits here
        app = create_app(session_of(folder), PORT, TOKEN)
    with TestClient(app, base_url=ORIGIN) as client:
        page = authorize(client)
        page.headers |= {"origin": ORIGIN, "content-type": "application/json"}
        yield page


def paths(page: TestClient, method: str) -> list[str]:
    """Return the paths of all that answers to a method."""
    app = page.app
    assert isinstance(app, guard.Guard)
    assert isinstance(app.app, Starlette)
    routes = [each for each in app.app.routes if isinstance(each, Route)]
    return [each.path for each in routes if method in (each.methods or ())]


def state(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.corpus(2)
@pytest.mark.parametrize("odd", ODD)
def test_what_is_odd_is_refused_in_words(page: TestClient, folder: Path, odd: str) -> None:
    before, value = state(folder), ODD[odd]
    everything = ", ".join(f'"{name}": {value}' for name in NAMES)
    half = ", ".join(f'"{name}": {value}' for name in NAMES if name not in {"of", "id", "faction"})
    known = json.dumps(card()).strip("{}")
    bodies = [f"{{{known}, {half}}}", value]
    if len(value) < 5000:
        bodies.append(f"{{{everything}}}")
    for path in paths(page, "POST"):
        for body in bodies:
            answer = page.post(path, content=body)
            assert answer.status_code < 500, (path, body[:200], answer.text)
            said = answer.json()
            assert answer.is_success or said["message"], (path, body[:200])
            json.dumps(said, allow_nan=False)
    assert state(folder) == before


@pytest.mark.parametrize(
    "odd",
    ["%00", "%ED%A0%80", "%FF", "%1B[2J", "..%2F..%2Fetc", "%7B%7B7*7%7D%7D", "x" * 500, "-1"],
)
def test_what_is_asked_oddly_is_answered_in_words(page: TestClient, odd: str) -> None:
    query = "&".join(f"{name}={odd}" for name in (*NAMES, "q"))
    known = f"of=card&faction=AA&id=A1&style={odd}&q={odd}"
    for path in paths(page, "GET"):
        if path.startswith("/api/") and path != "/api/events" and "{" not in path:
            for asked in (query, known):
                answer = page.get(f"{path}?{asked}")
                assert answer.status_code < 500, (path, asked[:99], answer.text)
                assert answer.is_success or answer.json()["message"]
