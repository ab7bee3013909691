"""The printers that were calibrated: those that `deckwright calibrate` knows, and new numbers."""

from __future__ import annotations

from typing import TypedDict

from deckwright.api import GameError
from deckwright.base.choices import ChoiceError, demand
from deckwright.base.findings import Report
from deckwright.base.units import Mm
from deckwright.sheet.grid import Flip
from deckwright.sheet.margins import parse_margins
from deckwright.sheet.printers import (
    Printer,
    forget_printer,
    is_name,
    load_printers,
    parse_offset,
    save_printer,
)


class PrinterTold(TypedDict):
    """A printer as plain data: lengths in mm, margins clockwise from the top."""

    name: str
    offset: list[Mm]
    flip: str | None
    margins: list[Mm]


def printers() -> list[PrinterTold]:
    """Return all printers by name.

    Raises:
        GameError: if their file cannot be read.
    """
    return [
        {
            "name": name,
            "offset": [*printer.offset],
            "flip": printer.flip.value if printer.flip else None,
            "margins": [*printer.margins],
        }
        for name, printer in sorted(_known().items())
    ]


def remember(said: dict[str, object]) -> None:
    """Remember what was read for a printer; what is not said stays as it was.

    Args:
        said: its `name`, and of `offset`, `margins` and `flip` what was read.

    Raises:
        ChoiceError: if it cannot be so.
        GameError: if the file of printers cannot be read or written.
    """
    name = _name(said)
    before = _known().get(name, Printer())
    offset, margins, flip = said.get("offset"), said.get("margins"), said.get("flip")
    if flip is not None:
        demand(str(flip), [each.value for each in Flip], "edge")
    try:
        printer = Printer(
            before.offset if offset is None else parse_offset(_lengths(offset)),
            before.flip if flip is None else Flip(flip),
            before.margins if margins is None else parse_margins(_lengths(margins)),
        )
    except ValueError as error:
        raise ChoiceError(str(error)) from None
    report: Report = []
    if save_printer(name, printer, report) is None:
        raise GameError(report)


def forget(said: dict[str, object]) -> None:
    """Forget the printer of a `name`.

    Raises:
        ChoiceError: if there is none.
        GameError: if the file of printers cannot be read or written.
    """
    name, report = _name(said), Report()
    demand(name, _known(), "printer")
    if forget_printer(name, report) is None:
        raise GameError(report)


def _known() -> dict[str, Printer]:
    report: Report = []
    found = load_printers(report)
    if found is None:
        raise GameError(report)
    return found


def _name(said: dict[str, object]) -> str:
    name = said.get("name")
    if not isinstance(name, str) or not is_name(name):
        raise ChoiceError("the name of a printer has at most 40 letters, digits, `-` and `_`")
    return name


def _lengths(given: object) -> str:
    """Return lengths in mm as the command takes them."""
    if not isinstance(given, list) or not all(isinstance(each, (int, float)) for each in given):
        raise ChoiceError(f"`{str(given)[:50]}` is no list of lengths in mm")
    return ",".join(f"{each:.4f}mm" for each in given)
