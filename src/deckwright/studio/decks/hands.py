"""Odds, sample hands and comparisons of drafts, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from deckwright.api.hands import compute_deck_odds, sample_hands
from deckwright.base.findings import ChoiceError
from deckwright.base.parsing import Bounds
from deckwright.decks.comparison import compare_decks
from deckwright.decks.deck_answers import describe_comparison, describe_odds
from deckwright.decks.odds import OpeningOptions, find_pile, resolve_opening
from deckwright.decks.stats import DeckStats, deck_stats
from deckwright.game.model import Deck, Game
from deckwright.studio.answers import Json, LocalizedError
from deckwright.studio.decks.validation import resolve_rules
from deckwright.studio.drafts import key_of

Turns = Annotated[int, Bounds(0, 30)]
USUAL_HAND = 7
"""The number of cards in a sample hand if the game does not define opening hands."""


class HandOptions(NamedTuple):
    """Options for drawing a sample hand.

    Attributes:
        seed: the seed for shuffling, None for a random one.
        redraw: the cards to set aside, repeated for each copy.
    """

    seed: Annotated[int, Bounds(0, 2**53)] | None = None
    mulligan: Annotated[int, Bounds(0, 99)] = 0
    redraw: list[str] = []  # noqa: RUF012 - nobody changes it
    turns: Turns = 0


def compute_stats(game: Game, deck: Deck) -> DeckStats:
    """Return the statistics of a draft."""
    return deck_stats(game, deck, resolve_rules(game, deck))


def serialize_odds(game: Game, deck: Deck, turn: int) -> Json:
    """Return the odds of having cards of a draft in hand.

    Raises:
        ChoiceError: if the game does not define opening hands, or there are no cards to draw.
    """
    if game.setup.opening is None:
        message = "game.xml does not say with how many cards players begin"
        raise LocalizedError("decks-no-opening", message=message)
    stats = require_drawable(game, deck)
    try:
        return describe_odds([compute_deck_odds(game, stats, turns=(turn,))]).as_data()
    except ChoiceError as error:
        raise LocalizedError("decks-odds-many", message=error.message, hint=error.hint) from None


def require_drawable(game: Game, deck: Deck) -> DeckStats:
    """Return the statistics of a draft that has cards to draw.

    Raises:
        LocalizedError: if it has none.
    """
    stats, opening = compute_stats(game, deck), resolve_opening(game.setup, hand=USUAL_HAND)
    if not find_pile(stats, opening):
        zone = game.setup.zone_name(str(opening.zone))
        message = f"`{deck.name}` has no cards in the zone `{opening.zone}`"
        raise LocalizedError("decks-no-pile", zone, message=message)
    return stats


def draw_hand(game: Game, deck: Deck, options: HandOptions) -> Json:
    """Draw a sample hand from a draft.

    Raises:
        ChoiceError: if the game does not allow these options.
    """
    openings: OpeningOptions = {} if game.setup.opening else {"hand": USUAL_HAND}
    sample = sample_hands(game, require_drawable(game, deck), **options._asdict(), **openings)
    hand = sample.hands[0]
    return {
        "seed": hand.seed,
        "hand": [*map(key_of, hand.cards)],
        "aside": [*map(key_of, hand.aside)],
        "turns": [[*map(key_of, turn)] for turn in hand.turns],
        "left": hand.pile_size,
        "opening": sample.opening._asdict(),
    }


_MAX_COMPARED = 8
"""The maximum number of decks in a comparison."""


def compare_drafts(game: Game, decks: Sequence[Deck]) -> Json:
    """Compare drafts.

    Raises:
        ChoiceError: if there are fewer than two, or too many.
    """
    if not 1 < len(decks) <= _MAX_COMPARED:
        raise ChoiceError(f"from 2 to {_MAX_COMPARED} decks can be compared")
    comparison = compare_decks([(game, compute_stats(game, deck)) for deck in decks])
    return describe_comparison(comparison).as_data()
