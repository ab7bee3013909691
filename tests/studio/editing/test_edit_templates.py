"""Templates by eye: the elements of a face, numbers written back into the text, saving."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from deckwright.studio.editing.templates import (
    DEFAULT_GEOMETRY,
    GEOMETRY,
    shift_length,
    shift_outline,
)
from deckwright.templates.elements import ELEMENTS
from editors import session_of
from support import card, write_game
from visitors import ORIGIN, authorize, stranger_of

TEMPLATE = """<?xml version='1.0' encoding="UTF-8"?>
<!-- A face. -->
<face>
  <rect y="60" width="65"
        height='30.00' fill="{{ card.faction.color }}"/>
  <text x="5" y="{{ 2 + 3 }}" width="155.9pt" height="20">{{ card.name }}</text>
  <g x="10" y="40" rotate="90" scale="2"><circle cx="1" cy="0" r="2" fill="teal"/></g>
  <row x="40" y="2"><icon name="star" x="1" width="4"/></row>
  <include href="foot.xml"/><line x1="30" y1="5" x2="20" y2="5"/>
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


def find(page: TestClient, tag: str) -> dict[str, Any]:
    """Return the first element of a tag that the face shows."""
    elements = send(page, "preview")["elements"]
    found: dict[str, Any] = next(each for each in elements if each["tag"] == tag)
    return found


def move(page: TestClient, tag: str, **edges: int) -> str:
    """Return the text of the template after the edges of an element moved by some µm."""
    number = find(page, tag)["number"]
    text: str = send(page, "preview", move={"number": number, **edges})["text"]
    return text


def save(page: TestClient, text: str, status: int = 200, **body: object) -> dict[str, Any]:
    values = {"values": {"text": text}, "state": form_of(page)["state"]}
    return send(page, "save", status, **{**values, **body})


def test_an_element_knows_its_line_its_file_and_its_place_on_the_face(page: TestClient) -> None:
    answer = send(page, "preview")
    assert answer["findings"] == []
    assert answer["faces"][KEY]["hash"]
    all_ = answer["elements"]
    places = [(one["tag"], one["file"].split("/")[1], one["line"], one["own"]) for one in all_]
    assert places == [
        ("rect", "card.xml", 4, True),
        ("text", "card.xml", 6, True),
        ("g", "card.xml", 7, True),
        ("circle", "card.xml", 7, True),
        ("row", "card.xml", 8, True),
        ("icon", "card.xml", 8, True),
        ("rect", "foot.xml", 2, False),
        ("line", "card.xml", 9, True),
        ("polygon", "card.xml", 10, True),
        ("path", "card.xml", 10, True),
    ]
    rect, text, _, circle, _, icon, _, _, polygon, _ = all_
    assert rect["frame"] == {"x": 0, "y": 60, "width": 65, "height": 30}
    assert TEMPLATE[rect["start"] :].startswith("<rect")
    assert text["label"] == "Ant"
    assert text["axes"] == {"x": "free", "y": "computed", "w": "free", "h": "free"}
    assert text["given"]["y"] == "{{ 2 + 3 }}"
    assert circle["around"] == 2
    # Turned about, and twice as large.
    assert circle["matrix"] == pytest.approx([0, 2, -2, 0, 10, 40])
    assert circle["extent"] == pytest.approx({"x": 6, "y": 38, "width": 8, "height": 8})
    assert icon["flow"] == {"tag": "row", "line": 8}
    assert icon["axes"] == {"x": "", "y": "", "w": "free", "h": "free"}
    assert polygon["shape"].startswith("M10 80")


def test_an_element_of_another_file_can_be_opened_there(page: TestClient) -> None:
    foot = send(page, "preview")["elements"][6]
    assert foot["file"] == "templates/foot.xml"
    form = form_of(page, foot["file"])
    assert form["fields"][0]["value"] == FOOT
    assert form["faces"] == [KEY, "AA:A2:1:face"]
    answer = send(page, "preview", id=foot["file"])
    assert [each["own"] for each in answer["elements"]].count(True) == 1


