"""What a manifest holds: the faces that were printed, and plain facts about cards and rules."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from deckwright.game.kinds import FieldValue
from deckwright.game.model import Card, FaceKey, Faction, Rule

Facts = Mapping[str, FieldValue]
"""Values by name."""

_NONE: Facts = MappingProxyType({})


class CardFacts(NamedTuple):
    """A card in plain values.

    Attributes:
        kind: the tag of its kind.
        fields: its values by field.
        children: its repeated children by tag, each with its values by field.
        rules: the names by which it has its rules, by the rules' ids.
    """

    kind: str
    name: str
    fields: Facts = _NONE
    children: Mapping[str, tuple[Facts, ...]] = MappingProxyType({})
    rules: Mapping[str, str] = MappingProxyType({})


class Entry(NamedTuple):
    """A face that is printed.

    Attributes:
        faction_id: the faction that prints it; "" for tokens that are no deck's.
        part: which of the card's faces it is, from 1.
        copies: how often it is printed.
        face: the digest of the face, "" if it could not be composed.
        back: the digest of its back, None if that is not printed.
    """

    faction_id: str
    card_id: str
    part: int
    copies: int
    face: str
    back: str | None
    card: CardFacts

    @property
    def key(self) -> FaceKey:
        """What it is known by."""
        return self.faction_id, self.card_id, self.part


class Manifest(NamedTuple):
    """What was printed of a deck, or what could be printed of a game.

    Attributes:
        deckwright: the version of Deckwright that printed it.
        deck: the name of the deck list's file without its ending.
        title: the name that the deck gives itself.
        sheet, style: the names of the sheet format and of the style, None for the usual one.
        entries: in the order of print.
        rules, factions: facts about the rules and factions of the cards, by id.
    """

    deckwright: str
    game: str
    deck: str
    title: str
    sheet: str
    style: str | None
    entries: tuple[Entry, ...]
    rules: Mapping[str, Facts]
    factions: Mapping[str, Facts]


def card_facts(card: Card, names: Mapping[str, str]) -> CardFacts:
    """Return the facts of a card.

    Args:
        names: the names of its rules by id.
    """
    children = {
        tag: tuple(_facts(child.values) for child in children)
        for tag, children in card.children.items()
        if children
    }
    return CardFacts(card.kind.tag, card.name, _facts(card.fields), children, names)


def _facts(values: Facts) -> dict[str, FieldValue]:
    """Return the values of fields; of a list the text that says it."""
    return {
        name: ", ".join(map(str, value)) if isinstance(value, tuple) else value
        for name, value in values.items()
    }


def rule_facts(rule: Rule) -> dict[str, FieldValue]:
    """Return the facts of a rule that any card shows in the same words."""
    facts: dict[str, FieldValue] = {"type": rule.type, "cost": rule.cost, "effect": rule.effect}
    if rule.brief is not None:
        facts["brief"] = rule.brief
    return facts


def faction_facts(faction: Faction) -> dict[str, FieldValue]:
    """Return the facts of a faction, by the names that the factions file has for them."""
    return {
        "race_name": faction.race,
        "faction_name": faction.name,
        "color": faction.color,
        "description": faction.description,
    }
