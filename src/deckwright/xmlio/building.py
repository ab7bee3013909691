"""Elements that programs make, written as XML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lxml import etree


class Built(NamedTuple):
    """An element: its tag, its attributes in their order, and the elements in it."""

    tag: str
    attributes: Mapping[str, str] = MappingProxyType({})
    children: Sequence[Built] = ()


def document(root: Built, namespace: str) -> bytes:
    """Return a document, indented, all of whose elements are of one namespace.

    Raises:
        ValueError: if an attribute holds a character that XML cannot.
    """
    made = _made(root, namespace, None)
    etree.indent(made)
    written: bytes = etree.tostring(made, xml_declaration=True, encoding="UTF-8")
    return written + b"\n"


def _made(built: Built, namespace: str, parent: etree._Element | None) -> etree._Element:
    name = f"{{{namespace}}}{built.tag}"
    if parent is None:
        # The stubs know no namespace without a prefix.
        made = etree.Element(name, dict(built.attributes), nsmap={None: namespace})  # type: ignore[dict-item]
    else:
        made = etree.SubElement(parent, name, dict(built.attributes))
    for child in built.children:
        _made(child, namespace, made)
    return made
