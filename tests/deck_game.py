"""A game for tests of the deck builder."""

from __future__ import annotations

from pathlib import Path

from support import card, line, write_game

_LIMITS = """<opening zone="main" hand="3" redraws="1" mulligans="1" draws="1"/>
    <limit id="size" name="cards" zone="main" min="6"/>
    <limit id="costs" name="costs" zone="main" sum="costs" max="40"/>
    <limit id="copies" name="copies" zone="main" per="name" max="3"/>
    <limit id="side" name="cards" zone="side" max="2"/>
    <format id="standard" name="Standard" default="true"/>
    <format id="large" name="Large"><set limit="size" value="8"/></format>"""


def write_deck_game(folder: Path) -> Path:
    """Write a game with two decks, one of them a card short; return `folder`."""
    cards = [
        card("A1", "Ant", level=1, costs=3),
        card("A2", "Queen Ant", level=2, costs=9),
        card("A3", "Digger", level=1, costs=4),
        card("A4", "Scout", level=1, costs=3),
        card("B1", "Bee", "BB", level=2, costs=5),
        card("G1", "Guest", "GG", level=1, costs=2),
    ]
    decks = {
        "hill": [line("A1", 3), "<!-- they dig -->", line("A3", 2), line("G1")],
        "queens": [line("A1", 2), line("A2", 2), line("A3", 2)],
    }
    write_game(folder, cards, decks=decks, limits=_LIMITS)
    game = folder / "xml" / "game.xml"
    text = game.read_text(encoding="utf-8").replace(' name="Side" only="guests"', ' name="Side"')
    text = text.replace(' name="Main"', ' name="Main" main="true"')
    game.write_text(text, encoding="utf-8")
    for name in decks:
        path = folder / "xml" / "Decks" / f"{name}.xml"
        named = path.read_text(encoding="utf-8").replace('"Deck"', f'"{name.title()}"')
        path.write_text(named, encoding="utf-8")
    return folder
