"""Cards that dominate others: no worse in anything, better in something, and not dearer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from deckwright.checks.counting import Tally
from deckwright.checks.zoning import zones_of
from deckwright.decks.balance.comparing import Comparing, Gain
from deckwright.decks.balance.pools import Pool
from deckwright.decks.balance.treatment import Treatment
from deckwright.game.model import Card, Deck, Game


class Dominance(NamedTuple):
    """A card that dominates another.

    Attributes:
        gains: in what it is better.
        rules: the rules that it alone has. Whether they are good for it no number says.
    """

    better: Card
    worse: Card
    gains: tuple[Gain, ...]
    rules: tuple[str, ...]


def dominances(game: Game, pool: Pool, comparing: Comparing) -> Iterator[Dominance]:
    """Yield which cards of a pool dominate which, in the order of the worse ones."""
    cards = pool.cards
    zones = {id(card): tuple(zone.id for zone in zones_of(game, card)) for card in cards}
    empty = Deck("", "", pool.faction.id, None, (), pool.faction.source)
    values_in = Tally(game, empty, pool.held).values_in
    treatments: Mapping[str, Treatment] = {
        zone.id: Treatment(
            pool.held, zone.id, [c for c in cards if zone.id in zones[id(c)]], values_in
        )
        for zone in game.setup.zones
    }
    for worse in cards:
        for better in cards:
            if better is worse or zones[id(better)] != zones[id(worse)]:
                continue
            gains = comparing.gains(better, worse)
            if gains and all(treatments[z].no_worse(better, worse) for z in zones[id(worse)]):
                rules = {spec.plural for spec in better.kind.children if spec.holds_rules}
                more = tuple(rule for gain in gains if gain.field in rules for rule in gain.more)
                yield Dominance(better, worse, gains, more)
