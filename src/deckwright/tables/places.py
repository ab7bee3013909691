"""Which cell is to blame for what is at a place of a changed file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Location
from deckwright.tables.table import Cell
from deckwright.xmlio.node import Document
from deckwright.xmlio.xml_text import Element, XmlFile


class Blame(NamedTuple):
    """What a cell has changed: an element, and the attributes that the cell says itself."""

    element: Element
    attributes: tuple[str, ...]
    cell: Cell


def cell_places(file: XmlFile, path: Path, blames: Iterable[Blame]) -> dict[Location, Cell]:
    """Return the cells by the places in a changed file that they are to blame for.

    Args:
        file: the changed file.
        path: where a copy of it stands, whose places are asked for.
        blames: the first of several for one place counts.
    """
    text = str(file.document).replace("\r\n", "\n").replace("\r", "\n")
    document = Document(path, text)
    ordinals = {id(element): n for n, element in enumerate(file.document.walk(), -1)}
    known = [blame for blame in blames if id(blame.element) in ordinals]
    places: dict[Location, Cell] = {}
    for blame in known:
        places.setdefault(document.locate(ordinals[id(blame.element)]), blame.cell)
    for blame in known:
        for name in blame.attributes:
            place = document.locate(ordinals[id(blame.element)], name)
            # The place of an attribute that is not there is its element's.
            if place != document.locate(ordinals[id(blame.element)]):
                places[place] = blame.cell
    return places
