"""Requests that nobody's page sends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from deckwright.api import GameError
from deckwright.base.findings import ChoiceError
from deckwright.studio.editing.editor import Editor
from editors import (
    card,
    cards_of,
    editor_of,
    field,
    form_of,
    page_of,
    post_edit,
    save,
    write_game_to_edit,
)


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game_to_edit(tmp_path_factory.mktemp("edit") / "game")


@pytest.fixture(name="page", scope="module")
def _page(folder: Path) -> Iterator[TestClient]:
    yield from page_of(folder)


def state(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "thing",
    [
        {},
        {"of": "deck", "id": "hill"},
        {"of": "card", "faction": "AA", "id": "../A1"},
        {"of": "card", "faction": "..", "id": "A1"},
        {"of": "card", "faction": "AA", "id": 7},
        {"of": "card", "faction": "AA", "id": ["A1"]},
        {"of": "card", "faction": "AA", "id": "A" * 9999},
        {"of": "card", "faction": "AA", "id": "call/99999999999999999999"},
        {"of": "rule", "id": "no"},
        {"of": "faction", "id": "\x00"},
        {"of": "texts", "id": "../game"},
        {"of": "texts", "id": "vocabulary:no"},
        {"of": "card", "new": "true", "faction": "../AA", "kind": "card"},
        {"of": "card", "new": "true", "faction": "AA", "kind": "game"},
        {"of": "card", "new": "true", "faction": "AA", "kind": "token"},
        {"of": "card", "new": "true", "faction": "AA", "kind": "card", "like": "../A1"},
    ],
)
def test_what_is_not_there_has_no_form(
    page: TestClient, folder: Path, thing: dict[str, object]
) -> None:
    before = state(folder)
    for what in ("preview", "save", "delete"):
        assert post_edit(page, what, thing, 400)["message"]
    asked = {name: value for name, value in thing.items() if isinstance(value, str)}
    if asked == thing:
        assert page.get("/api/edit/form", params=asked).status_code == 400
    assert state(folder) == before


@pytest.mark.parametrize(
    "draft",
    [
        {"values": []},
        {"values": {"name": 7}},
        {"values": {"no": "x"}},
        {"values": {"id": "A9"}},
        {"values": {"sum": "9"}},
        {"values": {"faction_id": "BB"}},
        {"values": {'x="1" name': "x"}},
        {"children": []},
        {"children": {"bar": {}}},
        {"children": {"bar": [7]}},
        {"children": {"bar": [{"from": 9}]}},
        {"children": {"bar": [{"from": -1}]}},
        {"children": {"bar": [{"from": True}]}},
        {"children": {"bar": [{"from": 0}, {"from": 0}]}},
        {"children": {"bar": [{"from": None}] * 4}},
        {"children": {"bar": [{"values": {"no": "x"}}]}},
        {"children": {"text": []}},
        {"children": {"card": [{"values": {"id": "A9"}}]}},
    ],
)
def test_what_is_no_draft_is_refused(
    page: TestClient, folder: Path, draft: dict[str, object]
) -> None:
    before = state(folder)
    said = {**card(), "state": form_of(page, card())["state"], "anyway": True, **draft}
    assert post_edit(page, "save", said, 400)["message"]
    assert post_edit(page, "preview", said, 400)["message"]
    assert state(folder) == before


@pytest.mark.parametrize("text", ["\x00", "a\x0bb", "\x1b[2J", "\ufffe", "x" * 20_001])
def test_what_no_file_can_have_is_told_at_its_field(
    page: TestClient, folder: Path, text: str
) -> None:
    before = state(folder)
    said = {**card(), "state": form_of(page, card())["state"], "anyway": True}
    bars = [{"from": 0, "values": {"words": text}}]
    for draft, where in (
        ({"values": {"text": text}}, ("text", None)),
        ({"children": {"bar": bars}}, (None, "words")),
    ):
        body = json.dumps({**said, **draft})
        headers = {"content-type": "application/json"}
        shown = page.post("/api/edit/preview", content=body, headers=headers).json()
        saved = page.post("/api/edit/save", content=body, headers=headers)
        assert (saved.status_code, saved.json()["anyway"]) == (422, False)
        for found in (shown["findings"][0], saved.json()["findings"][0]):
            assert (found["field"], found["childField"]) == where
    assert state(folder) == before


NASTY = [
    "]]>",
    "<!-- -->",
    "-->",
    "&lt;&#0;&xxe;",
    '"/><card id="Z"/>',
    "'><!--",
    "<![CDATA[x]]>",
    "<?xml?>",
    "<b>x</b>",
    "{{ 7 * 7 }}",
    "{% for x in y %}",
    "\u202e\u200b",
    "../../etc/passwd",
    "**",
    "__a**b__c**",
    "{icon:<x>}",
]


@pytest.mark.parametrize("text", NASTY)
def test_a_text_is_a_text_whatever_is_in_it(page: TestClient, folder: Path, text: str) -> None:
    before = cards_of(folder).read_text(encoding="utf-8")
    bars = [{"from": 0, "values": {"words": text}}, {"from": 1}]
    draft = {"values": {"text": text, "name": text}, "children": {"bar": bars}, "anyway": True}
    form = save(page, card(), **draft)["form"]
    assert field(form, "text")["value"] == field(form, "name")["value"] == text
    assert form["children"][0]["items"][0]["values"]["words"] == text
    assert form_of(page, card("A2"))["title"] == "Queen"
    name, words = 'Ant & "Son"', [{"from": 0, "values": {"words": "low"}}, {"from": 1}]
    values = {"text": "Draw **two** cards.", "name": name}
    save(page, card(), values=values, children={"bar": words}, anyway=True)
    assert cards_of(folder).read_text(encoding="utf-8") == before


def test_what_is_nested_too_deep_is_no_object(page: TestClient) -> None:
    headers = {"content-type": "application/json"}
    deep = "[" * 100_000
    for what in ("preview", "save", "delete"):
        for body in (deep, f'{{"of": "card", "values": {deep}', '{"of": NaN}', "[]", "null"):
            answer = page.post(f"/api/edit/{what}", content=body, headers=headers)
            assert answer.status_code == 400


def test_a_file_with_a_mistake_of_its_own_is_told(tmp_path: Path) -> None:
    folder = write_game_to_edit(tmp_path / "game")
    editor = editor_of(folder)
    said = {**card(), "state": editor.form(card())["state"], "values": {"name": "x"}}
    cards_of(folder).write_text('<!DOCTYPE data [<!ENTITY x "y">]><data/>', encoding="utf-8")
    for ask in (editor.form, editor.preview, editor.save, editor.delete):
        with pytest.raises(GameError) as caught:
            ask(said)
        assert caught.value.findings[0].code.id == "X004"
    assert cards_of(folder).read_text(encoding="utf-8").startswith("<!DOCTYPE")


def test_a_link_out_of_the_game_is_not_followed(tmp_path: Path) -> None:
    folder = write_game_to_edit(tmp_path / "game")
    editor = editor_of(folder)
    outside = folder.parent / "secret.xml"
    outside.write_text(cards_of(folder).read_text(encoding="utf-8"), encoding="utf-8")
    said = {**card(), "state": editor.form(card())["state"], "values": {"name": "x"}}
    cards_of(folder).unlink()
    cards_of(folder).symlink_to(outside)
    before = outside.read_bytes()
    for ask in (editor.form, editor.preview, editor.save, editor.delete):
        with pytest.raises(ChoiceError, match="is a link out of the game's folder"):
            ask(said)
    assert outside.read_bytes() == before


def test_a_picture_is_found_by_its_hash_alone(page: TestClient, folder: Path) -> None:
    (folder / "img").mkdir(exist_ok=True)
    (folder / "img" / "out.svg").symlink_to(folder / "xml" / "game.xml")
    assert page.get("/api/edit/choices").json()["pictures"] == []
    for name in ("0" * 32, "out.svg", "..%2F..%2Fxml%2Fgame.xml", "%00"):
        assert page.get(f"/faces/picture/{name}").status_code == 404


@pytest.fixture(name="editor", scope="module")
def _editor(folder: Path) -> Editor:
    return editor_of(folder)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
names = st.sampled_from(["name", "text", "actions", "level", "id", "bar", "rule", "from"])


@settings(max_examples=60)
@given(
    values=st.dictionaries(names, json_values, max_size=3),
    children=st.dictionaries(names, json_values, max_size=2),
    more=st.dictionaries(
        st.sampled_from(["on", "style", "of", "id", "like"]), json_values, max_size=2
    ),
)
def test_whatever_is_sent_is_shown_or_refused(
    editor: Editor,
    values: dict[str, object],
    children: dict[str, object],
    more: dict[str, object],
) -> None:
    said = {**card(), "values": values, "children": children, **more}
    try:
        told = editor.preview(said)
    except ChoiceError:
        return
    assert isinstance(told["ok"], bool)
    json.dumps(told)
