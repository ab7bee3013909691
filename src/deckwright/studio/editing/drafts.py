"""Drafts: what the page sends, and how it is written into the text of a file."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deckwright.base.findings import ChoiceError
from deckwright.base.strings import escape_text
from deckwright.studio.answers import fingerprint_of
from deckwright.studio.editing.outlines import ChildOutline, Entry
from deckwright.studio.editing.targets import EditTarget
from deckwright.xmlio.load import MAX_VALUE
from deckwright.xmlio.xml_text import (
    RawElement,
    XmlFile,
    add_element,
    new_element,
    replace_content,
    set_children,
    set_value,
)

_INVALID_XML_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that no XML file can have."""

Values = Mapping[str, str | None]


class ChildItem(NamedTuple):
    """A child as the page wants it.

    Attributes:
        before: which of the children that there are it is, from 0; None for a new one.
    """

    before: int | None
    values: Values


class EntityDraft(NamedTuple):
    """What the page wants a thing to say; what it does not name stays."""

    values: Values
    children: Mapping[str, Sequence[ChildItem]]


class UnwritableValue(NamedTuple):
    """A value that cannot be written."""

    message: str
    field: str | None
    child: str | None = None
    number: int | None = None


def parse_draft(said: Mapping[str, object]) -> EntityDraft:
    """Return the draft that a request brings.

    Raises:
        ChoiceError: if it is none.
    """
    listed = _parse_object(said.get("children"))
    children = {}
    for tag, items in listed.items():
        if not isinstance(items, list):
            raise _invalid_draft()
        children[tag] = [_parse_item(item) for item in items]
    return EntityDraft(_parse_values(said.get("values")), children)


def _parse_item(said: object) -> ChildItem:
    if not isinstance(said, dict):
        raise _invalid_draft()
    before = said.get("from")
    if before is not None and (not isinstance(before, int) or isinstance(before, bool)):
        raise _invalid_draft()
    return ChildItem(before, _parse_values(said.get("values")))


def _parse_values(said: object) -> Values:
    values: dict[str, str | None] = {}
    for name, value in _parse_object(said).items():
        if value is not None and not isinstance(value, str):
            raise _invalid_draft()
        values[name] = value
    return values


def _parse_object(said: object) -> dict[str, object]:
    if said is None:
        return {}
    if not isinstance(said, dict):
        raise _invalid_draft()
    return said


def _invalid_draft() -> ChoiceError:
    return ChoiceError("this is no draft", "values are texts or null, children are lists")


def write_draft(draft: EntityDraft, spot: EditTarget) -> list[UnwritableValue]:
    """Write a draft into the text of its file; return what of it cannot be written.

    Raises:
        ChoiceError: if it names what the thing does not have.
    """
    entries = {entry.name: entry for entry in spot.outline.entries}
    faults: list[UnwritableValue] = []
    for name, text in draft.values.items():
        entry = entries.get(name)
        if entry is None or entry.fixed is not None or entry.node is None:
            raise ChoiceError(f"`{name}` is nothing that can be changed here")
        fault = find_unwritable(text, name)
        if fault is not None:
            faults.append(fault)
            continue
        before = entry.value()
        value = entry.cleaned(text, before)
        if value != before:
            _write_entry(spot.file, entry, value, spot.outline.order)
    children = {each.tag: each for each in spot.outline.children}
    for tag, items in draft.children.items():
        if tag not in children:
            raise ChoiceError(f"`{tag}` is nothing that can be changed here")
        faults += _write_children(items, children[tag], spot)
    return faults


def find_unwritable(text: str | None, name: str) -> UnwritableValue | None:
    """Return why a value cannot be written, None if it can."""
    if text and len(text) > MAX_VALUE:
        return UnwritableValue(f"`{name}` has more than {MAX_VALUE:,} characters", name)
    if text and (found := _INVALID_XML_CHARACTER.search(text)):
        said = f"U+{ord(found[0]):04X}"
        return UnwritableValue(f"`{name}` has the character {said}, which no file can have", name)
    return None


def _write_entry(file: XmlFile, entry: Entry, value: str | None, order: Sequence[str]) -> None:
    assert entry.node is not None
    element = file.elements[entry.node.source.ordinal]
    if not entry.inside:
        set_value(element, entry.attribute, value, order)
        return
    name = entry.attribute.name
    inside = element.children(name)
    if value is None:
        for each in inside:
            element.remove(each)
        element.close()
    else:
        replace_content(
            inside[0] if inside else add_element(file, element, name, {}), escape_text(value)
        )


