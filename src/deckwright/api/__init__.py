"""The library: games, cards, faces and decks for programs; the commands are its first user.

A game that is open keeps what it has read and composed. `Game.reload` looks at the folder again,
reads the files that have changed, and says which faces differ. One game is for one thread at a
time. What paints or checks is imported when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from deckwright.api.decks import Deck
from deckwright.api.faces import Card, Face
from deckwright.api.game import Changes, Game, open_game
from deckwright.api.options import (
    DeckPrint,
    ForPress,
    GameError,
    Limits,
    Packing,
    RunPrint,
    Sheets,
    Weighing,
)
from deckwright.api.session import FaceName
from deckwright.base.findings import Diagnostic
from deckwright.outputs.printed import Item, Print

if TYPE_CHECKING:
    from deckwright.api.game import CheckedGame, inspect_games
    from deckwright.api.imposing import booklet, impose, poster
    from deckwright.api.packaging import verify_package
    from deckwright.api.reports import Generated, Packs
    from deckwright.api.solving import Solution, SolvedDeck
    from deckwright.decks.generator.boosters import Statistics
    from deckwright.decks.odds import Hand, Openings
    from deckwright.outputs.package.making import Packaged

__all__ = [
    "Card",
    "Changes",
    "CheckedGame",
    "Deck",
    "DeckPrint",
    "Diagnostic",
    "Face",
    "FaceName",
    "ForPress",
    "Game",
    "GameError",
    "Generated",
    "Hand",
    "Item",
    "Limits",
    "Openings",
    "Packaged",
    "Packing",
    "Packs",
    "Print",
    "RunPrint",
    "Sheets",
    "Solution",
    "SolvedDeck",
    "Statistics",
    "Weighing",
    "booklet",
    "impose",
    "inspect_games",
    "open_game",
    "poster",
    "verify_package",
]


_LATER = {
    "CheckedGame": "deckwright.api.game",
    "Generated": "deckwright.api.reports",
    "Hand": "deckwright.decks.odds",
    "Openings": "deckwright.decks.odds",
    "Packaged": "deckwright.outputs.package.making",
    "Packs": "deckwright.api.reports",
    "Solution": "deckwright.api.solving",
    "SolvedDeck": "deckwright.api.solving",
    "Statistics": "deckwright.decks.generator.boosters",
    "booklet": "deckwright.api.imposing",
    "impose": "deckwright.api.imposing",
    "inspect_games": "deckwright.api.game",
    "poster": "deckwright.api.imposing",
    "verify_package": "deckwright.api.packaging",
}
"""What few programs need, and where it is."""


def __getattr__(name: str) -> object:
    """Return what few programs need; it is imported when it is first asked for."""
    if name not in _LATER:
        raise AttributeError(f"module `deckwright.api` has no attribute `{name}`")
    return getattr(import_module(_LATER[name]), name)
