"""Cards that other cards name: `evolves="HK3"`, or `evolves="HK/HK3"` with its faction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from deckwright.game.kinds import Field, FieldValue
from deckwright.game.model import Card, Game
from deckwright.game.values import parts_of
from deckwright.xmlio.node import Source


def candidates(game: Game, card: Card, name: str) -> list[Card]:
    """Return the cards that a card may mean by a name: the one of its own faction, if there is one.

    Otherwise cards of all other factions count, those that factions share once.
    """
    faction_id, slash, card_id = name.partition("/")
    for key in ((card.faction_id, name), (faction_id, card_id)):
        if key in game.cards and (key[1] == name or slash):
            return [game.cards[key]]
    found = filter(None, (game.cards.get((faction_id, name)) for faction_id in game.factions))
    by_source: dict[Source, Card] = {}
    for other in found:
        by_source.setdefault(other.source, other)
    return list(by_source.values())


def target(game: Game, card: Card, name: str) -> Card | None:
    """Return the card that a card means by a name, None if there is no single one."""
    found = candidates(game, card, name)
    return found[0] if len(found) == 1 else None


def references(card: Card) -> Iterator[tuple[Source, Field, str]]:
    """Yield where a card names others: the element, the field, and the name."""
    yield from _in(card.kind.fields, card.fields, card.source)
    for spec in card.kind.children:
        for child in card.children[spec.tag]:
            yield from _in(spec.fields, child.values, child.source)


def _in(
    fields: tuple[Field, ...], values: Mapping[str, FieldValue], source: Source
) -> Iterator[tuple[Source, Field, str]]:
    for field in fields:
        if field.one.type == "card" and not field.ignored:
            value = values[field.name]
            for part in parts_of(value):
                if part:
                    yield source, field, str(part)
