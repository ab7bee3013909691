"""Copies of faces to print, and their backs."""

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

if TYPE_CHECKING:
    from deckwright.templates.template_set import TemplateSet


CopyKey = tuple[str, str, str, int]


class Copy(NamedTuple):
    """A copy of a face to print.

    Attributes:
        faction_id: the faction that prints it.
        back: its back, None if backs are not printed or it has none.
        part: the name of its part of the deck.
        deck: the name of its deck if a print has several.
        number: the number of the card's face, from 1.
        zone_id: the zone named by the deck list.
        printed: values printed on it only.
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
        """Its name: that of the card, with the number of the face if there are several."""
        return face_name(self.card, self.number)

    @property
    def key(self) -> CopyKey:
        """A key for copies of the same face: faction, kind, id and number."""
        return self.faction_id, self.card.kind.tag, self.card.id, self.number

    @property
    def face_key(self) -> FaceKey:
        """The key of its face in the game."""
        return self.faction_id, self.card.id, self.number

    @property
    def size(self) -> tuple[Mm, Mm]:
        """The width and height of its trim box."""
        return self.face.width, self.face.height

    @property
    def radius(self) -> Mm:
        """The radius of its corners."""
        return self.card.kind.radius


def face_name(card: Card, number: int) -> str:
    """Return the name of a face: that of the card, with a number if it has several faces."""
    return f"{card.name} ({number}/{card.parts})" if card.parts > 1 else card.name


class PrintedSide(Protocol):
    """A side of a card or a page, with what the checks of press files need."""

    @property
    def face(self) -> Face:
        """The face."""

    @property
    def subject(self) -> str:
        """Its name in findings."""

    @property
    def place(self) -> Location | None:
        """The place for findings."""

    @property
    def lint_group(self) -> tuple[str, bool]:
        """The key of sides drawn by the same template: kind, and front or shared back."""

    @property
    def drawn(self) -> Face | None:
        """The face before it was fitted to a size, if it was."""


class NamedFace(NamedTuple):
    """A face with a name for files.

    Attributes:
        group: the id of its faction, "tokens" or "backs".
        back: the element of game.xml that names its template, if it is a shared back.
        drawn: the face before it was fitted to a size, if it was.
    """

    name: str
    group: str
    card: Card
    face: Face
    back: Source | None = None
    drawn: Face | None = None

    @property
    def is_back(self) -> bool:
        """Whether it is a back."""
        return self.group == "backs"

    @property
    def subject(self) -> str:
        """Its name in findings."""
        return self.face.subject

    @property
    def place(self) -> Location:
        """The place for findings."""
        return self.back.at("back") if self.back else self.card.source.at()

    @property
    def lint_group(self) -> tuple[str, bool]:
        """The kind of card, and False for shared backs."""
        return self.card.kind.tag, self.back is None


class Back(NamedTuple):
    """The specification of a back.

    Attributes:
        source: the element of game.xml with the attribute `back`.
        stack: the group or zone that shares it, None for the back of a kind in a faction.
        owner: the id of the stack, or of the faction.
    """

    template: str
    source: Source
    stack: Group | Zone | None
    owner: str


def back_of(game: Game, card: Card, faction_id: str, zone_id: str | None = None) -> Back | None:
    """Return the back of a card printed by a faction, None if it has none.

    The back of its zone takes precedence, then that of its faction's first group. Tokens are in no
    zone.

    Args:
        zone_id: the zone named by the deck list; None for the first that admits the card.
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
    """Return whether the back of a card depends on the card, and so is not shared.

    Args:
        report: the report for errors in the template.
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
    """Return the back of a card with a name for files.

    Args:
        own: the name of the card's face, if the back is not shared.
        zone_id: as in `back_of`.
    """
    if own is not None:
        return NamedFace(own, "backs", card, face)
    back = back_of(game, card, faction_id, zone_id)
    assert back is not None
    return NamedFace(f"{back.owner}_{card.kind.tag}", "backs", card, face, back.source)
