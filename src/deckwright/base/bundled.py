"""Files that Deckwright has and games may have of their own: the game's come first."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import is_file, list_folder


class Bundled(NamedTuple):
    """XML files of one kind.

    Attributes:
        folder: that of the bundled ones.
        own: the folder below `xml` that a game has for its own.
    """

    folder: Path
    own: str

    def names(self, xml_folder: Path) -> list[str]:
        """Return the names of all files, without their endings."""
        folders = (xml_folder / self.own, self.folder)
        files = (path for folder in folders for path in list_folder(folder))
        return sorted({path.stem for path in files if path.suffix == ".xml"})

    def file(self, name: str, xml_folder: Path) -> Path:
        """Return the file of a name, there or not: the game's own, or the bundled one."""
        own = xml_folder / self.own / f"{name}.xml"
        return own if is_file(own) else self.folder / own.name