@pytest.mark.parametrize(
    ("tag", "edges", "old", "new"),
    [
        ("rect", {"top": -100, "bottom": -100}, 'y="60"', 'y="59.9"'),
        ("rect", {"bottom": 250}, "height='30.00'", "height='30.25'"),
        ("rect", {"left": 1000, "right": 1000}, "<rect y", '<rect x="1" y'),
        ("text", {"left": 100, "right": 100}, 'x="5"', 'x="5.1"'),
        ("text", {"right": 1000}, 'width="155.9pt"', 'width="158.73pt"'),
        ("circle", {"right": 500}, 'cx="1" cy="0" r="2"', 'cx="1.25" cy="0" r="2.25"'),
        ("g", {"left": -10, "right": -10}, 'g x="10"', 'g x="9.99"'),
        ("icon", {"right": -1000, "bottom": -1000}, 'width="4"', 'width="3"'),
        ("line", {"right": 500}, 'x1="30"', 'x1="30.5"'),
        ("line", {"top": 500, "bottom": 500}, 'y1="5" x2="20" y2="5"', 'y1="5.5" x2="20" y2="5.5"'),
        ("polygon", {"left": 1000, "right": 1000, "top": -500, "bottom": -500},
         "10,80 20,80 15,85", "11,79.5 21,79.5 16,84.5"),
        ("path", {"left": 1000, "right": 1000}, "M50 70h5v5H50Z", "M51 70h5v5H51Z"),
    ],
)  # fmt: skip
def test_numbers_are_written_where_they_stand(
    page: TestClient, tag: str, edges: dict[str, int], old: str, new: str
) -> None:
    assert old in TEMPLATE
    assert move(page, tag, **edges) == TEMPLATE.replace(old, new)


def test_numbers_keep_their_unit_and_digits() -> None:
    assert shift_length("4.00", 0.1) == "4.10"
    assert shift_length(" .5cm ", 1) == " 0.6cm "
    assert shift_length("1in", 25.4 / 1000) == "1.001in"
    assert shift_length("0.1", -0.1) == "0.0"
    assert shift_length("1e1", 1) == "11"
    assert shift_length("wide", 1) == "wide"
    assert shift_outline("M1,2L-3-4c1 1 2 2 3 3V10-2", 1, 2) == "M2,4L-2-2c1 1 2 2 3 3V12 0"


def test_what_is_computed_is_not_dragged(page: TestClient) -> None:
    number = find(page, "text")["number"]
    refused = send(page, "preview", 400, move={"number": number, "top": 100, "bottom": 100})
    assert refused["word"] == "template-computed"
    assert refused["given"] == ["y", "{{ 2 + 3 }}"]
    assert move(page, "text", left=100, right=100) != TEMPLATE  # the other way it can be


def test_what_has_no_number_is_not_dragged(page: TestClient) -> None:
    answer = send(page, "preview", 400, move={"number": 0, "left": 100, "right": 100})
    assert "`face`" in answer["message"]
    send(page, "preview", 400, move={"number": 10_000, "top": 100})  # of another file by now
    send(page, "preview", 400, move={"number": 0, "left": 10**9})


def test_a_draft_is_drawn_and_nothing_is_written(page: TestClient, folder: Path) -> None:
    before = send(page, "preview")["faces"][KEY]["hash"]
    text = TEMPLATE.replace('y="60"', 'y="50"')
    after = send(page, "preview", values={"text": text})
    assert after["faces"][KEY]["hash"] != before
    assert after["elements"][0]["frame"]["y"] == 50
    assert page.get(f"/faces/{after['faces'][KEY]['hash']}.svg").status_code == 200
    others = send(
        page, "preview", values={"text": text}, face="", others=[KEY, "AA:A2:1:face", "?"]
    )
    assert others["faces"][KEY]["hash"] == after["faces"][KEY]["hash"]
    assert others["faces"].keys() == {KEY, "AA:A2:1:face"}
    assert others["elements"] == []
    assert (folder / ID).read_text(encoding="utf-8") == TEMPLATE
    assert send(page, "preview")["faces"][KEY]["hash"] == before


def test_a_mistake_is_said_at_its_line(page: TestClient) -> None:
    for old, new, code, line in [
        ("</row>", "</rwo>", "X001", 8),
        ("<row", "<rwo", "X001", 8),
        ('tag="', "", "", 0),
        ('cx="1"', 'xc="1"', "T002", 7),
        ("card.name", "card.nane", "T006", 6),
    ]:
        answer = send(page, "preview", values={"text": TEMPLATE.replace(old, new)})
        found = [(each["code"], each["path"], each["line"]) for each in answer["findings"]]
        assert found == ([(code, ID, line)] if code else []), (old, new)


def test_a_text_without_room_is_drawn_with_its_element(page: TestClient) -> None:
    text = TEMPLATE.replace('height="20"', 'height="1"')
    answer = send(page, "preview", values={"text": text})
    assert [each["code"] for each in answer["findings"]] == ["L001"]
    assert answer["findings"][0]["message"].endswith("(card.xml:6)")
    assert answer["faces"][KEY]["faulty"]
    assert [each["line"] for each in answer["elements"] if each["tag"] == "text"] == [6]


