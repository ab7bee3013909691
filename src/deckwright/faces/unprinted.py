"""Find texts of cards that are printed in no style."""

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
    """Collects the faces of a game, style by style, to find texts that none of them prints.

    A face omits a text for want of room if its template has alternatives (`first`).
    """

    def __init__(self) -> None:
        """Begin without faces."""
        self._left_out: dict[tuple[Source, str], Card] = {}
        self._faces: dict[Source, list[Face]] = {}

    def add_faces(self, faces: Iterable[NamedFace]) -> None:
        """Add all faces of a style, and the backs that belong to a single card."""
        for named in faces:
            card, face = named.card, named.face
            self._faces.setdefault(card.source, []).append(face)
            for name in face.unprinted:
                if isinstance(card.fields.get(name), str):
                    self._left_out.setdefault((card.source, name), card)

    def findings(self) -> Iterator[Diagnostic]:
        """Yield a finding for each omitted text that no face prints."""
        for (source, name), card in self._left_out.items():
            faces = self._faces[source]
            if not any(
                has_words(join_face_words(face.ops), str(card.fields[name])) for face in faces
            ):
                message = f"the field `{name}` of {card.subject} is never printed, for want of room"
                yield L017.at(source.at(name), message, _HINT)
