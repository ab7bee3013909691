"""Conditions and sums over decimals and lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import edit
from deckwright.base.findings import Report
from deckwright.checks.counting import (
    COMPARISONS,
    DeckRules,
    FieldValues,
    assign_zones,
    card_matches,
    sum_field,
)
from deckwright.checks.limits import check_limits
from deckwright.game.deck_rules import parse_where
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_deck, load_game, load_setup
from deckwright.game.model import Deck, Game

FIELDS = """<field name="weight" type="decimal" default="0.1" unit="kg"/>
    <field name="words" type="list" optional="true"/>
    <field name="level\""""


@pytest.fixture
def game(small: Path) -> tuple[Game, Deck]:
    folder, report = GameFolder(small), Report()
    edit(folder.game_file, '<field name="level"', FIELDS)
    bounds = '<limit id="w" name="kg" zone="main" sum="weight" max="2"/>'
    per = '<limit id="p" name="words" zone="main" per="words" max="2"/>'
    edit(folder.game_file, '<limit id="size"', f'{bounds}{per}<limit id="size"')
    edit(folder.cards_file("RW"), 'id="RW1"', 'id="RW1" weight="0.8" words="Swift, At home"')
    edit(folder.cards_file("RW"), 'id="RW2"', 'id="RW2" words="Swift, Wet, Wet, Wet"')
    setup = load_setup(folder, report)
    assert setup is not None
    deck = load_deck(folder.deck_file("river"), folder, setup, report)
    assert deck is not None
    assert report == []
    return load_game(folder, setup, report), deck


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("weight>0.5", ["RW1"]),
        ("weight=0.8", ["RW1"]),
        ("words=Swift", ["RW1", "RW2"]),
        ("words='At home' and weight<1", ["RW1"]),
        ("words!=Wet and words=Swift", ["RW1"]),
    ],
)
def test_conditions(game: tuple[Game, Deck], where: str, expected: list[str]) -> None:
    cards = game[0].cards.values()
    assert [card.id for card in cards if card_matches(parse_where(where), card)] == expected


@pytest.mark.parametrize("right", [("", "5"), ("5", ""), ("deep", "5", "0")])
def test_what_is_no_number_is_neither_above_nor_below_in_any_order(right: FieldValues) -> None:
    assert COMPARISONS["<"](("1",), right)
    assert COMPARISONS["<"](("", "1"), right)
    assert not COMPARISONS[">="](("", "-1"), right)


def test_decimals_are_added_up_exactly_and_values_of_lists_are_counted_one_by_one(
    game: tuple[Game, Deck],
) -> None:
    report = Report()
    limits = tuple(limit for limit in game[0].setup.limits if limit.id in {"w", "p"})
    check_limits(*game, DeckRules(limits), report)
    lines = assign_zones(*game)
    assert [sum_field("weight", lines[:n]) for n in (3, 5)] == [0.3, 2]
    assert [finding.message for finding in report] == [
        "Main deck: 3 words of `Swift`, at most 2 are allowed"
    ]
