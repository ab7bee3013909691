"""A check after a change finds what a check from scratch finds, and lays out little."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

import deckwright
from deckwright.checking import whole_layout
from deckwright.checking.layout_memory import CardContexts
from support import GAME, card, token_rule, uses, write_game

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
Files = dict[str, str]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    cards = [card(f"A{n}", f"Ant {n}", "AA", uses("call"), flavor="Busy.") for n in range(1, 5)]
    cards += [card(f"B{n}", f"Bee {n}", "BB", image="a.png") for n in range(1, 4)]
    write_game(folder, cards, rules=[token_rule("call", "Worker")], face=FACE, reference=REFERENCE)
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
    return folder


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


def find_all(game: Path) -> list[str]:
    return sorted(map(repr, deckwright.open_game(game).check()))


@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_does_not_depend_on_earlier_checks(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    any_of, different = random.Random(seed), set[str]()
    for number in range(12):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "warm"))
        warm = find_all(game)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cold{number}"))
        assert warm == find_all(game), number
        different.add("\n".join(warm))
        name, edit = any_of.choice(EDITS)
        path = game / name
        path.write_text(edit(path.read_text("utf-8"), any_of), "utf-8")
        picture = game / any_of.choice(["img/a.png", "img/b.png"])
        match any_of.randrange(8):
            case 0:
                picture.write_bytes(b"no picture")
            case 1:
                picture.unlink(missing_ok=True)
            case 2:
                Image.new("RGB", (any_of.choice([9, 300]), 300), "red").save(picture)
    assert len(different) > 2


def lay_out(game: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Check a game; return the ids of the cards that are laid out, and the other parts."""
    done: list[str] = []

    def count(name: str, describe: Callable[..., list[str]]) -> None:
        real = getattr(whole_layout, name)

        def counted(*args: object) -> object:
            done.extend(describe(*args))
            return real(*args)

        patch.setattr(whole_layout, name, counted)

    def run_here(work: Callable[[object], None], findings: object, _limits: object) -> None:
        work(findings)

    with monkeypatch.context() as patch:
        patch.setattr("deckwright.checking.layout_check.run_sandboxed", run_here)
        count("_lay_out_batch", lambda _, checks, __: [check.card.id for check in checks])
        count("_lay_out_sheets", lambda *_: ["sheets"])
        count("_lay_out_book", lambda *_: ["book"])
        deckwright.open_game(game).check()
    return [name for name in dict.fromkeys(done) if not name.startswith("Call")]


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_only_what_has_changed_is_laid_out(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ants, bees = (game / f"xml/Factions/{faction}_cards.xml" for faction in ("AA", "BB"))
    monkeypatch.setattr(whole_layout, "_SAMPLE_CARDS", 1)
    assert {"A1", "A2", "A3", "A4", "B1", "B2", "B3", "sheets", "book"} <= {
        *lay_out(game, monkeypatch)
    }
    assert lay_out(game, monkeypatch) == []
    old = 'name="Ant 3" faction_id="AA" level="1" actions="0" costs="0"'
    replace(ants, old, old.replace('costs="0"', 'costs="2"'))
    assert lay_out(game, monkeypatch) == ["A3"]
    replace(ants, 'name="Ant 3"', 'name="Ant Three"')
    assert lay_out(game, monkeypatch) == ["A3", "book"]
    replace(bees, 'costs="0"', 'costs="3"')  # the drawing in the book shows it
    assert lay_out(game, monkeypatch) == ["B1", "book"]
    Image.new("RGB", (200, 200), "red").save(game / "img/a.png")
    assert lay_out(game, monkeypatch) == ["B1", "B2", "B3", "sheets", "book"]
    replace(ants, 'name="Ant Three"', f'name="{NAMES[3]}"')
    lay_out(game, monkeypatch)
    replace(bees, "Bee 2", "Bee Two")
    assert lay_out(game, monkeypatch) == ["A3", "B2", "book"]
    replace(game / "templates/card.xml", 'x="5" y="5"', 'x="6" y="5"')
    assert len(lay_out(game, monkeypatch)) >= 8


def test_untrusted_games_are_laid_out_from_scratch(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(os.environ["XDG_CACHE_HOME"]) / "deckwright" / "layouts"
    deckwright.open_game(game).check(untrusted=True)
    assert not folder.exists()
    replace(game / "xml/Factions/AA_cards.xml", "Ant 3", "Ant Three")
    deckwright.open_game(game).check()
    assert len([*folder.iterdir()]) == 1
    replace(game / "xml/Factions/AA_cards.xml", "Ant Three", "Ant Four")
    monkeypatch.setattr(whole_layout, "MAX_FACES", 3)
    assert "L006" in {each.code.id for each in deckwright.open_game(game).check(untrusted=True)}
    assert "L006" not in {each.code.id for each in deckwright.open_game(game).check()}


def test_contexts_note_the_cards_that_are_used() -> None:
    contexts = CardContexts({"A1": {"name": "Ant"}, "B1": {"name": "Bee"}})
    assert contexts["A1"]["name"] == "Ant"
    assert "C1" not in contexts
    assert contexts.shown == {"A1", "C1"}
    assert len(list(contexts.values())) == 2
    assert contexts.shown == {"A1", "B1", "C1"}
