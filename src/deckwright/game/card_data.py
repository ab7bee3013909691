"""Cards and filters as plain data, for pages in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NotRequired, TypedDict

from deckwright.game.kinds import Field, FieldValue, Kind, Vocabulary
from deckwright.game.model import Card, Game
from deckwright.game.setup import Setup


class SourceLocation(TypedDict):
    """A place in a file."""

    path: str
    line: int


class CardData(TypedDict):
    """A card as the page knows it.

    Attributes:
        children: the values of repeated children, by their plural.
        text: all searchable text.
        source: its place in its file, for those who can open it.
    """

    card: str
    name: str
    faction: str
    kind: str
    token: bool
    width: float
    height: float
    safe: float
    fields: dict[str, FieldValue]
    children: dict[str, list[FieldValue]]
    text: str
    source: NotRequired[SourceLocation]


class FilterValue(TypedDict):
    """A value that cards can be filtered by."""

    value: str
    name: str


class Filter(TypedDict):
    """A field or kind of children with terms, by which cards can be filtered."""

    name: str
    of: str
    title: str
    values: list[FilterValue]


def serialize_card(card: Card, owner: str, game: Game) -> CardData:
    """Return a card as the faction `owner` prints it."""
    kind, faction = card.kind, game.factions.get(owner)
    texts = [card.name, card.id, kind.name]
    if faction is not None:
        texts += [faction.name, faction.race]
    values = [(field, card.fields.get(field.name)) for field in kind.fields if not field.picture]
    for spec in kind.children:
        for child in card.children.get(spec.tag, ()):
            values += [(field, child.values.get(field.name)) for field in spec.fields]
    for field, value in values:
        vocabulary = vocabulary_of(field, game.setup)
        terms = vocabulary.terms if vocabulary else {}
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, str):
                texts += [each, terms[each].name] if each in terms else [each]
    for rule in filter(None, map(game.rules.get, card.rule_ids())):
        texts += [rule.any_label(faction.race if faction else ""), rule.effect]
    return {
        "card": card.id,
        "name": card.name,
        "faction": owner,
        "kind": kind.tag,
        "token": kind.token,
        "width": kind.width,
        "height": kind.height,
        "safe": kind.safe,
        "fields": dict(card.fields),
        "children": {
            spec.plural: [child.value for child in card.children.get(spec.tag, ())]
            for spec in kind.children
        },
        "text": "\n".join(dict.fromkeys(filter(None, texts))),
    }


def collect_labels(game: Game) -> dict[str, str]:
    """Return the printed names of fields and children, for those that have one."""
    names: dict[str, str] = {}
    for kind in game.setup.kinds.values():
        for name, _, field in named_fields(kind):
            if field.text:
                names.setdefault(name, field.text)
    return names


def named_fields(kind: Kind) -> Iterator[tuple[str, str, Field]]:
    """Yield the "fields" of a kind, and of each kind of its "children" the first field."""
    yield from ((field.name, "fields", field) for field in kind.fields)
    yield from ((spec.plural, "children", spec.fields[0]) for spec in kind.children)


def collect_filters(game: Game) -> list[Filter]:
    """Return the available filters, in the order of `game.xml`."""
    result: dict[str, Filter] = {}
    for kind in game.setup.kinds.values():
        for name, of, field in named_fields(kind):
            vocabulary = vocabulary_of(field, game.setup)
            if vocabulary is not None and not field.picture and name not in result:
                title = field.text or vocabulary.name or name
                terms = vocabulary.terms.values()
                values = [FilterValue(value=term.id, name=term.name or term.id) for term in terms]
                result[name] = Filter(name=name, of=of, title=title, values=values)
    return [*result.values()]


def collect_printed_names(setup: Setup) -> dict[str, str]:
    """Return the printed names of fields and children, or else those of their vocabularies."""
    printed: dict[str, str] = {}
    for kind in setup.card_kinds:
        for name, _, field in named_fields(kind):
            vocabulary = vocabulary_of(field, setup)
            label = field.text or (vocabulary.name if vocabulary else "")
            if label and not field.picture:
                printed.setdefault(name, label)
    return printed


def collect_aliases(setup: Setup) -> dict[str, str]:
    """Return what a search may call fields and children, with their names; later ones win."""
    aliases = {label: name for name, label in collect_printed_names(setup).items()}
    for kind in setup.card_kinds:
        aliases |= {children.tag: children.plural for children in kind.children}
    return aliases | {name: name for kind in setup.card_kinds for name, _, _ in named_fields(kind)}


def vocabulary_of(field: Field, setup: Setup) -> Vocabulary | None:
    """Return the vocabulary of a field of terms; lists may hold numbers instead."""
    item = field.item_field
    return setup.vocabularies.get(item.vocabulary or "") if item.type == "term" else None
