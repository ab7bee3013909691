"""Which pictures are kept, and how many."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright import Face, open_game
from deckwright.studio.faces import FaceSvgCache
from support import card, write_game


@pytest.fixture
def faces(tmp_path: Path) -> list[Face]:
    names = ("Ant", "Bee", "Cat")
    game = open_game(write_game(tmp_path, [card(f"A{n}", name) for n, name in enumerate(names)]))
    return [each.face() for each in game.cards]


def test_the_last_that_were_asked_for_are_kept(faces: list[Face]) -> None:
    pictures = FaceSvgCache(sum(len(face.svg().encode()) for face in faces) - 1)
    first, second, third = map(pictures.add, faces)
    for name in (first, second, first, third):
        assert pictures.svg(name)
    pictures.retain([])
    assert [name for name in (first, second, third) if pictures.svg(name)] == [first, third]


def test_faces_that_look_the_same_are_one(tmp_path: Path) -> None:
    same = [card("A1", "Ant"), card("A2", "Ant"), card("A3", "Bee")]
    game = open_game(write_game(tmp_path, same))
    pictures = FaceSvgCache()
    names = [pictures.add(each.face()) for each in game.cards]
    assert names[0] == names[1] != names[2]
