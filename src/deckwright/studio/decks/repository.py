"""The decks of a game: listing, loading, saving and removing. For the game's thread only."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from deckwright.api import Game, GameError
from deckwright.base.extras import install_command
from deckwright.base.files import RESERVED_NAMES, is_file, list_folder, make_unique, to_nfc
from deckwright.base.findings import ChoiceError, Report, is_error
from deckwright.base.locales import sort_key
from deckwright.checks.counting import DeckLine, assign_zones
from deckwright.checks.fielding import DeckFeasibility, faction_format
from deckwright.checks.loading import LimitOptions, check_deck_list
from deckwright.decks.deck_file import DeckEdits, count_by_place, edit_deck_file, format_deck_file
from deckwright.decks.odds import resolve_opening
from deckwright.decks.solver.highs import is_installed
from deckwright.decks.stats import make_charts
from deckwright.game import load
from deckwright.game.decklist import format_of
from deckwright.game.model import Deck, DeckEntry
from deckwright.game.model import Game as Model
from deckwright.game.read import use_file_cache
from deckwright.studio.answers import (
    ConflictError,
    FileWrite,
    FolderWriter,
    Json,
    LocalizedError,
    pick,
)
from deckwright.studio.described import display_path
from deckwright.studio.drafts import (
    Draft,
    DraftData,
    collect_notes,
    drop_default_zones,
    key_of,
    read_draft,
    require_faction,
    serialize_draft,
)

_MAX_ID_LENGTH = 60
_ID = re.compile(r"[^\s./\\:*?\"<>|\x00-\x1f][^/\\:*?\"<>|\x00-\x1f]{0,99}")


class DeckFile(NamedTuple):
    """A deck as read from its file.

    Attributes:
        fingerprint: the fingerprint of the file; None if the deck is in a table.
        findings: the errors in its file; the deck omits the lines that have errors.
    """

    deck: Deck
    path: Path
    fingerprint: str | None
    findings: Report


class DeckRepository:
    """Loads and saves the decks of a game."""

    def __init__(self, game: Game, writer: FolderWriter) -> None:
        self._game, self._writer = game, writer

    @property
    def model(self) -> Model:
        """The current game."""
        return self._game.model

    def deck_paths(self) -> dict[str, Path]:
        """Return the decks' paths by id; for decks in tables, those that their files would have."""
        return {to_nfc(path.stem): path for path in self._game.folder.deck_files()}

    def read(self, path: Path) -> DeckFile:
        """Read a deck from its file.

        Raises:
            GameError: if no part of it can be used.
        """
        report: Report = []
        state = self._writer.file_fingerprint(path) if is_file(path) else None
        deck = load.load_deck(path, self._game.folder, self.model.setup, report)
        if deck is None:
            raise GameError(report)
        return DeckFile(deck, path, state, report)

    def load_draft(self, path: Path) -> DraftData:
        """Load a deck as a draft.

        Raises:
            GameError: if no part of it can be used.
        """
        read = self.read(path)
        return serialize_draft(self.model, read.deck, to_nfc(path.stem), read.fingerprint)

    def resolve(self, reference: object) -> Deck:
        """Return a deck that is given by its id, or as a draft.

        Raises:
            ChoiceError: if there is no such deck, or the draft is malformed.
            GameError: if no part of it can be used.
        """
        given = reference if isinstance(reference, dict) else {}
        if "draft" in given:
            return read_draft(given["draft"], self.model).deck
        name = str(given.get("id"))
        path = self.deck_paths().get(name)
        if path is None:
            raise LocalizedError("decks-gone", name, message=f"there is no deck `{name}`")
        deck = self.read(path).deck
        require_faction(deck.faction_id, self.model)
        return deck

    def save(self, draft: Draft) -> DraftData:
        """Save a draft to the file it is based on, or to a new one; return it as reloaded.

        Raises:
            ChoiceError: if it cannot be written there.
            ConflictError: if the deck's file has changed since it was read.
            GameError: if the file cannot be used.
        """
        if not draft.deck.name:
            message = "the deck has no name"
            raise LocalizedError("decks-no-name", message=message, hint="give it one")
        if draft.id is None:
            folder = self._game.folder.decks_folder
            taken = {to_nfc(path.stem).casefold() for path in list_folder(folder)}
            taken |= {known.casefold() for known in self.deck_paths()} | RESERVED_NAMES
            slug = re.sub(r"\W+", "_", sort_key(draft.deck.name))[:_MAX_ID_LENGTH].strip("_")
            path = folder / f"{make_unique(slug or 'deck', taken, '_', _MAX_ID_LENGTH)}.xml"
            content = format_deck_file(drop_default_zones(self.model, draft.deck))
            self._writer.write({path: FileWrite(content, None)})
            return self.load_draft(path)
        path, before = self._require_own_file(draft.id), draft.base_fingerprint
        if self._writer.file_fingerprint(path) != before or before is None:
            raise ConflictError(path, path.read_bytes() if is_file(path) else None)
        read = self.read(path)
        old, new = read.deck, draft.deck
        old_copies, new_copies = count_by_place(self.model, old), count_by_place(self.model, new)
        copies = {place: n for place, n in new_copies.items() if old_copies.get(place) != n}
        copies |= dict.fromkeys((place for place in old_copies if place not in new_copies), 0)
        old_notes, new_notes = collect_notes(self.model, old), collect_notes(self.model, new)
        notes = {
            place: new_notes.get(place, "")
            for place in new_copies
            if old_notes.get(place) != new_notes.get(place)
        }
        attributes = {
            name: value
            for name, value, former in (
                ("main_faction_id", new.faction_id, old.faction_id),
                ("name", new.name, old.name),
                ("format", new.format, old.format),
            )
            if value != former
        }
        edits = DeckEdits(copies, notes, attributes)
        if edits != DeckEdits():
            content = edit_deck_file(path, self.model, old, edits)
            self._writer.write({path: FileWrite(content, before)})
        return self.load_draft(path)

    def remove(self, deck_id: str, before: str) -> bytes:
        """Remove a deck's file; return its content.

        Raises:
            ChoiceError: if it is in a table, or has errors and could not be restored.
            ConflictError: if the file has changed since it was read.
        """
        path = self._require_own_file(deck_id)
        try:
            if is_file(path):
                self.read(path)
        except GameError:
            message = f"`{path.name}` has errors, so it could not be restored"
            hint = "correct it first, or remove it yourself"
            raise LocalizedError("decks-no-way-back", message=message, hint=hint) from None
        return self._writer.remove(path, before)

    def restore(self, deck_id: str, content: bytes) -> DraftData:
        """Restore a removed file.

        Raises:
            ChoiceError: if it is no deck list, or a deck of this id exists again.
        """
        if not _ID.fullmatch(deck_id) or deck_id.casefold() in RESERVED_NAMES:
            raise ChoiceError(f"no deck can be called `{deck_id}`")
        if deck_id.casefold() in map(str.casefold, self.deck_paths()):
            message = f"there is a deck `{deck_id}` again"
            raise LocalizedError("decks-there-again", deck_id, message=message)
        if self.read_bytes(content, []) is None:
            raise ChoiceError("this is not a deck list")
        path = self._game.folder.decks_folder / f"{deck_id}.xml"
        self._writer.write({path: FileWrite(content, None)})
        return self.load_draft(path)

    def read_bytes(self, data: bytes, report: Report) -> Deck | None:
        """Return the deck in the content of a deck list; return None after reporting errors."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "deck.xml"
            path.write_bytes(data)
            return load.load_deck(path, self._game.folder, self.model.setup, report)

    def _require_own_file(self, deck_id: str) -> Path:
        """Return the deck's own file.

        Raises:
            ChoiceError: if the deck is in a table.
            ConflictError: if the file is gone.
        """
        path = self.deck_paths().get(deck_id)
        if path is None:
            raise ConflictError(Path(f"{deck_id}.xml"), None)
        if not is_file(path):
            table = next(iter(self._game.folder.deck_sources(path))).name
            message = f"`{deck_id}` is in the table `{table}`"
            hint = "change it there, or save a copy"
            raise LocalizedError("decks-in-table", table, message=message, hint=hint)
        return path


_MAX_SHOWN_CARDS = 4
"""The number of cards shown for a deck in the list."""


def list_decks(game: Game, repository: DeckRepository, *, read_only: bool) -> Json:
    """Return all decks, and the factions, formats, zones and fields for building new ones."""
    model = game.model
    setup, feasibility = model.setup, DeckFeasibility(model)
    decks: list[Json] = []
    with use_file_cache({}):
        for deck_id, path in repository.deck_paths().items():
            report: Report = []
            deck = load.load_deck(path, game.folder, setup, report)
            form, first = None, list[DeckLine]()
            if deck is not None:
                form = format_of(model, deck)
                check_deck_list(model, deck, LimitOptions(), report)
                first = assign_zones(model, deck)[:_MAX_SHOWN_CARDS]
            errors = [each.message for each in report if is_error(each)]
            decks.append(
                {
                    "id": deck_id,
                    "name": deck.name if deck else deck_id,
                    "table": not is_file(path),
                    "file": display_path(path, game.path),
                    "faction": deck.faction_id if deck else None,
                    "format": form.id if form else None,
                    "cards": sum(each.copies for each in deck.entries) if deck else 0,
                    "ok": not errors if deck else None,  # None if it cannot be read
                    "problems": errors,
                    "first": [key_of(line.card) for line in first],
                }
            )
    # The fields by which cards can be grouped and counted.
    lines = [
        DeckLine(DeckEntry(*key, 1, setup.source), card, None)
        for key, card in model.cards.items()
        if card.faction_id in model.factions
    ]
    return {
        "decks": decks,
        "factions": [
            {
                **pick(each, "id", "name", "color"),
                "own": feasibility.has_decks(each, faction_format(setup, each)),
            }
            for each in model.factions.values()
        ],
        "formats": [
            {**pick(each, "id", "name"), "default": each.id == setup.default_format}
            for each in setup.formats.values()
        ],
        "zones": [
            {**pick(zone, "id", "name"), "main": zone.id == setup.main_zone.id}
            for zone in setup.zones
        ],
        "fields": [
            pick(chart, "id", "name", "numeric", "unit") for chart in make_charts(setup, lines)
        ],
        "opening": resolve_opening(setup)._asdict() if setup.opening else None,
        "solver": is_installed(),
        "howto": install_command("solve"),
        "readOnly": read_only,
    }
