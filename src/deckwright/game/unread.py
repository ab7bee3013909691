"""Files of a game that nothing reads, because they are not where they belong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from deckwright.base.files import is_folder, is_there, list_folder
from deckwright.base.findings import Code, Diagnostic, Location, Severity, nearest
from deckwright.game.folder import GameFolder
from deckwright.game.sources import is_table

S011 = Code("S011", Severity.WARNING, "a file that nothing reads")

_FILES = ("game.xml", "rules.xml", "rulebook.xml")
_FACTIONS = ("factions_definition.xml", "factions_definitions.xml")
_FOLDERS = ("Factions", "Decks", "Restrictions", "sheets", "services", "schema", "Words")
_CARDS = "_cards.xml"
_SLIP = 2
"""By how many letters a name that is mistyped is longer or shorter."""


def unread_files(folder: GameFolder, factions: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield findings about files and folders in `xml` that look like the game's, and are not.

    Args:
        factions: the ids of the game's factions, by which card files are called.
    """
    own = (
        folder.cards_folder,
        folder.decks_folder,
        folder.restrictions_folder,
        folder.words_folder,
    )
    read = {*own, *(folder.xml / name for name in _FOLDERS)}
    known = {*_FILES, folder.factions_file.name}
    tables = folder.tables()
    for path in _visible(folder.xml):
        if is_folder(path):
            meant = [] if path in read else nearest(path.name, _FOLDERS)
            yield from (_misplaced(path, name) for name in meant if _is_meant(path, name))
        elif path.name in _FACTIONS and path.name not in known:
            message = f"nothing reads the file because there is also `{folder.factions_file.name}`"
            yield S011.at(Location(path), message, "remove one of the two")
        elif path.name not in known:
            meant = nearest(path.name, known)
            yield from (_misplaced(path, name) for name in meant if _is_meant(path, name))
    for path in _visible(folder.cards_folder):
        if path.suffix.casefold() == ".xml" and not path.name.endswith(_CARDS):
            stem = re.sub("_?cards?$", "", path.stem, flags=re.IGNORECASE)
            yield _misplaced(path, (nearest(stem, factions) or [stem])[0] + _CARDS)
        elif is_table(path) and path not in tables and not path.name.startswith("~$"):
            hint = f'name it in game.xml, by `<table file="{path.name}"/>`'
            yield S011.at(Location(path), "nothing reads the file", hint)


def _visible(folder: Path) -> list[Path]:
    """Return what is in a folder, but for what is hidden and the copies that editors leave."""
    return [
        path
        for path in list_folder(folder)
        if not path.name.startswith((".", "#")) and not path.name.endswith("~")
    ]


def _is_meant(path: Path, name: str) -> bool:
    """Return whether a name is meant that is near: a longer one beside it is that of a copy."""
    return not is_there(path.with_name(name)) or abs(len(path.name) - len(name)) <= _SLIP


def _misplaced(path: Path, name: str) -> Diagnostic:
    """Return the finding that nothing reads a file or folder, which should have another name."""
    what = "folder" if is_folder(path) else "file"
    taken = is_there(path.with_name(name))
    hint = f"move its contents to `{name}`" if taken else f"name it `{name}`"
    return S011.at(Location(path), f"nothing reads the {what}", hint)
