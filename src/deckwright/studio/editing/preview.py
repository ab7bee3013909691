"""What a draft would be in the game: what would be wrong, and its faces."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

from deckwright.api import Card, Face, Game, GameError
from deckwright.base.findings import ChoiceError, Diagnostic, Location
from deckwright.faces.copies import back_of
from deckwright.game.kinds import format_value
from deckwright.game.model import PrintableCard
from deckwright.studio.described import SEVERITY_ORDER, serialize_finding
from deckwright.studio.editing.drafts import UnwritableValue
from deckwright.studio.editing.forms import UserData, serialize_user
from deckwright.studio.editing.outlines import (
    EntityOutline,
    EntityRef,
    Entry,
    cards_of_faction,
    find_users,
)
from deckwright.studio.editing.pictures import BoxData, picture_boxes
from deckwright.studio.editing.targets import EditTarget, build_outline, parse_root
from deckwright.xmlio.node import Node

_QUOTED = re.compile(r"`([^`]+)`")


class FieldRef(NamedTuple):
    """What of a thing stands somewhere: a field, or a field of a child."""

    field: str | None = None
    child: str | None = None
    number: int | None = None
    child_field: str | None = None


class FieldLocator:
    """The places of a thing in its file, and what stands there."""

    def __init__(self, outline: EntityOutline) -> None:
        """Look for the places of what an outline has."""
        self._path = outline.node.source.path
        self._outline = outline
        inside = dict(self._inside())
        starts = {place: inside.get(place) for place in (*self._ends(), *inside)}
        self._marks = sorted(starts.items(), key=lambda item: item[0])
        self._keys = [place for place, _ in self._marks]

    def mark(self, finding: Diagnostic) -> FieldRef | None:
        """Return what a finding is about, None if it is elsewhere."""
        place = finding.location
        if place is None or place.path != self._path:
            return None
        number = bisect_right(self._keys, (place.line, place.column))
        mark = self._marks[number - 1][1] if number else None
        return mark and self._named(mark, finding.message)

    def _named(self, mark: FieldRef, message: str) -> FieldRef:
        """Return what a message names: what is missing has no place of its own."""
        named = _QUOTED.findall(message)
        if mark == FieldRef():
            tags = {each.tag for each in self._outline.children}
            names = {entry.name for entry in self._outline.entries} | tags
            first = next((name for name in named if name in names), None)
            return FieldRef(None, first) if first in tags else FieldRef(first)
        if mark.child and mark.child_field is None:
            each = next(each for each in self._outline.children if each.tag == mark.child)
            names = {entry.name for entry in each.entries}
            return mark._replace(child_field=next((n for n in named if n in names), None))
        return mark

    def _ends(self) -> Iterator[tuple[int, int]]:
        """Yield where the elements end that are no part of the thing any more."""
        for node in self._outline.nodes:
            *_, last = node.walk()
            document = node.source.document
            try:
                yield _position(document.locate(last.source.ordinal + 1))
            except IndexError:
                continue

    def _inside(self) -> Iterator[tuple[tuple[int, int], FieldRef]]:
        for node in self._outline.nodes:
            yield _position(node.source.at()), FieldRef()
        for entry in self._outline.entries:
            if entry.node is not None:
                yield from _entry_positions(entry, entry.node, FieldRef(entry.name))
        for each in self._outline.children:
            for index, node in enumerate(each.nodes):
                yield _position(node.source.at()), FieldRef(None, each.tag, index)
                for entry in each.entries:
                    yield from _entry_positions(
                        entry, node, FieldRef(None, each.tag, index, entry.name)
                    )


def _entry_positions(
    entry: Entry, node: Node, mark: FieldRef
) -> Iterator[tuple[tuple[int, int], FieldRef]]:
    name = entry.attribute.name
    if node.get(name) is not None and not entry.inside:
        yield _position(node.source.at(name)), mark
    for inside in node.named(name) if entry.inside or entry.attribute.element else ():
        yield _position(inside.source.at()), mark


def _position(place: Location) -> tuple[int, int]:
    return place.line, place.column


def locate_findings(
    found: Iterable[Diagnostic],
    known: Iterable[Diagnostic],
    places: FieldLocator | None,
    folder: Path,
) -> list[dict[str, object]]:
    """Return the findings of a draft as plain data: those in it, and those that it makes elsewhere.

    Args:
        known: what is found without the draft.
    """
    before = {(each.code.id, each.message) for each in known}
    told = []
    for each in dict.fromkeys(found):
        mark = places.mark(each) if places else None
        if mark is not None or (each.code.id, each.message) not in before:
            told.append(_serialize_located(each, mark, folder))
    return sorted(told, key=lambda each: SEVERITY_ORDER.index(str(each["severity"])))


def _serialize_located(
    finding: Diagnostic, mark: FieldRef | None, folder: Path
) -> dict[str, object]:
    here = mark is not None
    mark = mark or FieldRef()
    return {
        **serialize_finding(finding, folder)._asdict(),
        "field": mark.field,
        "child": mark.child,
        "index": mark.number,
        "childField": mark.child_field,
        "here": here,
    }


def serialize_unwritable(fault: UnwritableValue) -> dict[str, object]:
    """Return as a finding why a value cannot be written."""
    return {
        "code": "",
        "severity": "error",
        "message": fault.message,
        "hint": None,
        "path": None,
        "line": 0,
        "column": 0,
        "sheet": "",
        "field": None if fault.child else fault.field,
        "child": fault.child,
        "index": fault.number,
        "childField": fault.field if fault.child else None,
        "here": True,
    }


def has_error(findings: Iterable[dict[str, object]]) -> bool:
    """Return whether one of some findings is an error."""
    return any(each["severity"] == "error" for each in findings)


_MAX_PREVIEW_CARDS = 4
"""How many cards a preview of a rule or a name shows."""


class EditPreview(NamedTuple):
    """The game as it would be, None if it could not be read, and what would be wrong."""

    game: Game | None
    findings: list[dict[str, object]]
    places: FieldLocator | None = None


def preview_edit(
    game: Game, spot: EditTarget, faults: Sequence[UnwritableValue] = ()
) -> EditPreview:
    """Return a game with the file of a thing as it is written now.

    Args:
        faults: what cannot be written.
    """
    path, data = spot.file.path, spot.file.bytes()
    findings = [serialize_unwritable(fault) for fault in faults]
    known = game.faults
    try:
        outline = build_outline(spot.thing, parse_root(path, data), game.model)
        places: FieldLocator | None = FieldLocator(outline)
    except ChoiceError:  # it is taken out
        places = None
    except GameError as error:
        return EditPreview(None, [*findings, *locate_findings(error.findings, (), None, game.path)])
    try:
        other = game.as_if({path: data})
    except GameError as error:
        return EditPreview(
            None, [*findings, *locate_findings(error.findings, (), places, game.path)]
        )
    found = locate_findings(other.faults, known, places, game.path)
    return EditPreview(other, [*findings, *found], places)


class FaceData(TypedDict):
    """A face of a draft.

    Attributes:
        hash: of its picture, None if it cannot be composed.
        unprinted: the fields that it leaves out because they have no room.
    """

    card: UserData
    side: str
    part: int
    width: float
    height: float
    hash: str | None
    unprinted: list[str]


class CardPreview(NamedTuple):
    """What cards look like: their faces, where their pictures are on these, and the findings."""

    faces: list[FaceData]
    boxes: list[BoxData]
    findings: list[Diagnostic]


def preview_cards(
    game: Game, cards: Sequence[PrintableCard], style: str | None, draft: Callable[[Face], str]
) -> CardPreview:
    """Return what cards of a game look like in a style.

    Args:
        draft: keeps a face, and returns its hash.

    Raises:
        ChoiceError: if there is no such style.
    """
    faces: list[FaceData] = []
    boxes: list[BoxData] = []
    found: list[Diagnostic] = []
    for each in cards:
        card = game.card(each.card.id, faction=each.faction_id)
        kind = each.card.kind
        has_back = back_of(game.model, each.card, each.faction_id) is not None
        for part in range(1, each.card.parts + 1):
            for back in (False, True) if has_back else (False,):
                data: FaceData = {
                    "card": serialize_user(each),
                    "side": "back" if back else "face",
                    "part": part,
                    "width": kind.width,
                    "height": kind.height,
                    "hash": None,
                    "unprinted": [],
                }
                try:
                    face = _compose(card, style, part, back=back)
                    data["hash"] = draft(face) if face else None
                except GameError as error:
                    found += error.findings
                else:
                    if face is not None:
                        data["unprinted"] = sorted(face.unprinted)
                        found += face.findings
                        boxes += picture_boxes(
                            face, each.card, game.folder.images, data["side"], part
                        )
                faces.append(data)
    return CardPreview(faces, boxes, found)


def _compose(card: Card, style: str | None, part: int, *, back: bool) -> Face | None:
    return card.back(style=style, part=part) if back else card.face(style=style, part=part)


def choose_preview_cards(game: Game, thing: EntityRef, named: object) -> list[PrintableCard]:
    """Return the cards that a preview of a thing shows.

    Args:
        named: those that a request names for it: one, or a list of some.
    """
    model = game.model
    own = thing.of == "card"
    wanted = [(thing.faction, thing.id)] if own else [*_read_card_keys(named)]
    printed = {(each.faction_id, each.card.id): each for each in model.printed() if each.faction_id}
    cards = [printed[key] for key in wanted if key in printed]
    if cards or own:
        return cards
    if thing.of == "rule":
        return find_users(model, thing.id)[:1]
    if thing.of == "faction":
        return cards_of_faction(model, thing.id)[:1]
    return [*printed.values()][:1]


def _read_card_keys(said: object) -> Iterator[tuple[str, str]]:
    for each in (said if isinstance(said, list) else [said])[:_MAX_PREVIEW_CARDS]:
        if isinstance(each, dict):
            faction, card_id = each.get("faction"), each.get("id")
            if isinstance(faction, str) and isinstance(card_id, str):
                yield faction, card_id


def computed_values(cards: Sequence[PrintableCard]) -> dict[str, str]:
    """Return the values of the fields of cards that are worked out."""
    return {
        field.name: format_value(field, each.card.fields.get(field.name))
        for each in cards
        for field in each.card.kind.fields
        if field.value is not None
    }


def require_style(game: Game, style: object) -> str | None:
    """Return a style that a request names, None for the usual one.

    Raises:
        ChoiceError: if there is none of this name.
    """
    if style is None or style == "":
        return None
    if not isinstance(style, str) or style not in game.styles:
        raise ChoiceError("there is no such style")
    return style
