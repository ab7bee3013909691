"""The findings of a draft at the fields that they are about."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Diagnostic, Location
from deckwright.studio.editing.drafts import Unwritable
from deckwright.studio.editing.outline import Entry, Outline
from deckwright.studio.notices import RANKS, notice
from deckwright.xmlio.node import Node

_QUOTED = re.compile(r"`([^`]+)`")


class Mark(NamedTuple):
    """What of a thing stands somewhere: a field, or a field of a child."""

    field: str | None = None
    child: str | None = None
    number: int | None = None
    child_field: str | None = None


class Places:
    """The places of a thing in its file, and what stands there."""

    def __init__(self, outline: Outline) -> None:
        """Look for the places of what an outline has."""
        self._path = outline.node.source.path
        self._outline = outline
        inside = dict(self._inside())
        starts = {place: inside.get(place) for place in (*self._ends(), *inside)}
        self._marks = sorted(starts.items(), key=lambda item: item[0])
        self._keys = [place for place, _ in self._marks]

    def mark(self, finding: Diagnostic) -> Mark | None:
        """Return what a finding is about, None if it is elsewhere."""
        place = finding.location
        if place is None or place.path != self._path:
            return None
        number = bisect_right(self._keys, (place.line, place.column))
        mark = self._marks[number - 1][1] if number else None
        return mark and self._named(mark, finding.message)

    def _named(self, mark: Mark, message: str) -> Mark:
        """Return what a message names: what is missing has no place of its own."""
        named = _QUOTED.findall(message)
        if mark == Mark():
            tags = {each.tag for each in self._outline.children}
            names = {entry.name for entry in self._outline.entries} | tags
            first = next((name for name in named if name in names), None)
            return Mark(None, first) if first in tags else Mark(first)
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
                yield _of(document.locate(last.source.ordinal + 1))
            except IndexError:
                continue

    def _inside(self) -> Iterator[tuple[tuple[int, int], Mark]]:
        for node in self._outline.nodes:
            yield _of(node.source.at()), Mark()
        for entry in self._outline.entries:
            if entry.node is not None:
                yield from _of_entry(entry, entry.node, Mark(entry.name))
        for each in self._outline.children:
            for index, node in enumerate(each.nodes):
                yield _of(node.source.at()), Mark(None, each.tag, index)
                for entry in each.entries:
                    yield from _of_entry(entry, node, Mark(None, each.tag, index, entry.name))


def _of_entry(entry: Entry, node: Node, mark: Mark) -> Iterator[tuple[tuple[int, int], Mark]]:
    name = entry.attribute.name
    if node.get(name) is not None and not entry.inside:
        yield _of(node.source.at(name)), mark
    for inside in node.named(name) if entry.inside or entry.attribute.element else ():
        yield _of(inside.source.at()), mark


def _of(place: Location) -> tuple[int, int]:
    return place.line, place.column


def at_fields(
    found: Iterable[Diagnostic], known: Iterable[Diagnostic], places: Places | None, folder: Path
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
            told.append(_told(each, mark, folder))
    return sorted(told, key=lambda each: RANKS.index(str(each["severity"])))


def _told(finding: Diagnostic, mark: Mark | None, folder: Path) -> dict[str, object]:
    here = mark is not None
    mark = mark or Mark()
    return {
        **notice(finding, folder)._asdict(),
        "field": mark.field,
        "child": mark.child,
        "index": mark.number,
        "childField": mark.child_field,
        "here": here,
    }


def unwritten(fault: Unwritable) -> dict[str, object]:
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


def wrong(findings: Iterable[dict[str, object]]) -> bool:
    """Return whether one of some findings is an error."""
    return any(each["severity"] == "error" for each in findings)
