from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from support import card, write_game

SUM = '<limit id="{}" name="sum" zone="main" sum="costs" {}/>'


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (SUM.format("a", 'max="20"'), "costs"),
        (SUM.format("a", 'min="20"'), None),
        (SUM.format("a", 'max="20" where="costs>2"'), None),
        (SUM.format("a", 'max="20" decks="AA"'), None),
        (SUM.format("a", 'min="2"') + SUM.format("b", 'max="20"'), "costs"),
        ('<limit id="size" name="cards" zone="main" max="20"/>', None),
    ],
)
def test_decks_cost_the_sum_that_a_limit_keeps_low(
    tmp_path: Path, limits: str, expected: str | None
) -> None:
    setup = load_setup(GameFolder(write_game(tmp_path, [card("A1", "Ant")], limits=limits)), [])
    assert setup is not None
    assert (str(setup.cost) if setup.cost else None) == expected
