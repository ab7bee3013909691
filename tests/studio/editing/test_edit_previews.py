"""Previews: just what saving would give, with findings at their fields, and nothing is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient

from conftest import edit
from deckwright.studio.answers import to_plain
from deckwright.studio.editing.editor import Editor
from deckwright.studio.faces import hash_face
from editors import (
    CARDS,
    GAMES,
    card,
    cards_of,
    editor_of,
    form_of,
    post_edit,
    save,
    write_game_to_edit,
)
from support import FACE


@pytest.fixture(name="quiet", scope="module")
def _quiet(tmp_path_factory: pytest.TempPathFactory) -> Editor:
    """Return an editor of a game to which nothing is written."""
    return editor_of(write_game_to_edit(tmp_path_factory.mktemp("edit") / "game"))


def preview(page: TestClient, thing: dict[str, str], **said: object) -> dict[str, Any]:
    return post_edit(page, "preview", {**thing, **said})


def on_the_wall(page: TestClient) -> dict[str, Any]:
    faces = page.get("/api/wall").json()["faces"]
    return {face["card"]: face for face in faces}


def settled(page: TestClient) -> dict[str, Any]:
    """Return the faces of the wall when all are composed."""
    wall = on_the_wall(page)
    while any(face["hash"] is None for face in wall.values()):
        wall = on_the_wall(page)
    return wall


def test_it_is_what_saving_gives_and_nothing_is_written(page: TestClient, folder: Path) -> None:
    before = settled(page)
    values = {"name": "Termite", "actions": "4"}
    told = preview(page, card(), values=values)
    (face,) = told["faces"]
    assert told["ok"]
    assert told["changed"]
    assert told["worked"] == {"sum": "7"}
    assert (face["side"], face["part"], face["width"], face["height"]) == ("face", 1, 65, 90)
    svg = page.get(f"/faces/{face['hash']}.svg")
    assert svg.headers["content-type"] == "image/svg+xml"
    assert cards_of(folder).read_text(encoding="utf-8") == CARDS
    assert settled(page) == before
    save(page, card(), values=values)
    assert settled(page)["A1"]["hash"] == face["hash"] != before["A1"]["hash"]


def test_what_is_not_changed_looks_as_on_the_wall(page: TestClient) -> None:
    told = preview(page, card())
    assert not told["changed"]
    assert told["faces"][0]["hash"] == settled(page)["A1"]["hash"]


@pytest.mark.parametrize(
    ("draft", "where"),
    [
        ({"values": {"actions": "many"}}, ("actions", None, None, None)),
        ({"values": {"level": None}}, ("level", None, None, None)),
        ({"values": {"level": "7"}}, ("level", None, None, None)),
        ({"values": {"text": "{no}"}}, ("text", None, None, None)),
        (
            {"children": {"bar": [{"from": 1}, {"from": 0, "values": {"at": "7"}}]}},
            (None, "bar", 1, "at"),
        ),
        (
            {"children": {"bar": [{"from": None, "values": {"words": "x"}}]}},
            (None, "bar", 0, "at"),
        ),
        (
            {"children": {"rule": [{"from": 0}, {"from": None, "values": {"id": "none"}}]}},
            (None, "rule", 1, "id"),
        ),
    ],
)
def test_findings_are_at_their_fields(
    quiet: Editor, draft: dict[str, object], where: object
) -> None:
    told: Any = quiet.preview({**card(), **draft})
    (found,) = told["findings"]
    assert (found["field"], found["child"], found["index"], found["childField"]) == where
    assert found["here"]
    assert found["message"]
    assert told["ok"] == (found["severity"] != "error")


def test_a_face_that_cannot_be_composed_is_none(page: TestClient) -> None:
    told = preview(page, card(), values={"level": None})
    assert [face["hash"] for face in told["faces"]] == [None]


def test_what_was_wrong_elsewhere_before_is_not_told(page: TestClient, folder: Path) -> None:
    edit(folder / "xml" / "rules.xml", 'effect="It digs."', 'effect="It {digs}."')
    page.get("/api/wall")
    found = preview(page, card("A2"), values={"name": "Empress"})["findings"]
    assert [(each["code"], each["field"]) for each in found] == [("R005", "image")]


def test_what_has_no_room_is_named(page: TestClient, folder: Path) -> None:
    either = (
        '<first><text x="5" y="40" width="55" height="9">{{ card.text }}</text><g/></first></face>'
    )
    edit(folder / "templates" / "card.xml", "</face>", either)
    (face,) = preview(page, card(), values={"text": "Draw *two* cards."})["faces"]
    assert face["unprinted"] == []
    (face,) = preview(page, card(), values={"text": "Draw *two* cards. " * 40})["faces"]
    assert face["hash"]
    assert face["unprinted"] == ["text"]


def test_a_new_card_is_shown_before_it_is_there(page: TestClient, folder: Path) -> None:
    new = {"of": "card", "new": "true", "faction": "BB", "kind": "card"}
    told = preview(page, new, values={"name": "Bee"})
    assert (told["id"], told["ok"]) == ("BB1", False)
    assert {each["field"] for each in told["findings"]} == {"level", "actions", "costs"}
    values = {"name": "Bee", "level": "1", "actions": "0", "costs": "1"}
    told = preview(page, new, values=values)
    assert told["faces"][0]["hash"]
    assert "Bee" not in (folder / "xml" / "Factions" / "BB_cards.xml").read_text(encoding="utf-8")


def test_a_rule_is_shown_on_a_card_that_has_it(page: TestClient) -> None:
    told = preview(page, {"of": "rule", "id": "dig"}, values={"effect": "It digs deep."})
    assert [face["card"]["id"] for face in told["faces"]] == ["A1"]
    named = [{"faction": "AA", "id": "A2"}, {"faction": "AA", "id": "no"}, 7]
    told = preview(page, {"of": "faction", "id": "AA"}, values={"color": "red"}, on=named)
    assert [face["card"]["id"] for face in told["faces"]] == ["A2"]
    assert told["faces"][0]["hash"] != settled(page)["A2"]["hash"]
    told = preview(page, {"of": "texts", "id": "game"}, values={"name": "Ants"})
    assert told["ok"]
    assert preview(page, {"of": "texts", "id": "game"}, values={"name": ""})["ok"] is False


def test_a_style_that_there_is_not_is_refused(page: TestClient) -> None:
    draft = {**card(), "style": "../x"}
    assert post_edit(page, "preview", draft, 400)["message"] == "there is no style `../x`"


def test_pictures_are_listed_and_measured(page: TestClient, folder: Path) -> None:
    (folder / "img").mkdir()
    Image.new("RGB", (1300, 650), "teal").save(folder / "img" / "a.png")
    (folder / "img" / "b.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (folder / "img" / "notes.txt").write_text("no picture")
    image = '<image href="{{ card.image }}" x="5" y="10" width="50" height="50"/>\n</face>'
    (folder / "templates" / "card.xml").write_text(FACE.replace("</face>", image))
    post_edit(page, "save", {**card("A2"), "state": form_of(page, card("A2"))["state"]})
    listed = page.get("/api/edit/choices").json()["pictures"]
    first, second = listed
    assert (first["name"], first["width"], first["height"], first["drawing"]) == (
        "a.png",
        1300,
        650,
        False,
    )
    assert (second["name"], second["width"], second["drawing"]) == ("b.svg", None, True)
    small = page.get(f"/faces/picture/{first['hash']}")
    assert small.headers["content-type"] == "image/png"
    assert small.headers["content-security-policy"].startswith("sandbox; default-src 'none';")
    assert page.get(f"/faces/picture/{second['hash']}").headers["content-type"] == "image/svg+xml"
    values = {"image-focus": "0.2 0.5", "image-zoom": "2"}
    told = preview(page, card("A2"), values=values)
    (box,) = told["pictures"]
    assert (box["field"], box["x"], box["y"], box["width"], box["cover"]) == (
        "image",
        5,
        10,
        50,
        True,
    )
    assert box["dpi"] == pytest.approx(650 / 2 / 50 * 25.4, abs=1)


@pytest.mark.corpus(3)
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_previews_of_all_kinds_are_as_the_game_prints_them(folder: Path) -> None:
    editor, seen = editor_of(folder), set[str]()
    for each in editor.game.cards:
        thing = {"of": "card", "faction": each.faction, "id": each.id}
        if each.kind in seen or not editor.form(thing)["editable"]:
            continue
        seen.add(each.kind)
        told: Any = to_plain(editor.preview(thing))
        wanted: list[str | None] = []
        for part in range(1, each.parts + 1):
            wanted.append(hash_face(each.face(part=part)))
            back = each.back(part=part)
            wanted += [hash_face(back)] if back else []
        assert told["ok"], told["findings"]
        assert [face["hash"] for face in told["faces"]] == wanted
