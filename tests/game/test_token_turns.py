"""How many tokens a deck gets where the game counts turns."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT, Run, edit
from deckwright.game.decklist import TokenSource, count_tokens, max_created
from support import card, line, load_all, load_deck, uses, write_game


def rule(rule_id: str, *tokens: str, cost: int | None = None) -> str:
    kind = "passive" if cost is None else f'active" cost="{cost}'
    inner = "".join(tokens)
    label = f'<label GEN="{rule_id}"/>'
    return f'<rule id="{rule_id}" type="{kind}" effect="Effect.">{label}{inner}</rule>'


def token(name: str) -> str:
    return f'<token name="{name}" actions="0"/>'


def in_turns(folder: Path, turns: int, cards: list[str], rules: list[str], *lines: str) -> int:
    """Return how many of the one token of a deck are printed where turns are counted."""
    write_game(folder, cards, rules=rules, decks={"deck": list(lines)})
    edit(folder / "xml" / "game.xml", 'minimum="5"', f'minimum="0" turns="{turns}"')
    game = load_all(folder)
    (count,) = count_tokens(game, load_deck(folder, game, "deck"))
    return count.copies


CALL = rule("call", token("Wolf"), cost=1)
REFILL = rule("refill").replace("type=", 'refills="2" type=')
HELP = rule("help", cost=1).replace("type=", 'adds="1" type=')
WOLF = card("A1", "Wild Wolf", "AA", uses("call", "refill"), actions=1)


@pytest.mark.parametrize(
    ("turns", "copies", "expected"),
    [(1, 4, 1), (2, 4, 3), (3, 4, 6), (4, 4, 10), (5, 4, 14), (5, 1, 5), (3, 9, 6)],
)
def test_a_card_that_refills_creates_a_token_each_turn(
    tmp_path: Path, turns: int, copies: int, expected: int
) -> None:
    # A wolf is played each turn, and every one in play creates a token.
    assert in_turns(tmp_path, turns, [WOLF], [CALL, REFILL], line("A1", copies)) == expected


@pytest.mark.parametrize(
    ("actions", "cost", "turns", "expected"),
    [
        (3, 2, 4, 4),  # 3 → 1, 3 → 1, …
        (1, 2, 4, 0),  # it never has two
        (4, 1, 3, 8),  # 4, then 2 each turn
        (9, 4, 3, 3),  # 9 → 1, 3, 5 → 1
    ],
)
def test_no_more_comes_back_than_is_refilled_and_printed(
    tmp_path: Path, actions: int, cost: int, turns: int, expected: int
) -> None:
    caller = card("A1", "Caller", "AA", uses("call", "refill"), actions=actions)
    rules = [rule("call", token("Wolf"), cost=cost), REFILL]
    assert in_turns(tmp_path, turns, [caller], rules, line("A1")) == expected


def test_what_others_add_is_spent_on_tokens(tmp_path: Path) -> None:
    caller = card("A1", "Caller", "AA", uses("call"), actions=2)
    helper = card("A2", "Helper", "AA", uses("help"), actions=3)
    lines = [line("A1"), line("A2")]
    assert in_turns(tmp_path, 2, [caller, helper], [CALL, HELP], *lines) == 5
    # In a single turn only the caller is played.
    assert in_turns(tmp_path, 1, [caller, helper], [CALL, HELP], *lines) == 2


def test_nobody_is_helped_before_there_is_one_who_calls(tmp_path: Path) -> None:
    caller = card("A1", "Caller", "AA", uses("call"), actions=1)
    helper = card("A2", "Helper", "AA", uses("help", "refill"), actions=1)
    rules = [CALL, HELP, REFILL]
    # The caller first; then the helper helps in turns 2 to 4.
    assert in_turns(tmp_path, 4, [caller, helper], rules, line("A1"), line("A2")) == 4


def test_only_as_many_cards_as_turns_are_played(tmp_path: Path) -> None:
    caller = card("A1", "Caller", "AA", uses("call"), actions=2)
    assert in_turns(tmp_path, 3, [caller], [CALL], line("A1", 9)) == 6


CARDS_IN_PLAY = st.lists(
    st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=4
)


@given(CARDS_IN_PLAY, st.integers(1, 4))
def test_no_order_of_play_creates_more(plays: list[tuple[bool, int, int]], turns: int) -> None:
    players = [TokenSource(creates, budget, refill, 1, 1) for creates, budget, refill in plays]
    most = 0
    for order in permutations(players, min(turns, len(players))):
        if order[0].creates:
            most = max(most, sum(p.total_gain(turns - number) for number, p in enumerate(order)))
    assert max_created([(player, 1) for player in players], 1, turns) == most


@pytest.mark.parametrize(
    ("deck", "least"),
    [
        ("army_MB_1", {"Wolf": 12, "Keiler": 5}),
        ("army_MG_1", {"Geist": 10, "Zombie": 8}),
        ("army_EW_1", {"Wolf": 10, "Bär": 5}),
        ("army_HH_1", {"Hexenjäger": 9}),
    ],
)
def test_shipped_decks_get_the_tokens_of_five_turns(deck: str, least: dict[str, int]) -> None:
    game = load_all(ROOT)
    assert game.setup.tokens.turns == 5
    counts = {c.token.name: c.copies for c in count_tokens(game, load_deck(ROOT, game, deck))}
    assert counts.keys() == least.keys()
    assert all(counts[name] >= number for name, number in least.items())
    # A deck is not flooded with them either: it has 28 cards.
    assert sum(counts.values()) <= 28


def test_turns_are_a_number_that_a_game_can_have(tmp_path: Path, run: Run) -> None:
    write_game(tmp_path, [WOLF], rules=[CALL, REFILL])
    edit(tmp_path / "xml" / "game.xml", 'minimum="5"', 'minimum="5" turns="0"')
    result = run("check", "-g", str(tmp_path))
    assert " S004: " in result.stderr
    assert "turns" in result.stderr
