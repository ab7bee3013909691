"""The library: games, cards, faces and decks for programs.

A game that is open keeps what it has read and composed. `Game.reload` looks at the folder again,
reads the files that have changed, and says which faces differ. One game is for one thread at a
time.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright.base.files import is_file, keep_within
from deckwright.base.findings import (
    Diagnostic,
    Location,
    Report,
    has_errors,
    is_error,
    known_hint,
    ordered,
)
from deckwright.base.names import composed
from deckwright.base.severity import Grading
from deckwright.base.snapshot import Snapshot
from deckwright.base.units import Mm
from deckwright.checking import stages
from deckwright.checks.loading import Rules, faulty_cards, load_deck, load_readable
from deckwright.diff.manifests.digest import Digests
from deckwright.faces.faces import R019
from deckwright.faces.factory import FaceFactory
from deckwright.faces.images import prepare_images
from deckwright.game import load, model
from deckwright.game.folder import GameFolder, is_game
from deckwright.ops import model as drawn
from deckwright.ops.bleed import with_bleed
from deckwright.ops.model import Op
from deckwright.outputs.decks import print_decks
from deckwright.outputs.pictures import too_large
from deckwright.paint.raster import Encoding, Raster, draw
from deckwright.paint.svg.glyphs import Glyphs
from deckwright.paint.svg.painter import Look, face_svg
from deckwright.sheet.setting import SheetOptions
from deckwright.xmlio.load import X006

__all__ = [
    "Card",
    "Changes",
    "Deck",
    "Diagnostic",
    "Face",
    "FaceName",
    "Game",
    "GameError",
    "Print",
    "open_game",
]

_MOST_TURNS = 100
"""After so many readings of a game its faces are composed anew, so that what was kept of earlier
readings goes."""


class GameError(Exception):
    """Something cannot be done because of mistakes in the game; the findings say which.

    Attributes:
        findings: what is wrong, each with its place; warnings may be among them.
    """

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        """Keep the findings, each once and in the order of their places."""
        self.findings: tuple[Diagnostic, ...] = tuple(ordered(findings))
        super().__init__("\n".join(map(str, self.findings)))


def open_game(path: Path | str = ".") -> Game:
    """Open the game in a folder.

    Mistakes in cards, rules or decks do not keep a game from being opened: `Game.check` tells of
    them.

    Args:
        path: the folder that has the folders `xml`, `img` and `templates`.

    Raises:
        GameError: if there is no game, or its `game.xml` cannot be used.
    """
    return Game(Path(path))


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


class Changes(NamedTuple):
    """What `Game.reload` has found.

    Attributes:
        files: the files that hold something else than before, are new, or are gone.
        faces: those of the faces asked for so far that look different now, as they are now.
        lost: those that were there and cannot be composed any more.
    """

    files: tuple[Path, ...] = ()
    faces: tuple[Face, ...] = ()
    lost: tuple[FaceName, ...] = ()


class Print(NamedTuple):
    """A deck that was printed.

    Attributes:
        paths: the files that were written; backs may be in a second one.
        pages: how many pages they have.
        sheets: how many of these are the fronts of sheets of cards.
        findings: the warnings.
    """

    paths: tuple[Path, ...]
    pages: int
    sheets: int
    findings: tuple[Diagnostic, ...] = ()


class _Maker(NamedTuple):
    """What makes faces of a style: kept together, since each knows the ops of the others."""

    factory: FaceFactory
    digests: Digests
    glyphs: Glyphs


class Face:
    """One side of a card, composed. It stays as it is when the game is read again.

    Attributes:
        name: which face it is, a `FaceName`.
        digest: a hash of its ops and of the fonts and pictures that they name, 40 hexadecimal
            digits: equal where two faces print the same.
    """

    def __init__(
        self, name: FaceName, title: str, language: str, face: drawn.Face, maker: _Maker
    ) -> None:
        """Faces come from `Card.face` and `Card.back`."""
        self.name = name
        self.digest: str = maker.digests.of(face)
        self._title, self._language = title, language
        self._face, self._maker = face, maker

    def __repr__(self) -> str:
        return f"<Face {self.name.card} {self.width:g} × {self.height:g} mm>"

    @property
    def ops(self) -> tuple[Op, ...]:
        """What is drawn, in mm from the top left corner, from the bottom up."""
        return self._face.ops

    @property
    def width(self) -> Mm:
        """The width of the trim box."""
        return self._face.width

    @property
    def height(self) -> Mm:
        """The height of the trim box."""
        return self._face.height

    def svg(self, *, bleed: Mm = 0) -> str:
        """Return the face as the text of an SVG file, letters as outlines, pictures within.

        Args:
            bleed: how much is shown around the trim box, in mm.

        Raises:
            GameError: if one of its pictures cannot be read.
        """
        face, factory = self._prepared(bleed), self._maker.factory
        look = Look(self._title, self._language, bleed)
        return face_svg(face, self._maker.glyphs, factory.pictures.store, look)

    def png(self, *, dpi: float = 300, bleed: Mm = 0) -> bytes:
        """Return the face as a PNG file.

        Args:
            dpi: pixels to the inch.
            bleed: how much is shown around the trim box, in mm.

        Raises:
            GameError: if one of its pictures cannot be read, or it would have too many pixels.
            ValueError: if `dpi` is not above 0.
        """
        if not dpi > 0:
            message = f"dpi is {dpi:g}, but must be above 0"
            raise ValueError(message)
        face, factory = self._prepared(bleed), self._maker.factory
        raster, encoding = Raster(dpi, bleed=bleed), Encoding("png")
        excess = too_large(self.name.card, face, raster, encoding)
        if excess is not None:
            raise GameError([excess])
        (picture,) = draw([face], factory.fonts, factory.pictures.store, raster)
        stream = io.BytesIO()
        encoding.save(picture, stream, dpi)
        return stream.getvalue()

    def _prepared(self, bleed: Mm) -> drawn.Face:
        """Return it with its bleed, and its pictures ready to be painted."""
        face, factory = with_bleed(self._face, bleed), self._maker.factory
        report: Report = []
        if not prepare_images([face], factory.pictures.store, report):
            raise GameError(report)
        return face


class Card:
    """A card or token of an open game, as a faction prints it.

    It stands for what the game has under this id: after `Game.reload` it tells what is there now.

    Attributes:
        id: its id; that of a token is its rule's, with a number: "ca001/1".
        faction: the id of the faction that prints it.
    """

    def __init__(self, game: Game, faction: str, card_id: str) -> None:
        """Cards come from `Game.card` and `Game.cards`."""
        self._game = game
        self.faction = faction
        self.id = card_id

    def __repr__(self) -> str:
        return f"<Card {self.id}>"

    @property
    def name(self) -> str:
        """Its name in print.

        Raises:
            GameError: as all that is asked of a card, if the game does not have it any more.
        """
        return self._card.name

    @property
    def kind(self) -> str:
        """The tag of its kind, such as "card" or "token"."""
        return self._card.kind.tag

    @property
    def is_token(self) -> bool:
        """Whether only rules create it."""
        return self._card.kind.token

    @property
    def parts(self) -> int:
        """How many faces a copy of it has, at least 1."""
        return self._card.parts

    @property
    def fields(self) -> Mapping[str, int | str | None]:
        """The values of its fields by name."""
        return MappingProxyType(dict(self._card.fields))

    def face(self, *, style: str | None = None, part: int = 1) -> Face:
        """Return its face.

        Args:
            style: one of `Game.styles`.
            part: which of its faces, from 1.

        Raises:
            GameError: if there is a mistake in the card or its template.
            ValueError: if there is no such style or part.
        """
        if not 1 <= part <= self.parts:
            message = f"card `{self.id}` has no part {part}, only {self.parts}"
            raise ValueError(message)
        face = self._game._face(FaceName(self.faction, self.id, style, part=part))  # noqa: SLF001
        assert face is not None
        return face

    def back(self, *, style: str | None = None) -> Face | None:
        """Return its back, None if it has none.

        Raises:
            GameError: if there is a mistake in the card or its template.
            ValueError: if there is no such style.
        """
        return self._game._face(FaceName(self.faction, self.id, style, back=True))  # noqa: SLF001

    @property
    def _card(self) -> model.Card:
        return self._game._card(self.faction, self.id)  # noqa: SLF001


class Deck:
    """A deck list of an open game.

    Attributes:
        path: its file.
    """

    def __init__(self, game: Game, path: Path) -> None:
        """Decks come from `Game.deck` and `Game.decks`."""
        self._game = game
        self.path = path

    def __repr__(self) -> str:
        return f"<Deck {self.name}>"

    @property
    def name(self) -> str:
        """The name of its file, without the ending."""
        return self.path.stem

    def check(self, *, ignore_limits: bool = False) -> tuple[Diagnostic, ...]:
        """Return what is wrong with it, its cards and the rules; other cards do not matter.

        Args:
            ignore_limits: whether the limits of the game are left aside.
        """
        report: Report = []
        self._game._deck(self.path, Rules(ignore=ignore_limits), report)  # noqa: SLF001
        return self._game._graded(report)  # noqa: SLF001

    def print(
        self,
        path: Path | str,
        *,
        sheet: str | None = None,
        backs: bool | None = None,
        style: str | None = None,
        ignore_limits: bool = False,
    ) -> Print:
        """Print it as a PDF file: its list, its cards, its tokens, and the rules they use.

        Its manifest is written beside it. An older file is replaced when all has gone well.

        Args:
            path: where to.
            sheet: the name of a sheet format; None for the game's usual one.
            backs: whether backs are printed; None for as the game or the format has it.
            style: one of `Game.styles`.
            ignore_limits: whether it is printed although it breaks the game's limits.

        Raises:
            GameError: if there is a mistake in the deck or what it needs, or the file cannot be
                written.
            ValueError: if there is no such style.
        """
        rules, options = Rules(ignore=ignore_limits), SheetOptions(sheet=sheet, backs=backs)
        return self._game._print(self.path, Path(path), rules, style, options)  # noqa: SLF001


class Game:
    """An open game.

    Attributes:
        path: its folder, as it was given to `open_game`.
    """

    def __init__(self, path: Path) -> None:
        """Games come from `open_game`."""
        if not is_game(path):
            message = "there is no game in this folder: it has no folder `xml`"
            raise GameError([X006.at(Location(path), message, "name the folder of a game")])
        keep_within(path)
        self.path = path
        self._folder = GameFolder(path)
        self._readings: dict[Path, load.Reading] = {}
        self._makers: dict[str | None, _Maker] = {}
        self._asked: dict[FaceName, str | None] = {}
        self._findings: tuple[Diagnostic, ...] | None = None
        # What changes while it is read is taken for changed later.
        self._seen = Snapshot(self._folder.inputs())
        self._take(*self._read(self._readings, self._seen))

    def __repr__(self) -> str:
        return f"<Game in {self.path}>"

    @property
    def name(self) -> str:
        """Its name."""
        return self._model.setup.name

    @property
    def styles(self) -> tuple[str, ...]:
        """The names of the styles of its faces, besides the usual one."""
        return tuple(self._folder.styles())

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards and tokens, in the order of their files."""
        return tuple(Card(self, *key) for key in self._cards)

    @property
    def decks(self) -> tuple[Deck, ...]:
        """All deck lists in `xml/Decks`."""
        return tuple(Deck(self, path) for path in self._folder.deck_files())

    def card(self, card_id: str, *, faction: str | None = None) -> Card:
        """Return a card or token.

        Args:
            card_id: its id.
            faction: the id of the faction that prints it; the first one that has it if None.

        Raises:
            GameError: if there is none.
        """
        wanted = composed(card_id)
        for owner, known in self._cards:
            if known == wanted and faction in {None, owner}:
                return Card(self, owner, known)
        raise GameError([self._no_card(wanted)])

    def deck(self, name: str) -> Deck:
        """Return a deck.

        Args:
            name: the name of a file in `xml/Decks`, with or without `.xml`, or any path.

        Raises:
            GameError: if there is none.
        """
        path = self._folder.deck_file(composed(name))
        if not is_file(path):
            report: Report = []
            load.load_deck(path, self._folder, self._model.setup, report)
            raise GameError(report)
        return Deck(self, path)

    def check(self) -> tuple[Diagnostic, ...]:
        """Return all that is wrong with the game, its decks, and the layout of its faces.

        What was found is kept until `reload` finds a change.
        """
        if self._findings is None:
            report: Report = []
            with self._keeping(self._readings, self._seen):
                stages.check(self._folder, (), Rules(), report, everything=True)
            self._findings = self._graded(report)
        return self._findings

    def reload(self) -> Changes:
        """Look at the folder again, read the files that have changed, and compare faces.

        If nothing has changed, nothing is read. After a change to a template or a picture, only
        faces are composed again. Faces are compared by what they print, so moving an attribute to
        another line changes none. Of faces that were never asked for nothing is said.

        Raises:
            GameError: if `game.xml` cannot be used as it is now. The game stays as it was, and the
                next `reload` tries again.
        """
        seen = Snapshot(self._folder.inputs(), self._seen)
        files = seen.changed(self._seen)
        if not files:
            self._seen = seen
            return Changes()
        folder = self._folder
        templates = {
            path for path in files if any(map(path.is_relative_to, folder.template_folders))
        }
        pictures = {path for path in files if path.is_relative_to(folder.images)}
        fonts = {path for path in templates if path.suffix != ".xml"}
        anew = folder.game_file in files
        kept = {} if anew else {p: read for p, read in self._readings.items() if p not in files}
        if not templates | pictures >= set(files):
            self._take(*self._read(kept, seen))
        self._readings, self._seen, self._findings = kept, seen, None
        if anew or pictures or fonts:
            self._makers.clear()
        for maker in self._makers.values():
            maker.factory.forget({path.name for path in templates})
        return Changes(files, *self._compared())

    @contextmanager
    def _keeping(self, readings: dict[Path, load.Reading], seen: Snapshot) -> Iterator[None]:
        """Within the block take what was read before, and keep what is read of files in `seen`."""
        with load.keeping(readings):
            yield
        for path in readings.keys() - seen.states.keys():
            del readings[path]

    def _read(
        self, readings: dict[Path, load.Reading], seen: Snapshot
    ) -> tuple[model.Game, Report]:
        """Return the game as far as it can be read, and what is wrong with the rest."""
        report: Report = []
        faults: Report = []
        with self._keeping(readings, seen):
            game = load_readable(self._folder, report, faults)
        if game is None:
            raise GameError(report)
        return game, faults

    def _take(self, game: model.Game, faults: Report) -> None:
        """Be this game from now on."""
        self._model, self._faults = game, faults
        self._faulty = faulty_cards(game, faults) | {id(stub) for stub in game.stubs.values()}
        self._cards = {(owner, card.id): card for card, owner, _ in game.printed() if owner}

    def _compared(self) -> tuple[tuple[Face, ...], tuple[FaceName, ...]]:
        """Return the faces that differ from before, and those that are not there any more."""
        faces, lost = [], []
        for name, digest in [*self._asked.items()]:
            try:
                face = self._face(name)
            except GameError:
                face = None
            if face is None:
                if digest is not None:
                    lost.append(name)
                # If its card is there, it may come back.
                self._asked[name] = None
                if (name.faction, name.card) not in self._cards:
                    del self._asked[name]
            elif face.digest != digest:
                faces.append(face)
        return tuple(faces), tuple(lost)

    def _card(self, faction: str, card_id: str) -> model.Card:
        card = self._cards.get((faction, card_id))
        if card is None:
            raise GameError([self._no_card(card_id)])
        return card

    def _no_card(self, card_id: str) -> Diagnostic:
        known = dict.fromkeys(known for _, known in self._cards)
        return R019.at(None, f"there is no card `{card_id}`", known_hint(card_id, known))

    def _face(self, name: FaceName) -> Face | None:
        """Return a face, None if it is the back of a card that has none."""
        card = self._card(name.faction, name.card)
        if id(card) in self._faulty:
            raise GameError(self._graded(self._faults_of(card)))
        report: Report = []
        maker = self._maker(self._model, name.style, report)
        if name.back:
            face = maker.factory.card_back(card, name.faction, report)
        else:
            face = maker.factory.card_face(card, name.faction, report, name.part)
        if has_errors(report) or (face is None and not name.back):
            self._makers.pop(name.style, None)
            raise GameError(self._graded(report or self._faults_of(card)))
        if face is None:
            return None
        title = f"back of {card.kind.name}" if name.back else card.name
        result = Face(name, title, self._model.setup.language, face, maker)
        self._asked[name] = result.digest
        return result

    def _faults_of(self, card: model.Card) -> Report:
        """Return the errors of the files that a card stands in; all if it is none of these."""
        errors = [finding for finding in self._faults if is_error(finding)]
        paths = {card.source.path}
        if any(map(self._model.gaps.rules.may_hold, card.rule_ids())):
            paths.add(self._folder.rules_file)
        return [f for f in errors if f.location and f.location.path in paths] or errors

    def _maker(self, game: model.Game, style: str | None, report: Report) -> _Maker:
        """Return what makes the faces of a style, for a reading of the game."""
        if style is not None and style not in self.styles:
            message = f"there is no style `{style}`, only {', '.join(self.styles) or 'the usual'}"
            raise ValueError(message)
        maker = self._makers.get(style)
        if maker is None or maker.factory.turns > _MOST_TURNS:
            factory = FaceFactory(game, self._folder, report, style)
            digests = Digests(factory.fonts, factory.pictures.store)
            maker = _Maker(factory, digests, Glyphs(factory.fonts))
            if not has_errors(report):
                self._makers[style] = maker
        maker.factory.turn_to(game)
        return maker

    def _graded(self, report: Report) -> tuple[Diagnostic, ...]:
        """Return findings with the severities that the game gives them, in order."""
        severities = self._model.setup.severities
        return tuple(ordered(Grading(severities=severities).graded(report)))

    def _deck(self, path: Path, rules: Rules, report: Report) -> None:
        with self._keeping(self._readings, self._seen):
            load_deck(self._folder, path, rules, report)

    def _print(
        self, deck: Path, target: Path, rules: Rules, style: str | None, options: SheetOptions
    ) -> Print:
        report: Report = []

        def factories(game: model.Game, style: str | None, report: Report) -> FaceFactory:
            return self._maker(game, style, report).factory

        with self._keeping(self._readings, self._seen):
            printed = print_decks(
                self._folder, [deck], target, rules, style, report, options, factories=factories
            )
        if printed is None:
            self._makers.pop(style, None)
            raise GameError(self._graded(report))
        return Print(printed.paths, printed.pages, printed.sheets, self._graded(report))
