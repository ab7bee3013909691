"""The open game as the studio shows it: its walls, its findings, and what has changed.

A gallery is for one thread. What it gives away is plain data.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from deckwright.api import Face, FaceName, Game, GameError
from deckwright.base.files import is_file
from deckwright.base.findings import ChoiceError, Location, Report, has_errors, require_known
from deckwright.checks.counting import make_matcher
from deckwright.game.deck_rules import RESTRICTION, Where, find_unparsed, references_in
from deckwright.game.folder import is_game
from deckwright.game.kinds import Field, Vocabulary
from deckwright.game.model import CardKey
from deckwright.game.setup import Setup
from deckwright.game.setup_findings import collect_names, parse_user_where
from deckwright.studio.answers import LocalizedError, serialize_error
from deckwright.studio.described import (
    FindingData,
    collect_filters,
    collect_labels,
    group_by_card,
    serialize_finding,
)
from deckwright.studio.faces import (
    ChangeEvent,
    ClientState,
    FaceGrid,
    FaceState,
    FaceSvgCache,
    GameState,
    Json,
    face_key,
)
from deckwright.xmlio.load import X006, load_document

MAX_SEARCH_LENGTH = 500
"""The longest text that is read."""
_SHORT_CONDITION = re.compile(
    r"""(?:(and|or)\s+)?('[^']*'|"[^"]*"|[^\s!=<>"':]+)"""
    r"""(?:\s*(!=|<=|>=|=|<|>|:)\s*|\s+(in|not\s+in)\s+)"""
    r"""('[^']*'|"[^"]*"|[^\s!=<>"':]+)(?:\s+|$)"""
)


def parse_search(text: str, setup: Setup) -> Where:
    """Return what a text states: `strength>=3 and rows=CLOSE`, or shorter `strength>=3 row:CLOSE`.

    In the shorter form `:` is the same as `=`, a child may be called by its tag, and what stands
    side by side must hold together. Fields and terms may be called as they are in print; a name of
    several words stands in quotes.

    Raises:
        ChoiceError: if it states nothing, or names what there is not.
    """
    text = text.strip()
    if len(text) > MAX_SEARCH_LENGTH:
        raise ChoiceError(f"a search has at most {MAX_SEARCH_LENGTH} characters")
    long = _expand(text, setup) if text else None
    where = parse_user_where(text if long is None else long, setup)
    if any(references_in(where)):
        raise ChoiceError(f"`{text}` takes something from a deck, and here is none")
    return where


def _expand(text: str, setup: Setup) -> str | None:
    """Return a text in the long form, None if it cannot be read.

    Raises:
        SaidError: if it names a field that there is not.
    """
    called, parts, fields = _field_names(setup), list[str](), list[str]()
    at = 0
    while found := _SHORT_CONDITION.match(text, at):
        link, field, sign, word, value = found.groups()
        field = field.strip("'\"")
        field = called.get(field.casefold(), field)
        if parts:
            parts.append(link or "and")
        elif link:
            return None
        value = _replace_names(field, value, setup, several=bool(word))
        parts.append(f"{field} {'=' if sign == ':' else sign or word} {value}")
        fields.append(field)
        at = found.end()
    if at != len(text):
        return None
    names = collect_names((), setup.card_kinds)
    known = names.fields | names.lists | {RESTRICTION}
    unknown = next((field for field in fields if field not in known), None)
    if unknown is not None:
        raise _unknown_field_error(
            unknown, text, [*dict.fromkeys(_printed_names(setup).values())] or sorted(known)
        )
    long = " ".join(parts)
    return long if not find_unparsed(long) else None


def _unknown_field_error(field: str, text: str, known: list[str]) -> LocalizedError:
    listed = ", ".join(known)
    message = f"`{text}` names the field `{field}`, which no kind of card has"
    return LocalizedError(
        "search-unknown", field, listed, message=message, hint=f"use one of {listed}"
    )


def _field_names(setup: Setup) -> dict[str, str]:
    """Return the names of fields and of lists of children, by all that they are called."""
    names = {name.casefold(): name for name, _ in _fields(setup)}
    tags = {spec.tag.casefold(): spec.plural for kind in setup.card_kinds for spec in kind.children}
    printed = {said.casefold(): name for name, said in _printed_names(setup).items()}
    return {**printed, **tags, **names}


def _fields(setup: Setup) -> Iterator[tuple[str, Field]]:
    """Yield the fields of cards, and the lists of their children by the first field of each."""
    for kind in setup.card_kinds:
        yield from ((field.name, field) for field in kind.fields)
        yield from ((spec.plural, spec.fields[0]) for spec in kind.children)


def _vocabulary(field: Field, setup: Setup) -> Vocabulary | None:
    return setup.vocabularies.get(field.one.vocabulary or "")


def _printed_names(setup: Setup) -> dict[str, str]:
    """Return what fields are called in print, by their names; by their terms if not themselves."""
    found: dict[str, str] = {}
    for name, field in _fields(setup):
        vocabulary = _vocabulary(field, setup)
        said = field.text or (vocabulary.name if vocabulary else "")
        if said and not field.picture:
            found.setdefault(name, said)
    return found


def _replace_names(name: str, value: str, setup: Setup, *, several: bool) -> str:
    """Return the value of a condition, with terms that it calls as in print by their ids."""
    plain = value.strip("'\"")
    ids = {
        term.name.casefold(): term.id
        for field_name, field in _fields(setup)
        if field_name == name and (vocabulary := _vocabulary(field, setup))
        for term in vocabulary.terms.values()
    }
    parts = [part.strip() for part in plain.split(",")] if several else [plain]
    if not any(part.casefold() in ids for part in parts):
        return value
    return f"'{', '.join(ids.get(part.casefold(), part) for part in parts)}'"


_MAX_VISIBLE = 400
"""So many faces are known to be on somebody's screen."""


