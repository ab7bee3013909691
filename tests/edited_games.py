"""A small game, and random edits of its files, for what is remembered of earlier runs."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from support import GAME, card, line, token_rule, uses, write_game

NAMES = ["Ant", "Queen", "Unfittably long name of an ant that no face has room for" * 9, "猫", "*x"]
FACE = """<face>
  <rect y="60" width="65" height="30" fill="{{ card.faction.color }}"/>
  <text x="5" y="5" width="55" height="20">{{ card.name }}</text>
  <first>
    <text x="5" y="30" width="55" height="9">{{ card.flavor }}</text>
    <g/>
  </first>
  <image href="{{ card.image }}" x="5" y="40" width="9" height="9"/>
  <text x="5" y="50" width="55" height="7" each="rule in card.rules">{{ rule.name }}</text>
</face>
"""
BACK = '<face><text x="5" y="5" width="55" height="9">{{ faction.name }}</text></face>'
DECK = [line("A1", 3), line("A2"), line("A3"), line("A4", 2)]
REFERENCE = (
    '<pages><block each="rule in rules"><text>{{ rule.name }}: {{ rule.effect }}</text></block>'
    "</pages>"
)
BOOK = """<rulebook title="Rules"><chapter title="One">
  <p>See below.</p>
  <figure><card faction="AA" id="A2"/><drawing template="pair.xml" width="40" height="20"/></figure>
</chapter><overview title="Cards"/></rulebook>"""
PAIR = """<face>
  <text width="40" height="20">
    {{ cards['A1'].name }}, {{ cards['B1'].costs }}
  </text>
</face>"""


def write_edited_game(folder: Path) -> None:
    """Write a game with two factions, a deck, backs, a style and a rulebook."""
    cards = [card(f"A{n}", f"Ant {n}", "AA", uses("call"), flavor="Busy.") for n in range(1, 5)]
    cards += [card(f"B{n}", f"Bee {n}", "BB", image="a.png") for n in range(1, 4)]
    write_game(
        folder,
        cards,
        decks={"hill": DECK},
        rules=[token_rule("call", "Worker")],
        face=FACE,
        reference=REFERENCE,
    )
    text = (folder / "xml/game.xml").read_text("utf-8")
    assert GAME.splitlines()[1] in text
    text = text.replace('face="card.xml">', 'face="card.xml" back="back.xml">')
    text = text.replace(
        '<field name="image" type="image" optional="true"/>',
        '<field name="image" type="image" optional="true"/>'
        '<field name="flavor" type="text" optional="true"/>',
    )
    (folder / "xml/game.xml").write_text(text, "utf-8")
    (folder / "templates/back.xml").write_text(BACK, "utf-8")
    (folder / "templates/pair.xml").write_text(PAIR, "utf-8")
    (folder / "templates/dark").mkdir()
    dark = FACE.replace("<rect y", '<rect width="65" height="90" fill="#eee"/><rect y')
    (folder / "templates/dark/card.xml").write_text(dark, "utf-8")
    (folder / "xml/rulebook.xml").write_text(BOOK, "utf-8")
    (folder / "img").mkdir()
    Image.new("RGB", (300, 300), "teal").save(folder / "img/a.png")


def edit_number(text: str, any_of: random.Random) -> str:
    return text.replace('costs="', f'costs="{any_of.randrange(1, 9)}', 1)


def rename(text: str, any_of: random.Random) -> str:
    old = any_of.choice(["Ant 1", "Ant 2", "Bee 1", "Bee 3"])
    return text.replace(f'name="{old}"', f'name="{any_of.choice(NAMES)}"')


def write_flavor(text: str, any_of: random.Random) -> str:
    return text.replace("Busy.", "Busy, and so on and on. " * any_of.choice([1, 2, 30]), 1)


def delete_card(text: str, any_of: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[:2] + lines[3:]) if len(lines) > 5 and any_of.random() < 0.5 else text


def move_cards(text: str, any_of: random.Random) -> str:
    return text.replace("<data>\n", "<data>\n" + "\n" * any_of.randrange(4))


def use_other_picture(text: str, any_of: random.Random) -> str:
    return text.replace('image="a.png"', f'image="{any_of.choice(["b.png", "a.png"])}"', 1)


def edit_effect(text: str, any_of: random.Random) -> str:
    return text.replace("Create a Worker.", f"Create {any_of.choice(['猫', 'a Worker'])}.")


def edit_template(text: str, any_of: random.Random) -> str:
    return text.replace('x="5" y="5"', f'x="{any_of.choice([0, 5, 70])}" y="5"')


def break_template(text: str, any_of: random.Random) -> str:
    return text.replace("card.name", any_of.choice(["card.nam", "card.name"]))


EDITS: list[tuple[str, Callable[[str, random.Random], str]]] = [
    *[(f"xml/Factions/{faction}_cards.xml", edit) for faction in ("AA", "BB")
      for edit in (edit_number, rename, write_flavor, delete_card, move_cards, use_other_picture)],
    ("xml/rules.xml", edit_effect),
    ("templates/card.xml", edit_template),
    ("templates/dark/card.xml", edit_template),
    ("templates/dark/card.xml", break_template),
    ("templates/back.xml", edit_template),
]  # fmt: skip


def edit_at_random(folder: Path, any_of: random.Random) -> None:
    """Edit a file of the game, and perhaps a picture."""
    name, edit = any_of.choice(EDITS)
    path = folder / name
    path.write_text(edit(path.read_text("utf-8"), any_of), "utf-8")
    picture = folder / any_of.choice(["img/a.png", "img/b.png"])
    match any_of.randrange(8):
        case 0:
            picture.write_bytes(b"no picture")
        case 1:
            picture.unlink(missing_ok=True)
        case 2:
            Image.new("RGB", (any_of.choice([9, 300]), 300), "red").save(picture)
