"""An open game: a cache of its files and faces, and the reload that keeps it up to date."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, TypeVar

from deckwright.api.options import (
    GameError,
    game_errors,
    require_loaded,
    require_readable_folders,
    resolve_style,
)
from deckwright.base.files import find_existing, forbid_outward_links, is_file
from deckwright.base.findings import (
    ChoiceError,
    Diagnostic,
    Grading,
    Location,
    Report,
    has_errors,
    is_error,
    known_hint,
    require_known,
    sort_findings,
)
from deckwright.checks.loading import find_faulty_cards, load_partial_game
from deckwright.game import load
from deckwright.game.folder import GameFolder, is_game
from deckwright.game.language import Language, picture_folders, use_language
from deckwright.game.model import Card, CardKey, Game
from deckwright.game.read import ParsedFile, use_file_cache
from deckwright.game.setup import Setup
from deckwright.images.drawings import rasterizing
from deckwright.xmlio.load import X006, override_files
from deckwright.xmlio.node import Source

if TYPE_CHECKING:
    from deckwright.diff.manifest import Digests
    from deckwright.faces.factory import FaceFactory
    from deckwright.ops import model as drawn
    from deckwright.paint.pdf.document import PieceMemory
    from deckwright.paint.svg import GlyphOutlines


_SETTLED_NS = 2_000_000_000
"""The coarsest resolution of file times (FAT): a file this old gets a new time if it changes."""


class _FileState(NamedTuple):
    """The size, time and digest of a file at one moment.

    Attributes:
        settled: whether it was old enough that a later change must change its time.
    """

    size: int
    time_ns: int
    settled: bool
    digest: bytes


Snapshot = Mapping[Path, _FileState | None]
"""The state of files at one moment; None where there is no regular file that can be read."""


def take_snapshot(paths: Iterable[Path], before: Snapshot) -> Snapshot:
    """Examine files. Those with the same size and time as in `before` are not read."""
    now = time.time_ns()
    states: dict[Path, _FileState | None] = {}
    for path in paths:
        state, states[path] = before.get(path), None
        if not is_file(path):
            continue
        try:
            status = path.stat()
            stamp = status.st_size, status.st_mtime_ns
            if state is None or not state.settled or state[:2] != stamp:
                with path.open("rb") as stream:
                    digest = hashlib.file_digest(stream, "blake2b").digest()
                state = _FileState(*stamp, now - status.st_mtime_ns > _SETTLED_NS, digest)
        except OSError:
            continue
        states[path] = state
    return states


def find_changed_files(before: Snapshot, now: Snapshot) -> tuple[Path, ...]:
    """Return the files that were changed, added or removed."""
    old, new = (
        {(path, state.digest) for path, state in snapshot.items() if state}
        for snapshot in (before, now)
    )
    return tuple(sorted({path for path, _ in old ^ new}))


_MAX_TURNS = 100
"""The number of readings after which a factory is replaced, to drop what it caches of old ones."""


class FaceName(NamedTuple):
    """The identity of a face, which survives reloads of the game.

    Attributes:
        faction: the id of the faction that prints it.
        card: the id of the card or token.
        style: the style, None for the default one.
        back: true for the back.
        part: the number of the face, from 1, of a card with several.
    """

    faction: str
    card: str
    style: str | None = None
    back: bool = False
    part: int = 1


class StyleFaces:
    """The factory of a style's faces, with the caches that depend on its ops."""

    def __init__(self, factory: FaceFactory) -> None:
        self.factory = factory

    def refresh_pictures(self, paths: Collection[Path]) -> None:
        """Drop changed pictures from the caches, and the faces that show them."""
        faces = self.factory.refresh_pictures(paths)
        self.digests.invalidate_images(paths, faces, self.factory.pictures.store)

    def fork(self, changed: Collection[str] = ()) -> StyleFaces:
        """Return a copy with its own faces that shares fonts, pictures and unchanged templates."""
        factory = self.factory.in_style(self.factory.style, changed=changed)
        factory.pictures = self.factory.pictures.excluding(())
        other = StyleFaces(factory)
        other.glyphs = self.glyphs
        return other

    @cached_property
    def digests(self) -> Digests:
        """The digests of its faces."""
        from deckwright.diff.manifest import Digests  # not for each print

        return Digests(self.factory.fonts, self.factory.pictures.store)

    @cached_property
    def pieces(self) -> PieceMemory:
        """Its faces as painted for PDF."""
        from deckwright.paint.pdf.document import PieceMemory  # only to print

        return PieceMemory()

    @cached_property
    def glyphs(self) -> GlyphOutlines:
        """The outlines of its letters."""
        from deckwright.paint.svg import GlyphOutlines  # only for SVG

        return GlyphOutlines(self.factory.fonts)


