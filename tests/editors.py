"""A game for tests of the editor, as if written by hand: comments, odd spaces and quotes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from conftest import ROOT
from deckwright import open_game
from deckwright.studio.answers import FolderWriter
from deckwright.studio.editing.editor import Editor
from deckwright.studio.live_game import LiveGame
from deckwright.studio.session import StudioSession
from support import line, token_rule, write_game
from visitors import ORIGIN, authorize, stranger_of

GAMES = [ROOT, *(path.parent for path in sorted(ROOT.glob("examples/*/xml")))]
"""The shipped game and the examples."""
FIELDS = """<field name="text" type="text" optional="true" text="Text"/>
    <field name="sum" type="integer" value="{{ actions + costs }}" text="Sum"/>
    <field name="rare" type="flag"/>
    <field name="tags" type="list" of="levels" optional="true"/>
    <field name="old" type="text" optional="true" ignored="true"/>
    <children tag="bar" plural="bars" max="3">
      <field name="at" type="term" of="levels"/>
      <field name="words" type="text" optional="true"/>
    </children>
    <children tag="rule" plural="rules">"""
CARDS = """<?xml version="1.0" encoding="UTF-8"?>
<!-- The hill. -->
<data>
  <card id='A1' name='Ant &amp; "Son"'  faction_id="AA" level="1"
        actions="2" costs="3" old="x"> <!-- strong -->
    <!-- it carries -->
    <text>Draw <b>two</b> cards.</text>
    <bar at="1" words="low"/> <!-- first -->
    <bar at="2"/>
    <rule id="dig"/>
  </card>

  <card id="A2" name="Queen" faction_id="AA" level="2" actions="0" costs="9" image="a.png"/>
</data>
"""
RULES = [
    '<rule id="dig" type="passive" effect="It digs."><label GEN="Digs"/></rule>',
    token_rule("call", "Larva"),
]


def write_game_to_edit(folder: Path) -> Path:
    """Write the game; return `folder`."""
    decks = {"hill": [line("A1", 3)], "other": [line("A2")]}
    write_game(folder, [], rules=RULES, decks=decks)
    game = folder / "xml" / "game.xml"
    text = game.read_text(encoding="utf-8")
    first = '<children tag="rule" plural="rules">'
    game.write_text(text.replace(first, FIELDS, 1), encoding="utf-8")
    cards_of(folder).write_text(CARDS, encoding="utf-8")
    return folder


def cards_of(folder: Path) -> Path:
    """Return the file of the cards."""
    return folder / "xml" / "Factions" / "AA_cards.xml"


def editor_of(folder: Path) -> Editor:
    """Return an editor for a game."""
    game = open_game(folder)
    return Editor(LiveGame(game), FolderWriter(game.folder))


def session_of(folder: Path, *, read_only: bool = False) -> StudioSession:
    """Return a studio session for a game."""
    return StudioSession(open_game(folder), check=False, read_only=read_only)


def page_of(folder: Path) -> Iterator[TestClient]:
    """Yield an authorized client of a running studio for a game."""
    with stranger_of(session_of(folder)) as client:
        page = authorize(client)
        page.headers["origin"] = ORIGIN
        yield page


def card(card_id: str = "A1") -> dict[str, str]:
    """Return a reference to a card for requests."""
    return {"of": "card", "faction": "AA", "id": card_id}


def form_of(page: TestClient, thing: dict[str, str]) -> dict[str, Any]:
    """Return the form of an entity."""
    answer = page.get("/api/edit/form", params=thing)
    assert answer.status_code == 200, answer.text
    form: dict[str, Any] = answer.json()
    return form


def post_edit(
    page: TestClient, what: str, body: dict[str, Any], status: int = 200
) -> dict[str, Any]:
    """Post a request to preview, save or delete; return the response."""
    answer = page.post(f"/api/edit/{what}", json=body)
    assert answer.status_code == status, answer.text
    data: dict[str, Any] = answer.json()
    return data


def save(page: TestClient, thing: dict[str, str], **body: object) -> dict[str, Any]:
    """Save a draft of the current entity; assert that it succeeds."""
    return post_edit(page, "save", {**thing, "state": form_of(page, thing)["state"], **body})


def field(form: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a field of a form."""
    (match,) = (each for each in form["fields"] if each["name"] == name)
    return dict(match)
