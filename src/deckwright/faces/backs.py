"""Which back a card has: that of the stack that it lies in, of its kind and faction, or its own.

Cards that are shuffled into one stack must not be told apart from behind. So a zone or a group of
factions may name one back for all of its cards, whatever their kinds and factions are. The back of
a kind may show what is on the card; then each card has its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.findings import Report
from deckwright.checks.zoning import zone_of
from deckwright.faces.copies import NamedFace
from deckwright.game.deck_rules import Zone
from deckwright.game.model import Card, Game
from deckwright.game.setup import Group
from deckwright.ops.model import Face
from deckwright.xmlio.node import Source

if TYPE_CHECKING:
    from deckwright.templates.template_set import Templates


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
    templates: Templates,
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


def named_back(
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
