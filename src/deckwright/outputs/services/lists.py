"""The files that say how many copies of each card are ordered."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckwright.base.markup import escaped
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
    written = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<order>",
        "  <details>",
        f"    <quantity>{total}</quantity>",
        f"    <bracket>{bracket}</bracket>",
        f"    <stock>{escaped(service.stock)}</stock>",
        "    <foil>false</foil>",
        "  </details>",
        *_side("fronts", fronts, names),
    ]
    if backs:
        # What is behind most cards is the back of all that the list of backs leaves out.
        common = max(backs, key=lambda path: len(backs[path]))
        written += _side("backs", backs, {})
        written.append(f"  <cardback>{escaped(common)}</cardback>")
    return "\n".join([*written, "</order>", ""])


def _side(tag: str, slots: dict[str, list[int]], names: dict[str, str]) -> list[str]:
    """Return the element of one side of the cards, line by line."""
    written = [f"  <{tag}>"]
    for path, numbers in slots.items():
        file = path.rpartition("/")[2]
        written += [
            "    <card>",
            f"      <id>{escaped(path)}</id>",
            "      <sourceType>Local File</sourceType>",
            f"      <slots>{','.join(map(str, numbers))}</slots>",
            f"      <name>{escaped(file)}</name>",
            f"      <query>{escaped(names.get(path, file))}</query>",
            "    </card>",
        ]
    return [*written, f"  </{tag}>"]


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
