"""Numbers that look random, and are the same on every machine and for every version of Python.

They are made of a text by BLAKE2b (RFC 7693): its digests of 64 bytes of the text with `|0`, `|1`
and so on behind it, each read as eight numbers of 64 bits with the highest byte first. The text
begins with `deckwright 1`, so that another way to make decks can have another beginning.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import accumulate, count
from typing import NamedTuple, TypeVar

T = TypeVar("T")

_ALGORITHM = "deckwright 1"
_BITS = 64
_EIGHT = struct.Struct(">8Q")


class Draws:
    """An endless row of numbers, which depend on nothing but what it is made of."""

    def __init__(self, *of: str | int) -> None:
        """Take what the numbers are made of, such as a seed, the number of a deck, a purpose."""
        # A seed may hold the sign between two parts; with its length in front it is told apart.
        self._numbers = _numbers("|".join((_ALGORITHM, *(f"{len(str(p))}:{p}" for p in of))))

    def below(self, end: int) -> int:
        """Return a number from 0 to `end` - 1, all of them equally likely but for 1 in 2^40.

        `end` is at most 2^24 where that is to hold.
        """
        return next(self._numbers) * end >> _BITS

    def some(self, things: Sequence[T], number: int) -> list[T]:
        """Return so many different things, in an order that is drawn as well."""
        left = list(things)
        for at in range(number):
            other = at + self.below(len(left) - at)
            left[at], left[other] = left[other], left[at]
        return left[:number]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return all things in an order that is drawn."""
        return self.some(things, len(things))


def _numbers(text: str) -> Iterator[int]:
    for block in count():
        yield from _EIGHT.unpack(blake2b(f"{text}|{block}".encode()).digest())


class Lot(NamedTuple):
    """Things to draw from, each with a weight.

    Attributes:
        ends: the sum of the weights up to each thing, its own with it.
    """

    things: tuple[int, ...]
    ends: tuple[int, ...]

    def drawn(self, draws: Draws) -> int:
        """Return a thing. There must be one."""
        return self.things[bisect_right(self.ends, draws.below(self.ends[-1]))]

    def without(self, allowed: Iterable[bool]) -> Lot:
        """Return it without some things.

        Args:
            allowed: for each thing whether it stays.
        """
        starts = (0, *self.ends)
        stay = zip(self.things, self.ends, starts, allowed, strict=False)
        return lot((thing, end - start) for thing, end, start, stays in stay if stays)


def lot(weighted: Iterable[tuple[int, int]]) -> Lot:
    """Return what there is to draw from, of things with their weights; those of 0 are left out."""
    pairs = [(thing, weight) for thing, weight in weighted if weight]
    return Lot(tuple(thing for thing, _ in pairs), tuple(accumulate(w for _, w in pairs)))
