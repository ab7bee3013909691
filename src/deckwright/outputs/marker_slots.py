"""Markers in the slots of a sheet format, such as labels, where each lies as a card would."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Report, has_errors
from deckwright.base.units import Mm
from deckwright.faces.factory import FaceFactory
from deckwright.faces.markers import marker_sides
from deckwright.game.counters import Marker
from deckwright.game.model import FaceKey
from deckwright.ops.model import Face
from deckwright.outputs.card_sheets import arranged, card_sheets
from deckwright.sheet.format import E003, load_format, misfit
from deckwright.sheet.pages import Page
from deckwright.sheet.reach import check_reach
from deckwright.sheet.setting import Setting, SheetOptions, as_asked


class _Copy(NamedTuple):
    """A copy of a marker."""

    marker: Marker
    face: Face
    back: Face | None = None
    deck: str = ""
    face_key: FaceKey | None = None

    @property
    def part(self) -> str:
        """What its sheets are found by."""
        return self.marker.face.name

    @property
    def size(self) -> tuple[Mm, Mm]:
        """Width and height of its trim box."""
        return self.face.width, self.face.height

    @property
    def radius(self) -> Mm:
        """Machines cut it in its own shape, not here."""
        return 0


def slotted_pages(
    markers: Sequence[Marker],
    options: SheetOptions,
    xml_folder: Path,
    factory: FaceFactory,
    report: Report,
) -> list[Page]:
    """Return sheets of a format with markers; none after reporting why they cannot be printed.

    If any marker has another side, each sheet is followed by its back, to be turned over as the
    format says.

    Args:
        options: with the name of the format.
        xml_folder: where a game may have formats of its own.
    """
    wanted = [marker for marker in markers if marker.copies]
    sheet = load_format(options.sheet or "", xml_folder, None, report)
    sheet = sheet and as_asked(sheet, options, report)
    if sheet is None:
        return []
    for marker in wanted:
        wrong = misfit(sheet, marker.size, marker.height, scale=options.scale)
        if wrong is not None:
            size = f"{marker.size:g} × {marker.height:g} mm"
            message = f"marker `{marker.id}` is {size}, but {wrong[0]}"
            report.append(E003.at(marker.source.at("size"), message, wrong[1]))
    sizes = [(marker.size, marker.height) for marker in wanted]
    if not has_errors(report):
        check_reach(sheet, sizes, (0, 0), xml_folder, report)
    copies: list[_Copy] = []
    for marker in wanted:
        sides = marker_sides(marker, factory, report)
        if sides is not None:
            copies += [_Copy(marker, *sides)] * marker.copies
    if has_errors(report):
        return []
    backs = any(marker.other for marker in wanted)
    return arranged(
        card_sheets(copies, Setting(sheet, backs, offset=options.offset, footer=options.footer))
    )
