"""Cards, findings and filters as plain data for the page."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypedDict

from deckwright.base.files import path_exists
from deckwright.base.findings import Diagnostic, Severity
from deckwright.game.folder import PACKAGE, GameFolder
from deckwright.game.kinds import Field, FieldValue, Kind, Vocabulary
from deckwright.game.model import Card, CardKey, Game
from deckwright.game.setup import Setup
from deckwright.xmlio.node import Source

SEVERITY_ORDER = [severity.value for severity in Severity]
"""The severities, worst first."""


class FindingData(NamedTuple):
    """A finding as plain data.

    Attributes:
        path: relative to the game's folder if it is inside, None if the finding has no file.
        line, column: from 1; 0 for the whole file.
        sheet: the title of a workbook's sheet, else "".
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
        """The sort key of its severity, 0 for the worst."""
        return SEVERITY_ORDER.index(self.severity)

    @property
    def is_error(self) -> bool:
        """True for errors, False for warnings."""
        return self.severity == "error"


@lru_cache(1024)
def display_path(path: Path, folder: Path) -> str:
    """Return a path as the page shows it: relative to the game's folder if it is inside."""
    return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()


_PART_WITH_OPTION = re.compile(
    r"(^|[,;] (or )?)((?![,;] ).)*(?<![\w(])--[a-z]((?![,;] ).)*", re.DOTALL
)


def hint_for_page(hint: str | None) -> str | None:
    """Return a hint without its parts about options of the command line, which no page has."""
    left = re.sub(r"^[,;] (or )?", "", _PART_WITH_OPTION.sub("", hint or ""))
    return left or None


def serialize_finding(finding: Diagnostic, folder: Path) -> FindingData:
    """Return a finding as plain data."""
    place = finding.location
    return FindingData(
        finding.code.id,
        finding.severity.value,
        finding.message,
        hint_for_page(finding.hint),
        display_path(place.path, folder) if place else None,
        place.line if place else 0,
        place.column if place else 0,
        place.sheet if place else "",
    )


def parse_check_report(report: bytes) -> tuple[FindingData, ...]:
    """Return the findings in a report by `deckwright check --format json`.

    Raises:
        ValueError: if it is not such a report.
    """
    try:
        findings = json.loads(report)["findings"]
        return tuple(
            FindingData(
                each["code"],
                each["severity"],
                each["message"],
                hint_for_page(each["hint"]),
                Path(each["file"]).as_posix() if each["file"] else None,
                each["line"],
                each["column"],
                each["sheet"],
            )
            for each in findings
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError("this is no report of a check") from error


def group_by_card(
    findings: Iterable[FindingData], sources: Mapping[CardKey, Source], folder: Path
) -> dict[CardKey, list[FindingData]]:
    """Group findings by the card whose lines they are in, up to the start of the next card."""
    located = [each for each in findings if each.path and each.line]
    if not located:
        return {}
    paths = {each.path for each in located}
    starts: dict[tuple[str, str], list[tuple[int, int, CardKey]]] = {}
    for key, source in sources.items():
        path = display_path(source.path, folder)
        if path in paths:
            place = source.at()
            starts.setdefault((path, place.sheet), []).append((place.line, place.column, key))
    for entries in starts.values():
        entries.sort()
    result: dict[CardKey, list[FindingData]] = {}
    for each in located:
        entries = starts.get((each.path or "", each.sheet), [])
        number = bisect_right(entries, (each.line, max(each.column, 1)), key=_start)
        if number:
            # Several factions may print the same token.
            first = bisect_left(entries, _start(entries[number - 1]), key=_start)
            for _, _, key in entries[first:number]:
                result.setdefault(key, []).append(each)
    return result


def _start(entry: tuple[int, int, CardKey]) -> tuple[int, int]:
    return entry[:2]


class SourceLocation(TypedDict):
    """A card's place in its file."""

    path: str
    line: int


class CardData(TypedDict):
    """A card as the page knows it.

    Attributes:
        children: the values of repeated children, by their plural.
        text: all searchable text.
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
    """A field or kind of children with terms, by which cards can be filtered."""

    name: str
    of: str
    title: str
    values: list[FilterValue]


def serialize_card(card: Card, owner: str, game: Game, folder: Path) -> CardData:
    """Return a card as the faction `owner` prints it."""
    kind, source, faction = card.kind, card.source, game.factions.get(owner)
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
        "source": {"path": display_path(source.path, folder), "line": source.at().line},
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


def vocabulary_of(field: Field, setup: Setup) -> Vocabulary | None:
    """Return the vocabulary of a field of terms; lists may hold numbers instead."""
    item = field.item_field
    return setup.vocabularies.get(item.vocabulary or "") if item.type == "term" else None


_BLANK = PACKAGE / "blank"
_NAME = re.compile(r"""<game name=("[^"]*"|'[^']*')""")


def is_blank(folder: GameFolder) -> bool:
    """Return whether all files of a game are as in the blank game, except its name."""
    if not folder.has_own_setup:
        return False
    for path in [*folder.own_files(), *folder.tables()]:
        former = _BLANK / path.relative_to(folder.path)
        if not path_exists(former) or _without_name(path) != _without_name(former):
            return False
    return True


def _without_name(path: Path) -> str:
    return _NAME.sub("<game", path.read_text(encoding="utf-8", errors="replace"))
