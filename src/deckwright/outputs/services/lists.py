"""The files that say how many copies of each card are ordered."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from deckwright.outputs.services.profile import Service


class Line(NamedTuple):
    """A card of an order: its name, its pictures' paths from the order's folder, its copies."""

    name: str
    front: str
    back: str | None
    copies: int


def autofill(lines: Sequence[Line], service: Service) -> str:
    """Return an order as MPC Autofill reads it.

    After the XML schema of its wiki, https://github.com/chilli-axe/mpc-autofill/wiki: the slots of
    an order count from 0; each picture has the slots that it is in; pictures are files, named
    from the folder in which the program runs. Its older versions want a `bracket`, the next
    number of cards that orders are priced for.
    """
    total = sum(line.copies for line in lines)
    bracket = next((step for step in service.steps if step >= total), total)
    fronts: dict[str, list[int]] = {}
    backs: dict[str, list[int]] = {}
    names: dict[str, str] = {}
    slot = 0
    for line in lines:
        slots = range(slot, slot + line.copies)
        slot += line.copies
        fronts.setdefault(line.front, []).extend(slots)
        names[line.front] = line.name
        if line.back is not None:
            backs.setdefault(line.back, []).extend(slots)
    root = ET.Element("order")
    details = ET.SubElement(root, "details")
    foil = "true" if service.foil else "false"
    _put(details, quantity=str(total), bracket=str(bracket), stock=service.stock, foil=foil)
    _side(ET.SubElement(root, "fronts"), fronts, names)
    if backs:
        # What is behind most cards is the back of all that the list of backs leaves out.
        common = max(backs, key=lambda path: len(backs[path]))
        _side(ET.SubElement(root, "backs"), backs, {})
        _put(root, cardback=common)
    ET.indent(root)
    text = ET.tostring(root, "unicode", short_empty_elements=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _side(side: ET.Element, slots: dict[str, list[int]], names: dict[str, str]) -> None:
    """Put the cards of one side into its element."""
    for path, numbers in slots.items():
        card, file = ET.SubElement(side, "card"), path.rpartition("/")[2]
        _put(card, id=path, sourceType="Local File", slots=",".join(map(str, numbers)))
        _put(card, name=file, query=names.get(path, file))


def _put(element: ET.Element, **texts: str) -> None:
    for tag, text in texts.items():
        ET.SubElement(element, tag).text = text


def table(lines: Iterable[Line]) -> str:
    """Return an order as CSV: the names of cards, their files, and how many of each."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(["name", "front", "back", "quantity"])
    for line in lines:
        writer.writerow([_cell(line.name), line.front, line.back or "", line.copies])
    return stream.getvalue()


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
