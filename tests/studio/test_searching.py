"""What may be searched for, in the long form and the short one."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import ROOT
from deckwright import open_game
from deckwright.base.findings import ChoiceError
from deckwright.game.deck_rules import parse_where
from deckwright.game.setup import Setup
from deckwright.studio.answers import LocalizedError
from deckwright.studio.live_game import parse_search
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
        ("LEVEL:High Costs>3", "level=2 and costs>3"),
        ("level in low,High", "level in '1, 2'"),
    ],
)
def test_the_short_form_means_the_long_one(setup: Setup, short: str, long: str) -> None:
    assert parse_search(short, setup) == parse_where(long)


@pytest.mark.parametrize(
    ("printed", "long"),
    [
        ("Stärke>=8", "strength>=8"),
        ("stärke >= 8 Reihen:nahkampf", "strength>=8 and rows=CLOSE"),
        ("Stufe in Silber,Gold or 'Proviant'<5", "level in '2, 3' or costs<5"),
    ],
)
def test_fields_and_terms_may_be_called_as_in_print(printed: str, long: str) -> None:
    assert parse_search(printed, open_game(ROOT).model.setup) == parse_where(long)


def test_what_there_is_is_named_beside_what_there_is_not() -> None:
    with pytest.raises(LocalizedError) as error:
        parse_search("Größe>=8", open_game(ROOT).model.setup)
    field, listed = error.value.arguments
    assert (error.value.message_id, field) == ("search-unknown", "Größe")
    assert {"Stärke", "Proviant", "Reihen"} <= set(listed.split(", "))


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
        ("costs={{ main.costs }}", "refers to a deck"),
    ],
)
def test_what_cannot_be_read_is_told(setup: Setup, text: str, message: str) -> None:
    with pytest.raises(ChoiceError) as error:
        parse_search(text, setup)
    assert message in error.value.message
