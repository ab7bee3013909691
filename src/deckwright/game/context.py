"""What templates see of cards: plain dictionaries, with references followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from deckwright.base.crops import cropped
from deckwright.game.counters import Marker, Side
from deckwright.game.model import Card, Faction, FieldValue, Game, Rule
from deckwright.game.setup import CROPS, Field, Setup, Term

Context = dict[str, Any]


class Contexts:
    """Makes the contexts of one game; what cards share is made once."""

    def __init__(self, game: Game) -> None:
        """Take the game whose cards are to be shown."""
        self._game = game
        self._terms = {
            vocabulary.id: {term.id: term_context(term) for term in vocabulary.terms.values()}
            for vocabulary in game.setup.vocabularies.values()
        }
        used = self._used_terms()
        self._factions = {
            f.id: {**faction_context(f), "terms": used[f.id]} for f in game.factions.values()
        }
        self._stats = _stats(game.setup)
        self._rules: dict[tuple[str, str], Context] = {}

    def _used_terms(self) -> dict[str, dict[str, list[Context]]]:
        """Return for each faction and vocabulary the terms that its cards have, in their order."""
        used = {faction_id: {name: set[str]() for name in self._terms}
                for faction_id in self._game.factions}  # fmt: skip
        for card in self._game.cards.values():
            if card.faction_id not in used:
                continue
            for vocabulary, term in _terms_of(card):
                used[card.faction_id][vocabulary].add(term)
        return {
            faction_id: {
                name: [context for i, context in terms.items() if i in used[faction_id][name]]
                for name, terms in self._terms.items()
            }
            for faction_id in used
        }

    def base(self) -> Context:
        """Return what every template sees: the game's words, terms and factions."""
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
            "fields": self._stats,
            "symbols": {
                symbol.id: {"id": symbol.id, "name": symbol.name, "color": symbol.color}
                for symbol in setup.symbols.values()
            },
        }

    def faction(self, faction_id: str) -> Context:
        """Return a faction."""
        return self._factions[faction_id]

    @cached_property
    def cards(self) -> dict[str, Context]:
        """All cards and tokens by their ids, as the first faction that prints them shows them."""
        cards: dict[str, Context] = {}
        for card, faction_id, _ in self._game.printed():
            if card.id not in cards and self._game.can_show(card, faction_id):
                cards[card.id] = self.card(card, faction_id)
        return cards

    def card(self, card: Card, faction_id: str, part: int = 1) -> Context:
        """Return a card as a face of `faction_id` shows it; for tokens that is the deck's.

        Args:
            part: which of its faces, from 1.
        """
        faction = self._game.factions[faction_id]
        result: Context = {
            "id": card.id,
            "name": card.name,
            "kind": card.kind.tag,
            "token": card.kind.token,
            "faction": self._factions[faction_id],
            "groups": sorted(faction.groups),
            "part": part,
            "parts": card.parts,
        }
        for field in card.kind.fields:
            if field.ignored or field.type in CROPS:
                continue
            value = card.fields[field.name]
            if field.type == "image" and value and value != field.default:
                # How it is cropped goes with it wherever the template shows it.
                crop = (card.fields.get(f"{field.name}-{what}") for what in CROPS)
                value = cropped(str(value), *(str(said) if said else None for said in crop))
            result[field.name] = self._value(field, value, faction)
        for spec in card.kind.children:
            children = card.children[spec.tag]
            if spec.holds_rules:
                # A card may be drawn although it names a rule that does not exist.
                children = tuple(c for c in children if str(c.value) in self._game.rules)
            dicts = [
                {f.name: self._value(f, child.values[f.name], faction) for f in spec.fields}
                for child in children
            ]
            only = spec.fields[0].name
            result[spec.plural] = [values[only] for values in dicts] if spec.single else dicts
        return result

    def _value(self, field: Field, value: FieldValue, faction: Faction) -> object:
        if value is None or field.type not in {"term", "rule"}:
            return value
        if field.type == "term":
            return self._terms[field.vocabulary or ""][str(value)]
        return self.rule(self._game.rules[str(value)], faction.race)

    def rule(self, rule: Rule, race: str) -> Context:
        """Return a rule under its name for a race."""
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


def _terms_of(card: Card) -> Iterator[tuple[str, str]]:
    """Yield the terms of a card with their vocabularies."""
    for field in card.kind.fields:
        if field.type == "term" and not field.ignored:
            yield field.vocabulary or "", str(card.fields[field.name])
    for spec in card.kind.children:
        for field in spec.fields:
            if field.type == "term":
                for child in card.children[spec.tag]:
                    yield field.vocabulary or "", str(child.values[field.name])


def term_context(term: Term) -> Context:
    """Return a term of a vocabulary."""
    return {"id": term.id, "name": term.name, **term.data}


def faction_context(faction: Faction) -> Context:
    """Return a faction."""
    return {
        "id": faction.id,
        "race": faction.race,
        "name": faction.name,
        "color": faction.color,
        "description": faction.description,
    }


def marker_context(marker: Marker, side: Side) -> Context:
    """Return a side of a marker."""
    return {
        "id": marker.id,
        "side": "face" if side is marker.face else "other",
        "value": marker.value,
        "shape": marker.shape,
        "width": marker.size,
        "height": marker.height,
        **side._asdict(),
    }


def _stats(setup: Setup) -> Mapping[str, Context]:
    """Return name and icon of every field that has them, by field name."""
    return {
        field.name: {"name": field.text or field.name, "icon": field.icon}
        for kind in setup.kinds.values()
        for field in kind.fields
    }
