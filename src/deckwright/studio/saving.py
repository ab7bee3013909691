"""Writing to the game's folder: nowhere else, and only over what was read."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.base.files import remove_stale
from deckwright.base.replace import replace_files
from deckwright.game.folder import GameFolder
from deckwright.studio.saying import SaidError


class Saved(NamedTuple):
    """What is to be written to a file.

    Attributes:
        before: what `state` said of the file when it was read, None if there was none.
    """

    content: bytes
    before: str | None


class ConflictError(Exception):
    """A file is not as it was read: somebody else has changed it meanwhile.

    Attributes:
        now: what it holds now, None if it is gone.
    """

    def __init__(self, path: Path, now: bytes | None) -> None:
        """Name the file and what it holds."""
        super().__init__(f"`{path.name}` has changed since it was read")
        self.path, self.now = path, now


class Saving:
    """What writes to the folder of a game.

    Attributes:
        read_only: whether nothing is written at all.
    """

    def __init__(self, folder: GameFolder, *, read_only: bool = False) -> None:
        """Write to `xml` and `img` of a game, and to nothing else of it."""
        self._home, self._roots = folder.path, (folder.xml, folder.images)
        self.read_only = read_only

    def demand_writing(self) -> None:
        """Raise an error if nothing may be written.

        Raises:
            ChoiceError: if this studio only looks.
        """
        if self.read_only:
            hint = "start it without --read-only to save"
            raise SaidError("looks-only", message="this studio only looks", hint=hint)

    def state(self, path: Path) -> str | None:
        """Return what tells what a file holds from anything else, None if there is no file."""
        content = _content(path)
        return None if content is None else state_of(content)

    def write(self, files: Mapping[Path, Saved]) -> None:
        """Write files, all or none.

        Raises:
            ChoiceError: if nothing may be written, or not there.
            ConflictError: if a file is not as it was read.
            OSError: if a file cannot be written; all are as they were.
        """
        for path, saved in files.items():
            self._demand_as_read(path, saved.before)
            remove_stale(path)
        replace_files({path: saved.content for path, saved in files.items()})

    def remove(self, path: Path, before: str) -> bytes:
        """Remove a file; return what it held.

        Raises:
            ChoiceError: if nothing may be written, or not there.
            ConflictError: if the file is not as it was read, or gone.
            OSError: if it cannot be removed.
        """
        held = self._demand_as_read(path, before)
        path.unlink()
        return held or b""

    def _demand_as_read(self, path: Path, before: str | None) -> bytes | None:
        """Return what a file holds, None if there is none; raise an error if it may not change."""
        self.demand_writing()
        self._demand_own(path)
        now = _content(path)
        if (None if now is None else state_of(now)) != before:
            raise ConflictError(path, now)
        return now

    def _demand_own(self, path: Path) -> None:
        real, home = path.resolve(), self._home.resolve()
        own = any(real.is_relative_to(root.resolve()) for root in self._roots)
        if not own or not real.is_relative_to(home):
            raise ChoiceError(f"`{path.name}` is not in the game's folder")


def state_of(content: bytes) -> str:
    """Return what `Saving.state` says of a file that holds this."""
    return blake2b(content, digest_size=16).hexdigest()


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
