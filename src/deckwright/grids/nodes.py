"""Rows of tables as elements that XML files would have, so that both are read by the same code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from deckwright.base.findings import Location
from deckwright.xmlio.node import Document, Node, Source


@dataclass(eq=False, slots=True)
class GridDocument(Document):
    """A file with tables, whose elements are numbered as they are made.

    Attributes:
        titles: those of its columns by what is read of them.
    """

    xml: ClassVar[bool] = False
    titles: dict[str, str] = field(default_factory=dict)
    _places: list[tuple[Location, Mapping[str, Location]]] = field(default_factory=list, repr=False)

    def node(
        self,
        tag: str,
        attributes: dict[str, str],
        place: Location,
        places: Mapping[str, Location] | None = None,
        children: Iterable[Node] = (),
    ) -> Node:
        """Return a new element.

        Args:
            place: where it stands.
            places: where its attributes stand, or would; those of others are its own.
        """
        self._places.append((place, places or {}))
        source = Source(self, len(self._places) - 1)
        return Node(tag, attributes, source, children=[*children])

    def locate(self, ordinal: int, attribute: str | None = None) -> Location:
        """Return the cell of an element or of one of its attributes."""
        place, places = self._places[ordinal]
        return places.get(attribute or "", place)

    def to_add(self, name: str, example: str) -> str:  # noqa: ARG002 - as XML has it
        """Return in words how to say something that is missing: there is a column for it."""
        return f"fill the column `{self.titles.get(name, name)}`"
