"""A copy to print: what sheets, orders and manifests are made of."""

from __future__ import annotations

from typing import NamedTuple

from deckwright.game.model import Card
from deckwright.ops.model import Face


class Copy(NamedTuple):
    """A face to print, what it is a copy of, and who prints it.

    Attributes:
        back: its back, if that is printed and its kind has one.
        part: the part of the deck that it belongs to.
        deck: the deck that it belongs to, where a print has several.
    """

    card: Card
    faction_id: str
    face: Face
    back: Face | None = None
    part: str = ""
    deck: str = ""
