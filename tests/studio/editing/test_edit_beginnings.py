"""New things: cards where there is no file yet, rules, tokens and factions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from conftest import ROOT
from deckwright import open_game
from deckwright.api import Game
from deckwright.studio.editing import editor
from deckwright.studio.editing.outlines import EntityRef
from deckwright.studio.editing.preview import EditPreview, preview_edits
from deckwright.studio.editing.targets import EditTarget, propose_id
from deckwright.studio.editing.writing import UnwritableValue
from editors import card, cards_of, field, form_of, post_edit, save
from support import token_rule

ANT = {"name": "Bee", "level": "1", "actions": "0", "costs": "1"}


def new(of: str, **said: str) -> dict[str, Any]:
    return {"of": of, "new": True, **said}


def text(folder: Path, name: str) -> str:
    return (folder / "xml" / name).read_bytes().decode()


def test_the_first_card_of_a_faction_has_a_file_like_the_others(
    page: TestClient, folder: Path
) -> None:
    cards_of(folder).write_bytes(
        b'<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- Hill (Ants) -->\r\n<?odd thing?>\r\n'
        b'<data>\r\n\t<card id="A1" name="Ant" faction_id="AA" level="1" actions="2" costs="3"/>'
        b"\r\n</data>\r\n",
    )
    (folder / "xml" / "Factions" / "BB_cards.xml").unlink()
    begun = new("card", faction="BB", kind="card")
    listed = page.get("/api/edit/list").json()["factions"]
    assert [each["editable"] for each in listed] == [True, True, True]
    form = form_of(page, begun)
    assert form["place"]["path"] == "xml/Factions/BB_cards.xml"
    assert field(form, "id")["value"] == "BB1"
    shown = post_edit(page, "preview", {**begun, "values": ANT})
    assert shown["ok"], shown["findings"]
    assert page.get(f"/faces/{shown['faces'][0]['hash']}.svg").status_code == 200
    assert not (folder / "xml" / "Factions" / "BB_cards.xml").exists()
    saved = post_edit(page, "save", {**begun, "values": ANT})
    assert saved["thing"] == {"of": "card", "faction": "BB", "id": "BB1"}
    assert text(folder, "Factions/BB_cards.xml") == (
        '<?xml version="1.0" encoding="UTF-8"?>\r\n<?odd thing?>\r\n<!-- Hive (Bees) -->\r\n'
        '<data>\r\n\t<card id="BB1" name="Bee" faction_id="BB" level="1" actions="0" costs="1"/>'
        "\r\n</data>\r\n"
    )
    assert [face["card"] for face in page.get("/api/wall").json()["faces"]] == ["A1", "BB1"]


def test_a_file_that_has_come_meanwhile_is_not_written_over(
    page: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bees = folder / "xml" / "Factions" / "BB_cards.xml"
    bees.unlink()

    def late(
        game: Game, spots: Sequence[EditTarget], faults: Sequence[UnwritableValue] = ()
    ) -> EditPreview:
        bees.write_text("<data/>", encoding="utf-8")
        return preview_edits(game, spots, faults)

    monkeypatch.setattr(editor, "preview_edits", late)
    begun = {**new("card", faction="BB", kind="card"), "values": ANT}
    assert post_edit(page, "save", begun, 409)["message"]
    assert bees.read_text(encoding="utf-8") == "<data/>"
    monkeypatch.undo()
    post_edit(page, "save", begun)
    assert bees.read_text(encoding="utf-8").startswith('<data>\n  <card id="BB1"')


def test_a_rule_is_begun_with_the_id_of_its_name(page: TestClient, folder: Path) -> None:
    before = text(folder, "rules.xml")
    assert field(form_of(page, new("rule")), "id")["type"] == "id"
    said = {
        **new("rule"),
        "values": {"effect": "Bites __hard__.", "type": "active", "cost": "2"},
        "children": {"label": [{"from": 0, "values": {"GEN": "Strong Bite"}}]},
    }
    assert post_edit(page, "preview", said)["id"] == "strong-bite"
    saved = post_edit(page, "save", said)
    assert saved["thing"] == {"of": "rule", "id": "strong-bite"}
    assert text(folder, "rules.xml") == before.replace(
        "</data>",
        '<rule id="strong-bite" type="active" cost="2" effect="Bites __hard__.">\n'
        '  <label GEN="Strong Bite"/>\n</rule>\n</data>',
    )
    taken = post_edit(page, "save", {**said, "values": {"id": "dig", "effect": "x"}}, 422)
    assert "`dig` is the id of another rule" in taken["message"]


def test_a_rule_is_copied_with_its_tokens(page: TestClient, folder: Path) -> None:
    like = form_of(page, {"of": "rule", "id": "call"})["begins"][0]["thing"]
    assert like == {"of": "rule", "new": True, "like": "call"}
    post_edit(page, "save", {**like, "values": {"id": "shout"}})
    original = token_rule("call", "Larva")
    copy = original.replace('"call"', '"shout"')
    assert f"{original}\n{copy}" in text(folder, "rules.xml")


def test_tokens_are_begun_and_copied_behind_those_that_there_are(
    page: TestClient, folder: Path
) -> None:
    begins = form_of(page, {"of": "rule", "id": "call"})["begins"]
    token = begins[1]["thing"]
    assert begins[1]["title"] == "Token"
    assert token == {"of": "card", "new": True, "kind": "token", "rule": "call"}
    form = form_of(page, token)
    assert form["fields"][0]["name"] == "name"
    assert form["links"] == [{"title": "Call", "thing": {"of": "rule", "id": "call"}}]
    save(page, card(), children={"rule": [{"from": None, "values": {"id": "call"}}]})
    values = {"name": "Pupa", "actions": "1"}
    shown = post_edit(page, "preview", {**token, "values": values})
    assert shown["ok"], shown["findings"]
    assert shown["faces"][0]["card"] == {"faction": "AA", "id": "call/2", "name": "Pupa"}
    saved = post_edit(page, "save", {**token, "values": values})
    assert saved["thing"] == {"of": "card", "faction": "AA", "id": "call/2"}
    copy = form_of(page, {"of": "card", "faction": "AA", "id": "call/1"})["begins"][0]["thing"]
    post_edit(page, "save", {**copy, "values": {"name": "Twin"}})
    rules = text(folder, "rules.xml")
    assert rules.index("Larva") < rules.index("Pupa") < rules.index("Twin")
    assert '<token name="Twin" actions="0"/>' in rules
    for like in ("call/9", "call/0", "dig/1", "call/x", "call"):
        post_edit(page, "save", {**copy, "like": like}, 400)


def test_tokens_of_a_rule_that_no_card_has_are_edited_too(page: TestClient, folder: Path) -> None:
    token = form_of(page, {"of": "rule", "id": "call"})["links"][0]["thing"]
    assert token == {"of": "card", "id": "call/1"}
    assert post_edit(page, "preview", {**token, "values": {"name": "Grub"}})["faces"] == []
    save(page, token, values={"name": "Grub"})
    assert '<token name="Grub"' in text(folder, "rules.xml")


def test_the_first_rule_of_a_game_has_a_file(page: TestClient, folder: Path) -> None:
    save(page, card(), children={"rule": []})
    (folder / "xml" / "rules.xml").unlink()
    label = [{"from": 0, "values": {"GEN": "Dig"}}]
    said = {**new("rule"), "values": {"effect": "It digs."}, "children": {"label": label}}
    shown = post_edit(page, "preview", said)
    assert shown["ok"], shown["findings"]
    saved = post_edit(page, "save", said)["thing"]
    assert 'effect="It digs."' in text(folder, "rules.xml")
    assert form_of(page, saved)["title"] == "Dig"


def test_a_faction_is_begun_and_then_its_cards(page: TestClient, folder: Path) -> None:
    values = {"race_name": "Wasps", "faction_name": "The Paper Nest", "color": "gold"}
    said = {**new("faction"), "values": {**values, "description": "They <sting>."}}
    assert field(form_of(page, new("faction")), "color")["value"] == "gray"
    assert post_edit(page, "save", said)["thing"] == {"of": "faction", "id": "PA"}
    assert (
        '  <faction id="PA" race_name="Wasps" faction_name="The Paper Nest" color="gold">\n'
        "    <description>They &lt;sting&gt;.</description>\n  </faction>\n</data>"
    ) in text(folder, "factions_definition.xml")
    begun = new("card", faction="PA", kind="card")
    assert post_edit(page, "save", {**begun, "values": ANT})["thing"]["id"] == "PA1"
    assert (folder / "xml" / "Factions" / "PA_cards.xml").is_file()


def test_a_description_comes_and_goes(page: TestClient, folder: Path) -> None:
    before = text(folder, "factions_definition.xml")
    save(page, {"of": "faction", "id": "AA"}, values={"description": "A hill."})
    form = form_of(page, {"of": "faction", "id": "AA"})
    assert field(form, "description")["value"] == "A hill."
    save(page, {"of": "faction", "id": "AA"}, values={"description": ""})
    assert text(folder, "factions_definition.xml") == before


@pytest.mark.parametrize("name", ["a/b", "../Decks/x", "a:b", ".a", "ö" * 150])
def test_a_faction_that_no_file_can_be_called_after_has_no_first_card(
    page: TestClient, name: str
) -> None:
    values = {"id": name, "race_name": "R", "faction_name": "F", "color": "teal"}
    post_edit(page, "save", {**new("faction"), "values": values})
    refused = post_edit(
        page, "save", {**new("card", faction=name, kind="card"), "values": ANT}, 400
    )
    assert "some systems do not allow the file name" in refused["message"]
    listed = page.get("/api/edit/list").json()["factions"]
    assert [each["editable"] for each in listed][-1] is False


def test_ids_are_like_those_of_the_game() -> None:
    shipped, duel = open_game(ROOT), open_game(ROOT / "examples" / "duel")

    def proposed(game: Game, of: str, name: str) -> str:
        return propose_id(EntityRef(of, new=True), game.model, game.folder, name)

    assert proposed(shipped, "faction", "Die Zwerge vom Berg") == "ZWE"
    assert proposed(duel, "faction", "The Green Ones") == "the-green-ones"
    assert proposed(shipped, "rule", "Mut") not in shipped.model.rules
