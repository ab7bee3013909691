"""An open game: its files as read, its faces as composed, and what a reload changes."""

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

from deckwright.api.options import GameError, require_readable_folders, resolve_style
from deckwright.base.files import forbid_outward_links, is_file
from deckwright.base.findings import (
    ChoiceError,
    Diagnostic,
    Grading,
    Location,
    Report,
    has_errors,
    is_error,
    known_hint,
    sort_findings,
)
from deckwright.base.names import find_existing
from deckwright.checks.loading import find_faulty_cards, load_partial_game
from deckwright.game import load
from deckwright.game.folder import GameFolder, is_game
from deckwright.game.model import Card, CardKey, Game
from deckwright.game.read import ParsedFile, use_file_cache
from deckwright.game.setup import Setup
from deckwright.images.drawings.rasterize import rasterizing
from deckwright.xmlio.load import X006, override_files
from deckwright.xmlio.node import Source

_SETTLED_NS = 2_000_000_000
"""After so long a file that is written again has another time, on any file system."""


class _FileState(NamedTuple):
    """A file as it was found.

    Attributes:
        settled: whether it was old enough for its time to tell it from a later state.
    """

    size: int
    time_ns: int
    settled: bool
    digest: bytes


class Snapshot:
    """The state of files at one moment. Paths where there is no regular file count as such."""

    def __init__(self, paths: Iterable[Path], before: Snapshot | None = None) -> None:
        """Look at files; those that are as `before` by size and time are not read."""
        known = before.states if before else {}
        now = time.time_ns()
        self.states: Mapping[Path, _FileState | None] = {
            path: _read_state(path, known.get(path), now) for path in paths
        }

    def changed(self, before: Snapshot) -> tuple[Path, ...]:
        """Return the files that hold something else than before, are new, or are gone."""
        paths = {**before.states, **self.states}
        differing = (path for path in paths if self.digest(path) != before.digest(path))
        return tuple(sorted(differing))

    def digest(self, path: Path) -> bytes | None:
        """Return the hash of a file; None if there is none."""
        state = self.states.get(path)
        return state.digest if state else None


def _read_state(path: Path, before: _FileState | None, now: int) -> _FileState | None:
    """Return the state of a file, None if there is none that can be read."""
    if not is_file(path):
        return None
    try:
        status = path.stat()
        stamp = status.st_size, status.st_mtime_ns
        if before is not None and before.settled and before[:2] == stamp:
            return before
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "blake2b").digest()
    except OSError:
        return None
    return _FileState(*stamp, now - status.st_mtime_ns > _SETTLED_NS, digest)


if TYPE_CHECKING:
    from deckwright.diff.manifest import Digests
    from deckwright.faces.factory import FaceFactory
    from deckwright.ops import model as drawn
    from deckwright.paint.svg import GlyphOutlines

_MAX_TURNS = 100
"""After so many readings of a game its faces are composed anew, so that what was kept of earlier
readings goes."""


class FaceName(NamedTuple):
    """Which face of a game: what stays the same when the game is read again.

    Attributes:
        faction: the id of the faction that prints it.
        card: the id of the card or token.
        style: the style, None for the usual one.
        back: whether it is the back.
        part: which of the faces of a card that has several, from 1.
    """

    faction: str
    card: str
    style: str | None = None
    back: bool = False
    part: int = 1


class StyleFaces:
    """What makes faces of a style: kept together, since each knows the ops of the others."""

    def __init__(self, factory: FaceFactory) -> None:
        """Make faces with this factory."""
        self.factory = factory

    def look_again(self, paths: Collection[Path]) -> None:
        """Forget what was in some pictures, and the faces that show them."""
        faces = self.factory.look_again(paths)
        self.digests.look_again(paths, faces, self.factory.pictures.store)

    def beside(self) -> StyleFaces:
        """Return another one for the same fonts, pictures and templates, with faces of its own."""
        factory = self.factory.in_style(self.factory.style)
        factory.pictures = self.factory.pictures.without(())
        other = StyleFaces(factory)
        other.glyphs = self.glyphs
        return other

    @cached_property
    def digests(self) -> Digests:
        """The digests of its faces."""
        from deckwright.diff.manifest import Digests  # noqa: PLC0415 - not for each print

        return Digests(self.factory.fonts, self.factory.pictures.store)

    @cached_property
    def glyphs(self) -> GlyphOutlines:
        """The outlines of its letters."""
        from deckwright.paint.svg import GlyphOutlines  # noqa: PLC0415 - only for SVG

        return GlyphOutlines(self.factory.fonts)


class ComposedFace(NamedTuple):
    """A face that was composed, what it is called, what has made it, and the warnings."""

    face: drawn.Face
    title: str
    language: str
    maker: StyleFaces
    findings: tuple[Diagnostic, ...] = ()


