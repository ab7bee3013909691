"""XML elements as plain data that remember where they came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, NamedTuple

from deckwright.base.findings import Location


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
            from deckwright.xmlio.positions import attribute_start  # noqa: PLC0415 - as below

            line, column = attribute_start(self.text, offset, attribute, (line, column))
        return Location(self.path, line, column)

    def starts(self) -> list[tuple[int, int, int]]:
        """Return line, column and offset in the text of all elements, as `locate` finds them."""
        if self._starts is None:
            from deckwright.xmlio.positions import element_starts  # noqa: PLC0415 - for findings

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
