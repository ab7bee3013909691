"""Conditions that callers ask for: what is wrong is said at once, with the nearest name."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.findings import ChoiceError
from deckwright.game.deck_rules import find_unparsed, parse_where
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from deckwright.game.setup import Setup
from deckwright.game.setup_checks import parse_user_where
from support import card, write_game


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    found = load_setup(GameFolder(write_game(tmp_path, [card("A1", "Ant")])), [])
    assert found is not None
    return found


@pytest.mark.parametrize(
    "text",
    [
        "level=1", " level = 1 ", "costs<5 and level!=2 or name='Old Ant'", "level in 1,2",
        "level=''", "kind=unit", "restriction=banned", "faction_id={{ deck.faction_id }}",
    ],
)  # fmt: skip
def test_conditions_are_read_as_those_of_limits(setup: Setup, text: str) -> None:
    assert parse_user_where(text, setup) == parse_where(text)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("cost>5", "`cost>5` names the field `cost`, which no kind of card has",
         "did you mean `costs`?"),
        ("level=9", "`level` is never `9`", "use one of `1`, `2`"),
        ("level not in 1,9", "`level` is never `9`", "use one of `1`, `2`"),
        ("costs={{ mian.costs }}",
         "`mian.costs` refers to the zone `mian`, which game.xml does not define",
         "did you mean `main`?"),
    ],
)  # fmt: skip
def test_what_there_is_not_is_told_with_what_there_is(
    setup: Setup, text: str, message: str, hint: str
) -> None:
    with pytest.raises(ChoiceError) as told:
        parse_user_where(text, setup)
    assert told.value.message == message
    assert str(told.value.hint).startswith(hint)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("level=1", ""), ("level=1 and costs<5", ""), ("level=1 an costs<5", "an costs<5"),
        ("level=1 and", "and"), ("level==1", "level==1"), ("and level=1", "and level=1"),
        ("level", "level"), ("name='Old", "name='Old"), ("costs={{ deck }}", "costs={{ deck }}"),
        ("level=1 costs<5", "costs<5"), ("", ""),
    ],
)  # fmt: skip
def test_it_is_told_where_a_text_stops_to_be_conditions(text: str, rest: str) -> None:
    assert find_unparsed(text) == rest
