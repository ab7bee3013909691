"""What the page is told of cards and of the game, besides their faces: plain data for JSON."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypedDict

from deckwright.base.findings import Diagnostic, Severity
from deckwright.game.kinds import Field, FieldValue, Kind, Term, Vocabulary
from deckwright.game.model import Card, CardKey, Game
from deckwright.xmlio.node import Source

SEVERITY_ORDER = [severity.value for severity in Severity]
"""The severities, the worst first."""


class FindingData(NamedTuple):
    """A finding.

    Attributes:
        path: relative to the game's folder where it is inside, None if it is of no one file.
        line, column: from 1; 0 for the file as a whole.
        sheet: the title of a tab of a workbook, else "".
    """

    code: str
    severity: str
    message: str
    hint: str | None
    path: str | None
    line: int = 0
    column: int = 0
    sheet: str = ""

    @property
    def rank(self) -> int:
        """Its place in a list that has the worst first."""
        return SEVERITY_ORDER.index(self.severity)

    @property
    def is_error(self) -> bool:
        """Whether it is an error."""
        return self.severity == "error"


@lru_cache(1024)
def display_path(path: Path, folder: Path) -> str:
    """Return a path as the page shows it, relative to the game's folder where it is inside."""
    return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()


def serialize_finding(finding: Diagnostic, folder: Path) -> FindingData:
    """Return a finding as plain data."""
    place = finding.location
    return FindingData(
        finding.code.id,
        finding.severity.value,
        finding.message,
        finding.hint,
        display_path(place.path, folder) if place else None,
        place.line if place else 0,
        place.column if place else 0,
        place.sheet if place else "",
    )


def parse_check_report(report: bytes) -> tuple[FindingData, ...]:
    """Return the findings of a report that `deckwright check --format json` has written.

    Raises:
        ValueError: if it is none.
    """
    try:
        listed = json.loads(report)["findings"]
        return tuple(
            FindingData(
                each["code"],
                each["severity"],
                each["message"],
                each["hint"],
                Path(each["file"]).as_posix() if each["file"] else None,
                each["line"],
                each["column"],
                each["sheet"],
            )
            for each in listed
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError("this is no report of a check") from error


def group_by_card(
    found: Iterable[FindingData], sources: Mapping[CardKey, Source], folder: Path
) -> dict[CardKey, list[FindingData]]:
    """Return the findings that stand at cards: from where one begins to where the next does."""
    wanted = [each for each in found if each.path and each.line]
    if not wanted:
        return {}
    paths = {each.path for each in wanted}
    starts: dict[tuple[str, str], list[tuple[int, int, CardKey]]] = {}
    for key, source in sources.items():
        path = display_path(source.path, folder)
        if path in paths:
            place = source.at()
            starts.setdefault((path, place.sheet), []).append((place.line, place.column, key))
    for listed in starts.values():
        listed.sort()
    result: dict[CardKey, list[FindingData]] = {}
    for each in wanted:
        listed = starts.get((each.path or "", each.sheet), [])
        number = bisect_right(listed, (each.line, max(each.column, 1)), key=_start)
        if number:
            # A token is printed by several factions.
            first = bisect_left(listed, _start(listed[number - 1]), key=_start)
            for _, _, key in listed[first:number]:
                result.setdefault(key, []).append(each)
    return result


def _start(entry: tuple[int, int, CardKey]) -> tuple[int, int]:
    return entry[:2]


class SourceLocation(TypedDict):
    """Where a card stands."""

    path: str
    line: int


class CardData(TypedDict):
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
    source: SourceLocation


class FilterValue(TypedDict):
    """A value that cards can be filtered by."""

    value: str
    name: str


class Filter(TypedDict):
    """What cards can be filtered by: a field or children that hold terms."""

    name: str
    of: str
    title: str
    values: list[FilterValue]


def serialize_card(card: Card, owner: str, game: Game, folder: Path) -> CardData:
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
        "text": "\n".join(dict.fromkeys(filter(None, _searchable_texts(card, owner, game)))),
        "source": {"path": display_path(source.path, folder), "line": source.at().line},
    }


def _searchable_texts(card: Card, owner: str, game: Game) -> Iterator[str]:
    """Yield what stands on a card, and what it is called in the files."""
    yield from (card.name, card.id, card.kind.name)
    faction = game.factions.get(owner)
    if faction is not None:
        yield from (faction.name, faction.race)
    for field in (each for each in card.kind.fields if not each.picture):
        yield from _field_texts(card.fields.get(field.name), field, game)
    for spec in card.kind.children:
        for child in card.children.get(spec.tag, ()):
            for field in spec.fields:
                yield from _field_texts(child.values.get(field.name), field, game)
    for rule in filter(None, map(game.rules.get, card.rule_ids())):
        yield rule.any_label(faction.race if faction else "")
        yield rule.effect


def _field_texts(value: FieldValue, field: Field, game: Game) -> Iterator[str]:
    """Yield a value as one reads it: texts, and the names of terms."""
    vocabulary = _vocabulary(field, game)
    terms = vocabulary.terms if vocabulary else {}
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, str):
            yield each
            if each in terms:
                yield terms[each].name


def collect_labels(game: Game) -> dict[str, str]:
    """Return the names in print of fields and children that have one."""
    found: dict[str, str] = {}
    for kind in game.setup.kinds.values():
        for name, field in _named_fields(kind):
            if field.text:
                found.setdefault(name, field.text)
    return found


def _named_fields(kind: Kind) -> Iterator[tuple[str, Field]]:
    """Give the fields of a kind, and its children by the first field of each."""
    yield from ((field.name, field) for field in kind.fields)
    yield from ((spec.plural, spec.fields[0]) for spec in kind.children)


def collect_filters(game: Game) -> list[Filter]:
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
                    "values": _filter_values(vocabulary.terms),
                }
    return [*found.values()]


def _filter_values(terms: Mapping[str, Term]) -> list[FilterValue]:
    return [{"value": term.id, "name": term.name or term.id} for term in terms.values()]


def _vocabulary(field: Field, game: Game) -> Vocabulary | None:
    """Return the vocabulary of a field that holds terms; lists can be of numbers as well."""
    known = game.setup.vocabularies
    return known[field.one.vocabulary or ""] if field.one.type == "term" else None
