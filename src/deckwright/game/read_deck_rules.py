"""Read `deck` of `game.xml`: how decks are built, and what their cards are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

from deckwright.game.conditions import read_where
from deckwright.game.deck_rules import Exemption, Format, Limit, Opening, Zone
from deckwright.game.formulas import FormulaError, Number, read_number
from deckwright.game.kinds import Audience, Kind
from deckwright.game.measures import Measure, Measured, MeasureError, read_measure
from deckwright.game.named import numeric_fields
from deckwright.game.read_field import audience, is_true, listed, number, text
from deckwright.xmlio.node import Node


class DeckRules(NamedTuple):
    """What `deck` says, as in `Setup`."""

    zones: tuple[Zone, ...]
    limits: tuple[Limit, ...] = ()
    formats: Mapping[str, Format] = MappingProxyType({})
    default_format: str | None = None
    worth: Measure | None = None
    cost: Measure | None = None
    opening: Opening | None = None


def read_deck_rules(root: Node, kinds: Mapping[str, Kind]) -> DeckRules:
    """Return how decks are built; a game that does not say it has one zone and no limits."""
    only = (Zone("main", "main deck", Audience(), root.source),)
    deck = next(root.named("deck"), None)
    if deck is None:
        return DeckRules(only)
    limits = tuple(map(_limit, deck.named("limit")))
    default = (text(node, "id") for node in deck.named("format") if is_true(node, "default"))
    return DeckRules(
        tuple(map(_zone, deck.named("zone"))) or only,
        limits,
        {f.id: f for f in map(_format, deck.named("format"))},
        next(default, None),
        _measure(deck, "worth", kinds),
        _measure(deck, "cost", kinds) or _first_sum(limits),
        next(map(_opening, deck.named("opening")), None),
    )


def _zone(node: Node) -> Zone:
    return Zone(
        text(node, "id"),
        text(node, "name"),
        audience(node),
        node.source,
        read_where(text(node, "where")),
        node.get("back"),
        is_true(node, "main"),
    )


def _limit(node: Node) -> Limit:
    return Limit(
        id=text(node, "id"),
        name=text(node, "name"),
        zone=text(node, "zone"),
        where=read_where(text(node, "where")),
        sum=node.get("sum"),
        distinct=node.get("distinct"),
        per=node.get("per"),
        own_faction=node.get("faction") == "own",
        decks=listed(node, "decks"),
        source=node.source,
        min=_number(node, "min"),
        max=_number(node, "max"),
        exactly=_number(node, "exactly"),
        warning=node.get("severity") == "warning",
        exemptions=tuple(
            Exemption(
                read_where(text(child, "where")),
                read_where(text(child, "others")),
                child.get("same"),
                number(child, "min", 0) or 0,
            )
            for child in node.named("free")
        ),
    )


def _measure(deck: Node, name: str, kinds: Mapping[str, Kind]) -> Measure | None:
    """Return a measure of cards, None if there is none or it is wrong, as checks tell."""
    written = deck.get(name)
    if written is None:
        return None
    zones = [text(node, "id") for node in deck.named("zone")]
    try:
        return read_measure(written, numeric_fields(kinds.values()), zones)
    except MeasureError:
        return None


def _first_sum(limits: Iterable[Limit]) -> Measure | None:
    """Return what the first limit keeps low that adds up a field of all cards in its zone."""
    for limit in limits:
        part = limit.where or limit.exemptions or limit.decks
        if limit.sum is not None and limit.max is not None and not part:
            return Measure(limit.sum, (Measured(Decimal(1), limit.sum, limit.zone),))
    return None


def _opening(node: Node) -> Opening:
    redraws, mulligans, draws = (
        number(node, name, 0) or 0 for name in ("redraws", "mulligans", "draws")
    )
    return Opening(node.get("zone"), number(node, "hand", 0) or 0, redraws, mulligans, draws)


def _number(node: Node, name: str) -> Number | None:
    """Return a number of a limit; None if it is not given, or cannot be read, as checks tell."""
    value = node.get(name)
    try:
        return None if value is None else read_number(value)
    except FormulaError:
        return None


def _format(node: Node) -> Format:
    changes = {
        text(child, "limit"): None if child.get("value") == "off" else _number(child, "value")
        for child in node.named("set")
    }
    return Format(text(node, "id"), text(node, "name"), changes)
