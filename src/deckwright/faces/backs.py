"""Which back a card has: that of the stack that it lies in, or that of its kind and faction.

Cards that are shuffled into one stack must not be told apart from behind. So a zone or a group of
factions may name one back for all of its cards, whatever their kinds and factions are.
"""

from __future__ import annotations

from typing import NamedTuple

from deckwright.checks.limits import zone_of
from deckwright.faces.copies import NamedFace
from deckwright.game.model import Card, Game
from deckwright.game.setup import Group, Zone
from deckwright.ops.model import Face
from deckwright.xmlio.node import Source


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


def back_of(game: Game, card: Card, faction_id: str) -> Back | None:
    """Return the back of a card that `faction_id` prints, None if it has none.

    The back of its zone comes first, then that of the first group that its faction is in. Tokens
    are in no zone.
    """
    setup = game.setup
    if faction_id not in game.factions:
        return None
    groups = game.factions[faction_id].groups
    zone = None if card.kind.token else zone_of(game, card)
    stacks: list[Group | Zone] = [zone] if zone is not None else []
    stacks += [group for group in setup.groups if group.id in groups]
    for stack in stacks:
        if stack.back is not None:
            return Back(stack.back, stack.source, stack, stack.id)
    kind = card.kind
    return None if kind.back is None else Back(kind.back, kind.source, None, faction_id)


def named_back(game: Game, card: Card, faction_id: str, face: Face) -> NamedFace:
    """Return the back of a card, which looks like `face`, as files call it."""
    back = back_of(game, card, faction_id)
    assert back is not None
    return NamedFace(f"{back.owner}_{card.kind.tag}", "backs", card, face, back.source)
