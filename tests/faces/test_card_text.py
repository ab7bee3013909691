"""What programs show of a card beside its picture: lists, numbers with units, other cards."""

from __future__ import annotations

from pathlib import Path

from conftest import edit
from deckwright.base.findings import Report
from deckwright.faces.card_text import card_text
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_game, load_setup
from deckwright.outputs.cockatrice import map_fields

FIELDS = """<field name="words" type="list" optional="true" text="Abilities"/>
    <field name="in" type="list" of="rows" optional="true" text="Where"/>
    <field name="friend" type="card" optional="true" text="Friend"/>
    <field name="weight" type="decimal" default="1" icon="scale" text="Weight"/>
    <field name="level\""""


def test_a_card_says_its_lists_and_names_its_friends(small: Path) -> None:
    folder, report = GameFolder(small), Report()
    edit(folder.game_file, '<field name="level"', FIELDS)
    more = 'id="RW1" words="Swift, *Wet*" in="CLOSE, RANGED" friend="RW2"'
    edit(folder.cards_file("RW"), 'id="RW1"', more)
    setup = load_setup(folder, report)
    assert setup is not None
    game = load_game(folder, setup, report)
    lines = card_text(game, game.cards["RW", "RW1"], "RW").splitlines()
    assert {"Abilities: Swift, Wet", "Where: Bank, Bridge", "Friend: Ferryman"} <= set(lines)
    assert map_fields(setup, None, ()).power[0] == "weight"
