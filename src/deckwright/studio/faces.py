"""The faces that the page shows: the current ones, or the last good ones while there are errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, TypedDict

from deckwright import __version__
from deckwright.api import Card, Face, FaceName, Game, GameError
from deckwright.base.cache import BoundedCache
from deckwright.base.findings import ChoiceError, Diagnostic, is_error
from deckwright.faces.copies import back_of
from deckwright.game import model
from deckwright.game.card_data import CardData, serialize_card
from deckwright.game.model import CardKey
from deckwright.studio.answers import Json, fingerprint_of, to_plain
from deckwright.studio.described import FindingData, display_path, serialize_finding

PREVIEW_BLEED = 3
"""The bleed shown around a face, in mm: as much as print services usually require."""
_MAX_CACHE_BYTES = 64 * 2**20
"""The size of the cache of SVG pictures, in bytes."""


def hash_face(face: Face) -> str:
    """Return a hash that is equal for faces that look the same."""
    return fingerprint_of(f"{__version__} {face.digest}".encode())


class FaceSvgCache:
    """Paints faces as SVG on demand and caches the most recent ones.

    The former picture of a changed face stays available while it is in the cache.
    """

    def __init__(self, max_bytes: int = _MAX_CACHE_BYTES) -> None:
        """Start empty; `max_bytes` limits the size of the cache."""
        self._faces: dict[str, Face] = {}
        self._svgs = BoundedCache[str, bytes](max_bytes)

    def add(self, face: Face) -> str:
        """Register a face, and return its hash."""
        name = hash_face(face)
        self._faces[name] = face
        return name

    def retain(self, names: Iterable[str | None]) -> None:
        """Forget all faces but these; cached pictures remain."""
        hashes = set(names)
        self._faces = {name: face for name, face in self._faces.items() if name in hashes}

    def cached_svg(self, name: str) -> bytes | None:
        """Return a face's picture if it is cached; safe to call from any thread."""
        return self._svgs.peek(name)

    def svg(self, name: str) -> bytes | None:
        """Return the face with this hash as SVG, None if there is none or it cannot be painted."""
        svg_data = self._svgs.get(name)
        if svg_data is None and name in self._faces:
            with suppress(GameError):
                svg_data = self._paint_and_cache(name, self._faces[name])
        return svg_data

    def paint(self, face: Face) -> str:
        """Paint a face now, as it will be requested soon; return its hash.

        Raises:
            GameError: if one of its pictures cannot be read.
        """
        name = hash_face(face)
        if name not in self._svgs:
            self._paint_and_cache(name, face)
        return name

    def _paint_and_cache(self, name: str, face: Face) -> bytes:
        svg = face.svg().encode()
        return self._svgs.add(name, svg, len(svg))

    def svg_with_bleed(self, name: str) -> bytes | None:
        """Return the face with this hash and its bleed as SVG, None as for `svg`."""
        if name in self._faces:
            with suppress(GameError):
                return self._faces[name].svg(bleed=PREVIEW_BLEED).encode()
        return None


class GameState(TypedDict):
    """The state of the game: whether all faces are up to date, and the findings."""

    ok: bool
    findings: list[Json]


class ChangeEvent(TypedDict):
    """The changes that are sent to the page.

    Attributes:
        version: the version of the face grids after the event.
        after: the version to which the event applies; clients with an earlier one must fetch the
            grid again.
        whole: whether more has changed than the event describes, so that all clients must do so.
        state: None if unchanged.
        faces: the changed faces by style ("" for the default): their keys and changed values.
        lost: the keys of removed faces, by style.
    """

    version: int
    after: int
    whole: bool
    state: GameState | None
    faces: dict[str, list[Json]]
    lost: dict[str, list[str]]


class ClientState:
    """The data that clients already have, so that events carry only what differs.

    Attributes:
        version: incremented with each event.
        state: the last state sent.
    """

    def __init__(self) -> None:
        self.version = 1
        self._faces: dict[str | None, dict[str, Json]] = {}
        self.state: GameState | None = None
        self._game: Json | None = None

    def record_grid(
        self, style: str | None, faces: Iterable[Json], game: Json, state: GameState
    ) -> None:
        """Record a complete grid as sent; the game's data and state count only with the first."""
        self._faces[style] = {str(face["key"]): face for face in faces}
        if self._game is None:
            self._game, self.state = game, state

    def empty_event(self) -> ChangeEvent:
        """Return an event without changes."""
        now = self.version
        return {
            "version": now,
            "after": now,
            "whole": False,
            "state": None,
            "faces": {},
            "lost": {},
        }

    def take_event(
        self,
        game: Json,
        state: GameState,
        grids: Mapping[str | None, tuple[list[str], Iterable[Json]]],
    ) -> ChangeEvent | None:
        """Return the unsent changes, None if there are none, and record them as sent.

        Args:
            grids: for each style the keys of all faces in order, and the possibly changed faces.
        """
        event = self.empty_event()
        if state != self.state:
            self.state = event["state"] = state
        if game != self._game:
            self._game, event["whole"] = game, True
        for style, (keys, faces) in grids.items():
            sent_faces = self._faces.setdefault(style, {})
            if [*sent_faces] != keys:
                present = set(keys)
                lost = [key for key in sent_faces if key not in present]
                for key in lost:
                    del sent_faces[key]
                if lost:
                    event["lost"][style or ""] = lost
                if [*sent_faces] != keys:  # new faces, or in another order
                    event["whole"] = True
                    self._faces[style] = sent_faces = {key: sent_faces.get(key, {}) for key in keys}
            patches = []
            for face in faces:
                key = str(face["key"])
                before = sent_faces[key]
                patch = {name: value for name, value in face.items() if before.get(name) != value}
                if patch:
                    patches.append({"key": key, **patch})
                    sent_faces[key] = face
            if patches:
                event["faces"][style or ""] = patches
        if not (event["state"] or event["whole"] or event["faces"] or event["lost"]):
            return None
        self.version += 1
        event["version"] = self.version
        return event


