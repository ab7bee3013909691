"""In which zone of a deck its cards are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deckwright.checks.matching import holds
from deckwright.game.deck_rules import Zone
from deckwright.game.model import Card, Deck, DeckEntry, Game


class Line(NamedTuple):
    """A line of a deck list with its card, in the zone that it belongs to."""

    entry: DeckEntry
    card: Card
    zone: Zone | None


def zoned(game: Game, deck: Deck) -> list[Line]:
    """Return the lines of a deck list whose cards exist, by zone, each zone in the list's order."""
    lines = []
    zones: dict[tuple[int, str | None], Zone | None] = {}
    for entry in deck.entries:
        card = game.card_of(entry)
        if card is not None and card.faction_id in game.factions:
            key = (id(card), entry.zone)
            if key not in zones:
                zones[key] = zone_of(game, card, entry.zone)
            lines.append(Line(entry, card, zones[key]))
    order = {zone.id: number for number, zone in enumerate(game.setup.zones)}
    return sorted(lines, key=lambda line: order.get(line.zone.id, 99) if line.zone else 99)


def zone_of(game: Game, card: Card, wanted: str | None = None) -> Zone | None:
    """Return the first zone that admits a card.

    Args:
        wanted: the id of the only zone that it may be; None for any.
    """
    return next((zone for zone in zones_of(game, card) if wanted in {None, zone.id}), None)


def zones_of(game: Game, card: Card) -> Iterator[Zone]:
    """Yield the zones that admit a card, in order."""
    groups = game.factions[card.faction_id].groups
    for zone in game.setup.zones:
        if zone.audience.admits(groups) and holds(zone.where, card):
            yield zone
