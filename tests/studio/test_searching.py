"""What may be searched for, in the long form and the short one."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright import open_game
from deckwright.base.choices import ChoiceError
from deckwright.game.conditions import read_where
from deckwright.game.setup import Setup
from deckwright.studio.searching import sought
from support import write_game


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return open_game(write_game(tmp_path, [])).model.setup


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("level=2", "level=2"),
        ("level:2", "level=2"),
        ("level:2 costs>3", "level=2 and costs>3"),
        ("level:2 and costs >3", "level=2 and costs>3"),
        ("level:2 or costs>3 name:'Old Guard'", "level=2 or costs>3 and name='Old Guard'"),
        ("rule:call", "rules=call"),
        ("rule!=call", "rules!=call"),
        ("level in 1,2 rule:call", "level in 1,2 and rules=call"),
        ("level not in '1, 2'", "level not in '1, 2'"),
        ("  level : 2  ", "level=2"),
        ("name='a: b' level:1", "name='a: b' and level=1"),
    ],
)
def test_the_short_form_means_the_long_one(setup: Setup, short: str, long: str) -> None:
    assert sought(short, setup) == read_where(long)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "`` cannot be read as a condition"),
        ("ant", "`ant` cannot be read as a condition"),
        ("level:2 ant", "`level:2 ant` cannot be read as a condition"),
        ("and level:2", "`and level:2` cannot be read as a condition"),
        ("level:9", "`level` is never `9`"),
        ("colour:red", "names the field `colour`"),
        ("level:2 " * 21, "has more than 20 conditions"),
        ("x" * 501, "a search has at most 500 characters"),
        ("costs in {{ a }}", "cannot be read as a condition"),
        ("costs={{ main.costs }}", "takes something from a deck"),
    ],
)
def test_what_cannot_be_read_is_told(setup: Setup, text: str, message: str) -> None:
    with pytest.raises(ChoiceError) as error:
        sought(text, setup)
    assert message in error.value.message
