"""Drafts beside each other, as plain data."""

from __future__ import annotations

from collections.abc import Sequence

from deckwright.base.choices import ChoiceError
from deckwright.decks.compared_data import as_data
from deckwright.decks.comparison import compare_decks
from deckwright.game.model import Deck, Game
from deckwright.studio.decks.playing import stats_of

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
