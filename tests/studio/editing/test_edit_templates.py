"""Templates by eye: the elements of a face, numbers written back into the text, saving."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from deckwright.studio.editing.templates import shift_length, shift_outline
from editors import page_of
from support import card, write_game

TEMPLATE = """<?xml version='1.0' encoding="UTF-8"?>
<!-- A face. -->
<face>
  <rect y="60" width="65"
        height='30.00' fill="{{ card.faction.color }}"/>
  <text x="5" y="{{ 2 + 3 }}" width="155.9pt" height="20">{{ card.name }}</text>
  <g x="10" y="40" rotate="90" scale="2"><circle cx="1" cy="0" r="2" fill="teal"/></g>
  <row x="40" y="2"><icon name="star" x="1" width="4"/></row>
  <include href="foot.xml"/>
  <polygon points="10,80 20,80 15,85" fill="teal"/><path d="M50 70h5v5H50Z" fill="teal"/>
</face>
"""
FOOT = '<face>\n  <rect x="1" y="86" width="3" height="3" fill="#123456"/>\n</face>\n'
KEY, ID = "AA:A1:1:face", "templates/card.xml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cards = [card("A1", "Ant"), card("A2", "A longer name", level=2)]
    folder = write_game(tmp_path / "game", cards, face=TEMPLATE)
    (folder / "templates" / "foot.xml").write_text(FOOT, encoding="utf-8")
    return folder


@pytest.fixture
def page(folder: Path) -> Iterator[TestClient]:
    yield from page_of(folder)


def form_of(page: TestClient, name: str = ID) -> dict[str, Any]:
    answer = page.get("/api/edit/template/form", params={"id": name})
    assert answer.status_code == 200, answer.text
    form: dict[str, Any] = answer.json()
    return form


def send(page: TestClient, what: str, status: int = 200, **body: object) -> dict[str, Any]:
    request = {"id": ID, "face": KEY, **body}
    answer = page.post(f"/api/edit/template/{what}", json=request)
    assert answer.status_code == status, answer.text
    said: dict[str, Any] = answer.json()
    return said


def elements_of(page: TestClient, **body: object) -> dict[str, Any]:
    """Return the elements of a face by tag, the last of each."""
    return {each["tag"]: each for each in send(page, "preview", **body)["elements"]}


def move(page: TestClient, tag: str, **edges: int) -> str:
    """Return the text of the template after an element was moved by some µm."""
    number = elements_of(page)[tag]["number"]
    text: str = send(page, "preview", move={"number": number, **edges})["text"]
    return text


def test_an_element_knows_its_line_its_file_and_its_place_on_the_face(page: TestClient) -> None:
    answer = send(page, "preview")
    assert answer["findings"] == []
    assert answer["faces"][KEY]["hash"]
    all_ = answer["elements"]
    places = [(one["tag"], one["file"], one["line"], one["own"]) for one in all_]
    assert places == [
        ("rect", "card.xml", 4, True),
        ("text", "card.xml", 6, True),
        ("g", "card.xml", 7, True),
        ("circle", "card.xml", 7, True),
        ("row", "card.xml", 8, True),
        ("icon", "card.xml", 8, True),
        ("rect", "foot.xml", 2, False),
        ("polygon", "card.xml", 10, True),
        ("path", "card.xml", 10, True),
    ]
    rect, text, _, circle, _, icon, _, polygon, _ = all_
    assert rect["frame"] == [0, 60, 65, 30]
    assert TEMPLATE[rect["start"] :].startswith("<rect")
    assert text["label"] == "Ant"
    assert text["axes"] == {"x": "free", "y": "computed", "w": "free", "h": "free"}
    assert text["given"]["y"] == "{{ 2 + 3 }}"
    assert circle["around"] == 2
    assert circle["extent"] == pytest.approx([6, 38, 8, 8])  # turned about, and twice as large
    assert icon["flow"] == {"tag": "row", "line": 8}
    assert icon["axes"] == {"x": "", "y": "", "w": "free", "h": "free"}
    assert polygon["shape"].startswith("M10 80")


def test_numbers_are_written_where_they_stand_and_form_stays(page: TestClient) -> None:
    moved = move(page, "rect", left=1000, right=1000, top=-100, bottom=-100)
    assert moved == TEMPLATE  # the last rectangle stands in another file: nothing at its number
