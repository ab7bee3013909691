"""What conflicts is named, nothing else is, and the numbers are the nearest that would do."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from deckwright.checks.counting import DeckRules
from deckwright.checks.limits import select_limits
from deckwright.decks.solver.search import CardConstraint
from deckwright.decks.solver.solving import Conflict, DeckProblem, find_conflict
from support import card, load_all, write_game

CARDS = [
    card("A1", "Worker", costs=2),
    card("A2", "Soldier", costs=5),
    card("A3", "Queen", level=2, costs=9),
    card("B1", "Drone", "BB", costs=1),
    card("G1", "Pilgrim", "GG"),
]
SIZE = '<limit id="size" name="cards" zone="main" min="5"/>'
COSTS = '<limit id="costs" name="costs" zone="main" sum="costs" max="12"/>'
COPIES = '<limit id="copies" name="copies" zone="main" per="name" max="2"/>'
OWN = '<limit id="own" name="faction" zone="main" faction="own"/>'
GUESTS = '<limit id="guests" name="cards" zone="side" exactly="1"/>'
HIGH = '<limit id="high" name="high cards" zone="main" where="level=2" max="3"/>'
ADVICE = '<limit id="advice" name="cards" zone="main" max="4" severity="warning"/>'


def question(folder: Path, *limits: str) -> DeckProblem:
    write_game(folder, CARDS, limits="".join(limits))
    game = load_all(folder)
    return DeckProblem(game, "AA", DeckRules(select_limits(game.setup, "AA", None, {})))


def names(conflict: Conflict) -> list[str]:
    return [each.name for each in conflict.parts]


def changes(conflict: Conflict) -> list[str]:
    return [each.change for each in conflict.parts if each.change]


def wished(asked: DeckProblem, card_id: str, copies: int) -> DeckProblem:
    """Return a question for decks with so many copies of a card."""
    wish = CardConstraint(
        f"include {card_id}={copies}", frozenset({("AA", card_id)}), copies, copies
    )
    return asked._replace(constraints=(*asked.constraints, wish))


def test_three_limits_of_seven_conflict(tmp_path: Path) -> None:
    asked = question(tmp_path, ADVICE, GUESTS, SIZE, COSTS, OWN, HIGH, COPIES)
    conflict = find_conflict(asked)  # 2 × 2 + 2 × 5 + 9 = 23
    assert names(conflict) == ["size", "costs", "own", "copies"]
    assert changes(conflict) == ["size=3", "costs=23", "copies=5"]
    assert str(conflict) == (
        "`size` (at least 5), `costs` (at most 12), `own` (only the deck's own) and `copies` "
        "(at most 2 of each card) cannot all be met; possible with `size` at least 3 or `costs` at "
        "most 23 or `copies` at most 5"
    )


def test_each_of_what_conflicts_is_needed(tmp_path: Path) -> None:
    asked = question(tmp_path, GUESTS, SIZE, COSTS, OWN, HIGH, COPIES)
    ids = names(find_conflict(asked))
    limits = {limit.id: limit for limit in asked.deck_rules.limits}
    for count in range(len(ids) + 1):
        for some in combinations(ids, count):
            kept = DeckRules(tuple(limits[name] for name in some))
            assert asked._replace(deck_rules=kept).impossible == (count == len(ids))
    for each in find_conflict(asked).parts:
        if each.possible is not None:
            changed = (each.possible if name == each.name else limits[name] for name in limits)
            assert not asked._replace(deck_rules=DeckRules(tuple(changed))).impossible


def test_one_limit_alone_may_be_impossible(tmp_path: Path) -> None:
    third = '<limit id="third" name="third" zone="main" where="level=3" min="2"/>'
    conflict = find_conflict(question(tmp_path, SIZE, third, COSTS, OWN))
    assert names(conflict) == ["third"]
    assert changes(conflict) == ["third=0"]
    assert str(conflict) == ("`third` (at least 2) cannot be met; possible with `third` at least 0")


@pytest.mark.parametrize(("number", "possible"), [(9, 4), (0, 1)])
def test_an_exact_number_goes_the_way_that_is_nearer(
    tmp_path: Path, number: int, possible: int
) -> None:
    once = '<limit id="once" name="copies" zone="side" max="4"/>'
    least = '<limit id="least" name="copies" zone="side" min="1"/>'
    exact = f'<limit id="exact" name="cards" zone="side" exactly="{number}"/>'
    conflict = find_conflict(question(tmp_path, once, least, exact))
    assert f"exact={possible}" in changes(conflict)
    assert len(conflict.parts) == 2


def test_a_wish_conflicts_with_limits(tmp_path: Path) -> None:
    asked = question(tmp_path, GUESTS, COSTS, HIGH, COPIES)
    conflict = find_conflict(wished(wished(asked, "A1", 1), "A3", 2))
    assert names(conflict) == ["costs", "include A3=2"]
    assert changes(conflict) == ["costs=20"]
    assert conflict.limits.clash == "`costs` (at most 12) cannot be met"


def test_of_two_conflicts_one_is_told_with_its_own_numbers(tmp_path: Path) -> None:
    third = '<limit id="third" name="third" zone="main" where="level=3" min="2"/>'
    conflict = find_conflict(question(tmp_path, SIZE, third, COPIES, COSTS, OWN))
    assert names(conflict) == ["third"]
    assert changes(conflict) == ["third=0"]
    assert conflict.way == "there are other conflicts; this one is solved with `third` at least 0"


def test_what_takes_too_long_is_not_called_impossible(tmp_path: Path) -> None:
    asked = question(tmp_path, SIZE, COSTS, OWN, COPIES)
    assert asked.impossible
    assert not asked._replace(end=0).impossible
