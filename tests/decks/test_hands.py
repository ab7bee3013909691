"""Sample hands: what is drawn, laid aside and left."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckwright.base.findings import ChoiceError
from deckwright.checks.counting import DeckLine, DeckRules
from deckwright.decks.odds import Hand, draw_hand, find_pile, group_cards, resolve_opening
from deckwright.decks.stats import deck_stats
from deckwright.game.deck_rules import Opening
from support import card, line, load_all, load_deck, write_game

CARDS = [card(f"A{number}", f"Ant {number}") for number in range(8)]
DECK = [line(f"A{number}", 1 + number % 3) for number in range(8)]


@pytest.fixture(scope="module")
def pile(tmp_path_factory: pytest.TempPathFactory) -> list[DeckLine]:
    """Eight cards in fifteen copies, and a guest beside them."""
    cards = [*CARDS, card("G1", "Fox", "GG")]
    folder = write_game(tmp_path_factory.mktemp("game"), cards, decks={"one": [*DECK, line("G1")]})
    game = load_all(folder)
    stats = deck_stats(game, load_deck(folder, game, "one"), DeckRules())
    return [*find_pile(stats, resolve_opening(game.setup, hand=5))]


def ids(hand: Hand) -> list[str]:
    return [each.id for each in hand.cards]


def test_a_seed_always_gives_the_same_hand(pile: list[DeckLine]) -> None:
    """These are the hands of every machine and every Python."""
    opening = Opening(5, "main")
    assert ids(draw_hand(pile, opening, 7)) == ["A5", "A5", "A1", "A4", "A3"]
    assert ids(draw_hand(pile, opening, 8)) == ["A3", "A7", "A5", "A4", "A2"]


@given(seed=st.integers(0, 2**53), hand=st.integers(0, 20), turns=st.integers(0, 5),
       mulligans=st.integers(0, 3), aside=st.integers(0, 6))  # fmt: skip
def test_every_copy_is_somewhere_once(
    pile: list[DeckLine], seed: int, hand: int, turns: int, mulligans: int, aside: int
) -> None:
    opening = Opening(hand, "main", redraws=aside, mulligans=3, draws=2)
    before = draw_hand(pile, opening, seed, mulligans=mulligans)
    redraw = ids(before)[:aside]
    after = draw_hand(pile, opening, seed, mulligans=mulligans, redraw=redraw, turns=turns)
    assert len(after.cards) == min(hand, 15)
    assert len(after.aside) == min(len(redraw), 15 - len(before.cards))
    held = Counter(each.id for each in (*after.cards, *(c for t in after.turns for c in t)))
    assert held <= Counter(line.card.id for line in pile for _ in range(line.entry.copies))
    assert held.total() + after.pile_size == 15
    kept = Counter(ids(before)) - Counter(each.id for each in after.aside)
    assert kept <= Counter(ids(after))


def test_the_first_card_is_any_copy_equally_often(pile: list[DeckLine]) -> None:
    first = Counter(draw_hand(pile, Opening(1, "main"), seed).cards[0].id for seed in range(3000))
    for each in pile:
        assert first[each.card.id] == pytest.approx(200 * each.entry.copies, rel=0.2)


def test_what_is_laid_aside_makes_place_for_what_is_drawn_for_it(pile: list[DeckLine]) -> None:
    opening = Opening(5, "main", redraws=2)
    before = draw_hand(pile, opening, 7, turns=0)
    after = draw_hand(pile, opening, 7, redraw=[before.cards[4].name, before.cards[2].id])
    assert [each.id for each in after.aside] == ["A3", "A1"]
    assert [ids(after)[place] for place in (0, 1, 3)] == ["A5", "A5", "A4"]
    assert after.pile_size == 10


def test_what_was_laid_aside_may_come_back(pile: list[DeckLine]) -> None:
    opening = Opening(14, "main", redraws=1, draws=1)
    before = draw_hand(pile, opening, 3)
    after = draw_hand(pile, opening, 3, redraw=[ids(before)[0]], turns=1)
    assert [turn[0].id for turn in after.turns] == [ids(before)[0]]


def test_what_was_laid_aside_is_shuffled_back(pile: list[DeckLine]) -> None:
    single = [each._replace(entry=each.entry._replace(copies=1)) for each in pile]
    opening = Opening(3, "main", redraws=2, draws=1)
    back = 0
    for seed in range(1000):
        names = ids(draw_hand(single, opening, seed))[:2]
        hand = draw_hand(single, opening, seed, redraw=names, turns=1)
        back += hand.turns[0][0].id in names
    assert back == pytest.approx(400, rel=0.15)


def test_a_mulligan_is_another_hand(pile: list[DeckLine]) -> None:
    opening = Opening(5, "main", mulligans=1)
    assert ids(draw_hand(pile, opening, 7)) != ids(draw_hand(pile, opening, 7, mulligans=1))


@pytest.mark.parametrize(("redraw", "mulligans", "said"), [
    (["Ant 9"], 0, "there is no card `Ant 9` in the hand"),
    (["A1"] * 2, 0, "there is no more card `A1` in the hand"),
    (["A1"] * 3, 0, "the game allows 2 redraws, but 3 are requested"),
    ([], 1, "the game allows no mulligan, but 1 is requested"),
])  # fmt: skip
def test_what_the_game_does_not_allow_is_said(
    pile: list[DeckLine], redraw: list[str], mulligans: int, said: str
) -> None:
    with pytest.raises(ChoiceError) as error:
        draw_hand(pile, Opening(5, "main", redraws=2), 7, redraw=redraw, mulligans=mulligans)
    assert error.value.message == said


def test_lines_are_in_the_order_of_the_deck(pile: list[DeckLine]) -> None:
    hand = draw_hand(pile, Opening(15, "main"), 7)
    assert group_cards(hand.cards, pile) == tuple(pile)
