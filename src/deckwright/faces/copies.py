"""Faces on their way out: copies to print, and faces that become files."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from deckwright.base.findings import Location
from deckwright.base.units import Mm
from deckwright.game.model import Card, FaceKey, Values
from deckwright.ops.model import Face
from deckwright.xmlio.node import Source

Key = tuple[str, str, str, int]


class Copy(NamedTuple):
    """A face to print, what it is a copy of, and who prints it.

    Attributes:
        back: its back, if that is printed and its kind has one.
        number: which of the card's faces it has, from 1.
        zone_id: the zone that a deck puts it in by name.
        part: the part of the deck that it belongs to.
        deck: the deck that it belongs to, where a print has several.
        printed: what is printed on it besides.
    """

    card: Card
    faction_id: str
    face: Face
    back: Face | None = None
    part: str = ""
    deck: str = ""
    number: int = 1
    zone_id: str | None = None
    printed: Values = ()

    @property
    def name(self) -> str:
        """What it is called: as its card, with its number if that has several faces."""
        return called(self.card, self.number)

    @property
    def key(self) -> Key:
        """What tells it from copies of other faces: faction, kind and id of the card, number."""
        return self.faction_id, self.card.kind.tag, self.card.id, self.number

    @property
    def face_key(self) -> FaceKey:
        """Which of all faces it is a copy of."""
        return self.faction_id, self.card.id, self.number

    @property
    def size(self) -> tuple[Mm, Mm]:
        """Width and height of its trim box."""
        return self.face.width, self.face.height

    @property
    def radius(self) -> Mm:
        """How round its corners are cut."""
        return self.card.kind.radius


def called(card: Card, number: int) -> str:
    """Return what a face of a card is called, which is the card's name if it has no other."""
    return f"{card.name} ({number}/{card.parts})" if card.parts > 1 else card.name


class Side(Protocol):
    """What a press prints: a side of a card, or a page, as checks see it."""

    @property
    def face(self) -> Face:
        """What is drawn."""

    @property
    def subject(self) -> str:
        """What findings call it."""

    @property
    def place(self) -> Location | None:
        """Where findings about it point."""

    @property
    def alike(self) -> tuple[str, bool]:
        """What sides have in common that are drawn alike: what kind they are of, and which side."""


class NamedFace(NamedTuple):
    """A face with the name that files call it by.

    Attributes:
        group: the id of its faction, "tokens" or "backs".
        back: the element of game.xml that names its template, if it is a back that cards share.
    """

    name: str
    group: str
    card: Card
    face: Face
    back: Source | None = None

    @property
    def is_back(self) -> bool:
        """Whether it is a back."""
        return self.group == "backs"

    @property
    def subject(self) -> str:
        """What findings call it."""
        return self.face.subject

    @property
    def place(self) -> Location:
        """Where findings about it point."""
        return self.back.at("back") if self.back else self.card.source.at()

    @property
    def alike(self) -> tuple[str, bool]:
        """Its kind of card, and whether it is no back that cards share."""
        return self.card.kind.tag, self.back is None
