"""A game whose decks are played on a table: rows, a sum over them, markers and tokens."""

from __future__ import annotations

from pathlib import Path

from deck_game import write_deck_game
from support import data, token_rule, uses

TABLETOP = """<markers face="marker.xml">
    <marker id="wound" name="Wound" label="-1" color="#8f1f22" count="9" size="13"/>
    <marker id="coin" name="Coin" color="#c9a227" shape="circle" size="16">
      <value number="1" count="5"/>
      <value number="5" count="5"/>
    </marker>
  </markers>
  <tabletop>
    <area id="weather" name="Sky" shared="true"/>
    <area id="front" name="Front"/>
    <area id="back" name="Back"/>
    <area id="discard" name="Grave"/>
    <sum name="Costs" value="{{ costs - markers['wound'] + markers['coin'] }}"/>
  </tabletop>
"""


def write_table_game(folder: Path) -> Path:
    """Write the game of `deck_game`, with a table; return `folder`."""
    write_deck_game(folder)
    path = folder / "xml" / "game.xml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("  <sheet ", f"  {TABLETOP}  <sheet "), encoding="utf-8")
    (folder / "xml" / "rules.xml").write_text(data(token_rule("call", "Wolf")), encoding="utf-8")
    cards = folder / "xml" / "Factions" / "AA_cards.xml"
    text = cards.read_text(encoding="utf-8")
    ant = text[text.index('<card id="A1"') : text.index("</card>")]
    cards.write_text(text.replace(ant, ant + uses("call"), 1), encoding="utf-8")
    marker = '<face><text width="{{ marker.width }}" height="8">{{ marker.label }}</text></face>'
    (folder / "templates" / "marker.xml").write_text(marker, encoding="utf-8")
    return folder
