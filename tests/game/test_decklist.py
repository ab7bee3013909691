from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckwright.game.decklist import collect_rules, count_tokens
from deckwright.game.model import Deck, Game
from support import card, line, load_all, load_deck, uses, write_game


def rule(rule_id: str, *tokens: str, cost: int | None = None, labels: str = "") -> str:
    """Return a rule, active if it has a cost; its name is its id unless `labels` says others."""
    kind = "passive" if cost is None else f'active" cost="{cost}'
    label = labels or f'GEN="{rule_id}"'
    inner = "".join(tokens)
    return f'<rule id="{rule_id}" type="{kind}" effect="Effect."><label {label}/>{inner}</rule>'


def token(name: str, actions: int = 0, *rule_ids: str) -> str:
    return f'<token name="{name}" actions="{actions}">{uses(*rule_ids)}</token>'


def game_and_deck(
    folder: Path, cards: list[str], rules: list[str], lines: list[str]
) -> tuple[Game, Deck]:
    write_game(folder, cards, rules=rules, decks={"deck": lines})
    game = load_all(folder)
    return game, load_deck(folder, game, "deck")


def tokens(folder: Path, cards: list[str], rules: list[str], lines: list[str]) -> dict[str, int]:
    """Return how many copies of each token a deck gets."""
    game, deck = game_and_deck(folder, cards, rules, lines)
    counts = count_tokens(game, deck)
    result = {count.token.name: count.copies for count in counts}
    assert len(result) == len(counts), "a token is counted twice"
    return result


