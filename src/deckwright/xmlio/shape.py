"""The shapes of XML files: elements, attributes, inline text; XML Schemas made from them."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from deckwright.base.colors import NAMED_COLORS
from deckwright.base.files import make_unique
from deckwright.base.findings import Code
from deckwright.base.strings import escape_text, quote_attribute
from deckwright.xmlio.node import Node, Source

UNBOUNDED = 1 << 30
"""The `maximum` of an element that may occur any number of times."""

Terms = tuple[tuple[str, str], ...]
"""Allowed words with their meanings."""

_NUMBERS = {"integer": r"[+-]?[0-9]{1,9}", "decimal": r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,6})?"}


class Value(NamedTuple):
    """The values that an attribute may have.

    Attributes:
        kind: "text", "integer", "decimal", "term" (one of `terms`), "color" or "list".
        minimum, maximum: bounds of a number.
        pattern: a regular expression (of XSD and Python alike) that a text must match.
        terms: the allowed words with their meanings; for a color, additional color names.
        words: the description, where the default one is not good enough.
        code: the code of findings about it, where it is not S004.
        aliases: words that people try, with the terms they should use, for hints.
        item, separator: a list's kind of items, and the text between them.
    """

    kind: str = "text"
    minimum: float = 0
    maximum: float = 9999
    pattern: str | None = None
    terms: Terms = ()
    words: str = ""
    code: Code | None = None
    aliases: Terms = ()
    item: Value | None = None
    separator: str = ","

    def accepts(self, text: str) -> bool:
        """Return whether `text` is a valid value."""
        if self.kind in _NUMBERS:
            text = text.strip(" \t\r\n")
            if not re.fullmatch(_NUMBERS[self.kind], text):
                return False
            return self.minimum <= float(text) <= self.maximum
        if self.kind == "term":
            return any(text == term for term, _ in self.terms)
        if self.kind == "color":
            own = any(text == term for term, _ in self.terms)
            return own or text in NAMED_COLORS or bool(re.fullmatch("#[0-9a-fA-F]{6}", text))
        if self.item is not None:
            return all(map(self.item.accepts, self.split(text)))
        return self.pattern is None or re.fullmatch(self.pattern, text) is not None

    @property
    def joiner(self) -> str:
        """The text to write between the items of a list."""
        return f"{self.separator} " if self.separator in {",", ";"} else self.separator

    def split(self, text: str) -> list[str]:
        """Return the items of a list; empty ones are skipped."""
        return [part for item in text.split(self.separator) if (part := item.strip())]

    @property
    def description(self) -> str:
        """A description of valid values for messages: "a whole number from 1 to 5"."""
        if self.words:
            return self.words
        if self.item is not None:
            return f"a list with `{self.separator}` between its parts, each {self.item.description}"
        if self.kind in _NUMBERS and self.maximum >= INTEGER_CAP:
            return f"{self._number}, at least {self.minimum}"
        if self.kind in _NUMBERS:
            return f"{self._number} from {self.minimum} to {self.maximum}"
        if self.kind == "term":
            return "one of " + ", ".join(f"`{term}`" for term, _ in self.terms)
        names = "a color, as `#rrggbb` or as a CSS or LaTeX name"
        return names if self.kind == "color" else "a text"

    def describe_for(self, text: str) -> str:
        """Return a description of valid values that shows what is wrong with `text`."""
        number = re.fullmatch(r"\s*\+?[0-9]+(?:\.[0-9]+)?\s*", text)
        if self.kind in _NUMBERS and number and float(text) > self.maximum:
            return f"{self._number} from {self.minimum} to {self.maximum}"
        return self.description

    @property
    def _number(self) -> str:
        return "a whole number" if self.kind == "integer" else "a number"


INTEGER_CAP = 9999
"""The largest number of countable things, such as faces, columns and turns."""
MAX_NUMBER = 999_999_999
"""The largest number that is accepted at all."""

TEXT = Value()
NAME = Value(pattern=r"[\s\S]*\S[\s\S]*", words="a text that is not empty")
ID = Value(pattern=r"[^\s]+", words="an id without spaces")
COLOR = Value(kind="color")
YES_NO = Value(
    kind="term",
    terms=(("true", ""), ("false", "")),
    words="`true` or `false`",
    aliases=(("yes", "true"), ("1", "true"), ("no", "false"), ("0", "false")),
)
INTEGER = Value(kind="integer")
DAY = Value(
    pattern="[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])",
    words="a day, such as 2026-03-01",
)
LENGTH = Value(pattern=r"[0-9]{1,4}(?:\.[0-9]{1,6})?", words="a length in mm, such as 65 or 63.5")
POSITIVE_LENGTH = Value(
    pattern=r"0*[1-9][0-9]{0,3}(?:\.[0-9]{1,6})?|0+\.[0-9]{0,5}[1-9][0-9]{0,5}",
    words="a length in mm above 0, such as 65 or 63.5",
)


class Attribute(NamedTuple):
    """An attribute: its name, its values, whether it is required, and its purpose."""

    name: str
    value: Value = TEXT
    required: bool = False
    meaning: str = ""
    alias: str | None = None
    """Another name under which a file may give this attribute."""
    former: str | None = None
    """Its name of earlier versions, which is read with a warning."""
    remedy: str = ""
    """For hints, how to supply the attribute to all elements that lack it."""
    element: bool = False
    """True if a child element of the same name may be used instead."""
    unique: bool = False
    """True if it must differ between siblings."""
    declared: Source | None = None
    """The element of game.xml that declares it, for hints."""


class Shape(NamedTuple):
    """An element.

    Attributes:
        tag: its name.
        attributes: its attributes, in any order.
        children: its possible children, in any order and mix.
        free: if given, attributes with other names are allowed, with these values.
        text: whether it holds text.
        unique: tags of children, each with an attribute in which they must differ.
        meaning: its purpose, for editors.
        prunable: tags of independent children: one with a mistake can be dropped and the rest used.
    """

    tag: str
    attributes: tuple[Attribute, ...] = ()
    children: tuple[Occurs, ...] = ()
    free: Value | None = None
    text: bool = False
    unique: tuple[tuple[str, str], ...] = ()
    meaning: str = ""
    prunable: tuple[str, ...] = ()

    def attribute(self, name: str) -> Attribute | None:
        """Return the attribute `name`, or None."""
        return next((a for a in self.attributes if a.name == name), None)

    def child(self, tag: str) -> Occurs | None:
        """Return how often a child `tag` may occur, or None if it may not."""
        return next((child for child in self.children if child.shape.tag == tag), None)


class Occurs(NamedTuple):
    """The number of times an element may occur in another."""

    shape: Shape
    minimum: int = 0
    maximum: int = UNBOUNDED


def one_of(*terms: str | tuple[str, str]) -> Value:
    """Return a value that is one of these words; a word with a meaning is a pair."""
    return Value("term", terms=tuple((t, "") if isinstance(t, str) else t for t in terms))


def required(name: str, value: Value, meaning: str = "") -> Attribute:
    """Return a required attribute."""
    return Attribute(name, value, required=True, meaning=meaning)


def key(name: str, value: Value, meaning: str) -> Attribute:
    """Return a required attribute whose values are unique among siblings."""
    return Attribute(name, value, required=True, meaning=meaning, unique=True)


def optional(name: str, value: Value, meaning: str) -> Attribute:
    """Return an optional attribute."""
    return Attribute(name, value, meaning=meaning)


def element(
    tag: str,
    meaning: str,
    *content: Attribute | Occurs,
    free: Value | None = None,
    text: bool = False,
    prunable: tuple[str, ...] = (),
) -> Shape:
    """Return an element with these attributes and children."""
    attributes = tuple(item for item in content if isinstance(item, Attribute))
    children = tuple(item for item in content if isinstance(item, Occurs))
    shapes = (child.shape for child in children)
    unique = tuple((shape.tag, a.name) for shape in shapes for a in shape.attributes if a.unique)
    return Shape(tag, attributes, children, free, text, unique, meaning, prunable)


_MARKERS = {"b": "**", "i": "__", "u": "++", "s": "~~"}
_MEANINGS = {"b": "bold", "i": "italic", "u": "underlined", "s": "struck through"}
_LEAVES = (
    Occurs(element("icon", "an icon", required("name", ID, "its name"))),
    Occurs(element("br", "a new line, which begins a paragraph")),
)
_FILL = required("fill", NAME, "the color, such as `red` or `#a33`")
_SPACE = re.compile(r"[ \t\r\n]+")
_INLINE_MARKUP = re.compile(
    r"""\*\*(?P<b>[^*\n]+)\*\*|__(?P<i>[^_\n]+)__|\+\+(?P<u>[^+\n]+)\+\+|~~(?P<s>[^~\n]+)~~"""
    r"|\{icon:(?P<icon>[^\s{}]+)\}"
)

_RICH: tuple[Occurs, ...] = _LEAVES
"""The inline elements of texts, nested up to two levels."""
for _ in range(2):
    _RICH = (
        *(Occurs(element(tag, said, *_RICH, text=True)) for tag, said in _MEANINGS.items()),
        Occurs(element("tspan", "a run of another color", _FILL, *_RICH, text=True)),
        *_LEAVES,
    )


def text_shape(name: str, meaning: str) -> Occurs:
    """Return the shape of an element that may replace the attribute `name`."""
    paragraph = Occurs(element("p", "a paragraph", *_RICH, text=True))
    marked = optional("style", one_of("bullet", "number"), "how items are marked: with a bullet")
    item = element("item", "an item", *_RICH, text=True)
    items = Occurs(element("list", "a list", marked, Occurs(item, 1)))
    return Occurs(element(name, meaning, *_RICH, paragraph, items, text=True), 0, 1)


def get_text(node: Node, name: str) -> str | None:
    """Return the text given by an attribute or an element of the same name; None if missing.

    White space in an element is collapsed; `<br/>` and `<p>` start new lines.
    """
    given = node.get(name)
    inside = next(node.children_named(name), None) if given is None else None
    if inside is None:
        return given
    lines = (line.strip(" ") for line in _flatten(inside).split("\n"))
    return "\n".join(filter(None, lines))


def _flatten(node: Node) -> str:
    parts = [_SPACE.sub(" ", node.text)]
    for child in node.children:
        if child.tag == "icon":
            parts.append(f"{{icon:{child.get('name')}}}")
        elif child.tag == "br":
            parts.append("\n")
        elif child.tag == "p":
            parts += ["\n", _flatten(child), "\n"]
        elif child.tag == "list":
            parts.append("\n")
            numbered = child.get("style") == "number"
            for number, item in enumerate(child.children_named("item"), 1):
                line = _flatten(item).replace("\n", " ").strip()
                parts.append(f"{number}. {line}\n" if numbered else f"• {line}\n")
        elif child.tag == "tspan":
            parts.append(_wrap_lines(f"{{fill:{child.get('fill')}}}", _flatten(child), "{/fill}"))
        else:
            sign = _MARKERS.get(child.tag, "")
            parts.append(_wrap_lines(sign, _flatten(child), sign))
        parts.append(_SPACE.sub(" ", child.tail))
    return "".join(parts)


def _wrap_lines(before: str, text: str, suffix: str) -> str:
    """Return a text with markers around the first and last letter of each line."""
    lines = text.split("\n")
    bare = [line.strip(" ") for line in lines]
    signed = (
        line.replace(said, f"{before}{said}{suffix}", 1) if said else line
        for line, said in zip(lines, bare, strict=True)
    )
    return "\n".join(signed)


def to_inline_xml(text: str) -> str:
    """Return a text as element content: simple bold, italic and icons become elements."""
    lines = []
    for line in filter(None, map(str.strip, text.splitlines())):
        parts, at = [], 0
        for match in _INLINE_MARKUP.finditer(line):
            parts.append(escape_text(line[at : match.start()]))
            tag, inner = str(match.lastgroup), str(match[match.lastgroup or 0])
            at = match.end()
            if tag == "icon":
                parts.append(f"<icon name={quote_attribute(inner)}/>")
            elif inner != inner.strip() or _INLINE_MARKUP.search(inner):
                parts.append(escape_text(match[0]))
            else:
                parts.append(f"<{tag}>{escape_text(inner)}</{tag}>")
        lines.append("".join([*parts, escape_text(line[at:])]))
    return "<br/>".join(lines)


_XS = "http://www.w3.org/2001/XMLSchema"
_MAX_SCHEMA_BOUND = 12
"""Larger bounds are left out of schemas: libxml2 copies a bounded element that often."""


def schema_bytes(shape: Shape) -> bytes:
    """Return the XML Schema for files whose root element has the shape `shape`, indented.

    Children may come in any order, so the schema limits their number only if there is a single kind
    of child and the limit is small; `validate` checks the rest.
    """
    schema = _SchemaBuilder(shape).schema
    etree.indent(schema)
    result: bytes = etree.tostring(schema, xml_declaration=True, encoding="UTF-8")
    return result + b"\n"


def _xs(name: str) -> str:
    return f"{{{_XS}}}{name}"


def _add(parent: etree._Element, name: str, /, **attributes: str) -> etree._Element:
    return etree.SubElement(parent, _xs(name), attributes)


def _add_documentation(parent: etree._Element, text: str) -> None:
    if text:
        _add(_add(parent, "annotation"), "documentation").text = text


def _content_of(shape: Shape) -> Shape:
    """Return a shape that is equal for all elements with the same content."""
    return Shape("", shape.attributes, shape.children, shape.free, shape.text)


class _SchemaBuilder:
    """Builds one schema; each distinct value becomes one named type."""

    def __init__(self, root: Shape) -> None:
        self.schema = etree.Element(_xs("schema"), nsmap={"xs": _XS})
        self._types: dict[Value, str] = {}
        self._shared: dict[Shape, str] = {}
        self._constraints = set[str]()
        self._find_shared(root, set())
        self._element(self.schema, Occurs(root, 1, 1), root=True)

    def _find_shared(self, shape: Shape, seen: set[Shape]) -> None:
        """Name the content types that several elements share."""
        content = _content_of(shape)
        if content not in seen:
            seen.add(content)
            for child in shape.children:
                self._find_shared(child.shape, seen)
        elif shape.children:
            self._shared.setdefault(content, f"{shape.tag}-type{len(self._shared) + 1}")

    def _element(self, parent: etree._Element, occurs: Occurs, *, root: bool = False) -> None:
        shape = occurs.shape
        element = _add(parent, "element", name=shape.tag)
        if not root:
            element.set("minOccurs", str(occurs.minimum))
            bounded = occurs.maximum <= _MAX_SCHEMA_BOUND
            element.set("maxOccurs", str(occurs.maximum) if bounded else "unbounded")
        _add_documentation(element, shape.meaning)
        name = self._shared.get(_content_of(shape))
        if name is None:
            self._content(_add(element, "complexType"), shape)
        else:
            element.set("type", name)
            if self.schema.find(f"{_xs('complexType')}[@name='{name}']") is None:
                self._content(_add(self.schema, "complexType", name=name), shape)
        for tag, attribute_name in shape.unique:
            name = make_unique(f"one-{tag}-by-{attribute_name}", self._constraints)
            unique = _add(element, "unique", name=name)
            _add(unique, "selector", xpath=tag)
            _add(unique, "field", xpath=f"@{attribute_name}")

    def _content(self, complex_type: etree._Element, shape: Shape) -> None:
        """Write a shape's content model and attributes."""
        if shape.text:
            complex_type.set("mixed", "true")
        if len(shape.children) == 1:
            self._element(_add(complex_type, "sequence"), shape.children[0])
        elif shape.children:
            choice = _add(complex_type, "choice", minOccurs="0", maxOccurs="unbounded")
            for child in shape.children:
                self._element(choice, Occurs(child.shape, 1, 1))
        for attribute in shape.attributes:
            kind = self._type(attribute.value)
            element = _add(complex_type, "attribute", name=attribute.name, type=kind)
            others = attribute.alias or attribute.former or attribute.element
            if attribute.required and not others:
                element.set("use", "required")
            _add_documentation(element, attribute.meaning)
            if attribute.former:
                old = _add(complex_type, "attribute", name=attribute.former, type=kind)
                _add_documentation(old, f"the former name of `{attribute.name}`")
        if shape.free is not None:
            _add(complex_type, "anyAttribute", processContents="skip")

    def _type(self, value: Value) -> str:
        """Return the name of the type of `value`, defined on first use."""
        if value in self._types:
            return self._types[value]
        self._types[value] = name = f"{value.kind}{len(self._types) + 1}"
        simple = _add(self.schema, "simpleType", name=name)
        if value.kind == "color":
            union = _add(simple, "union")
            names = _add(_add(union, "simpleType"), "restriction", base="xs:string")
            for color in (*NAMED_COLORS, *(term for term, _ in value.terms)):
                _add(names, "enumeration", value=color)
            code = _add(_add(union, "simpleType"), "restriction", base="xs:string")
            _add(code, "pattern", value="#[0-9a-fA-F]{6}")
            return name
        base = f"xs:{value.kind}" if value.kind in _NUMBERS else "xs:string"
        restriction = _add(simple, "restriction", base=base)
        if value.kind in _NUMBERS:
            _add(restriction, "minInclusive", value=str(value.minimum))
            _add(restriction, "maxInclusive", value=str(value.maximum))
        elif value.kind == "term":
            for term, meaning in value.terms:
                _add_documentation(_add(restriction, "enumeration", value=term), meaning)
        elif value.pattern is not None:
            _add(restriction, "pattern", value=value.pattern.replace("(?:", "("))
        return name
