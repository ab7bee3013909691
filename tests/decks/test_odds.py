"""Exact odds: by hand, by known values, and against all that could happen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckwright.base.findings import ChoiceError
from deckwright.decks.odds import Odds, compute_odds, count_choices, iterate_choices, iterate_draws
from deckwright.game.deck_rules import Opening

ONE, OTHER = (1,), (0,)


def opening(hand: int, redraws: int = 0, mulligans: int = 0, draws: int = 0) -> Opening:
    return Opening(hand, None, redraws, mulligans, draws)


def of_one(wanted: int, others: int, at_least: int, opening: Opening, turn: int = 0) -> Odds:
    return compute_odds({ONE: wanted, OTHER: others}, (at_least,), opening, turn)


def subsets(cards: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    for number in range(most + 1):
        yield from combinations(cards, number)


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def tried(
    cards: Sequence[tuple[int, ...]], at_least: tuple[int, ...], opening: Opening, turn: int
) -> Fraction:
    """Return the chance found by going through each hand, each decision and each draw."""
    every = range(len(cards))
    hand_size = min(opening.hand, len(cards))

    def enough(held: Sequence[int]) -> Fraction:
        sums = [sum(cards[card][group] for card in held) for group in range(len(at_least))]
        return Fraction(all(n >= least for n, least in zip(sums, at_least, strict=True)))

    def drawn_later(held: Sequence[int]) -> Fraction:
        pile = [card for card in every if card not in held]
        number = min(opening.draws * turn, len(pile))
        return mean([enough((*held, *drawn)) for drawn in combinations(pile, number)])

    def kept(hand: tuple[int, ...]) -> Fraction:
        pile = [card for card in every if card not in hand]
        results = []
        for laid in subsets(hand, min(opening.redraws, len(hand), len(pile))):
            rest = [card for card in hand if card not in laid]
            new = combinations(pile, len(laid))
            results.append(mean([drawn_later((*rest, *drawn)) for drawn in new]))
        return max(results)

    values = [kept(hand) for hand in combinations(every, hand_size)]
    chance = mean(values)
    for _ in range(opening.mulligans):
        chance = mean([max(value, chance) for value in values])
    return chance


openings = st.builds(
    Opening,
    hand=st.integers(0, 4),
    zone=st.none(),
    redraws=st.integers(0, 3),
    mulligans=st.integers(0, 2),
    draws=st.integers(0, 2),
)


@settings(max_examples=60)
@given(
    cards=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=6),
    at_least=st.tuples(st.integers(0, 2), st.integers(0, 2)),
    opening=openings,
    turn=st.integers(0, 1),
)
def test_two_groups_are_as_likely_as_in_all_that_can_happen(
    cards: list[tuple[int, int]], at_least: tuple[int, int], opening: Opening, turn: int
) -> None:
    groups: dict[tuple[int, ...], int] = {kind: cards.count(kind) for kind in cards}
    found = compute_odds(groups, at_least, opening, turn)
    assert found.chance == tried(cards, at_least, opening, turn)
    assert [sum(shares) for shares in found.numbers] == [1, 1]


@settings(max_examples=30)
@given(
    wanted=st.integers(0, 5), others=st.integers(0, 3), at_least=st.integers(0, 3), opening=openings
)
def test_one_group_is_as_likely_as_in_all_that_can_happen(
    wanted: int, others: int, at_least: int, opening: Opening
) -> None:
    cards = [ONE] * wanted + [OTHER] * others
    found = of_one(wanted, others, at_least, opening)
    assert found.chance == tried(cards, (at_least,), opening, 0)
    if at_least < len(found.numbers[0]):
        assert found.chance == sum(found.numbers[0][at_least:])


def test_three_groups_are_as_likely_as_in_all_that_can_happen() -> None:
    cards = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 0, 0), (0, 1, 1)]
    redrawn = opening(3, redraws=2, mulligans=1)
    found = compute_odds(dict.fromkeys(cards, 1), (1, 1, 1), redrawn)
    assert found.chance == tried(cards, (1, 1, 1), redrawn, 0)


def test_known_values() -> None:
    # An ace among the 5 cards of a hand of poker; at least one land among 7 of 60 cards, 24 lands.
    assert of_one(4, 48, 1, opening(5)).chance == 1 - Fraction(comb(48, 5), comb(52, 5))
    lands = of_one(24, 36, 2, opening(7))
    assert float(lands.chance) == pytest.approx(0.857, abs=0.0005)
    assert lands.expected == (Fraction(7 * 24, 60),)
    assert lands.numbers[0][0] == Fraction(comb(36, 7), comb(60, 7))


def test_a_redraw_is_reckoned_as_by_hand() -> None:
    # One of 4 cards, a hand of 2, one redraw: it is in hand in 1 of 2 cases; else one of the two
    # in the pile is drawn instead of one that is not wanted.
    assert of_one(1, 3, 1, opening(2, redraws=1)).chance == Fraction(1, 2) + Fraction(1, 4)
    # What is laid aside comes back: the next draw is from 3 cards, not from 2.
    both = of_one(1, 4, 1, opening(2, redraws=1, draws=1), turn=1).chance
    assert both == Fraction(2, 5) + Fraction(3, 5) * (
        Fraction(1, 3) + Fraction(2, 3) * Fraction(1, 3)
    )


def test_a_wanted_card_is_laid_aside_where_that_is_best() -> None:
    # One card each of A, B, and a single one of both: with one card, both can only be the last.
    groups: dict[tuple[int, ...], int] = {(1, 0): 1, (0, 1): 1, (1, 1): 1}
    assert compute_odds(groups, (1, 1), opening(1)).chance == Fraction(1, 3)
    redrawn = compute_odds(groups, (1, 1), opening(1, redraws=1))
    assert redrawn.chance == Fraction(1, 3) + Fraction(2, 3) * Fraction(1, 2)


def test_mulligans_are_taken_when_the_hand_lacks_what_is_asked() -> None:
    once = of_one(4, 36, 1, opening(7)).chance
    for number in range(1, 4):
        again = of_one(4, 36, 1, opening(7, mulligans=number)).chance
        assert again == 1 - (1 - once) ** (number + 1)


def test_asked_for_nothing_a_player_wants_as_many_as_possible() -> None:
    # Of one card, wanted or not, with one redraw from the other three: 1/2, else 2/3.
    found = of_one(2, 2, 0, opening(1, redraws=1))
    assert found.chance == 1
    assert found.expected == (Fraction(1, 2) + Fraction(1, 2) * Fraction(2, 3),)


@given(
    wanted=st.integers(0, 30), others=st.integers(0, 30), opening=openings, turn=st.integers(0, 3)
)
def test_more_helps_and_asking_for_more_is_harder(
    wanted: int, others: int, opening: Opening, turn: int
) -> None:
    found = of_one(wanted, others, 2, opening, turn)
    assert sum(found.numbers[0]) == 1
    assert 0 <= found.chance <= 1
    assert of_one(wanted, others, 3, opening, turn).chance <= found.chance
    assert of_one(wanted + 1, others, 2, opening, turn).chance >= found.chance
    for more in (
        opening._replace(redraws=opening.redraws + 1),
        opening._replace(mulligans=opening.mulligans + 1),
        opening._replace(hand=opening.hand + 1),
    ):
        assert of_one(wanted, others, 2, more, turn).chance >= found.chance
    assert of_one(wanted, others, 2, opening, turn + 1).chance >= found.chance


def test_a_redraw_alone_is_best_for_every_number_at_once() -> None:
    # So one distribution tells them all.
    redrawn = opening(5, redraws=2, draws=1)
    shares = of_one(6, 9, 1, redrawn, 2).numbers[0]
    for at_least in range(len(shares)):
        assert of_one(6, 9, at_least, redrawn, 2).chance == sum(shares[at_least:])


@pytest.mark.parametrize(
    ("wanted", "others", "at_least", "hand", "chance"),
    [(3, 2, 3, 9, 1), (3, 2, 4, 9, 0), (0, 5, 1, 3, 0), (5, 0, 3, 3, 1), (2, 2, 1, 0, 0),
     (0, 0, 1, 3, 0), (0, 0, 0, 3, 1)],
)  # fmt: skip
def test_odd_piles_and_hands(
    wanted: int, others: int, at_least: int, hand: int, chance: int
) -> None:
    for redraws in (0, 2):
        found = of_one(wanted, others, at_least, opening(hand, redraws, 1, 1), 2 * (hand > 0))
        assert found.chance == chance
        assert found.cards == wanted + others
        assert found.groups == (wanted,)


def test_draws_are_as_many_as_there_are_ways() -> None:
    pile = (3, 0, 2, 4)
    for number in range(10):
        assert sum(ways for _, ways in iterate_draws(pile, number)) == comb(9, number)
        assert count_choices(pile, number) == len(list(iterate_choices(pile, number)))
    assert not list(iterate_choices(pile, 10))
    assert count_choices((), 0) == 1
    assert count_choices((), 2) == 0


def test_what_would_take_too_long_is_refused() -> None:
    with pytest.raises(ChoiceError, match="too many possible hands"):
        compute_odds(
            {(1, 0): 99, (0, 1): 99, (1, 1): 99, (0, 0): 99}, (1, 1), opening(60, draws=9), 9
        )
    with pytest.raises(ChoiceError, match="101 mulligans"):
        of_one(3, 3, 1, opening(1, mulligans=101))
