"""What the page is told of what stands behind a face."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from conftest import ROOT, edit
from deckwright import open_game
from deckwright.studio.app import find_template
from visitors import authorize, small_session, stranger_of


@pytest.fixture(name="page")
def _page(tmp_path: Path) -> Iterator[TestClient]:
    with stranger_of(small_session(tmp_path)) as client:
        yield authorize(client)


def test_a_face_has_the_line_of_its_template(page: TestClient, tmp_path: Path) -> None:
    edit(tmp_path / "templates" / "card.xml", "<face", "<!-- The face\n  of all cards -->\n<face")
    for card in ("A1", "B1"):
        faction = f"{card[0] * 2}"
        key = {"key": f"{faction}:{card}:1:face"}
        answer = page.get("/api/cards/template", params=key).json()
        text = (tmp_path / answer["path"]).read_text(encoding="utf-8")
        assert answer["path"] == "templates/card.xml"
        assert text.splitlines()[answer["line"] - 1].startswith("<face")


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"key": "AA:A1"},
        {"key": "AA:A1:1:inside"},
        {"key": "AA:none:1:face"},
        {"key": "../../etc:passwd:1:face"},
        {"key": "AA:A1:1:face", "style": "../x"},
    ],
)
def test_there_is_no_template_of_what_there_is_not(page: TestClient, asked: dict[str, str]) -> None:
    assert page.get("/api/cards/template", params=asked).status_code == 404


def test_backs_and_styles_have_templates_of_their_own() -> None:
    game = open_game(ROOT)
    token = next(card for card in game.cards if card.is_token)
    for card in (game.card("HK1"), token):
        key = f"{card.faction}:{card.id}:1"
        face, back = (find_template(game, f"{key}:{side}", None) for side in ("face", "back"))
        assert face
        assert back
        assert face["path"] != back["path"]
    classic = find_template(game, "HK:HK1:1:face", "classic")
    assert classic
    assert classic["path"] == "templates/classic/card.xml"


def test_a_face_is_shown_with_its_bleed(page: TestClient) -> None:
    name = None
    while name is None:
        time.sleep(0.01)
        name = page.get("/api/wall").json()["faces"][0]["hash"]
    answer = page.get(f"/faces/{name}/bleed.svg")
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none';")
    assert 'viewBox="-3 -3 71 96"' in answer.text
    assert 'viewBox="0 0 65 90"' in page.get(f"/faces/{name}.svg").text
    assert page.get(f"/faces/{'0' * 32}/bleed.svg").status_code == 404
    assert page.get("/faces/x/bleed.svg").status_code == 404
