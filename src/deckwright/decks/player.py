"""A player who decides about a hand as well as possible, in whole numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import comb, lcm
from typing import NamedTuple

from deckwright.decks.drawing import Cards, draws, grouped, less, parts, plus


class Outcome(NamedTuple):
    """What comes of a decision; whole numbers are parts of what the player counts in.

    Attributes:
        chance: to have what is asked for.
        expected: the mean number of cards of all groups.
        numbers: how likely there are how many cards of each group.
    """

    chance: int
    expected: int
    numbers: Mapping[Cards, int]

    @property
    def worth(self) -> tuple[int, int]:
        """What the player wants most of."""
        return self.chance, self.expected

    def times(self, factor: int) -> Outcome:
        """Return it in smaller parts."""
        numbers = {counts: share * factor for counts, share in self.numbers.items()}
        return Outcome(self.chance * factor, self.expected * factor, numbers)


class Player:
    """A player with hands to decide on.

    Attributes:
        whole: into how many parts a certainty is divided, so that all chances are whole numbers.
    """

    def __init__(
        self, kinds: Sequence[Cards], at_least: Cards, rest: int, redraws: int, draws: int
    ) -> None:
        """Take who may lay cards aside.

        Args:
            kinds: the groups that each kind of card belongs to, as in `grouped`.
            at_least: how many are asked for of each group.
            rest: how many cards are in the pile.
            redraws: how many cards may be laid aside.
            draws: how many cards are drawn afterwards.
        """
        self._kinds, self._at_least, self._rest = kinds, at_least, rest
        self._redraws, self._draws = redraws, draws
        news = range(min(rest, redraws + draws) + 1)
        self.whole = lcm(*(comb(rest, new) for new in news)) * comb(rest, draws)

    def best(self, hand: Cards, pile: Cards) -> Outcome:
        """Return what comes of the best choice of cards to lay aside."""

        @cache
        def new_cards(number: int) -> dict[Cards, int]:
            """Return in how many ways so many cards of the pile have how many of each group."""
            ways: Counter[Cards] = Counter()
            for drawn, number_of_ways in draws(pile, number):
                ways[grouped(drawn, self._kinds)] += number_of_ways
            return ways

        choices = (self._outcome(hand, laid, new_cards) for laid in self._choices(hand))
        return max(choices, key=lambda outcome: outcome.worth)

    def _choices(self, hand: Cards) -> Iterator[Cards]:
        """Yield what could be best to lay aside.

        A card of no group is never better than another one, so these go first; a card of all
        groups is never worse than another one, so these stay.
        """
        useless = [0 if any(kind) else n for kind, n in zip(self._kinds, hand, strict=True)]
        number = min(self._redraws, sum(useless))
        first = tuple(min(number, n) for n in useless)
        some = tuple(
            n if any(kind) and not all(kind) else 0
            for kind, n in zip(self._kinds, hand, strict=True)
        )
        for more in range(min(self._redraws - number, sum(some)) + 1):
            yield from (plus(first, laid) for laid in parts(some, more))

    def _outcome(
        self, hand: Cards, laid: Cards, new_cards: Callable[[int], Mapping[Cards, int]]
    ) -> Outcome:
        """Return what comes of laying cards aside.

        Of what is drawn in the end, some was laid aside before, and all else is any of the cards
        that were in the pile in the beginning.
        """
        kept, aside = less(hand, laid), sum(laid)
        numbers: Counter[Cards] = Counter()
        for back in range(min(aside, self._draws) + 1):
            new = aside + self._draws - back
            if new > self._rest:
                continue
            ways = comb(self._rest - aside, self._draws - back)
            part = self.whole // comb(self._rest, self._draws) // comb(self._rest, new) * ways
            for again, ways_back in draws(laid, back):
                held = grouped(plus(kept, again), self._kinds)
                for counts, ways_new in new_cards(new).items():
                    numbers[plus(held, counts)] += part * ways_back * ways_new
        return self._judged(numbers)

    def _judged(self, numbers: Mapping[Cards, int]) -> Outcome:
        good = (
            share
            for counts, share in numbers.items()
            if all(n >= least for n, least in zip(counts, self._at_least, strict=True))
        )
        expected = (sum(counts) * share for counts, share in numbers.items())
        return Outcome(sum(good), sum(expected), numbers)

    def together(self, outcomes: Iterable[tuple[int, Outcome]]) -> Outcome:
        """Return what comes of one of several outcomes, given in how many ways each comes."""
        numbers: Counter[Cards] = Counter()
        for ways, outcome in outcomes:
            for counts, share in outcome.numbers.items():
                numbers[counts] += ways * share
        return self._judged(numbers)
