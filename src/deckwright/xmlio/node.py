"""XML elements as plain data that remember where they came from."""

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
_TAG = re.compile(r"""<[^\s/>]+(?:"[^"]*"|'[^']*'|[^"'>])*>""")

_MARKUP = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<([^\s/!?>])", re.DOTALL)


def _parser() -> expat.XMLParserType:
    parser = expat.ParserCreate("utf-8")
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    return parser


def element_starts(text: str) -> list[tuple[int, int, int]]:
    """Return line, column and character offset of every start tag of the well-formed `text`."""
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
        # expat knows fewer letters than libxml2: some names are well-formed to that alone.
        return _scan_starts(text)
    return starts if text.isascii() else _to_characters(data, starts)


def _scan_starts(text: str) -> list[tuple[int, int, int]]:
    """Return the start tags of `text` as `element_starts` does, found by their looks alone."""
    starts = []
    line, line_start = 1, 0
    for match in _MARKUP.finditer(text):
        if match[1]:
            offset = match.start()
            line += text.count("\n", line_start, offset)
            line_start = max(line_start, text.rfind("\n", 0, offset) + 1)
            starts.append((line, offset - line_start + 1, offset))
    return starts


def _to_characters(data: bytes, starts: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Turn the rising byte offsets of `starts` into character offsets."""
    result = []
    characters = done = 0
    for line, column, index in starts:
        characters += len(data[done:index].decode())
        done = index
        result.append((line, column, characters))
    return result


def attribute_start(
    text: str, offset: int, attribute: str, default: tuple[int, int]
) -> tuple[int, int]:
    """Return line and column of `attribute` in the start tag at `offset`, or `default`."""
    tag = _TAG.match(text, offset)
    if tag is None:
        return default
    # Values are blanked, so that name="x" inside of another value is not taken for it.
    blank = re.sub(
        r"""=(\s*)(["'])(.*?)\2""",
        lambda m: f"={m[1]}{m[2]}{'.' * len(m[3])}{m[2]}",
        tag[0],
        flags=re.DOTALL,
    )
    found = re.search(_ATTRIBUTE % re.escape(attribute), blank)
    if found is None:
        return default
    # Counted from the tag, not from the file's start, for there may be many findings.
    position = offset + found.start()
    line, column = default
    if "\n" not in tag[0][: found.start()]:
        return line, column + found.start()
    line_start = text.rfind("\n", offset, position) + 1
    return line + text.count("\n", offset, position), position - line_start + 1


def find_doctype(text: str) -> tuple[int, int] | None:
    """Return line and column of the document type declaration of `text`, None if it has none."""
    return _find_before_root(text, "StartDoctypeDeclHandler", lambda *_: True)


def find_instruction(text: str, target: str) -> tuple[int, int] | None:
    """Return line and column of a processing instruction before the root, None if there is none."""
    if f"<?{target}" not in text:
        return None
    return _find_before_root(text, "ProcessingInstructionHandler", lambda name, *_: name == target)


def _find_before_root(
    text: str, handler: str, wanted: Callable[..., bool]
) -> tuple[int, int] | None:
    """Return line and column of the first thing that is wanted of those that a handler meets."""
    parser = _parser()
    found: list[tuple[int, int]] = []

    def meet(*what: object) -> None:
        if wanted(*what):
            found.append((parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))
            raise StopIteration

    def start(*_: object) -> None:
        raise StopIteration

    setattr(parser, handler, meet)
    parser.StartElementHandler = start
    with suppress(StopIteration, expat.ExpatError):
        parser.Parse(text.encode(), True)  # noqa: FBT003 - expat takes no keyword here
    return found[0] if found else None


@dataclass(eq=False, slots=True)
class Document:
    """One XML file: its path, and what it holds, decoded and without a byte order mark."""

    xml: ClassVar[bool] = True
    """Whether it is XML; tables are read as if they were."""
    path: Path
    text: str = field(repr=False)
    _starts: list[tuple[int, int, int]] | None = field(default=None, repr=False)

    def locate(self, ordinal: int, attribute: str | None = None) -> Location:
        """Return the place of the element number `ordinal`, or of one of its attributes.

        The places come from a second parse, made when the first place of the file is asked for.
        """
        line, column, offset = self.starts()[ordinal]
        if attribute is not None:
            line, column = attribute_start(self.text, offset, attribute, (line, column))
        return Location(self.path, line, column)

    def starts(self) -> list[tuple[int, int, int]]:
        """Return line, column and offset in the text of all elements, as `locate` finds them."""
        if self._starts is None:
            self._starts = element_starts(self.text)
        return self._starts

    def to_add(self, name: str, example: str) -> str:  # noqa: ARG002 - tables have columns
        """Return in words how to say something that is missing.

        Args:
            name: of the attribute or element.
            example: what it looks like in XML.
        """
        return f"add {example}"


class Source(NamedTuple):
    """Where a thing was read: an element of a document. Turning it into a line is put off."""

    document: Document
    ordinal: int

    @property
    def path(self) -> Path:
        """The file."""
        return self.document.path

    def at(self, attribute: str | None = None) -> Location:
        """Return the place of the element, or of one of its attributes."""
        return self.document.locate(self.ordinal, attribute)


@dataclass(eq=False, slots=True)
class Node:
    """An XML element.

    Attributes:
        tag: its name.
        attributes: their values by name, in the file's order.
        children: the elements inside it; comments are left out.
        text: the text before its first child.
        tail: the text after it, before its next sibling.
        source: where it stands.
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

    def named(self, *tags: str) -> Iterator[Node]:
        """Yield the children with one of the names `tags`."""
        return (child for child in self.children if child.tag in tags)

    def walk(self) -> Iterator[Node]:
        """Yield this element and all below it in the file's order."""
        yield self
        for child in self.children:
            yield from child.walk()
