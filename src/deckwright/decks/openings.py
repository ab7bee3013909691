"""Opening hands as somebody asks for them, and the pile that they are drawn from."""

from __future__ import annotations

from typing import TypedDict, Unpack

from deckwright.base.choices import ChoiceError, demand
from deckwright.checks.zoning import Line
from deckwright.decks.stats import DeckStats
from deckwright.game.deck_rules import Opening
from deckwright.game.setup import Setup


class Openings(TypedDict, total=False):
    """How a game is opened, where that is not as `game.xml` says; None counts as left out.

    Attributes:
        zone: the id of the zone that cards are drawn from.
        hand: how many cards a player begins with.
        redraws: how many of these may be laid aside for others, once.
        mulligans: how often all of them may be shuffled back for as many others.
        draws: how many cards are drawn each turn.
    """

    zone: str | None
    hand: int | None
    redraws: int | None
    mulligans: int | None
    draws: int | None


def opening_of(setup: Setup, **asked: Unpack[Openings]) -> Opening:
    """Return how a game is opened, in numbers and with its zone.

    Args:
        asked: what callers can ask for, None for what they do not.

    Raises:
        ChoiceError: if there is no such zone, or nobody says how many cards a hand has.
    """
    said = setup.opening or Opening(None, 0)
    hand = asked.get("hand")
    if hand is None and setup.opening is None:
        message = "game.xml does not say with how many cards players begin"
        hint = 'write `<opening hand="7"/>` into its element `deck`'
        raise ChoiceError(message, f"give `--hand 7`, or {hint}" if "hand" in asked else hint)
    zone = asked.get("zone") or said.zone or setup.main_zone.id
    demand(zone, [each.id for each in setup.zones], "zone", " in game.xml")
    numbers = {
        name: value
        for name in ("hand", "redraws", "mulligans", "draws")
        if isinstance(value := asked.get(name), int)
    }
    return said._replace(zone=zone, **numbers)


def pile_of(stats: DeckStats, opening: Opening) -> tuple[Line, ...]:
    """Return the lines of a deck that an opening draws from, in the order of the deck list."""
    return next((zone.lines for zone in stats.zones if zone.id == opening.zone), ())
