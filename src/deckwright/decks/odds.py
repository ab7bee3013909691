"""How likely a hand has what is asked for: exact figures, where players decide as well as possible.

Nothing is simulated. All hands are gone through by how many cards of each kind they have, and for
each the best that the player can do is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.decks.drawing import Cards, draws, grouped, how_many, less, parts, plus
from deckwright.game.setup import Opening

MOST_MULLIGANS = 100
"""The most mulligans that are worked out."""
_MOST_WORK = 10_000_000
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


class _Outcome(NamedTuple):
    """What comes of a decision.

    Attributes:
        chance: to have what is asked for.
        expected: the mean number of cards of all groups.
        numbers: how likely there are how many cards of each group.
    """

    chance: Fraction
    expected: Fraction
    numbers: Mapping[Cards, Fraction]

    @property
    def worth(self) -> tuple[Fraction, Fraction]:
        """What the player wants most of."""
        return self.chance, self.expected


class _Player(NamedTuple):
    """A player with a hand to decide on.

    Attributes:
        kinds: the groups that each kind of card belongs to, as in `grouped`.
        at_least: how many are asked for of each group.
        redraws: how many cards may be laid aside.
        draws: how many cards are drawn afterwards.
    """

    kinds: Sequence[Cards]
    at_least: Cards
    redraws: int
    draws: int

    def best(self, hand: Cards, pile: Cards) -> _Outcome:
        """Return what comes of the best choice of cards to lay aside."""
        choices = (self._outcome(self._numbers(hand, laid, pile)) for laid in self.choices(hand))
        return max(choices, key=lambda outcome: outcome.worth)

    def choices(self, hand: Cards) -> Iterator[Cards]:
        """Yield what could be best to lay aside.

        A card of no group is never better than another one, so these go first; a card of all
        groups is never worse than another one, so these stay.
        """
        useless = [0 if any(kind) else n for kind, n in zip(self.kinds, hand, strict=True)]
        number = min(self.redraws, sum(useless))
        first = tuple(min(number, n) for n in useless)
        open_ = tuple(
            n if any(kind) and not all(kind) else 0
            for kind, n in zip(self.kinds, hand, strict=True)
        )
        for more in range(min(self.redraws - number, sum(open_)) + 1):
            yield from (plus(first, laid) for laid in parts(open_, more))

    def _numbers(self, hand: Cards, laid: Cards, pile: Cards) -> dict[Cards, Fraction]:
        """Return how likely there are how many of each group once all cards are drawn.

        Of what is drawn in the end, some was laid aside before, and all else is any of the cards
        that were in the pile in the beginning.
        """
        kept, aside, rest = less(hand, laid), sum(laid), sum(pile)
        numbers: dict[Cards, Fraction] = {}
        for back in range(min(aside, self.draws) + 1):
            new = aside + self.draws - back
            if new > rest:
                continue
            ways: dict[Cards, int] = {}
            for again, ways_back in draws(laid, back):
                held = grouped(plus(kept, again), self.kinds)
                for drawn, ways_new in draws(pile, new):
                    key = plus(held, grouped(drawn, self.kinds))
                    ways[key] = ways.get(key, 0) + ways_back * ways_new
            share = Fraction(comb(rest - aside, self.draws - back), comb(rest, self.draws))
            share /= comb(rest, new)
            for key, number in ways.items():
                numbers[key] = numbers.get(key, Fraction(0)) + share * number
        return numbers

    def _outcome(self, numbers: Mapping[Cards, Fraction]) -> _Outcome:
        good = (
            share
            for counts, share in numbers.items()
            if all(n >= least for n, least in zip(counts, self.at_least, strict=True))
        )
        expected = (sum(counts) * share for counts, share in numbers.items())
        return _Outcome(sum(good, Fraction(0)), sum(expected, Fraction(0)), numbers)

    def mean(self, outcomes: Iterable[tuple[Fraction, _Outcome]]) -> _Outcome:
        """Return what comes of one of several outcomes, given how likely each is."""
        numbers: dict[Cards, Fraction] = {}
        for share, outcome in outcomes:
            for key, chance in outcome.numbers.items():
                numbers[key] = numbers.get(key, Fraction(0)) + share * chance
        return self._outcome(numbers)


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
    player = _Player(
        kinds, at_least, min(opening.redraws, hand, rest), min(opening.draws * turn, rest)
    )
    _demand_little_work(player, pile, hand, opening)
    shares = [
        (Fraction(ways, comb(sum(pile), hand)), player.best(held, less(pile, held)))
        for held, ways in draws(pile, hand)
    ]
    outcome = player.mean(shares)
    for _ in range(opening.mulligans):
        worth = outcome.worth
        outcome = player.mean(
            (share, kept if kept.worth >= worth else outcome) for share, kept in shares
        )
        if outcome.worth == worth:
            break
    numbers = _by_group(outcome.numbers, len(at_least))
    return Odds(sum(pile), grouped(pile, kinds), outcome.chance, numbers)


def _by_group(numbers: Mapping[Cards, Fraction], groups: int) -> tuple[tuple[Fraction, ...], ...]:
    """Return how likely there are 0, 1, 2 … cards of each group by itself."""
    by_group = []
    for group in range(groups):
        shares = [Fraction(0)] * (max(counts[group] for counts in numbers) + 1)
        for counts, share in numbers.items():
            shares[counts[group]] += share
        by_group.append(tuple(shares))
    return tuple(by_group)


def _demand_little_work(player: _Player, pile: Cards, hand: int, opening: Opening) -> None:
    if opening.mulligans > MOST_MULLIGANS:
        message = f"odds with {opening.mulligans} mulligans are not worked out"
        raise ChoiceError(message, f"ask for at most {MOST_MULLIGANS}")
    later = how_many(pile, player.redraws + player.draws) if hand < sum(pile) else 1
    if how_many(pile, hand) * later > _MOST_WORK:
        raise ChoiceError(
            "there are too many possible hands to go through all of them",
            "ask for fewer groups, cards or turns",
        )
