"""Texts of cards that none of their faces prints, in any style."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.faces.copies import NamedFace
from deckwright.game.model import Card
from deckwright.ops.model import Face
from deckwright.templates.compose import has_words, join_face_words
from deckwright.xmlio.node import Source

L017 = Code("L017", Severity.INFO, "a text that is never printed")

_HINT = "shorten it, or give it more room in the template"


class UnprintedTexts:
    """Looks at the faces of a game, style by style, for texts that none of them prints.

    A face leaves a text out for want of room where its template offers alternatives (`first`).
    """

    def __init__(self) -> None:
        """Begin with no face."""
        self._left_out: dict[tuple[Source, str], Card] = {}
        self._faces: dict[Source, list[Face]] = {}

    def add_faces(self, faces: Iterable[NamedFace]) -> None:
        """Take all faces of a style, with the backs that are a card's own."""
        for named in faces:
            card, face = named.card, named.face
            self._faces.setdefault(card.source, []).append(face)
            for name in face.unprinted:
                if isinstance(card.fields.get(name), str):
                    self._left_out.setdefault((card.source, name), card)

    def findings(self) -> Iterator[Diagnostic]:
        """Yield each text that was left out, and that no face prints."""
        for (source, name), card in self._left_out.items():
            faces = self._faces[source]
            if not any(
                has_words(join_face_words(face.ops), str(card.fields[name])) for face in faces
            ):
                message = f"the field `{name}` of {card.subject} is never printed, for want of room"
                yield L017.at(source.at(name), message, _HINT)
