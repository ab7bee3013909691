"""What the page is told of cards and of the game, besides their faces: plain data for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypedDict

from deckwright.game.kinds import Field, FieldValue, Kind, Term, Vocabulary
from deckwright.game.model import Card, Game
from deckwright.studio.notices import near


class Place(TypedDict):
    """Where a card stands."""

    path: str
    line: int


class Described(TypedDict):
    """A card, as the page knows it.

    Attributes:
        children: the values of repeated children, by their plural.
        text: all that one may search for.
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
    source: Place


class Value(TypedDict):
    """A value that cards can be filtered by."""

    value: str
    name: str


class Filter(TypedDict):
    """What cards can be filtered by: a field or children that hold terms."""

    name: str
    of: str
    title: str
    values: list[Value]


def described(card: Card, owner: str, game: Game, folder: Path) -> Described:
    """Return a card as the faction `owner` prints it."""
    kind, source = card.kind, card.source
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
        "text": "\n".join(dict.fromkeys(filter(None, _texts(card, owner, game)))),
        "source": {"path": near(source.path, folder), "line": source.at().line},
    }


def _texts(card: Card, owner: str, game: Game) -> Iterator[str]:
    """Yield what stands on a card, and what it is called in the files."""
    yield from (card.name, card.id, card.kind.name)
    faction = game.factions.get(owner)
    if faction is not None:
        yield from (faction.name, faction.race)
    for field in (each for each in card.kind.fields if not each.picture):
        yield from _words(card.fields.get(field.name), field, game)
    for spec in card.kind.children:
        for child in card.children.get(spec.tag, ()):
            for field in spec.fields:
                yield from _words(child.values.get(field.name), field, game)
    for rule in filter(None, map(game.rules.get, card.rule_ids())):
        yield rule.any_label(faction.race if faction else "")
        yield rule.effect


def _words(value: FieldValue, field: Field, game: Game) -> Iterator[str]:
    """Yield a value as one reads it: texts, and the names of terms."""
    vocabulary = _vocabulary(field, game)
    terms = vocabulary.terms if vocabulary else {}
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, str):
            yield each
            if each in terms:
                yield terms[each].name


def labels(game: Game) -> dict[str, str]:
    """Return the names in print of fields and children that have one."""
    found: dict[str, str] = {}
    for kind in game.setup.kinds.values():
        for name, field in _named(kind):
            if field.text:
                found.setdefault(name, field.text)
    return found


def _named(kind: Kind) -> Iterator[tuple[str, Field]]:
    """Give the fields of a kind, and its children by the first field of each."""
    yield from ((field.name, field) for field in kind.fields)
    yield from ((spec.plural, spec.fields[0]) for spec in kind.children)


def filters(game: Game) -> list[Filter]:
    """Return what cards can be filtered by, in the order of `game.xml`."""
    found: dict[str, Filter] = {}
    for kind in game.setup.kinds.values():
        fields = [(field.name, "fields", field) for field in kind.fields]
        fields += [(spec.plural, "children", spec.fields[0]) for spec in kind.children]
        for name, of, field in fields:
            vocabulary = _vocabulary(field, game)
            if vocabulary is not None and not field.picture and name not in found:
                title = field.text or vocabulary.name or name
                found[name] = {
                    "name": name,
                    "of": of,
                    "title": title,
                    "values": _values(vocabulary.terms),
                }
    return [*found.values()]


def _values(terms: Mapping[str, Term]) -> list[Value]:
    return [{"value": term.id, "name": term.name or term.id} for term in terms.values()]


def _vocabulary(field: Field, game: Game) -> Vocabulary | None:
    """Return the vocabulary of a field that holds terms; lists can be of numbers as well."""
    known = game.setup.vocabularies
    return known[field.one.vocabulary or ""] if field.one.type == "term" else None