@pytest.mark.parametrize(
    ("copies", "actions", "cost", "expected"),
    [
        (1, 0, 1, 5),  # never fewer than the minimum
        (1, 2, 1, 5),
        (2, 3, 1, 6),
        (4, 2, 1, 8),
        (4, 4, 2, 8),
        (3, 8, 4, 6),
        (1, 9, 10, 5),
        (9, 3, 0, 5),  # what costs nothing cannot be counted
    ],
)
def test_as_many_tokens_as_a_rule_can_create(
    tmp_path: Path, copies: int, actions: int, cost: int, expected: int
) -> None:
    cards = [card("A1", "Caller", "AA", uses("call"), actions=actions)]
    rules = [rule("call", token("Wolf"), cost=cost)]
    assert tokens(tmp_path, cards, rules, [line("A1", copies)]) == {"Wolf": expected}


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 9), st.integers(0, 5), st.integers(1, 3))
def test_a_budget_of_whole_uses_gives_copies_times_actions_over_cost(
    tmp_path: Path, copies: int, uses_each: int, cost: int
) -> None:
    actions = uses_each * cost
    cards = [card("A1", "Caller", "AA", uses("call"), actions=actions)]
    rules = [rule("call", token("Wolf"), cost=cost)]
    expected = max(5, copies * actions // cost)
    assert tokens(tmp_path, cards, rules, [line("A1", copies)]) == {"Wolf": expected}


def test_all_cards_with_a_rule_are_added_up(tmp_path: Path) -> None:
    cards = [
        card("A1", "Caller", "AA", uses("call"), actions=2),
        card("A2", "Crier", "AA", uses("call"), actions=3),
        card("A3", "Mute", "AA", actions=9),
    ]
    rules = [rule("call", token("Wolf"), cost=1)]
    lines = [line("A1", 2), line("A2", 1), line("A3", 4), line("A1", 1)]
    assert tokens(tmp_path, cards, rules, lines) == {"Wolf": 9}


def test_a_passive_rule_creates_the_minimum(tmp_path: Path) -> None:
    cards = [card("A1", "Caller", "AA", uses("call"), actions=9)]
    assert tokens(tmp_path, cards, [rule("call", token("Wolf"))], [line("A1", 9)]) == {"Wolf": 5}


def test_a_rule_may_create_two_kinds_of_tokens(tmp_path: Path) -> None:
    cards = [card("A1", "Caller", "AA", uses("call"), actions=3)]
    rules = [rule("call", token("Wolf"), token("Bear"), cost=1)]
    assert tokens(tmp_path, cards, rules, [line("A1", 2)]) == {"Wolf": 6, "Bear": 6}


def test_a_deck_without_such_rules_has_no_tokens(tmp_path: Path) -> None:
    cards = [card("A1", "Mute", "AA", uses("tough"), actions=3)]
    rules = [rule("tough"), rule("call", token("Wolf"), cost=1)]
    assert tokens(tmp_path, cards, rules, [line("A1")]) == {}


def test_tokens_create_tokens(tmp_path: Path) -> None:
    cards = [card("A1", "Caller", "AA", uses("call"), actions=3)]
    rules = [
        rule("call", token("Wolf", 2, "howl"), cost=1),
        rule("howl", token("Pup", 0, "yelp"), cost=1),
        rule("yelp", token("Flea"), cost=1),
    ]
    # 2 callers make 6 wolves, those 12 pups; pups have no actions.
    expected = {"Wolf": 6, "Pup": 12, "Flea": 5}
    assert tokens(tmp_path, cards, rules, [line("A1", 2)]) == expected


@pytest.mark.parametrize("inner", [["call"], ["call", "howl"], ["howl"]])
def test_tokens_that_create_each_other_come_to_an_end(tmp_path: Path, inner: list[str]) -> None:
    cards = [card("A1", "Caller", "AA", uses("call"), actions=3)]
    rules = [
        rule("call", token("Wolf", 5, *inner), cost=1),
        rule("howl", token("Pup", 5, "call", "howl"), cost=1),
    ]
    counts = tokens(tmp_path, cards, rules, [line("A1", 2)])
    assert counts["Wolf"] == 6
    assert set(counts) == {"Wolf", *(["Pup"] if "howl" in inner else [])}


def used(folder: Path, cards: list[str], rules: list[str], lines: list[str]) -> list[str]:
    """Return the rules of a deck, each with all its names."""
    game, deck = game_and_deck(folder, cards, rules, lines)
    return [f"{item.rule.id}: {' / '.join(item.names)}" for item in collect_rules(game, deck)]


def test_each_rule_is_listed_once_however_many_cards_have_it(tmp_path: Path) -> None:
    cards = [
        card("A1", "One", "AA", uses("tough", "quick")),
        card("A2", "Two", "AA", uses("quick", "tough")),
    ]
    rules = [rule("tough"), rule("quick"), rule("unused")]
    lines = [line("A1", 2), line("A2"), line("A1")]
    assert used(tmp_path, cards, rules, lines) == ["quick: quick", "tough: tough"]


def test_a_rule_is_listed_under_all_names_that_the_deck_uses(tmp_path: Path) -> None:
    labels = 'Ants="Hardy" Bees="Stubborn" Guest="Tough"'
    rules = [rule("r1", labels=labels)]
    cards = [
        card("A1", "Ant", "AA", uses("r1")),
        card("B1", "Bee", "BB", uses("r1")),
        card("G1", "Guest", "GG", uses("r1")),
    ]
    ants_and_guests = [line("A1"), line("G1"), line("A1")]
    assert used(tmp_path, cards, rules, ants_and_guests) == ["r1: Hardy / Tough"]
    assert used(tmp_path, cards, rules, [line("B1")]) == ["r1: Stubborn"]


def test_a_race_without_a_name_of_its_own_uses_the_general_one(tmp_path: Path) -> None:
    rules = [rule("r1", labels='GEN="Tough" Bees="Stubborn"')]
    cards = [card("A1", "Ant", "AA", uses("r1")), card("B1", "Bee", "BB", uses("r1"))]
    assert used(tmp_path, cards, rules, [line("A1"), line("B1")]) == ["r1: Tough / Stubborn"]


def test_the_rules_of_tokens_are_listed_too(tmp_path: Path) -> None:
    cards = [card("A1", "Caller", "AA", uses("call"))]
    rules = [
        rule("call", token("Wolf", 0, "howl"), cost=1),
        rule("howl", token("Pup", 0, "yelp"), cost=1),
        rule("yelp"),
        rule("unused"),
    ]
    listed = used(tmp_path, cards, rules, [line("A1")])
    assert listed == ["call: call", "howl: howl", "yelp: yelp"]


def test_a_token_may_have_a_rule_that_has_no_name_for_the_race(tmp_path: Path) -> None:
    cards = [card("A1", "Caller", "AA", uses("call"))]
    rules = [rule("call", token("Wolf", 0, "wild"), cost=1), rule("wild", labels='Bees="Untamed"')]
    assert used(tmp_path, cards, rules, [line("A1")]) == ["call: call", "wild: Untamed"]


def test_rules_are_sorted_by_their_names_as_dictionaries_sort(tmp_path: Path) -> None:
    names = ["Zäh", "Ölig", "Übermut", "anders", "Ohnmacht", "Unheil"]
    rules = [rule(f"r{number}", labels=f'GEN="{name}"') for number, name in enumerate(names)]
    ids = [f"r{number}" for number in range(len(names))]
    cards = [card("A1", "One", "AA", uses(*ids[:5])), card("A2", "Two", "AA", uses(*ids[5:]))]
    listed = used(tmp_path, cards, rules, [line("A1"), line("A2")])
    sorted_names = ["anders", "Ohnmacht", "Ölig", "Übermut", "Unheil", "Zäh"]
    assert [item.partition(": ")[2] for item in listed] == sorted_names
