"""The decks of a game by their ids, and how they are saved. For the game's thread.

A deck's id is the name of its file without the ending. Files are found by looking through those
that there are, and named here: no path is taken from anybody.
"""

from __future__ import annotations

import base64
import binascii
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from deckwright.api import Game, GameError
from deckwright.base.choices import ChoiceError
from deckwright.base.files import is_file, list_folder
from deckwright.base.findings import Report
from deckwright.base.names import RESERVED, composed, unused
from deckwright.decks.lines import as_file
from deckwright.decks.rewriting import Edits, copies_of, rewritten
from deckwright.game import load
from deckwright.game.decklist import sort_key
from deckwright.game.model import Deck
from deckwright.game.model import Game as Model
from deckwright.studio.decks.drafts import (
    Draft,
    Told,
    notes_of,
    told,
    without_usual_zones,
)
from deckwright.studio.saving import ConflictError, Saved, Saving
from deckwright.studio.saying import SaidError

_LONGEST_ID = 60
_ID = re.compile(r"[^\s./\\:*?\"<>|\x00-\x1f][^/\\:*?\"<>|\x00-\x1f]{0,99}")


class Read(NamedTuple):
    """A deck that was read.

    Attributes:
        state: what tells what its file held; None for one that stands in a table.
        findings: what is wrong with its file; lines with mistakes are not in the deck.
    """

    deck: Deck
    path: Path
    state: str | None
    findings: Report


class Shelf:
    """Where the decks of a game are."""

    def __init__(self, game: Game, saving: Saving) -> None:
        """Take the open game, and what writes to it."""
        self._game, self._saving = game, saving

    @property
    def model(self) -> Model:
        """The game as it is now."""
        return self._game.model

    def paths(self) -> dict[str, Path]:
        """Return where decks are, by their ids; those of tables where their lists would be."""
        return {composed(path.stem): path for path in self._game.folder.deck_files()}

    def read(self, path: Path) -> Read:
        """Read a deck as its file has it now.

        Raises:
            GameError: if nothing of it can be used.
        """
        report: Report = []
        state = self._saving.state(path) if is_file(path) else None
        deck = load.load_deck(path, self._game.folder, self.model.setup, report)
        if deck is None:
            raise GameError(report)
        return Read(deck, path, state, report)

    def draft(self, path: Path) -> Told:
        """Return the draft of a deck as its file has it now.

        Raises:
            GameError: if nothing of it can be used.
        """
        read = self.read(path)
        return told(self.model, read.deck, composed(path.stem), read.state)

    def save(self, draft: Draft) -> Told:
        """Write a draft: over the deck that it came from, or as a new one; return it as it is now.

        Raises:
            ChoiceError: if it cannot be written there.
            ConflictError: if the deck's file is not as it was read.
            GameError: if the file cannot be used.
        """
        if not draft.deck.name:
            raise SaidError("decks-no-name", message="the deck has no name", hint="give it one")
        if draft.id is None:
            path = self._new(draft.deck.name)
            self._saving.write(
                {path: Saved(as_file(without_usual_zones(self.model, draft.deck)), None)}
            )
            return self.draft(path)
        path = self._own_file(draft.id)
        if self._saving.state(path) != draft.before or draft.before is None:
            now = path.read_bytes() if is_file(path) else None
            raise ConflictError(path, now)
        read = self.read(path)
        edits = _edits(self.model, read.deck, draft.deck)
        if edits != Edits():
            content = rewritten(path, self.model, read.deck, edits)
            self._saving.write({path: Saved(content, draft.before)})
        return self.draft(path)

    def remove(self, deck_id: str, before: str) -> bytes:
        """Remove a deck's file; return what it held.

        Raises:
            ChoiceError: if it is in a table, or could not be brought back.
            ConflictError: if the file is not as it was read.
        """
        path = self._own_file(deck_id)
        try:
            if is_file(path):
                self.read(path)
        except GameError:
            message = f"`{path.name}` has mistakes, so it could not be brought back"
            hint = "mend it first, or remove it yourself"
            raise SaidError("decks-no-way-back", message=message, hint=hint) from None
        return self._saving.remove(path, before)

    def restore(self, deck_id: str, content: str) -> Told:
        """Bring back a file that was removed.

        Args:
            content: what it held, in base64.

        Raises:
            ChoiceError: if it is none, or there is one again.
        """
        if not _ID.fullmatch(deck_id) or deck_id.casefold() in RESERVED:
            raise ChoiceError(f"no deck is called `{deck_id}`")
        if deck_id.casefold() in map(str.casefold, self.paths()):
            message = f"there is a deck `{deck_id}` again"
            raise SaidError("decks-there-again", deck_id, message=message)
        try:
            data = base64.b64decode(content, validate=True)
        except (ValueError, binascii.Error):
            raise ChoiceError("this is no deck list") from None
        if self.read_bytes(data, []) is None:
            raise ChoiceError("this is no deck list")
        path = self._game.folder.decks_folder / f"{deck_id}.xml"
        self._saving.write({path: Saved(data, None)})
        return self.draft(path)

    def read_bytes(self, data: bytes, report: Report) -> Deck | None:
        """Return the deck of a deck list that is in no file, None after reporting why not."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "deck.xml"
            path.write_bytes(data)
            return load.load_deck(path, self._game.folder, self.model.setup, report)

    def _own_file(self, deck_id: str) -> Path:
        """Return the file of a deck.

        Raises:
            ChoiceError: if it stands in a table.
            ConflictError: if there is none any more.
        """
        path = self.paths().get(deck_id)
        if path is None:
            raise ConflictError(Path(f"{deck_id}.xml"), None)
        if not is_file(path):
            table = next(iter(self._game.folder.home_of(path))).name
            message = f"`{deck_id}` stands in `{table}`, which is a table"
            hint = "change it there, or save a copy"
            raise SaidError("decks-in-table", table, message=message, hint=hint)
        return path

    def _new(self, name: str) -> Path:
        """Return a file for a new deck that there is not yet."""
        folder = self._game.folder.decks_folder
        taken = {composed(path.stem).casefold() for path in list_folder(folder)}
        taken |= {known.casefold() for known in self.paths()} | RESERVED
        slug = re.sub(r"\W+", "_", sort_key(name))[:_LONGEST_ID].strip("_")
        return folder / f"{unused(slug or 'deck', taken, '_', _LONGEST_ID)}.xml"


def _edits(game: Model, old: Deck, new: Deck) -> Edits:
    """Return what makes one deck of another."""
    had, has = copies_of(game, old), copies_of(game, new)
    copies = {place: n for place, n in has.items() if had.get(place) != n}
    copies |= dict.fromkeys((place for place in had if place not in has), 0)
    before, after = notes_of(game, old), notes_of(game, new)
    notes = {place: after.get(place, "") for place in has if before.get(place) != after.get(place)}
    named = {
        name: value
        for name, value, was in (
            ("main_faction_id", new.faction_id, old.faction_id),
            ("name", new.name, old.name),
            ("format", new.format, old.format),
        )
        if value != was
    }
    return Edits(copies, notes, named)