class ComposedFace(NamedTuple):
    """A composed face with its title, language, factory and warnings.

    Attributes:
        factory: what composed it; of a draft, not that of `style_faces`.
    """

    face: drawn.Face
    title: str
    language: str
    style_faces: StyleFaces
    factory: FaceFactory
    findings: tuple[Diagnostic, ...] = ()


class _HasFindings(Protocol):
    """A result that carries its warnings."""

    def _replace(self, *, findings: tuple[Diagnostic, ...] = ...) -> Self: ...


T = TypeVar("T")
M = TypeVar("M", bound=_HasFindings)


def produce(make: Callable[[Report], M]) -> M:
    """Return the result of a function with its warnings; an OutputError becomes a GameError."""
    report: Report = []
    with game_errors(report):
        result = make(report)
    return result._replace(findings=tuple(sort_findings(report)))


class GameSession:
    """An open game.

    A GameError says that `game.xml`, a card or a template cannot be used, and what an OutputError
    says; a ChoiceError, that the game does not know a name.

    Attributes:
        folder: its folder.
    """

    def __init__(
        self, path: Path, *, keep: bool, rasterize: bool = False, language: str | None = None
    ) -> None:
        """Open the game in a folder, as `open_game` does. Files are read on first use."""
        if not is_game(path):
            message = "there is no game in this folder: it has no folder `xml`"
            raise GameError([X006.at(Location(path), message, "name the folder of a game")])
        forbid_outward_links(path)
        self.folder = GameFolder(path)
        require_readable_folders(self.folder)
        self._language = None if language is None else self._find_language(language)
        self._rasterizes = rasterize
        self._readings: dict[Path, ParsedFile] = {}
        self._makers: dict[str | None, StyleFaces] = {}
        # Glyph outlines outlive the factories, which are replaced when drawings change.
        self._glyphs: GlyphOutlines | None = None
        self._requests: dict[FaceName, str | None] = {}
        # The errors of templates by style and template.
        self._template_errors: dict[
            tuple[str | None, tuple[str, Source, str]], tuple[Diagnostic, ...]
        ] = {}
        # Taken before reading: a file that changes meanwhile counts as changed at the next reload.
        self._snapshot_before = take_snapshot(self.folder.inputs(), {}) if keep else None
        self._read: _LoadedGame | None = None
        self._overrides: Mapping[Path, bytes] = {}

    def _find_language(self, code: str) -> Language:
        from deckwright.languages.catalog import find_language  # most have one language

        with game_errors():
            return find_language(self.folder, code)

    @property
    def keeps(self) -> bool:
        """True if files and faces are cached."""
        return self._snapshot_before is not None

    @property
    def setup(self) -> Setup:
        """The settings of `game.xml`."""
        if self._read is not None:
            return self._read.model.setup
        with self._use_language():
            return require_loaded(lambda report: load.load_setup(self.folder, report))

    @property
    def model(self) -> Game:
        """The readable part of the game."""
        return self.reading.model

    @property
    def reading(self) -> _LoadedGame:
        """The whole game as read, with its errors."""
        if self._read is None:
            self._read = self._read_game(self._readings, self._snapshot_before)
        return self._read

    def produce(self, make: Callable[[Report], M]) -> M:
        """Return the result of a function that reads cached files, with its warnings."""
        with self.use_cache():
            return produce(make)

    def load(self, make: Callable[[Report], T]) -> T:
        """Return the result of a function that reads cached files, without its warnings."""
        report: Report = []
        with self.use_cache(), game_errors(report):
            return make(report)

    @contextmanager
    def use_cache(self) -> Iterator[None]:
        """Use the cached files within the block, and cache those that it reads."""
        with self.use_settings(), self._use_cache(self._readings, self._snapshot_before):
            yield

    @contextmanager
    def use_settings(self) -> Iterator[None]:
        """Within the block, use the game's language, overridden templates, and its rasterizing."""
        overridden = override_files(self._overrides) if self._overrides else nullcontext()
        with rasterizing() if self._rasterizes else nullcontext(), self._use_language(), overridden:
            yield

    def _use_language(self) -> AbstractContextManager[None]:
        """Return a context in which texts are read in the game's language."""
        return nullcontext() if self._language is None else use_language(self._language)

    def style(self, name: str | None) -> str | None:
        """Return a style, None for the default one."""
        return resolve_style(self.folder, name)

    def card(self, faction: str, card_id: str) -> Card:
        """Return a card or token."""
        card = self.reading.cards.get((faction, card_id))
        if card is None:
            raise GameError([self.no_card(card_id)])
        return card

    def no_card(self, card_id: str) -> Diagnostic:
        """Return the finding for an unknown card id."""
        from deckwright.faces.selection import R019  # only where it is missing

        known = dict.fromkeys(known for _, known in self.reading.cards)
        return R019.at(None, f"there is no card `{card_id}`", known_hint(card_id, known))

    def face(self, name: FaceName) -> ComposedFace | None:
        """Return a face; None for the back of a card without one."""
        card, game = self.card(name.faction, name.card), self.model
        if id(card) in self.reading.faulty:
            raise GameError(self.grade(self._faults_of(card)))
        report: Report = []
        maker = self.open_style(game, name.style, report)
        factory = maker.factory
        template = factory.template_of(card, name.faction, back=name.back)
        if (name.style, template) in self._template_errors:
            raise GameError(self._template_errors[name.style, template])
        compiled = factory.is_compiled(template[0]) is not None
        composed = self._compose(card, name, maker, factory, report)
        if has_errors(report) or (composed is None and not name.back):
            findings = self.grade(report or self._faults_of(card))
            if report and factory.is_compiled(template[0]) is False:
                self._template_errors[name.style, template] = findings
            factory.forget_failed(
                card, name.faction, name.part, back=name.back, template=not compiled
            )
            if not compiled:
                factory.forget({f.location.path.name for f in report if f.location})
            raise GameError(findings)
        if composed is not None:
            self._requests[name] = maker.digests.of(composed.face)
        return composed

    def _compose(
        self, card: Card, name: FaceName, maker: StyleFaces, factory: FaceFactory, report: Report
    ) -> ComposedFace | None:
        compose = factory.card_back if name.back else factory.card_face
        with self.use_settings():
            face = compose(card, name.faction, report, name.part)
        if face is None:
            return None
        title = f"back of {card.kind.name}" if name.back else card.name
        return ComposedFace(face, title, self.setup.language, maker, factory, self.grade(report))

    def draft(self, name: FaceName) -> ComposedFace | None:
        """Return a face despite errors, framed in red; None if it cannot be drawn at all."""
        card, game = self.card(name.faction, name.card), self.model
        if id(card) in self.reading.faulty:
            return None
        faults: Report = []
        maker = self.open_style(game, name.style, faults)
        factory = maker.factory.in_style(maker.factory.style, faults)
        factory.stand_ins = False
        return self._compose(card, name, maker, factory, faults)

    def marker(self, marker_id: str, *, other: bool) -> ComposedFace | None:
        """Return a side of a marker; None for a blank one."""
        known = {marker.id: marker for marker in self.model.setup.markers}
        require_known(marker_id, known, "marker", " in game.xml")
        side = known[marker_id].other if other else known[marker_id].face
        if side is None:
            return None
        report: Report = []
        maker = self.open_style(self.model, None, report)
        with self.use_settings():
            face = maker.factory.compose_marker(known[marker_id], side, report)
        if face is None:
            raise GameError(self.grade(report))
        return ComposedFace(
            face, side.name, self.setup.language, maker, maker.factory, self.grade(report)
        )

    def grade(self, report: Report) -> tuple[Diagnostic, ...]:
        """Return findings, sorted, with the severities that the game assigns."""
        try:
            severities = self.model.setup.severities
        except GameError:  # what is wrong with game.xml is among the findings
            return tuple(sort_findings(report))
        return tuple(sort_findings(Grading(severities=severities).apply(report)))

    def forget_faces(self, style: str | None) -> None:
        """Drop the cached faces of a style."""
        self._makers.pop(style, None)
        self._template_errors = {}

    def reload(
        self, *, compare: bool = True
    ) -> tuple[tuple[Path, ...], tuple[FaceName, ...], tuple[FaceName, ...]]:
        """Read changed files, as `Game.reload` does; return them, changed faces and lost ones."""
        folder = self.folder
        require_readable_folders(folder)
        if self._snapshot_before is None:
            self._read = None
            return (), (), ()
        seen = take_snapshot(folder.inputs(), self._snapshot_before)
        files = find_changed_files(self._snapshot_before, seen)
        if not files:
            self._snapshot_before = seen
            return (), (), ()
        templates = {
            path for path in files if any(map(path.is_relative_to, folder.template_folders))
        }
        pictures = {path for path in files if path.is_relative_to(folder.images)}
        fonts = {path for path in templates if path.suffix != ".xml"}
        language = self._language
        if language is not None and folder.languages_folder / f"{language.code}.po" in files:
            language = self._find_language(language.code)
        kept, former = self._split_readings(files)
        before = self._snapshot_before
        same = all(before.get(path) and seen.get(path) for path in pictures)
        setup = self._read.model.setup if self._read else None
        names = [each.image for each in setup.symbols.values() if each.image] if setup else []
        homes = picture_folders(folder.images)
        symbols = {find_existing(home / name) for home in homes for name in names}  # in any text
        if language is not None and language is not self._language:
            self._set_language(language)
        # A picture that appears or disappears changes the card that it is looked up for.
        if not (templates | pictures >= set(files) and same):
            self._read = self._read_game(kept, seen, former)
        self._readings, self._snapshot_before, self._template_errors = kept, seen, {}
        if folder.game_file in files or fonts or not same or not symbols.isdisjoint(pictures):
            with_glyphs = [maker for maker in self._makers.values() if "glyphs" in vars(maker)]
            self._glyphs = with_glyphs[0].glyphs if with_glyphs and not fonts else None
            self._makers.clear()
        for maker in self._makers.values():
            maker.factory.forget({path.name for path in templates})
            if pictures:
                maker.refresh_pictures(pictures)
        if not compare:
            for maker in self._makers.values():
                maker.digests.keep_only(maker.factory.cached_faces())
            return files, (), ()
        return (files, *self._compare_faces())

    def in_language(self, code: str, drafts: Mapping[tuple[str, str], str]) -> GameSession:
        """Return the game in another language, as `Game.in_language` does."""
        from deckwright.languages.catalog import Catalog  # most have one language

        other, language = copy(self), self._find_language(code)
        if drafts and isinstance(language, Catalog):
            language = language.with_drafts(drafts)
        other.switch_language(language)
        return other

    def switch_language(self, language: Language) -> None:
        """Read the game in another language."""
        self._readings, self._requests, self._template_errors = {**self._readings}, {}, {}
        self._set_language(language)
        self._read = self._read_game(self._readings, self._snapshot_before)

    def _set_language(self, language: Language) -> None:
        """Drop what shows texts; templates stay if only those of cards may differ."""
        looks = [getattr(each, "looks", each) for each in (self._language, language)]
        makers = self._makers if looks[0] == looks[1] else {}
        self._makers = {style: maker.fork() for style, maker in makers.items()}
        self._language = language

    def with_files(self, files: Mapping[Path, bytes]) -> GameSession:
        """Return the game with other contents for some files, as `Game.with_files` does."""
        other = copy(self)
        other.override(files)
        return other

    def override(self, files: Mapping[Path, bytes]) -> None:
        """Replace the contents of some XML files in memory."""
        folders = self.folder.template_folders
        templates = {path for path in files if any(map(path.is_relative_to, folders))}
        if templates < files.keys():
            self._readings, former = self._split_readings(files)
            with override_files(files):
                self._read = self._read_game(self._readings, self._snapshot_before, former)
        self._overrides = {path: files[path] for path in templates}
        makers = {} if self.folder.game_file in files else self._makers
        changed = {path.name for path in templates}
        self._makers = {style: maker.fork(changed) for style, maker in makers.items()}
        self._requests, self._template_errors = {}, {}

    def _split_readings(
        self, files: Collection[Path]
    ) -> tuple[dict[Path, ParsedFile], Mapping[Path, ParsedFile]]:
        """Split the cached readings into those to keep and those of changed files."""
        if self.folder.game_file in files:
            return {}, {}
        unchanged = {path: read for path, read in self._readings.items() if path not in files}
        return unchanged, {path: self._readings[path] for path in files if path in self._readings}

    @contextmanager
    def _use_cache(
        self,
        readings: dict[Path, ParsedFile],
        previous: Snapshot | None,
        former: Mapping[Path, ParsedFile] = MappingProxyType({}),
    ) -> Iterator[None]:
        """Use cached readings within the block, and cache new ones of the files in `previous`."""
        if previous is None:
            with self._use_language(), use_file_cache({}):
                yield
            return
        with self._use_language(), use_file_cache(readings, former):
            yield
        for path in readings.keys() - previous.keys():
            del readings[path]

    def _read_game(
        self,
        readings: dict[Path, ParsedFile],
        previous: Snapshot | None,
        former: Mapping[Path, ParsedFile] = MappingProxyType({}),
    ) -> _LoadedGame:
        """Read the game; errors leave parts out and are collected."""
        report, faults = Report(), Report()
        with self._use_cache(readings, previous, former):
            game = load_partial_game(self.folder, report, faults)
        if game is None:
            raise GameError(report)
        return _LoadedGame(game, faults)

    def _compare_faces(self) -> tuple[tuple[FaceName, ...], tuple[FaceName, ...]]:
        """Return the names of faces that changed, and of those that no longer exist."""
        changed, lost = [], []
        shown: dict[StyleFaces, list[drawn.Face]] = {maker: [] for maker in self._makers.values()}
        for name, digest in [*self._requests.items()]:
            try:
                composed = self.face(name)
            except (GameError, ChoiceError):  # its style may be gone
                composed = None
            if composed is not None:
                shown.setdefault(composed.style_faces, []).append(composed.face)
            if composed is None:
                if digest is not None:
                    lost.append(name)
                # A face of an existing card may come back once its error is fixed.
                self._requests[name] = None
                if (name.faction, name.card) not in self.reading.cards:
                    del self._requests[name]
            elif self._requests[name] != digest:
                changed.append(name)
        for maker, faces in shown.items():
            maker.digests.keep_only(faces)
        return tuple(changed), tuple(lost)

    def _faults_of(self, card: Card) -> Report:
        """Return the errors in the files that define a card, or all errors if there are none."""
        errors = [finding for finding in self.reading.faults if is_error(finding)]
        paths = {card.source.path}
        if any(map(self.model.omissions.rules.may_contain, card.rule_ids())):
            paths.add(self.folder.rules_file)
        return [f for f in errors if f.location and f.location.path in paths] or errors

    def open_style(self, game: Game, style: str | None, report: Report) -> StyleFaces:
        """Return the faces of a style for a reading of the game."""
        maker = self._makers.get(self.style(style))
        if maker is None or maker.factory.generation > _MAX_TURNS:
            from deckwright.faces.factory import FaceFactory  # only to compose

            with self.use_settings():
                maker = StyleFaces(FaceFactory(game, self.folder, report, style))
            if self._glyphs is not None and self._glyphs.fonts == maker.factory.fonts:
                maker.glyphs = self._glyphs
            if not has_errors(report):
                self._makers[style] = maker
        maker.factory.switch_game(game)
        return maker


class _LoadedGame:
    """The readable part of a game, and the errors in the rest."""

    def __init__(self, game: Game, faults: Iterable[Diagnostic]) -> None:
        self.model, self.faults = game, tuple(faults)

    @cached_property
    def faulty(self) -> set[int]:
        """The `id()`s of the cards with errors."""
        return {*find_faulty_cards(self.model, self.faults)}

    @cached_property
    def cards(self) -> dict[CardKey, Card]:
        """The cards and tokens by the faction that prints them and their ids."""
        printed = self.model.printable_cards()
        return {(owner, card.id): card for card, owner, _ in printed if owner}
