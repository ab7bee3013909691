"""How decks that are all different are made, and boosters; as `generator` of `game.xml` says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from deckwright.game.deck_rules import Where
from deckwright.game.kinds import Audience
from deckwright.xmlio.node import Source

MILLION = 1_000_000
"""Chances are whole numbers of millionths, so that they are the same on every machine."""


class DeckPart(NamedTuple):
    """A part of a deck: so many cards of each of so many factions.

    Attributes:
        houses: how many factions it mixes.
        cards: how many cards of each.
        audience: which groups of factions these are of.
        where: which of their cards are drawn.
    """

    houses: int
    cards: int
    audience: Audience
    where: Where
    source: Source


class ChanceDraw(NamedTuple):
    """Cards that a deck has by chance alone. `chance` is in millionths, for each card drawn."""

    chance: int
    where: Where


class Requirement(NamedTuple):
    """What a deck must have: at least `min` copies of cards for which `where` holds.

    Attributes:
        when: only if it has a card for which this holds; always if empty.
    """

    when: Where
    where: Where
    min: int
    source: Source


class WordFile(NamedTuple):
    """A file in `xml/Words`, a word a line. `id` is what patterns call it, "" if none does."""

    id: str
    file: str
    source: Source


class NamePattern(NamedTuple):
    """What names are like: a text with the ids of lists in double braces."""

    text: str
    weight: int
    source: Source


class DeckNames(NamedTuple):
    """What decks are called.

    Attributes:
        unique: whether no two decks of a run have the same name.
        forbidden: the lists of what no name may hold.
    """

    lists: tuple[WordFile, ...]
    patterns: tuple[NamePattern, ...]
    forbidden: tuple[WordFile, ...]
    unique: bool


class BoosterSheet(NamedTuple):
    """Cards that are printed together: each of them so many times."""

    where: Where
    copies: int


class BoosterSlot(NamedTuple):
    """So many cards of a booster, which are cut from the same printed sheet.

    Attributes:
        balanced: whether the cards of a faction lie apart on it, as evenly as they can.
    """

    cards: int
    sheets: tuple[BoosterSheet, ...]
    balanced: bool
    source: Source


class Booster(NamedTuple):
    """A kind of booster.

    Attributes:
        format: the id of the format by whose limits it is checked, None for the usual one.
        box: how many boosters are filled from the same sheets, one after the other.
    """

    id: str
    name: str
    format: str | None
    box: int
    slots: tuple[BoosterSlot, ...]
    source: Source


class Generator(NamedTuple):
    """How decks are made.

    Attributes:
        prefix: how the ids of decks begin.
        format: the id of the format of these decks, None for the usual one.
        copies: the most copies of a card, None for as many as limits allow.
        rarity: the field that says how rare a card is, None if all are alike.
        weights: how often cards of each rarity are drawn, compared with the others.
        maverick: cards of another faction in the place of one of a deck's own.
        legacy: cards that are not drawn otherwise.
    """

    prefix: str
    format: str | None
    copies: int | None
    parts: tuple[DeckPart, ...]
    rarity: str | None
    weights: Mapping[str, int]
    maverick: ChanceDraw | None
    legacy: ChanceDraw | None
    demands: tuple[Requirement, ...]
    names: DeckNames | None
    boosters: Mapping[str, Booster]
    source: Source
