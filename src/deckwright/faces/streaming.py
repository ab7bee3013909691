"""Faces for print runs, kept without their ops, which are released once painted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from deckwright.base.cache import truncate_dict
from deckwright.base.findings import Diagnostic, Report
from deckwright.faces.copies import Back
from deckwright.faces.factory import CardSide, FaceFactory, back_key
from deckwright.game.model import Card
from deckwright.images.drawings.cache import forget_drawings
from deckwright.ops.model import Face, Op
from deckwright.ops.readable import alt_text
from deckwright.ops.shared_ops import OpKeys, OpRun
from deckwright.templates.template import Template
from deckwright.xmlio.node import Source

_MAX_DRAWN, _MAX_TEXTS = 12_000, 4_000
"""The largest numbers of cached results of elements, and of cached measurements of texts."""

_LeanFace = tuple[Face | None, tuple[Diagnostic, ...]]
"""A face without ops, None if it cannot be composed, and its findings."""
_Compose = Callable[[Report], Face | None]


class StreamingFaceFactory(FaceFactory):
    """A factory whose faces have no ops: `with_ops` returns them with ops.

    Findings about a face are reported each time it is used, so that decks are independent.
    """

    def reset(self, faults: Report | None) -> None:
        """Begin with no face composed."""
        super().reset(faults)
        self._lean_faces: dict[tuple[object, ...], _LeanFace] = {}
        self._composers: dict[int, tuple[Face, _Compose]] = {}
        self._faces_in_memory: dict[int, Face] = {}
        self._personal: set[tuple[object, ...]] = set()
        self._template_findings: dict[str, tuple[Diagnostic, ...]] = {}
        self._keys = OpKeys()
        self._shared_ops: dict[tuple[object, ...], frozenset[bytes]] = {}
        self._sides: dict[int, CardSide] = {}
        self._last_sizes: tuple[int, Mapping[int, int], int] = (0, {}, 0)
        """The numbers of sides, cached elements and keys after the last release."""
        self.is_settled = False
        """Whether the last decks added nothing to the caches that others need."""

    def faces_with_ops(self) -> list[tuple[Face, Face]]:
        """Return the faces whose ops are still in memory, as pairs without and with ops."""
        return [
            (self._composers[number][0], face) for number, face in self._faces_in_memory.items()
        ]

    def with_ops(self, face: Face) -> Face:
        """Return a face with its ops, composed again if necessary."""
        known = self._composers.get(id(face))
        if known is None:
            return face
        if id(face) not in self._faces_in_memory:
            composed = known[1]([])
            assert composed is not None
            self._faces_in_memory[id(face)] = composed
        return self._faces_in_memory[id(face)]

    def runs(self, face: Face, ops: Sequence[Op]) -> list[OpRun]:
        """Return the ops of a face in runs; runs shared with other decks have keys.

        Decks share the ops that the face also has without values printed on a single deck.
        """
        side = self._sides.get(id(face))
        if side is None:
            return [OpRun(ops)]
        return self._keys.runs(ops, self._shared_ops[side._replace(printed=()).key])

    def release(self) -> list[Face]:
        """Release the ops of faces, and caches if they are large.

        Return the faces with values printed on a single deck, which are dropped.
        """
        personal = [*filter(None, (self._lean_faces.pop(key)[0] for key in self._personal))]
        for face in personal:
            del self._composers[id(face)], self._sides[id(face)]
            self._faces_in_memory.pop(id(face), None)
        # Results for shared faces are not needed again, but those for faces with values of a single
        # deck are: the next deck's faces differ only in these values.
        usual, drawn, keys = self._last_sizes
        self.is_settled = bool(
            self._faces_in_memory or (personal and len(self._shared_ops) == usual)
        )
        if self.count_drawn() > _MAX_DRAWN:
            self.forget_all_drawn()
            usual, drawn, keys, self.is_settled = 0, {}, 0, True
        if self.is_settled:
            self.forget_drawn_since(drawn)
            self._keys.forget(keys)
            truncate_dict(self._shared_ops, usual)
        self._last_sizes = len(self._shared_ops), self.snapshot_drawn(), len(self._keys)
        if self._faces_in_memory or personal:
            forget_drawings()
        for kept in (self._personal, self._faces_in_memory, self._faces, self._backs):
            kept.clear()
        self.metrics.forget(_MAX_TEXTS)
        return personal

    def prefetch(self, cards: Iterable[tuple[Card, str]], report: Report) -> None:
        """Open the pictures of cards not composed yet, in parallel."""
        known = self._lean_faces.keys() | self._shared_ops.keys()
        super().prefetch([each for each in cards if CardSide(*each).key not in known], report)

    def template(
        self, name: str, source: Source, attribute: str, report: Report
    ) -> Template | None:
        """Return a compiled template, None after reporting errors, each time."""
        if name not in self._template_findings:
            findings: Report = []
            super().template(name, source, attribute, findings)
            self._template_findings[name] = (*findings,)
        report.extend(self._template_findings[name])
        return super().template(name, source, attribute, report)

    def _compose_side(self, side: CardSide, report: Report) -> Face | None:
        if not side.printed:
            return self._compose_lean(side.key, partial(self._recompose, side), report)
        bare = side._replace(printed=())
        if bare.key not in self._shared_ops:
            usual = self._compose(bare, [])
            self._shared_ops[bare.key] = self._keys.keys_of(usual.ops if usual else ())
        face = self._compose_lean(side.key, partial(self._recompose, side), report)
        self._personal.add(side.key)
        if face is not None:
            self._sides[id(face)] = side
        return face

    def _recompose(self, side: CardSide, report: Report) -> Face | None:
        self._faces.pop(side.key, None)
        return super()._compose_side(side, report)

    def _shared_back(self, back: Back, card: Card, faction_id: str, report: Report) -> Face | None:
        key = back_key(back, card.kind)

        def recompose(report: Report) -> Face | None:
            self._backs.pop(key, None)
            return super(StreamingFaceFactory, self)._shared_back(back, card, faction_id, report)

        return self._compose_lean(key, recompose, report)

    def _compose_lean(
        self, key: tuple[object, ...], compose: _Compose, report: Report
    ) -> Face | None:
        """Return the result of `compose` without its ops, and report its findings."""
        if key not in self._lean_faces:
            new_findings: Report = []
            face = compose(new_findings)
            if face is not None:
                lean = face._replace(ops=(), alt=alt_text(face))
                self._composers[id(lean)] = lean, compose
                self._faces_in_memory[id(lean)] = face
                face = lean
            self._lean_faces[key] = face, (*new_findings,)
        face, findings = self._lean_faces[key]
        report.extend(findings)
        return face
