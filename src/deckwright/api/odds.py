"""The odds of a deck's hands, as a program or a command asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Unpack

from deckwright.base.choices import ChoiceError
from deckwright.base.findings import known_hint
from deckwright.base.names import composed
from deckwright.decks.asked_odds import Asked, DeckOdds, asked_odds, groups_of
from deckwright.decks.odds_table import odds_table
from deckwright.decks.openings import Openings, opening_of, pile_of
from deckwright.game.asked_where import asked_where
from deckwright.game.conditions import Condition

if TYPE_CHECKING:
    from deckwright.decks.stats import DeckStats
    from deckwright.game.deck_rules import Opening
    from deckwright.game.model import Game


def odds_of(
    game: Game,
    stats: DeckStats,
    *,
    where: Iterable[str] = (),
    cards: Iterable[str] = (),
    at_least: Sequence[int] = (),
    turns: Sequence[int] = (0,),
    **asked: Unpack[Openings],
) -> DeckOdds:
    """Return the odds of a deck.

    Args:
        where: conditions on cards: each a group that is asked for.
        cards: ids or names of cards, `HK:HK3` where it must be said of which faction: likewise.
        at_least: how many of each group are asked for, in this order; 1 where that is not said.

    Raises:
        ChoiceError: if a condition cannot be read, or the game does not say how hands are drawn.
    """
    opening = opening_of(game.setup, **asked)
    if any(turns) and not opening.draws:
        message = "game.xml does not say how many cards are drawn each turn"
        hint = 'give `--draws 1`, or write `draws="1"` into its element `opening`'
        raise ChoiceError(message, hint)
    zone = next((zone for zone in stats.zones if zone.id == opening.zone), None)
    if zone is None:
        message = f"`{stats.deck.name}` has no cards in the zone `{opening.zone}`"
        raise ChoiceError(message, known_hint("", [zone.id for zone in stats.zones]))
    groups = [Asked(text, asked_where(text, game.setup)) for text in where]
    groups += [_card(name, stats, opening) for name in cards]
    if not groups and at_least:
        hint = "say of what, such as `--where level=2` or `--card ID`"
        raise ChoiceError(f"it is not said what at least {at_least[0]} are wanted of", hint)
    if len(at_least) > len(groups) > 0:
        message = f"at least {at_least[len(groups)]} are wanted of no group of cards"
        raise ChoiceError(message, "give no more numbers than conditions and cards")
    numbers = (*at_least, *[1] * (len(groups) - len(at_least)))
    wanted = tuple(
        each._replace(at_least=number) for each, number in zip(groups, numbers, strict=True)
    )
    if not wanted:
        tables = tuple(odds_table(zone, opening, turn) for turn in turns)
        return DeckOdds(stats, zone, opening, wanted, (), tables)
    pile = groups_of(game, stats, wanted, opening)
    answers = tuple(asked_odds(pile, numbers, opening, turn) for turn in turns)
    return DeckOdds(stats, zone, opening, wanted, answers, ())


def _card(name: str, stats: DeckStats, opening: Opening) -> Asked:
    """Return the group of the cards of a name or id."""
    name = composed(name)
    cards = [line.card for line in pile_of(stats, opening)]
    found = [card for card in cards if card.is_called(name)]
    if not found:
        known = {card.id: None for card in cards} | {card.name: None for card in cards}
        message = f"there is no card `{name}` in the zone `{opening.zone}` of `{stats.deck.stem}`"
        raise ChoiceError(message, known_hint(name, known))
    keys = dict.fromkeys((card.faction_id, card.id) for card in found)
    where = (
        (Condition("faction_id", "=", faction_id), Condition("id", "=", card_id))
        for faction_id, card_id in keys
    )
    return Asked(found[0].name, tuple(where))
