"""Forms: what they show, and that what is saved as it was leaves files as they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from conftest import edit
from deckwright import open_game
from deckwright.base.parsing import parse_fields
from deckwright.game.model import Game
from deckwright.studio.answers import to_plain
from deckwright.studio.drafts import EntityDraft
from deckwright.studio.editing.outlines import list_sections, parse_entity
from deckwright.studio.editing.targets import EditTarget, find_target, target_in
from deckwright.studio.editing.writing import write_draft
from editors import (
    GAMES,
    card,
    editor_of,
    field,
    form_of,
    page_of,
    post_edit,
    session_of,
    write_game_to_edit,
)
from visitors import ORIGIN, authorize, stranger_of


@pytest.fixture(name="page", scope="module")
def _page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    yield from page_of(write_game_to_edit(tmp_path_factory.mktemp("edit") / "game"))


def test_a_form_is_made_from_the_kind(page: TestClient) -> None:
    form = form_of(page, card())
    names = [each["name"] for each in form["fields"]]
    crops = ["image-focus", "image-zoom"]
    shown = ["level", "actions", "costs", "image", *crops, "text", "sum", "rare", "tags"]
    assert names == ["id", "name", *shown]
    level = field(form, "level")
    assert (level["value"], level["type"], level["needed"]) == ("1", "term", True)
    options = [(each["value"], each["name"], each["color"]) for each in level["options"]]
    assert options == [("1", "Low", None), ("2", "High", None)]
    assert field(form, "name")["value"] == 'Ant & "Son"'
    text = field(form, "text")
    assert (text["value"], text["rich"], text["label"]) == ("Draw **two** cards.", True, "Text")
    worked = field(form, "sum")
    assert (worked["shown"], worked["value"]) == (True, "5")
    assert field(form, "actions")["says"] == "a whole number, at least 0"
    assert field(form, "image-zoom")["picture"] == "image"
    assert field(form, "tags")["item"] == "term"
    bars, rules = form["children"]
    assert (bars["tag"], bars["max"], bars["single"]) == ("bar", 3, False)
    assert bars["items"] == [
        {"from": 0, "values": {"at": "1", "words": "low"}},
        {"from": 1, "values": {"at": "2", "words": None}},
    ]
    assert rules["items"] == [{"from": 0, "values": {"id": "dig"}}]
    assert form["place"] == {"path": "xml/Factions/AA_cards.xml", "line": 4}


def test_what_can_be_edited_and_referred_to_is_listed(page: TestClient) -> None:
    listed = page.get("/api/edit/list").json()
    assert [each["id"] for each in listed["texts"]] == [
        "game",
        "names",
        "vocabulary:levels",
    ]
    assert [each["id"] for each in listed["rules"]] == ["dig", "call"]
    assert all(each["editable"] for each in listed["factions"])
    choices = page.get("/api/edit/choices", params={"faction": "AA"}).json()
    assert choices["rules"][0] == {
        "id": "dig",
        "label": "Digs",
        "text": "It digs.",
        "type": "passive",
        "fits": True,
    }


def test_a_rule_names_the_cards_that_show_it(page: TestClient) -> None:
    form = form_of(page, {"of": "rule", "id": "dig"})
    assert (form["used"], form["users"]) == (
        1,
        [{"faction": "AA", "id": "A1", "name": 'Ant & "Son"'}],
    )
    assert field(form, "effect")["value"] == "It digs."
    (labels,) = form["children"]
    assert labels["items"][0]["values"]["GEN"] == "Digs"


def test_forms_can_be_looked_at_where_nothing_is_written(tmp_path: Path) -> None:
    desk = session_of(write_game_to_edit(tmp_path / "game"), read_only=True)
    with stranger_of(desk) as client:
        page = authorize(client)
        page.headers["origin"] = ORIGIN
        form = form_of(page, card())
        assert (form["editable"], form["table"]) == (False, "")
        thing = {**card(), "state": form["state"], "values": {"name": "Bee"}}
        assert post_edit(page, "preview", thing)["changed"]
        for what in ("save", "delete"):
            assert post_edit(page, what, thing, 400)["message"] == "this studio is read-only"


def things_of(editor_game: Game, texts: list[str]) -> Iterator[dict[str, str]]:
    """Yield all that can be edited."""
    for each in (each for each in editor_game.printable_cards() if each.faction_id):
        yield {"of": "card", "faction": each.faction_id, "id": each.card.id}
    yield from ({"of": "rule", "id": name} for name in editor_game.rules)
    yield from ({"of": "faction", "id": name} for name in editor_game.factions)
    yield from ({"of": "texts", "id": name} for name in texts)


def sent_back(form: dict[str, Any]) -> dict[str, Any]:
    values = {each["name"]: each["value"] for each in form["fields"] if not each["shown"]}
    return {"values": values, "children": {each["tag"]: each["items"] for each in form["children"]}}


@pytest.mark.corpus(3)
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_what_is_saved_as_it_was_leaves_every_file_as_it_was(folder: Path) -> None:
    editor = editor_of(folder)
    listed: dict[str, Any] = editor.list_entities()
    game, home = editor.game.model, editor.game.folder
    tried = 0
    for said in things_of(game, [each["id"] for each in listed["texts"]]):
        if not home.factions_file.exists() and said["of"] == "faction":
            continue
        form = to_plain(editor.form(said))
        if form["editable"]:
            spot = find_target(parse_entity(said), game, home)
            assert write_draft(parse_fields(EntityDraft, sent_back(form)), spot) == []
            assert spot.file.to_bytes() == spot.original, said
            tried += 1
    assert tried or folder.name == "moths"


OTHER = {"integer": "1", "decimal": "1.5", "flag": "true", "focus": "0.5 0.25", "zoom": "2"}


@pytest.mark.corpus(3)
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_each_field_changed_and_changed_back_leaves_the_file_as_it_was(folder: Path) -> None:
    editor = editor_of(folder)
    listed: dict[str, Any] = editor.list_entities()
    game, home = editor.game.model, editor.game.folder
    seen: set[object] = set()
    for said in things_of(game, [each["id"] for each in listed["texts"]][-1:]):
        card = game.cards.get((said.get("faction", ""), said["id"]))
        kind = said["of"], card and card.kind.tag
        if kind in seen or said["of"] == "faction":
            continue
        seen.add(kind)
        form: dict[str, Any] = to_plain(editor.form(said))
        if not form["editable"]:
            continue
        first = find_target(parse_entity(said), game, home)
        for each in form["fields"][:25]:
            if each["shown"]:
                continue
            other = OTHER.get(each["type"], "Anders <&> \"'")
            other = other if other != each["value"] else f"{other}1"
            changed = draft(first, game, {each["name"]: other})
            assert changed.file.to_bytes() != first.original, each
            assert value_in(changed, each["name"]) == other
            back = draft(changed, game, {each["name"]: each["value"]})
            assert back.file.to_bytes() == first.original, each
        for spec in form["children"]:
            empty = draft(first, game, {}, {spec["tag"]: []})
            again = [{"from": None, "values": item["values"]} for item in spec["items"]]
            filled = draft(empty, game, {}, {spec["tag"]: again})
            assert children_in(filled, spec["tag"]) == [item["values"] for item in spec["items"]]


def draft(
    spot: EditTarget, game: Game, values: dict[str, Any], children: object = None
) -> EditTarget:
    """Return where a thing stands after a draft was written."""
    data = spot.file.to_bytes()
    fresh = target_in(spot.entity, game, spot.file.path, data, data)
    assert (
        write_draft(
            parse_fields(EntityDraft, {"values": values, "children": children or {}}), fresh
        )
        == []
    )
    return target_in(spot.entity, game, spot.file.path, data, fresh.file.to_bytes())


def value_in(spot: EditTarget, name: str) -> str | None:
    (found,) = (entry for entry in spot.outline.entries if entry.name == name)
    return found.value()


def children_in(spot: EditTarget, tag: str) -> list[dict[str, str | None]]:
    (found,) = (each for each in spot.outline.children if each.tag == tag)
    return [{entry.name: entry.value(node) for entry in found.entries} for node in found.nodes]


def test_words_can_be_edited_where_the_game_has_some(tmp_path: Path) -> None:
    folder = write_game_to_edit(tmp_path / "game")
    words = '<words><word id="pages" text="Leaves"/></words>'
    edit(folder / "xml" / "game.xml", "</fonts>", f"</fonts>{words}")
    assert "words" in dict(list_sections(open_game(folder).model))
