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
from deckwright.sheet.cutters import Cutter
from deckwright.sheet.registration import FrameCorner, Mark, MarkShape, Medium
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import (
    LENGTH,
    NAME,
    POSITIVE_LENGTH,
    YES_NO,
    Occurs,
    Value,
    element,
    key,
    one_of,
    optional,
    required,
)

E091 = Code("E091", Severity.ERROR, "a contradictory profile of a cutting machine")

_FILES = BundledFiles(Path(__file__).parent / "profiles", "cutters")
_PAPER = Value(pattern=r"[A-Za-z0-9_-]{1,40}", words="a name of letters, digits, - and _")

SHAPE = element(
    "cutter",
    "a cutting machine: its marks and sheets",
    required("name", NAME, "the name of the machine"),
    optional("inset", LENGTH, "distance from the edges of the paper to the marks (default: 0 mm)"),
    optional("thickness", LENGTH, "width of the lines of marks (default: 0 mm)"),
    optional("arm", LENGTH, "shortest lines of marks that are corners (default: 0 mm)"),
    optional("longest-arm", LENGTH, "longest lines, where there is room (default: the shortest)"),
    optional("clear", LENGTH, "distance of print from the marks (default: 0 mm)"),
    optional(
        "corners",
        one_of(
            ("empty", "nothing is printed in the squares that they span"),
            ("free", "print may come as close as `clear` to their lines"),
        ),
        "what may be printed inside marks that are corners (default: `empty`)",
    ),
    optional("gutter", LENGTH, "distance between cuts (default: 2 mm)"),
    optional("bleed", LENGTH, "how far print extends beyond cuts (default: half the gutter)"),
    optional(
        "pictures",
        YES_NO,
        "`true` for pictures of the sheets too, which show only what is cut out (default: `false`)",
    ),
    Occurs(
        element(
            "mark",
            "a mark that the machine reads",
            required(
                "shape",
                one_of(
                    ("square", "filled"),
                    ("disc", "filled"),
                    ("corner", "two lines, as an L"),
                    ("frame", "lines all around"),
                ),
                "its shape",
            ),
            optional(
                "at",
                one_of("top-left", "top-right", "bottom-left", "bottom-right"),
                "its position; not needed for a frame (default: `top-left`)",
            ),
            optional("size", POSITIVE_LENGTH, "width of a square or disc in mm"),
        ),
        maximum=8,
    ),
    Occurs(
        element(
            "medium",
            "a sheet that it takes, in portrait; marks turn with it and keep their corners",
            key("paper", _PAPER, "the sheet format with this paper"),
            required("width", POSITIVE_LENGTH, "width of the paper in mm"),
            required("height", POSITIVE_LENGTH, "height of the paper in mm"),
            optional(
                "inset-x",
                LENGTH,
                "distance of the marks from the left and right (default: `inset`)",
            ),
            optional(
                "inset-y",
                LENGTH,
                "distance of the marks from the top and bottom (default: `inset`)",
            ),
            optional(
                "area-width",
                POSITIVE_LENGTH,
                "width of the cutting area, centered (default: all between the marks)",
            ),
            optional("area-height", POSITIVE_LENGTH, "height of the cutting area"),
        ),
        1,
        40,
    ),
)


def cutter_names(xml_folder: Path) -> list[str]:
    """Return the ids of all machines: the bundled ones, and a game's own in `xml/cutters`."""
    return _FILES.list_names(xml_folder)


def load_cutter(cutter_id: str, xml_folder: Path, report: Report) -> Cutter | None:
    """Return a machine listed by `cutter_names`; None after reporting errors."""
    root = load_valid(_FILES.find_file(cutter_id, xml_folder), SHAPE, report)
    if root is None:
        return None
    faults = [E091.at(*fault) for fault in _find_faults(root)]
    report.extend(faults)
    return None if faults else _read_cutter(cutter_id, root)


def _find_faults(root: Node) -> Iterator[tuple[Location, str, str]]:
    """Yield contradictions of a profile, with their locations and hints."""
    cutter = _read_cutter("", root)
    for node, mark in zip(root.children_named("mark"), cutter.marks, strict=True):
        called = f"the mark is a {mark.shape.value}"
        if mark.shape in {MarkShape.SQUARE, MarkShape.DISC} and not mark.size:
            yield node.source.at("shape"), f"{called} without `size`", "give its width in mm"
        elif mark.shape is MarkShape.CORNER and not (cutter.thickness and cutter.min_arm):
            lacking = "arm" if cutter.thickness else "thickness"
            hint = f"give the cutter `{lacking}` in mm"
            yield node.source.at("shape"), f"{called}, but the cutter has no `{lacking}`", hint
        elif mark.shape is MarkShape.FRAME and not cutter.thickness:
            message = f"{called}, but the cutter has no `thickness`"
            yield node.source.at("shape"), message, "give the cutter `thickness` in mm"
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


def _read_cutter(cutter_id: str, node: Node) -> Cutter:
    def mm(attribute: str, default: str = "0") -> float:
        return float(node.get(attribute) or default)

    gutter, shortest = mm("gutter", "2"), mm("arm")
    return Cutter(
        cutter_id,
        node.attributes["name"],
        tuple(_mark(child) for child in node.children_named("mark")),
        {m.attributes["paper"]: _medium(m, mm("inset")) for m in node.children_named("medium")},
        mm("thickness"),
        shortest,
        max(shortest, mm("longest-arm")),
        mm("clear"),
        node.get("corners") != "free",
        gutter,
        min(mm("bleed", str(gutter / 2)), gutter / 2),
        wants_pictures=node.get("pictures") == "true",
    )


def _mark(node: Node) -> Mark:
    shape, place = node.attributes["shape"], node.get("at") or "top-left"
    return Mark(MarkShape(shape), FrameCorner(place), float(node.get("size") or 0))


def _medium(node: Node, inset: float) -> Medium:
    names = ("inset-x", "inset-y", "area-width", "area-height")
    x, y, width, height = (node.get(name) for name in names)
    return Medium(
        float(node.attributes["width"]),
        float(node.attributes["height"]),
        inset if x is None else float(x),
        inset if y is None else float(y),
        float(width or 0),
        float(height or 0),
    )
