"""The faces of a game in one style, as they are shown: as they are, or else as they last were."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TypedDict

from deckwright import __version__
from deckwright.api import Card, Face, FaceName, Game, GameError
from deckwright.base.findings import ChoiceError, is_error
from deckwright.faces.copies import back_of
from deckwright.game import model
from deckwright.game.model import CardKey
from deckwright.studio.described import CardData, FindingData, serialize_card, serialize_finding

HASH_PATTERN = r"[0-9a-f]{32}"
"""A hash, as a regular expression."""
PREVIEW_BLEED = 3
"""How much is shown around a face to look at its bleed, in mm: as much as print services want."""
_MAX_CACHE_BYTES = 64 * 2**20
"""How many bytes of pictures are kept."""


def hash_face(face: Face) -> str:
    """Return the hash of a face: equal where two faces look the same."""
    return blake2b(f"{__version__} {face.digest}".encode(), digest_size=16).hexdigest()


class FaceSvgCache:
    """Faces as SVG. They are painted when they are first asked for, and the last ones are kept.

    Of a face that has changed, the former picture is there as long as it is kept.
    """

    def __init__(self, most: int = _MAX_CACHE_BYTES) -> None:
        """Begin with nothing; `most` is how many bytes are kept."""
        self._faces: dict[str, Face] = {}
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._most, self._size = most, 0

    def add(self, face: Face) -> str:
        """Take a face, and return its hash."""
        name = hash_face(face)
        self._faces[name] = face
        return name

    def keep(self, names: Iterable[str | None]) -> None:
        """Forget all faces but these; what was painted of them stays."""
        wanted = set(names)
        self._faces = {name: face for name, face in self._faces.items() if name in wanted}

    def painted(self, name: str) -> bytes | None:
        """Return a face if it has been painted; any thread may ask."""
        return self._kept.get(name)

    def svg(self, name: str) -> bytes | None:
        """Return a face as SVG, None if there is none of this hash.

        Raises:
            GameError: if one of its pictures cannot be read.
        """
        painted = self._kept.get(name)
        if painted is not None:
            self._kept.move_to_end(name)
            return painted
        face = self._faces.get(name)
        return None if face is None else self._painted(name, face)

    def paint(self, face: Face) -> str:
        """Paint a face at once, for somebody who asks for it soon; return its hash.

        Raises:
            GameError: if one of its pictures cannot be read.
        """
        name = hash_face(face)
        if name not in self._kept:
            self._painted(name, face)
        return name

    def _painted(self, name: str, face: Face) -> bytes:
        painted = self._kept[name] = face.svg().encode()
        self._size += len(painted)
        while self._size > self._most and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])
        return painted

    def bled(self, name: str) -> bytes | None:
        """Return a face with its bleed as SVG, None if there is none of this hash.

        Raises:
            GameError: if one of its pictures cannot be read.
        """
        face = self._faces.get(name)
        return None if face is None else face.svg(bleed=PREVIEW_BLEED).encode()


Json = dict[str, object]
"""What becomes a JSON object."""


class GameState(TypedDict):
    """How the game is: whether all is shown as the files want it, and what was found."""

    ok: bool
    findings: list[Json]


class ChangeEvent(TypedDict):
    """What the page is told when something has changed.

    Attributes:
        version: of the walls.
        after: the version that the event brings up to this one; whoever knows an earlier one asks
            for the wall again.
        whole: whether more has changed than the event tells: then everybody does.
        state: None if it is as before.
        faces: by style ("" for the usual one) the faces that have changed: their keys, and what
            differs of what the wall tells of them.
        lost: by style the keys of the faces that are gone.
    """

    version: int
    after: int
    whole: bool
    state: GameState | None
    faces: dict[str, list[Json]]
    lost: dict[str, list[str]]


class ClientState:
    """What has been told of the walls, by their styles.

    Attributes:
        version: goes up with each event.
        state: what was told of the state last.
    """

    def __init__(self) -> None:
        """Nothing has been told."""
        self.version = 1
        self._faces: dict[str | None, dict[str, Json]] = {}
        self.state: GameState | None = None
        self._game: Json | None = None

    def wall(self, style: str | None, faces: Iterable[Json]) -> None:
        """Take that a whole wall is told."""
        self._faces[style] = {str(face["key"]): face for face in faces}

    def begin(self, game: Json, state: GameState) -> None:
        """Take what is told with the first wall."""
        if self._game is None:
            self._game, self.state = game, state

    def empty(self) -> ChangeEvent:
        """Return an event without news."""
        now = self.version
        return {
            "version": now,
            "after": now,
            "whole": False,
            "state": None,
            "faces": {},
            "lost": {},
        }

    def event(
        self,
        game: Json,
        state: GameState,
        walls: Mapping[str | None, tuple[list[str], Iterable[Json]]],
    ) -> ChangeEvent | None:
        """Return what is not told yet, None if there is nothing; from now on it is told.

        Args:
            walls: by style the keys of all faces, in order, and the faces that may have changed.
        """
        event = self.empty()
        if state != self.state:
            self.state = event["state"] = state
        if game != self._game:
            self._game, event["whole"] = game, True
        for style, (keys, faces) in walls.items():
            self._add_patches(style, keys, faces, event)
        if not (event["state"] or event["whole"] or event["faces"] or event["lost"]):
            return None
        self.version += 1
        event["version"] = self.version
        return event

    def _add_patches(
        self, style: str | None, keys: list[str], faces: Iterable[Json], event: ChangeEvent
    ) -> None:
        told = self._faces.setdefault(style, {})
        if [*told] != keys:
            wanted = set(keys)
            lost = [key for key in told if key not in wanted]
            for key in lost:
                del told[key]
            if lost:
                event["lost"][style or ""] = lost
            if [*told] != keys:  # new faces, or in another order
                event["whole"] = True
                self._faces[style] = told = {key: told.get(key, {}) for key in keys}
        patches = []
        for face in faces:
            key = str(face["key"])
            before = told[key]
            patch = {name: value for name, value in face.items() if before.get(name) != value}
            if patch:
                patches.append({"key": key, **patch})
                told[key] = face
        if patches:
            event["faces"][style or ""] = patches


@dataclass(slots=True)
class FaceState:
    """A face on the wall.

    Attributes:
        card: what is told of its card, as it was when the picture was made.
        hash: of its picture, None if there is none.
        pending: whether it was never composed.
        due: whether it is to be composed, since files have changed.
        stale: whether the picture is a former one, since the card has a mistake now.
        faults: why it cannot be shown as it is.
        unprinted: the fields that the picture leaves out because they have no room.
    """

    card: CardData
    hash: str | None = None
    pending: bool = True
    dirty: bool = True
    stale: bool = False
    faults: tuple[FindingData, ...] = ()
    unprinted: tuple[str, ...] = ()


def face_key(name: FaceName) -> str:
    """Return what the page calls a face: "FACTION:ID:PART:SIDE"."""
    return f"{name.faction}:{name.card}:{name.part}:{'back' if name.back else 'face'}"


class FaceGrid:
    """All faces of a game in one style, in the order of their files."""

    def __init__(self, game: Game, style: str | None, pictures: FaceSvgCache) -> None:
        """Take the game and its style, None for the usual one; no face is composed yet."""
        self._game, self._style, self._pictures = game, style, pictures
        self._cards: dict[CardKey, Card] = {}
        self._read: dict[CardKey, model.Card] = {}
        self.faces: dict[FaceName, FaceState] = {}
        self.turn()

    def turn(self, *, whole: bool = True) -> None:
        """Take the cards as the game has them now; all faces are to be composed again.

        Args:
            whole: whether cards that are not there any more are gone for good: else they may stand
                in what cannot be read, and are shown as they were.
        """
        self._cards = {(card.faction, card.id): card for card in self._game.cards}
        before, self.faces = self.faces, {}
        places = {name: place for place, name in enumerate(before)}
        self._read = {}
        for card, owner, _ in self._game.model.printed():
            if not owner:
                continue
            self._read[owner, card.id] = card
            for name in self._names(card, owner):
                shown = before.pop(name, None)
                if shown is None or shown.hash is None:
                    shown = FaceState(self._serialize_card(name))
                shown.dirty = True
                self.faces[name] = shown
        if not whole:
            for name, shown in before.items():
                shown.stale, shown.pending, shown.dirty = shown.hash is not None, False, False
                self.faces[name] = shown
            self._restore_order(places)

    def compose(self, name: FaceName) -> bool:
        """Compose a face; return whether it looks different now."""
        shown, former = self.faces[name], self.faces[name].hash
        shown.pending = shown.dirty = False
        card = self._cards.get((name.faction, name.card))
        if card is None:
            return False
        try:
            make = card.back if name.back else card.face
            face = make(style=name.style, part=name.part)
        except GameError as error:
            self._record_errors(name, error)
            return self._drafted(name, card) and shown.hash != former
        except ChoiceError:  # the style is gone
            shown.stale = shown.hash is not None
            return False
        if face is None:
            del self.faces[name]
            return former is not None
        shown.card, shown.hash = self._serialize_card(name), self._pictures.add(face)
        shown.stale, shown.faults, shown.unprinted = False, (), (*sorted(face.unprinted),)
        return shown.hash != former

    def _restore_order(self, places: Mapping[FaceName, int]) -> None:
        """Put faces where they were; new ones stay behind those that they came after."""
        ranks: dict[FaceName, int] = {}
        last = -1
        for name in self.faces:
            last = ranks[name] = places.get(name, last)
        self.faces = {name: self.faces[name] for name in sorted(self.faces, key=ranks.__getitem__)}

    def _record_errors(self, name: FaceName, error: GameError) -> None:
        folder, shown = self._game.path, self.faces[name]
        shown.stale = shown.hash is not None
        if shown.stale:  # the card as it was, where it stands now
            shown.card = {**shown.card, "source": self._serialize_card(name)["source"]}
        shown.faults = tuple(
            serialize_finding(each, folder) for each in error.findings if is_error(each)
        )

    def _drafted(self, name: FaceName, card: Card) -> bool:
        """Show a face with its faults; return whether it can be drawn so."""
        try:
            face = card.draft(style=name.style, part=name.part, back=name.back)
            picture = None if face is None else self._pictures.add(face)
        except GameError:
            return False
        if picture is None:
            return False
        shown = self.faces[name]
        shown.card, shown.hash, shown.stale = self._serialize_card(name), picture, False
        shown.unprinted = ()
        return True

    def _serialize_card(self, name: FaceName) -> CardData:
        """Return what the files say of the card of a face."""
        card = self._read[name.faction, name.card]
        return serialize_card(card, name.faction, self._game.model, Path(self._game.path))

    def _names(self, card: model.Card, owner: str) -> Iterator[FaceName]:
        """Yield the faces and backs of a card."""
        sides = (False,) if back_of(self._game.model, card, owner) is None else (False, True)
        for part in range(1, card.parts + 1):
            for back in sides:
                yield FaceName(owner, card.id, self._style, back, part)
