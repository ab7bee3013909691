"""What a card says, as plain text, for those who see no picture of it, or another one beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckwright.base.numbers import measured
from deckwright.game.kinds import Children, Field, FieldValue
from deckwright.game.model import Card, Child, Game
from deckwright.game.references import target
from deckwright.game.values import parts_of
from deckwright.text.markup import plain

_WORDED = frozenset(("text", "rule", "term", "card"))
"""The types of fields that hold words."""
_SIGN = re.compile(r"\{(icon:)?([A-Za-z0-9_-]+)\}")
_SPACE = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r" (?=[,.;:!?])")


def card_text(game: Game, card: Card, faction_id: str) -> str:
    """Return the rules and texts of a card, a line each, as a faction has them.

    Args:
        faction_id: whose names rules have: the card's own, or for a token the deck's.
    """
    reader = _Reader(game, game.factions[faction_id].race, card)
    return "\n".join(reader.lines())


def described(game: Game, card: Card, faction_id: str) -> str:
    """Return all that a card says, beginning with its name and kind, a line each.

    Args:
        faction_id: whose names rules have: the card's own, or for a token the deck's.
    """
    reader = _Reader(game, game.factions[faction_id].race, card, numbers=True)
    return "\n".join([f"{card.name} ({card.kind.name})", *reader.lines()])


class _Reader:
    def __init__(self, game: Game, race: str, card: Card, *, numbers: bool = False) -> None:
        """Read a card, with what its fields have in numbers if that is wanted."""
        self._game = game
        self._race = race
        self._card = card
        self._numbers = numbers

    def lines(self) -> Iterator[str]:
        card = self._card
        for field in card.kind.fields:
            worded = field.one.type in _WORDED or (self._numbers and field.numeric)
            if worded and (field.text or field.type in {"text", "rule"}):
                text = self._said(field, card.fields.get(field.name))
                if text:
                    yield f"{field.text}: {text}" if field.text else text
        for spec in card.kind.children:
            children = card.children.get(spec.tag, ())
            if spec.single and spec.fields[0].type == "term":
                terms = [self._said(spec.fields[0], child.value) for child in children]
                name = self._game.setup.vocabularies[spec.fields[0].vocabulary or ""].name
                if terms:
                    yield f"{name}: {', '.join(terms)}" if name else ", ".join(terms)
            else:
                yield from filter(None, (self._child(spec, child) for child in children))

    def _child(self, spec: Children, child: Child) -> str:
        """Return what a child says; nothing if it has but numbers and pictures."""
        values = [(field, child.values.get(field.name)) for field in spec.fields]
        if not any(field.one.type in _WORDED and value is not None for field, value in values):
            return ""
        shown = (field for field in values if field[0].one.type in _WORDED or field[0].numeric)
        return " ".join(filter(None, (self._said(field, value) for field, value in shown)))

    def _said(self, field: Field, value: FieldValue) -> str:
        if value is None or field.ignored or field.picture:
            return ""
        parts = parts_of(value)
        return ", ".join(filter(None, (self._part(field.one, part) for part in parts)))

    def _part(self, field: Field, value: FieldValue) -> str:
        if field.type == "term":
            term = self._game.setup.vocabularies[field.vocabulary or ""].terms.get(str(value))
            return "" if term is None else term.name
        if field.type == "card":
            named = target(self._game, self._card, str(value))
            return "" if named is None else self._plain(named.name)
        if isinstance(value, (int, float)):
            return measured(value, field.unit, self._game.setup.language)
        return self._rule(str(value)) if field.type == "rule" else self._plain(str(value))

    def _rule(self, rule_id: str) -> str:
        rule = self._game.rules.get(rule_id)
        if rule is None:
            return ""
        cost = f" ({rule.cost})" if rule.cost is not None else ""
        return f"{rule.any_label(self._race)}{cost}: {self._plain(rule.effect)}"

    def _plain(self, text: str) -> str:
        """Return text without icons, with the names of symbols in their place."""
        symbols = self._game.setup.symbols

        def named(sign: re.Match[str]) -> str:
            icon, name = sign.groups()
            if icon:
                return ""
            return f" {symbols[name].name} " if name in symbols else sign.group()

        said = plain(text, lambda part: _SIGN.sub(named, part))
        spaced = _SPACE.sub(" ", said).strip()
        return spaced if spaced == text else _BEFORE_MARK.sub("", spaced)