class _HasFindings(Protocol):
    """What was made, with the warnings."""

    def _replace(self, *, findings: tuple[Diagnostic, ...] = ...) -> Self: ...


M = TypeVar("M", bound=_HasFindings)


class GameSession:
    """A game that is open.

    Attributes:
        folder: where its files are.
    """

    def __init__(self, path: Path, *, keep: bool, rasterize: bool = False) -> None:
        """Open the game in a folder; it is read when it is first asked for.

        Args:
            keep: whether what is read is kept.
            rasterize: whether drawings that cannot be drawn are turned into pixels.

        Raises:
            GameError: if there is no game, or a folder of it cannot be read.
        """
        if not is_game(path):
            message = "there is no game in this folder: it has no folder `xml`"
            raise GameError([X006.at(Location(path), message, "name the folder of a game")])
        forbid_outward_links(path)
        self.folder = GameFolder(path)
        require_readable_folders(self.folder)
        self._rasterizes = rasterize
        self._readings: dict[Path, ParsedFile] = {}
        self._makers: dict[str | None, StyleFaces] = {}
        # The letters of fonts stay when drawings change, for which all faces are composed anew.
        self._glyphs: GlyphOutlines | None = None
        self._asked: dict[FaceName, str | None] = {}
        # What is wrong with templates, by their styles and what names them.
        self._refused: dict[tuple[str | None, tuple[str, Source, str]], tuple[Diagnostic, ...]] = {}
        # What changes while it is read is taken for changed later.
        self._seen = self._snapshot() if keep else None
        self._read: _LoadedGame | None = None

    @property
    def keeps(self) -> bool:
        """Whether what is read and composed is kept."""
        return self._seen is not None

    @property
    def setup(self) -> Setup:
        """What `game.xml` says.

        Raises:
            GameError: if it cannot be used.
        """
        if self._read is not None:
            return self._read.model.setup
        report: Report = []
        setup = load.load_setup(self.folder, report)
        if setup is None:
            raise GameError(report)
        return setup

    @property
    def model(self) -> Game:
        """The game as far as it can be read.

        Raises:
            GameError: if its `game.xml` cannot be used.
        """
        return self.reading.model

    @property
    def reading(self) -> _LoadedGame:
        """What was read of the whole game.

        Raises:
            GameError: if its `game.xml` cannot be used.
        """
        if self._read is None:
            self._read = self._reading(self._readings, self._seen)
        return self._read

    def made(self, make: Callable[[Report], M | None]) -> M:
        """Return what a function makes, with the warnings, from files that were read if possible.

        Raises:
            GameError: if it makes nothing; it has reported why.
        """
        report: Report = []
        with self.keeping():
            made = make(report)
        if made is None:
            raise GameError(report)
        return made._replace(findings=tuple(sort_findings(report)))

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Within the block take what was read before, and keep what is read."""
        with self.drawing(), self._keeping(self._readings, self._seen):
            yield

    def drawing(self) -> AbstractContextManager[None]:
        """Return a block within which drawings are drawn as this game wants them."""
        return rasterizing() if self._rasterizes else nullcontext()

    def style(self, name: str | None) -> str | None:
        """Return a style, None for the usual one.

        Raises:
            ChoiceError: if there is no such style.
        """
        return resolve_style(self.folder, name)

    def card(self, faction: str, card_id: str) -> Card:
        """Return a card or token.

        Raises:
            GameError: if there is none.
        """
        card = self.reading.cards.get((faction, card_id))
        if card is None:
            raise GameError([self.no_card(card_id)])
        return card

    def no_card(self, card_id: str) -> Diagnostic:
        """Return the finding that there is no card of this id."""
        from deckwright.faces.selection import R019  # noqa: PLC0415 - only where it is missing

        known = dict.fromkeys(known for _, known in self.reading.cards)
        return R019.at(None, f"there is no card `{card_id}`", known_hint(card_id, known))

    def face(self, name: FaceName) -> ComposedFace | None:
        """Return a face, None if it is the back of a card that has none.

        Raises:
            GameError: if there is a mistake in the card or its template.
            ChoiceError: if there is no such style.
        """
        card, game = self.card(name.faction, name.card), self.model
        if id(card) in self.reading.faulty:
            raise GameError(self.graded(self._faults_of(card)))
        report: Report = []
        maker = self._maker(game, name.style, report)
        factory = maker.factory
        template = factory.template_of(card, name.faction, back=name.back)
        if (name.style, template) in self._refused:
            raise GameError(self._refused[name.style, template])
        compiled = factory.is_compiled(template[0]) is not None
        compose = factory.card_back if name.back else factory.card_face
        with self.drawing():
            face = compose(card, name.faction, report, name.part)
        if has_errors(report) or (face is None and not name.back):
            found = self.graded(report or self._faults_of(card))
            if report and factory.is_compiled(template[0]) is False:
                self._refused[name.style, template] = found
            factory.forget_failed(
                card, name.faction, name.part, back=name.back, template=not compiled
            )
            if not compiled:
                factory.forget({f.location.path.name for f in report if f.location})
            raise GameError(found)
        if face is None:
            return None
        title = f"back of {card.kind.name}" if name.back else card.name
        self._asked[name] = maker.digests.of(face)
        return ComposedFace(face, title, game.setup.language, maker, self.graded(report))

    def draft(self, name: FaceName) -> ComposedFace | None:
        """Return a face in spite of faults in its texts and pictures, framed in red.

        Returns:
            None if it cannot be drawn at all, or the card itself has a mistake.
        """
        card, game = self.card(name.faction, name.card), self.model
        if id(card) in self.reading.faulty:
            return None
        faults: Report = []
        maker = self._maker(game, name.style, faults)
        factory = maker.factory.in_style(maker.factory.style, faults)
        factory.stand_ins = False
        compose = factory.card_back if name.back else factory.card_face
        with self.drawing():
            face = compose(card, name.faction, faults, name.part)
        if face is None:
            return None
        title = f"back of {card.kind.name}" if name.back else card.name
        return ComposedFace(face, title, game.setup.language, maker, self.graded(faults))

    def graded(self, report: Report) -> tuple[Diagnostic, ...]:
        """Return findings with the severities that the game gives them, in order."""
        try:
            severities = self.model.setup.severities
        except GameError:  # what is wrong with game.xml is among the findings
            return tuple(sort_findings(report))
        return tuple(sort_findings(Grading(severities=severities).graded(report)))

    def factory(self, game: Game, style: str | None, report: Report) -> FaceFactory:
        """Return what composes the faces of a style, for a reading of the game."""
        return self._maker(game, style, report).factory

    def forget_faces(self, style: str | None) -> None:
        """Compose the faces of a style anew when they are asked for again."""
        self._makers.pop(style, None)
        self._refused = {}

    def reload(
        self, *, compare: bool = True
    ) -> tuple[tuple[Path, ...], tuple[FaceName, ...], tuple[FaceName, ...]]:
        """Read the files that have changed.

        Args:
            compare: whether faces are composed and compared; else no names are returned.

        Returns:
            these files; the names of the faces asked for so far that look different now; and those
            that cannot be composed any more.

        Raises:
            GameError: if `game.xml` cannot be used or a folder cannot be read as they are now. The
                game stays as it was, and the next time it is tried again.
        """
        folder = self.folder
        require_readable_folders(self.folder)
        if self._seen is None:
            self._read = None
            return (), (), ()
        seen = self._snapshot(self._seen)
        files = seen.changed(self._seen)
        if not files:
            self._seen = seen
            return (), (), ()
        templates = {
            path for path in files if any(map(path.is_relative_to, folder.template_folders))
        }
        pictures = {path for path in files if path.is_relative_to(folder.images)}
        fonts = {path for path in templates if path.suffix != ".xml"}
        anew = folder.game_file in files
        kept, former = self._kept(files)
        before = self._seen.states
        same = all(before.get(path) and seen.states.get(path) for path in pictures)
        symbols = self._symbols()
        # Cards have the pictures that are found for them.
        if not (templates | pictures >= set(files) and same):
            self._read = self._reading(kept, seen, former)
        self._readings, self._seen, self._refused = kept, seen, {}
        if anew or fonts or not same or not symbols.isdisjoint(pictures):
            made = [maker for maker in self._makers.values() if "glyphs" in vars(maker)]
            self._glyphs = made[0].glyphs if made and not fonts else None
            self._makers.clear()
        for maker in self._makers.values():
            maker.factory.forget({path.name for path in templates})
            if pictures:
                maker.look_again(pictures)
        if not compare:
            for maker in self._makers.values():
                maker.digests.keep(maker.factory.cached_faces())
            return files, (), ()
        return (files, *self._compared())

    def as_if(self, files: Mapping[Path, bytes]) -> GameSession:
        """Return the game as it would be if some of its XML files held something else.

        Nothing is written, and this game stays as it is.

        Raises:
            GameError: if `game.xml` could not be used.
        """
        other = copy(self)
        other.suppose(files)
        return other

    def suppose(self, files: Mapping[Path, bytes]) -> None:
        """Go on as if some XML files held something else, as `as_if` does with a copy.

        Raises:
            GameError: as above.
        """
        self._readings, former = self._kept(files)
        with override_files(files):
            self._read = self._reading(self._readings, self._seen, former)
        made = {} if self.folder.game_file in files else self._makers
        self._makers = {style: maker.beside() for style, maker in made.items()}
        self._asked, self._refused = {}, {}

    def _symbols(self) -> set[Path]:
        """Return the drawings of the game's symbols, which all texts may show."""
        symbols = self._read.model.setup.symbols.values() if self._read else ()
        return {find_existing(self.folder.images / each.image) for each in symbols if each.image}

    def _snapshot(self, before: Snapshot | None = None) -> Snapshot:
        """Return the state of the files that it is made of."""
        return Snapshot(self.folder.inputs(), before)

    def _kept(
        self, files: Collection[Path]
    ) -> tuple[dict[Path, ParsedFile], Mapping[Path, ParsedFile]]:
        """Return what was read of other files than these, and of these; all by one `game.xml`."""
        if self.folder.game_file in files:
            return {}, {}
        kept = {path: read for path, read in self._readings.items() if path not in files}
        return kept, {path: self._readings[path] for path in files if path in self._readings}

    @contextmanager
    def _keeping(
        self,
        readings: dict[Path, ParsedFile],
        seen: Snapshot | None,
        former: Mapping[Path, ParsedFile] = MappingProxyType({}),
    ) -> Iterator[None]:
        """Within the block take what was read before, and keep what is read of files in `seen`."""
        if seen is None:
            with use_file_cache({}):
                yield
            return
        with use_file_cache(readings, former):
            yield
        for path in readings.keys() - seen.states.keys():
            del readings[path]

    def _reading(
        self,
        readings: dict[Path, ParsedFile],
        seen: Snapshot | None,
        former: Mapping[Path, ParsedFile] = MappingProxyType({}),
    ) -> _LoadedGame:
        """Return the game as far as it can be read, and what is wrong with the rest."""
        report: Report = []
        faults: Report = []
        with self._keeping(readings, seen, former):
            game = load_partial_game(self.folder, report, faults)
        if game is None:
            raise GameError(report)
        return _LoadedGame(game, faults)

    def _compared(self) -> tuple[tuple[FaceName, ...], tuple[FaceName, ...]]:
        """Return the faces that differ from before, and those that are not there any more."""
        differing, lost = [], []
        shown: dict[StyleFaces, list[drawn.Face]] = {maker: [] for maker in self._makers.values()}
        for name, digest in [*self._asked.items()]:
            try:
                found = self.face(name)
            except (GameError, ChoiceError):  # its style may be gone
                found = None
            if found is not None:
                shown.setdefault(found.maker, []).append(found.face)
            if found is None:
                if digest is not None:
                    lost.append(name)
                # If its card is there, it may come back.
                self._asked[name] = None
                if (name.faction, name.card) not in self.reading.cards:
                    del self._asked[name]
            elif self._asked[name] != digest:
                differing.append(name)
        for maker, faces in shown.items():
            maker.digests.keep(faces)
        return tuple(differing), tuple(lost)

    def _faults_of(self, card: Card) -> Report:
        """Return the errors of the files that a card stands in; all if it is none of these."""
        errors = [finding for finding in self.reading.faults if is_error(finding)]
        paths = {card.source.path}
        if any(map(self.model.omissions.rules.may_contain, card.rule_ids())):
            paths.add(self.folder.rules_file)
        return [f for f in errors if f.location and f.location.path in paths] or errors

    def _maker(self, game: Game, style: str | None, report: Report) -> StyleFaces:
        """Return what makes the faces of a style, for a reading of the game."""
        maker = self._makers.get(self.style(style))
        if maker is None or maker.factory.turns > _MAX_TURNS:
            from deckwright.faces.factory import FaceFactory  # noqa: PLC0415 - only to compose

            maker = StyleFaces(FaceFactory(game, self.folder, report, style))
            if self._glyphs is not None and self._glyphs.fonts == maker.factory.fonts:
                maker.glyphs = self._glyphs
            if not has_errors(report):
                self._makers[style] = maker
        maker.factory.switch_game(game)
        return maker


class _LoadedGame:
    """A game that was read, and what is wrong with the parts that were left out."""

    def __init__(self, game: Game, faults: Iterable[Diagnostic]) -> None:
        self.model = game
        self.faults = tuple(faults)

    @cached_property
    def faulty(self) -> set[int]:
        """The cards with mistakes, by their ids in Python's sense."""
        game = self.model
        return {*find_faulty_cards(game, self.faults)} | {id(stub) for stub in game.stubs.values()}

    @cached_property
    def cards(self) -> dict[CardKey, Card]:
        """All cards and tokens by the faction that prints them and their ids."""
        printed = self.model.printed()
        return {(owner, card.id): card for card, owner, _ in printed if owner}
