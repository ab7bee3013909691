"""The items of an order: each card once, with its back and number of copies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from deckwright.base.findings import Report
from deckwright.base.names import make_unique
from deckwright.decks.stats import DeckStats
from deckwright.faces.copies import Copy, NamedFace, has_own_back, name_back
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import make_deck_copies
from deckwright.game.decklist import CardSelection
from deckwright.ops.model import Face
from deckwright.outputs.deck_pages import choose_copies


class OrderItem(NamedTuple):
    """A card of an order, or one face of a card with several faces.

    Attributes:
        back: None if its kind has none.
    """

    front: NamedFace
    back: NamedFace | None
    copies: int

    def drawn(self, draw: Callable[[Face], Face]) -> OrderItem:
        """Return the item with a function applied to its faces."""
        front = self.front._replace(face=draw(self.front.face))
        return self._replace(
            front=front, back=self.back and self.back._replace(face=draw(self.back.face))
        )

    def sides(self) -> Iterator[NamedFace]:
        """Yield its face, and its back if it has one."""
        yield self.front
        if self.back is not None:
            yield self.back


def distinct_sides(items: Iterable[OrderItem]) -> list[NamedFace]:
    """Return the distinct sides of cards."""
    return list({id(side.face): side for item in items for side in item.sides()}.values())


def list_order_items(
    stats: DeckStats,
    choice: CardSelection,
    factory: FaceFactory,
    report: Report,
    *,
    tokens: bool = True,
    backs: bool = True,
) -> list[OrderItem]:
    """Return the items of a deck in the order of the deck list; errors are reported.

    Args:
        tokens: whether to include the tokens that the deck can create.
        backs: whether cards have backs.
    """
    known = make_deck_copies(stats, factory, report, backs=backs)
    copies = [copy for copy in known if tokens or not copy.card.kind.token]
    return group_copies(choose_copies(copies, choice, report, known), factory)


def group_copies(copies: Sequence[Copy], factory: FaceFactory) -> list[OrderItem]:
    """Group copies by face and count them."""
    counts: dict[int, int] = {}
    for copy in copies:
        counts[id(copy.face)] = counts.get(id(copy.face), 0) + 1
    first = {id(copy.face): copy for copy in reversed(copies)}
    kinds = [first[key] for key in counts]
    behind = _name_backs(factory, kinds)
    names = _unique_names(copy.card.id for copy in kinds)
    items = []
    for copy, name in zip(kinds, names, strict=True):
        front = NamedFace(name, copy.faction_id, copy.card, copy.face)
        items.append(OrderItem(front, behind.get(id(copy.back)), counts[id(copy.face)]))
    return items


def _name_backs(factory: FaceFactory, copies: Iterable[Copy]) -> dict[int, NamedFace]:
    """Return the distinct backs of copies, by the ids of their faces."""
    backs: dict[int, NamedFace] = {}
    for copy in copies:
        if copy.back is not None and id(copy.back) not in backs:
            card, faction_id, zone = copy.card, copy.faction_id, copy.zone_id
            own = card.id if has_own_back(factory, card, faction_id, [], zone) else None
            backs[id(copy.back)] = name_back(factory.game, card, faction_id, copy.back, own, zone)
    names = _unique_names(back.name for back in backs.values())
    return {
        key: back._replace(name=name)
        for (key, back), name in zip(backs.items(), names, strict=True)
    }


def _unique_names(names: Iterable[str]) -> list[str]:
    """Return valid file names that are unique even on case-insensitive file systems."""
    taken = set[str]()
    stems = (
        re.sub(r"[^\w.-]", "_", name).lstrip(".")[:_MAX_STEM_LENGTH] or "card" for name in names
    )
    return [make_unique(stem, taken) for stem in stems]


_MAX_STEM_LENGTH = 60
"""The maximum length of a file name's stem; systems allow 255 bytes."""
