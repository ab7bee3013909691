"""A faction may have the cards of another one, which has cards of its own."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import Code, Diagnostic, Severity, known_hint
from deckwright.checks import game_check
from deckwright.game.folder import faction_of
from deckwright.game.load import MAX_CARDS
from deckwright.game.model import Game

R024 = Code("R024", Severity.ERROR, "a faction that cannot use the cards of another")


@game_check
def shared_cards(game: Game) -> Iterator[Diagnostic]:
    """Cards are written once: the other faction has them, and this one has no others."""
    with_cards = {faction_id for faction_id, _ in game.cards}
    own = {
        card.faction_id
        for card in game.cards.values()
        if faction_of(card.source.path) == card.faction_id
    }
    for faction in game.factions.values():
        owner = faction.cards_of
        if owner is None or game.gaps.factions.may_hold(owner):
            continue
        what = f"faction `{faction.id}` uses the cards of `{owner}`"
        place = faction.source.at("cards")
        if owner not in game.factions:
            hint = known_hint(owner, game.factions)
            yield R024.at(place, f"{what}, which the factions file does not define", hint)
        elif (other := game.factions[owner].cards_of) is not None:
            yield R024.at(place, f"{what}, which uses those of `{other}`", "name that one")
        elif faction.id in own:
            hint = "move them to the other file, or remove the attribute `cards`"
            yield R024.at(place, f"{what}, but also has cards of its own", hint)
        elif owner in with_cards and faction.id not in with_cards:
            message = f"{what}, which would give the game more than {MAX_CARDS:,}"
            yield R024.at(place, message, "print a game this large in parts")
