"""The library: games, cards, faces and decks for Python programs. The commands use it too.

An open game caches the files that it reads and the faces that it composes. `Game.reload` scans the
folder again, reads changed files and reports the faces that look different. A game must not be
used by several threads at once. Code that paints or checks is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from deckwright.api.decks import Deck
from deckwright.api.faces import Card, Face
from deckwright.api.game import Changes, CheckedGame, Game, inspect_games, open_game, verify_package
from deckwright.api.options import (
    BalanceOptions,
    BoxPrint,
    DeckPrint,
    GameError,
    Limits,
    MarkerPrint,
    PackagePrint,
    PicturePrint,
    PressPrint,
    PressProofOptions,
    ProofPrint,
    RunPrint,
    ServicePrint,
    Sheets,
    TabletopPrint,
    TokenPrint,
)
from deckwright.api.session import FaceName
from deckwright.base.findings import Diagnostic
from deckwright.outputs.printed import Item, Print

if TYPE_CHECKING:
    from deckwright.api.imposing import booklet, impose, poster
    from deckwright.api.reports import BoosterOptions, GeneratedFile
    from deckwright.api.solving import Solution, SolvedDeck
    from deckwright.decks.generator.boosters import RunStatistics
    from deckwright.decks.odds import Hand, OpeningOptions
    from deckwright.outputs.package.making import Package

__all__ = [
    "BalanceOptions",
    "BoosterOptions",
    "BoxPrint",
    "Card",
    "Changes",
    "CheckedGame",
    "Deck",
    "DeckPrint",
    "Diagnostic",
    "Face",
    "FaceName",
    "Game",
    "GameError",
    "GeneratedFile",
    "Hand",
    "Item",
    "Limits",
    "MarkerPrint",
    "OpeningOptions",
    "Package",
    "PackagePrint",
    "PicturePrint",
    "PressPrint",
    "PressProofOptions",
    "Print",
    "ProofPrint",
    "RunPrint",
    "RunStatistics",
    "ServicePrint",
    "Sheets",
    "Solution",
    "SolvedDeck",
    "TabletopPrint",
    "TokenPrint",
    "booklet",
    "impose",
    "inspect_games",
    "open_game",
    "poster",
    "verify_package",
]


_LAZY_MODULES = {
    name: f"deckwright.{module}"
    for module, names in {
        "api.imposing": "booklet impose poster",
        "api.reports": "BoosterOptions GeneratedFile",
        "api.solving": "Solution SolvedDeck",
        "decks.generator.boosters": "RunStatistics",
        "decks.odds": "Hand OpeningOptions",
        "outputs.package.making": "Package",
    }.items()
    for name in names.split()
}
"""Rarely used names and the modules that define them."""


def __getattr__(name: str) -> object:
    """Import a rarely used name on first access."""
    if name not in _LAZY_MODULES:
        raise AttributeError(f"module `deckwright.api` has no attribute `{name}`")
    return getattr(import_module(_LAZY_MODULES[name]), name)
