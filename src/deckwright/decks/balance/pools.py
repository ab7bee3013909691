"""What the decks of each faction can be built of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deckwright.checks.counting import Held
from deckwright.checks.fielding import Fields, usual_format
from deckwright.checks.limits import limits_in
from deckwright.checks.loading import Rules
from deckwright.checks.zoning import zones_of
from deckwright.game.deck_rules import Format
from deckwright.game.model import Card, Faction, Game


class Pool(NamedTuple):
    """What a faction's decks can be built of.

    Attributes:
        form: the format that they are built for, None in a game without formats.
        cards: all cards that they can have, in the order of the files.
    """

    faction: Faction
    form: Format | None
    held: Held
    cards: tuple[Card, ...]


def pools(game: Game, rules: Rules) -> Iterator[Pool]:
    """Yield the factions that decks are built of, with what these can have.

    Args:
        rules: by which limits decks are built.
    """
    setup, fields = game.setup, Fields(game)
    zones = {
        id(card): {zone.id for zone in zones_of(game, card)}
        for card in game.cards.values()
        if card.faction_id in game.factions
    }
    for faction in game.factions.values():
        form = setup.formats[rules.format] if rules.format else usual_format(setup, faction)
        if not fields.has_decks(faction, form):
            continue
        limits = () if rules.ignore else limits_in(setup, faction.id, form, rules.changes)
        shut = {
            limit.zone
            for limit in limits
            if limit.own_faction and not (limit.where or limit.exemptions or limit.warning)
        }
        restrictions = game.restrictions_for(form.id if form else None, rules.date)
        cards = (
            card
            for card in game.cards.values()
            if zones.get(id(card), set()) - (set() if card.faction_id == faction.id else shut)
        )
        yield Pool(faction, form, Held(limits, restrictions), tuple(cards))
