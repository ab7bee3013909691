"""What the fields of kinds may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import edit
from deckwright.base.findings import Report
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_cards, load_setup
from deckwright.game.model import FieldValue

STRENGTH = 'text="Level"/>\n    <field name="strength" type="integer"'


def strength(small: Path, field: str, value: str) -> tuple[list[FieldValue], list[str]]:
    """Return the strength of the first card, where the field and the card say so; and findings."""
    folder, report = GameFolder(small), Report()
    edit(folder.game_file, STRENGTH, f"{STRENGTH} {field}")
    cards = folder.cards_file("RW")
    edit(
        cards,
        'name="Reed Scout" faction_id="RW" level="1" strength="2"',
        f'name="Reed Scout" faction_id="RW" level="1" {value}',
    )
    setup = load_setup(folder, report)
    found = load_cards(cards, setup, report).cards if setup else []
    return [card.fields["strength"] for card in found[:1]], [finding.message for finding in report]


@pytest.mark.parametrize(
    ("value", "number"), [('strength="-5"', -5), ('strength="+3"', 3), ("", -1)]
)
def test_whole_numbers_can_be_below_zero(small: Path, value: str, number: int) -> None:
    bounds = 'min="-5" max="9" default="-1" optional="true"'
    assert strength(small, bounds, value) == ([number], [])


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ('min="-5"', 'strength="-6"', "must be a whole number, at least -5, it is `-6`"),
        ('min="-5" max="-1"', 'strength="0"', "must be a whole number from -5 to -1, it is `0`"),
        ("", 'strength="-1"', "must be a whole number, at least 0, it is `-1`"),
        ('min="3" max="-3"', 'strength="0"', "`min` is 3, more than `max`, which is -3"),
        ('default="-1"', 'strength="0"', "the default `-1` is not a value of the field"),
    ],
)
def test_numbers_keep_to_their_bounds(small: Path, field: str, value: str, said: str) -> None:
    message, *_ = strength(small, field, value)[1]
    assert said in message
