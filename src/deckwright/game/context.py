"""The data that templates see: plain dictionaries with references resolved."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

from deckwright.base.colors import moderate
from deckwright.base.geometry import add_crop
from deckwright.expressions import LenientDict
from deckwright.game.decklist import number_cards, resolve_card
from deckwright.game.kinds import CROP_TYPES, Field, FieldValue, parts_of
from deckwright.game.model import Card, CardKey, Faction, Game, PrintedValues, Rule
from deckwright.game.setup import Marker, MarkerSide
from deckwright.xmlio.node import Source

Context = dict[str, Any]


class ContextBuilder:
    """Builds the template contexts of one game; shared parts are built once."""

    def __init__(
        self, game: Game, unknown: Collection[tuple[str, str]] = (), *, moderated: bool = False
    ) -> None:
        """Build contexts for `game`.

        Args:
            unknown: fields without values yet, as (tag of the kind, name).
            moderated: whether the colors of factions are moderated, for the default templates.
        """
        self._game = game
        self._unknown = unknown
        self._terms = {
            vocabulary.id: {
                term.id: {"id": term.id, "name": term.name, **term.data}
                for term in vocabulary.terms.values()
            }
            for vocabulary in game.setup.vocabularies.values()
        }
        used: dict[str, dict[str, set[str]]] = {
            faction_id: {name: set() for name in self._terms} for faction_id in game.factions
        }
        for card in game.cards.values():
            if card.faction_id not in used:
                continue
            for field, value, source in card.iter_values("term"):
                if field.item is None or source is card.source:
                    used[card.faction_id][field.vocabulary or ""].update(map(str, parts_of(value)))
        # The terms in use, in the vocabulary's order.
        self._factions = {
            f.id: {
                **faction_context(f._replace(color=moderate(f.color)) if moderated else f),
                "terms": {
                    name: [context for i, context in terms.items() if i in used[f.id][name]]
                    for name, terms in self._terms.items()
                },
            }
            for f in game.factions.values()
        }
        self._field_contexts = {
            field.name: {"name": field.text or field.name, "icon": field.icon, "unit": field.unit}
            for kind in game.setup.kinds.values()
            for field in kind.fields
        }
        self._references: dict[CardKey, Context] = {}
        self._pending: list[tuple[Context, Card]] = []
        self._rules: dict[tuple[str, str], Context] = {}

    def base_context(self) -> Context:
        """Return the context of every template: the game's words, terms and symbols."""
        setup = self._game.setup
        return {
            "game": {
                "name": setup.name,
                "language": setup.language,
                "version": setup.version,
                "date": setup.date,
            },
            "words": dict(setup.words),
            "terms": self._terms,
            "fields": self._field_contexts,
            "symbols": {
                symbol.id: {"id": symbol.id, "name": symbol.name, "color": symbol.color}
                for symbol in setup.symbols.values()
            },
            "printed": printed_context(),
        }

    def faction_context(self, faction_id: str) -> Context:
        """Return the context of a faction."""
        return self._factions[faction_id]

    @cached_property
    def card_contexts(self) -> dict[str, Context]:
        """All cards and tokens by id, as shown by the first faction that prints them."""
        cards: dict[str, Context] = {}
        for card, faction_id, _ in self._game.printable_cards():
            if card.id not in cards and self._game.can_show(card, faction_id):
                cards[card.id] = self.card_context(card, faction_id)
        return cards

    def card_context(self, card: Card, faction_id: str, part: int = 1) -> Context:
        """Return a card as its face `part`, from 1, shows it; tokens belong to `faction_id`."""
        context = self._build_card(card, faction_id, part)
        while self._pending:
            named, other = self._pending.pop()
            named.update(self._build_card(other, other.faction_id, 1))
        return context

    @cached_property
    def _places(self) -> Mapping[Source, tuple[int, int]]:
        return number_cards(self._game)

    def _build_card(self, card: Card, faction_id: str, part: int) -> Context:
        faction = self._game.factions[faction_id]
        number, size = self._places[card.source]
        result: Context = {
            "id": card.id,
            "name": card.name,
            "kind": card.kind.tag,
            "token": card.kind.token,
            "faction": self._factions[faction_id],
            "groups": sorted(faction.groups),
            "part": part,
            "parts": card.parts,
            "set_number": number,
            "set_size": size,
        }
        for field in card.kind.fields:
            unknown = (card.kind.tag, field.name) in self._unknown
            if field.ignored or field.type in CROP_TYPES or unknown:
                continue
            value = card.fields[field.name]
            if field.name in card.faulty_values:
                # It is shown as it stands, with the data of some other term.
                text = card.faulty_values[field.name]
                shown: object = text
                if field.item_field.type == "term":
                    others = self._terms[field.vocabulary or ""].values()
                    shown = {**next(iter(others), {}), "id": text, "name": text}
                result[field.name] = [shown] if field.item is not None else shown
                continue
            if field.type == "image" and value and value != card.fallback(field):
                # How it is cropped goes with it wherever the template shows it.
                crop = (card.fields.get(f"{field.name}-{what}") for what in CROP_TYPES)
                value = add_crop(str(value), *(str(said) if said else None for said in crop))
            result[field.name] = self._build_value(field, value, card, faction)
        for spec in card.kind.children:
            children = card.children[spec.tag]
            if spec.holds_rules:
                # A card may be drawn although it names a rule that does not exist.
                children = tuple(c for c in children if str(c.value) in self._game.rules)
            dicts = [
                {
                    f.name: self._build_value(f, child.values[f.name], card, faction)
                    for f in spec.fields
                }
                for child in children
            ]
            only = spec.fields[0].name
            result[spec.plural] = [values[only] for values in dicts] if spec.single else dicts
        return result

    def _build_value(self, field: Field, value: FieldValue, card: Card, faction: Faction) -> object:
        if isinstance(value, tuple):
            return [self._build_value(field.item_field, part, card, faction) for part in value]
        if value is None or field.type not in {"term", "rule", "card"}:
            return value
        if field.type == "card":
            other = resolve_card(self._game, card, str(value))
            if other is None or not self._game.can_show(other, other.faction_id):
                return None
            # There is one context a card, so that cards can refer to each other in circles; its
            # content is filled in later.
            key = other.faction_id, other.id
            if key not in self._references:
                self._references[key] = {}
                self._pending.append((self._references[key], other))
            return self._references[key]
        if field.type == "term":
            return self._terms[field.vocabulary or ""][str(value)]
        return self.rule_context(self._game.rules[str(value)], faction.race)

    def rule_context(self, rule: Rule, race: str) -> Context:
        """Return the context of a rule, under its name for a race."""
        known = self._rules.get((rule.id, race))
        if known is None:
            known = self._rules[rule.id, race] = {
                "id": rule.id,
                "name": rule.any_label(race),
                "active": rule.active,
                "cost": rule.cost,
                "effect": rule.effect,
                "brief": rule.brief or rule.effect,
            }
        return known


def printed_context(values: PrintedValues = ()) -> Context:
    """Return the context of values printed on a single deck or card; missing ones are empty."""
    return LenientDict(values)


def faction_context(faction: Faction) -> Context:
    """Return the context of a faction without its terms."""
    return {
        "id": faction.id,
        "race": faction.race,
        "name": faction.name,
        "color": faction.color,
        "description": faction.description,
    }


def marker_context(marker: Marker, side: MarkerSide) -> Context:
    """Return the context of a side of a marker."""
    return {
        "id": marker.id,
        "side": "face" if side is marker.face else "other",
        "value": marker.value,
        "shape": marker.shape,
        "width": marker.size,
        "height": marker.height,
        **side._asdict(),
    }
