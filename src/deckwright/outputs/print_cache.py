"""Faces and pages of the last print of a deck, or of the last pictures, in the user's cache.

They are recognized by digests of everything that they depend on. Only those on which nothing was
found are kept, so that no finding is lost.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from deckwright.base.cache import Cache, is_intact
from deckwright.base.findings import Report
from deckwright.base.geometry import Box
from deckwright.base.units import Mm
from deckwright.decks.stats import DeckStats, deck_context, rules_context
from deckwright.diff.manifest import Digests
from deckwright.faces.copies import Back
from deckwright.faces.factory import CardSide, ComposedSide, FaceFactory, back_key
from deckwright.faces.keys import (
    CardKeys,
    FileState,
    GameFiles,
    digest_contexts,
    digest_texts,
    state_of,
)
from deckwright.faces.selection import prepare_images
from deckwright.game.decklist import UsedRule
from deckwright.game.folder import GameFolder
from deckwright.game.language import current_language
from deckwright.game.model import Card, Game
from deckwright.images.store import PreparedImage
from deckwright.ops.model import DrawImage, Face, decode_ops, encode_ops, walk
from deckwright.paint.pdf.content import Picture, Piece, Resource
from deckwright.sheet.flow import FlowLayout
from deckwright.sheet.pages import Page, PlacedFace

_Placement = tuple[tuple[Mm, Mm], float]
"""How far a face reaches beyond its trim box, and its scale."""

_MAX_PLACEMENTS = 4
"""The number of placements that are kept of a face or text."""
_NO_PICTURE = Face(0, 0, ())
T = TypeVar("T")


class _Entry(NamedTuple):
    """A face of an earlier print.

    Attributes:
        face: the face without ops.
        digest: its digest in manifests.
        pictures: the states of the pictures that it shows or names, by path.
        pieces: its painted forms.
    """

    face: Face
    digest: str
    pictures: Mapping[str, FileState]
    pieces: dict[_Placement, Piece]


_Flow = tuple[int, Mm, Box | None, dict[tuple[int, int | None], bytes]]
"""A text that flows over pages: the number of its pages, where the last one ends, its empty
column, and pages as JSON, by the number of the first one and the number of all in the file."""


class PrintCache:
    """The painted faces of a deck, and its pages of text."""

    def __init__(self, game: Game, folder: GameFolder, factory: FaceFactory, deck: str) -> None:
        """Read what is known of the last print of a deck; "/pictures" is that of all cards."""
        files = GameFiles(game, folder)
        self._factory = factory
        self._setup = digest_texts(files.digest_setup(), factory.style or "")
        self._keys = CardKeys(game, factory.contexts, files.unused_names)
        self._cache = Cache("prints")
        language = current_language()
        place = str(folder.path.absolute()), language.code if language else ""
        self._name = digest_texts(*place, deck, factory.style or "")
        self._images = files.images
        self._before: dict[str, _Entry] = {}
        self._flows_before: dict[str, _Flow] = {}
        self._flows: dict[str, _Flow] = {}
        self._entries: dict[str, _Entry] = {}
        """The faces of this print by their keys."""
        self._keys_of_faces: dict[int, str] = {}
        self._side_keys: dict[tuple[object, ...], str | None] = {}
        self._states: dict[str, FileState] = {}
        """The states of pictures by path."""
        self._is_new = False
        self._cache.read_decoded(self._name, self._decode)

    def digest_side(self, side: CardSide) -> str | None:
        """Return the key of a side of a card, None if it is unclear."""
        if side.key not in self._side_keys:
            seen = self._keys.digest_side(side.card, side.faction_id, side.part)
            named = self._setup, "side", side.template[0], str(side.back is None)
            self._side_keys[side.key] = None if seen is None else digest_texts(*named, seen)
        return self._side_keys[side.key]

    def digest_back(self, back: Back, card: Card, faction_id: str) -> str | None:
        """Return the key of a shared back, None if it is unclear."""
        faction = None if back.stack else self._factory.contexts.faction_context(faction_id)
        stack = back.stack and (back.stack.id, back.stack.name)
        return digest_contexts(self._setup, "back", back.template, stack, faction, card.kind.tag)

    def digest_flow(self, template: str, *contexts: object) -> str | None:
        """Return the key of a text that flows over pages, None if it is unclear."""
        return digest_contexts(self._setup, self._images, template, *contexts)

    def recall_flow(
        self, key: str | None, compose: Callable[[Report], FlowLayout | None], report: Report
    ) -> FlowLayout | None:
        """Return a text from the cache, or as composed; None after reporting errors."""
        known = self._flows_before.get(key or "")
        flow, before = None, len(report)
        if key is None or known is None:
            flow = compose(report)
            if key is None or flow is None or len(report) > before:
                return flow
            known = len(flow), flow.end, flow.free, {}
        self._flows[key] = known
        length, end, free, known_pages = known

        def lay_out(first: int, count: int | None) -> list[Page]:
            data = known_pages.get((first, count))
            if data is not None:
                decoded = map(decode_ops, json.loads(data))
                return [Page(w, h, ops=ops, tag=tag) for w, h, ops, tag in decoded]
            whole, start = flow or compose(report), len(report)
            pages = whole.pages(first, count) if whole else []
            if len(report) == start:
                plain = [encode_ops((*page[:2], page.ops, page.tag)) for page in pages]
                known_pages[first, count] = json.dumps(plain).encode()
                self._is_new = True
            return pages

        return _CachedFlow(length, end, free, lay_out)

    def find(self, key: str | None) -> Face | None:
        """Return the face of a key without its ops, None if it must be composed."""
        entry = self._before.get(key or "")
        if key is None or entry is None:
            return None
        if any(self._state_of(path) != state for path, state in entry.pictures.items()):
            return None
        self._keep(key, entry)
        return entry.face

    def add(self, key: str | None, face: Face, named: Iterable[Path]) -> None:
        """Remember a composed face on which nothing was found, and the pictures of its card."""
        if key is not None:
            shown = {op.path for op in walk(face.ops) if isinstance(op, DrawImage)}
            paths = sorted(map(str, {*face.drawings, *shown, *named}))
            self._keep(key, _Entry(face, "", {path: self._state_of(path) for path in paths}, {}))
            self._is_new = True

    def digest_picture(self, face: Face, ratio: float) -> str | None:
        """Return the key of the picture of a face, None if the face has no key."""
        key = self._keys_of_faces.get(id(face))
        return key and digest_texts("picture", key, str(ratio))

    def add_picture(self, key: str, picture: Face | None, face: Face) -> None:
        """Remember the picture of a face, which depends on the same files, or that it has none."""
        named = map(Path, self._entries[self._keys_of_faces[id(face)]].pictures)
        self.add(key, picture or _NO_PICTURE, named)

    def _state_of(self, path: str) -> FileState:
        if path not in self._states:
            self._states[path] = state_of(path)
        return self._states[path]

    def _keep(self, key: str, entry: _Entry) -> None:
        self._entries[key] = entry
        self._keys_of_faces[id(entry.face)] = key

    def load_digests(self, digests: Digests) -> None:
        """Give `digests` those of faces of earlier prints."""
        for entry in self._entries.values():
            if entry.digest:
                digests.set(entry.face, entry.digest)

    def find_piece(self, placed: PlacedFace) -> Piece | None:
        """Return a painted face, None if it must be painted."""
        entry = self._entry_of(placed)
        piece = entry and entry.pieces.get((placed.reach, placed.scale))
        if piece is None:
            return None
        bodies = (resource.body for resource in piece.resources)
        if not all(is_intact(body.image.path) for body in bodies if isinstance(body, Picture)):
            return None
        # Those of an earlier print are views of one file, most of which is not copied.
        return piece._replace(operators=bytes(piece.operators), stream=bytes(piece.stream))

    def add_piece(self, placed: PlacedFace, piece: Piece) -> None:
        """Remember a painted face."""
        entry = self._entry_of(placed)
        if entry is not None:
            entry.pieces[placed.reach, placed.scale] = piece
            self._is_new = True

    def _entry_of(self, placed: PlacedFace) -> _Entry | None:
        return self._entries.get(self._keys_of_faces.get(id(placed.face), ""))

    def save(self, digests: Digests, doubtful: Collection[Path]) -> None:
        """Keep the faces of this print, if any is new, but for those with doubtful pictures."""
        if not self._is_new:
            return
        names, blobs, size = {str(path) for path in doubtful}, list[bytes](), 0
        entries: dict[str, list[object]] = {}
        for key, (face, digest, pictures, pieces) in _merge(self._entries, self._before).items():
            if not names.isdisjoint(pictures):
                continue
            plain = []
            for (reach, scale), piece in [*pieces.items()][-_MAX_PLACEMENTS:]:
                data = piece.stream or piece.operators
                plain.append([*reach, scale, size, len(data), *_encode_piece(piece)])
                blobs.append(data)
                size += len(data)
            attributes = (face.width, face.height, face.bleed, face.subject, face.alt)
            shown = sorted(face.unprinted), sorted(map(str, face.drawings))
            own = digest or digests.of(face)
            entries[key] = [*attributes, *shown, own, pictures, plain]
        flows: dict[str, list[object]] = {}
        for key, (length, bottom, free, pages) in _merge(self._flows, self._flows_before).items():
            placed = [*pages.items()][-_MAX_PLACEMENTS:]
            laid_out = [[*numbers, len(data)] for numbers, data in placed]
            flows[key] = [length, bottom, free, laid_out]
            blobs += [data for _, data in placed]
        head = json.dumps([entries, flows]).encode()
        self._cache.write(self._name, b"%d\n" % len(head), head, *blobs)

    def _decode(self, data: bytes) -> None:
        start, content = data.index(b"\n") + 1, memoryview(data)
        blobs = start + int(data[:start])
        entries, flows = json.loads(data[start:blobs])
        end = blobs
        for key, plain in entries.items():
            width, height, *attributes, unprinted, drawings, digest, pictures, pieces = plain
            bleed, subject, alt = attributes
            shown = frozenset(map(Path, drawings)), frozenset(unprinted)
            face = Face(width, height, (), bleed, subject, alt, *shown)
            states = {path: state and (state[0], state[1]) for path, state in pictures.items()}
            placed: dict[_Placement, Piece] = {}
            for across, down, scale, at, length, *piece in pieces:
                start, end = blobs + at, blobs + at + length
                placed[(across, down), scale] = _decode_piece(content[start:end], piece)
            self._before[key] = _Entry(face, digest, states, placed)
        for key, (length, bottom, free, laid_out) in flows.items():
            pages: dict[tuple[int, int | None], bytes] = {}
            for first, count, size in laid_out:
                pages[first, count] = data[end : end + size]
                end += size
            self._flows_before[key] = length, bottom, free and Box(*free), pages


def _merge(used: Mapping[str, T], before: Mapping[str, T]) -> dict[str, T]:
    """Return what this print used, and some of what it did not use, as another one may."""
    others = (key for key in before if key not in used)
    return {**used, **{key: before[key] for key in islice(others, len(used))}}


def _encode_piece(piece: Piece) -> list[object]:
    """Return a piece without its operators as JSON data."""
    glyphs = {font_id: sorted(used) for font_id, used in piece.glyphs.items()}
    resources: list[object] = []
    for kind, name, body in piece.resources:
        if isinstance(body, Picture):
            image = body.image
            resources.append([kind, name, [str(image.path), image.width_px, image.height_px]])
        else:
            assert isinstance(body, bytes)
            resources.append([kind, name, body.decode("latin-1")])
    return [bool(piece.stream), glyphs, resources, piece.box.decode()]


def _decode_piece(data: Any, plain: Sequence[Any]) -> Piece:  # a view of bytes
    """Return the piece that `_encode_piece` encoded, with its operators."""
    is_compressed, glyphs, resources, box = plain
    bodies: list[Resource] = []
    for kind, name, body in resources:
        if isinstance(body, str):
            bodies.append(Resource(kind, name, body.encode("latin-1")))
        else:
            path, width, height = body
            bodies.append(Resource(kind, name, Picture(PreparedImage(Path(path), width, height))))
    used = {font_id: frozenset(ids) for font_id, ids in glyphs.items()}
    operators, stream = (b"", data) if is_compressed else (data, b"")
    return Piece(operators, used, (*bodies,), box.encode(), stream)


class _CachedFlow(FlowLayout):
    """A text that is composed only if its pages are not known."""

    def __init__(
        self,
        length: int,
        end: Mm,
        free: Box | None,
        lay_out: Callable[[int, int | None], list[Page]],
    ) -> None:
        self._length, self.end, self.free, self._lay_out = length, end, free, lay_out

    def __len__(self) -> int:
        """Return the number of pages."""
        return self._length

    def pages(self, first: int = 1, count: int | None = None) -> list[Page]:
        """Return the pages; see `FlowLayout.pages`."""
        return self._lay_out(first, count)


class CachingFaceFactory(FaceFactory):
    """A factory that composes only the faces that its cache lacks; all if it has none."""

    cache: PrintCache | None = None

    def with_ops(self, face: Face) -> Face:
        """Return a face with its ops, composing it if it is of an earlier print."""
        compose = self._composers.get(id(face))
        composed = None if compose is None else compose()
        if composed is None:
            return face
        prepare_images([composed], self.pictures.store, [])
        return composed

    def reset(self, faults: Report | None) -> None:
        """Begin with no face composed."""
        super().reset(faults)
        self._composers: dict[int, Callable[[], Face | None]] = {}

    def prefetch(self, cards: Iterable[tuple[Card, str]], report: Report) -> None:
        """Open the pictures of cards about to be composed, in parallel."""
        sides = [(each, self._find(CardSide(*each))) for each in cards]
        super().prefetch([each for each, face in sides if face is None], report)

    def _find(self, side: CardSide) -> Face | None:
        """Return a side from the cache, None if it must be composed."""
        if self.cache is None or not self._may_keep(side) or side.key in self._faces:
            return None
        face = self.cache.find(self.cache.digest_side(side))
        if face is not None:
            self._faces[side.key] = ComposedSide(side, face, is_sound=True)
            self._composers[id(face)] = partial(self._compose, side, [])
        return face

    def _may_keep(self, side: CardSide) -> bool:
        """Return whether a side is what its template draws for all decks, without a mark."""
        return not side.printed and id(side.card) not in self.faulty

    def _compose_side(self, side: CardSide, report: Report) -> Face | None:
        known = side.key in self._faces
        face = self._find(side) or super()._compose_side(side, report)
        if self.cache is not None and not known and self._may_keep(side):
            composed = self._faces[side.key]
            if face is not None and face.ops and composed.is_sound:
                named = [picture.path for picture in self.pictures.pictures_of(side.card)]
                self.cache.add(self.cache.digest_side(side), face, named)
        return face

    def _shared_back(self, back: Back, card: Card, faction_id: str, report: Report) -> Face | None:
        name = back_key(back, card.kind)
        if self.cache is None or name in self._backs:
            return super()._shared_back(back, card, faction_id, report)
        key = self.cache.digest_back(back, card, faction_id)
        face = self.cache.find(key)
        if face is not None:
            self._backs[name] = face
            self._composers[id(face)] = partial(self._shared_back_again, back, card, faction_id)
            return face
        before = len(report)
        face = super()._shared_back(back, card, faction_id, report)
        if face is not None and len(report) == before:
            self.cache.add(key, face, ())
        return face

    def _shared_back_again(self, back: Back, card: Card, faction_id: str) -> Face | None:
        """Return a shared back with its ops."""
        del self._backs[back_key(back, card.kind)]
        return super()._shared_back(back, card, faction_id, [])

    def picture_of(self, face: Face, ratio: float = math.inf) -> Face | None:
        """Return the picture of a face, from the cache if possible."""
        key = None if self.cache is None else self.cache.digest_picture(face, ratio)
        if self.cache is None or key is None:
            return super().picture_of(face, ratio)
        picture = self.cache.find(key)
        if picture is None:
            picture = super().picture_of(face, ratio)
            self.cache.add_picture(key, picture, face)
        elif id(picture) not in self._composers:
            self._composers[id(picture)] = partial(super().picture_of, face, ratio)
        return picture if picture and picture.width else None

    def compose_deck_sheet(
        self, stats: DeckStats, paper: tuple[Mm, Mm], report: Report, windows: Sequence[Box] = ()
    ) -> FlowLayout | None:
        """Return the deck sheet, from the cache if possible."""
        compose = partial(super().compose_deck_sheet, stats, paper, windows=windows)
        name = self.game.setup.deck_sheet
        if self.cache is None or name is None:
            return compose(report)
        context = deck_context(stats, self.game, self.contexts)
        key = self.cache.digest_flow(name, context, windows, paper)
        return self.cache.recall_flow(key, compose, report)

    def compose_reference(
        self,
        title: str,
        faction_id: str,
        used: Sequence[UsedRule],
        paper: tuple[Mm, Mm],
        report: Report,
    ) -> FlowLayout | None:
        """Return a rule reference, from the cache if possible."""
        compose = partial(super().compose_reference, title, faction_id, used, paper)
        name = self.game.setup.reference
        if self.cache is None or name is None:
            return compose(report)
        contexts = self.contexts.faction_context(faction_id), rules_context(used)
        key = self.cache.digest_flow(name, title, *contexts, paper)
        return self.cache.recall_flow(key, compose, report)
