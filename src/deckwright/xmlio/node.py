"""XML elements as plain data with their source locations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, NamedTuple
from xml.parsers import expat

from deckwright.base.findings import Location

_ATTRIBUTE = r"""(?<=[\s"'])%s\s*=\s*["']"""
_VALUE = re.compile(r"""=(\s*)(["'])(.*?)\2""", re.DOTALL)
_TAG = re.compile(r"""<[^\s/>]+(?:"[^"]*"|'[^']*'|[^"'>])*>""")
_MARKUP = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<([^\s/!?>])", re.DOTALL)


def _parser() -> expat.XMLParserType:
    parser = expat.ParserCreate("utf-8")
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    return parser


def element_starts(text: str) -> list[tuple[int, int, int]]:
    """Return line, column and offset in characters of each start tag of a well-formed text."""
    parser = _parser()
    data = text.encode()
    starts: list[tuple[int, int, int]] = []

    def start(_name: str, _attributes: object) -> None:
        position = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        starts.append((*position, parser.CurrentByteIndex))

    parser.StartElementHandler = start
    try:
        parser.Parse(data, True)  # noqa: FBT003 - expat takes no keyword here
    except expat.ExpatError:
        # libxml2 allows letters in names that expat does not know.
        starts = []
        line, line_start = 1, 0
        for offset in (match.start() for match in _MARKUP.finditer(text) if match[1]):
            line += text.count("\n", line_start, offset)
            line_start = max(line_start, text.rfind("\n", 0, offset) + 1)
            starts.append((line, offset - line_start + 1, offset))
        return starts
    if text.isascii():
        return starts
    # Convert the ascending byte offsets to character offsets.
    result, characters, before = [], 0, 0
    for line, column, index in starts:
        characters += len(data[before:index].decode())
        before = index
        result.append((line, column, characters))
    return result


def find_doctype(text: str) -> tuple[int, int] | None:
    """Return line and column of the document type declaration of `text`, or None."""
    return _find_before_root(text, "StartDoctypeDeclHandler", lambda *_: True)


def find_instruction(text: str, target: str) -> tuple[int, int] | None:
    """Return line and column of a processing instruction before the root, or None."""
    if f"<?{target}" not in text:
        return None
    return _find_before_root(text, "ProcessingInstructionHandler", lambda name, *_: name == target)


def _find_before_root(
    text: str, handler: str, matches: Callable[..., bool]
) -> tuple[int, int] | None:
    """Return line and column of the first event before the root that matches, or None."""
    parser = _parser()
    places: list[tuple[int, int]] = []

    def meet(*what: object) -> None:
        if matches(*what):
            places.append((parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))
            raise StopIteration

    def start(*_: object) -> None:
        raise StopIteration

    setattr(parser, handler, meet)
    parser.StartElementHandler = start
    with suppress(StopIteration, expat.ExpatError):
        parser.Parse(text.encode(), True)  # noqa: FBT003 - expat takes no keyword here
    return places[0] if places else None


@dataclass(eq=False, slots=True)
class Document:
    """An XML file: its path, and its content, decoded and without a byte order mark."""

    xml: ClassVar[bool] = True
    """False for tables, which are read as if they were XML."""
    path: Path
    text: str = field(repr=False)
    _starts: list[tuple[int, int, int]] | None = field(default=None, repr=False)

    def locate(self, ordinal: int, attribute: str | None = None) -> Location:
        """Return the location of element number `ordinal`, or of one of its attributes.

        Locations come from a second parse, made on the first request.
        """
        line, column, offset = self.starts()[ordinal]
        tag = None if attribute is None else _TAG.match(self.text, offset)
        if attribute is None or tag is None:
            return Location(self.path, line, column)
        # Blank out values, lest name="x" within a value is taken for the attribute.
        blank = _VALUE.sub(lambda m: f"={m[1]}{m[2]}{'.' * len(m[3])}{m[2]}", tag[0])
        match = re.search(_ATTRIBUTE % re.escape(attribute), blank)
        before = tag[0][: match.start()] if match else ""
        # Count from the tag rather than the file's start: there may be many findings.
        line += before.count("\n")
        column = len(before) - before.rfind("\n") if "\n" in before else column + len(before)
        return Location(self.path, line, column)

    def starts(self) -> list[tuple[int, int, int]]:
        """Return line, column and offset of all start tags."""
        if self._starts is None:
            self._starts = element_starts(self.text)
        return self._starts

    def addition_hint(self, name: str, example: str) -> str:  # noqa: ARG002 - tables have columns
        """Return a hint on how to add an attribute or element, of which `example` is the XML."""
        return f"add {example}"


class Source(NamedTuple):
    """The origin of a thing: an element of a document. Its line is computed on demand."""

    document: Document
    ordinal: int

    @property
    def path(self) -> Path:
        """The file."""
        return self.document.path

    def at(self, attribute: str | None = None) -> Location:
        """Return the location of the element, or of one of its attributes."""
        return self.document.locate(self.ordinal, attribute)


@dataclass(eq=False, slots=True)
class Node:
    """An XML element.

    Attributes:
        tag: its name.
        attributes: their values by name, in the file's order.
        children: its child elements, without comments.
        text: the text before its first child.
        tail: the text after it, before its next sibling.
        source: its origin.
    """

    tag: str
    attributes: dict[str, str]
    source: Source
    text: str = ""
    tail: str = ""
    children: list[Node] = field(default_factory=list)

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return the value of the attribute `name`."""
        return self.attributes.get(name, default)

    def children_named(self, *tags: str) -> Iterator[Node]:
        """Yield the children with one of these tags."""
        return (child for child in self.children if child.tag in tags)

    def walk(self) -> Iterator[Node]:
        """Yield this element and all its descendants in the file's order."""
        yield self
        for child in self.children:
            yield from child.walk()
