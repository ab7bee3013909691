"""The cards that decks are drawn from, and by which weights."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from deckwright.checks.matching import holds, value_of
from deckwright.checks.zoning import zone_of
from deckwright.decks.generator.draws import Lot, lot
from deckwright.game.conditions import Where
from deckwright.game.generator import Generator, Part
from deckwright.game.model import Card, Game


class Pool(NamedTuple):
    """What one part of decks takes of one faction.

    Attributes:
        cards: all that can be in that part, also what is never drawn but may be demanded.
        usual, maverick, legacy: what there is to draw, of each sort; of mavericks, those that
            other factions get.
    """

    cards: tuple[int, ...]
    usual: Lot
    maverick: Lot
    legacy: Lot


class Demanded(NamedTuple):
    """What decks must have, by the numbers of cards; `when` is None for every deck."""

    when: frozenset[int] | None
    cards: frozenset[int]
    min: int


class Stock:
    """All cards that decks can have, called by their numbers in the order of the files.

    Attributes:
        pools: for each part of decks, those of its factions by their ids.
        rarities: the rarity of each card, None where the game has none.
    """

    def __init__(self, game: Game, generator: Generator) -> None:
        """Take a whole game and how it makes decks."""
        factions = game.factions
        self.cards: list[Card] = [
            card
            for card in game.cards.values()
            if card.faction_id in factions and zone_of(game, card) is not None
        ]
        field = generator.rarity
        self.rarities = [value_of(card, field) if field else None for card in self.cards]
        self._generator = generator
        self.pools: list[dict[str, Pool]] = []
        for part in generator.parts:
            admitted = (f for f in factions.values() if part.audience.admits(f.groups))
            pools = {faction.id: self._pool(part, faction.id) for faction in admitted}
            self.pools.append({name: pool for name, pool in pools.items() if pool.usual.things})
        self.demands = [
            Demanded(self.where(each.when) if each.when else None, self.where(each.where), each.min)
            for each in generator.demands
        ]

    def where(self, condition: Where) -> frozenset[int]:
        """Return the cards for which a condition holds."""
        return frozenset(at for at, card in enumerate(self.cards) if holds(condition, card))

    def _pool(self, part: Part, faction_id: str) -> Pool:
        of_part = [
            at
            for at, card in enumerate(self.cards)
            if card.faction_id == faction_id and holds(part.where, card)
        ]
        maverick, legacy = self._generator.maverick, self._generator.legacy
        old = self.where(legacy.where) if legacy else frozenset()
        usual = [at for at in of_part if at not in old]
        strange = self.where(maverick.where) if maverick else frozenset()
        return Pool(
            tuple(usual),
            self.weighted(usual),
            self.weighted(at for at in usual if at in strange),
            self.weighted(at for at in of_part if at in old),
        )

    def weighted(self, cards: Iterable[int]) -> Lot:
        """Return cards to draw from: first a rarity by its weight, then any card of that.

        Both are one drawing: a card's weight is that of its rarity, divided by how many cards have
        it. So that weights stay whole, all are multiplied by what these numbers divide. Cards
        of which none has a rarity are alike.
        """
        chosen = list(cards)
        weights = self._generator.weights
        if all(self.rarities[at] is None for at in chosen):
            return lot((at, 1) for at in chosen)
        sizes = Counter(self.rarities[at] for at in chosen)
        common = math.lcm(*sizes.values()) if sizes else 1
        return lot(
            (at, weights.get(str(self.rarities[at]), 0) * common // sizes[self.rarities[at]])
            for at in chosen
        )
