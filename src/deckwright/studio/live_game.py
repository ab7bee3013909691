"""The open game as the studio shows it: its face grids, its findings, and changes to them.

A `LiveGame` belongs to one thread and returns plain data.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from deckwright.api import FaceName, Game, GameError
from deckwright.base.files import is_file
from deckwright.base.findings import ChoiceError, Location, Report, has_errors, require_known
from deckwright.checks.counting import make_matcher
from deckwright.game.card_data import (
    collect_aliases,
    collect_filters,
    collect_labels,
    collect_printed_names,
    named_fields,
    vocabulary_of,
)
from deckwright.game.deck_rules import RESTRICTION, Where, find_unparsed, references_in
from deckwright.game.folder import is_game
from deckwright.game.model import CardKey
from deckwright.game.setup import Setup
from deckwright.game.setup_checks import collect_names, parse_user_where
from deckwright.studio.answers import Json, LocalizedError, pick, serialize_error, to_plain
from deckwright.studio.described import FindingData, group_by_card, is_blank, serialize_finding
from deckwright.studio.faces import (
    ChangeEvent,
    ClientState,
    FaceGrid,
    FaceState,
    FaceSvgCache,
    GameState,
    face_key,
)
from deckwright.xmlio.load import X006, load_document

MAX_SEARCH_LENGTH = 500
"""The maximum length of a search text."""
_SHORT_CONDITION = re.compile(
    r"""(?:(and|or)\s+)?('[^']*'|"[^"]*"|[^\s!=<>"':]+)"""
    r"""(?:\s*(!=|<=|>=|=|<|>|:)\s*|\s+(in|not\s+in)\s+)"""
    r"""('[^']*'|"[^"]*"|[^\s!=<>"':]+)(?:\s+|$)"""
)


def parse_search(text: str, setup: Setup) -> Where:
    """Parse a search: `strength>=3 and rows=CLOSE`, or in short `strength>=3 row:CLOSE`.

    In the short form `:` means `=`, children may be named by their tag, and adjacent conditions
    must all hold. Fields and terms may be given by their printed names; names of several words
    need quotes.

    Raises:
        ChoiceError: if the text is empty or invalid, or names an unknown field.
    """
    text = text.strip()
    if len(text) > MAX_SEARCH_LENGTH:
        raise ChoiceError(f"a search has at most {MAX_SEARCH_LENGTH} characters")
    long = _expand(text, setup) if text else None
    where = parse_user_where(text if long is None else long, setup)
    if any(references_in(where)):
        raise ChoiceError(f"`{text}` refers to a deck, but a search has none")
    return where


def _expand(text: str, setup: Setup) -> str | None:
    """Return a search in the long form, None if it cannot be parsed.

    Raises:
        LocalizedError: if it names an unknown field.
    """
    named = [(name, f) for kind in setup.card_kinds for name, _, f in named_fields(kind)]
    aliases = {alias.casefold(): name for alias, name in collect_aliases(setup).items()}
    parts, fields, at = list[str](), list[str](), 0
    while match := _SHORT_CONDITION.match(text, at):
        link, field, sign, word, value = match.groups()
        field = field.strip("'\"")
        field = aliases.get(field.casefold(), field)
        if parts:
            parts.append(link or "and")
        elif link:
            return None
        # Terms may be given by their printed names instead of their ids.
        plain = value.strip("'\"")
        ids = {
            term.name.casefold(): term.id
            for name, spec in named
            if name == field and (vocabulary := vocabulary_of(spec, setup))
            for term in vocabulary.terms.values()
        }
        values = [part.strip() for part in plain.split(",")] if word else [plain]
        if any(part.casefold() in ids for part in values):
            value = f"'{', '.join(ids.get(part.casefold(), part) for part in values)}'"
        parts.append(f"{field} {'=' if sign == ':' else sign or word} {value}")
        fields.append(field)
        at = match.end()
    if at != len(text):
        return None
    names = collect_names((), setup.card_kinds)
    known = names.fields | names.lists | {RESTRICTION}
    unknown = next((field for field in fields if field not in known), None)
    if unknown is not None:
        shown = [*dict.fromkeys(collect_printed_names(setup).values())] or sorted(known)
        raise LocalizedError(
            "search-unknown",
            unknown,
            ", ".join(shown),
            message=f"`{text}` names the field `{unknown}`, which no kind of card has",
            hint=f"use one of {', '.join(shown)}",
        )
    long = " ".join(parts)
    return long if not find_unparsed(long) else None


_MAX_VISIBLE = 400
"""The maximum number of faces that are known to be visible on a screen."""


class UnsettledError(Exception):
    """A new error has appeared that may come from a half-written file: retry in a moment."""


class LiveGame:
    """An open game, with its faces as shown by the page.

    Attributes:
        game: the open game, as it is shown; use it in the game's thread only.
        own: the same in its own language, as it is edited.
        language: the language that is shown, "" for the game's own.
        pictures: the pictures of its faces.
    """

    def __init__(self, game: Game) -> None:
        """Take a game that was opened with a cache of its files."""
        self.game = self.own = game
        self.language = ""
        self._own_setup = game.folder.has_own_setup
        self.pictures = FaceSvgCache()
        self._grids: dict[str | None, FaceGrid] = {}
        self._reload_errors: tuple[FindingData, ...] = ()
        self._check_findings: tuple[FindingData, ...] = ()
        self._missing_files: dict[str, FindingData] = {}
        self._read_findings = self._collect_read_findings()
        self._unapplied: set[Path] = set()
        self._visible: dict[tuple[str | None, str], None] = {}
        self._unpainted: list[str] = []
        self._grouped: tuple[int, list[FindingData], dict[CardKey, list[FindingData]]] = (0, [], {})
        self._cards_with_findings: frozenset[CardKey] = frozenset()
        self._client = ClientState()

    def basics(self) -> Json:
        """Return the game's name and language, which the page needs first."""
        setup = self.own.model.setup
        return {"name": setup.name, "language": setup.language}

    def face_grid(self, style: str | None) -> Json:
        """Return the faces of a style, with the game's data and findings.

        Raises:
            ChoiceError: if there is no such style.
        """
        if style is not None:
            require_known(style, self.game.styles, "style")
        if style not in self._grids:
            self._grids[style] = FaceGrid(self.game, style, self.pictures)
        findings = self._all_findings()
        game, state = self._describe_game(), self._game_state(findings)
        at_cards = self._group_by_card(findings)
        faces = [
            _serialize_face(name, face, at_cards.get(name[:2], ()))
            for name, face in self._grids[style].faces.items()
        ]
        self._client.record_grid(style, faces, game, state)
        about: Json = {**self.basics(), **game, "style": style}
        factions = about.pop("factions")
        return {
            "game": about,
            "state": state,
            "factions": factions,
            "faces": faces,
            "version": self._client.version,
        }

    @property
    def ok(self) -> bool:
        """True if there are no errors, so that all faces are up to date."""
        return not any(each.is_error for each in self._current_findings())

    def empty_event(self) -> ChangeEvent:
        """Return the first event for a new client."""
        return self._client.empty_event()

    def note_visible(self, style: str | None, keys: Iterable[str]) -> None:
        """Note which faces are visible on a screen: they are composed first, in this order."""
        visible = dict.fromkeys((style, key) for key in keys)
        others = (each for each in self._visible if each not in visible)
        self._visible = dict.fromkeys(islice(chain(visible, others), _MAX_VISIBLE))

    def reload(self, *, patient: bool = False, seconds: float = 0.04) -> ChangeEvent | None:
        """Read the changed files; return the changes to show, None if no file has changed.

        Possibly changed faces are composed for a while, visible ones first; `compose` does the
        rest.

        Args:
            patient: whether new errors may come from a file that is still being written.
            seconds: roughly how long to compose faces.

        Raises:
            UnsettledError: if there is such an error and `patient` is set; nothing has changed.
        """
        try:
            self._require_game()
            files = self.game.reload(compare=False).files
            if self.own is not self.game:
                self.own.reload(compare=False)
        except (ChoiceError, GameError) as error:
            if isinstance(error, GameError):
                errors = tuple(serialize_finding(each, self.game.path) for each in error.findings)
            else:
                errors = (FindingData("", "error", error.message, error.hint, None),)
            if errors != self._reload_errors and patient:
                raise UnsettledError from None
            self._reload_errors = errors
            return self._take_event()
        self._unapplied.update(files)
        if not self._unapplied and not self._reload_errors:
            return None
        faults = self._collect_read_findings()
        # Card files that are gone while their factions still exist.
        paths = {
            str(state.card["source"]["path"])
            for _, name, state in self._all_faces()
            if name.faction in self.game.model.factions and state.hash is not None
        }
        missing: dict[str, FindingData] = {}
        for path in sorted(paths):
            if not is_file(self.game.path / path):
                message = f"`{path}` no longer exists"
                hint = "restore it; its cards stay until the game has no errors without it"
                missing[path] = FindingData(X006.id, "error", message, hint, path)
        if patient and (
            any(each.is_error and each not in self._read_findings for each in faults)
            or missing.keys() - self._missing_files.keys()
            or not all(map(self._is_complete, self._unapplied))
        ):
            raise UnsettledError
        before = self._current_findings()
        self._read_findings, self._missing_files, self._reload_errors = faults, missing, ()
        self._unapplied.clear()
        self._refresh_grids()
        # Reading has just refreshed its own findings; the next check refreshes the others.
        self._check_findings = tuple(each for each in self._check_findings if each not in before)
        touched = self._compose(seconds)
        pending = {name for _, name, state in self._all_faces() if state.hash is None}
        return self._take_event(touched.keys() | pending) or self.empty_event()

    def switch_language(self, code: str) -> ChangeEvent:
        """Show the game in a language, "" for its own; return the changes to show."""
        if code != self.language:
            self.game = self.own.in_language(code) if code else self.own
            self.language, self._reload_errors = code, ()
            self._read_findings = self._collect_read_findings()
            self._grids = {each: FaceGrid(self.game, each, self.pictures) for each in self._grids}
        return self._take_event() or self.empty_event()

    def compose(self, seconds: float) -> tuple[ChangeEvent | None, bool]:
        """Compose dirty faces for about this long; return the changes, and whether more wait."""
        if self._unapplied:  # faces would mix the old files with the new
            return None, False
        touched = self._compose(seconds)
        event = self._take_event(touched.keys()) if touched else None
        return event, any(state.dirty for _, _, state in self._all_faces())

    def paint_visible(self) -> None:
        """Paint the visible faces that were just composed, as the page will request them."""
        for name in self._unpainted:
            self.pictures.svg(name)
        self._unpainted = []

    def search(self, text: str) -> Json:
        """Return the cards that meet a condition, or the error in it."""
        try:
            where = parse_search(text, self.game.model.setup)
        except ChoiceError as error:
            return serialize_error(error)
        holds = make_matcher(where)
        printed = self.game.model.printable_cards()
        return {
            "cards": [f"{owner}:{card.id}" for card, owner, _ in printed if owner and holds(card)]
        }

    def note_check(self, checked: Iterable[FindingData]) -> ChangeEvent | None:
        """Take the findings of a full check; return the changes to show."""
        self._check_findings = tuple(checked)
        if self._missing_files and not any(each.is_error for each in self._check_findings):
            self._missing_files = {}  # the game is valid without them
            self._refresh_grids()
        return self._take_event()

    def _refresh_grids(self) -> None:
        """Update the grids to the game as just read."""
        complete = not self._missing_files and not has_errors(self.game.faults)
        for grid in self._grids.values():
            grid.refresh(complete=complete)
        self.pictures.retain(state.hash for _, _, state in self._all_faces())

    def _all_faces(self) -> Iterator[tuple[FaceGrid, FaceName, FaceState]]:
        """Yield the faces of all grids."""
        for grid in self._grids.values():
            for name, state in grid.faces.items():
                yield grid, name, state

    def _compose(self, seconds: float) -> dict[FaceName, None]:
        """Compose for about this long or until a visible face changes; return what was composed."""
        until = time.monotonic() + seconds
        due = [each for each in self._all_faces() if each[2].dirty]
        places = {each: place for place, each in enumerate(self._visible)}
        due.sort(key=lambda each: places.get((each[1].style, face_key(each[1])), len(places)))
        touched: dict[FaceName, None] = {}
        for grid, name, state in due:
            differs = grid.compose(name)
            touched[name] = None
            if differs and state.hash is not None and (name.style, face_key(name)) in self._visible:
                self._unpainted.append(state.hash)
                break
            if time.monotonic() > until:
                break
        return touched

    def _take_event(self, names: Collection[FaceName] | None = None) -> ChangeEvent | None:
        """Return the unsent changes, None if there are none.

        Args:
            names: the only faces that may have changed; None for all.
        """
        findings = self._all_findings()
        state = self._game_state(findings)
        if not (state["ok"] and self._client.state and self._client.state["ok"]):
            names = None  # any face may have become stale, or current again
        at_cards = self._group_by_card(findings)
        marked = self._cards_with_findings | at_cards.keys()
        self._cards_with_findings = frozenset(at_cards)
        grids = {
            style: (
                [*map(face_key, grid.faces)],
                [
                    _serialize_face(name, face, at_cards.get(name[:2], ()))
                    for name, face in grid.faces.items()
                    if names is None or name in names or name[:2] in marked
                ],
            )
            for style, grid in self._grids.items()
        }
        return self._client.take_event(self._describe_game(), state, grids)

    def _group_by_card(self, findings: list[FindingData]) -> dict[CardKey, list[FindingData]]:
        """Return the findings by card."""
        model, folder = self.game.model, self.game.path
        if self._grouped[:2] != (id(model), findings):
            printed = model.printable_cards() if findings else ()
            sources = {(owner, card.id): card.source for card, owner, _ in printed if owner}
            self._grouped = id(model), findings, group_by_card(findings, sources, folder)
        return self._grouped[2]

    def _describe_game(self) -> Json:
        """Return the game's data that is sent with each face grid."""
        model, folder = self.game.model, self.game.path
        return {
            "name": str(model.setup.name),
            "shown": self.language,
            "languages": [*self.game.folder.catalogs()],
            "styles": [*self.game.styles],
            "blank": next(iter(model.printable_cards()), None) is None
            and is_blank(self.game.folder),
            "folder": str(folder.absolute()),
            "filters": to_plain(collect_filters(model)),
            "kinds": {kind.tag: str(kind.name) for kind in model.setup.kinds.values()},
            "labels": to_plain(collect_labels(model)),
            "factions": [pick(each, "id", "name", "color") for each in model.factions.values()],
        }

    def _game_state(self, findings: list[FindingData]) -> GameState:
        return {"ok": self.ok, "findings": [each._asdict() for each in findings]}

    def _is_complete(self, path: Path) -> bool:
        """Return False for a template that is only partly written."""
        folders = self.game.folder.template_folders
        if path.suffix != ".xml" or not any(map(path.is_relative_to, folders)) or not is_file(path):
            return True
        return load_document(path, Report()) is not None

    def _require_game(self) -> None:
        """Raise a GameError if the folder no longer has a game, as may happen between saves."""
        folder = self.game.folder
        message = ""
        if not is_game(folder.path):
            message = "the folder `xml` no longer exists"
        elif self._own_setup and not folder.has_own_setup:
            message = "`game.xml` no longer exists"
        if message:
            place = Location(folder.xml / "game.xml")
            raise GameError([X006.at(place, message, "restore it; the last cards are shown")])

    def _collect_read_findings(self) -> tuple[FindingData, ...]:
        """Return the findings from reading the game."""
        return tuple(serialize_finding(each, self.game.path) for each in self.game.faults)

    def _current_findings(self) -> list[FindingData]:
        """Return the findings known without a full check."""
        findings = [*self._reload_errors, *self._missing_files.values(), *self._read_findings]
        for _, _, state in self._all_faces():
            findings += state.errors
        return [*dict.fromkeys(findings)]

    def _all_findings(self) -> list[FindingData]:
        """Return all known findings, worst first."""
        findings = dict.fromkeys([*self._current_findings(), *self._check_findings])
        return sorted(findings, key=lambda each: each.rank)


def _serialize_face(name: FaceName, state: FaceState, findings: Iterable[FindingData]) -> Json:
    all_findings = dict.fromkeys([*state.errors, *findings])
    return {
        "key": face_key(name),
        **state.card,
        "part": name.part,
        "side": "back" if name.back else "face",
        "hash": state.hash,
        "pending": state.pending,
        "stale": state.stale,
        "unprinted": [*state.unprinted],
        "findings": [each._asdict() for each in all_findings],
    }
