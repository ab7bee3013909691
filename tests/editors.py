"""A game to edit, written by hand: comments, odd spaces and quotes, texts in elements."""

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
    """Return an editor of a game."""
    game = open_game(folder)
    return Editor(LiveGame(game), FolderWriter(game.folder))


def session_of(folder: Path, *, read_only: bool = False) -> StudioSession:
    """Return a studio of a game."""
    return StudioSession(open_game(folder), check=False, read_only=read_only)


def page_of(folder: Path) -> Iterator[TestClient]:
    """Yield the page of a studio of a game, which is running meanwhile."""
    with stranger_of(session_of(folder)) as client:
        page = authorize(client)
        page.headers["origin"] = ORIGIN
        yield page


def card(card_id: str = "A1") -> dict[str, str]:
    """Return a card as requests name it."""
    return {"of": "card", "faction": "AA", "id": card_id}


def form_of(page: TestClient, thing: dict[str, str]) -> dict[str, Any]:
    """Return the form of a thing."""
    answer = page.get("/api/edit/form", params=thing)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def post_edit(
    page: TestClient, what: str, said: dict[str, Any], status: int = 200
) -> dict[str, Any]:
    """Return what is answered to a request to preview, save or delete."""
    answer = page.post(f"/api/edit/{what}", json=said)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def save(page: TestClient, thing: dict[str, str], **said: object) -> dict[str, Any]:
    """Save a draft of a thing as it is now, which must be possible."""
    return post_edit(page, "save", {**thing, "state": form_of(page, thing)["state"], **said})


def field(form: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a field of a form."""
    (found,) = (each for each in form["fields"] if each["name"] == name)
    return dict(found)
