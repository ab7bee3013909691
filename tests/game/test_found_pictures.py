"""Pictures are found by what a card is, or else a faction's or a kind's is taken."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import deckwright
from conftest import Run
from deckwright.game.model import Game
from support import card, load_all, write_game

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="4" height="4"/></svg>'
PLAIN = '<field name="image" type="image" optional="true"/>'


def game(folder: Path, field: str, files: str = "") -> Path:
    """Write a game of three cards, whose field for an image is this, with these files."""
    cards = [
        card("A1", "Ant", image="own.svg"),
        card("A2", "Bee/..", level=2),
        card("B1", "Cat", "BB"),
    ]
    image = "<image when='card.image' href='{{ card.image }}' width='9' height='9'/>"
    write_game(folder, cards, face=f"<face>{image}</face>")
    setup = folder / "xml" / "game.xml"
    text = setup.read_text("utf-8")
    assert PLAIN in text
    setup.write_text(text.replace(PLAIN, f'<field name="image" type="image" {field}/>', 1), "utf-8")
    for name in ["own.svg", "sword.svg", *files.split()]:
        (folder / "img" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "img" / name).write_text(SVG, "utf-8")
    return folder


def images(read: Game) -> Mapping[str, object]:
    return {card.id: card.fields["image"] for card in read.cards.values()}


@pytest.mark.parametrize(
    ("field", "files", "expected"),
    [
        ('find="{{ card.id }}.*"', "A2.png B1.svg B1.png", ("own.svg", "A2.png", "B1.svg")),
        ('find="{{card.id}}.*"', "a2.JPG", ("own.svg", "a2.JPG", None)),
        ('find="{{ card.id }}.*"', "A2.txt A2 sub/B1.png", ("own.svg", None, None)),
        ('find="{{ card.faction.id }}/{{ card.id }}.* | {{ card.id }}.png"', "BB/B1.png A2.png",
         ("own.svg", "A2.png", "BB/B1.png")),
        ('find="{{ card.level.id }}.*"', "2.png", ("own.svg", "2.png", None)),
        ('find="{{ card.name }}.*"', "Cat.png", ("own.svg", None, "Cat.png")),
        ('find="../xml/{{ card.id }}.*"', "", ("own.svg", None, None)),
        ('optional="true" default="sword.svg"', "", ("own.svg", "sword.svg", "sword.svg")),
        ('find="{{ card.id }}.*" default="sword.svg"', "A2.png",
         ("own.svg", "A2.png", "sword.svg")),
        ('default="{{ card.faction.id }}.* | sword.svg"', "BB.png",
         ("own.svg", "sword.svg", "BB.png")),
        ('default="{{ card.faction.id }}.*"', "BB.png", ("own.svg", None, "BB.png")),
    ],
)  # fmt: skip
def test_a_card_has_the_first_picture_that_is_there(
    tmp_path: Path, field: str, files: str, expected: tuple[object, ...]
) -> None:
    found = images(load_all(game(tmp_path, field, files)))
    assert tuple(found.values()) == expected


def test_one_finding_names_all_cards_without_a_picture(tmp_path: Path, run: Run) -> None:
    folder = game(tmp_path, 'find="{{ card.id }}.*" default="sword.svg"')
    said = run("check", "--game", str(folder), "--select", "R").stderr
    assert said.count("R033") == 1
    assert "2 of 3 `card` have no image yet: `A2`, `B1`" in said
    assert "R020" not in said  # what stands in for a picture is no picture of theirs
    (folder / "img" / "B1.svg").write_text(SVG, "utf-8")
    said = run("check", "--game", str(folder), "--select", "R").stderr
    assert "1 of 3 `card` has no image yet: `A2`" in said


@pytest.mark.parametrize(
    ("field", "says"),
    [
        ('find="{{ card.ids }}.*"', "uses `card.ids`"),
        ('find="{{ card.level }}.*"', "uses `card.level`"),
        ('default="{{ card.id|lower }}.*"', "uses `{{ card.id|lower }}`"),
        ('find="{{ card.id }.*"', "uses `{{`"),
    ],
)
def test_what_no_card_has_cannot_be_asked_for(
    tmp_path: Path, run: Run, field: str, says: str
) -> None:
    result = run("check", "--game", str(game(tmp_path, field)))
    assert "G001" in result.stderr
    assert says in result.stderr


def test_an_open_game_sees_pictures_come_and_go(tmp_path: Path) -> None:
    opened = deckwright.open_game(game(tmp_path, 'find="{{ card.id }}.*"'), keep=True)
    before = opened.card("B1").face().svg()
    (tmp_path / "img" / "B1.svg").write_text(SVG, "utf-8")
    opened.reload()
    shown = opened.card("B1").face().svg()
    assert shown != before
    (tmp_path / "img" / "B1.svg").unlink()
    opened.reload()
    assert opened.card("B1").face().svg() == before