class UnsettledError(Exception):
    """A mistake has come that may be a file which is being written: look again in a moment."""


class ComposeStep(NamedTuple):
    """What composing for a while has given, and whether there is more to compose."""

    event: ChangeEvent | None
    left: bool


class LiveGame:
    """An open game, and its faces as they are shown."""

    def __init__(self, game: Game) -> None:
        """Take a game that keeps what it reads."""
        self._game = game
        self._own_setup = game.folder.has_own_setup
        self._pictures = FaceSvgCache()
        self._walls: dict[str | None, FaceGrid] = {}
        self._trouble: tuple[FindingData, ...] = ()
        self._checked: tuple[FindingData, ...] = ()
        self._missing: dict[str, FindingData] = {}
        self._faults = self._read_faults()
        self._unturned: set[Path] = set()
        self._seen: dict[tuple[str | None, str], None] = {}
        self._unpainted: list[str] = []
        self._placed: tuple[int, list[FindingData], dict[CardKey, list[FindingData]]] = (0, [], {})
        self._marked: frozenset[CardKey] = frozenset()
        self._told = ClientState()

    @property
    def game(self) -> Game:
        """The game, for the thread that the gallery is for."""
        return self._game

    def facts(self) -> Json:
        """Return what the page says of the game before it shows anything of it."""
        setup = self._game.model.setup
        return {"name": setup.name, "language": setup.language}

    def wall(self, style: str | None) -> Json:
        """Return the faces of a style, and all about them.

        Raises:
            ChoiceError: if there is no such style.
        """
        if style is not None:
            require_known(style, self._game.styles, "style")
        if style not in self._walls:
            self._walls[style] = FaceGrid(self._game, style, self._pictures)
        found = self._found()
        game, state = self._about(), self._state(found)
        at_cards = self._at_cards(found)
        faces = [
            _serialize_face(name, shown, at_cards.get(name[:2], ()))
            for name, shown in self._walls[style].faces.items()
        ]
        self._told.begin(game, state)
        self._told.wall(style, faces)
        about: Json = {**self.facts(), **game, "style": style}
        factions = about.pop("factions")
        return {
            "game": about,
            "state": state,
            "factions": factions,
            "faces": faces,
            "version": self._told.version,
        }

    @property
    def ok(self) -> bool:
        """Whether all is shown as the files want it."""
        return not any(each.is_error for each in self._present())

    def now(self) -> ChangeEvent:
        """Return how things are, for those who have just come."""
        return self._told.empty()

    def see(self, style: str | None, keys: Iterable[str]) -> None:
        """Take which faces are on somebody's screen: these are composed first, in this order."""
        named = dict.fromkeys((style, key) for key in keys)
        others = (each for each in self._seen if each not in named)
        self._seen = dict.fromkeys(islice(chain(named, others), _MAX_VISIBLE))

    def reload(self, *, patient: bool = False, seconds: float = 0.04) -> ChangeEvent | None:
        """Read the files that have changed; return what is different, None if none has changed.

        Faces that may have changed are composed for a while, those on a screen first; for the
        others ask `compose`.

        Args:
            patient: whether a mistake that was not there before may be a file that is being
                written.
            seconds: for about how long faces are composed.

        Raises:
            UnsettledError: if `patient` is and there is such a mistake; all stays as it was.
        """
        try:
            self._demand_game()
            files = self._game.reload(compare=False).files
        except GameError as error:
            return self._troubled(
                (serialize_finding(each, self._game.path) for each in error.findings), patient
            )
        except ChoiceError as error:
            return self._troubled(
                [FindingData("", "error", error.message, error.hint, None)], patient
            )
        self._unturned.update(files)
        if not self._unturned and not self._trouble:
            return None
        faults = self._read_faults()
        missing = self._now_missing()
        if patient and (
            any(each.is_error and each not in self._faults for each in faults)
            or missing.keys() - self._missing.keys()
            or not all(map(self._is_whole, self._unturned))
        ):
            raise UnsettledError
        before = self._present()
        self._faults, self._missing, self._trouble = faults, missing, ()
        self._unturned.clear()
        self._turn()
        # What was known from reading is known anew; of the rest the next check tells.
        self._checked = tuple(each for each in self._checked if each not in before)
        touched = self._compose(seconds)
        pending = {name for _, name, shown in self._all() if shown.hash is None}
        return self._event(touched.keys() | pending) or self.now()

    def compose(self, seconds: float) -> ComposeStep:
        """Compose faces that are due for about so long."""
        if self._unturned:  # they would be composed of what is not shown yet
            return ComposeStep(None, left=False)
        touched = self._compose(seconds)
        event = self._event(touched.keys()) if touched else None
        return ComposeStep(event, any(shown.dirty for _, _, shown in self._all()))

    def paint(self) -> None:
        """Paint the faces that were composed for a screen: they will be asked for at once."""
        for name in self._unpainted:
            self.svg(name)
        self._unpainted = []

    def painted(self, name: str) -> bytes | None:
        """Return the face of a hash as SVG if it has been painted; any thread may ask."""
        return self._pictures.painted(name)

    def draft(self, face: Face) -> str:
        """Take a face that stands on no wall, and return its hash.

        Raises:
            GameError: if it cannot be painted.
        """
        return self._pictures.paint(face)

    def svg(self, name: str) -> bytes | None:
        """Return the face of a hash as SVG, None if there is none or it cannot be painted."""
        try:
            return self._pictures.svg(name)
        except GameError:
            return None

    def bled(self, name: str) -> bytes | None:
        """Return the face of a hash with its bleed as SVG, None as `svg` does."""
        try:
            return self._pictures.bled(name)
        except GameError:
            return None

    def search(self, text: str) -> Json:
        """Return the cards that a condition holds for, or what is wrong with it."""
        try:
            where = parse_search(text, self._game.model.setup)
        except ChoiceError as error:
            return serialize_error(error)
        holds = make_matcher(where)
        printed = self._game.model.printed()
        return {
            "cards": [f"{owner}:{card.id}" for card, owner, _ in printed if owner and holds(card)]
        }

    def note(self, checked: Iterable[FindingData]) -> ChangeEvent | None:
        """Take what the check of the whole game has found; return what is different."""
        self._checked = tuple(checked)
        if self._missing and not any(each.is_error for each in self._checked):
            self._missing = {}  # the game is whole without them
            self._turn()
        return self._event()

    def _turn(self) -> None:
        """Have the walls follow what was read."""
        whole = not self._missing and not has_errors(self._game.faults)
        for wall in self._walls.values():
            wall.turn(whole=whole)
        self._pictures.keep(shown.hash for _, _, shown in self._all())

    def _all(self) -> Iterator[tuple[FaceGrid, FaceName, FaceState]]:
        """Yield what is on the walls."""
        for wall in self._walls.values():
            for name, shown in wall.faces.items():
                yield wall, name, shown

    def _compose(self, seconds: float) -> dict[FaceName, None]:
        """Compose for about so long, or until a face on a screen looks different; return which."""
        until = time.monotonic() + seconds
        due = [each for each in self._all() if each[2].dirty]
        places = {each: place for place, each in enumerate(self._seen)}
        due.sort(key=lambda each: places.get((each[1].style, face_key(each[1])), len(places)))
        touched: dict[FaceName, None] = {}
        for wall, name, shown in due:
            differs = wall.compose(name)
            touched[name] = None
            if differs and shown.hash is not None and self._is_seen(name):
                self._unpainted.append(shown.hash)
                break
            if time.monotonic() > until:
                break
        return touched

    def _is_seen(self, name: FaceName) -> bool:
        return (name.style, face_key(name)) in self._seen

    def _event(self, names: Collection[FaceName] | None = None) -> ChangeEvent | None:
        """Return what is not told yet; None if there is nothing.

        Args:
            names: the faces that alone may have changed, all if None.
        """
        found = self._found()
        state = self._state(found)
        if not (state["ok"] and self._told.state and self._told.state["ok"]):
            names = None  # any may be a former one, or be none any more
        at_cards = self._at_cards(found)
        marked, self._marked = self._marked | at_cards.keys(), frozenset(at_cards)
        walls = {
            style: (
                [*map(face_key, wall.faces)],
                [
                    _serialize_face(name, shown, at_cards.get(name[:2], ()))
                    for name, shown in wall.faces.items()
                    if names is None or name in names or name[:2] in marked
                ],
            )
            for style, wall in self._walls.items()
        }
        return self._told.event(self._about(), state, walls)

    def _at_cards(self, found: list[FindingData]) -> dict[CardKey, list[FindingData]]:
        """Return the findings that stand at cards."""
        model, folder = self._game.model, self._game.path
        if self._placed[:2] != (id(model), found):
            printed = model.printed() if found else ()
            sources = {(owner, card.id): card.source for card, owner, _ in printed if owner}
            self._placed = id(model), found, group_by_card(found, sources, folder)
        return self._placed[2]

    def _about(self) -> Json:
        """Return what is told of the game with each wall."""
        model, folder = self._game.model, self._game.path
        return {
            "name": model.setup.name,
            "styles": [*self._game.styles],
            "folder": str(folder.absolute()),
            "filters": collect_filters(model),
            "kinds": {kind.tag: kind.name for kind in model.setup.kinds.values()},
            "labels": collect_labels(model),
            "factions": [
                {"id": each.id, "name": each.name, "color": each.color}
                for each in model.factions.values()
            ],
        }

    def _state(self, found: list[FindingData]) -> GameState:
        return {"ok": self.ok, "findings": [each._asdict() for each in found]}

    def _is_whole(self, path: Path) -> bool:
        """Return whether a file is no template that ends in the middle."""
        folders = self._game.folder.template_folders
        if path.suffix != ".xml" or not any(map(path.is_relative_to, folders)) or not is_file(path):
            return True
        return load_document(path, Report()) is not None

    def _now_missing(self) -> dict[str, FindingData]:
        """Return the files of cards that are not there any more, though their factions are."""
        known = self._game.model.factions
        told = {
            str(shown.card["source"]["path"])
            for _, name, shown in self._all()
            if name.faction in known and shown.hash is not None
        }
        missing = {}
        for path in sorted(told):
            if not is_file(self._game.path / path):
                message = f"`{path}` is not there any more"
                hint = "bring it back; until the game is whole without it, its cards stay"
                missing[path] = FindingData(X006.id, "error", message, hint, path)
        return missing

    def _demand_game(self) -> None:
        """Raise a GameError if the files that make the folder a game are gone, as between saves."""
        folder = self._game.folder
        message = ""
        if not is_game(folder.path):
            message = "the folder `xml` is not there any more"
        elif self._own_setup and not folder.has_own_setup:
            message = "`game.xml` is not there any more"
        if message:
            place = Location(folder.xml / "game.xml")
            raise GameError([X006.at(place, message, "bring it back; the cards are as they were")])

    def _troubled(self, found: Iterable[FindingData], patient: bool) -> ChangeEvent | None:  # noqa: FBT001
        trouble = tuple(found)
        if trouble != self._trouble and patient:
            raise UnsettledError
        self._trouble = trouble
        return self._event()

    def _read_faults(self) -> tuple[FindingData, ...]:
        """Return what was found while the game was read."""
        return tuple(serialize_finding(each, self._game.path) for each in self._game.faults)

    def _present(self) -> list[FindingData]:
        """Return what is known to be wrong without a check of the whole game."""
        found = [*self._trouble, *self._missing.values(), *self._faults]
        for _, _, shown in self._all():
            found += shown.faults
        return [*dict.fromkeys(found)]

    def _found(self) -> list[FindingData]:
        """Return all findings that are known, the worst first."""
        found = dict.fromkeys([*self._present(), *self._checked])
        return sorted(found, key=lambda each: each.rank)


def _serialize_face(name: FaceName, shown: FaceState, found: Iterable[FindingData]) -> Json:
    listed = dict.fromkeys([*shown.faults, *found])
    return {
        "key": face_key(name),
        **shown.card,
        "part": name.part,
        "side": "back" if name.back else "face",
        "hash": shown.hash,
        "pending": shown.pending,
        "stale": shown.stale,
        "unprinted": [*shown.unprinted],
        "findings": [each._asdict() for each in listed],
    }
