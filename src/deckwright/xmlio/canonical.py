"""Write XML in one canonical form, so that two versions of a file differ only where they say so.

The form is made of the file's own text, not of a tree of it: comments, prefixes and all that
prints stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lxml import etree

from deckwright.base.strings import quote_attribute
from deckwright.xmlio.shape import Occurs, Shape
from deckwright.xmlio.xml_text import RawElement, parse_elements


class ElementSpec(NamedTuple):
    """An element: its tag, its attributes in their order, and the elements in it."""

    tag: str
    attributes: Mapping[str, str] = MappingProxyType({})
    children: Sequence[ElementSpec] = ()


def build_document(root: ElementSpec, namespace: str) -> bytes:
    """Return a document, indented, all of whose elements are of one namespace.

    Raises:
        ValueError: if an attribute holds a character that XML cannot.
    """
    made = _build_element(root, namespace, None)
    etree.indent(made)
    written: bytes = etree.tostring(made, xml_declaration=True, encoding="UTF-8")
    return written + b"\n"


def _build_element(
    built: ElementSpec, namespace: str, parent: etree._Element | None
) -> etree._Element:
    name = f"{{{namespace}}}{built.tag}"
    if parent is None:
        # The stubs know no namespace without a prefix.
        made = etree.Element(name, dict(built.attributes), nsmap={None: namespace})  # type: ignore[dict-item]
    else:
        made = etree.SubElement(parent, name, dict(built.attributes))
    for child in built.children:
        _build_element(child, namespace, made)
    return made


DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_INDENT = "  "
_SPACE = " \t\n"
"""What XML takes for space, once lines end with LF. A non-breaking space is text."""


class CanonicalForm(NamedTuple):
    """What is known of a file's elements.

    Attributes:
        shape: that of the root element; it orders the attributes and says what holds text.
        texts: the tags of elements that hold text, where there is no shape.
        lines: the tags of elements that stand on one line with the elements in them.
    """

    shape: Shape | None = None
    texts: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()


def canonicalize(text: str, form: CanonicalForm) -> str:
    """Return the well-formed document `text`, whose lines end with LF, in its canonical form.

    Each element stands on a line of its own and is indented; an element with one other in it may
    stand on one line with that, where it was written so. Attributes are in the shape's order. What
    is inside of an element that holds text stays as it is written, and so do comments: on the line
    of what they follow, or on their own. Where there were empty lines, one is left.
    """
    parts = parse_elements(text).parts
    if isinstance(parts[0], str) and (_is_space(parts[0]) or re.match(r"<\?xml\s", parts[0])):
        del parts[0]
    document = None if form.shape is None else Shape("", (), (Occurs(form.shape),))
    result = "".join([DECLARATION, *_write_parts(parts, form, document, 0), "\n"])
    if list(_content(text)) != list(_content(result)):
        raise AssertionError("the canonical form does not say what the file says")
    return result


def _write_parts(
    parts: list[RawElement | str], form: CanonicalForm, holder: Shape | None, depth: int
) -> Iterator[str]:
    """Yield elements and comments, each with the line breaks and the indent before it.

    Args:
        holder: the shape of the element that holds the parts.
    """
    breaks = 0
    begins = depth == 0
    for part in parts:
        if isinstance(part, str) and _is_space(part):
            breaks += part.count("\n")
            continue
        if isinstance(part, str) and breaks == 0 and not begins:
            yield f" {part}"
        else:
            yield _new_line(breaks, depth)
            if isinstance(part, str):
                yield part
            else:
                yield from _write_element(part, form, _child(holder, part.tag), depth)
        breaks, begins = 0, False
    if depth:
        yield _new_line(breaks, depth - 1)


def _new_line(breaks: int, depth: int) -> str:
    """Return the beginning of a line, with an empty line before it where there was one."""
    return ("\n\n" if breaks > 1 else "\n") + _INDENT * depth


def _is_space(part: str) -> bool:
    return not part.strip(_SPACE)


def _child(shape: Shape | None, tag: str) -> Shape | None:
    occurs = None if shape is None else shape.child(tag)
    return None if occurs is None else occurs.shape


def _write_element(
    element: RawElement, form: CanonicalForm, shape: Shape | None, depth: int
) -> Iterator[str]:
    """Yield an element, without the indent before it."""
    yield f"<{element.tag}"
    for name, value in _in_order(element.attributes, shape):
        yield f" {name}={quote_attribute(value, chr(34))}"
    if all(isinstance(part, str) and _is_space(part) for part in element.parts):
        yield "/>"
        return
    yield ">"
    if _holds_text(element, form, shape):
        yield from map(str, element.parts)
    elif depth and _on_one_line(element, form):
        for part in element.parts:
            if isinstance(part, RawElement):
                yield from _write_element(part, form, _child(shape, part.tag), depth + 1)
    else:
        yield from _write_parts(element.parts, form, shape, depth + 1)
    yield f"</{element.tag}>"


def _in_order(attributes: list[tuple[str, str]], shape: Shape | None) -> list[tuple[str, str]]:
    """Return attributes in the order of the shape; those that it does not know come last."""
    if shape is None:
        return attributes
    places = {attribute.name: place for place, attribute in enumerate(shape.attributes)}
    return sorted(attributes, key=lambda attribute: places.get(attribute[0], len(places)))


def _holds_text(element: RawElement, form: CanonicalForm, shape: Shape | None) -> bool:
    """Return whether space in an element may print: it is to hold text, or does so."""
    if (element.tag in form.texts) if shape is None else shape.text:
        return True
    return any(
        isinstance(part, str) and not _is_space(part) and not part.startswith(("<!--", "<?"))
        for part in element.parts
    )


def _on_one_line(element: RawElement, form: CanonicalForm) -> bool:
    """Return whether an element is to stand on one line with the elements in it."""
    if any(isinstance(part, str) and not _is_space(part) for part in element.parts):
        return False
    if element.tag in form.lines:
        return True
    children = [part for part in element.parts if isinstance(part, RawElement)]
    return len(children) == 1 and not any("\n" in str(part) for part in element.parts)


def _content(text: str) -> Iterator[tuple[object, ...]]:
    """Yield what a document says, but for space around texts and the order of attributes."""
    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True)
    root = etree.fromstring(text.encode(), parser)
    before = list(root.itersiblings(preceding=True))
    for node in (*reversed(before), *root.iter(), *root.itersiblings()):
        texts = (node.text or "").strip(_SPACE), (node.tail or "").strip(_SPACE)
        yield node.tag, dict(node.attrib), *texts
