"""Write XML in a canonical form, so that two versions of a file differ only in content.

The form is made from the file's own text rather than a parsed tree: comments, prefixes and
everything that prints stay as they are written.
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
    """An element to write: its tag, its attributes in order, and its children."""

    tag: str
    attributes: Mapping[str, str] = MappingProxyType({})
    children: Sequence[ElementSpec] = ()


def build_document(root: ElementSpec, namespace: str) -> bytes:
    """Return an indented document whose elements all belong to one namespace.

    Raises:
        ValueError: if an attribute has a character that XML does not allow.
    """
    root_element = _build_element(root, namespace, None)
    etree.indent(root_element)
    content: bytes = etree.tostring(root_element, xml_declaration=True, encoding="UTF-8")
    return content + b"\n"


def _build_element(
    built: ElementSpec, namespace: str, parent: etree._Element | None
) -> etree._Element:
    name = f"{{{namespace}}}{built.tag}"
    if parent is None:
        # The stubs do not allow a default namespace.
        element = etree.Element(name, dict(built.attributes), nsmap={None: namespace})  # type: ignore[dict-item]
    else:
        element = etree.SubElement(parent, name, dict(built.attributes))
    for child in built.children:
        _build_element(child, namespace, element)
    return element


DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_INDENT = "  "
_SPACE = " \t\n"
"""XML's white space once line ends are LF. A non-breaking space is text."""


class CanonicalForm(NamedTuple):
    """Formatting rules for a file's elements.

    Attributes:
        shape: the root element's; it orders the attributes and says which elements hold text.
        texts: the tags of elements that hold text, where there is no shape.
        lines: the tags of elements that share a line with their children.
    """

    shape: Shape | None = None
    texts: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()


def canonicalize(text: str, form: CanonicalForm) -> str:
    """Return the well-formed document `text`, with LF line ends, in canonical form.

    Each element starts its own indented line; an element with a single child may keep it on its
    line. Attributes follow the shape's order. The content of text elements stays as it is written,
    and so do comments: behind what they follow, or on their own line. Of several empty lines one is
    kept.
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
    """Yield elements and comments, each preceded by line breaks and indent.

    Args:
        holder: the shape of the parent element.
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
    """Return a line break and indent, with an empty line where there was one."""
    return ("\n\n" if breaks > 1 else "\n") + _INDENT * depth


def _is_space(part: str) -> bool:
    return not part.strip(_SPACE)


def _child(shape: Shape | None, tag: str) -> Shape | None:
    occurs = None if shape is None else shape.child(tag)
    return None if occurs is None else occurs.shape


def _write_element(
    element: RawElement, form: CanonicalForm, shape: Shape | None, depth: int
) -> Iterator[str]:
    """Yield an element without its leading indent."""
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
    """Return attributes in the shape's order, unknown ones last."""
    if shape is None:
        return attributes
    places = {attribute.name: place for place, attribute in enumerate(shape.attributes)}
    return sorted(attributes, key=lambda attribute: places.get(attribute[0], len(places)))


def _holds_text(element: RawElement, form: CanonicalForm, shape: Shape | None) -> bool:
    """Return whether white space in an element matters: it may or does hold text."""
    if (element.tag in form.texts) if shape is None else shape.text:
        return True
    return any(
        isinstance(part, str) and not _is_space(part) and not part.startswith(("<!--", "<?"))
        for part in element.parts
    )


def _on_one_line(element: RawElement, form: CanonicalForm) -> bool:
    """Return whether an element is written on one line with its children."""
    if any(isinstance(part, str) and not _is_space(part) for part in element.parts):
        return False
    if element.tag in form.lines:
        return True
    children = [part for part in element.parts if isinstance(part, RawElement)]
    return len(children) == 1 and not any("\n" in str(part) for part in element.parts)


def _content(text: str) -> Iterator[tuple[object, ...]]:
    """Yield a document's content, ignoring space around texts and the order of attributes."""
    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True)
    root = etree.fromstring(text.encode(), parser)
    before = list(root.itersiblings(preceding=True))
    for node in (*reversed(before), *root.iter(), *root.itersiblings()):
        texts = (node.text or "").strip(_SPACE), (node.tail or "").strip(_SPACE)
        yield node.tag, dict(node.attrib), *texts
