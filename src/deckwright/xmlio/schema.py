"""Make an XML Schema of a shape, for editors."""

from __future__ import annotations

from lxml import etree

from deckwright.base.colors import NAMED_COLORS
from deckwright.xmlio.shape import Attribute, Occurs, Shape, Value

_XS = "http://www.w3.org/2001/XMLSchema"
_MOST_COUNTED = 12
"""The largest bound that a schema tells: libxml2 makes as many copies of what is bounded."""


def build_schema(shape: Shape) -> etree._Element:
    """Return the schema document for files whose root element has the shape `shape`.

    Children stand in any order, so the schema bounds their number only where a single kind of
    child is allowed, and only where the bound is small; `validate` sees to the rest.
    """
    return _Builder().build(shape)


def schema_bytes(shape: Shape) -> bytes:
    """Return the schema for `shape` as an indented file."""
    schema = build_schema(shape)
    etree.indent(schema)
    result: bytes = etree.tostring(schema, xml_declaration=True, encoding="UTF-8")
    return result + b"\n"


def _xs(name: str) -> str:
    return f"{{{_XS}}}{name}"


def _add(parent: etree._Element, name: str, /, **attributes: str) -> etree._Element:
    return etree.SubElement(parent, _xs(name), attributes)


def _document(parent: etree._Element, text: str) -> None:
    if text:
        _add(_add(parent, "annotation"), "documentation").text = text


class _Builder:
    """Builds one schema; what attributes may hold becomes a named type, once each."""

    def __init__(self) -> None:
        self._schema = etree.Element(_xs("schema"), nsmap={"xs": _XS})
        self._types: dict[Value, str] = {}
        self._shared: dict[Shape, str] = {}

    def build(self, shape: Shape) -> etree._Element:
        """Return the schema for a root element of the shape `shape`."""
        self._shared = _shared(shape)
        self._element(self._schema, Occurs(shape, 1, 1), root=True)
        return self._schema

    def _element(self, parent: etree._Element, occurs: Occurs, *, root: bool = False) -> None:
        shape = occurs.shape
        element = _add(parent, "element", name=shape.tag)
        if not root:
            element.set("minOccurs", str(occurs.minimum))
            bounded = occurs.maximum <= _MOST_COUNTED
            element.set("maxOccurs", str(occurs.maximum) if bounded else "unbounded")
        _document(element, shape.meaning)
        name = self._shared.get(_content_of(shape))
        if name is None:
            self._content(_add(element, "complexType"), shape)
        else:
            element.set("type", name)
            if self._schema.find(f"{_xs('complexType')}[@name='{name}']") is None:
                self._content(_add(self._schema, "complexType", name=name), shape)
        for tag, attribute_name in shape.unique:
            unique = _add(element, "unique", name=f"one-{tag}-by-{attribute_name}")
            _add(unique, "selector", xpath=tag)
            _add(unique, "field", xpath=f"@{attribute_name}")

    def _content(self, complex_type: etree._Element, shape: Shape) -> None:
        """Write what a shape may hold, and its attributes."""
        if shape.text:
            complex_type.set("mixed", "true")
        if len(shape.children) == 1:
            self._element(_add(complex_type, "sequence"), shape.children[0])
        elif shape.children:
            choice = _add(complex_type, "choice", minOccurs="0", maxOccurs="unbounded")
            for child in shape.children:
                self._element(choice, Occurs(child.shape, 1, 1))
        for attribute in shape.attributes:
            self._attribute(complex_type, attribute)
        if shape.free is not None:
            _add(complex_type, "anyAttribute", processContents="skip")

    def _attribute(self, parent: etree._Element, attribute: Attribute) -> None:
        element = _add(parent, "attribute", name=attribute.name, type=self._type(attribute.value))
        if attribute.required and attribute.unless is None and not attribute.element:
            element.set("use", "required")
        _document(element, attribute.meaning)

    def _type(self, value: Value) -> str:
        """Return the name of the type for `value`, defined on first use."""
        if value not in self._types:
            self._types[value] = name = f"{value.kind}{len(self._types) + 1}"
            _fill(_add(self._schema, "simpleType", name=name), value)
        return self._types[value]


def _content_of(shape: Shape) -> Shape:
    """Return a shape that is the same for all elements that hold the same."""
    return Shape("", shape.attributes, shape.children, shape.free, shape.text)


def _shared(root: Shape) -> dict[Shape, str]:
    """Return names for the types of elements that hold the same as others, by their content."""
    seen: set[Shape] = set()
    names: dict[Shape, str] = {}

    def walk(shape: Shape) -> None:
        content = _content_of(shape)
        if content in seen:
            if shape.children:
                names.setdefault(content, f"{shape.tag}-type{len(names) + 1}")
            return
        seen.add(content)
        for child in shape.children:
            walk(child.shape)

    walk(root)
    return names


def _fill(simple: etree._Element, value: Value) -> None:
    if value.kind in {"integer", "decimal"}:
        restriction = _add(simple, "restriction", base=f"xs:{value.kind}")
        _add(restriction, "minInclusive", value=str(value.minimum))
        _add(restriction, "maxInclusive", value=str(value.maximum))
    elif value.kind == "term":
        restriction = _add(simple, "restriction", base="xs:string")
        for term, meaning in value.terms:
            _document(_add(restriction, "enumeration", value=term), meaning)
    elif value.kind == "color":
        union = _add(simple, "union")
        names = _add(_add(union, "simpleType"), "restriction", base="xs:string")
        for name in (*NAMED_COLORS, *(term for term, _ in value.terms)):
            _add(names, "enumeration", value=name)
        code = _add(_add(union, "simpleType"), "restriction", base="xs:string")
        _add(code, "pattern", value="#[0-9a-fA-F]{6}")
    else:
        restriction = _add(simple, "restriction", base="xs:string")
        if value.pattern is not None:
            _add(restriction, "pattern", value=value.pattern.replace("(?:", "("))
