"""Previews of edits: the game with a draft applied, its findings and faces."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from deckwright.api import Face, Game, GameError
from deckwright.base.findings import ChoiceError, Diagnostic, Location, require_known
from deckwright.game.kinds import format_value
from deckwright.game.model import PrintableCard
from deckwright.studio.answers import Json, to_plain
from deckwright.studio.described import SEVERITY_ORDER, FindingData, serialize_finding
from deckwright.studio.editing.forms import CardSummary, summarize_card
from deckwright.studio.editing.outlines import (
    EntityOutline,
    EntityRef,
    Entry,
    cards_of_faction,
    find_users,
)
from deckwright.studio.editing.pictures import BoxData, picture_boxes
from deckwright.studio.editing.targets import EditTarget, build_outline, find_root, write_targets
from deckwright.studio.editing.writing import UnwritableValue
from deckwright.studio.faces import compose_side, list_sides
from deckwright.text.richtext import strip_markup
from deckwright.xmlio.node import Node

_MIN_QUOTE = 8
"""The minimum length of a quoted text, as shorter ones may be in a field by chance."""


def quoted_texts(message: str) -> list[str]:
    """Return the texts that a message quotes, and the beginnings of those that it shortens."""
    return [text.removesuffix("…").strip() for text in re.findall(r"`([^`]+)`", message)]


class FieldRef(NamedTuple):
    """A reference to a field of an entity, or to a field of one of its children."""

    field: str | None = None
    child: str | None = None
    number: int | None = None
    child_field: str | None = None


class FieldLocator:
    """Finds the field of an entity at a place in its file."""

    def __init__(self, outline: EntityOutline) -> None:
        self._path = outline.node.source.path
        self._outline = outline
        self._in_table = not outline.node.source.document.xml
        refs: dict[tuple[str, int, int], FieldRef | None] = {}
        for node in () if self._in_table else outline.nodes:
            # The element after the last one of the entity is outside it.
            *_, last = node.walk()
            with suppress(IndexError):
                refs[_position(node.source.document.locate(last.source.ordinal + 1))] = None
        refs |= self._field_positions()
        self._refs = sorted(refs.items(), key=itemgetter(0))

    def locate(self, finding: Diagnostic) -> FieldRef | None:
        """Return the field that a finding is about, None if it is outside the entity."""
        place = finding.location
        if place is None or place.path != self._path:
            return None
        if self._in_table:
            # Findings about fields without a column are at the row's first cell.
            cells = dict(self._refs)
            if (position := _position(place)) not in cells:
                return None
            named = self._refine_by_message(FieldRef(), finding.message)
            return cells[position] if named == FieldRef() else named
        number = bisect_right(self._refs, _position(place), key=itemgetter(0))
        mark = self._refs[number - 1][1] if number else None
        return mark and self._refine_by_message(mark, finding.message)

    def _refine_by_message(self, mark: FieldRef, message: str) -> FieldRef:
        """Return the field that a message names, as missing values have no place of their own."""
        quoted = quoted_texts(message)
        if mark == FieldRef():
            for entry in self._outline.entries:
                text = " ".join(strip_markup(entry.value() or "").split())
                if any(len(start) >= _MIN_QUOTE and text.startswith(start) for start in quoted):
                    return FieldRef(entry.name)
            tags = {each.tag for each in self._outline.children}
            names = {entry.name for entry in self._outline.entries} | tags
            first = next((name for name in quoted if name in names), None)
            return FieldRef(None, first) if first in tags else FieldRef(first)
        if mark.child and mark.child_field is None:
            each = next(each for each in self._outline.children if each.tag == mark.child)
            names = {entry.name for entry in each.entries}
            return mark._replace(child_field=next((n for n in quoted if n in names), None))
        return mark

    def _field_positions(self) -> Iterator[tuple[tuple[str, int, int], FieldRef]]:
        for node in self._outline.nodes:
            yield _position(node.source.at()), FieldRef()
        for entry in self._outline.entries:
            if entry.node is not None:
                yield from _entry_positions(entry, entry.node, FieldRef(entry.name))
        for each in self._outline.children:
            source = self._outline.node.source
            if self._in_table and source.at(each.tag) != source.at():
                yield _position(source.at(each.tag)), FieldRef(None, each.tag)
            if self._in_table:
                continue
            for index, node in enumerate(each.nodes):
                yield _position(node.source.at()), FieldRef(None, each.tag, index)
                for entry in each.entries:
                    yield from _entry_positions(
                        entry, node, FieldRef(None, each.tag, index, entry.name)
                    )


def _entry_positions(
    entry: Entry, node: Node, mark: FieldRef
) -> Iterator[tuple[tuple[str, int, int], FieldRef]]:
    name = entry.attribute.name
    if node.source.document.xml:
        given = node.get(name) is not None and not entry.in_child
    else:
        given = node.source.at(name) != node.source.at()
    if given:
        yield _position(node.source.at(name)), mark
    for inside in node.children_named(name) if entry.in_child or entry.attribute.element else ():
        yield _position(inside.source.at()), mark


def _position(place: Location) -> tuple[str, int, int]:
    return place.sheet, place.line, place.column


def locate_findings(
    findings: Iterable[Diagnostic],
    known: Iterable[Diagnostic],
    locators: Sequence[FieldLocator | None],
    folder: Path,
) -> list[Json]:
    """Return the findings in drafts, and those that drafts cause elsewhere, as plain data.

    Args:
        known: the findings without the drafts.
        locators: one for each draft, None if its entity was deleted.
    """
    before = {(each.code.id, each.message) for each in known}
    result = []
    for each in dict.fromkeys(findings):
        marks = ((at, found.locate(each)) for at, found in enumerate(locators) if found)
        target, mark = next(((at, mark) for at, mark in marks if mark is not None), (0, None))
        if mark is not None or (each.code.id, each.message) not in before:
            data = serialize_finding(each, folder)
            here = mark is not None
            result.append(_locate(data, mark or FieldRef(), here=here, target=target))
    return sorted(result, key=lambda each: SEVERITY_ORDER.index(str(each["severity"])))


def serialize_unwritable(error: UnwritableValue) -> Json:
    """Return the finding for a value that cannot be written."""
    mark = FieldRef(error.field)
    if error.child:
        mark = FieldRef(None, error.child, error.number, error.field)
    finding = FindingData("", "error", error.message, None, None)
    return _locate(finding, mark, here=True, target=error.target)


def _locate(finding: FindingData, mark: FieldRef, *, here: bool, target: int) -> Json:
    place = {"field": mark.field, "child": mark.child, "index": mark.number}
    place |= {"childField": mark.child_field, "target": target if here else None}
    return {**to_plain(finding), **place, "here": here}


def has_error(findings: Iterable[Json]) -> bool:
    """Return whether any of the findings is an error."""
    return any(each["severity"] == "error" for each in findings)


_MAX_PREVIEW_CARDS = 4
"""The maximum number of cards in the preview of a rule or a name."""


class EditPreview(NamedTuple):
    """The game with edits applied, None if it cannot be read, and the findings."""

    game: Game | None
    findings: list[Json]
    locators: Sequence[FieldLocator | None] = ()


def preview_edits(
    game: Game, targets: Sequence[EditTarget], faults: Sequence[UnwritableValue] = ()
) -> EditPreview:
    """Read the game with the edited files of entities.

    Args:
        faults: the values that cannot be written, which become findings.
    """
    files = write_targets(targets)
    findings = [serialize_unwritable(fault) for fault in faults]
    locators: list[FieldLocator | None] = []
    try:
        roots = {
            path: find_root(path, data, game.model, game.folder) for path, data in files.items()
        }
        for target in targets:
            locators.append(None)
            with suppress(ChoiceError):  # it was deleted
                outline = build_outline(target.entity, roots[target.file.path], game.model)
                locators[-1] = FieldLocator(outline)
        other = game.with_files(files)
    except GameError as error:
        located = locate_findings(error.findings, (), locators, game.path)
        return EditPreview(None, [*findings, *located])
    located = locate_findings(other.faults, game.faults, locators, game.path)
    return EditPreview(other, [*findings, *located], locators)


class FaceData(NamedTuple):
    """A face of a draft.

    Attributes:
        hash: the hash of its picture, None if it cannot be composed.
        faulty: whether it is drawn despite errors, which it shows in red.
        unprinted: the fields that it omits for lack of room.
    """

    card: CardSummary
    side: str
    part: int
    width: float
    height: float
    hash: str | None = None
    faulty: bool = False
    unprinted: Sequence[str] = ()


def preview_cards(
    game: Game, cards: Sequence[PrintableCard], style: str | None, paint: Callable[[Face], str]
) -> tuple[list[FaceData], list[BoxData], list[Diagnostic]]:
    """Compose the faces of cards in a style.

    Args:
        paint: paints and caches a face, and returns its hash.

    Returns:
        The faces, the boxes of their pictures, and the findings.

    Raises:
        ChoiceError: if there is no such style.
    """
    faces: list[FaceData] = []
    boxes: list[BoxData] = []
    findings: list[Diagnostic] = []
    for each in cards:
        card, kind = game.card(each.card.id, faction=each.faction_id), each.card.kind
        for part, back in list_sides(game.model, each.card, each.faction_id):
            side = "back" if back else "face"
            data = FaceData(summarize_card(each), side, part, kind.width, kind.height)
            face, faulty, faults = compose_side(card, style, part, back=back)
            findings += faults
            if face is not None:
                try:
                    data = data._replace(hash=paint(face), faulty=faulty)
                except GameError as error:
                    findings += error.findings
                else:
                    if not faulty:
                        data = data._replace(unprinted=sorted(face.unprinted))
                        boxes += picture_boxes(face, each.card, game.folder.images, side, part)
            faces.append(data)
    return faces, boxes, findings


def choose_preview_cards(game: Game, entity: EntityRef, request: object) -> list[PrintableCard]:
    """Choose the cards for the preview of an entity.

    Args:
        request: the cards given by the request: one, or a list.
    """
    model = game.model
    wanted = (request if isinstance(request, list) else [request])[:_MAX_PREVIEW_CARDS]
    keys = [(each.get("faction"), each.get("id")) for each in wanted if isinstance(each, dict)]
    if entity.of == "card":
        keys = [(entity.faction, entity.id)]
    printed: dict[tuple[object, object], PrintableCard] = {
        (each.faction_id, each.card.id): each for each in model.printable_cards() if each.faction_id
    }
    cards = [printed[key] for key in keys if key in printed]
    if cards or entity.of == "card":
        return cards
    if entity.of == "rule":
        return find_users(model, entity.id)[:1]
    if entity.of == "faction":
        return cards_of_faction(model, entity.id)[:1]
    return [*printed.values()][:1]


def computed_values(cards: Sequence[PrintableCard]) -> dict[str, str]:
    """Return the values of computed fields."""
    return {
        field.name: format_value(field, each.card.fields.get(field.name))
        for each in cards
        for field in each.card.kind.fields
        if field.value is not None
    }


def require_style(game: Game, style: object) -> str | None:
    """Return the style given by a request, None for the default.

    Raises:
        ChoiceError: if there is no such style.
    """
    if style is None or style == "":
        return None
    require_known(str(style), game.styles, "style")
    return str(style)
