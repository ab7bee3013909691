"""Copies of faces to print, and the backs they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from deckwright.base.findings import Location, Report
from deckwright.base.units import Mm
from deckwright.checks.counting import zone_of
from deckwright.game.deck_rules import Zone
from deckwright.game.model import Card, FaceKey, Game, PrintedValues
from deckwright.game.setup import Group
from deckwright.ops.model import Face
from deckwright.xmlio.node import Source

CopyKey = tuple[str, str, str, int]


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
    printed: PrintedValues = ()

    @property
    def name(self) -> str:
        """What it is called: as its card, with its number if that has several faces."""
        return face_name(self.card, self.number)

    @property
    def key(self) -> CopyKey:
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


def face_name(card: Card, number: int) -> str:
    """Return what a face of a card is called, which is the card's name if it has no other."""
    return f"{card.name} ({number}/{card.parts})" if card.parts > 1 else card.name


class PrintedSide(Protocol):
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


if TYPE_CHECKING:
    from deckwright.templates.template_set import TemplateSet


class Back(NamedTuple):
    """A back, before it is laid out.

    Attributes:
        source: the element of game.xml whose attribute `back` names the template.
        stack: what shares it, None for the back of a kind, which each faction has on its own.
        owner: the id of that, or of the faction.
    """

    template: str
    source: Source
    stack: Group | Zone | None
    owner: str


def back_of(game: Game, card: Card, faction_id: str, zone_id: str | None = None) -> Back | None:
    """Return the back of a card that `faction_id` prints, None if it has none.

    The back of its zone comes first, then that of the first group that its faction is in. Tokens
    are in no zone.

    Args:
        zone_id: the zone that a deck puts it in; None for the first that admits it.
    """
    setup = game.setup
    if faction_id not in game.factions:
        return None
    groups = game.factions[faction_id].groups
    zone = None if card.kind.token else zone_of(game, card, zone_id)
    stacks: list[Group | Zone] = [zone] if zone is not None else []
    stacks += [group for group in setup.groups if group.id in groups]
    for stack in stacks:
        if stack.back is not None:
            return Back(stack.back, stack.source, stack, stack.id)
    kind = card.kind
    return None if kind.back is None else Back(kind.back, kind.source, None, faction_id)


def has_own_back(
    templates: TemplateSet,
    card: Card,
    faction_id: str,
    report: Report,
    zone_id: str | None = None,
) -> bool:
    """Return whether the back of a card shows what is on it alone, so that no other has it.

    Args:
        report: where it is said, once, what is wrong with the template.
        zone_id: as in `back_of`.
    """
    back = back_of(templates.game, card, faction_id, zone_id)
    if back is None or back.stack is not None:
        return False
    template = templates.template(back.template, back.source, "back", report)
    return template is not None and not {"card", "printed"}.isdisjoint(template.names)


def name_back(
    game: Game,
    card: Card,
    faction_id: str,
    face: Face,
    own: str | None = None,
    zone_id: str | None = None,
) -> NamedFace:
    """Return the back of a card, which looks like `face`, as files call it.

    Args:
        own: what files call the card's face, if no other card has this back.
        zone_id: as in `back_of`.
    """
    if own is not None:
        return NamedFace(own, "backs", card, face)
    back = back_of(game, card, faction_id, zone_id)
    assert back is not None
    return NamedFace(f"{back.owner}_{card.kind.tag}", "backs", card, face, back.source)
