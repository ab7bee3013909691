"""The library: games, cards, faces and decks for programs; the commands are its first user.

A game that is open keeps what it has read and composed. `Game.reload` looks at the folder again,
reads the files that have changed, and says which faces differ. One game is for one thread at a
time. What paints or checks is imported when it is asked for.
"""

from typing import TYPE_CHECKING

from deckwright.api.asked import DeckPrint, Limits, Sheets, Weighing
from deckwright.api.decks import Deck
from deckwright.api.errors import GameError
from deckwright.api.faces import Card, Face
from deckwright.api.game import Changes, Game, open_game
from deckwright.api.opened import FaceName
from deckwright.base.findings import Diagnostic
from deckwright.outputs.printed import Item, Print

if TYPE_CHECKING:
    from deckwright.api.solving import Solution, SolvedDeck

__all__ = [
    "Card",
    "Changes",
    "Deck",
    "DeckPrint",
    "Diagnostic",
    "Face",
    "FaceName",
    "Game",
    "GameError",
    "Item",
    "Limits",
    "Print",
    "Sheets",
    "Solution",
    "SolvedDeck",
    "Weighing",
    "open_game",
]


def __getattr__(name: str) -> object:
    """Return what only programs that solve need."""
    if name not in {"Solution", "SolvedDeck"}:
        raise AttributeError(f"module `deckwright.api` has no attribute `{name}`")
    from deckwright.api import solving  # noqa: PLC0415

    return getattr(solving, name)
