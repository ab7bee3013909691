"""Cards that beat others: each part of the definition, by cards made for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conftest import edit
from deckwright.checks.loading import LimitOptions
from deckwright.decks.balance.model import survey
from deckwright.game.deck_rules import parse_measure
from support import card, load_all, uses, write_game

RULE = '<rule id="RULE" type="passive" effect="Something happens."><label GEN="Rule"/></rule>'
RULES = [RULE.replace("RULE", name) for name in ("fly", "dig")]
PLAIN: dict[str, Any] = {"level": 1, "actions": 2, "costs": 3}
"""What the card has that is to be beaten."""


def beaten(
    folder: Path, *cards: str, limits: str = "", fields: str = "", worth: str = "actions"
) -> list[tuple[str, str]]:
    """Return which cards of faction AA beat which, by their ids."""
    write_game(folder, [*cards], rules=RULES, limits=limits)
    field = '<field name="actions" type="integer"/>\n    <field name="costs" type="integer"/>'
    edit(folder / "xml" / "game.xml", field, f"{field}\n    {fields}")
    game = load_all(folder)
    names = {f.name for kind in game.setup.kinds.values() for f in kind.fields if f.numeric}
    balance = survey(
        game, LimitOptions(), parse_measure(worth, names), parse_measure("costs", names)
    )
    return [
        (each.better.id, each.worse.id)
        for look in balance.factions
        if look.faction.id == "AA"
        for each in look.dominances
    ]


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ({}, []),
        ({"actions": 3}, [("A2", "A1")]),
        ({"actions": 1}, [("A1", "A2")]),
        ({"costs": 2}, [("A2", "A1")]),
        ({"actions": 3, "costs": 2}, [("A2", "A1")]),
        ({"actions": 3, "costs": 4}, []),
        ({"actions": 1, "costs": 2}, []),
        ({"level": 2}, []),
        ({"level": 2, "actions": 3}, []),
    ],
)
def test_a_card_is_beaten_by_more_for_no_more(
    tmp_path: Path, other: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    cards = [card("A1", "Ant", **PLAIN), card("A2", "Queen", **{**PLAIN, **other})]
    assert beaten(tmp_path, *cards) == found


def test_what_costs_is_better_where_there_is_less_of_it(tmp_path: Path) -> None:
    fields = '<field name="weight" type="integer" optional="true"/>'
    cards = [card("A1", "Ant", **PLAIN, weight=4), card("A2", "Queen", **PLAIN, weight=5)]
    assert beaten(tmp_path, *cards, fields=fields) == [("A2", "A1")]
    light = '<limit id="load" name="load" zone="main" sum="weight" max="9"/>'
    assert beaten(tmp_path, *cards, fields=fields, limits=light) == [("A1", "A2")]
    assert beaten(tmp_path, *cards, fields=fields, worth="actions - weight") == [("A1", "A2")]
    both = '<limit id="load" name="load" zone="main" sum="weight" min="1" max="9"/>'
    assert beaten(tmp_path, *cards, fields=fields, limits=both) == []
    lacking = [cards[0], card("A2", "Queen", **PLAIN)]
    assert beaten(tmp_path, *lacking, fields=fields) == []


def test_rules_and_lists_count_if_the_better_has_all_of_them(tmp_path: Path) -> None:
    none, fly, both = (
        card(f"A{n}", name, "AA", uses(*rules), **PLAIN)
        for n, name, rules in ((1, "Ant", ()), (2, "Wasp", ("fly",)), (3, "Mole", ("fly", "dig")))
    )
    assert beaten(tmp_path, none, fly, both) == [("A2", "A1"), ("A3", "A1"), ("A3", "A2")]
    dig = card("A4", "Worm", "AA", uses("dig"), **{**PLAIN, "actions": 9})
    assert beaten(tmp_path, fly, dig) == []
    words = '<field name="words" type="list" of="text" optional="true"/>'
    one, two = card("A1", "Ant", **PLAIN, words="a"), card("A2", "Queen", **PLAIN, words="b,a")
    assert beaten(tmp_path, one, two, fields=words) == [("A2", "A1")]
    turned = card("A2", "Queen", **PLAIN, words="b,a"), card("A3", "Bug", **PLAIN, words="a,b")
    assert beaten(tmp_path, *turned, fields=words) == []


def test_texts_must_be_alike_if_any_two_cards_share_one(tmp_path: Path) -> None:
    fields = '<field name="class" type="text" optional="true"/>'
    kinds = ["soldier", "hero", "bard"]
    cards = [
        card(f"A{n}", f"Ant {n}", **{**PLAIN, "actions": n, "class": kind})
        for n, kind in enumerate(kinds, 1)
    ]
    assert beaten(tmp_path, *cards[:2], fields=fields) == [("A2", "A1")]
    alike = card("A4", "Ant 4", **{**PLAIN, "actions": 0, "class": "hero"})
    assert beaten(tmp_path, *cards, alike, fields=fields) == [("A2", "A4")]


GOLD = """<limit id="gold" name="gold" zone="main" where="level=2" max="{most}"/>
    <limit id="low" name="low" zone="main" where="level=1" per="name" max="{low}"/>
    <limit id="high" name="high" zone="main" where="level=2" per="name" max="{high}"/>"""


SOME = '<limit id="low" name="low" zone="main" where="level=1" max="9"/>'


@pytest.mark.parametrize(
    ("limits", "found"),
    [
        # A copy of the high one counts where the low one does not.
        (GOLD.format(most=3, low=4, high=1), []),
        # There may be fewer of the high one.
        (GOLD.format(most=3, low=4, high=1).partition("\n")[2], []),
        # There may be as many: three of either.
        (GOLD.format(most=3, low=3, high=3).partition("\n")[2], [("A2", "A1")]),
        (SOME + '<limit id="n" name="n" zone="main" per="name" max="9"/>', [("A2", "A1")]),
        (SOME + '<limit id="w" name="w" zone="main" where="level=2" max="1" severity="warning"/>',
         [("A2", "A1")]),
        (SOME + '<limit id="s" name="s" zone="side" where="level=2" max="0"/>', [("A2", "A1")]),
        ('<limit id="least" name="least" zone="main" where="level=1" min="2"/>', []),
        ('<limit id="just" name="just" zone="main" where="level=1" exactly="2"/>', []),
        ('<limit id="kinds" name="kinds" zone="main" where="level=2" distinct="name" max="9"/>',
         []),
    ],
)  # fmt: skip
def test_limits_say_what_levels_are_worth(
    tmp_path: Path, limits: str, found: list[tuple[str, str]]
) -> None:
    """The second card has more of everything, and a level that limits ask for."""
    high = card("A2", "Queen", **{**PLAIN, "actions": 3, "level": 2})
    assert beaten(tmp_path, card("A1", "Ant", **PLAIN), high, limits=limits) == found


def test_a_limit_on_each_name_or_value_wants_more_than_room(tmp_path: Path) -> None:
    cards = [card("A1", "Ant", **PLAIN), card("A2", "Queen", **{**PLAIN, "actions": 3})]
    least = '<limit id="l" name="l" zone="main" per="name" min="2" max="4"/>'
    assert beaten(tmp_path, *cards, limits=least) == []
    high = card("A2", "Queen", **{**PLAIN, "actions": 3, "level": 2})
    kinds = '<limit id="l" name="l" zone="main" where="level=2" distinct="costs" max="9"/>'
    assert beaten(tmp_path, cards[0], high, limits=kinds) == []


def test_a_high_card_can_be_beaten_by_a_low_one(tmp_path: Path) -> None:
    limits = GOLD.format(most=3, low=4, high=1)
    high = card("A2", "Queen", **{**PLAIN, "level": 2})
    low = card("A1", "Ant", **{**PLAIN, "actions": 3})
    assert beaten(tmp_path, low, high, limits=limits) == [("A1", "A2")]


def test_a_place_that_others_share_is_not_free(tmp_path: Path) -> None:
    """The better card would be one of two with nine actions, of which there may be three copies."""
    limits = '<limit id="alike" name="alike" zone="main" per="actions" max="3"/>'
    cards = [card("A1", "Ant", **PLAIN), card("A2", "Queen", **{**PLAIN, "actions": 9})]
    assert beaten(tmp_path, *cards, limits=limits) == [("A2", "A1")]
    other = card("A3", "Drone", **{**PLAIN, "actions": 9, "level": 2})
    assert beaten(tmp_path, *cards, other, limits=limits) == []


def test_limits_that_depend_on_the_deck_want_cards_to_be_alike(tmp_path: Path) -> None:
    cards = [
        card("A1", "Ant", **PLAIN),
        card("A2", "Queen", **{**PLAIN, "actions": 3}),
        card("A3", "Drone", **{**PLAIN, "actions": 3, "level": 2}),
    ]
    limit = '<limit id="l" name="l" zone="main" where="level!={{ side.level }}" max="9"/>'
    assert beaten(tmp_path, *cards, limits=limit) == [("A2", "A1")]
    sums = '<limit id="l" name="l" zone="side" min="{{ main.actions }}"/>'
    assert beaten(tmp_path, *cards[:2], limits=sums) == [("A2", "A1")]
    sums = '<limit id="l" name="l" zone="main" min="{{ main.actions }}"/>'
    assert beaten(tmp_path, *cards[:2], limits=sums) == []


def test_what_another_zone_has_does_not_matter(tmp_path: Path) -> None:
    cards = [card("A1", "Ant", **PLAIN), card("A2", "Queen", **{**PLAIN, "actions": 3})]
    limit = '<limit id="l" name="l" zone="main" min="{{ side.actions }}"/>'
    assert beaten(tmp_path, *cards, limits=limit) == [("A2", "A1")]


def test_a_card_that_own_factions_alone_may_have_beats_no_foreign_one(tmp_path: Path) -> None:
    cards = [card("A1", "Ant", **PLAIN), card("B1", "Bee", "BB", **{**PLAIN, "actions": 3})]
    assert beaten(tmp_path, *cards) == [("B1", "A1")]
    limit = '<limit id="own" name="own" zone="main" where="level=1" faction="own"/>'
    assert beaten(tmp_path, *cards, limits=limit) == []


def test_a_number_that_is_worth_something_and_costs_must_be_the_same(tmp_path: Path) -> None:
    cards = [card("A1", "Ant", **PLAIN), card("A2", "Queen", **{**PLAIN, "costs": 2})]
    assert beaten(tmp_path, *cards) == [("A2", "A1")]
    assert beaten(tmp_path, *cards, worth="actions + costs") == []


def test_cards_of_two_zones_are_not_compared(tmp_path: Path) -> None:
    cards = [card("A1", "Ant", **PLAIN), card("G1", "Guest", "GG", **{**PLAIN, "actions": 9})]
    assert beaten(tmp_path, *cards) == []
