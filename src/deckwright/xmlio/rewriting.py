"""What is done to elements of XML files as they are written: values, children, new ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from deckwright.xmlio.inline import as_inside
from deckwright.xmlio.shape import Attribute
from deckwright.xmlio.xml_text import Element, XmlFile, elements_of, new_element


def say(element: Element, attribute: Attribute, value: str | None, order: Sequence[str]) -> None:
    """Let an element say another value, or none: in its attribute, or in the element for that.

    Args:
        order: the names of attributes as they are written.
    """
    inside = element.children(attribute.name) if attribute.element else []
    if inside and value is not None and not _has(element, attribute.name):
        fill(inside[0], as_inside(value))
        return
    for each in inside:
        element.remove(each)
    if inside:
        element.close()
    element.set(attribute.name, value, order)


def _has(element: Element, name: str) -> bool:
    return any(known == name for known, _ in element.attributes)


def fill(element: Element, inside: str) -> None:
    """Put other XML between the tags of an element."""
    filled = elements_of(f"<{element.tag}>{inside}</{element.tag}>").children()[0]
    if not element.tail:
        element.head = f"{element.head[:-2].rstrip()}>"
    element.parts, element.tail = filled.parts, f"</{element.tag}>"


def arrange(
    file: XmlFile, element: Element, tag: str, wanted: Sequence[Element], earlier: Collection[str]
) -> None:
    """Let an element have just these children of a tag, in this order.

    Args:
        wanted: those that it has already stay as they are written.
        earlier: the tags of the children that stand before the first one of this tag.
    """
    old = element.children(tag)
    known, stays = {id(child) for child in old}, {id(child) for child in wanted}
    for child in old:
        if id(child) not in stays:
            element.remove(child)
    kept = [child for child in wanted if id(child) in known]
    places = [at for at, part in enumerate(element.parts) if id(part) in stays]
    for at, child in zip(places, kept, strict=True):
        element.parts[at] = child
    outer, step = file.lead(element, file.holder(element)), file.step
    first = kept[0] if kept else None
    before = element.children(*earlier) if earlier else []
    last = None if kept or not before else before[-1]
    for child in wanted:
        if id(child) not in known:
            element.insert(child, outer, step, after=last, before=None if last else first)
        last = child
    element.close()


def add(
    file: XmlFile,
    holder: Element,
    tag: str,
    attributes: Mapping[str, str],
    inside: Sequence[Element] = (),
    after: Element | None = None,
) -> Element:
    """Put a new element into one of a file; return it.

    Args:
        after: behind which it stands, None for the last one of its tag.
    """
    after = after or holder.last(tag)
    outer, step = file.lead(holder, file.holder(holder)), file.step
    lead = file.lead(after, holder) if after else outer + step if outer else ""
    element = new_element(tag, attributes, inside, lead, step)
    holder.insert(element, outer, step, after=after)
    return element


def add_copy(file: XmlFile, holder: Element, of: Element, after: Element | None = None) -> Element:
    """Put a copy of an element behind it, or behind another one; return the copy."""
    element = elements_of(str(of)).children()[0]
    outer = file.lead(holder, file.holder(holder))
    holder.insert(element, outer, file.step, after=after or of)
    return element
