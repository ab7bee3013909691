"""The rules for generated decks and boosters, as given by `generator` in `game.xml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from deckwright.game.deck_rules import Where
from deckwright.game.kinds import Audience
from deckwright.xmlio.node import Source

MILLION = 1_000_000
"""Chances are integers, in millionths, so that results are the same on every machine."""


class DeckPart(NamedTuple):
    """A part of a generated deck: a number of cards from each of a number of factions.

    Attributes:
        houses: the number of factions.
        cards: the number of cards from each faction.
        audience: restricts the groups of the factions.
        where: restricts the cards.
    """

    houses: int
    cards: int
    audience: Audience
    where: Where
    source: Source


class ChanceDraw(NamedTuple):
    """Cards that appear in a deck by chance; `chance` is in millionths for each card drawn."""

    chance: int
    where: Where


class Requirement(NamedTuple):
    """A requirement: at least `min` copies of cards that match `where`.

    Attributes:
        when: applies only to decks with a card that matches this; to all if empty.
    """

    when: Where
    where: Where
    min: int
    source: Source


class WordFile(NamedTuple):
    """A file in `xml/Words`, one word a line; `id` is its name in patterns, "" for none."""

    id: str
    file: str
    source: Source


class NamePattern(NamedTuple):
    """A pattern for names: a text with the ids of word lists in double braces."""

    text: str
    weight: int
    source: Source


class DeckNames(NamedTuple):
    """The rules for the names of generated decks.

    Attributes:
        unique: whether all decks of a run have different names.
        forbidden: the lists of words that no name may contain.
    """

    lists: tuple[WordFile, ...]
    patterns: tuple[NamePattern, ...]
    forbidden: tuple[WordFile, ...]
    unique: bool


class BoosterSheet(NamedTuple):
    """Cards that are printed together, with the same number of copies each."""

    where: Where
    copies: int


class BoosterSlot(NamedTuple):
    """A number of cards of a booster that are cut from the same printed sheet.

    Attributes:
        balanced: whether the cards of a faction are spread evenly over the sheet.
    """

    cards: int
    sheets: tuple[BoosterSheet, ...]
    balanced: bool
    source: Source


class Booster(NamedTuple):
    """A kind of booster.

    Attributes:
        format: the id of the format whose limits apply, None for the default.
        box: the number of boosters filled in turn from the same sheets.
    """

    id: str
    name: str
    format: str | None
    box: int
    slots: tuple[BoosterSlot, ...]
    source: Source


class Generator(NamedTuple):
    """The rules for generated decks.

    Attributes:
        prefix: the prefix of the ids of decks.
        format: the id of the format of these decks, None for the default.
        copies: the largest number of copies of a card, None for what limits allow.
        rarity: the field with the rarity of a card, None if all are equally rare.
        weights: the relative frequency of each rarity.
        maverick: cards of another faction that replace one of the deck's own.
        legacy: cards that only appear by chance.
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
