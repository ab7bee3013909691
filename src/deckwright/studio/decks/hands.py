"""Drafts beside each other, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from deckwright.api.hands import odds_of, sampled
from deckwright.base.findings import ChoiceError
from deckwright.decks.comparison import as_data, compare_decks
from deckwright.decks.odds import opening_of, pile_of
from deckwright.decks.odds_tables import Chances, GroupOdds
from deckwright.decks.stats import DeckStats, deck_stats
from deckwright.game.model import Card, Deck, Game
from deckwright.studio.answers import SaidError
from deckwright.studio.decks.drafts import key_of
from deckwright.studio.decks.repository import opening_told
from deckwright.studio.decks.validation import held_of

Json = dict[str, object]
_MOST_TURNS = 30


class Dealt(TypedDict):
    """What a hand is drawn by.

    Attributes:
        seed: what the pile is shuffled by, None for chance.
        redraw: the cards that are laid aside, each once for each copy.
    """

    seed: int | None
    mulligan: int
    redraw: list[str]
    turns: int


def stats_of(game: Game, deck: Deck) -> DeckStats:
    """Return a draft in numbers."""
    return deck_stats(game, deck, held_of(game, deck))


def odds_told(game: Game, deck: Deck, turn: int) -> Json:
    """Return how likely a player has cards of a draft in hand.

    Raises:
        ChoiceError: if the game does not say how hands are drawn, or there is nothing to draw.
    """
    stats = _drawable(game, deck)
    try:
        table = odds_of(game, stats, turns=(turn,)).tables[0]
    except ChoiceError as error:
        raise SaidError("decks-odds-many", message=error.message, hint=error.hint) from None
    return {
        "zone": table.zone,
        "name": table.name,
        "cards": table.cards,
        "opening": opening_told(table.opening),
        "turn": table.turn,
        "sections": [
            {"id": section.id, "name": section.name, "groups": [*map(_group, section.groups)]}
            for section in table.sections
        ],
    }


def _drawable(game: Game, deck: Deck) -> DeckStats:
    """Return a draft in numbers.

    Raises:
        SaidError: if there is nothing to draw hands from.
    """
    if game.setup.opening is None:
        message = "game.xml does not say with how many cards players begin"
        raise SaidError("decks-no-opening", message=message)
    stats, opening = stats_of(game, deck), opening_of(game.setup)
    if not pile_of(stats, opening):
        zone = game.setup.zone_name(str(opening.zone))
        message = f"`{deck.name}` has no cards in the zone `{opening.zone}`"
        raise SaidError("decks-no-pile", zone, message=message)
    return stats


def _group(group: GroupOdds) -> Json:
    return {
        "card": key_of((group.faction, group.id)) if group.id else None,
        "name": group.name,
        "cards": group.cards,
        "atOnce": _chances(group.at_once),
        "played": _chances(group.played),
    }


def _chances(chances: Chances) -> Json:
    return {
        "some": float(chances.some),
        "average": float(chances.average),
        "atLeast": [float(each) for each in chances.at_least],
    }


def read_dealt(said: Mapping[str, object]) -> Dealt:
    """Return what a hand is asked for by.

    Raises:
        ChoiceError: if that is not said as it should be.
    """
    seed, redraw = said.get("seed"), said.get("redraw", [])
    if not isinstance(redraw, list) or not all(isinstance(card, str) for card in redraw):
        raise ChoiceError("`redraw` is no list of cards")
    return {
        "seed": None if seed is None else _number(seed, "seed", 2**53),
        "mulligan": _number(said.get("mulligan", 0), "mulligan", 99),
        "redraw": redraw,
        "turns": _number(said.get("turns", 0), "turns", _MOST_TURNS),
    }


def _number(value: object, name: str, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ChoiceError(f"`{name}` is no number from 0 to {most}")
    return value


def hand_told(game: Game, deck: Deck, dealt: Dealt) -> Json:
    """Return a hand that is drawn from a draft.

    Raises:
        ChoiceError: if the game does not allow what is asked for, or says too little.
    """
    found = sampled(
        game,
        _drawable(game, deck),
        seed=dealt["seed"],
        mulligan=dealt["mulligan"],
        redraw=dealt["redraw"],
        turns=dealt["turns"],
    )
    hand = found.hands[0]
    return {
        "seed": hand.seed,
        "hand": _cards(hand.cards),
        "aside": _cards(hand.aside),
        "turns": [_cards(turn) for turn in hand.turns],
        "left": hand.left,
        "opening": opening_told(found.opening),
    }


def _cards(cards: Iterable[Card]) -> list[str]:
    return [key_of((card.faction_id, card.id)) for card in cards]


_MOST = 8
"""So many decks are compared at once."""


def compared(game: Game, decks: Sequence[Deck]) -> dict[str, object]:
    """Return drafts side by side.

    Raises:
        ChoiceError: if there is one alone, or there are too many.
    """
    if not 1 < len(decks) <= _MOST:
        raise ChoiceError(f"from 2 to {_MOST} decks can be compared")
    return as_data(compare_decks([(game, stats_of(game, deck)) for deck in decks]))
