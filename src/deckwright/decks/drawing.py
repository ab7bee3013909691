"""In how many ways cards are drawn from a pile, and with what result, exactly.

Cards are told apart only by their kind. A pile, a hand and whatever else is a number of cards is
`Cards`: how many there are of each kind, all in one order of the kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb, prod

Cards = tuple[int, ...]


def draws(pile: Cards, number: int) -> Iterator[tuple[Cards, int]]:
    """Yield what a number of cards from a pile may be, and in how many ways it comes about.

    These are the terms of the multivariate hypergeometric distribution: together they are
    `comb(sum(pile), number)`.
    """
    for drawn in parts(pile, number):
        yield drawn, prod(map(comb, pile, drawn))


def parts(pile: Cards, number: int) -> Iterator[Cards]:
    """Yield each choice of a number of cards from a pile once, by kinds."""
    if not pile:
        if number == 0:
            yield ()
        return
    least = max(0, number - sum(pile[1:]))
    for first in range(least, min(pile[0], number) + 1):
        for others in parts(pile[1:], number - first):
            yield (first, *others)


def how_many(pile: Cards, number: int) -> int:
    """Return how many choices `parts` yields, without going through them."""
    counts = [1] + [0] * number
    for size in pile:
        sums = list(accumulate(counts, initial=0))
        counts = [sums[at + 1] - sums[max(0, at - size)] for at in range(number + 1)]
    return counts[number]


def plus(one: Cards, other: Cards) -> Cards:
    """Return cards together."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def less(one: Cards, other: Cards) -> Cards:
    """Return cards without others that are among them."""
    return tuple(a - b for a, b in zip(one, other, strict=True))


def grouped(cards: Cards, kinds: Sequence[Cards]) -> Cards:
    """Return how many cards belong to each group.

    Args:
        kinds: for each kind, 1 for each group that it belongs to and 0 for each other.
    """
    return tuple(
        sum(n for n, belongs in zip(cards, group, strict=True) if belongs)
        for group in zip(*kinds, strict=True)
    )
