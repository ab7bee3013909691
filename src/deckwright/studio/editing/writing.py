"""Writing drafts of edits into the XML text of a file, or into the row of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deckwright.base.findings import ChoiceError
from deckwright.base.parsing import INVALID_XML_CHARACTER
from deckwright.base.strings import escape_text
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.studio.drafts import ChildItem, EntityDraft
from deckwright.studio.editing.cells import TableFile
from deckwright.studio.editing.outlines import ChildOutline
from deckwright.studio.editing.targets import EditTarget, read_table, write_targets
from deckwright.tables.rows import find_misread, row_element
from deckwright.xmlio.load import MAX_VALUE
from deckwright.xmlio.xml_text import (
    RawElement,
    add_element,
    new_element,
    replace_content,
    set_children,
    set_value,
)


class UnwritableValue(NamedTuple):
    """A value that cannot be written to its file.

    Attributes:
        field, child, number: its field; for a child, also its tag and its index.
        target: the index of the entity among those that are edited together.
    """

    message: str
    field: str | None
    child: str | None = None
    number: int | None = None
    target: int = 0


def write_draft(draft: EntityDraft, target: EditTarget) -> list[UnwritableValue]:
    """Write a draft into the text of its file; return the values that cannot be written.

    Raises:
        ChoiceError: if it names attributes or children that the entity cannot have.
    """
    entries = {entry.name: entry for entry in target.outline.entries}
    faults: list[UnwritableValue] = []
    for name, text in draft.values.items():
        entry = entries.get(name)
        if entry is None or entry.fixed_value is not None or entry.node is None:
            raise ChoiceError(f"`{name}` cannot be changed here")
        error = find_unwritable(text, name)
        if error is not None:
            faults.append(error)
            continue
        before = entry.value()
        value = entry.clean(text, before)
        if value != before:
            element = target.file.elements[entry.node.source.ordinal]
            tag = entry.attribute.name
            inside = element.children(tag) if entry.in_child else ()
            if not entry.in_child:
                set_value(element, entry.attribute, value, target.outline.order)
            elif value is None:
                for each in inside:
                    element.remove(each)
                element.close()
            else:
                holder = inside[0] if inside else add_element(target.file, element, tag, {})
                replace_content(holder, escape_text(value))
    children = {each.tag: each for each in target.outline.children}
    for tag, items in draft.children.items():
        if tag not in children:
            raise ChoiceError(f"`{tag}` cannot be changed here")
        faults += _write_children(items, children[tag], target)
    return faults


def check_rows(
    targets: Sequence[EditTarget], game: Game, folder: GameFolder
) -> tuple[list[EditTarget], list[UnwritableValue]]:
    """Return the entities, with the ids that edited rows give them, and the unwritable values."""
    files = {n: each.file for n, each in enumerate(targets) if isinstance(each.file, TableFile)}
    faults: list[UnwritableValue] = []
    for number, file in files.items():
        texts = "".join((file.changed_texts() or {}).values())
        try:
            texts.encode("cp1252" if file.row.head.grid.encoding == "Windows-1252" else "utf-8")
        except UnicodeEncodeError as error:
            message = f"{file.path.name} is in Windows-1252, which has no `{texts[error.start]}`"
            fault = UnwritableValue(f"{message}: save it as CSV UTF-8 first", None, target=number)
            faults.append(fault)
    if faults or not files:
        return [*targets], faults
    places = {(file.path, file.row.head.grid.title, file.number): n for n, file in files.items()}
    edited, found = [*targets], set[int]()
    for path, data in write_targets([targets[n] for n in files]).items():
        contents = read_table(path, data, game, folder)
        for node in contents.cards.children:
            row = contents.rows[node.source.ordinal]
            at = places.get((path, row.head.grid.title, row.number))
            wanted = None if at is None else files[at].root.first()
            if at is None or wanted is None:
                continue
            found.add(at)
            entity = targets[at].entity._replace(id=node.get("id") or "")
            edited[at] = edited[at]._replace(entity=entity)
            faults += (
                UnwritableValue(
                    "its column in the table cannot hold this",
                    column.title,
                    column.items and column.items.shape.tag,
                    target=at,
                )
                for column in find_misread(row, wanted, row_element(row, node))
            )
    nameless = "a row without a name is not a card"
    faults += (UnwritableValue(nameless, "name", target=n) for n in files.keys() - found)
    return edited, faults


def find_unwritable(text: str | None, name: str) -> UnwritableValue | None:
    """Return the error if a value cannot be written, else None."""
    if text and len(text) > MAX_VALUE:
        return UnwritableValue(f"`{name}` has more than {MAX_VALUE:,} characters", name)
    if text and (match := INVALID_XML_CHARACTER.search(text)):
        character = f"U+{ord(match[0]):04X}"
        message = f"`{name}` has the character {character}, which XML does not allow"
        return UnwritableValue(message, name)
    return None


def _write_children(
    items: Sequence[ChildItem], children: ChildOutline, target: EditTarget
) -> list[UnwritableValue]:
    """Replace an entity's children of a tag, leaving unchanged ones untouched."""
    if len(items) > children.maximum:
        raise ChoiceError(f"there may be at most {children.maximum} `{children.tag}`")
    element = target.file.elements[target.outline.node.source.ordinal]
    old = [target.file.elements[node.source.ordinal] for node in children.nodes]
    entries = {entry.name: entry for entry in children.entries}
    elements: list[RawElement] = []
    faults: list[UnwritableValue] = []
    for index, item in enumerate(items):
        values: dict[str, str | None] = {}
        for name, text in item.values.items():
            if name not in entries:
                raise ChoiceError(f"`{children.tag}` has no `{name}`")
            error = find_unwritable(text, name)
            if error is None:
                values[name] = text
            else:
                faults.append(error._replace(child=children.tag, number=index))
        if item.from_ is None:
            attributes = {
                name: value
                for name, entry in entries.items()
                if (value := entry.clean(values.get(name), None)) is not None
            }
            ordered = {name: attributes[name] for name in children.order if name in attributes}
            elements.append(new_element(children.tag, ordered))
            continue
        if not 0 <= item.from_ < len(old) or old[item.from_] in elements:
            raise ChoiceError(f"`{children.tag}` number {item.from_} is not there, or twice")
        child, node = old[item.from_], children.nodes[item.from_]
        elements.append(child)
        for place, (name, entry) in enumerate(entries.items()):
            before = entry.value(node)
            value = entry.clean(values[name], before) if name in values else before
            if value == before:
                continue
            set_value(child, entry.attribute, value, children.order)
            if not place:  # drop the ignored attributes, which belong to its former value
                for other in children.order:
                    if other not in entries:
                        child.set(other, None, children.order)
    if elements != old:
        set_children(target.file, element, children.tag, elements, children.earlier)
    return faults