def _write_children(
    items: Sequence[ChildItem], children: ChildOutline, spot: EditTarget
) -> list[UnwritableValue]:
    """Let a thing have other children of a tag; those that stay the same are not touched."""
    if len(items) > children.maximum:
        raise ChoiceError(f"there may be at most {children.maximum} `{children.tag}`")
    element = spot.file.elements[spot.outline.node.source.ordinal]
    old = [spot.file.elements[node.source.ordinal] for node in children.nodes]
    entries = {entry.name: entry for entry in children.entries}
    wanted: list[RawElement] = []
    faults: list[UnwritableValue] = []
    for index, item in enumerate(items):
        values: dict[str, str | None] = {}
        for name, text in item.values.items():
            if name not in entries:
                raise ChoiceError(f"`{children.tag}` has no `{name}`")
            fault = find_unwritable(text, name)
            if fault is None:
                values[name] = text
            else:
                faults.append(fault._replace(child=children.tag, number=index))
        if item.before is None:
            wanted.append(_new_child(values, children))
            continue
        if not 0 <= item.before < len(old) or old[item.before] in wanted:
            raise ChoiceError(f"`{children.tag}` number {item.before} is not there, or twice")
        wanted.append(old[item.before])
        _update_child(wanted[-1], values, children, item.before)
    if wanted != old:
        set_children(spot.file, element, children.tag, wanted, children.earlier)
    return faults


def _new_child(values: Values, children: ChildOutline) -> RawElement:
    said = {
        entry.name: value
        for entry in children.entries
        if (value := entry.cleaned(values.get(entry.name), None)) is not None
    }
    return new_element(children.tag, {name: said[name] for name in children.order if name in said})


def _update_child(element: RawElement, values: Values, children: ChildOutline, number: int) -> None:
    """Let a child say other values; what is ignored goes where its first value changes."""
    node = children.nodes[number]
    for place, entry in enumerate(children.entries):
        if entry.name not in values:
            continue
        before = entry.value(node)
        value = entry.cleaned(values[entry.name], before)
        if value == before:
            continue
        set_value(element, entry.attribute, value, children.order)
        if not place:
            known = {each.name for each in children.entries}
            for name in children.order:
                if name not in known:
                    element.set(name, None, children.order)


NOTHING_TO_RESTORE = ChoiceError("this brings nothing back")


class Undo(NamedTuple):
    """What makes of a file what it held before something was taken out.

    Attributes:
        state: what tells the file without it from any other state.
        at: from which byte on it differed.
        length: how many bytes stand there now.
        former: what stood there.
    """

    state: str
    at: int
    length: int
    former: bytes

    def told(self) -> dict[str, object]:
        """Return it as the page keeps it."""
        return {**self._asdict(), "former": base64.b64encode(self.former).decode()}

    def applied(self, now: bytes) -> bytes:
        """Return what a file in the state that this is for held before."""
        return now[: self.at] + self.former + now[self.at + self.length :]


def make_undo(before: bytes, after: bytes) -> Undo:
    """Return what makes one content of the other again."""
    at = _common_prefix_length(before, after)
    rest, others = before[at:], after[at:]
    same = _common_prefix_length(rest[::-1], others[::-1])
    return Undo(fingerprint_of(after), at, len(others) - same, rest[: len(rest) - same])


def _common_prefix_length(one: bytes, other: bytes) -> int:
    """Return how many first bytes both have in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def parse_undo(said: object) -> Undo:
    """Return what a page has kept.

    Raises:
        ChoiceError: if it is nothing of that sort.
    """
    given = said if isinstance(said, dict) else {}
    state, former = given.get("state"), given.get("former")
    at, length = given.get("at"), given.get("length")
    known = isinstance(state, str) and isinstance(former, str)
    if not known or not isinstance(at, int) or not isinstance(length, int) or min(at, length) < 0:
        raise NOTHING_TO_RESTORE
    try:
        return Undo(str(state), at, length, base64.b64decode(str(former), validate=True))
    except ValueError:
        raise NOTHING_TO_RESTORE from None


def remove_element(file: XmlFile, ordinal: int) -> None:
    """Take an element out of a file, by its number there."""
    element = file.elements[ordinal]
    holder = file.holder(element)
    holder.remove(element)
    holder.close()