@dataclass(slots=True)
class FaceState:
    """A face in the grid.

    Attributes:
        card: its card's data when the picture was made.
        hash: the hash of its picture, None if there is none.
        pending: whether it was never composed.
        dirty: whether it must be composed again, since files have changed.
        stale: whether the picture is an earlier one, since the card has errors now.
        errors: why the current face cannot be shown.
        unprinted: the fields that the picture omits for lack of room.
    """

    card: CardData
    hash: str | None = None
    pending: bool = True
    dirty: bool = True
    stale: bool = False
    errors: tuple[FindingData, ...] = ()
    unprinted: tuple[str, ...] = ()


def face_key(name: FaceName) -> str:
    """Return the page's key of a face: "FACTION:ID:PART:SIDE"."""
    return f"{name.faction}:{name.card}:{name.part}:{'back' if name.back else 'face'}"


class ComposedSide(NamedTuple):
    """A side of a card, None if the card has none or it cannot be composed, and its findings.

    Attributes:
        faulty: whether it has errors; if it is drawn nevertheless, it shows them in red.
    """

    face: Face | None
    faulty: bool
    findings: Sequence[Diagnostic]


def compose_side(card: Card, style: str | None, part: int, *, back: bool) -> ComposedSide:
    """Compose a side of a card, despite its errors if that is possible.

    Raises:
        ChoiceError: if there is no such style.
    """
    try:
        face = (card.back if back else card.face)(style=style, part=part)
    except GameError as error:
        draft = None
        with suppress(GameError):
            draft = card.draft(style=style, part=part, back=back)
        return ComposedSide(draft, faulty=True, findings=error.findings)
    return ComposedSide(face, faulty=False, findings=face.findings if face else ())


def list_sides(game: model.Game, card: model.Card, faction: str) -> Iterator[tuple[int, bool]]:
    """Yield the sides of a card that a faction prints: the part, and whether it is a back."""
    backs = (False,) if back_of(game, card, faction) is None else (False, True)
    return product(range(1, card.parts + 1), backs)


class FaceGrid:
    """All faces of a game in one style, in the order of their files."""

    def __init__(self, game: Game, style: str | None, pictures: FaceSvgCache) -> None:
        """Take the game and a style, None for the default; faces are composed later."""
        self._game, self._style, self._cache = game, style, pictures
        self._cards: dict[CardKey, Card] = {}
        self._models: dict[CardKey, model.Card] = {}
        self.faces: dict[FaceName, FaceState] = {}
        self.refresh()

    def refresh(self, *, complete: bool = True) -> None:
        """Adopt the game's current cards and mark all faces for composing.

        Args:
            complete: whether the game was read completely, so that missing cards are removed;
                otherwise they may be in an unreadable file, and keep their last picture.
        """
        self._cards = {(card.faction, card.id): card for card in self._game.cards}
        before, self.faces = self.faces, {}
        places = {name: place for place, name in enumerate(before)}
        self._models = {}
        for card, owner, _ in self._game.model.printable_cards():
            if not owner:
                continue
            self._models[owner, card.id] = card
            for part, back in list_sides(self._game.model, card, owner):
                name = FaceName(owner, card.id, self._style, back, part)
                state = before.pop(name, None)
                if state is None or state.hash is None:
                    state = FaceState(self._serialize_card(name))
                state.dirty = True
                self.faces[name] = state
        if not complete:
            for name, state in before.items():
                state.stale, state.pending, state.dirty = state.hash is not None, False, False
                self.faces[name] = state
            # Restore the former order; new faces keep their place after their predecessor.
            ranks: dict[FaceName, int] = {}
            last = -1
            for name in self.faces:
                last = ranks[name] = places.get(name, last)
            self.faces = {name: self.faces[name] for name in sorted(ranks, key=ranks.__getitem__)}

    def compose(self, name: FaceName) -> bool:
        """Compose a face; return whether its look has changed."""
        state, former = self.faces[name], self.faces[name].hash
        state.pending = state.dirty = False
        card = self._cards.get((name.faction, name.card))
        if card is None:
            return False
        try:
            face, faulty, findings = compose_side(card, name.style, name.part, back=name.back)
        except ChoiceError:  # the style is gone
            state.stale = former is not None
            return False
        if face is None and not faulty:
            del self.faces[name]
            return former is not None
        errors = (each for each in findings if faulty and is_error(each))
        state.errors = tuple(serialize_finding(each, self._game.path) for each in errors)
        state.stale = face is None and former is not None
        if state.stale:  # the old card at its new place
            state.card = {**state.card, "source": self._serialize_card(name)["source"]}
        if face is None:
            return False
        state.card, state.hash = self._serialize_card(name), self._cache.add(face)
        state.unprinted = () if faulty else (*sorted(face.unprinted),)
        return state.hash != former

    def _serialize_card(self, name: FaceName) -> CardData:
        """Return the card of a face as plain data, as it is in the files now."""
        card = self._models[name.faction, name.card]
        data, place = serialize_card(card, name.faction, self._game.model), card.source.at()
        data["source"] = {"path": display_path(place.path, self._game.path), "line": place.line}
        plain: CardData = to_plain(data)
        return plain
