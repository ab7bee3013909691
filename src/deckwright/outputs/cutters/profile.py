"""Profiles of cutting machines: XML files with their marks and media.

Deckwright bundles some; those of a game are in `xml/cutters` and take precedence.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deckwright.base.files import BundledFiles
from deckwright.base.findings import Code, Location, Report, Severity
from deckwright.base.units import TOLERANCE
from deckwright.game.read import load_valid
from deckwright.sheet.cutters import Cutter, MarkShape
from deckwright.xmlio.binding import model_shape, read_model
from deckwright.xmlio.node import Node

E091 = Code("E091", Severity.ERROR, "a contradictory profile of a cutting machine")

_FILES = BundledFiles(Path(__file__).parent / "profiles", "cutters")
SHAPE = model_shape(Cutter, "cutter")


def cutter_names(xml_folder: Path) -> list[str]:
    """Return the ids of all machines: the bundled ones, and a game's own in `xml/cutters`."""
    return _FILES.list_names(xml_folder)


def load_cutter(cutter_id: str, xml_folder: Path, report: Report) -> Cutter | None:
    """Return a machine listed by `cutter_names`; None after reporting errors."""
    root = load_valid(_FILES.find_file(cutter_id, xml_folder), SHAPE, report)
    if root is None:
        return None
    cutter = read_model(Cutter, root, id=cutter_id)
    faults = [E091.at(*fault) for fault in _find_faults(root, cutter)]
    report.extend(faults)
    return None if faults else cutter


def _find_faults(root: Node, cutter: Cutter) -> Iterator[tuple[Location, str, str]]:
    """Yield contradictions of a profile, with their locations and hints."""
    for node, mark in zip(root.children_named("mark"), cutter.marks, strict=True):
        what = f"the mark is a {mark.shape.value}"
        if mark.shape in {MarkShape.SQUARE, MarkShape.DISC} and not mark.size:
            yield node.source.at("shape"), f"{what} without `size`", "give its width in mm"
        elif (mark.shape in {MarkShape.CORNER, MarkShape.FRAME} and not cutter.thickness) or (
            mark.shape is MarkShape.CORNER and not cutter.min_arm
        ):
            lacking = "arm" if cutter.thickness else "thickness"
            hint = f"give the cutter `{lacking}` in mm"
            yield node.source.at("shape"), f"{what}, but the cutter has no `{lacking}`", hint
    for node in root.children_named("medium"):
        medium = cutter.media[node.attributes["paper"]]
        paper = f"the paper of {medium.width:g} × {medium.height:g} mm"
        if min(medium.frame.width, medium.frame.height) <= 0:
            message = f"marks {medium.inset_x:g} and {medium.inset_y:g} mm from the edges leave "
            yield node.source.at("width"), f"{message}nothing of {paper}", "make `inset` smaller"
        elif medium.width > medium.height:
            hint = "swap `width` and `height`: media are in portrait"
            yield node.source.at("width"), f"{paper} is in landscape", hint
        elif min(medium.area.x, medium.area.y) < -TOLERANCE:
            area = f"the area of {medium.area.width:g} × {medium.area.height:g} mm"
            hint = "make `area-width` and `area-height` smaller"
            yield node.source.at(), f"{area} is larger than {paper}", hint
