"""Drafts beside each other, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from deckwright.api.hands import compute_deck_odds, sample_hands
from deckwright.base.findings import ChoiceError
from deckwright.decks.comparison import as_data, compare_decks
from deckwright.decks.odds import find_pile, resolve_opening
from deckwright.decks.odds_tables import Chances, GroupOdds
from deckwright.decks.stats import DeckStats, deck_stats
from deckwright.game.model import Card, Deck, Game
from deckwright.studio.answers import LocalizedError
from deckwright.studio.decks.drafts import format_card_key
from deckwright.studio.decks.repository import serialize_opening
from deckwright.studio.decks.validation import resolve_rules

Json = dict[str, object]
_MAX_TURNS = 30


class HandOptions(TypedDict):
    """What a hand is drawn by.

    Attributes:
        seed: what the pile is shuffled by, None for chance.
        redraw: the cards that are laid aside, each once for each copy.
    """

    seed: int | None
    mulligan: int
    redraw: list[str]
    turns: int


def compute_stats(game: Game, deck: Deck) -> DeckStats:
    """Return a draft in numbers."""
    return deck_stats(game, deck, resolve_rules(game, deck))


def serialize_odds(game: Game, deck: Deck, turn: int) -> Json:
    """Return how likely a player has cards of a draft in hand.

    Raises:
        ChoiceError: if the game does not say how hands are drawn, or there is nothing to draw.
    """
    stats = _require_drawable(game, deck)
    try:
        table = compute_deck_odds(game, stats, turns=(turn,)).tables[0]
    except ChoiceError as error:
        raise LocalizedError("decks-odds-many", message=error.message, hint=error.hint) from None
    return {
        "zone": table.zone,
        "name": table.name,
        "cards": table.cards,
        "opening": serialize_opening(table.opening),
        "turn": table.turn,
        "sections": [
            {
                "id": section.id,
                "name": section.name,
                "groups": [*map(_serialize_group, section.groups)],
            }
            for section in table.sections
        ],
    }


def _require_drawable(game: Game, deck: Deck) -> DeckStats:
    """Return a draft in numbers.

    Raises:
        SaidError: if there is nothing to draw hands from.
    """
    if game.setup.opening is None:
        message = "game.xml does not say with how many cards players begin"
        raise LocalizedError("decks-no-opening", message=message)
    stats, opening = compute_stats(game, deck), resolve_opening(game.setup)
    if not find_pile(stats, opening):
        zone = game.setup.zone_name(str(opening.zone))
        message = f"`{deck.name}` has no cards in the zone `{opening.zone}`"
        raise LocalizedError("decks-no-pile", zone, message=message)
    return stats


def _serialize_group(group: GroupOdds) -> Json:
    return {
        "card": format_card_key((group.faction, group.id)) if group.id else None,
        "name": group.name,
        "cards": group.cards,
        "atOnce": _serialize_chances(group.at_once),
        "played": _serialize_chances(group.played),
    }


def _serialize_chances(chances: Chances) -> Json:
    return {
        "some": float(chances.some),
        "average": float(chances.average),
        "atLeast": [float(each) for each in chances.at_least],
    }


def read_hand_options(said: Mapping[str, object]) -> HandOptions:
    """Return what a hand is asked for by.

    Raises:
        ChoiceError: if that is not said as it should be.
    """
    seed, redraw = said.get("seed"), said.get("redraw", [])
    if not isinstance(redraw, list) or not all(isinstance(card, str) for card in redraw):
        raise ChoiceError("`redraw` is no list of cards")
    return {
        "seed": None if seed is None else _read_number(seed, "seed", 2**53),
        "mulligan": _read_number(said.get("mulligan", 0), "mulligan", 99),
        "redraw": redraw,
        "turns": _read_number(said.get("turns", 0), "turns", _MAX_TURNS),
    }


def _read_number(value: object, name: str, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ChoiceError(f"`{name}` is no number from 0 to {most}")
    return value


def draw_hand(game: Game, deck: Deck, dealt: HandOptions) -> Json:
    """Return a hand that is drawn from a draft.

    Raises:
        ChoiceError: if the game does not allow what is asked for, or says too little.
    """
    found = sample_hands(
        game,
        _require_drawable(game, deck),
        seed=dealt["seed"],
        mulligan=dealt["mulligan"],
        redraw=dealt["redraw"],
        turns=dealt["turns"],
    )
    hand = found.hands[0]
    return {
        "seed": hand.seed,
        "hand": _card_keys(hand.cards),
        "aside": _card_keys(hand.aside),
        "turns": [_card_keys(turn) for turn in hand.turns],
        "left": hand.left,
        "opening": serialize_opening(found.opening),
    }


def _card_keys(cards: Iterable[Card]) -> list[str]:
    return [format_card_key((card.faction_id, card.id)) for card in cards]


_MAX_COMPARED = 8
"""So many decks are compared at once."""


def compare_drafts(game: Game, decks: Sequence[Deck]) -> dict[str, object]:
    """Return drafts side by side.

    Raises:
        ChoiceError: if there is one alone, or there are too many.
    """
    if not 1 < len(decks) <= _MAX_COMPARED:
        raise ChoiceError(f"from 2 to {_MAX_COMPARED} decks can be compared")
    return as_data(compare_decks([(game, compute_stats(game, deck)) for deck in decks]))
