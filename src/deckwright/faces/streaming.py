"""Faces for print runs: kept small, released once painted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import unescape

from deckwright.base.cache import truncate_dict
from deckwright.base.files import files_below, read_file
from deckwright.base.findings import Diagnostic, Report
from deckwright.faces.copies import Back
from deckwright.faces.factory import CardSide, FaceFactory, back_key
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Game
from deckwright.grids.csv import MAX_BYTES
from deckwright.images.drawings.cache import forget_drawings
from deckwright.ops.model import Face, Op
from deckwright.ops.readable import alt_text
from deckwright.ops.runs import OpKeys, OpRun
from deckwright.templates.template import Template
from deckwright.text.fonts import CODE_FAMILY
from deckwright.xmlio.node import Source

_LATIN = "".join(c for c in map(chr, range(0x20, 0x100)) if c.isprintable())
_EUROPEAN = "".join(map(chr, range(0x100, 0x180)))
_MARKS = "\xa0–—‐‑‘’‚“”„‹›…•·×−≤≥≠±½¼¾†‡€™\u2009\u202f"  # noqa: RUF001 - dashes and thin spaces
_TEXT_SUFFIXES = {".xml", ".csv", ".json", ".txt"}


def letters_by_font(fonts: Iterable[str], game: Game, folder: GameFolder) -> dict[str, str]:
    """Return the letters of a game by the ids of fonts, but for that of codes."""
    own = (name for name in fonts if name.rpartition("-")[0] != CODE_FAMILY)
    return dict.fromkeys(own, collect_letters(game, folder))


def collect_letters(game: Game, folder: GameFolder) -> str:
    """Return the letters of a game, those that it needs most often first, each once.

    Of what its files write, capitals and small letters are both likely.
    """
    written = set("".join(map(str, game.setup.words.values())))
    paths = [*folder.files(), *(p for each in folder.template_folders for p in files_below(each))]
    for path in dict.fromkeys(paths):
        if path.suffix.lower() in _TEXT_SUFFIXES:
            try:
                text = unescape(read_file(path, MAX_BYTES).decode(errors="ignore"))
            except OSError:
                continue  # what cannot be read is reported where it is needed
            written.update(text)
    written.update([part for letter in written for part in (*letter.upper(), *letter.lower())])
    known = sorted(letter for letter in written if letter.isprintable())
    return "".join(dict.fromkeys([*_LATIN, *_MARKS, *known, *_EUROPEAN]))


_MAX_DRAWN, _MAX_TEXTS = 12_000, 4_000
"""How many elements templates remember to have drawn, and how many texts are kept measured."""

_LeanFace = tuple[Face | None, tuple[Diagnostic, ...]]
"""A lean face, None if it cannot be composed, and what was found about it."""
_Compose = Callable[[Report], Face | None]


class StreamingFaceFactory(FaceFactory):
    """A factory whose faces draw nothing: `whole` gives them with their ops.

    What is wrong with a face is reported each time when it is asked for: no deck depends on others.
    """

    def begin(self, faults: Report | None) -> None:
        """Begin with no face composed."""
        super().begin(faults)
        self._lean_faces: dict[tuple[object, ...], _LeanFace] = {}
        self._ways: dict[int, tuple[Face, _Compose]] = {}
        self._whole: dict[int, Face] = {}
        self._personal: set[tuple[object, ...]] = set()
        self._template_findings: dict[str, tuple[Diagnostic, ...]] = {}
        self._keys = OpKeys()
        self._usual: dict[tuple[object, ...], frozenset[bytes]] = {}
        self._sides: dict[int, CardSide] = {}
        self._then: tuple[int, Mapping[int, int], int] = (0, {}, 0)
        """How many cards, elements drawn and keys there were before the last decks."""
        self.settled = False
        """Whether the last decks brought nothing that others need as well."""

    def faces_with_ops(self) -> list[tuple[Face, Face]]:
        """Return the faces whose ops are still there: each lean, and with its ops."""
        return [(self._ways[number][0], face) for number, face in self._whole.items()]

    def whole(self, face: Face) -> Face:
        """Return a face with its ops; these are composed again unless it is fresh."""
        known = self._ways.get(id(face))
        if known is None:
            return face
        if id(face) not in self._whole:
            composed = known[1]([])
            assert composed is not None
            self._whole[id(face)] = composed
        return self._whole[id(face)]

    def runs(self, face: Face, ops: Sequence[Op]) -> list[OpRun]:
        """Return the ops of a face in runs: those that it shares with other decks' have keys.

        It shares what it also has without anything that is printed on one deck alone.
        """
        side = self._sides.get(id(face))
        return (
            [OpRun(ops)]
            if side is None
            else self._keys.runs(ops, self._usual[_without_printed(side).key])
        )

    def rest(self) -> list[Face]:
        """Let the ops of faces go, and what was drawn and measured, if that is much.

        Return the faces with what is printed on one deck alone: they are forgotten.
        """
        personal = [self._lean_faces.pop(key)[0] for key in self._personal]
        gone = [face for face in personal if face is not None]
        for face in gone:
            del self._ways[id(face)], self._sides[id(face)]
            self._whole.pop(id(face), None)
        # What is drawn for faces that decks share is not needed again. One deck's own faces are
        # mostly drawn as the next deck's are: as they are without what is printed on one alone.
        usual, drawn, keys = self._then
        self.settled = bool(self._whole or (gone and len(self._usual) == usual))
        if self.drawn() > _MAX_DRAWN:
            self.forget_all_drawn()
            usual, drawn, keys, self.settled = 0, {}, 0, True
        if self.settled:
            self.forget_drawn_since(drawn)
            self._keys.forget(keys)
            truncate_dict(self._usual, usual)
        self._then = len(self._usual), self.snapshot_drawn(), len(self._keys)
        if self._whole or gone:
            forget_drawings()
        for kept in (self._personal, self._whole, self._faces, self._backs):
            kept.clear()
        self.metrics.forget(_MAX_TEXTS)
        return gone

    def expect(self, cards: Iterable[tuple[Card, str]], report: Report) -> None:
        """Open the pictures of cards that were not yet composed, several at a time."""
        known = self._lean_faces.keys() | self._usual.keys()
        super().expect([each for each in cards if CardSide(*each).key not in known], report)

    def template(
        self, name: str, source: Source, attribute: str, report: Report
    ) -> Template | None:
        """Return a compiled template, None after reporting what is wrong, each time."""
        if name not in self._template_findings:
            found: Report = []
            super().template(name, source, attribute, found)
            self._template_findings[name] = (*found,)
        report.extend(self._template_findings[name])
        return super().template(name, source, attribute, report)

    def _side(self, side: CardSide, report: Report) -> Face | None:
        if not side.printed:
            return self._compose_lean(side.key, partial(self._recompose, side), report)
        bare = _without_printed(side)
        if bare.key not in self._usual:
            usual = self._compose(bare, [])
            self._usual[bare.key] = self._keys.of(usual.ops if usual is not None else ())
        face = self._compose_lean(side.key, partial(self._recompose, side), report)
        self._personal.add(side.key)
        if face is not None:
            self._sides[id(face)] = side
        return face

    def _recompose(self, side: CardSide, report: Report) -> Face | None:
        self._faces.pop(side.key, None)
        return super()._side(side, report)

    def _shared_back(self, back: Back, card: Card, faction_id: str, report: Report) -> Face | None:
        key = back_key(back, card.kind)

        def composed(report: Report) -> Face | None:
            self._backs.pop(key, None)
            return super(StreamingFaceFactory, self)._shared_back(back, card, faction_id, report)

        return self._compose_lean(key, composed, report)

    def _compose_lean(
        self, key: tuple[object, ...], compose: _Compose, report: Report
    ) -> Face | None:
        """Return what `compose` makes without its ops, and report what is wrong with it."""
        if key not in self._lean_faces:
            found: Report = []
            face = compose(found)
            if face is not None:
                lean = face._replace(ops=(), alt=alt_text(face))
                self._ways[id(lean)] = lean, compose
                self._whole[id(lean)] = face
                face = lean
            self._lean_faces[key] = face, (*found,)
        face, findings = self._lean_faces[key]
        report.extend(findings)
        return face


def _without_printed(side: CardSide) -> CardSide:
    """Return a side without what is printed on one deck alone."""
    return side._replace(printed=())
