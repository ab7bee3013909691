"""Deckwright turns a folder of XML into checked, printable card games.

`open_game` opens one; docs/library.md tells of the library.
"""

TYPE_CHECKING = False  # as `typing` has it, which is slow to import

if TYPE_CHECKING:
    from deckwright.api import *  # noqa: F403 - it says what the library has

__version__ = "1.0.0"

_FUNCTIONS = {
    *("__all__", "booklet", "impose", "inspect_games", "open_game", "poster", "verify_package"),
}
"""What of the library has no capital."""
_FORMER_NAMES = {
    "ForPress": "PressPrint",
    "Generated": "GeneratedFile",
    "Openings": "OpeningOptions",
    "Packaged": "Package",
    "Packing": "PackagePrint",
    "Packs": "BoosterOptions",
    "Statistics": "RunStatistics",
    "Weighing": "BalanceOptions",
}


def __getattr__(name: str) -> object:
    """Return what the library has under a name; it is imported when it is first asked for.

    Its classes have capitals; all else that is asked for are modules, which are imported as usual.
    """
    if not (name[0].isupper() or name in _FUNCTIONS):
        raise AttributeError(f"module `deckwright` has no attribute `{name}`")
    from deckwright import api  # imports everything
    from deckwright.base.renames import replace_former_name

    return getattr(api, replace_former_name(name, _FORMER_NAMES))
