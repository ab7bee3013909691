"""Texts of cards and rules should have no meaningless braces or tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.checks import card_check, game_check
from deckwright.game.braces import lone_braces
from deckwright.game.kinds import Field, FieldValue
from deckwright.game.model import Card, Game
from deckwright.game.values import parts_of
from deckwright.xmlio.node import Source

T021 = Code("T021", Severity.WARNING, "a tag that is printed as it is")

_BOLD, _ITALIC = "write `*bold*`", "write `_italic_`"
_STRUCK, _LIST = "write `~~struck through~~`", "begin the lines with `- `"
_INSTEAD = {
    "b": _BOLD,
    "strong": _BOLD,
    "i": _ITALIC,
    "em": _ITALIC,
    "br": "write `&#10;` for a new line",
    "p": "write `&#10;` for a new paragraph",
    "u": "write `++underlined++`",
    "s": _STRUCK,
    "del": _STRUCK,
    "strike": _STRUCK,
    "ul": _LIST,
    "li": _LIST,
    "list": _LIST,
    "item": _LIST,
    "tspan": "write `{fill:red}…{/fill}`",
    "icon": "write `{icon:sword}`",
}
_TAG = re.compile(rf"</?({'|'.join(_INSTEAD)})(?:\s[^<>]*)?/?>", re.IGNORECASE)


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
        if "{" not in value and "<" not in value:
            continue
        place = source.at(name)
        if "{" in value:
            finding = lone_braces(value, game.setup.symbols, place, f"{called}: `{name}`")
            if finding is not None:
                yield finding
        if "<" in value and (tag := _TAG.search(value)):
            message = f"{called}: `{name}` has `{tag[0]}`, which is printed as it is"
            yield T021.at(place, message, _INSTEAD[tag[1].lower()])


def _texts(card: Card) -> Iterator[tuple[str, str, Source]]:
    """Yield the texts of a card: the attribute, what it holds, and where it stands."""
    yield "name", card.name, card.source

    def of(
        fields: tuple[Field, ...], values: Mapping[str, FieldValue], source: Source
    ) -> Iterator[tuple[str, str, Source]]:
        for field in fields:
            if field.one.type == "text" and not field.ignored:
                for value in parts_of(values.get(field.name)):
                    if isinstance(value, str):
                        yield field.name, value, source

    yield from of(card.kind.fields, card.fields, card.source)
    for spec in card.kind.children:
        for child in card.children.get(spec.tag, ()):
            yield from of(spec.fields, child.values, child.source)
