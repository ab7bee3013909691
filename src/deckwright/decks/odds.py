"""How likely a hand has what is asked for: exact figures, where players decide as well as possible.

Nothing is simulated. All hands are gone through by how many cards of each kind they have, and for
each the best that the player can do is found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.base.numbers import counted
from deckwright.decks.drawing import Cards, draws, grouped, how_many, less
from deckwright.decks.player import Player
from deckwright.game.deck_rules import Opening

MOST_MULLIGANS = 100
"""The most mulligans that are worked out."""
_MOST_WORK = 4_000_000
"""The most combinations of cards that are gone through: some seconds."""


class Odds(NamedTuple):
    """How likely a player has what is asked for, and how many cards.

    Attributes:
        cards: how many cards there are in all.
        groups: how many of them belong to each group.
        chance: that there are enough of every group.
        numbers: for each group, the chances to have 0, 1, 2 … of its cards, up to as many as it
            can be, when the player decides for the best `chance`; of equally good decisions, for
            the one with which more cards of the groups are expected.
    """

    cards: int
    groups: Cards
    chance: Fraction
    numbers: tuple[tuple[Fraction, ...], ...]

    @property
    def expected(self) -> tuple[Fraction, ...]:
        """How many cards of each group there are on average."""
        return tuple(
            sum((number * share for number, share in enumerate(shares)), Fraction(0))
            for shares in self.numbers
        )


def odds(groups: Mapping[Cards, int], at_least: Cards, opening: Opening, turn: int = 0) -> Odds:
    """Return how likely a player has enough cards of each group.

    The player sees the hand and does what is best for that: shuffles all of it back, as long as
    mulligans are left, or keeps it and lays some cards aside. With 0 for each group, the player
    wants as many cards of them as possible.

    Args:
        groups: how many cards belong to which groups: `{(1, 0): 5, (1, 1): 2, (0, 0): 18}` are
            seven cards of the first group, of which two belong to the second one as well, and 18
            others.
        at_least: how many are asked for of each group.
        opening: the hand. If there are fewer cards, the hand is all of them.
        turn: after how many turns with draws; 0 for the opening hand.

    Raises:
        ChoiceError: if there are too many possibilities to go through.
    """
    kinds = sorted({*groups, tuple(0 for _ in at_least)})
    pile = tuple(groups.get(kind, 0) for kind in kinds)
    hand = min(opening.hand, sum(pile))
    rest = sum(pile) - hand
    redraws, later = min(opening.redraws, hand, rest), min(opening.draws * turn, rest)
    if opening.mulligans > MOST_MULLIGANS:
        message = f"odds with {counted(opening.mulligans, 'mulligan')} are not worked out"
        raise ChoiceError(message, f"ask for at most {MOST_MULLIGANS}")
    if _work(pile, kinds, hand, redraws, later) > _MOST_WORK:
        raise ChoiceError(
            "there are too many possible hands to go through all of them",
            "ask for fewer groups, cards or turns",
        )
    player = Player(kinds, at_least, rest, redraws, later)
    hands = [(ways, player.best(held, less(pile, held))) for held, ways in draws(pile, hand)]
    all_ways = comb(sum(pile), hand)
    outcome, whole, factor = player.together(hands), player.whole * all_ways, 1
    for _ in range(opening.mulligans):
        factor *= all_ways
        kept = [(ways, each.times(factor)) for ways, each in hands]
        outcome = player.together(
            (ways, each if each.worth >= outcome.worth else outcome) for ways, each in kept
        )
        whole *= all_ways
    numbers = _by_group(outcome.numbers, len(at_least), whole)
    return Odds(sum(pile), grouped(pile, kinds), Fraction(outcome.chance, whole), numbers)


def _by_group(
    numbers: Mapping[Cards, int], groups: int, whole: int
) -> tuple[tuple[Fraction, ...], ...]:
    """Return how likely there are 0, 1, 2 … cards of each group by itself."""
    by_group = []
    for group in range(groups):
        shares = [0] * (max(counts[group] for counts in numbers) + 1)
        for counts, share in numbers.items():
            shares[counts[group]] += share
        by_group.append(tuple(Fraction(share, whole) for share in shares))
    return tuple(by_group)


def _work(pile: Cards, kinds: Sequence[Cards], hand: int, redraws: int, later: int) -> int:
    """Return about how many combinations of cards are gone through."""
    some = tuple(n for n, kind in zip(pile, kinds, strict=True) if any(kind) and not all(kind))
    choices = sum(how_many(some, laid) for laid in range(redraws + 1))
    new = min(redraws + later, sum(pile) - hand)
    results: int = min(how_many(pile, new), (new + 1) ** len(kinds[0]))
    return how_many(pile, hand) * (how_many(pile, new) + choices * (later + 1) * results)
