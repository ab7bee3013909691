"""Seeded random numbers, and pools of cards to draw from."""

from __future__ import annotations

import math
import struct
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import accumulate, chain, count
from typing import NamedTuple, TypeVar

from deckwright.checks.counting import card_matches, value_of, zone_of
from deckwright.game.deck_rules import Where
from deckwright.game.generator import Generator
from deckwright.game.model import Card, Game

T = TypeVar("T")

_ALGORITHM = "deckwright 1"
_BITS = 64
_EIGHT_NUMBERS = struct.Struct(">8Q")


class SeededRandom:
    """A stream of random numbers that depends only on its seed values, on any machine."""

    def __init__(self, *of: str | int) -> None:
        """Seed the stream with values such as a seed, the number of a deck and a purpose."""
        # The length prefixes make the joined text unambiguous: a seed may contain the separator.
        text = "|".join((_ALGORITHM, *(f"{len(str(p))}:{p}" for p in of)))
        blocks = (blake2b(f"{text}|{block}".encode()).digest() for block in count())
        self._numbers: Iterator[int] = chain.from_iterable(map(_EIGHT_NUMBERS.unpack, blocks))

    def below(self, end: int) -> int:
        """Return a number below `end`, uniform to within 1 in 2^40 for an `end` up to 2^24."""
        return next(self._numbers) * end >> _BITS

    def sample(self, things: Sequence[T], number: int) -> list[T]:
        """Return a random sample without replacement, in random order."""
        left = list(things)
        for at in range(number):
            other = at + self.below(len(left) - at)
            left[at], left[other] = left[other], left[at]
        return left[:number]

    def shuffle(self, things: Sequence[T]) -> list[T]:
        """Return all items in random order."""
        return self.sample(things, len(things))


class WeightedItems(NamedTuple):
    """Items to draw from, with their cumulative weights, each including the item's own."""

    items: tuple[int, ...]
    ends: tuple[int, ...]

    def draw(self, draws: SeededRandom) -> int:
        """Draw an item. There must be at least one."""
        return self.items[bisect_right(self.ends, draws.below(self.ends[-1]))]

    def only_allowed(self, allowed: Iterable[bool]) -> WeightedItems:
        """Return only the allowed items; `allowed` tells for each whether to keep it."""
        starts = (0, *self.ends)
        stay = zip(self.items, self.ends, starts, allowed, strict=False)
        return weigh_items((thing, end - start) for thing, end, start, stays in stay if stays)


def weigh_items(weighted: Iterable[tuple[int, int]]) -> WeightedItems:
    """Return weighted items to draw from, without those of weight 0."""
    pairs = [(thing, weight) for thing, weight in weighted if weight]
    return WeightedItems(tuple(thing for thing, _ in pairs), tuple(accumulate(w for _, w in pairs)))


class PartPool(NamedTuple):
    """The cards of one faction for one part of decks.

    Attributes:
        cards: all cards that the part can contain, including those that are only demanded.
        usual, maverick, legacy: the cards to draw of each sort; mavericks are those for decks of
            other factions.
    """

    cards: tuple[int, ...]
    usual: WeightedItems
    maverick: WeightedItems
    legacy: WeightedItems


class CardDemand(NamedTuple):
    """A demand on decks, by numbers of cards; `when` is None if it applies to every deck."""

    when: frozenset[int] | None
    cards: frozenset[int]
    min: int


class CardPool:
    """All cards that decks can contain, numbered in the order of the files.

    Attributes:
        pools: for each part of decks, the pools of its factions by their ids.
        rarities: the rarity of each card, None if it has none.
    """

    def __init__(self, game: Game, generator: Generator) -> None:
        factions = game.factions
        self.cards: list[Card] = [
            card
            for card in game.cards.values()
            if card.faction_id in factions and zone_of(game, card) is not None
        ]
        field = generator.rarity
        self.rarities = [value_of(card, field) if field else None for card in self.cards]
        self._generator = generator
        maverick, legacy = generator.maverick, generator.legacy
        strange = self.matching(maverick.where) if maverick else frozenset()
        old = self.matching(legacy.where) if legacy else frozenset()
        self.pools: list[dict[str, PartPool]] = []
        for part in generator.parts:
            fitting = sorted(self.matching(part.where))
            pools: dict[str, PartPool] = {}
            for faction in factions.values():
                of_part = [at for at in fitting if self.cards[at].faction_id == faction.id]
                usual = [at for at in of_part if at not in old]
                weighted = self.weigh_cards(usual)
                if weighted.items and part.audience.admits(faction.groups):
                    pools[faction.id] = PartPool(
                        tuple(usual),
                        weighted,
                        self.weigh_cards(at for at in usual if at in strange),
                        self.weigh_cards(at for at in of_part if at in old),
                    )
            self.pools.append(pools)
        self.demands = [
            CardDemand(
                self.matching(each.when) if each.when else None, self.matching(each.where), each.min
            )
            for each in generator.demands
        ]

    def matching(self, condition: Where) -> frozenset[int]:
        """Return the cards that match a condition."""
        return frozenset(at for at, card in enumerate(self.cards) if card_matches(condition, card))

    def weigh_cards(self, cards: Iterable[int]) -> WeightedItems:
        """Return weighted cards that are drawn as if first by rarity, then evenly within it.

        A card's weight is that of its rarity, divided by the number of cards with this rarity. All
        weights are scaled by the least common multiple of these numbers to stay whole. Without
        rarities all cards have the same weight.
        """
        chosen = list(cards)
        weights = self._generator.weights
        if all(self.rarities[at] is None for at in chosen):
            return weigh_items((at, 1) for at in chosen)
        sizes = Counter(self.rarities[at] for at in chosen)
        common = math.lcm(*sizes.values()) if sizes else 1
        return weigh_items(
            (at, weights.get(str(self.rarities[at]), 0) * common // sizes[self.rarities[at]])
            for at in chosen
        )
