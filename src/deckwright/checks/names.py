"""Two cards with one name are one card to anyone who reads decks, and to most deck limits."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.checks import design_check
from deckwright.game.model import Card, Game

R029 = Code("R029", Severity.WARNING, "two cards with the same name in a faction")


@design_check
def names(game: Game) -> Iterator[Diagnostic]:
    """A faction has each name once. Cards that it has of another faction are told of there."""
    first: dict[tuple[str, str], Card] = {}
    shared = {faction.id for faction in game.factions.values() if faction.cards_of}
    for card in game.cards.values():
        if card.faction_id in shared:
            continue
        other = first.setdefault((card.faction_id, card.name), card)
        if other is not card:
            yield R029.at(
                card.source.at("name"),
                f"card `{card.id}` has the same name as card `{other.id}`, `{card.name}`",
                "give one of them another name, or, if both are meant to have it, write "
                '`<severities><severity code="R029" is="off"/></severities>` in game.xml',
            )
