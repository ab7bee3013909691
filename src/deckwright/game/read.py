"""Turn valid documents into factions, rules, cards and decks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, cast

from deckwright.base.colors import tint
from deckwright.game.kinds import Field, FieldValue, Kind
from deckwright.game.model import (
    Card,
    Child,
    Deck,
    DeckEntry,
    Faction,
    Game,
    Restricted,
    Restrictions,
    Rule,
)
from deckwright.game.read_field import listed
from deckwright.game.setup import Setup
from deckwright.game.values import paragraphs, typed
from deckwright.xmlio.inline import said
from deckwright.xmlio.node import Node, Source

_GRAY = "#808080"
"""The color of a faction that is not there."""
_ONLY = "ALL"
"""The id of the faction of a game that names none."""


def read_factions(root: Node, setup: Setup) -> dict[str, Faction]:
    """Return the factions of `factions_definition.xml` by id."""
    factions = {}
    for node in root.children:
        race = node.attributes["race_name"]
        description = next(node.named("description"), None)
        faction = Faction(
            id=node.attributes["id"],
            race=race,
            name=node.attributes["faction_name"],
            color=tint(node.attributes["color"], setup.colors),
            description=" ".join(description.text.split()) if description else "",
            groups=setup.groups_of(race),
            source=node.source,
            cards_of=node.get("cards"),
            format=node.get("format"),
        )
        factions[faction.id] = faction
    return factions


def factions_of_tables(setup: Setup, names: Iterable[str | None]) -> dict[str, Faction]:
    """Return the factions of a game that has no file of them, by the ids that its tables name.

    Args:
        names: these ids; None for a table that names none, whose cards are of the only faction.
    """
    return {
        name: Faction(
            id=name,
            race=name,
            name=setup.name if name == _ONLY else name,
            color=_GRAY,
            description="",
            groups=setup.groups_of(name),
            cards_of=None,
            format=None,
            source=setup.source,
        )
        for name in dict.fromkeys(name or _ONLY for name in names)
    }


def read_rules(root: Node, setup: Setup) -> dict[str, Rule]:
    """Return the rules of `rules.xml` by id, with their tokens."""
    rules = {}
    for node in root.children:
        rule_id = node.attributes["id"]
        labels: dict[str, str] = {}
        sources: dict[str, Source] = {}
        for label in node.named("label"):
            labels.update(label.attributes)
            sources.update(dict.fromkeys(label.attributes, label.source))
        kind = setup.token_kind
        tokens = tuple(
            _read_card(token, kind, f"{rule_id}/{number}")
            for number, token in enumerate(node.named(kind.tag), 1)
        ) if kind else ()  # fmt: skip
        cost = node.get("cost")
        brief = said(node, "brief")
        rules[rule_id] = Rule(
            id=rule_id,
            type=cast("Literal['active', 'passive']", node.attributes["type"]),
            cost=None if cost is None else int(cost),
            effect=paragraphs(said(node, "effect") or said(node, "effekt") or ""),
            labels=labels,
            tokens=tokens,
            source=node.source,
            label_sources=sources,
            refills=int(node.get("refills") or 0),
            adds=int(node.get("adds") or 0),
            brief=None if brief is None else paragraphs(brief),
        )
    return rules


def read_cards(root: Node, setup: Setup) -> list[Card]:
    """Return the cards of a card file in its order."""
    return [
        _read_card(node, setup.kinds[node.tag], node.attributes["id"]) for node in root.children
    ]


def read_stubs(nodes: Iterable[Node], setup: Setup, faction_id: str) -> list[Card]:
    """Return cards that have mistakes, as far as they can be told: kind, id and name."""
    kinds = {kind.tag: kind for kind in setup.card_kinds}
    usual = next(iter(kinds.values()))
    return [
        Card(
            kind=kind,
            id=card_id,
            name=" ".join((node.get("name") or card_id).split()),
            faction_id=faction_id,
            fields={field.name: None for field in kind.fields},
            children={spec.tag: () for spec in kind.children},
            source=node.source,
        )
        for node in nodes
        if (card_id := node.get("id")) and (kind := kinds.get(node.tag, usual))
    ]


def with_stubs(game: Game, deck: Deck) -> Game:
    """Return a game that has all cards and factions of a deck, stubs of those that are missing."""
    factions, stubs = dict(game.factions), {}
    for faction_id in (deck.faction_id, *(entry.faction_id for entry in deck.entries)):
        stub = Faction(
            id=faction_id,
            race="",
            name=faction_id,
            color=_GRAY,
            description="",
            groups=frozenset(),
            cards_of=None,
            format=None,
            source=deck.source,
        )
        factions.setdefault(faction_id, stub)
    for entry in deck.entries:
        key = entry.faction_id, entry.card_id
        if key not in game.cards:
            node = Node("", {"id": entry.card_id}, entry.source)
            stubs[key] = game.stubs.get(key) or read_stubs([node], game.setup, entry.faction_id)[0]
    return game._replace(factions=factions, cards={**game.cards, **stubs}, stubs=stubs)


def read_deck(root: Node, *, whole: bool = True) -> Deck:
    """Return the deck of a deck list.

    Args:
        whole: whether all its lines are there.
    """
    meta = next(root.named("meta"))
    entries = tuple(
        DeckEntry(
            node.attributes["faction_id"],
            node.attributes["id"],
            int(node.attributes["amount"]),
            node.source,
            node.get("zone"),
            node.get("note") or "",
        )
        for node in root.named("card")
    )
    return Deck(
        stem=root.source.path.stem,
        name=meta.attributes["name"],
        faction_id=meta.attributes["main_faction_id"],
        format=meta.get("format"),
        entries=entries,
        source=meta.source,
        whole=whole,
    )


def read_restrictions(root: Node) -> Restrictions:
    """Return a list of restrictions."""
    meta = next(root.named("meta"))
    entries = tuple(
        Restricted(
            node.attributes["faction_id"], node.attributes["id"], node.attributes["is"], node.source
        )
        for node in root.named("card")
    )
    return Restrictions(
        name=meta.attributes["name"],
        since=meta.attributes["from"],
        formats=listed(meta, "formats"),
        entries=entries,
        source=meta.source,
    )


def _read_card(node: Node, kind: Kind, card_id: str) -> Card:
    children: dict[str, tuple[Child, ...]] = {}
    for spec in kind.children:
        children[spec.tag] = tuple(
            Child({field.name: _value(field, child) for field in spec.fields}, child.source)
            for child in node.named(spec.tag)
        )
    return Card(
        kind=kind,
        id=card_id,
        name=" ".join(node.attributes["name"].split()),
        faction_id=node.get("faction_id") or "",
        fields={field.name: _value(field, node) for field in kind.fields if not field.ignored},
        children=children,
        source=node.source,
    )


def _value(field: Field, node: Node) -> FieldValue:
    text = said(node, field.name) if field.type == "text" else node.get(field.name)
    if text is None:
        return None if field.sought else field.default
    return typed(field, text)
