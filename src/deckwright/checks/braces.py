"""Texts of cards and rules should have no meaningless braces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from deckwright.base.findings import Diagnostic
from deckwright.checks import card_check, game_check
from deckwright.game.braces import lone_braces
from deckwright.game.model import Card, FieldValue, Game
from deckwright.game.setup import Field
from deckwright.xmlio.node import Source


@card_check
def card_braces(game: Game, card: Card) -> Iterator[Diagnostic]:
    """Neither the card's name nor a text on it prints braces."""
    yield from _findings(game, f"{card.kind.tag} `{card.id}`", _texts(card))


@game_check
def rule_braces(game: Game) -> Iterator[Diagnostic]:
    """Neither a rule's text nor its names print braces."""
    for rule in game.rules.values():
        texts = [("effect", rule.effect, rule.source)]
        if rule.brief is not None:
            texts.append(("brief", rule.brief, rule.source))
        texts += [(race, label, rule.label_sources[race]) for race, label in rule.labels.items()]
        yield from _findings(game, f"rule `{rule.id}`", texts)


def _findings(
    game: Game, called: str, texts: Iterable[tuple[str, str, Source]]
) -> Iterator[Diagnostic]:
    for name, value, source in texts:
        if "{" in value:
            place = source.at(name)
            finding = lone_braces(value, game.setup.symbols, place, f"{called}: `{name}`")
            if finding is not None:
                yield finding


def _texts(card: Card) -> Iterator[tuple[str, str, Source]]:
    """Yield the texts of a card: the attribute, what it holds, and where it stands."""
    yield "name", card.name, card.source

    def of(
        fields: tuple[Field, ...], values: Mapping[str, FieldValue], source: Source
    ) -> Iterator[tuple[str, str, Source]]:
        for field in fields:
            value = values.get(field.name)
            if field.type == "text" and not field.ignored and isinstance(value, str):
                yield field.name, value, source

    yield from of(card.kind.fields, card.fields, card.source)
    for spec in card.kind.children:
        for child in card.children.get(spec.tag, ()):
            yield from of(spec.fields, child.values, child.source)
