"""Cards that other cards name must exist, and be told apart."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import Code, Diagnostic, Severity, known_hint, listed
from deckwright.checks import card_check
from deckwright.game.model import Card, Game
from deckwright.game.references import candidates, references

R032 = Code("R032", Severity.ERROR, "a card that names another one, which cannot be found")


@card_check
def named_cards(game: Game, card: Card) -> Iterator[Diagnostic]:
    """What a card names is one card: of its own faction, or else of any other."""
    for source, field, name in references(card):
        found = candidates(game, card, name)
        if len(found) == 1 or (not found and _may_be_left_out(game, card, name)):
            continue
        place = source.at(field.name)
        if found:
            others = [f"{other.faction_id}/{other.id}" for other in found]
            message = f"{card.subject} names `{name}`, which several factions have"
            yield R032.at(place, message, f"write {listed(others)}")
            continue
        faction_id = name.partition("/")[0]
        near = [key[1] for key in game.cards if key[0] == card.faction_id]
        if faction_id in game.factions and "/" in name:
            near = [f"{faction_id}/{key[1]}" for key in game.cards if key[0] == faction_id]
        message = f"{card.subject} has {field.name} `{name}`, which is the id of no card"
        yield R032.at(place, message, known_hint(name, near, at_most=0))


def _may_be_left_out(game: Game, card: Card, name: str) -> bool:
    """Return whether the card of a name may have been left out for its mistakes."""
    faction_id, slash, card_id = name.partition("/")
    if slash and game.may_have(faction_id, card_id):
        return True
    return any(game.may_have(faction, name) for faction in {card.faction_id, *game.factions})
