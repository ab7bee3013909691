"""Write XML in a canonical form, so that two versions of a file differ only in content.

The form is made from the file's own text rather than a parsed tree: comments, prefixes and
everything that prints stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

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

    def build(spec: ElementSpec) -> etree._Element:
        names: dict[Any, str] = {None: namespace}
        built = etree.Element(f"{{{namespace}}}{spec.tag}", dict(spec.attributes), nsmap=names)
        built.extend(map(build, spec.children))
        return built

    whole = build(root)
    etree.indent(whole)
    content: bytes = etree.tostring(whole, xml_declaration=True, encoding="UTF-8")
    return content + b"\n"


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
    """Yield the elements and comments in a holder, each preceded by line breaks and indent."""
    breaks, begins = 0, depth == 0
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
    attributes = element.attributes
    if shape is not None:
        places = {attribute.name: place for place, attribute in enumerate(shape.attributes)}
        attributes.sort(key=lambda attribute: places.get(attribute[0], len(places)))
    yield f"<{element.tag}"
    for name, value in attributes:
        yield f" {name}={quote_attribute(value, chr(34))}"
    children = [part for part in element.parts if isinstance(part, RawElement)]
    texts = [part for part in element.parts if isinstance(part, str) and not _is_space(part)]
    if not children and not texts:
        yield "/>"
        return
    yield ">"
    # White space matters in an element that may or does hold text.
    may_hold_text = element.tag in form.texts if shape is None else shape.text
    alone = len(children) == 1 and not any("\n" in str(part) for part in element.parts)
    if may_hold_text or not all(text.startswith(("<!--", "<?")) for text in texts):
        yield from map(str, element.parts)
    elif depth and not texts and (alone or element.tag in form.lines):
        for child in children:
            yield from _write_element(child, form, _child(shape, child.tag), depth + 1)
    else:
        yield from _write_parts(element.parts, form, shape, depth + 1)
    yield f"</{element.tag}>"


def _content(text: str) -> Iterator[tuple[object, ...]]:
    """Yield a document's content, ignoring space around texts and the order of attributes."""
    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True)
    root = etree.fromstring(text.encode(), parser)
    before = list(root.itersiblings(preceding=True))
    for node in (*reversed(before), *root.iter(), *root.itersiblings()):
        texts = (node.text or "").strip(_SPACE), (node.tail or "").strip(_SPACE)
        yield node.tag, dict(node.attrib), *texts
