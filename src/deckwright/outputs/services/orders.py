"""What is ordered of a deck: each card once with its back, and how many copies of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from deckwright.base.findings import Location, Report
from deckwright.decks.stats import DeckStats
from deckwright.faces.backs import back_name, back_of
from deckwright.faces.copies import Copy
from deckwright.faces.factory import FaceFactory
from deckwright.game.decklist import Choice
from deckwright.game.model import Card, Game
from deckwright.ops.model import Face
from deckwright.outputs.deck_pages import chosen, deck_copies


class Side(NamedTuple):
    """A side of a card to print.

    Attributes:
        name: what its file is called; no other side of its kind has it.
        place: where findings about it point.
        back: whether it is a back.
    """

    name: str
    face: Face
    card: Card
    place: Location
    back: bool = False

    @property
    def subject(self) -> str:
        """What findings call it."""
        return self.face.subject


class Item(NamedTuple):
    """A card of an order, or one of the faces of a card that has several.

    Attributes:
        back: None if its kind has none.
    """

    front: Side
    back: Side | None
    copies: int


def order_items(
    game: Game,
    stats: DeckStats,
    choice: Choice,
    factory: FaceFactory,
    report: Report,
    *,
    tokens: bool = True,
    backs: bool = True,
) -> list[Item]:
    """Return what is ordered, in the order of the deck list; what cannot be composed is reported.

    Args:
        tokens: whether the tokens that the deck can create are ordered, too.
        backs: whether cards have backs.
    """
    known = deck_copies(game, stats, factory, report, backs=backs)
    copies = [copy for copy in known if tokens or not copy.card.kind.token]
    copies = chosen(copies, choice, report, known)
    counts: dict[int, int] = {}
    for copy in copies:
        counts[id(copy.face)] = counts.get(id(copy.face), 0) + 1
    first = {id(copy.face): copy for copy in reversed(copies)}
    kinds = [first[key] for key in counts]
    behind = _backs(game, kinds)
    names = _unique(copy.card.id for copy in kinds)
    items = []
    for copy, name in zip(kinds, names, strict=True):
        face, card = copy.face, copy.card
        front = Side(name, face, card, card.source.at())
        items.append(Item(front, behind.get(id(copy.back)), counts[id(face)]))
    return items


def _backs(game: Game, copies: Iterable[Copy]) -> dict[int, Side]:
    """Return the different backs of copies, by the ids of the faces on them."""
    backs = {id(copy.back): copy for copy in copies if copy.back is not None}
    names = _unique(back_name(game, copy.card, copy.faction_id) for copy in backs.values())
    sides = {}
    for (key, copy), name in zip(backs.items(), names, strict=True):
        named = back_of(game, copy.card, copy.faction_id)
        if copy.back is not None and named is not None:
            place = named.source.at("back")
            sides[key] = Side(name, copy.back, copy.card, place, back=True)
    return sides


def _unique(names: Iterable[str]) -> list[str]:
    """Return names that files can have, each another, also where case does not count."""
    taken = set[str]()
    found = []
    for name in names:
        stem = re.sub(r"[^\w.-]", "_", name).lstrip(".")[:_LONGEST] or "card"
        unique, number = stem, 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{stem}_{number}"
        taken.add(unique.casefold())
        found.append(unique)
    return found


_LONGEST = 60
"""How long names of files may be; systems allow 255 bytes."""
