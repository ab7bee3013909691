"""Deckwright turns a folder of XML into checked, printable card games.

`open_game` opens one; docs/library.md tells of the library.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deckwright.api import (
        Card,
        Changes,
        Deck,
        DeckPrint,
        Diagnostic,
        Face,
        FaceName,
        Game,
        GameError,
        Item,
        Limits,
        Print,
        Sheets,
        open_game,
    )

__version__ = "0.1.0"
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
    "open_game",
]


def __getattr__(name: str) -> object:
    """Return what the library has under a name; it is imported when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module `deckwright` has no attribute `{name}`")
    from deckwright import api  # noqa: PLC0415 - imports everything

    return getattr(api, name)
