"""Whether a printer can print everything on a sheet."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Code, Report, Severity
from deckwright.base.units import HAIR, Mm
from deckwright.sheet.extent import card_margins
from deckwright.sheet.format import format_names, load_format, misfit
from deckwright.sheet.grid import SheetFormat

E060 = Code("E060", Severity.ERROR, "a sheet with cards where the printer cannot print")
L008 = Code("L008", Severity.WARNING, "a sheet with bleed where the printer cannot print")

_SIDES = ("upper", "right", "lower", "left")


class _Beyond(NamedTuple):
    """The side at which most lies beyond what a printer reaches.

    Attributes:
        near: how far from the edge of the paper it is.
        reach: how near to that edge the printer prints.
    """

    side: str
    near: Mm
    reach: Mm


def check_reach(
    sheet: SheetFormat,
    sizes: Iterable[tuple[Mm, Mm]],
    offset: tuple[Mm, Mm],
    xml_folder: Path,
    report: Report,
) -> None:
    """Report what lies on the edges that the printer leaves white, `unreached` of the sheet.

    Args:
        sizes: of the cards, widths and heights.
        offset: by how much backs are moved, right and down.
        xml_folder: where a game may have sheets of its own.
    """
    if not any(sheet.unreached):
        return
    sizes = list(sizes)
    fitted = [sheet.fitted(*size) for size in sizes]
    if trimmed := _beyond((each._replace(bleed=0) for each in fitted), offset):
        message = (
            f"cards on the sheet `{sheet.name}` start {trimmed.near:g} mm from the {trimmed.side} "
            f"edge of the paper, where the printer leaves {trimmed.reach:g} mm white"
        )
        report.append(E060.at(None, message, _hint(sheet, sizes, offset, xml_folder)))
    elif bled := _beyond(fitted, offset):
        message = (
            f"the bleed of cards on the sheet `{sheet.name}` ends {bled.near:g} mm from the "
            f"{bled.side} edge of the paper, where the printer leaves {bled.reach:g} mm white"
        )
        hint = "cut these edges with care, or name a sheet with wider margins"
        report.append(L008.at(None, message, hint))


def _beyond(sheets: Iterable[SheetFormat], offset: tuple[Mm, Mm]) -> _Beyond | None:
    """Return where cards and their bleed lie farthest beyond what the printer reaches, if at all.

    Args:
        sheets: formats that are fitted to their cards.
    """
    x, y = offset
    sides = []
    for sheet in sheets:
        around = card_margins(sheet)
        moved = (
            around.top + min(0, y),
            around.right - max(0, x),
            around.bottom - max(0, y),
            around.left + min(0, x),
        )
        sides += [
            _Beyond(side, round(near, 3), reach)
            for side, near, reach in zip(_SIDES, moved, sheet.white, strict=True)
            if near < reach - HAIR
        ]
    return max(sides, key=lambda side: side.reach - side.near, default=None)


def _hint(
    sheet: SheetFormat, sizes: list[tuple[Mm, Mm]], offset: tuple[Mm, Mm], xml_folder: Path
) -> str:
    """Return what to do: name the sheet of this paper with most cards that the printer reaches."""
    fitting: list[tuple[int, str]] = []
    for name in format_names(xml_folder):
        findings: Report = []
        other = load_format(name, xml_folder, None, findings)
        if other is None or _paper(other) != _paper(sheet) or other.labels != sheet.labels:
            continue
        other = other._replace(unreached=sheet.unreached)
        fitted = [other.fitted(*size)._replace(bleed=0) for size in sizes]
        suits = not any(misfit(other, *size) for size in sizes)
        if suits and _beyond(fitted, offset) is None:
            fitting.append((-min(each.capacity for each in fitted), name))
    if not fitting:
        return "name a sheet of larger paper with `--sheet`"
    return f"print on `--sheet {min(fitting)[1]}`"


def _paper(sheet: SheetFormat) -> tuple[Mm, Mm]:
    """Return the paper of a format, the shorter side first."""
    shorter, longer = sorted((sheet.page_width, sheet.page_height))
    return shorter, longer