def test_a_file_that_is_broken_already_can_be_mended(page: TestClient, folder: Path) -> None:
    (folder / ID).write_text(TEMPLATE.replace("</face>", ""), encoding="utf-8")
    form = form_of(page)
    assert form["fields"][0]["value"].endswith("/>\n\n")
    assert form["faces"] == [KEY, "AA:A2:1:face"]
    assert [each["code"] for each in send(page, "preview")["findings"]] == ["X001"]
    refused = send(page, "preview", 422, move={"number": 1, "left": 100, "right": 100})
    assert refused["findings"][0]["code"] == "X001"
    save(page, TEMPLATE)
    assert send(page, "preview")["findings"] == []


def test_saving_writes_only_what_changed(page: TestClient, folder: Path) -> None:
    """The byte order mark, the encoding and the ends of lines are those of the file."""
    path = folder / ID
    text = TEMPLATE.replace("UTF-8", "ISO-8859-1").replace("A face", "Größe")
    path.write_bytes(text.encode("latin-1").replace(b"\n", b"\r\n").replace(b"</row>\r", b"</row>"))
    given = path.read_bytes()
    form = form_of(page)
    assert form["fields"][0]["value"] == text
    answer = save(page, text.replace('y="60"', 'y="59.5"').replace("Größe", "Größe ★"))
    want = given.replace(b'y="60"', b'y="59.5"').replace(b"\xf6\xdfe", b"\xf6\xdfe &#9733;")
    assert path.read_bytes() == want
    assert answer["form"]["state"] != form["state"]


def test_a_mark_and_utf_16_stay(page: TestClient, folder: Path) -> None:
    path, text = folder / ID, TEMPLATE.replace("UTF-8", "UTF-16")
    path.write_bytes(b"\xff\xfe" + text.encode("utf-16-le"))
    save(page, text.replace('y="60"', 'y="59"'))
    assert path.read_bytes() == b"\xff\xfe" + text.replace('y="60"', 'y="59"').encode("utf-16-le")


def test_a_file_that_has_changed_meanwhile_is_a_conflict(page: TestClient, folder: Path) -> None:
    state, theirs = form_of(page)["state"], TEMPLATE.replace('y="60"', 'y="70"')
    (folder / ID).write_text(theirs, encoding="utf-8")
    refused = save(page, TEMPLATE.replace('r="2"', 'r="3"'), 409, state=state)
    assert refused["form"]["fields"][0]["value"] == theirs
    assert (folder / ID).read_text(encoding="utf-8") == theirs


def test_a_broken_text_is_not_saved_and_a_faulty_one_only_if_wanted(
    page: TestClient, folder: Path
) -> None:
    refused = save(page, TEMPLATE.replace("</row>", ""), 422, anyway=True)
    assert [each["code"] for each in refused["findings"]] == ["X001"]
    assert refused["anyway"] is False
    faulty = TEMPLATE.replace('cx="1"', 'xc="1"')
    assert save(page, faulty, 422)["anyway"] is True
    assert (folder / ID).read_text(encoding="utf-8") == TEMPLATE
    save(page, faulty, anyway=True)
    assert (folder / ID).read_text(encoding="utf-8") == faulty


def test_other_files_are_no_templates(page: TestClient) -> None:
    for name in ("xml/game.xml", "templates/../xml/game.xml", "/etc/passwd", "templates/none.xml"):
        answer = page.get("/api/edit/template/form", params={"id": name})
        assert answer.status_code == 400, name
        assert "has no template" in answer.json()["message"]


def test_a_studio_that_only_looks_shows_and_moves_but_does_not_save(folder: Path) -> None:
    with stranger_of(session_of(folder, read_only=True)) as client:
        page = authorize(client)
        page.headers["origin"] = ORIGIN
        assert form_of(page)["editable"] is False
        assert move(page, "rect", bottom=100) != TEMPLATE
        refused = save(page, TEMPLATE.replace('y="60"', 'y="59"'), 400)
    assert refused["word"] == "looks-only"
    assert (folder / ID).read_text(encoding="utf-8") == TEMPLATE


@pytest.mark.parametrize("tag", [tag for tag, element in ELEMENTS.items() if element.draw])
def test_each_drawing_element_can_be_dragged(tag: str) -> None:
    """An element without `x` and `y` needs an entry of its own in `GEOMETRY`."""
    names = GEOMETRY.get(tag, DEFAULT_GEOMETRY)
    assert {*names} - {""} <= {*ELEMENTS[tag].attributes}
